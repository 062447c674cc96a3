/** Windows of prices: which closes are asked of the market, and carried closes of two windows of one request. */
import { describe, expect, it } from 'vitest';
import type { FitContext, Need } from '#src/models/methodology/methodology.js';
import { closesOfMarks, drawnSet, lookbackCloses, mergeFilled } from '#src/models/methodology/window.js';
import { dayOf } from '#src/text/calendar-date.js';

const DAY = dayOf(new Date('2024-06-30T00:00:00Z'));
const need = {
  analysisDate: DAY,
  lookbackDays: 30,
  paths: 500,
  portfolio: {
    symbols: ['BTC', 'USD'],
    collateralWeights: Float64Array.of(1, 0),
    loanWeights: Float64Array.of(0, 1),
  },
} as unknown as Need;

const ofMark = { ...need, portfolio: { ...need.portfolio, symbols: ['BTC'] } };

/** A market whose answers say what was asked; of its hours it has `hourly`. */
const marketOf = (hourly: object) =>
  ({
    now: new Date('2024-07-10T00:00:00Z'),
    market: {
      dailyCloses: async (symbols: readonly string[], day: number, points: number) => ({
        symbols,
        day,
        points,
      }),
      hourlyCloses: async (symbol: string, day: number, points: number) => ({
        symbol,
        day,
        points,
        ...hourly,
      }),
    },
  }) as unknown as FitContext;

describe('The window of a methodology', () => {
  it('has one daily close more than it has returns', async () => {
    expect(await lookbackCloses(need, marketOf({}))).toEqual({
      symbols: ['BTC', 'USD'],
      day: DAY,
      points: 31,
    });
  });

  it('of the mark has its hours, or days where the store has no hours of it', async () => {
    expect(await closesOfMarks(ofMark, marketOf({}))).toEqual({ symbol: 'BTC', day: DAY, points: 721 });
    const without = marketOf({ missing: 'all hours', partlyHeld: false });
    expect(await closesOfMarks(ofMark, without)).toEqual({ symbols: ['BTC'], day: DAY, points: 31 });
  });

  it('of the mark is refused where a part of its hours is missing', async () => {
    await expect(
      closesOfMarks(ofMark, marketOf({ missing: '5 hours', partlyHeld: true })),
    ).rejects.toMatchObject({
      reason: 'missing-market-data',
      message: 'The volatility of BTC is that of its hours, and some are missing: 5 hours',
      faults: [{ path: 'BTC', message: '5 hours' }],
    });
  });

  it('has the volatilities of both baskets and their correlation, of hourly paths', () => {
    const covariances = Float64Array.of(0.64, 0.08, 0.08, 0.04);
    const set = drawnSet(need, { gridHours: 24, filled: [] }, covariances);
    expect(set).toMatchObject({ paths: 500, gridHours: 24, stepHours: 1 });
    expect(set.volatilityFigures['Collateral Volatility']).toBeCloseTo(0.8, 12);
    expect(set.volatilityFigures['Loan Volatility']).toBeCloseTo(0.2, 12);
    expect(set.volatilityFigures['Collateral/Loan Correlation']).toBeCloseTo(0.5, 12);
  });
});

it('Carried closes of a series in two windows are counted once, by the larger count', () => {
  const days = (symbol: string, count: number) => ({ symbol, unit: 'day' as const, count });
  const hours = (symbol: string, count: number) => ({ symbol, unit: 'hour' as const, count });
  expect(mergeFilled([days('A', 2), days('B', 5)], [days('A', 3), days('B', 4), hours('A', 1)])).toEqual([
    days('A', 3),
    days('B', 5),
    hours('A', 1),
  ]);
});
