/** Books of loans with random but reproducible terms. */
import type { BookProduct } from '#src/core/plan/product/book.js';
import type { GbmScenarios, SimulationPlan } from '#src/core/plan/simulation-plan.js';
import { Dice, randomGbm } from './random-plans.ts';

type GbmBook = SimulationPlan<BookProduct> & { readonly scenarios: GbmScenarios };

/** What a random book looks like. */
export interface BookShape {
  readonly assets: number;
  readonly loans: number;
  /** Distinct pairs of baskets; as many as loans where every loan has its own. */
  readonly baskets: number;
  /** Longest term in steps. */
  readonly term: number;
  readonly saleDelaySteps?: number;
  /** Whether some loans have M below 1, which can be under water without a call. */
  readonly uncalled?: boolean;
}

/** A book on random prices; assets stand on either side or on both. */
export function randomBook(seed: number, paths: number, shape: BookShape): GbmBook {
  const { assets, loans, baskets, term, saleDelaySteps = 24, uncalled = false } = shape;
  const dice = new Dice(seed);
  const basket = (most: number) => {
    const row = new Float64Array(assets);
    const members = dice.whole(1, Math.min(most, assets));
    for (let i = 0; i < members; i++) row[dice.whole(0, assets - 1)] += dice.between(0.1, 1);
    const total = row.reduce((sum, weight) => sum + weight, 0);
    return [...row.map(weight => weight / total)];
  };
  const rows = (most: number) =>
    Float64Array.from(Array.from({ length: baskets }, () => basket(most)).flat());
  const perLoan = (value: (k: number) => number) => Float64Array.from({ length: loans }, (_, k) => value(k));
  const whole = (value: (k: number) => number) => Uint32Array.from({ length: loans }, (_, k) => value(k));
  const isUncalled = (k: number) => uncalled && k % 5 === 0;
  return {
    seed,
    paths,
    scenarios: randomGbm(dice, assets),
    product: {
      kind: 'book',
      steps: term + saleDelaySteps,
      saleDelaySteps,
      saleCost: 0.02,
      daySteps: 24,
      quantiles: Float64Array.of(0.9, 0.99),
      collateralWeights: rows(6),
      loanWeights: rows(3),
      basket: whole(k => k % baskets),
      termSteps: whole(k => (k === 0 ? term : dice.whole(1, term))),
      topUpSteps: whole(() => dice.pick([0, 1, 5, 24, 400])),
      loanValue: perLoan(() => dice.between(1, 1e6)),
      nominalRatio: perLoan(() => dice.between(1.1, 1.6)),
      marginCallRatio: perLoan(k => (isUncalled(k) ? 0.9 : dice.between(1, 1.2))),
      liquidationRatio: perLoan(k => (isUncalled(k) ? 0.85 : dice.between(0.9, 1))),
      recoveryRatio: perLoan(() => dice.between(1, 1.4)),
    },
  };
}

const BY_LOAN = [
  'basket',
  'termSteps',
  'topUpSteps',
  'loanValue',
  'nominalRatio',
  'marginCallRatio',
  'liquidationRatio',
  'recoveryRatio',
] as const;

/** The same book of these of its loans, each as often as it is named. */
export function bookOf(product: BookProduct, loans: readonly number[]): BookProduct {
  const chosen = BY_LOAN.map(name => {
    const column: Float64Array | Uint32Array = product[name];
    const values = loans.map(k => column[k]);
    return [name, column instanceof Uint32Array ? Uint32Array.from(values) : Float64Array.from(values)];
  });
  return { ...product, ...Object.fromEntries(chosen) };
}
