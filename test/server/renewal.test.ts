/**
 * New versions of the market under load: several servers on one host, each request answered from one version as a whole.
 *
 * @module-tag slow
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import { importFiles } from '#src/market/import/import-files.js';
import { checkEveryAnswer } from '../support/checked-answers.ts';
import { eventually } from '../support/eventually.ts';
import { temporaryFolder, writeFiles } from '../support/market-files.ts';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const KEY = 'a-key-of-the-renewal-test';
const VERSIONS = 5;
const DAYS = 45;
const FIRST_DAY = Date.UTC(2024, 0, 1);

/** A loan whose figures move with the prices of both coins. */
const BODY = JSON.stringify({
  type: 'HISTORICAL',
  params: {
    collateral_weights: { BTC: 0.5, ETH: 0.5 },
    loan_weights: { USD: 1 },
    analysis_date: '02-12-2024',
    model_lookback: 30,
    var_duration: [1, 5],
    quantile: [0.9],
    loan_value: 100,
    collateral_value: 150,
  },
});

checkEveryAnswer();
const processes: ChildProcess[] = [];
afterEach(() => {
  for (const each of processes.splice(0)) each.kill('SIGKILL');
});

/** The address of a server on a store, once it listens. */
async function start(store: string): Promise<string> {
  const child = spawn(process.execPath, [MAIN], {
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      COMPUTE: 'cpu',
      CPU_THREADS: '1',
      REQUEST_TIMEOUT_SECONDS: '3600',
      LOG_LEVEL: 'silent',
      API_KEYS: KEY,
      MARKET_DB: store,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  processes.push(child);
  let banner = '';
  child.stdout.on('data', chunk => {
    banner += chunk;
  });
  const pattern = /curl -s (http:\/\/[^/\s]+)/;
  await eventually(() => pattern.test(banner) || child.exitCode !== null);
  const found = pattern.exec(banner);
  if (found === null) throw new Error(`the server ended with ${child.exitCode}`);
  return found[1];
}

interface Answer {
  readonly status: number;
  readonly version: string;
  readonly body: string;
}

async function ask(url: string): Promise<Answer> {
  const response = await fetch(`${url}/var`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': KEY },
    body: BODY,
  });
  const version = response.headers.get('x-market-data') ?? '';
  return { status: response.status, version, body: await response.text() };
}

/** Imports version `number`, in which every close of both coins but the first is another one. */
async function importVersion(store: string, number: number): Promise<void> {
  const rows = (price: number, period: number) =>
    Array.from({ length: DAYS }, (_, day) => {
      const date = new Date(FIRST_DAY + day * 86_400_000).toISOString().slice(0, 10);
      return `${date},${price * (1 + 0.01 * number * ((day % period) + 1))}`;
    });
  const files = writeFiles(join(store, '../..', `files-${number}`), {
    'daily/btc_usdt.csv': ['date,close', ...rows(100, 2)],
    'daily/eth_usdt.csv': ['date,close', ...rows(50, 3)],
  });
  await importFiles({ store, paths: [files], replace: true });
}

it('A server answers every request from one version while it reads new ones', async () => {
  // What each version answers, asked one after the other of a server with a store of its own.
  const alone = join(temporaryFolder(), 'market');
  const expected = new Map<string, string>();
  await importVersion(alone, 1);
  const reference = await start(alone);
  for (let number = 1; number <= VERSIONS; number++) {
    if (number > 1) await importVersion(alone, number);
    let answer = await ask(reference);
    await eventually(async () => {
      if (expected.has(answer.version)) answer = await ask(reference);
      return !expected.has(answer.version);
    });
    expect(answer.status, answer.body).toBe(200);
    expected.set(answer.version, answer.body);
  }
  expect(new Set(expected.values()).size).toBe(VERSIONS);
  const versions = [...expected.keys()];

  const store = join(temporaryFolder(), 'market');
  await importVersion(store, 1);
  const servers = await Promise.all([start(store), start(store)]);
  const latest = servers.map(() => '');
  const wrong: Answer[] = [];
  let answered = 0;
  let done = false;
  const load = servers.flatMap((url, server) =>
    Array.from({ length: 3 }, async () => {
      while (!done) {
        const answer = await ask(url);
        if (answer.status !== 200 || expected.get(answer.version) !== answer.body) wrong.push(answer);
        latest[server] = answer.version;
        answered++;
      }
    }),
  );
  for (let number = 1; number <= VERSIONS; number++) {
    if (number > 1) await importVersion(store, number);
    await eventually(() => wrong.length > 0 || latest.every(each => each === versions[number - 1]));
    // Some more on this version before the next.
    const before = answered;
    await eventually(() => answered > before + 10);
  }
  done = true;
  await Promise.all(load);
  expect(wrong).toEqual([]);
});
