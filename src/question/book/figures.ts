/**
 * The figures of a book: per loan, and of all loans together.
 *
 * Takes: the outcome of a book. Gives: `Loans` and `Book` as /book_risk answers them.
 */
import { UNITS_PER_LOAN_VALUE } from '../../core/book/book-sums.ts';
import { answersCalls, LOAN_START, sellsParts } from '../../core/plan/book-lending.ts';
import type { BookOutcome, BookProduct, ColumnSummary } from '../../core/plan/product/book.ts';
import { JsonRows } from '../answer-pieces.ts';

/** Figures by quantile; keys are the numbers as JavaScript prints them. */
function byQuantile<T>(quantiles: Float64Array, figure: (q: number) => T): Record<string, T> {
  return Object.fromEntries(Array.from(quantiles, (quantile, q) => [String(quantile), figure(q)]));
}

/** Mean loss of loan k, USD. */
export const expectedLoss = (
  { loanValue }: BookProduct,
  { paths, loans }: Pick<BookOutcome, 'paths' | 'loans'>,
  k: number,
): number => (loans.lossUnits[k] / UNITS_PER_LOAN_VALUE / paths) * loanValue[k];

/** What of an outcome the figures of loans are made of: all but the columns of its paths. */
export type LoanOutcomes = Omit<BookOutcome, 'columns'>;

/** The sums that figures are made of: under the weights of the paths, where they have any. */
const summed = ({ paths, loans, weighted }: LoanOutcomes): Pick<BookOutcome, 'paths' | 'loans'> =>
  weighted === undefined ? { paths, loans } : { paths: weighted.weights.once, loans: weighted.once };

/** The figures of loan k: those of /loan_risk, and its part in the loss of the book. */
export function bookLoanFigures(product: BookProduct, outcome: LoanOutcomes, k: number) {
  const { tails, weighted } = outcome;
  const { paths, loans } = summed(outcome);
  const growth = product.lending?.debtGrowth[k] ?? 1;
  return {
    AvgLossPct: (100 * growth * loans.unsoldUnits[k]) / UNITS_PER_LOAN_VALUE / paths,
    AvgSurvivalRate: 1 - loans.missedSteps[k] / (paths * product.termSteps[k]),
    PrCloseout: loans.closeouts[k] / paths,
    PrLiquidation: loans.liquidations[k] / paths,
    PrMarginCall: loans.marginCalls[k] / paths,
    PrUnderwater: loans.underwater[k] / paths,
    // The lowest of paths that are drawn by another law is no figure of the model.
    WorstCaseCCR: weighted === undefined ? loans.worstCcr[k] : null,
    ExpectedLoss: expectedLoss(product, { paths, loans }, k),
    CVarContribution: byQuantile(product.quantiles, q => tails[q].contributions[k]),
    ...lendingFigures(product, { paths, loans }, k),
  };
}

const STATUS: ReadonlyMap<number | undefined, string> = new Map([
  [LOAN_START.called, 'called'],
  [LOAN_START.liquidated, 'liquidated'],
]);

/** The figures that only loans with some terms have. */
function lendingFigures(
  { lending }: BookProduct,
  { paths, loans: { lending: sums } }: Pick<BookOutcome, 'paths' | 'loans'>,
  k: number,
) {
  const status = STATUS.get(lending?.start[k]);
  return {
    ...(status === undefined ? {} : { Status: status }),
    ...(sums !== undefined && sellsParts(lending, k)
      ? {
          PrSale: sums.salePaths[k] / paths,
          AvgSales: sums.sales[k] / paths,
          AvgSoldPct: (100 * sums.sold[k]) / paths,
        }
      : {}),
    ...(sums !== undefined && answersCalls(lending, k)
      ? { PrTopUp: sums.topUpPaths[k] / paths, AvgTopUpPct: (100 * sums.topUp[k]) / paths }
      : {}),
  };
}

/** Figures of borrowers: those of their loans together. @param borrowers per loan its borrower, if it has one */
export function borrowerFigures(
  product: BookProduct,
  outcome: BookOutcome,
  borrowers: readonly (string | null)[],
): JsonRows {
  const { tails } = outcome;
  const { paths, loans } = summed(outcome);
  const loansOf = new Map<string, number[]>();
  borrowers.forEach((name, k) => {
    if (name === null) return;
    const known = loansOf.get(name);
    if (known === undefined) loansOf.set(name, [k]);
    else known.push(k);
  });
  const sum = (of: readonly number[], amount: (k: number) => number) =>
    of.reduce((total, k) => total + amount(k), 0);
  const names = [...loansOf.keys()];
  return new JsonRows(names, i => {
    const own = loansOf.get(names[i]) ?? [];
    return {
      LoanValue: sum(own, k => product.loanValue[k]),
      ExpectedLoss: sum(own, k => expectedLoss(product, { paths, loans }, k)),
      CVarContribution: byQuantile(product.quantiles, q => sum(own, k => tails[q].contributions[k])),
    };
  });
}

/** The figures of all loans together. */
export function bookFigures(product: BookProduct, outcome: BookOutcome, symbols: readonly string[]) {
  const { quantiles, loanValue } = product;
  const { summaries, tails, collateralByAsset } = outcome;
  const losses = ({ mean, positiveShare, ...summary }: ColumnSummary) => ({
    ExpectedLoss: mean,
    PrLoss: positiveShare,
    LossVar: byQuantile(quantiles, q => summary.quantiles[q]),
    LossCVar: byQuantile(quantiles, q => summary.tailMeans[q]),
  });
  const counts = ({ mean, ...summary }: ColumnSummary) => ({
    Mean: mean,
    Quantiles: byQuantile(quantiles, q => summary.quantiles[q]),
  });
  const amounts = (summary: ColumnSummary) => ({
    ...counts(summary),
    CVar: byQuantile(quantiles, q => summary.tailMeans[q]),
  });
  const total = collateralByAsset.reduce((sum, value) => sum + value, 0);
  const assets = symbols.flatMap((symbol, i) =>
    collateralByAsset[i] === 0
      ? []
      : [
          [
            symbol,
            {
              CollateralShare: collateralByAsset[i] / total,
              PeakDayCVar: byQuantile(quantiles, q => tails[q].peakDayByAsset[i]),
              LossCVar: byQuantile(quantiles, q => tails[q].lossByAsset[i]),
            },
          ] as const,
        ],
  );
  return {
    LoanValue: loanValue.reduce((sum, value) => sum + value, 0),
    ...losses(summaries.loss),
    Unsold: losses(summaries.unsold),
    MarginCalls: counts(summaries.calledLoans),
    ForcedSales: counts(summaries.forcedSales),
    ForcedSaleUsd: amounts(summaries.sold),
    PeakDay: amounts(summaries.peakDay),
    ...(summaries.toppedUp === undefined ? {} : { TopUpUsd: counts(summaries.toppedUp) }),
    Assets: Object.fromEntries(assets),
  };
}
