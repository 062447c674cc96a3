/**
 * One loan over its term, for the questions on a loan: its product, figures, accuracy and warnings (methodology part 4).
 */

import { type AccuracyFigures, withExact } from '../../core/figures/accuracy.ts';
import { loanDistribution } from '../../core/figures/distribution.ts';
import { loanAccuracy, loanWindowFigures, shownLoanFigures } from '../../core/figures/loan.ts';
import { graceSteps, HOURS_PER_DAY } from '../../core/plan/grid.ts';
import type { CappedLoanProduct, LoanProduct, Product } from '../../core/plan/simulation-plan.ts';
import type { Warning } from '../../core/warnings.ts';
import type { ScenarioSet } from '../../models/methodology/methodology.ts';
import {
  fewRowsWarnings,
  graceWarnings,
  hourlyLiquidationWarnings,
} from '../../models/methodology/warnings.ts';
import { accuracyOverWindows, minimumOfWindows } from '../accuracy/windows.ts';
import { accuracyOfWindow, type Ran } from '../answer.ts';
import { rangeByAsset, ratioByAsset, thresholdsOf } from '../request/ltv.ts';
import { exactLoanFigures } from './exact.ts';
import { loanLevels } from './levels.ts';
import type { LoanRiskRequest } from './request.ts';
import type { ResolvedLoan } from './resolve.ts';
import { underWayTerms } from './under-way.ts';

/** The ratios of a loan by the letters of the interface. */
export interface LoanRatios {
  readonly N: number;
  readonly M: number;
  readonly L: number;
  readonly R: number;
}

export function loanProduct(
  { terms, start, termSteps }: ResolvedLoan,
  ratios: LoanRatios,
  { stepHours }: Pick<ScenarioSet, 'stepHours'>,
): LoanProduct {
  const { change, portfolio } = start;
  const shockedCcr = change && (ratios.N * change.collateral) / change.loan;
  const byAsset = thresholdsOf(terms.liquidation_ltv, terms.collateral_weights);
  const atStart = byAsset ? { ...ratios, L: ratioByAsset(byAsset, start.collateral) } : ratios;
  return {
    kind: 'loan',
    portfolio,
    steps: termSteps(stepHours),
    topUpSteps: graceSteps(terms.mc_top_up, stepHours),
    nominalRatio: ratios.N,
    marginCallRatio: ratios.M,
    liquidationRatio: byAsset ? rangeByAsset(byAsset).most : ratios.L,
    ...(byAsset && {
      liquidationWeights: portfolio.collateralWeights.map(
        (weight, i) => weight * (byAsset[portfolio.symbols[i]] ?? 0),
      ),
    }),
    recoveryRatio: ratios.R,
    ...underWayTerms(terms, atStart, stepHours, shockedCcr),
  };
}

/** Levels of a loan whose ratios are given. */
export function levelsOfLoan(
  { request, set, context }: Ran<LoanRiskRequest, Product, unknown>,
  { AvgLossPct }: Readonly<Record<string, unknown>>,
) {
  const volatilities = set.fitted.members.annual_volatilities as Record<string, number> | undefined;
  return loanLevels(request, volatilities, AvgLossPct as number | undefined, context);
}

type RanLoan = Ran<unknown, LoanProduct>;

export function loanResult({ outcome, plan, set }: RanLoan) {
  return { ...shownLoanFigures(outcome, plan.product), ...set.volatilityFigures };
}

export function distributionOfLoan({ plan, outcome }: RanLoan) {
  const { distribution, paths, product } = plan;
  return (
    distribution &&
    outcome.distribution &&
    loanDistribution(outcome.distribution, paths, product.steps, distribution)
  );
}

/** Warnings of a loan, with or without a cap of sales: few rows behind an event, a grace period that covers the term. */
export function loanWarnings({
  plan,
  outcome,
  set,
}: Ran<unknown, LoanProduct | CappedLoanProduct, unknown>): readonly Warning[] {
  const { steps, topUpSteps, marginCallRatio, liquidationRatio } = plan.product;
  const share = (count: number) => count / plan.paths;
  return [
    ...fewRowsWarnings(set.rows, (steps * set.stepHours) / HOURS_PER_DAY, {
      PrMarginCall: share(outcome.marginCalls),
      PrLiquidation: share(outcome.liquidations),
      PrCloseout: share(outcome.closeouts),
      PrUnderwater: share(outcome.underwater),
    }),
    ...(marginCallRatio > liquidationRatio ? graceWarnings([steps], [topUpSteps]) : []),
    ...hourlyLiquidationWarnings([marginCallRatio], [liquidationRatio], set.stepHours),
  ];
}

export async function accuracyOfLoan({
  plan,
  outcome,
  records,
  set,
  context,
}: RanLoan): Promise<AccuracyFigures> {
  const { confidence } = context.query;
  const { product, paths } = plan;
  const figures =
    records === undefined
      ? loanAccuracy(outcome, product, confidence)
      : {
          ...(await accuracyOverWindows(
            loanWindowFigures(outcome, records, product),
            paths,
            product.steps,
            confidence,
            context,
          )),
          WorstCaseCCR: minimumOfWindows(paths, product.steps, confidence),
        };
  return { ...withExact(figures, await exactLoanFigures(plan, context)), ...accuracyOfWindow(set) };
}
