/**
 * The figures of a capped loan's outcome, as the interface names them (methodology part 6).
 */
import type { CappedLoanOutcome } from '../engine.ts';
import { topUpFigures } from './loan.ts';

/**
 * Probabilities as fractions of the paths; amounts in USD, where the outcome has them in units of the initial loan value.
 *
 * @param loanValueUsd initial loan value
 */
export function cappedLoanFigures(outcome: CappedLoanOutcome, loanValueUsd: number): Record<string, number> {
  const { paths } = outcome;
  const average = (total: number, count: number) => (count === 0 ? 0 : (loanValueUsd * total) / count);
  return {
    PrMarginCall: outcome.marginCalls / paths,
    PrLiquidation: outcome.liquidations / paths,
    PrUnderwater: outcome.underwater / paths,
    PrCloseout: outcome.closeouts / paths,
    AvgMarginCall: average(outcome.callAmount, outcome.calls),
    AvgLiquidation: average(outcome.soldAmount, outcome.sellers),
    WorstCaseCCR: outcome.worstCcr,
    ...topUpFigures(outcome),
  };
}
