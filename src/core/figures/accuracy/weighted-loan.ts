/**
 * How sure the figures of a loan on weighted paths are.
 */
import type { LoanOutcome } from '../../engine.ts';
import type { WeightedFigures } from '../weighted-loan.ts';
import type { FigureAccuracy } from './figures.ts';
import { lossRange, TOP_UP_RANGE } from './loan.ts';
import { weightedAmount, weightedShare, withoutWeighted } from './weighted.ts';

/** @param debtGrowth of the terms of the loan */
export function weightedLoanAccuracy(
  figures: WeightedFigures,
  outcome: LoanOutcome,
  debtGrowth: number,
  level: number,
): Record<string, FigureAccuracy> {
  const { paths, topUps = 0 } = outcome;
  const share = (name: string, events: number) => weightedShare(figures[name], events, paths, level);
  return {
    AvgLossPct: weightedAmount(figures.AvgLossPct, outcome.losses, level, lossRange(debtGrowth)),
    AvgSurvivalRate: weightedAmount(
      figures.AvgSurvivalRate,
      outcome.liquidations + outcome.closeouts,
      level,
      [0, 1],
    ),
    PrCloseout: share('PrCloseout', outcome.closeouts),
    PrLiquidation: share('PrLiquidation', outcome.liquidations),
    PrMarginCall: share('PrMarginCall', outcome.marginCalls),
    PrUnderwater: share('PrUnderwater', outcome.underwater),
    WorstCaseCCR: withoutWeighted(),
    ...('PrTopUp' in figures && {
      PrTopUp: share('PrTopUp', topUps),
      AvgTopUpPct: weightedAmount(figures.AvgTopUpPct, topUps, level, TOP_UP_RANGE),
    }),
  };
}
