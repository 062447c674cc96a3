/**
 * Exact figures of value at risk, where the law of a value is known (docs/methodology.md, "Accuracy").
 */
import { assetPair } from '../plan/ratio-path.ts';
import type { SimulationPlan, ValueAtRiskProduct } from '../plan/simulation-plan.ts';
import { lognormalLowerTail } from '../stats/lognormal.ts';
import type { ExactFigures } from './accuracy/figures.ts';

/** The three values of /var at horizon rank k and quantile rank i, by name; those whose law is known. */
export function exactTailFigures(
  { scenarios, product }: SimulationPlan<ValueAtRiskProduct>,
  k: number,
  i: number,
): ExactFigures {
  const pair = assetPair(product.portfolio);
  if ((scenarios.kind !== 'gbm' && scenarios.kind !== 'gbm-sobol') || pair === undefined) return {};
  const { collateralValue, loanValue, horizonYears, quantiles, portfolio } = product;
  const tail = (asset: number, weights: Float64Array, value: number) => {
    const deviation = scenarios.annualVolatility[asset] * Math.sqrt(horizonYears[k]);
    // The logarithm of a value and back would change its last digits.
    if (deviation === 0) return { quantile: value * weights[asset], tailMean: value * weights[asset] };
    const start = Math.log(value * weights[asset]);
    return lognormalLowerTail({ mean: start - (deviation * deviation) / 2, deviation }, 1 - quantiles[i]);
  };
  const collateral = tail(pair.collateral, portfolio.collateralWeights, collateralValue);
  const loan = tail(pair.loan, portfolio.loanWeights, loanValue);
  const figures = {
    CollateralVar: collateral.quantile,
    CollateralCVar: collateral.tailMean,
    LoanVar: loan.quantile,
    LoanCVar: loan.tailMean,
  };
  if (scenarios.annualVolatility[pair.loan] !== 0) return figures;
  // The dollar does not move: net exposure is the collateral less a constant.
  const owed = loanValue * portfolio.loanWeights[pair.loan];
  return {
    ...figures,
    NetExposureVar: collateral.quantile - owed,
    NetExposureCVar: collateral.tailMean - owed,
  };
}
