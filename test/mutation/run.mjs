/**
 * `npm run test:mutation [-- FILE...]`: applies the mutants one by one in a copy of the project and runs the tests that
 * cover their file. A mutant is killed when a test fails that passes without it, when the kernel does not compile that
 * compiles without it, or when the tests do not end; it is undecided where something else failed.
 *
 * Each result is kept as it comes, and a run takes up what is missing or undecided: a result stands until the text of its
 * file or its row in the list changes. Writes test/mutation/report.md when all have one.
 * Ends with code 1 where a mutant's text is not found, or less than 95 % are killed.
 *
 * - `FILE`: a part of the path of the files whose mutants run.
 * - `--results FILE`: where results are kept; bench/results/mutation.json without it.
 * - `--shard k/n`: of every n files that have mutants, the k-th.
 * - `--keep-kills`: a mutant that was killed is not run again when its file has changed.
 * - `--check`: only looks for the texts. `--report`: only writes the report of the results so far.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { softwareGpuEnvironment } from '../../dist/engine/gpu-process/software-gpu.js';
import { copyOf } from './copy.mjs';
import { judgeOf } from './judge.mjs';
import { MUTANTS } from './mutants.mjs';
import { orderOf } from './order.mjs';
import { misfitsOf, reportOf } from './report.mjs';
import { openResults } from './results.mjs';
import { testsOf } from './tests.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const LEAST_KILLED = 0.95;

function optionsOf(argv) {
  try {
    const { values, positionals } = parseArgs({
      args: argv,
      allowPositionals: true,
      options: {
        check: { type: 'boolean' },
        'keep-kills': { type: 'boolean' },
        report: { type: 'boolean' },
        results: { type: 'string', default: join(root, 'bench/results/mutation.json') },
        shard: { type: 'string', default: '1/1' },
      },
    });
    const [, rank, shards] = /^([1-9]\d*)\/([1-9]\d*)$/.exec(values.shard)?.map(Number) ?? [];
    if (!(rank <= shards)) throw new Error(`--shard takes k/n with k from 1 to n; got ${values.shard}`);
    return { ...values, wanted: positionals, rank, shards };
  } catch (error) {
    console.error(error.message);
    process.exit(2);
  }
}

const options = optionsOf(process.argv.slice(2));
const { wanted, rank, shards } = options;
const files = [...new Set(MUTANTS.map(({ file }) => file))].filter(
  file => wanted.length === 0 || wanted.some(part => file.includes(part)),
);
const own = new Set(files.filter((_, k) => k % shards === rank - 1));
const mutants = MUTANTS.filter(({ file }) => own.has(file));

const misfits = misfitsOf(MUTANTS, path => {
  const place = join(root, path);
  return existsSync(place) && statSync(place).isFile() ? readFileSync(place, 'utf8') : undefined;
});
for (const misfit of misfits) console.error(misfit);
if (misfits.length > 0) process.exit(1);
if (options.check) {
  console.log(`${MUTANTS.length} mutants fit`);
  process.exit(0);
}

const results = openResults(root, resolve(options.results), options['keep-kills'] === true);

/** The mutants that have a result, with it, and how many have none yet. */
function writeReport() {
  const all = MUTANTS.flatMap(mutant => {
    const result = results.of(mutant);
    return result === undefined ? [] : [{ ...mutant, ...result }];
  });
  writeFileSync(join(root, 'test/mutation/report.md'), reportOf(all, MUTANTS.length - all.length));
}
if (options.report) {
  writeReport();
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

const isDecided = mutant => {
  const result = results.of(mutant);
  return result !== undefined && result.undecided === undefined;
};
const pending = mutants.filter(mutant => !isDecided(mutant));
console.log(`${mutants.length - pending.length} of ${mutants.length} mutants have a result`);

/** Applies and judges the mutants that have no result. */
async function judgePending() {
  const copy = copyOf(root);
  const tests = testsOf(copy.folder);
  process.on('exit', () => {
    tests.end();
    copy.end();
  });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));
  const judge = judgeOf({ run: tests.run, apply: mutant => copy.apply(mutant, tests.changed) });
  for (const mutant of pending) {
    const others = MUTANTS.filter(({ file }) => file === mutant.file).map(results.earlier);
    const start = performance.now();
    const verdict = await judge(mutant, orderOf(root, mutant, results.earlier(mutant), others));
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    results.keep(mutant, verdict);
    const word = verdict.undecided !== undefined ? 'UNDECIDED' : verdict.killer ? 'killed   ' : 'SURVIVED ';
    const change = `${mutant.from.trim()} -> ${mutant.to.trim() || 'removed'}`.replaceAll(/\s+/g, ' ');
    const by = verdict.killer?.by ?? verdict.undecided ?? 'nothing';
    console.log(`${word} ${seconds.padStart(6)} s  ${mutant.file}: ${change} (${by})`);
  }
}

if (pending.length > 0) await judgePending();
const killed = mutants.filter(mutant => results.of(mutant)?.killer !== undefined).length;
const undecided = mutants.filter(mutant => results.of(mutant)?.undecided !== undefined).length;
if (mutants.length === MUTANTS.length) writeReport();
console.log(`${killed} of ${mutants.length} killed, ${undecided} undecided`);
process.exit(killed / mutants.length >= LEAST_KILLED ? 0 : 1);
