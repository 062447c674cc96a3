/**
 * How sure the figures of a loan over windows of history are (docs/methodology.md, "Accuracy").
 */
import {
  FLAG_CLOSEOUT,
  FLAG_LIQUIDATION,
  FLAG_MARGIN_CALL,
  FLAG_UNDERWATER,
  type PathRecords,
} from '../../core/engine.ts';
import type { FigureAccuracy } from '../../core/figures/accuracy/figures.ts';
import { lossRange, TOP_UP_RANGE } from '../../core/figures/accuracy/loan.ts';
import type { LoanProduct, SimulationPlan } from '../../core/plan/simulation-plan.ts';
import type { Asker } from '../../core/turns.ts';
import { minimumOfWindows, type WindowFigure, windowFigures } from '../accuracy/windows.ts';

const PERCENT = 100;

/** The figures of answered calls, where calls are answered. */
function topUpFigures({ topUpAmount }: PathRecords): Readonly<Record<string, WindowFigure>> {
  if (topUpAmount === undefined) return {};
  return {
    PrTopUp: { kind: 'share', contributions: topUpAmount.map(amount => (amount > 0 ? 1 : 0)) },
    AvgTopUpPct: {
      kind: 'mean',
      contributions: topUpAmount.map(amount => PERCENT * amount),
      range: TOP_UP_RANGE,
    },
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
  asker: Asker,
): Promise<Record<string, FigureAccuracy>> {
  const { flags, endStep, finalRatio } = records;
  const { steps, nominalRatio, debtGrowth = 1 } = product;
  const [, mostLoss] = lossRange(debtGrowth);
  const share = (flag: number): WindowFigure => ({
    kind: 'share',
    contributions: flags.map(value => (value & flag ? 1 : 0)),
  });
  const figures: Readonly<Record<string, WindowFigure>> = {
    AvgLossPct: {
      kind: 'mean',
      contributions: finalRatio.map(ratio => mostLoss * Math.max(0, 1 - nominalRatio * ratio)),
      range: lossRange(debtGrowth),
    },
    AvgSurvivalRate: { kind: 'mean', contributions: endStep.map(step => step / steps), range: [0, 1] },
    PrCloseout: share(FLAG_CLOSEOUT),
    PrLiquidation: share(FLAG_LIQUIDATION),
    PrMarginCall: share(FLAG_MARGIN_CALL),
    PrUnderwater: share(FLAG_UNDERWATER),
    ...topUpFigures(records),
  };
  const found = await windowFigures(Object.values(figures), paths, steps, level, asker);
  return {
    ...Object.fromEntries(Object.keys(figures).map((name, i) => [name, found[i]])),
    WorstCaseCCR: minimumOfWindows(paths, steps, level),
  };
}
