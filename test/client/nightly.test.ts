/**
 * The nightly program of docs/batches-and-jobs.md: it compiles, it runs, and an interrupt cancels its job.
 * @module-tag slow
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLogger } from '#src/host/log.js';
import { loadConfig } from '#src/server/config.js';
import { type Service, startService } from '#src/server/service.js';
import { createClient } from '../../client/index.js';
import { eventually } from '../support/eventually.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const page = readFileSync(`${root}docs/batches-and-jobs.md`, 'utf8');
const PROGRAM = /<!-- nightly program -->\n```ts\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
const KEY = 'the-key-of-the-nightly-program';

let service: Service;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'nightly-'));
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(`${root}client`, join(folder, 'node_modules/collateral-risk-engine-client'));
  symlinkSync(`${root}node_modules/@types`, join(folder, 'node_modules/@types'));
  writeFileSync(join(folder, 'nightly.mts'), PROGRAM);
  writeFileSync(join(folder, 'nightly.mjs'), transformSync(PROGRAM, { loader: 'ts', format: 'esm' }).code);
  const environment = {
    PORT: '0',
    API_KEYS: KEY,
    MARKET_DB: 'sample',
    COMPUTE: 'cpu',
    CPU_THREADS: '2',
    REQUEST_TIMEOUT_SECONDS: '3600',
  };
  service = await startService(loadConfig(environment), createLogger('silent'));
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});

/** Runs the program; `watch` sees its standard error as it grows. */
async function run(night: string, watch: (err: string, stop: () => void) => void = () => {}) {
  const env = { ...process.env, RISK_URL: service.url, RISK_KEY: KEY, NIGHT: night };
  const child = spawn(process.execPath, [join(folder, 'nightly.mjs')], { env });
  const written = { out: '', err: '' };
  child.stdout.on('data', piece => {
    written.out += piece;
  });
  child.stderr.on('data', piece => {
    written.err += piece;
    watch(written.err, () => child.kill('SIGINT'));
  });
  const [code] = await once(child, 'close');
  return { code, ...written };
}

it('has at most 40 lines of code, and compiles; with a misspelt member it does not', () => {
  expect(PROGRAM.split('\n').filter(line => line.trim() !== '').length).toBeLessThanOrEqual(40);
  const faultsOf = (text: string) => {
    writeFileSync(join(folder, 'nightly.mts'), text);
    const compiler = `${root}node_modules/typescript/bin/tsc`;
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--types', 'node', 'nightly.mts'];
    return spawnSync(process.execPath, [compiler, ...options], { cwd: folder, encoding: 'utf8' }).stdout;
  };
  expect(faultsOf(PROGRAM)).toBe('');
  expect(faultsOf(PROGRAM.replace('model_lookback', 'model_look_back'))).toContain('model_look_back');
  expect(faultsOf(PROGRAM.replace('...{ N:', '...{ initial_ltv: 0.6, N:'))).toContain('initial_ltv');
});

it('answers every loan, and the book', async () => {
  const { code, out, err } = await run('06-30-2024');
  expect(code, err).toBe(0);
  expect(JSON.parse(out)).toEqual({ loans: 500, expectedLossUsd: expect.any(Number) });
  expect(err).toMatch(/^(queued|running|done) \d+ %$/m);
  const client = createClient({ url: service.url, key: KEY });
  expect(await client.checkServer()).toMatchObject({ matches: true });
});

it('cancels its job at an interrupt', async () => {
  let stopped = false;
  const { code, err } = await run('05-31-2024', (text, stop) => {
    if (stopped || !/queued|running/.test(text)) return;
    stopped = true;
    stop();
  });
  expect(code, err).toBe(1);
  expect(err).toContain('interrupted');
  const client = createClient({ url: service.url, key: KEY });
  await eventually(async () => {
    const { data } = await client.GET('/jobs');
    return data?.jobs.every(({ state }) => state !== 'queued' && state !== 'running') ?? false;
  });
});
