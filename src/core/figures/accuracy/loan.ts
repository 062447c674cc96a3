/**
 * How sure the figures of a loan are (docs/methodology.md, "Accuracy").
 */
import type { LoanOutcome } from '../../engine.ts';
import type { LoanProduct } from '../../plan/simulation-plan.ts';
import { meanError } from '../../stats/intervals.ts';
import { type ExactFigures, type FigureAccuracy, meanFigure, minimumFigure, shareFigure } from './figures.ts';

const PERCENT = 100;

/** The range of AvgLossPct: at most the debt at the end of the term is lost. @param debtGrowth of the terms of a loan */
export const lossRange = (debtGrowth: number): readonly [number, number] => [0, PERCENT * debtGrowth];

/** The range of AvgTopUpPct. */
export const TOP_UP_RANGE = [0, Number.POSITIVE_INFINITY] as const;

/** The figures of a loan on independent paths. */
export function loanAccuracy(
  outcome: LoanOutcome,
  { steps, debtGrowth = 1 }: Pick<LoanProduct, 'steps' | 'debtGrowth'>,
  level: number,
): Record<string, FigureAccuracy> {
  const { paths } = outcome;
  const share = (hits: number) => shareFigure(hits, paths, level);
  const [, mostLoss] = lossRange(debtGrowth);
  const lossError = meanError({ paths, sum: outcome.loss, squares: outcome.lossSquares });
  // Steps after the end have the spread of those before it, and are 0 on most paths.
  const closedSteps = paths * steps - outcome.openSteps;
  const stepError = meanError({ paths, sum: closedSteps, squares: outcome.closedStepSquares });
  const ended = outcome.liquidations + outcome.closeouts;
  return {
    AvgLossPct: meanFigure(
      (mostLoss * outcome.loss) / paths,
      lossError && mostLoss * lossError,
      outcome.losses,
      level,
      lossRange(debtGrowth),
    ),
    AvgSurvivalRate: meanFigure(
      outcome.openSteps / (paths * steps),
      stepError && stepError / steps,
      ended,
      level,
      [0, 1],
    ),
    PrCloseout: share(outcome.closeouts),
    PrLiquidation: share(outcome.liquidations),
    PrMarginCall: share(outcome.marginCalls),
    PrUnderwater: share(outcome.underwater),
    WorstCaseCCR: minimumFigure(paths, level),
    ...topUpAccuracy(outcome, level),
  };
}

/** The figures of answered calls, where calls are answered. */
export function topUpAccuracy(
  {
    paths,
    topUps,
    topUpAmount,
    topUpAmountSquares,
  }: Pick<LoanOutcome, 'paths' | 'topUps' | 'topUpAmount' | 'topUpAmountSquares'>,
  level: number,
): Record<string, FigureAccuracy> {
  if (topUps === undefined || topUpAmount === undefined || topUpAmountSquares === undefined) return {};
  const error = meanError({ paths, sum: topUpAmount, squares: topUpAmountSquares });
  return {
    PrTopUp: shareFigure(topUps, paths, level),
    AvgTopUpPct: meanFigure(
      (PERCENT * topUpAmount) / paths,
      error && PERCENT * error,
      topUps,
      level,
      TOP_UP_RANGE,
    ),
  };
}

/** Figures with the exact values of those whose law is known. */
export const withExact = (
  figures: Readonly<Record<string, FigureAccuracy>>,
  exact: ExactFigures,
): Record<string, FigureAccuracy> =>
  Object.fromEntries(
    Object.entries(figures).map(([name, figure]) => [
      name,
      name in exact ? { ...figure, exact: exact[name] } : figure,
    ]),
  );
