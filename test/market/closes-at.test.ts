/** Closes at the end of a window, and several reads at once. */
import { describe, expect, it } from 'vitest';
import { RiskError } from '#src/core/errors.js';
import { closesAt } from '#src/market/closes-at.js';
import { MissingMarketData, readTogether } from '#src/market/missing-data.js';
import { parseIsoDate } from '#src/text/calendar-date.js';
import { marketOfSeries } from '../support/market-of-series.ts';

const FIRST = parseIsoDate('2024-01-01') as number;
const MOMENT = new Date('2024-01-04T00:00:00Z');
const market = marketOfSeries({
  daily: {
    BTC: { first: FIRST, values: Float64Array.of(1, 2, 3, 4) },
    ETH: { first: FIRST, values: Float64Array.of(10, 20) },
  },
});

describe('The closes at the end of a window', () => {
  const closes = async (date: number | undefined, ...symbols: string[]) =>
    Object.fromEntries(await closesAt(market, MOMENT)({ symbols, date }));

  it('are those of its last day, of yesterday where that is today or not stated', async () => {
    const third = { BTC: { price: 3, carried: false }, ETH: { price: 20, carried: true } };
    expect(await closes(undefined, 'BTC', 'ETH')).toEqual(third);
    expect(await closes(FIRST + 3, 'ETH', 'BTC')).toEqual(third);
    expect(await closes(FIRST, 'BTC')).toEqual({ BTC: { price: 1, carried: false } });
  });

  it('are missing one by one, with the reason', async () => {
    expect(await closes(FIRST + 1, 'BTC', 'SOL')).toEqual({
      BTC: { price: 2, carried: false },
      SOL: { missing: 'A price of SOL is not available; available: BTC, ETH', young: false },
    });
    const failing = Object.create(market, {
      dailyCloses: { value: () => Promise.reject(new RiskError('market-data-unavailable', 'away')) },
    });
    await expect(closesAt(failing, MOMENT)({ symbols: ['BTC'], date: FIRST })).rejects.toThrow('away');
  });
});

describe('Reads at once', () => {
  const lack = (name: string) =>
    new MissingMarketData([{ code: 'out_of_range', path: name, message: `no ${name}` }]);

  it('give their results in order', async () => {
    expect(await readTogether([Promise.resolve(1), Promise.resolve('x')])).toEqual([1, 'x']);
  });

  it('are refused with all that is missing, each name once', async () => {
    const reads = ['a', 'b', 'a'].map(name => Promise.reject(lack(name)));
    const error = await readTogether([...reads, Promise.resolve(1)]).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(MissingMarketData);
    const { message, faults, names } = error as MissingMarketData;
    expect(message).toBe('The market data that this request needs is not complete: a, b.');
    expect(faults.map(({ path }) => path)).toEqual(['a', 'b', 'a']);
    expect(names).toEqual(['a', 'b']);
  });

  it('fail with the first error of another kind', async () => {
    const reads = [lack('a'), new Error('one'), new Error('two')].map(error => Promise.reject(error));
    await expect(readTogether(reads)).rejects.toThrow(/^one$/);
  });
});
