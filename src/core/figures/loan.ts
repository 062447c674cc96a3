/**
 * The figures of a loan outcome, as the interface names them (methodology part 4).
 */
import type { LoanOutcome } from '../engine.ts';
import type { LoanProduct } from '../plan/simulation-plan.ts';

/** What answered calls add, where calls are answered: shares of the paths, and per cent of the initial loan value. */
export function topUpFigures({
  paths,
  topUps,
  topUpAmount,
}: Pick<LoanOutcome, 'paths' | 'topUps' | 'topUpAmount'>): Record<string, number> {
  if (topUps === undefined || topUpAmount === undefined) return {};
  return { PrTopUp: topUps / paths, AvgTopUpPct: (100 * topUpAmount) / paths };
}

/**
 * Probabilities as fractions of the paths, the mean share of the term survived, the mean loss in percent of the loan.
 *
 * @param product the full term T, and what the debt has grown to by then
 */
export function loanFigures(
  outcome: LoanOutcome,
  { steps, debtGrowth = 1 }: Pick<LoanProduct, 'steps' | 'debtGrowth'>,
): Record<string, number> {
  const { paths } = outcome;
  return {
    AvgLossPct: (100 * debtGrowth * outcome.loss) / paths,
    AvgSurvivalRate: outcome.openSteps / (paths * steps),
    PrCloseout: outcome.closeouts / paths,
    PrLiquidation: outcome.liquidations / paths,
    PrMarginCall: outcome.marginCalls / paths,
    PrUnderwater: outcome.underwater / paths,
    WorstCaseCCR: outcome.worstCcr,
    ...topUpFigures(outcome),
  };
}
