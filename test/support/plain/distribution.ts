/**
 * The distribution of a plan by the plain implementation: every path's values first, counted afterwards.
 */
import type {
  CappedLoanProduct,
  LoanProduct,
  PerpetualProduct,
  SimulationPlan,
} from '#src/core/plan/simulation-plan.js';
import { type PlainEvents, plainCappedLoan, plainLoan, plainTerms } from './loans.ts';
import { plainBaskets, plainPrices } from './paths.ts';

/** One path of a loan. */
export interface PlainLoanPath extends PlainEvents {
  readonly lowest: number;
  /** The ratio at t = 1..T, index t - 1. */
  readonly ratio: readonly number[];
}

/** What became of every path of a loan. */
export function plainLoanPaths(plan: SimulationPlan<LoanProduct | CappedLoanProduct>): PlainLoanPath[] {
  const { product } = plan;
  const terms = plainTerms(product);
  return Array.from({ length: plan.paths }, (_, p) => {
    const { collateral, loan } = plainBaskets({ ...plan, product }, p, product.steps);
    if (product.kind === 'capped-loan') {
      const capped = plainCappedLoan(terms, product.capacityPerStep, collateral, loan);
      return { ...capped, lowest: capped.worstCcr, ratio: capped.coverage };
    }
    const plain = plainLoan(terms, collateral, loan);
    const ratio = collateral.slice(1).map((c, t) => terms.N * (c / loan[t + 1]));
    return { ...plain, lowest: plain.worstCcr, ratio };
  });
}

/** The mark price over that at the start, t = 1..T at index t - 1, on every path. */
export function plainMarks(plan: SimulationPlan<PerpetualProduct>): number[][] {
  return Array.from({ length: plan.paths }, (_, p) =>
    plainPrices(plan, p, plan.product.steps)
      .slice(1)
      .map(prices => prices[0]),
  );
}

/** The times of a fan, by their definition: floor(j T / m), m = min(64, T). */
export function plainFanSteps(steps: number): number[] {
  const times = Math.min(64, steps);
  return Array.from({ length: times }, (_, j) => Math.floor(((j + 1) * steps) / times));
}

/** How a scale counts. */
export interface PlainScale {
  readonly lowest: number;
  readonly highest: number;
  readonly coordinate: (value: number) => number;
}
export const PLAIN_RATIOS: PlainScale = { lowest: -500, highest: 500, coordinate: Math.log };
export const PLAIN_AMOUNTS: PlainScale = { lowest: -2000, highest: 2000, coordinate: Math.asinh };

/**
 * Faults of counts of `values` in slots (below, bins, above, zero): up to every edge, as many as there are values below it, give
 * or take those whose coordinate is within `nearness` of the edge. 0 is counted apart.
 */
export function slotFaults(
  slots: ArrayLike<number>,
  values: readonly number[],
  { lowest, highest, coordinate }: PlainScale,
  nearness: number,
): string[] {
  const bins = highest - lowest + 1;
  if (slots.length !== bins + 3) return [`${slots.length} slots for ${bins + 3}`];
  const faults: string[] = [];
  const zeros = values.filter(value => value === 0).length;
  if (slots[bins + 2] !== zeros) faults.push(`${slots[bins + 2]} zeros for ${zeros}`);
  const total = Array.from(slots).reduce((a, b) => a + b, 0);
  if (total !== values.length) faults.push(`${total} counted for ${values.length}`);
  const sorted = Float64Array.from(
    values.filter(value => value !== 0),
    coordinate,
  ).sort();
  let counted = 0;
  let surely = 0;
  let maybe = 0;
  for (let slot = 0; slot <= bins; slot++) {
    counted += slots[slot];
    const edge = (lowest + slot) / 100;
    while (surely < sorted.length && sorted[surely] < edge - nearness) surely++;
    while (maybe < sorted.length && sorted[maybe] < edge + nearness) maybe++;
    if (counted < surely || counted > maybe)
      faults.push(`${counted} below coordinate ${edge}, for ${surely} to ${maybe}`);
  }
  return faults;
}
