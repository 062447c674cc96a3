/**
 * `npm run test:mutation [-- FILE...]`: applies the mutants one by one in a copy of the project and runs the tests that
 * cover their file. A mutant is killed when a test fails, or the kernel does not compile. Writes test/mutation/report.md.
 *
 * Ends with code 1 where the unchanged copy fails, a mutant's text is not found, or less than 95 % are killed.
 * `--check` only looks for the texts. One vitest serves for all mutants; each run has a process of its own for its tests.
 */
import { spawnSync } from 'node:child_process';
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

const root = fileURLToPath(new URL('../../', import.meta.url));
const PARTS = [
  ...[
    'src',
    'shaders',
    'wasm',
    'scripts',
    'support',
    'test',
    'bench',
    'docs',
    'client',
    'dist',
    'package.json',
  ],
  ...[
    'tsconfig.json',
    'tsconfig.test.json',
    'tsconfig.bench.json',
    'vitest.config.ts',
    'README.md',
    'CHANGELOG.md',
  ],
];
const KERNEL = 'dist/engine/wasm/kernel.wasm';
const LEAST_KILLED = 0.95;

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
  const { status } = spawnSync(process.execPath, process.argv.slice(1), { env, stdio: 'inherit' });
  process.exit(status ?? 1);
}

// The tests on real market data find it from the copy as from here.
process.env.RISK_SHARED_DATA ??= join(root, '../shared/data');

const copy = mkdtempSync(join(tmpdir(), 'mutation-'));
process.on('exit', () => rmSync(copy, { recursive: true, force: true }));
for (const part of PARTS)
  cpSync(join(root, part), join(copy, part), { recursive: true, preserveTimestamps: true });
symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
process.chdir(copy);
const { createVitest } = await import('vitest/node');
const vitest = await createVitest('test', { root: copy, watch: false, bail: 1, reporters: [{}] });
await vitest.standalone();

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
    vitest.invalidateFile(path);
  };
  const remove = () => {
    write(text);
    writeFileSync(join(copy, KERNEL), kernel);
  };
  write(text.replace(patternOf(mutant), () => mutant.to));
  if (!mutant.file.startsWith('wasm/')) return remove;
  // The build goes by times of files, which may be the same for two writes within a few milliseconds.
  rmSync(join(copy, KERNEL));
  const { status } = spawnSync(process.execPath, ['scripts/build-wasm.mjs'], { stdio: 'ignore' });
  if (status === 0) return remove;
  remove();
  return undefined;
}

/** Whether tests pass: a path, and perhaps ` -t ` and a part of their names. */
async function passes(tests) {
  const [path, name] = tests.split(' -t ');
  const specifications = await vitest.globTestSpecifications([path]);
  if (specifications.length === 0) throw new Error(`There are no tests at ${path}.`);
  if (name === undefined) vitest.resetGlobalTestNamePattern();
  else vitest.setGlobalTestNamePattern(name);
  // What failed before would count towards `bail`.
  vitest.state.filesMap.clear();
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
  const all = testModules.flatMap(module => [...module.children.allTests()]);
  const failed = testModules.some(module => module.state() === 'failed');
  if (!failed && all.length === 0) throw new Error(`There is no test for ${tests}.`);
  return !failed && unhandledErrors.length === 0;
}

/** The first thing that notices a mutant, or undefined. */
async function killerOf(mutant) {
  const remove = apply(mutant);
  if (remove === undefined) return 'compiler';
  try {
    for (const tests of mutant.tests) if (!(await passes(tests))) return tests;
    return undefined;
  } finally {
    remove();
  }
}

const results = [];
const sound = new Map();
for (const mutant of mutants) {
  // Tests that fail without a mutant notice nothing.
  for (const tests of mutant.tests) {
    if (!sound.has(tests)) sound.set(tests, await passes(tests));
    if (sound.get(tests)) continue;
    console.error(`Fails without a mutant: ${tests}`);
    process.exit(1);
  }
  const killer = await killerOf(mutant);
  results.push({ ...mutant, killer });
  console.log(
    `${killer === undefined ? 'SURVIVED' : 'killed  '} ${mutant.file}: ${mutant.to.trim() || 'removed'} (${killer})`,
  );
}
await vitest.close();
const killed = results.filter(({ killer }) => killer !== undefined).length;
if (wanted.length === 0) writeFileSync(join(root, 'test/mutation/report.md'), reportOf(results));
console.log(`${killed} of ${results.length} killed`);
process.exit(killed / results.length >= LEAST_KILLED ? 0 : 1);
