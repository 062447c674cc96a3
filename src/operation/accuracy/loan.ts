/**
 * How sure the figures of a loan are (docs/methodology.md, "Accuracy").
 */
import {
  FLAG_CLOSEOUT,
  FLAG_LIQUIDATION,
  FLAG_MARGIN_CALL,
  FLAG_UNDERWATER,
  type LoanOutcome,
  type PathRecords,
} from '../../core/engine.ts';
import type { LoanProduct, SimulationPlan } from '../../core/plan/simulation-plan.ts';
import { meanError } from '../../core/stats/intervals.ts';
import type { ExactFigures } from './exact.ts';
import {
  type AccuracyFigures,
  EXACT_OF_WINDOW,
  type FigureAccuracy,
  meanFigure,
  minimumFigure,
  shareFigure,
} from './figures.ts';
import { minimumOfWindows, type WindowFigure, windowFigures } from './windows.ts';

const PERCENT = 100;

/** The figures of a loan on independent paths. */
export function loanAccuracy(
  outcome: LoanOutcome,
  steps: number,
  level: number,
): Record<string, FigureAccuracy> {
  const { paths } = outcome;
  const share = (hits: number) => shareFigure(hits, paths, level);
  const lossError = meanError({ paths, sum: outcome.loss, squares: outcome.lossSquares });
  // Steps after the end have the spread of those before it, and are 0 on most paths.
  const closedSteps = paths * steps - outcome.openSteps;
  const stepError = meanError({ paths, sum: closedSteps, squares: outcome.closedStepSquares });
  const ended = outcome.liquidations + outcome.closeouts;
  return {
    AvgLossPct: meanFigure(
      (PERCENT * outcome.loss) / paths,
      lossError && PERCENT * lossError,
      outcome.losses,
      level,
      [0, PERCENT],
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
  };
}

/**
 * The figures of a loan on overlapping windows of history.
 *
 * @param records one per window, in the order of their ends
 */
export async function historicalLoanAccuracy(
  { paths, product }: SimulationPlan<LoanProduct>,
  records: PathRecords,
  level: number,
  signal: AbortSignal,
): Promise<Record<string, FigureAccuracy>> {
  const { flags, endStep, finalRatio } = records;
  const { steps, nominalRatio } = product;
  const share = (flag: number): WindowFigure => ({
    kind: 'share',
    contributions: flags.map(value => (value & flag ? 1 : 0)),
  });
  const figures: Readonly<Record<string, WindowFigure>> = {
    AvgLossPct: {
      kind: 'mean',
      contributions: finalRatio.map(ratio => PERCENT * Math.max(0, 1 - nominalRatio * ratio)),
      range: [0, PERCENT],
    },
    AvgSurvivalRate: { kind: 'mean', contributions: endStep.map(step => step / steps), range: [0, 1] },
    PrCloseout: share(FLAG_CLOSEOUT),
    PrLiquidation: share(FLAG_LIQUIDATION),
    PrMarginCall: share(FLAG_MARGIN_CALL),
    PrUnderwater: share(FLAG_UNDERWATER),
  };
  const found = await windowFigures(Object.values(figures), paths, steps, level, signal);
  return {
    ...Object.fromEntries(Object.keys(figures).map((name, i) => [name, found[i]])),
    WorstCaseCCR: minimumOfWindows(paths, steps, level),
  };
}

/** Figures with their exact values, and those of the window beside them. */
export function withExact(
  figures: Readonly<Record<string, FigureAccuracy>>,
  exact: ExactFigures,
  ofWindow: readonly string[],
): AccuracyFigures {
  return {
    ...Object.fromEntries(
      Object.entries(figures).map(([name, figure]) => [
        name,
        name in exact ? { ...figure, exact: exact[name] } : figure,
      ]),
    ),
    ...Object.fromEntries(ofWindow.map(name => [name, EXACT_OF_WINDOW])),
  };
}
