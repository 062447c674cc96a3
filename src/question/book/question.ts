/** /book_risk: the possible outcomes of many loans on the same paths (docs/books.md). */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { spreadOver } from '../../core/book/by-asset.ts';
import { refuseIfFaulty } from '../../core/errors.ts';
import { bookLoanFigures } from '../../core/figures/book-loan.ts';
import { countOfSingleLoans } from '../../core/plan/book-lending.ts';
import { type GridHours, stepsOfDays } from '../../core/plan/grid.ts';
import type { BookProduct } from '../../core/plan/product/book.ts';
import type { GbmScenarios } from '../../core/plan/simulation-plan.ts';
import { shockBook } from '../../core/stress/book-shock.ts';
import { shiftedScenarios } from '../../models/calibration/shifted-scenarios.ts';
import type { ScenarioSet } from '../../models/methodology/methodology.ts';
import { answering, processedArguments, type QuestionRow } from '../answer.ts';
import { JsonRows, RawJson } from '../answer-pieces.ts';
import { BOOK_BODY_BYTES, COMMON_QUERY, type Question } from '../question.ts';
import { shockFactor } from '../request/price-shock.ts';
import { kindOf, samplingFaults } from '../sampling.ts';
import { paramsMember, pathsOf, workload } from '../workload.ts';
import { bookAccuracy } from './accuracy.ts';
import { bookNeed, bookProduct, bookWarnings, unresolvedTerms } from './book.ts';
import { bookFigures, borrowerFigures } from './figures.ts';
import { type BookRiskRequest, bookRiskSchema } from './request.ts';

const BOOK: QuestionRow<BookRiskRequest, BookProduct> = {
  resultMember: 'Output',
  need: bookNeed,
  prepare({ request: { params }, set, context }) {
    if (set.scenarios.kind === 'historical') refuseIfFaulty(unresolvedTerms(params.loans, set.gridHours));
    if (context.query.sampling !== 'tail') return set;
    const product = shockedProduct(params, set.stepHours);
    return { ...set, scenarios: shiftedForBook(set.scenarios as GbmScenarios, product, context.seed) };
  },
  product: ({ request: { params }, set: { stepHours } }) => shockedProduct(params, stepHours),
  async result({ request, plan, outcome }) {
    const { ids, symbols, borrowers } = request.params.loans;
    const Loans = new JsonRows(ids, k => bookLoanFigures(plan.product, outcome, k));
    const Book = bookFigures(plan.product, outcome, symbols);
    await nextTurn();
    return {
      Loans,
      Book,
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

/** The scenarios with every second path shifted towards losses of the whole book. */
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

/** Approximate work of weighted paths, relative to plain ones. */
const TAIL_PASSES = 3;

export const BOOK_QUESTION: Question<BookRiskRequest> = {
  name: 'book',
  path: '/book_risk',
  schema: bookRiskSchema,
  amounts: 'both',
  query: { ...COMMON_QUERY, include: ['accuracy', 'model', ...COMMON_QUERY.include], sampling: ['tail'] },
  answer: answering(BOOK),
  bodyBytes: BOOK_BODY_BYTES,
  lines: true,
  takesTapes: true,
  workload({ type, params }, sampling) {
    const { symbols, ids, lending, longestDays } = params.loans;
    return workload(
      {
        product: 'book',
        model: kindOf(type, sampling),
        paths: pathsOf(params),
        steps: stepsOfDays(longestDays, 1) + params.sale_delay,
        assets: symbols.length,
        loans: ids.length,
        singleLoans: lending === undefined ? 0 : countOfSingleLoans(lending),
      },
      params.model_lookback,
      // Each path with a weight is followed singly (docs/decisions/tail-sampling.md).
      { passes: sampling === 'tail' ? TAIL_PASSES : 1 },
    );
  },
  samplingFaults: ({ type }, sampling) => samplingFaults('book', type, sampling),
  planMember: paramsMember('loans'),
  /** At the first loan with the asset. */
  seriesMember({ params: { loans } }, asset) {
    const { symbols, firstLoan, byAmounts } = loans;
    const at = symbols.indexOf(asset);
    if (at < 0) return undefined;
    for (const [map, weights] of [
      ['collateral_weights', loans.collateralWeights],
      ['loan_weights', loans.loanWeights],
    ] as const) {
      const loan = firstLoan.find((_, b) => weights[b * symbols.length + at] > 0);
      if (loan === undefined) continue;
      // Weights that follow from amounts were not sent.
      const member = byAmounts[loan] === 1 ? map.replace('_weights', '') : map;
      return `params.loans.${loan}.${member}.${asset}`;
    }
    return undefined;
  },
};
