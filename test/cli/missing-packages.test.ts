/** The program without `webgpu` and `ccxt`, as in the image for the CPU. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { installWithout } from '../support/installed-without.ts';
import { temporaryFolder } from '../support/market-files.ts';
import { GOOD_BODIES } from '../support/request-bodies.ts';

const KEY = 'a-key-of-the-tests-of-packages';
let dist: string;
let folder: string;
const children: ChildProcess[] = [];
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'installed-'));
  dist = installWithout(folder, 'webgpu', 'ccxt');
});
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

function run(words: readonly string[], environment: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [join(dist, 'cli/main.js'), ...words], {
    env: { PATH: process.env.PATH, API_KEYS: KEY, PORT: '0', CPU_THREADS: '1', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  let err = '';
  child.stderr.on('data', chunk => {
    err += chunk;
  });
  return { child, ended: once(child, 'close').then(([code]) => ({ code, err })) };
}

it.each(['cpu', 'auto'])(
  'a server with COMPUTE=%s answers every operation',
  { tags: ['slow'] },
  async compute => {
    const { child } = run(['serve'], { COMPUTE: compute, MARKET_DB: 'sample' });
    let url: string | undefined;
    for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
      url = /http:\/\/\S+:\d+/.exec(line)?.[0];
      if (url !== undefined) break;
    }
    for (const [path, body] of Object.entries(GOOD_BODIES)) {
      const response = await fetch(url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': KEY },
        body: JSON.stringify(body),
      });
      await response.arrayBuffer();
      expect([path, response.status]).toEqual([path, 200]);
    }
    child.kill('SIGKILL');
  },
);

it('A server with COMPUTE=gpu does not start, and names the missing package', {
  tags: ['slow'],
}, async () => {
  const { code, err } = await run(['serve'], { COMPUTE: 'gpu', MARKET_DB: 'sample' }).ended;
  expect(code).toBe(1);
  expect(err).toContain('The package webgpu is not installed here; the image for the CPU leaves it out.');
});

it('Market sync names the missing package in one line', async () => {
  const store = join(temporaryFolder(), 'market');
  const words = ['market', 'sync', '--exchange', 'binance', '--symbols', 'BTC/USDT'];
  expect(await run(words, { MARKET_DB: store }).ended).toEqual({
    code: 1,
    err: 'The package ccxt is not installed here, and market sync needs it; the image of a server leaves it out.\n',
  });
});

it('The images leave out optional packages', () => {
  const text = readFileSync('Dockerfile.gpu', 'utf8');
  const left = [...text.matchAll(/^FROM files AS files-(\w+)\nRUN rm -r (.*)$/gm)].map(([, image, names]) => [
    image,
    names.split(' ').map(name => name.replace('node_modules/', '')),
  ]);
  expect(Object.fromEntries(left)).toEqual({ cpu: ['webgpu', 'ccxt'], sync: ['webgpu'], gpu: ['ccxt'] });
});
