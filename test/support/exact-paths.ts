/**
 * Paths whose every price is a power of two, so that prices, ratios and amounts are exact in single and double precision
 * and thresholds are met exactly.
 *
 * Without noise (factor 0) a GBM price still has its drift -sigma^2/2: a volatility of zero keeps it at 1, another one
 * halves it every hour.
 */
import { HOURS_PER_YEAR } from '#src/core/plan/grid.js';
import type { GbmScenarios, HistoricalScenarios, Portfolio } from '#src/core/plan/simulation-plan.js';
import { Dice } from './random-plans.ts';

/** Annual volatility whose drift halves a price every hour. */
export const HALVING_VOLATILITY = Math.sqrt(2 * HOURS_PER_YEAR * Math.LN2);

/** C_t / L_t stays at 1, halves every hour from 1, doubles every hour from 1, or doubles from an eighth. */
export type Shape = 'still' | 'falling' | 'rising' | 'recovering';
/** Where `recovering` begins: it is back at 1 after three hours. */
const RECOVERING_FROM = 0.125;
/** One asset on each side, where engines compare logarithms, or two assets against one, where they compare ratios. */
export type View = 'pair' | 'basket';

/** The scenarios of a shape, and the portfolio that goes with them. */
export function exactLoanMarket(shape: Shape, view: View): { scenarios: GbmScenarios; portfolio: Portfolio } {
  const collateral = shape === 'falling' ? HALVING_VOLATILITY : 0;
  const loan = shape === 'rising' || shape === 'recovering' ? HALVING_VOLATILITY : 0;
  const start = shape === 'recovering' ? RECOVERING_FROM : 1;
  if (view === 'pair') {
    return {
      scenarios: noiselessGbm([collateral, loan]),
      portfolio: { collateralWeights: Float64Array.of(start, 0), loanWeights: Float64Array.of(0, 1) },
    };
  }
  return {
    scenarios: noiselessGbm([collateral, collateral, loan]),
    portfolio: {
      collateralWeights: Float64Array.of(0.25 * start, 0.75 * start, 0),
      loanWeights: Float64Array.of(0, 0, 1),
    },
  };
}

/** C_t and L_t of a shape, t = 0..T. */
export function exactLoanPath(shape: Shape, steps: number): { collateral: number[]; loan: number[] } {
  const halved = Array.from({ length: steps + 1 }, (_, t) => 2 ** -t);
  const still = halved.map(() => 1);
  if (shape === 'recovering') return { collateral: still.map(() => RECOVERING_FROM), loan: halved };
  return { collateral: shape === 'falling' ? halved : still, loan: shape === 'rising' ? halved : still };
}

/** Prices with a drift and no noise. */
export function noiselessGbm(annualVolatility: readonly number[]): GbmScenarios {
  const assets = annualVolatility.length;
  return {
    kind: 'gbm',
    assets,
    annualVolatility: Float64Array.from(annualVolatility),
    factor: new Float64Array(assets * assets),
  };
}

/** Windows of walks up and down in powers of two, within 2^-8 to 2^8 of each other. */
export function walkingHistory(
  seed: number,
  assets: number,
  steps: number,
  windows: number,
): HistoricalScenarios {
  const dice = new Dice(seed);
  const prices = Array.from({ length: assets }, () => {
    let power = 0;
    return Float64Array.from({ length: steps + windows }, () => {
      power = Math.max(-4, Math.min(4, power + dice.whole(-1, 1)));
      return 2 ** power;
    });
  });
  return { kind: 'historical', assets, prices, lead: steps };
}

/** Prices of asset `i` in window `p`, relative to its first, t = 0..T. */
export function windowPrices({ prices, lead }: HistoricalScenarios, i: number, p: number): number[] {
  return Array.from(prices[i].subarray(p, p + lead + 1), price => price / prices[i][p]);
}

/** Every way to take one of each list. */
export function combinations<T extends object>(
  lists: {
    readonly [K in keyof T]: readonly T[K][];
  },
): T[] {
  let all: Partial<T>[] = [{}];
  for (const [name, values] of Object.entries(lists) as [keyof T, readonly T[keyof T][]][])
    all = all.flatMap(taken => values.map(value => ({ ...taken, [name]: value })));
  return all as T[];
}
