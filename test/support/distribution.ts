/**
 * The counts of a run against the values of every path by the rules.
 */
import type { PathRecords } from '#src/core/engine.js';
import { countsLayout, type DistributionOption, fanSteps, RATIO_SLOTS } from '#src/core/plan/distribution.js';
import { LOAN_SECTIONS } from '#src/core/plan/product/loan.js';
import type {
  CappedLoanProduct,
  LoanProduct,
  PerpetualProduct,
  SimulationPlan,
  ValueAtRiskProduct,
} from '#src/core/plan/simulation-plan.js';
import { type CappedLoanOnPath, cappedLoanOfPlan } from '#src/core/rules/capped-loan.js';
import { type LoanOnPath, loanOfPlan } from '#src/core/rules/loan.js';
import { pricesOnPath } from '#src/core/rules/models.js';

/** One path of a loan. Steps of events are 0 where there is none. */
export interface PlainLoanPath {
  readonly callStep: number;
  readonly liquidationStep: number;
  readonly closeoutStep: number;
  readonly lowest: number;
  /** The ratio at t = 1..T, index t - 1. */
  readonly ratio: readonly number[];
}

/** Every path of a loan, with a cap or without. */
export function plainLoanPaths({
  product,
  ...plan
}: SimulationPlan<LoanProduct | CappedLoanProduct>): PlainLoanPath[] {
  return Array.from({ length: plan.paths }, (_, p) => {
    if (product.kind === 'loan') return shownLoan(loanOfPlan({ ...plan, product }, p));
    return shownCappedLoan(cappedLoanOfPlan({ ...plan, product }, p));
  });
}

/** A path of a loan as its distribution shows it: nothing sold. */
export const shownLoan = (path: LoanOnPath): PlainLoanPath => ({
  ...path,
  lowest: path.worstCcr,
  ratio: path.untouched.slice(1),
});

/** The same of a loan with capped sales: the coverage of the whole claim. */
export const shownCappedLoan = (path: CappedLoanOnPath): PlainLoanPath => ({
  ...path,
  lowest: path.worstCcr,
  ratio: path.coverage,
});

/** The mark price over that at the start, t = 1..T at index t - 1, on every path. */
export function plainMarks(plan: SimulationPlan<PerpetualProduct>): number[][] {
  return Array.from({ length: plan.paths }, (_, p) =>
    pricesOnPath(plan, p, plan.product.steps)
      .slice(1)
      .map(prices => prices[0]),
  );
}

export const HOURLY: DistributionOption = { daySteps: 24 };

/** The counts of a loan by section. */
export function loanSections(counts: Float64Array, steps: number, option: DistributionOption) {
  const { places } = countsLayout(LOAN_SECTIONS, steps, option);
  const of = (name: keyof typeof places) =>
    counts.subarray(places[name].first, places[name].first + places[name].length);
  return {
    lowest: of('lowest'),
    final: of('final'),
    fan: of('fan'),
    events: { call: of('marginCall'), liquidation: of('liquidation'), closeout: of('closeout') },
  };
}

/** Faults of the ratios that a loan's counts tell. @param nearness to an edge, of the logarithm of a ratio */
export function loanRatioFaults(
  counts: Float64Array,
  paths: readonly PlainLoanPath[],
  steps: number,
  option: DistributionOption,
  nearness: number,
): string[] {
  const { lowest, final, fan } = loanSections(counts, steps, option);
  const named = (name: string, slots: Float64Array, values: readonly number[]) =>
    slotFaults(slots, values, PLAIN_RATIOS, nearness).map(fault => `${name}: ${fault}`);
  return [
    ...named(
      'lowest',
      lowest,
      paths.map(path => path.lowest),
    ),
    ...named(
      'final',
      final,
      paths.map(path => path.ratio[steps - 1]),
    ),
    ...fanFaults(
      fan,
      paths.map(path => path.ratio),
      steps,
      nearness,
    ),
  ];
}

/** Faults of a fan of series, index t - 1 for step t. */
export function fanFaults(
  counts: Float64Array,
  series: readonly (readonly number[])[],
  steps: number,
  nearness: number,
): string[] {
  const times = plainFanSteps(steps);
  if (counts.length !== times.length * RATIO_SLOTS || times.length !== fanSteps(steps).length)
    return [`${counts.length} counts for ${times.length} times`];
  return times.flatMap((step, time) =>
    slotFaults(
      counts.subarray(time * RATIO_SLOTS, (time + 1) * RATIO_SLOTS),
      series.map(values => values[step - 1]),
      PLAIN_RATIOS,
      nearness,
    ).map(fault => `fan at step ${step}: ${fault}`),
  );
}

/** Paths by the day of a step, 0 for never. */
export function byDay(steps: readonly number[], term: number, { daySteps }: DistributionOption): number[] {
  return Array.from(
    { length: Math.ceil(term / daySteps) },
    (_, day) => steps.filter(step => step > day * daySteps && step <= (day + 1) * daySteps).length,
  );
}

/** Values of every path at horizon `k`, from the records of a run: of the collateral, the loan and the net exposure. */
export function valuesAtHorizon(
  { collateralValue, loanValue }: Pick<ValueAtRiskProduct, 'collateralValue' | 'loanValue'>,
  records: PathRecords,
  k: number,
): Record<'collateral' | 'loan' | 'netExposure', Float64Array> {
  const collateral = Float64Array.from(records[`collateral.${k}`], value => collateralValue * value);
  const loan = Float64Array.from(records[`loan.${k}`], value => loanValue * value);
  return { collateral, loan, netExposure: collateral.map((value, p) => value - loan[p]) };
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
