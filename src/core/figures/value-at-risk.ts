/**
 * The figures of a value-at-risk outcome, as the interface names them (methodology part 5).
 */
import type { ValueAtRiskOutcome } from '../engine.ts';

/** Horizon, then quantile, each as JavaScript prints the number. */
export function keyedTails(
  outcome: ValueAtRiskOutcome,
  horizonsDays: Float64Array,
  quantiles: Float64Array,
): Record<string, unknown> {
  const perHorizon = outcome.horizons.map(({ collateral, loan, netExposure }, k) => {
    const perQuantile = [...quantiles].map((q, i) => [
      String(q),
      {
        CollateralVar: collateral[i].quantile,
        CollateralCVar: collateral[i].tailMean,
        LoanVar: loan[i].quantile,
        LoanCVar: loan[i].tailMean,
        NetExposureVar: netExposure[i].quantile,
        NetExposureCVar: netExposure[i].tailMean,
      },
    ]);
    return [String(horizonsDays[k]), Object.fromEntries(perQuantile)];
  });
  return Object.fromEntries(perHorizon);
}
