/**
 * A book of loans, for /book_risk and /stress: its need of a methodology, its product, its warnings (docs/books.md).
 */
import type { Fault } from '../../core/errors.ts';
import { type GridHours, graceSteps, HOURS_PER_DAY, stepsOfDays } from '../../core/plan/grid.ts';
import { hasWeights } from '../../core/plan/models.ts';
import type { BookProduct } from '../../core/plan/product/book.ts';
import type { Warning } from '../../core/warnings.ts';
import { unresolvedHorizons } from '../../models/methodology/horizons.ts';
import type { LoanPair, Need, ScenarioSet } from '../../models/methodology/methodology.ts';
import { pairsOf } from '../../models/methodology/pegged-pairs.ts';
import {
  fewRowsWarnings,
  gbmTailWarnings,
  graceWarnings,
  hourlyLiquidationWarnings,
  sharesBelow,
  tailWarnings,
} from '../../models/methodology/warnings.ts';
import { windowOf } from '../loan/need.ts';
import type { BookColumns } from './columns.ts';
import { bookLending } from './lending-columns.ts';
import type { BookTerms } from './request.ts';

/** Warnings of a book. @param product of all its loans */
export const bookWarnings = (
  { loans, quantile }: Pick<BookTerms, 'loans' | 'quantile'>,
  { paths, scenarios, rows, stepHours }: ScenarioSet,
  { termSteps, topUpSteps, marginCallRatio, liquidationRatio }: BookProduct,
): readonly Warning[] => [
  // More of the shifted paths lie beyond a quantile; Accuracy shows where they are too few.
  ...(hasWeights(scenarios.kind) ? [] : tailWarnings(paths, quantile)),
  ...gbmTailWarnings(scenarios.kind, quantile),
  ...fewRowsWarnings(rows, loans.longestDays, sharesBelow(quantile)),
  ...graceWarnings(
    termSteps,
    // A loan that is liquidated without a call has no grace.
    topUpSteps.map((grace, k) => (marginCallRatio[k] > liquidationRatio[k] ? grace : 0)),
    loans.ids,
  ),
  ...hourlyLiquidationWarnings(marginCallRatio, liquidationRatio, stepHours),
];

type NeedTerms = Parameters<typeof windowOf>[0] & Pick<BookTerms, 'loans' | 'sale_delay'>;

/** The need of a book: paths of the longest term and of the delay of a sale after it. */
export function bookNeed(terms: NeedTerms): Need {
  const { loans, sale_delay } = terms;
  return {
    ...windowOf(terms),
    portfolio: { symbols: loans.symbols, ...loans.whole },
    pairs: pairsOfBook(loans),
    termSteps: gridHours => stepsOfDays(loans.longestDays, gridHours) + graceSteps(sale_delay, gridHours),
    // The terms of the loans are judged one by one (`unresolvedTerms`).
    horizons: [],
  };
}

/** The pairs of the baskets of all loans, each once. */
function pairsOfBook({
  symbols,
  collateralWeights,
  loanWeights,
  firstLoan,
}: BookColumns): readonly LoanPair[] {
  const pairs = new Map<string, LoanPair>();
  for (let b = 0; b < firstLoan.length; b++)
    for (const pair of pairsOf(symbols, collateralWeights, loanWeights, b * symbols.length))
      pairs.set(pair.join(' '), pair);
  return [...pairs.values()];
}

/** Terms that round to no step of the grid of history. */
export function unresolvedTerms({ durationDays }: BookColumns, gridHours: GridHours): Fault[] {
  const faults: Fault[] = [];
  durationDays.forEach((days, k) => {
    faults.push(...unresolvedHorizons([{ path: `params.loans.${k}.loan_duration`, days }], gridHours));
  });
  return faults.slice(0, 100);
}

type ProductTerms = Pick<BookTerms, 'loans' | 'sale_delay' | 'sale_cost' | 'quantile' | 'excess_spread'>;

/** The loans as a product on a grid, before any shock. */
export function bookProduct(
  { loans, sale_delay, sale_cost, quantile, excess_spread }: ProductTerms,
  stepHours: GridHours,
): BookProduct {
  const termSteps = wholeNumbers(loans.durationDays, days => stepsOfDays(days, stepHours));
  const saleDelaySteps = graceSteps(sale_delay, stepHours);
  return {
    kind: 'book',
    steps: termSteps.reduce((a, b) => Math.max(a, b)) + saleDelaySteps,
    saleDelaySteps,
    saleCost: sale_cost,
    daySteps: HOURS_PER_DAY / stepHours,
    quantiles: Float64Array.from(quantile),
    collateralWeights: loans.collateralWeights,
    loanWeights: loans.loanWeights,
    basket: loans.basket,
    termSteps,
    topUpSteps: wholeNumbers(loans.topUpHours, hours => graceSteps(hours, stepHours)),
    loanValue: loans.loanValue,
    nominalRatio: loans.nominalRatio,
    marginCallRatio: loans.marginCallRatio,
    liquidationRatio: loans.liquidationRatio,
    ...(loans.liquidationWeights && { liquidationWeights: loans.liquidationWeights }),
    recoveryRatio: loans.recoveryRatio,
    ...(excess_spread === undefined ? {} : { excessSpread: excess_spread }),
    ...(loans.lending && {
      lending: bookLending(loans.lending, loans.topUpHours, sale_cost, stepHours),
    }),
  };
}

/** A whole number for each entry of a long column: `Uint32Array.from` with a function takes ten times as long. */
function wholeNumbers(column: Float64Array, of: (value: number) => number): Uint32Array {
  const numbers = new Uint32Array(column.length);
  for (let k = 0; k < column.length; k++) numbers[k] = of(column[k]);
  return numbers;
}
