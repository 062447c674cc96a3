/**
 * /book_risk: what can become of many loans on the same paths (docs/books.md).
 */
import { spreadOver } from '../../core/book/by-asset.ts';
import { type Fault, refuseIfFaulty } from '../../core/errors.ts';
import { bookLoanFigures } from '../../core/figures/book-loan.ts';
import { type GridHours, graceSteps, stepsOfDays } from '../../core/plan/grid.ts';
import { hasWeights } from '../../core/plan/models.ts';
import type { NumberedPortfolio } from '../../core/plan/portfolio.ts';
import type { BookProduct } from '../../core/plan/product/book.ts';
import type { GbmScenarios } from '../../core/plan/simulation-plan.ts';
import { shockBook } from '../../core/stress/book-shock.ts';
import type { Warning } from '../../core/warnings.ts';
import { unresolvedHorizons } from '../../methodology/horizons.ts';
import type { Need, ScenarioSet } from '../../methodology/methodology.ts';
import {
  fewRowsWarnings,
  gbmTailWarnings,
  graceWarnings,
  sharesBeyond,
  tailWarnings,
} from '../../methodology/warnings.ts';
import { shiftedScenarios } from '../../model/shifted-scenarios.ts';
import { shockFactor } from '../../request/price-shock.ts';
import type { QuestionRow } from '../answer.ts';
import { JsonRows, RawJson } from '../answer-pieces.ts';
import { windowOf } from '../loan/need.ts';
import { processedArguments } from '../processed-arguments.ts';
import { bookAccuracy } from './accuracy.ts';
import type { BookColumns } from './columns.ts';
import { bookFigures, borrowerFigures } from './figures.ts';
import { bookLending } from './lending-columns.ts';
import type { BookRiskRequest } from './request.ts';

const HOURS_PER_DAY = 24;

export const BOOK: QuestionRow<BookRiskRequest, BookProduct> = {
  resultMember: 'Output',
  traced: false,
  need: bookNeed,
  prepare({ request: { params }, set, context }) {
    if (set.scenarios.kind === 'historical') refuseIfFaulty(unresolvedTerms(params.loans, set.gridHours));
    if (context.query.sampling !== 'tail') return set;
    const product = shockedProduct(params, set.stepHours);
    return { ...set, scenarios: shiftedForBook(set.scenarios as GbmScenarios, product, context.seed) };
  },
  product: ({ request: { params }, set: { stepHours } }) => shockedProduct(params, stepHours),
  result({ request, plan, outcome }) {
    const { ids, symbols, borrowers } = request.params.loans;
    return {
      Loans: new JsonRows(ids, k => bookLoanFigures(plan.product, outcome, k)),
      Book: bookFigures(plan.product, outcome, symbols),
      ...(borrowers && { Borrowers: borrowerFigures(plan.product, outcome, borrowers) }),
    };
  },
  accuracy: ({ request, plan, outcome, context }) =>
    bookAccuracy(plan, outcome, request.params.loans.ids, context.query.confidence, context),
  warnings: ({ request: { params }, set, plan: { product } }) => bookWarnings(params, set, product),
  addedArguments: ({ request }) => ({ loans: new RawJson(request.params.loans.echo) }),
  lines({ request, set }, { Loans, ...result }) {
    const { loans: _, ...common } = request.params;
    return {
      rows: Loans as JsonRows,
      arguments: processedArguments(common, set.addedArguments),
      result,
    };
  },
};

/** The book with its prices moved at once, where they are. */
function shockedProduct(params: BookRiskRequest['params'], stepHours: GridHours): BookProduct {
  const { loans, price_shock } = params;
  const product = bookProduct(params, stepHours);
  if (price_shock === undefined) return product;
  return shockBook(
    product,
    loans.symbols.map(symbol => shockFactor(price_shock, symbol)),
  );
}

/** What to know before relying on the figures of a book. @param product of all its loans */
export const bookWarnings = (
  { loans, quantile }: Pick<BookRiskRequest['params'], 'loans' | 'quantile'>,
  { paths, scenarios, rows }: ScenarioSet,
  { termSteps, topUpSteps }: BookProduct,
): readonly Warning[] => [
  // Of shifted paths more lie beyond a quantile; Accuracy shows where they are too few.
  ...(hasWeights(scenarios.kind) ? [] : tailWarnings(paths, quantile)),
  ...gbmTailWarnings(scenarios.kind, quantile),
  ...fewRowsWarnings(rows, longestDays(loans), sharesBeyond(quantile)),
  ...graceWarnings(loans.ids.map((id, k) => ({ id, steps: termSteps[k], topUpSteps: topUpSteps[k] }))),
];

/** Members of a request that its need follows from. */
interface NeedTerms {
  readonly params: Parameters<typeof windowOf>[0] & Pick<BookRiskRequest['params'], 'loans' | 'sale_delay'>;
}

/** What a book needs of a methodology: paths of the longest term and the delay of a sale after it. */
export function bookNeed({ params }: NeedTerms): Need {
  const longest = longestDays(params.loans);
  const { sale_delay } = params;
  // Room for the longest term and the delay on either grid of history, whichever the prices turn out to be on.
  const days = Math.max(
    longest + sale_delay / HOURS_PER_DAY,
    stepsOfDays(longest, 24) + graceSteps(sale_delay, 24),
  );
  return {
    ...windowOf(params),
    portfolio: wholePortfolio(params.loans),
    termSteps: stepsOfDays(longest, 1) + graceSteps(sale_delay, 1),
    horizons: [{ path: 'params.loans', days }],
  };
}

/** The scenarios with every second path shifted to where the book as a whole loses. */
function shiftedForBook(
  scenarios: GbmScenarios,
  product: BookProduct,
  seed: number,
): ScenarioSet['scenarios'] {
  const { assets } = scenarios;
  const { loanValue, nominalRatio, steps } = product;
  const collateral = spreadOver(
    product,
    product.collateralWeights,
    assets,
    k => nominalRatio[k] * loanValue[k],
  );
  const debt = spreadOver(product, product.loanWeights, assets, k => loanValue[k]);
  return shiftedScenarios(scenarios, { collateral, debt }, steps, seed);
}

/** Terms that round to no step of the grid of history. */
export function unresolvedTerms({ durationDays }: BookColumns, gridHours: GridHours): Fault[] {
  const faults: Fault[] = [];
  durationDays.forEach((days, k) => {
    faults.push(...unresolvedHorizons([{ path: `params.loans.${k}.loan_duration`, days }], gridHours));
  });
  return faults.slice(0, 100);
}

const longestDays = ({ durationDays }: BookColumns) => durationDays.reduce((a, b) => Math.max(a, b), 0);

/** All baskets of the book as one, by the values of its loans. */
function wholePortfolio(loans: BookColumns): NumberedPortfolio {
  const { symbols, basket, loanValue } = loans;
  const total = loanValue.reduce((sum, value) => sum + value, 0);
  const byBasket = new Float64Array(loans.firstLoan.length);
  basket.forEach((b, k) => {
    byBasket[b] += loanValue[k] / total;
  });
  const sum = (weights: Float64Array) => {
    const all = new Float64Array(symbols.length);
    weights.forEach((weight, i) => {
      all[i % symbols.length] += weight * byBasket[Math.floor(i / symbols.length)];
    });
    return all;
  };
  return { symbols, collateralWeights: sum(loans.collateralWeights), loanWeights: sum(loans.loanWeights) };
}

/** Members of a request that its product is made of. */
type ProductTerms = Pick<BookRiskRequest['params'], 'loans' | 'sale_delay' | 'sale_cost' | 'quantile'>;

/** The loans as a product on a grid, before any shock. */
export function bookProduct(
  { loans, sale_delay, sale_cost, quantile }: ProductTerms,
  stepHours: GridHours,
): BookProduct {
  const termSteps = Uint32Array.from(loans.durationDays, days => stepsOfDays(days, stepHours));
  const saleDelaySteps = graceSteps(sale_delay, stepHours);
  return {
    kind: 'book',
    steps: termSteps.reduce((a, b) => Math.max(a, b), 0) + saleDelaySteps,
    saleDelaySteps,
    saleCost: sale_cost,
    daySteps: HOURS_PER_DAY / stepHours,
    quantiles: Float64Array.from(quantile),
    collateralWeights: loans.collateralWeights,
    loanWeights: loans.loanWeights,
    basket: loans.basket,
    termSteps,
    topUpSteps: Uint32Array.from(loans.topUpHours, hours => graceSteps(hours, stepHours)),
    loanValue: loans.loanValue,
    nominalRatio: loans.nominalRatio,
    marginCallRatio: loans.marginCallRatio,
    liquidationRatio: loans.liquidationRatio,
    recoveryRatio: loans.recoveryRatio,
    ...(loans.lending && {
      lending: bookLending(loans.lending, loans.topUpHours, sale_cost, stepHours),
    }),
  };
}
