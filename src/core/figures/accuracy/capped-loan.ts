/**
 * How sure the figures of a loan with capped sales are (docs/methodology.md, "Accuracy").
 */
import type { CappedLoanOutcome } from '../../engine.ts';
import { ratioError } from '../../stats/intervals.ts';
import { type FigureAccuracy, meanFigure, minimumFigure, shareFigure } from './figures.ts';
import { topUpAccuracy } from './loan.ts';

const AMOUNTS = [0, Number.POSITIVE_INFINITY] as const;

/** The figures in USD: the outcome has amounts in units of the initial loan value. */
export function cappedLoanAccuracy(
  outcome: CappedLoanOutcome,
  loanValueUsd: number,
  level: number,
): Record<string, FigureAccuracy> {
  const { paths } = outcome;
  const share = (hits: number) => shareFigure(hits, paths, level);
  const average = (amount: number, count: number, error: number | undefined, events: number) =>
    meanFigure(
      count === 0 ? 0 : (loanValueUsd * amount) / count,
      error && loanValueUsd * error,
      events,
      level,
      AMOUNTS,
    );
  const callError = ratioError({
    paths,
    events: outcome.calls,
    eventSquares: outcome.callSquares,
    amount: outcome.callAmount,
    amountSquares: outcome.callAmountSquares,
    products: outcome.callProducts,
  });
  // A path sells in one sale at most.
  const saleError = ratioError({
    paths,
    events: outcome.sellers,
    eventSquares: outcome.sellers,
    amount: outcome.soldAmount,
    amountSquares: outcome.soldAmountSquares,
    products: outcome.soldAmount,
  });
  return {
    PrMarginCall: share(outcome.marginCalls),
    PrLiquidation: share(outcome.liquidations),
    PrUnderwater: share(outcome.underwater),
    PrCloseout: share(outcome.closeouts),
    AvgMarginCall: average(outcome.callAmount, outcome.calls, callError, outcome.marginCalls),
    AvgLiquidation: average(outcome.soldAmount, outcome.sellers, saleError, outcome.sellers),
    WorstCaseCCR: minimumFigure(paths, level),
    ...topUpAccuracy(outcome, level),
  };
}
