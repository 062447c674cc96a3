/**
 * The books that are measured, and the loan whose cost is the unit.
 *
 * Ten assets: eight that move, two stablecoins. (a) one collateral against one stablecoin; (b) every loan its own basket of two or
 * three against one or two. Calm: about a tenth of the loans is called on a path; stress: about four tenths.
 */
import type { BookProduct } from '#src/core/plan/product/book.js';
import type { GbmScenarios, LoanProduct, SimulationPlan } from '#src/core/plan/simulation-plan.js';
import { threefry4x32 } from '#src/core/random/threefry.js';

export interface BookCase {
  readonly baskets: 'a' | 'b';
  readonly loans: number;
  readonly mood: 'calm' | 'stress';
  /** Units that double precision may take. */
  readonly referenceGoal: number;
  readonly simdGoal?: number;
}

export const BOOK_CASES: readonly BookCase[] = [
  { baskets: 'a', loans: 1000, mood: 'stress', referenceGoal: 2 },
  { baskets: 'a', loans: 10_000, mood: 'stress', referenceGoal: 6 },
  { baskets: 'a', loans: 100_000, mood: 'calm', referenceGoal: 20 },
  { baskets: 'b', loans: 1000, mood: 'stress', referenceGoal: 4 },
  { baskets: 'b', loans: 10_000, mood: 'calm', referenceGoal: 12, simdGoal: 4 },
  { baskets: 'b', loans: 10_000, mood: 'stress', referenceGoal: 30, simdGoal: 12 },
];

const ASSETS = 10;
const MOVING = 8;
const TERM = 720;
const DELAY = 24;
/** How far N stands above M on average, so that as many loans are called. */
const DISTANCE = { a: { calm: 0.37, stress: 0.175 }, b: { calm: 0.33, stress: 0.152 } } as const;

const annualVolatility = Float64Array.from({ length: ASSETS }, (_, i) =>
  i < MOVING ? 0.45 + 0.06 * i : 0.01,
);

/** Moving assets have a correlation of 0.49 with each other, through one common factor. */
const SCENARIOS: GbmScenarios = {
  kind: 'gbm',
  assets: ASSETS,
  annualVolatility,
  factor: Float64Array.from({ length: ASSETS * ASSETS }, (_, at) => {
    const [i, j] = [Math.floor(at / ASSETS), at % ASSETS];
    const common = i < MOVING && i > 0 ? 0.7 : 0;
    if (i === j) return annualVolatility[i] * Math.sqrt(1 - common * common);
    return j === 0 ? annualVolatility[i] * common : 0;
  }),
};

/** The loan whose run in double precision is the unit: half of the assets against the other. */
export function unitPlan(paths: number): SimulationPlan<LoanProduct> {
  const even = (first: number, end: number) =>
    Float64Array.from({ length: ASSETS }, (_, i) => (i >= first && i < end ? 1 / (end - first) : 0));
  return {
    seed: 1,
    paths,
    scenarios: SCENARIOS,
    product: {
      kind: 'loan',
      portfolio: { collateralWeights: even(0, MOVING), loanWeights: even(MOVING, ASSETS) },
      steps: TERM,
      topUpSteps: 24,
      nominalRatio: 1.5,
      marginCallRatio: 1.25,
      liquidationRatio: 1.1,
      recoveryRatio: 1.3,
    },
  };
}

/** A book of a case. */
export function bookPlan({ baskets, loans, mood }: BookCase, paths: number): SimulationPlan<BookProduct> {
  const count = baskets === 'a' ? MOVING : loans;
  const uniform = (place: number, k: number, low: number, high: number) => {
    const [word] = threefry4x32([k, place, 0, 0], [7, 1, 2, 3], 20);
    return low + ((high - low) * (word + 0.5)) / 2 ** 32;
  };
  const weights = (place: number, first: number, end: number, members: (k: number) => number) => {
    const rows = new Float64Array(count * ASSETS);
    for (let b = 0; b < count; b++) {
      const from = Math.floor(uniform(place, b, 0, end - first));
      const held = Array.from({ length: members(b) }, (_, i) => ({
        asset: first + ((from + i) % (end - first)),
        weight: uniform(place + 1 + i, b, 0.2, 1),
      }));
      const total = held.reduce((sum, { weight }) => sum + weight, 0);
      for (const { asset, weight } of held) rows[b * ASSETS + asset] = weight / total;
    }
    return rows;
  };
  const single = (asset: (b: number) => number) =>
    Float64Array.from({ length: count * ASSETS }, (_, at) =>
      at % ASSETS === asset(Math.floor(at / ASSETS)) ? 1 : 0,
    );
  const isOwn = baskets === 'b';
  const each = (value: (k: number) => number) => Float64Array.from({ length: loans }, (_, k) => value(k));
  const whole = (value: (k: number) => number) => Uint32Array.from({ length: loans }, (_, k) => value(k));
  return {
    seed: 3,
    paths,
    scenarios: SCENARIOS,
    product: {
      kind: 'book',
      steps: TERM + DELAY,
      saleDelaySteps: DELAY,
      saleCost: 0.01,
      daySteps: 24,
      quantiles: Float64Array.of(0.95, 0.99),
      collateralWeights: isOwn
        ? weights(10, 0, MOVING, b => (uniform(20, b, 0, 1) < 0.5 ? 2 : 3))
        : single(b => b),
      loanWeights: isOwn
        ? weights(30, MOVING, ASSETS, b => (uniform(40, b, 0, 1) < 0.5 ? 1 : 2))
        : single(() => MOVING),
      basket: whole(k => k % count),
      termSteps: whole(() => TERM),
      topUpSteps: whole(() => 24),
      loanValue: each(k => uniform(50, k, 1e4, 1e6)),
      nominalRatio: each(k => 1.25 * (1 + DISTANCE[baskets][mood] * uniform(51, k, 0.7, 1.3))),
      marginCallRatio: each(() => 1.25),
      liquidationRatio: each(() => 1.1),
      recoveryRatio: each(() => 1.3),
    },
  };
}
