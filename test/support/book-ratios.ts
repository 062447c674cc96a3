/** Paths of prices, and the ratios of baskets of up to seven assets at each of their steps, with debts that grow or fall. */
import { DebtGrowth } from '#src/core/book/debt-growth.js';
import { PriceExtremes } from '#src/core/book/price-extremes.js';
import { sparseWeights } from '#src/core/book/signed-terms.js';
import { Dice } from './random-plans.ts';

const ASSETS = 7;
/** Of two, five and seven assets; some are on both sides. Of the last ones one basket has collateral, another mostly debt. */
export const COLLATERAL = [
  [1, 0, 0, 0, 0, 0, 0],
  [0, 0.2, 0, 0, 0, 0, 1.1],
  [0.1, 0.2, 0.3, 0.1, 0.1, 0.2, 0.1],
];
export const LOAN = [
  [0, 0, 0, 0, 0, 0, 1],
  [0, 0.5, 0.3, 0, 0.2, 0.4, 0],
  [0, 0.1, 0, 0.2, 0, 0.3, 0.4],
];
const GROWTHS = [0, 3e-4, -3e-4];
export const CASES = [30, 170].flatMap(steps =>
  [0, 1, 2].flatMap(basket =>
    GROWTHS.map((perStep, k) => ({ steps, basket, perStep, seed: 10 * basket + k })),
  ),
);

/** A path, and the ratios of a basket at each of its steps, by plain sums. */
export function madeOf({ steps, basket, perStep, seed }: (typeof CASES)[number]) {
  const dice = new Dice(seed + steps);
  // Longer than the term, as the path of a book with longer terms.
  const path = new PriceExtremes(ASSETS, steps + 30);
  for (const prices of path.prices) {
    let price = 1;
    for (let t = 0; t < prices.length; t++) {
      price *= Math.exp(dice.between(-0.03, 0.03));
      prices[t] = price;
    }
  }
  path.update();
  const sides = [COLLATERAL, LOAN].map(rows => sparseWeights(Float64Array.from(rows.flat()), ASSETS));
  const growth = perStep === 0 ? undefined : new DebtGrowth(perStep, path.days);
  const sumAt = (weights: readonly number[], t: number) =>
    weights.reduce((sum, w, i) => (w === 0 ? sum : sum + w * path.prices[i][t]), 0);
  const collateralAt = (t: number) => sumAt(COLLATERAL[basket], t);
  const debtAt = (t: number) => sumAt(LOAN[basket], t) * (growth?.at(t) ?? 1);
  const ratios = Array.from({ length: steps + 30 }, (_, t) => collateralAt(t) / debtAt(t));
  const inTerm = ratios.slice(0, steps);
  const sorted = inTerm.toSorted((a, b) => a - b);
  // Ratios of the path itself, which are not below themselves, and others.
  const thresholds = [
    0.5,
    0.9,
    1,
    1.1,
    ...[0, 1, 0.05 * steps, 0.5 * steps, steps - 1].map(k => sorted[Math.floor(k)]),
  ];
  const firstOf = (from: number, to: number, is: (ratio: number) => boolean) => {
    for (let t = from; t <= to; t++) if (is(ratios[t])) return t;
    return to + 1;
  };
  return { path, sides, growth, ratios, inTerm, thresholds, collateralAt, debtAt, firstOf };
}
export const startsOf = (steps: number) =>
  [0, 1, 5, 6, 23, 24, 25, Math.floor(steps / 2), steps - 1].filter(t => t < steps);
