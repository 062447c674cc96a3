/**
 * `npm run test:mutation [-- OPTIONS] [FILE...]`: puts mutants into a copy of the project, one at a time, and runs the tests
 * that reach their file. Prints each verdict, what survived, and the score. docs/contributing.md describes it.
 *
 * Each verdict is written to a file at once, and a later run continues from there. A verdict is valid until the text of
 * the mutated file changes.
 *
 * - `FILE`: a part of the path of the files whose mutants run; all files that compute or decide without it.
 * - `--sample N`: N mutants, drawn by `--seed S` (1 without it). A larger N has those of a smaller one in it.
 * - `--tests N`: each mutant meets the N likeliest files of tests (12 without it).
 * - `--slow`: a mutant that survives meets the slow tests of these files, too.
 * - `--survivors`: mutants that survived or are undecided run again.
 * - `--results FILE`: where verdicts are stored; build/mutation.json without it.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { transformWithOxc } from 'vite';
import { judgeOf } from './judge.mjs';
import { mutantsOf, mutated } from './mutants.mjs';
import { runnerOf } from './runner.mjs';
import { testsOf } from './tests.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const FIRST_TESTS = 3;
/** Most times as long as on a quiet machine that tests are waited for. */
const MAX_BUSY = 3;
/** A file of slow tests takes minutes. */
const SLOW_MILLISECONDS = 300_000;
const KERNEL = 'dist/engine/wasm/kernel.wasm';
/** What computes figures, or decides what is answered or refused. */
const CHOSEN =
  /^(src\/(core|models|question|fleet|engine|market|tape|desk|server|text)\b|kernel\/|shaders\/).*\.(ts|wgsl)$/;
/** What starts, connects, describes, prints or measures, talks to exchanges, or is a table that a program writes. */
const LEFT_OUT =
  /joe-kuo|measured-costs|\.d\.ts|src\/(engine\/(gpu-process|native|open-|find-gpu)|market\/sync|desk\/(report|sentences|words)|server\/(metrics|openapi|tracing|health|transport\/(server|connections|context|static-site)|answers\/(description|routes)|app|service)\b)/;

const { values: options, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: {
    results: { type: 'string', default: join(root, 'build/mutation.json') },
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    slow: { type: 'boolean' },
    survivors: { type: 'boolean' },
    tests: { type: 'string', default: '12' },
  },
});
for (const name of ['sample', 'tests'])
  if (!/^[1-9]\d*$/.test(options[name] ?? '1')) {
    console.error(`--${name} takes a whole number from 1; got ${options[name]}`);
    process.exit(2);
  }

const hashOf = text => createHash('sha256').update(text).digest('hex').slice(0, 16);
const texts = new Map();
/** The text of a file as it was when it was first read: a run goes on where the project changes meanwhile. */
function textOf(file) {
  if (!texts.has(file)) texts.set(file, fs.readFileSync(join(root, file), 'utf8'));
  return texts.get(file);
}
const files = ['src', 'kernel', 'shaders']
  .flatMap(folder => fs.readdirSync(join(root, folder), { recursive: true }).map(file => join(folder, file)))
  .filter(file => CHOSEN.test(file) && !LEFT_OUT.test(file))
  .filter(file => wanted.length === 0 || wanted.some(part => file.includes(part)));
const all = files.sort().flatMap(file => mutantsOf(file, textOf(file)));
const mutants = all
  .map(mutant => ({ ...mutant, drawn: hashOf(`${options.seed} ${mutant.key}`) }))
  .sort((a, b) => (a.drawn < b.drawn ? -1 : 1))
  .slice(0, options.sample);

const place = resolve(options.results);
const kept = fs.existsSync(place) ? JSON.parse(fs.readFileSync(place, 'utf8')) : {};
const stampOf = ({ file }) => hashOf(textOf(file));
function resultOf(mutant) {
  const result = kept[mutant.key];
  return result?.stamp === stampOf(mutant) ? result : undefined;
}
function store(mutant, verdict) {
  kept[mutant.key] = { stamp: stampOf(mutant), ...verdict };
  fs.mkdirSync(dirname(place), { recursive: true });
  fs.writeFileSync(`${place}.new`, `${JSON.stringify(kept, undefined, 1)}\n`);
  fs.renameSync(`${place}.new`, place);
}

/** A copy of the project for the mutants: the project itself does not change. */
function copyOfProject() {
  const folder = fs.mkdtempSync(join(tmpdir(), 'mutation-'));
  const list = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
  });
  const own = list
    .toString()
    .split('\0')
    .filter(file => file !== '' && fs.existsSync(join(root, file)));
  for (const file of [...own, 'dist'])
    fs.cpSync(join(root, file), join(folder, file), { recursive: true, preserveTimestamps: true });
  // A mutant of the kernel is compiled to WebAssembly alone.
  fs.rmSync(join(folder, `dist/engine/native/${process.platform}-${process.arch}.node`), { force: true });
  fs.symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

class DoesNotCompile extends Error {}

/** Compiles the kernel of a copy. */
function buildKernel(folder) {
  const program = join(folder, 'kernel/build-wasm.mjs');
  if (spawnSync(process.execPath, [program], { cwd: folder, stdio: 'ignore' }).status !== 0)
    throw new DoesNotCompile();
}

/** Puts a mutant into a copy. Types are not checked: they would refuse few of these. @returns what takes it out */
async function applyIn(folder, mutant) {
  const { file } = mutant;
  const text = mutated(textOf(file), mutant);
  const isSource = file.startsWith('src/');
  const path = join(folder, isSource ? file.replace(/^src(.*)\.ts$/, 'dist$1.js') : file);
  const earlier = fs.readFileSync(path);
  const kernel = fs.readFileSync(join(folder, KERNEL));
  const remove = () => {
    fs.writeFileSync(path, earlier);
    fs.writeFileSync(join(folder, KERNEL), kernel);
  };
  try {
    const typescript = { onlyRemoveTypeImports: true, rewriteImportExtensions: 'rewrite' };
    const compile = () => transformWithOxc(text, file, { lang: 'ts', target: 'es2022', typescript });
    fs.writeFileSync(
      path,
      isSource ? (await compile().catch(() => Promise.reject(new DoesNotCompile()))).code : text,
    );
    if (file.startsWith('kernel/')) buildKernel(folder);
  } catch (error) {
    remove();
    throw error;
  }
  return remove;
}

async function judgePending(pending) {
  const folder = copyOfProject();
  // The tests on real market data find it from the copy as from here.
  process.env.RISK_SHARED_DATA ??= join(root, '../shared/data');
  const [runner, slowRunner] = ['not slow', 'slow'].map(tags => runnerOf(folder, tags));
  process.on('exit', () => {
    runner.end();
    slowRunner.end();
    fs.rmSync(folder, { recursive: true, force: true });
  });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));
  const busy = () => Math.min(MAX_BUSY, Math.max(1, loadavg()[0] / availableParallelism()));
  const apply = mutant => applyIn(folder, mutant);
  const judge = judgeOf({ run: runner.run, apply, busy });
  const judgeSlowly = judgeOf({ run: slowRunner.run, apply, busy, least: SLOW_MILLISECONDS });
  async function verdictOf(mutant, tests) {
    const verdict = await judge(mutant, [tests.slice(0, FIRST_TESTS), tests.slice(FIRST_TESTS)]);
    if (verdict.verdict !== 'survived' || !options.slow) return verdict;
    return judgeSlowly(
      mutant,
      tests.map(file => [file]),
    );
  }
  const testsOfFile = testsOf(root);
  for (const [k, mutant] of pending.entries()) {
    const killers = Object.entries(kept).filter(([key]) => key.startsWith(`${mutant.file} `));
    const tests = testsOfFile(
      mutant.file,
      test => killers.filter(([, result]) => result.test === test).length,
    );
    const start = performance.now();
    const verdict = await verdictOf(mutant, tests.slice(0, options.tests)).catch(error => {
      if (error instanceof DoesNotCompile) return { verdict: 'invalid' };
      throw error;
    });
    store(mutant, verdict);
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    const { verdict: word, by = '' } = verdict;
    console.log(
      `${k + 1}/${pending.length} ${word} ${seconds} s  ${mutant.file}:${mutant.line} ${mutant.key.slice(mutant.file.length + 1)}  ${by}`,
    );
  }
}

const isPending = mutant => {
  const verdict = resultOf(mutant)?.verdict;
  return verdict === undefined || (options.survivors === true && /survived|undecided/.test(verdict));
};
const pending = mutants.filter(isPending);
console.log(
  `${all.length} mutants in ${files.length} files; ${mutants.length} drawn; ${pending.length} to run`,
);
if (pending.length > 0) await judgePending(pending);

const withVerdict = verdict => mutants.filter(mutant => resultOf(mutant)?.verdict === verdict);
const [killed, survived, undecided] = ['killed', 'survived', 'undecided'].map(withVerdict);
for (const { key, file, line } of survived) console.log(`survived: ${key} (${file}:${line})`);
for (const mutant of undecided) console.log(`undecided: ${mutant.key} (${resultOf(mutant).by})`);
const counted = killed.length + survived.length;
const share = counted === 0 ? '' : ` (${((100 * killed.length) / counted).toFixed(1)} %)`;
console.log(
  `${killed.length} of ${counted} killed${share}; ${undecided.length} undecided, ${withVerdict('invalid').length} do not compile`,
);
process.exit(0);
