/**
 * What a run of tests needs before its processes start: a `dist` of the present source, the variables of the software GPU
 * driver, and the real market data, imported once and kept for later runs.
 *
 * With TEST_GPU=own shaders run on the machine's own adapter, and the run ends where there is none. TEST_GPU=rough and fused are in gpu.ts.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { sharedDataDir } from './shared-data-dir.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Path of a market store with the real data, which no test writes to; empty where there is none. */
    realMarketDb: string;
  }
}

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Runs a program of this project to its end; throws `fault` where it fails. */
function run(fault: string, ...words: readonly string[]): void {
  if (spawnSync(process.execPath, words, { cwd: root, stdio: ['ignore', 2, 2] }).status !== 0)
    throw new Error(fault);
}

/** A bundle of the built project has no source; a mutation run changes what is built. */
function bringUpToDate(): void {
  const isBuilt = process.env.TEST_BUILD === 'none' || !existsSync(join(root, 'src'));
  if (!isBuilt) run('The build failed.', 'scripts/build.mjs');
}

/** In a process of its own: it opens a device. */
function requireOwnAdapter(): void {
  const program = `
    const { openDevice } = await import('#src/engine/gpu-process/open-device.js');
    const { description } = await openDevice({ allowSoftware: false });
    console.error('Adapter: ' + description.device);
    process.exit(0);
  `;
  const fault = 'npm run test:gpu needs a GPU that WebGPU can use; there is none.';
  run(fault, '--input-type=module', '--eval', program);
}

/** The Vulkan loader reads its variables when a process starts: those of the tests start after this. */
async function chooseAdapter(): Promise<void> {
  if (process.env.TEST_GPU === 'own') return requireOwnAdapter();
  const { softwareGpuEnvironment } = await import('#src/engine/gpu-process/software-gpu.js');
  if (process.platform === 'linux' && process.arch === 'x64')
    Object.assign(process.env, await softwareGpuEnvironment());
  else
    console.log(`No software GPU for ${process.platform} ${process.arch}: shaders run on its own adapter.`);
}

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map(file => join(folder, file))
    .filter(file => statSync(file).isFile())
    .sort();

/** The store of this data as this program imports it; made where it is not there yet. */
async function realMarketStore(dataDir: string): Promise<string> {
  const hash = createHash('sha256');
  for (const file of filesBelow(dataDir)) {
    const { mtimeMs, size } = statSync(file);
    hash.update(`${file} ${mtimeMs} ${size}\n`);
  }
  for (const file of filesBelow(join(root, 'dist/market')))
    if (file.endsWith('.js')) hash.update(readFileSync(file));
  const folder = join(root, 'build/test-market');
  const name = hash.digest('hex').slice(0, 16);
  const store = join(folder, name);
  if (existsSync(store)) return store;
  mkdirSync(folder, { recursive: true });
  const made = mkdtempSync(join(folder, 'new-'));
  const { importFiles } = await import('#src/market/import/import-files.js');
  await importFiles({ store: join(made, 'market'), paths: [dataDir] });
  for (const old of readdirSync(folder))
    if (!old.startsWith('new-') && old !== name) rmSync(join(folder, old), { recursive: true });
  if (!existsSync(store)) renameSync(join(made, 'market'), store);
  rmSync(made, { recursive: true, force: true });
  return store;
}

export default async function setup(project: TestProject): Promise<void> {
  bringUpToDate();
  await chooseAdapter();
  const dataDir = sharedDataDir();
  if (dataDir === undefined)
    console.log('No ../shared/data (RISK_SHARED_DATA): the tests that need real market data are skipped.');
  project.provide('realMarketDb', dataDir === undefined ? '' : await realMarketStore(dataDir));
}
