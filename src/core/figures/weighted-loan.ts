/**
 * The figures of a loan whose paths have weights, as the interface names them, and how sure they are.
 */
import type { LoanOutcome } from '../engine.ts';
import { LOAN_QUANTITIES, type LoanQuantity } from '../plan/product/weighted-loan.ts';
import type { LoanProduct } from '../plan/simulation-plan.ts';
import { type WeightedMean, type WeightedSum, weightedMean } from '../stats/weighted.ts';

const PERCENT = 100;

/** Figures with their errors; shares as fractions, the others in their units. */
export type WeightedFigures = Readonly<Record<string, WeightedMean>>;

/** Scaled by `factor`, and `offset` added. */
function moved({ mean, standardError, effective }: WeightedMean, factor: number, offset = 0): WeightedMean {
  return {
    mean: offset + factor * mean,
    standardError: standardError && Math.abs(factor) * standardError,
    effective,
  };
}

/**
 * All figures of a loan but WorstCaseCCR: the lowest of paths that are drawn by another law is no figure of the model.
 *
 * @returns undefined where all paths weigh the same
 */
export function weightedLoanFigures(
  { paths, weighted, topUps }: LoanOutcome,
  { steps, debtGrowth = 1 }: Pick<LoanProduct, 'steps' | 'debtGrowth'>,
): WeightedFigures | undefined {
  if (weighted === undefined) return undefined;
  const sums = weightedSums(weighted);
  const mean = (sum: WeightedSum, squares: WeightedSum) =>
    weightedMean({ paths, weights: sums.paths, sum, squares });
  const share = (hits: WeightedSum) => mean(hits, hits);
  return {
    AvgLossPct: moved(mean(sums.loss, sums.lossSquares), PERCENT * debtGrowth),
    AvgSurvivalRate: moved(mean(sums.closedSteps, sums.closedStepSquares), -1 / steps, 1),
    PrCloseout: share(sums.closeouts),
    PrLiquidation: share(sums.liquidations),
    PrMarginCall: share(sums.marginCalls),
    PrUnderwater: share(sums.underwater),
    ...(topUps === undefined
      ? {}
      : {
          PrTopUp: share(sums.topUps),
          AvgTopUpPct: moved(mean(sums.topUpAmount, sums.topUpAmountSquares), PERCENT),
        }),
  };
}

/** The figures alone, as the interface shows them. */
export const shownWeighted = (figures: WeightedFigures): Record<string, number | null> => ({
  ...Object.fromEntries(Object.entries(figures).map(([name, { mean }]) => [name, mean])),
  WorstCaseCCR: null,
});

/** The sums of an outcome by name. @param sums as core/product/weighted-loans.ts lays them out */
export function weightedSums(sums: Float64Array): Readonly<Record<LoanQuantity, WeightedSum>> {
  const block = LOAN_QUANTITIES.length;
  const entries = LOAN_QUANTITIES.map(
    (name, i) => [name, { once: sums[i], odd: sums[block + i], twice: sums[2 * block + i] }] as const,
  );
  return Object.fromEntries(entries) as Record<LoanQuantity, WeightedSum>;
}
