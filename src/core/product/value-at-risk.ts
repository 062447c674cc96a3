/** Values of collateral, loan and net exposure at several horizons along paths (methodology part 5). */
import type { PathRange, RecordSink } from '../plan/records.ts';
import type { SimulationPlan, ValueAtRiskProduct } from '../plan/simulation-plan.ts';
import type { HorizonPaths } from './paths.ts';

/** Collateral, loan, net exposure. */
export const VALUES_PER_HORIZON = 3;

/** Horizons `first .. first + count - 1` by rank, and room for their values: [horizon][collateral, loan, net][path]. */
export interface HorizonBatch {
  readonly first: number;
  readonly count: number;
  readonly values: Float64Array;
}

/** Writes the USD values of a batch for a range of paths. @param horizons paths up to its last horizon at least */
export function writeHorizonValues(
  plan: SimulationPlan<ValueAtRiskProduct>,
  range: PathRange,
  batch: HorizonBatch,
  horizons: HorizonPaths,
): void {
  const { product, paths: stride } = plan;
  for (let p = range.first; p < range.first + range.count; p++) {
    horizons.simulate(p);
    for (let k = 0; k < batch.count; k++) {
      const collateral = product.collateralValue * horizons.collateral[batch.first + k];
      const loan = product.loanValue * horizons.loan[batch.first + k];
      const at = VALUES_PER_HORIZON * k * stride + p;
      batch.values[at] = collateral;
      batch.values[at + stride] = loan;
      batch.values[at + 2 * stride] = collateral - loan;
    }
  }
}

/** Writes C_h and L_h of every horizon for a range of paths. */
export function recordHorizons(range: PathRange, records: RecordSink, horizons: HorizonPaths): void {
  for (let p = range.first; p < range.first + range.count; p++) {
    horizons.simulate(p);
    records.write(
      p,
      [...horizons.collateral].flatMap((collateral, k) => [collateral, horizons.loan[k]]),
    );
  }
}
