/**
 * `market sync` as a process: it repeats, and a signal ends it at once with the stored pages.
 *
 * @module-tag slow
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { closeAt, type FakeExchange, fakeExchange } from '../support/fake-exchanges.ts';
import { temporaryFolder } from '../support/market-files.ts';
import { heldCloses } from '../support/market-kill.ts';

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const HOUR = 3_600_000;

let fake: FakeExchange | undefined;
const children: ChildProcess[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await fake?.close();
  fake = undefined;
});

/** Runs `market sync` against the exchange at `url`; the command has the clock of the machine. */
function sync(store: string, url: string, since: Date, ...more: string[]) {
  const words = ['market', 'sync', '--exchange', 'binance', '--symbols', 'BTC/USDT', '--timeframe', '1h'];
  const day = since.toISOString().slice(0, 10);
  const child = spawn(process.execPath, [MAIN, ...words, '--since', day, '--api-url', url, ...more], {
    env: { PATH: process.env.PATH, MARKET_DB: store },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  const output = { out: '', err: '' };
  child.stdout.on('data', chunk => {
    output.out += chunk;
  });
  child.stderr.on('data', chunk => {
    output.err += chunk;
  });
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, ...output }));
  const rounds = () =>
    [...output.out.matchAll(/^BTC\/USDT binance 1h: (\d+) new rows?$/gm)].map(([, n]) => Number(n));
  return { child, output, ended, rounds };
}

/** 00:00 UTC some days before today. */
const daysAgo = (days: number): Date =>
  new Date(Math.floor(Date.now() / (24 * HOUR)) * 24 * HOUR - days * 24 * HOUR);

/** Every hour from `since` to the last stored one, in order, with its close. */
async function expectHours(store: string, since: Date): Promise<number> {
  const { BTC = [] } = await heldCloses(store, 'hour');
  const expected = BTC.map((_, i) => [since.getTime() / HOUR + i + 1, closeAt(since.getTime() + i * HOUR)]);
  expect(BTC).toEqual(expected);
  expect(BTC.length).toBeGreaterThan(0);
  return BTC.length;
}

const IGNORED = 'SIGUSR1 is ignored: it does not open an inspector of this process\n';

it('Sync fetches again with --every, only the first time all with --again, opens no inspector at SIGUSR1, and ends on SIGTERM', async () => {
  // Five pages of a thousand hours, or more.
  const since = daysAgo(200);
  const last = Math.floor(Date.now() / HOUR) * HOUR;
  // The exchange is two bars behind at first.
  let behind = true;
  fake = await fakeExchange({
    startMs: since.getTime(),
    now: Date.now,
    missing: openMs => behind && openMs >= last - 2 * HOUR,
  });
  const store = join(temporaryFolder(), 'market');
  const { child, output, ended, rounds } = sync(store, fake.url, since, '--every', '1s', '--again');
  await eventually(() => rounds().length > 0);
  child.kill('SIGUSR1');
  await eventually(() => output.err === IGNORED);
  const first = (last - since.getTime()) / HOUR - 2;
  expect(rounds()[0]).toBe(first);
  const pages = fake.requests;
  expect(pages).toBeGreaterThan(4);
  behind = false;
  await eventually(() => rounds().reduce((sum, added) => sum + added, 0) > first);
  // One more, which finds nothing new unless an hour has just ended.
  const before = rounds().length;
  await eventually(() => rounds().length > before);
  expect(fake.requests).toBeLessThan(2 * pages);
  child.kill('SIGTERM');
  expect(await ended).toMatchObject({
    code: 0,
    err: IGNORED,
    out: expect.stringMatching(/Stopped; the rows fetched so far are stored\.\n$/),
  });
  expect(await expectHours(store, since)).toBe(rounds().reduce((sum, added) => sum + added, 0));
});

it('Sync ends on SIGINT while an exchange does not answer, with the earlier pages', async () => {
  const since = daysAgo(60);
  fake = await fakeExchange({ startMs: since.getTime(), now: Date.now });
  const store = join(temporaryFolder(), 'market');
  const { child, ended } = sync(store, fake.url, since);
  const exchange = fake;
  exchange.onRequest = () => {
    // The first page is answered, which is decided in this turn; the second one never is.
    if (exchange.requests === 1) setImmediate(() => exchange.failures.push('hang'));
    else child.kill('SIGINT');
  };
  expect(await ended).toMatchObject({
    code: 0,
    out: 'BTC/USDT binance 1h: 1000 new rows; stopped: the sync was stopped\nStopped; the rows fetched so far are stored.\n',
  });
  expect(await expectHours(store, since)).toBe(1000);
});

it('Sync ends with code 0 for a series, 1 for one without an answer, and 2 for an unknown exchange', async () => {
  const since = daysAgo(1);
  fake = await fakeExchange({ startMs: since.getTime(), now: Date.now });
  const store = join(temporaryFolder(), 'market');
  expect(await sync(store, fake.url, since).ended).toMatchObject({ code: 0, err: '' });
  const unknown = sync(store, fake.url, since, '--symbols', 'NO/USDT');
  expect(await unknown.ended).toMatchObject({
    code: 1,
    out: expect.stringContaining('NO/USDT binance 1h: 0 new rows; stopped: '),
    err: '1 series could not be brought up to the present.\n',
  });
  const nowhere = sync(store, fake.url, since, '--exchange', 'nowhere');
  expect(await nowhere.ended).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringContaining('nowhere is no exchange that ccxt knows'),
  });
});
