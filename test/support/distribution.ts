/**
 * The counts of a run against every path's values (test/support/plain/distribution.ts).
 */
import type { PathRecords } from '#src/core/engine.js';
import { countsLayout, type DistributionOption, fanSteps, RATIO_SLOTS } from '#src/core/plan/distribution.js';
import { LOAN_SECTIONS } from '#src/core/plan/product/loan.js';
import type { ValueAtRiskProduct } from '#src/core/plan/simulation-plan.js';
import { PLAIN_RATIOS, type PlainLoanPath, plainFanSteps, slotFaults } from './plain/distribution.ts';

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
