/**
 * `npm run test:mutation [-- FILE...]`: applies the mutants one by one in a copy of the project and runs the tests that
 * cover their file. A mutant is killed when a test fails, the kernel does not compile, or the tests do not end.
 *
 * Each result is kept in the build folder as it comes, and a run takes up what is missing: a result stands until the
 * text of its file or its row in the list changes. Writes test/mutation/report.md when all have one.
 * Ends with code 1 where tests fail without a mutant, a mutant's text is not found, or less than 95 % are killed.
 * `--check` only looks for the texts; with `--keep-kills` a mutant that was killed is not run again when
 * its file has changed; `--report` writes the report of the results so far.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { softwareGpuEnvironment } from '../../dist/engine/gpu-process/software-gpu.js';
import { MUTANTS } from './mutants.mjs';
import { compiledOf, misfitsOf, patternOf, reportOf } from './report.mjs';
import { openResults } from './results.mjs';
import { ENDED, startTests } from './tests.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const FOLDERS = ['src', 'shaders', 'wasm', 'scripts', 'support', 'test', 'bench', 'docs', 'client', 'dist'];
const SETTINGS = [
  'package.json',
  'tsconfig.json',
  'tsconfig.test.json',
  'tsconfig.bench.json',
  'vitest.config.ts',
];
const PARTS = [...FOLDERS, ...SETTINGS, 'README.md', 'CHANGELOG.md'];
const KERNEL = 'dist/engine/wasm/kernel.wasm';
const LEAST_KILLED = 0.95;

/** A mutant may loop for ever. Its tests are ended after so many times what they take without it, and never before a time that is long anywhere. */
const SLOWER = 20;
const LEAST_LIMIT_MILLISECONDS = 5 * 60_000;

const OPTIONS = ['--check', '--keep-kills', '--report'];
const unknown = process.argv.slice(2).filter(word => word.startsWith('-') && !OPTIONS.includes(word));
if (unknown.length > 0) {
  console.error(
    `There is no option ${unknown.join(', ')}; there are ${OPTIONS.join(', ')}, and parts of names of files.`,
  );
  process.exit(2);
}
const wanted = process.argv.slice(2).filter(word => !word.startsWith('--'));
const mutants = MUTANTS.filter(({ file }) => wanted.length === 0 || wanted.some(part => file.includes(part)));

const misfits = misfitsOf(MUTANTS, path => {
  const place = join(root, path);
  return existsSync(place) && statSync(place).isFile() ? readFileSync(place, 'utf8') : undefined;
});
for (const misfit of misfits) console.error(misfit);
if (misfits.length > 0) process.exit(1);
if (process.argv.includes('--check')) {
  console.log(`${MUTANTS.length} mutants fit`);
  process.exit(0);
}

// The loader of Vulkan reads its variables when a process starts: this one starts again with them.
if (process.env.VK_DRIVER_FILES === undefined && process.platform === 'linux' && process.arch === 'x64') {
  const env = { ...process.env, ...(await softwareGpuEnvironment()) };
  const again = spawn(process.execPath, process.argv.slice(1), { env, stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => again.kill(signal));
  const [code] = await once(again, 'exit');
  process.exit(code ?? 1);
}

// The tests on real market data find it from the copy as from here.
process.env.RISK_SHARED_DATA ??= join(root, '../shared/data');

const results = openResults(root, process.argv.includes('--keep-kills'));
const pending = mutants.filter(mutant => results.of(mutant) === undefined);
console.log(`${mutants.length - pending.length} of ${mutants.length} mutants have a result`);

/** The mutants that have a result, with it, and how many have none yet. */
function writeReport() {
  const all = mutants.flatMap(mutant => {
    const result = results.of(mutant);
    return result === undefined ? [] : [{ ...mutant, ...result }];
  });
  writeFileSync(join(root, 'test/mutation/report.md'), reportOf(all, mutants.length - all.length));
}
if (process.argv.includes('--report')) {
  writeReport();
  process.exit(0);
}

const copy = mkdtempSync(join(tmpdir(), 'mutation-'));
let tests;
process.on('exit', () => {
  tests?.end();
  rmSync(copy, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));
if (pending.length > 0) {
  for (const part of PARTS)
    cpSync(join(root, part), join(copy, part), { recursive: true, preserveTimestamps: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
}

/**
 * Whether tests pass: a path, and perhaps ` -t ` and a part of their names. `failed` names what did not.
 *
 * Where vitest itself is ended, by the machine or by what it runs, they run once more.
 */
async function runTests(spec, limit, isLast = false) {
  tests ??= startTests(copy);
  const answer = await tests.run(spec, limit);
  if (tests.ended) tests = undefined;
  if (answer.failed === ENDED && !isLast) return runTests(spec, limit, true);
  return answer;
}

/**
 * Puts the mutant into the copy; undefined where the kernel does not compile, else how to take it out again.
 *
 * TypeScript is changed as compiled, which leaves expressions as they are written: types would refuse few of these mutants.
 */
function apply(mutant) {
  const path = join(copy, compiledOf(mutant.file));
  const text = readFileSync(path, 'utf8');
  const kernel = readFileSync(join(copy, KERNEL));
  const write = content => {
    writeFileSync(path, content);
    tests?.changed(path);
  };
  const remove = () => {
    write(text);
    writeFileSync(join(copy, KERNEL), kernel);
  };
  write(text.replace(patternOf(mutant), () => mutant.to));
  if (!mutant.file.startsWith('wasm/')) return remove;
  // The build goes by times of files, which may be the same for two writes within a few milliseconds.
  rmSync(join(copy, KERNEL));
  const { status } = spawnSync(process.execPath, ['scripts/build-wasm.mjs'], { cwd: copy, stdio: 'ignore' });
  if (status === 0) return remove;
  remove();
  return undefined;
}

const limits = new Map();
const unsound = new Set();

/** How long tests may take with a mutant; undefined where they fail without one, for then they notice nothing. */
async function limitOf(spec) {
  if (!limits.has(spec)) {
    const start = performance.now();
    const { passed, failed } = await runTests(spec, Number.POSITIVE_INFINITY);
    if (!passed) {
      console.error(`Fails without a mutant: ${spec}: ${failed}`);
      unsound.add(spec);
    }
    const limit = Math.max(LEAST_LIMIT_MILLISECONDS, SLOWER * (performance.now() - start));
    limits.set(spec, passed ? limit : undefined);
  }
  return limits.get(spec);
}

/** The first thing that notices a mutant; empty where nothing does, undefined where tests are unsound. */
async function killerOf(mutant) {
  // What noticed an earlier form of the file or list is the likeliest to notice this one.
  const earlier = results.earlier(mutant)?.killer?.tests;
  const specs = mutant.tests.includes(earlier) ? [...new Set([earlier, ...mutant.tests])] : mutant.tests;
  for (const spec of specs) {
    const limit = await limitOf(spec);
    if (limit === undefined) return undefined;
    const remove = apply(mutant);
    if (remove === undefined) return { killer: { by: 'compiler' } };
    try {
      const { passed, failed } = await runTests(spec, limit);
      if (!passed) return { killer: { by: failed, tests: spec } };
    } finally {
      remove();
    }
  }
  return {};
}

for (const mutant of pending) {
  const result = await killerOf(mutant);
  if (result === undefined) continue;
  results.keep(mutant, result);
  const { by } = result.killer ?? {};
  const change = `${mutant.from.trim()} -> ${mutant.to.trim() || 'removed'}`.replaceAll(/\s+/g, ' ');
  console.log(`${by === undefined ? 'SURVIVED' : 'killed  '} ${mutant.file}: ${change} (${by ?? 'nothing'})`);
}

if (unsound.size > 0) {
  console.error(`Without a result: the mutants of ${[...unsound].join(', ')}`);
  process.exit(1);
}
const all = mutants.map(mutant => ({ ...mutant, ...results.of(mutant) }));
const killed = all.filter(({ killer }) => killer !== undefined).length;
if (wanted.length === 0) writeReport();
console.log(`${killed} of ${all.length} killed`);
process.exit(killed / all.length >= LEAST_KILLED ? 0 : 1);
