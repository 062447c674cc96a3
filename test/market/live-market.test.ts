/** A market that follows the versions of a store. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openLiveMarket } from '#src/market/live-market.js';
import { openMarket } from '#src/market/open-market.js';
import { DEFAULT_RULES } from '#src/market/rules.js';
import { EMPTY_MANIFEST } from '#src/market/store/manifest.js';
import type { StoreFiles } from '#src/market/store/store-files.js';
import { collectLog } from '../support/log-lines.ts';
import { temporaryFolder } from '../support/market-files.ts';
import { marketOfSeries } from '../support/market-of-series.ts';

const NAME = (version: number) => `manifests/${String(version).repeat(64)}.json`;

/** The files of a store in memory: its version, 0 for none, or why it cannot be read. */
function storeOf(version: number) {
  const state = { version, fault: '', pointers: 0, manifests: 0 };
  const files: StoreFiles = {
    place: 'here',
    async readPointer() {
      state.pointers++;
      if (state.fault !== '') throw new Error(state.fault);
      return state.version === 0 ? undefined : JSON.stringify({ manifest: NAME(state.version) });
    },
    async read() {
      state.manifests++;
      return Buffer.from(JSON.stringify({ ...EMPTY_MANIFEST, version: String(state.version) }));
    },
    readRanges: () => Promise.reject(new Error('no series')),
  };
  return { state, files };
}

describe('A live market', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const other = marketOfSeries({ sample: true });
  async function open(version: number) {
    const { state, files } = storeOf(version);
    const { log, lines } = collectLog();
    const market = await openLiveMarket({ files, rules: DEFAULT_RULES, log, everyMs: 500 }, () => other);
    return {
      market,
      state,
      told: () => lines.splice(0).map(({ msg }) => msg.replace(/version [0-9a-f]+$/, '')),
    };
  }

  it('is another one until there is a store, and then each new version, once', async () => {
    const { market, state, told } = await open(0);
    expect(market.current()).toBe(other);
    expect(await market.renew()).toBe(false);
    state.version = 1;
    expect(await market.renew()).toBe(true);
    const first = market.current();
    expect(first.sample).toBe(false);
    expect(await market.renew()).toBe(false);
    expect(market.current()).toBe(first);
    state.version = 2;
    expect(await market.renew()).toBe(true);
    expect(market.current().version).not.toBe(first.version);
    expect(state.manifests).toBe(2);
    expect(told()).toEqual(new Array(2).fill('new market data: store here, without prices, '));
    await market.close();
  });

  it('stays while the store cannot be read, and tells the begin and the end of that', async () => {
    const { market, state, told } = await open(1);
    const first = market.current();
    state.fault = 'away';
    expect(market.isReadable).toBe(true);
    expect([await market.renew(), await market.renew()]).toEqual([false, false]);
    expect([market.current(), market.isReadable]).toEqual([first, false]);
    expect(told()).toEqual(['the market store cannot be read; the last version stays']);
    state.fault = '';
    expect([await market.renew(), await market.renew()]).toEqual([false, false]);
    expect(market.isReadable).toBe(true);
    expect(told()).toEqual(['the market store can be read again']);
    state.fault = 'away';
    await market.renew();
    expect(told()).toHaveLength(1);
    await market.close();
  });

  it('stays where the store is gone, such as with its volume, and reports that', async () => {
    const { market, state, told } = await open(1);
    const first = market.current();
    state.version = 0;
    expect(await market.renew()).toBe(false);
    expect(market.current()).toBe(first);
    expect(told()).toEqual(['the market store cannot be read; the last version stays']);
    state.version = 1;
    expect(await market.renew()).toBe(false);
    expect(told()).toEqual(['the market store can be read again']);
    await market.close();
  });

  it('reads once for all who ask at the same time', async () => {
    const { market, state } = await open(1);
    const { pointers } = state;
    await Promise.all([market.renew(), market.renew()]);
    expect(state.pointers).toBe(pointers + 1);
    await market.close();
  });

  it('looks for a new version at its interval, and does not keep a process', async () => {
    const { market, state } = await open(1);
    expect(state.pointers).toBe(1);
    await vi.advanceTimersByTimeAsync(499);
    expect(state.pointers).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(state.pointers).toBe(2);
    await vi.advanceTimersByTimeAsync(1500);
    expect(state.pointers).toBe(5);
    await market.close();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('does not change once it is closed, also by a read that has begun', async () => {
    const { market, state } = await open(1);
    const first = market.current();
    state.version = 2;
    const renewal = market.renew();
    await market.close();
    expect(await renewal).toBe(false);
    expect(market.current()).toBe(first);
    const { pointers } = state;
    await vi.advanceTimersByTimeAsync(5000);
    expect(state.pointers).toBe(pointers);
  });

  it('that is closed during a read of its interval has no next one', async () => {
    const { market } = await open(1);
    vi.advanceTimersByTime(500);
    await market.close();
    await Promise.resolve();
    expect(vi.getTimerCount()).toBe(0);
  });
});

it.each([
  ['the folder of a store', (folder: string) => folder, 1000],
  ['an address', () => 'http://127.0.0.1:9/store', 3000],
])('A market of %s looks for a new version at its interval', async (_, pathOf, everyMs) => {
  const set = vi.spyOn(globalThis, 'setTimeout');
  vi.stubGlobal('fetch', async () => new Response(undefined, { status: 404 }));
  const { log } = collectLog();
  const market = await openMarket({
    path: pathOf(temporaryFolder()),
    asked: false,
    now: () => new Date(0),
    log,
  });
  const [call] = set.mock.calls.filter(([, after]) => after !== 30_000);
  expect(call[1]).toBe(everyMs);
  expect((set.mock.results[0].value as NodeJS.Timeout).hasRef()).toBe(false);
  await market.close();
  set.mockRestore();
  vi.unstubAllGlobals();
});
