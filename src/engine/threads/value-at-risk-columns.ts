/** The columns of value at risk: values of collateral, loan and net exposure, and the tails of each. */
import { tailsAndDistribution, type ValueDistribution } from '../../core/distribution/values.ts';
import type { Tail } from '../../core/engine.ts';
import { modelOf } from '../../core/plan/models.ts';
import { distributionScales } from '../../core/plan/product/value-at-risk.ts';
import { planSteps, type ValueAtRiskProduct } from '../../core/plan/simulation-plan.ts';
import { VALUES_PER_HORIZON } from '../../core/product/value-at-risk.ts';
import { replicateTails } from '../../core/stats/replicates.ts';
import type { ColumnsOf } from './column-row.ts';

/** The order of one column of values. */
export interface TailsTask {
  readonly kind: 'tails';
  readonly values: Float64Array;
  readonly quantiles: Float64Array;
  readonly intervalLevel: number | undefined;
  /** Number of independent parts of the column, if its values are not independent of each other. */
  readonly replicates: number | undefined;
  /** Unit of the bins of a distribution; absent where none is requested. */
  readonly distributionScale: number | undefined;
}

/** The figures of one column. */
export interface ColumnTails {
  readonly tails: readonly Tail[];
  readonly distribution: ValueDistribution | undefined;
}

export const TAIL_COLUMNS: ColumnsOf<ValueAtRiskProduct, TailsTask, ColumnTails> = {
  horizons: planSteps,
  columnsPerHorizon: () => VALUES_PER_HORIZON,
  orders({ product, scenarios, distribution }, _, columns) {
    const { quantiles, intervalLevel } = product;
    const { replicates } = modelOf(scenarios);
    const scales = distribution && Object.values(distributionScales(product));
    return columns.map((values, i) => ({
      kind: 'tails',
      values,
      quantiles,
      intervalLevel,
      replicates,
      distributionScale: scales?.[i],
    }));
  },
  outcome: ({ paths }, answers) => ({ kind: 'value-at-risk', paths, horizons: answers.map(horizonOf) }),
};

/** The outcome at a horizon. @param columns of collateral, loan and net exposure */
function horizonOf([collateral, loan, netExposure]: readonly ColumnTails[]) {
  const tails = { collateral: collateral.tails, loan: loan.tails, netExposure: netExposure.tails };
  const of = {
    collateral: collateral.distribution,
    loan: loan.distribution,
    netExposure: netExposure.distribution,
  };
  return of.collateral && of.loan && of.netExposure
    ? { ...tails, distribution: { collateral: of.collateral, loan: of.loan, netExposure: of.netExposure } }
    : tails;
}

export function columnTails({
  values,
  quantiles,
  intervalLevel,
  replicates,
  distributionScale,
}: TailsTask): ColumnTails {
  if (replicates === undefined || intervalLevel === undefined) {
    const level = replicates === undefined ? intervalLevel : undefined;
    return tailsAndDistribution(values, { quantiles, intervalLevel: level, scale: distributionScale });
  }
  const { tails, distribution } = tailsAndDistribution(values, { quantiles, scale: distributionScale });
  const errors = replicateTails(values, quantiles, replicates, intervalLevel);
  return {
    tails: tails.map((tail, i) => {
      const { low, high, tailMeanError, skewness } = errors[i];
      return {
        ...tail,
        ...(low === undefined ? {} : { low }),
        ...(high === undefined ? {} : { high }),
        scrambled: { tailMeanError, skewness },
      };
    }),
    distribution,
  };
}
