/** Pairs of collateral and debt that move together over a window. */
import { describe, expect, it } from 'vitest';
import type { FitContext, LoanPair, Need } from '#src/models/methodology/methodology.js';
import { pairsOf, peggedWarnings } from '#src/models/methodology/pegged-pairs.js';
import { marketOfSeries } from '../../support/market-of-series.ts';

const LAST = 20_000;
const DAYS = 60;
const NOW = new Date((LAST + 1) * 86_400_000);

/** Daily closes of the window; `own` is added to the logarithm of a common price. */
const series = (own: (day: number) => number, days = DAYS) => ({
  first: LAST - days,
  values: Float64Array.from({ length: days + 1 }, (_, k) => Math.exp(Math.sin(3 * k) / 20 + own(k))),
});
const market = marketOfSeries({
  daily: {
    ETH: series(() => 0),
    WSTETH: series(k => 0.002 * Math.cos(5 * k)),
    SOL: series(k => 0.04 * Math.cos(5 * k)),
    YOUNG: series(() => 0, 20),
  },
});
const warned = async (...pairs: readonly LoanPair[]) => {
  const need = { pairs, lookbackDays: DAYS, analysisDate: LAST } as unknown as Need;
  return (await peggedWarnings(need, { market, now: NOW } as unknown as FitContext)).map(
    ({ code, message }) => `${code}: ${message}`,
  );
};

describe('A pair of collateral and debt', () => {
  it('is warned of where its daily returns have a correlation above 0.99, once in either order', async () => {
    expect(await warned(['WSTETH', 'ETH'], ['ETH', 'WSTETH'], ['SOL', 'ETH'])).toEqual([
      expect.stringMatching(/^pegged-pair: Over the window ETH and WSTETH \(0\.99\d\d\) moved together/),
    ]);
    expect(await warned(['SOL', 'ETH'], ['SOL', 'WSTETH'])).toEqual([]);
  });

  it('is not judged by twenty returns or fewer, or without closes', async () => {
    expect(await warned(['YOUNG', 'ETH'], ['XYZ', 'ETH'])).toEqual([]);
    expect(await warned()).toEqual([]);
  });

  it('is one of two assets of both baskets, of which neither is the dollar', () => {
    const weights = (...values: number[]) => Float64Array.from(values);
    const symbols = ['BTC', 'ETH', 'USD'];
    expect(pairsOf(symbols, weights(1, 1, 0), weights(1, 0, 1))).toEqual([['ETH', 'BTC']]);
    expect(pairsOf(symbols, weights(9, 9, 9, 0, 1, 0), weights(9, 9, 9, 1, 0, 0), 3)).toEqual([
      ['ETH', 'BTC'],
    ]);
  });
});
