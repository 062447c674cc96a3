/** /book_risk: the possible outcomes of many loans on the same paths (docs/books.md). */
import { spreadOver } from '../../core/book/by-asset.ts';
import { refuseIfFaulty } from '../../core/errors.ts';
import { bookLoanFigures } from '../../core/figures/book-loan.ts';
import { capitalParts } from '../../core/figures/capital.ts';
import { countOfSingleLoans } from '../../core/plan/book-lending.ts';
import { type GridHours, stepsOfDays } from '../../core/plan/grid.ts';
import type { BookProduct } from '../../core/plan/product/book.ts';
import type { GbmScenarios } from '../../core/plan/simulation-plan.ts';
import { shockBook } from '../../core/stress/book-shock.ts';
import { rowsInTurns } from '../../host/in-turns.ts';
import { shiftedScenarios } from '../../models/calibration/shifted-scenarios.ts';
import type { ScenarioSet } from '../../models/methodology/methodology.ts';
import {
  answering,
  processedArguments,
  type QuestionRow,
  type Ran,
  runOnce,
  type Simulated,
} from '../answer.ts';
import { BOOK_BODY_BYTES, COMMON_QUERY, type Question } from '../question.ts';
import { shockFactor } from '../request/price-shock.ts';
import { kindOf, samplingFaults } from '../sampling.ts';
import { rowsOfMap } from '../table.ts';
import { paramsMember, pathsOf, workload } from '../workload.ts';
import { bookAccuracy } from './accuracy.ts';
import { bookNeed, bookProduct, bookWarnings, unresolvedTerms } from './book.ts';
import { bookCalls } from './calls.ts';
import { shownLoans } from './columns.ts';
import { BookCreditFigures, creditWarnings, withCredit } from './credit.ts';
import { bookFigures, borrowerFigures } from './figures.ts';
import { followedScenario, refuseRankBeyond } from './followed-scenario.ts';
import { BOOK_READING, type BookRiskRequest, type BookTerms } from './request.ts';
import {
  type BookWaterfall,
  doubtsOf,
  waterfallFigures,
  waterfallOf,
  waterfallWarnings,
} from './waterfall.ts';

/** The row of a book, whose scenarios, product and warnings are those of a stress, too. */
export const BOOK = {
  resultMember: 'Output',
  need: ({ terms }) => bookNeed(terms),
  prepare({ request: { terms }, set, context }) {
    if (set.scenarios.kind === 'historical') refuseIfFaulty(unresolvedTerms(terms.loans, set.gridHours));
    refuseRankBeyond(set.paths, context.query);
    if (context.query.sampling !== 'tail') return set;
    const product = shockedProduct(terms, set.stepHours);
    return { ...set, scenarios: shiftedForBook(set.scenarios as GbmScenarios, product, context.seed) };
  },
  product: ({ request: { terms }, set: { stepHours } }) => shockedProduct(terms, stepHours),
  async run(plan, asked, options): Promise<RanBook> {
    const ran = await runOnce(plan, asked, options);
    const waterfall = await waterfallOf(ran.request.terms, plan.product, ran.outcome, ran.context);
    return { ...ran, waterfall };
  },
  async result(ran) {
    const { request, plan, outcome, waterfall } = ran;
    const credit = creditOf(ran);
    const ofCredit = credit && (await rowsInTurns(request.terms.loans.ids, k => credit.of(k)));
    const figures = (k: number) => ({
      ...bookLoanFigures(plan.product, outcome, k),
      ...(waterfall.hasCapital && capitalParts(plan.product, outcome, [k])),
      ...(ofCredit && { Credit: ofCredit.get(request.terms.loans.ids[k]) }),
    });
    const result = await bookResult(ran);
    return {
      Loans: await rowsInTurns(request.terms.loans.ids, figures),
      ...result,
      ...(credit && ofCredit && { Book: { ...result.Book, Credit: credit.ofBook(ofCredit.values()) } }),
      ...(ran.context.query.include.has('calls') && { Calls: await bookCalls(ran) }),
    };
  },
  accuracy(ran) {
    const { request, plan, outcome, context, waterfall } = ran;
    return bookAccuracy(
      plan,
      outcome,
      request.terms.loans.ids,
      context.query.confidence,
      context,
      waterfall,
      creditOf(ran),
    );
  },
  scenario: followedScenario,
  warnings: ran => [
    ...warningsOfBook(ran),
    ...waterfallWarnings(new Map([[undefined, doubtsOf(ran.waterfall, ran.plan.product, ran.outcome)]])),
  ],
  addedArguments: async ({ request }) => ({ loans: await shownLoans(request.terms.loans) }),
  lines({ request, set }, { Loans, ...result }) {
    const { loans: _, ...common } = request.terms;
    return {
      rows: Loans as ReadonlyMap<string, object>,
      arguments: processedArguments(common, set.addedArguments),
      result,
    };
  },
} satisfies QuestionRow<BookRiskRequest, BookProduct, unknown, RanBook>;

/** A book after its run, and who bears its losses. */
export interface RanBook extends Ran<BookRiskRequest, BookProduct, unknown> {
  readonly waterfall: BookWaterfall;
}

/** Warnings of its terms and scenarios. */
export const warningsOfBook = ({
  request: { terms },
  set,
  plan: { product },
}: Simulated<BookRiskRequest, BookProduct, unknown>) => [
  ...bookWarnings(terms, set, product),
  ...(terms.credit === undefined ? [] : creditWarnings(terms.loans, terms.credit)),
];

/** The figures of the book and of the borrowers. */
export async function bookResult({ request, plan, outcome, waterfall }: RanBook) {
  const { symbols, borrowers } = request.terms.loans;
  return {
    Book: {
      ...bookFigures(plan.product, outcome, symbols),
      ...waterfallFigures(waterfall, plan.product, outcome),
    },
    ...(borrowers && {
      Borrowers: await borrowerFigures(plan.product, outcome, borrowers, waterfall.hasCapital),
    }),
  };
}

/** The book with its prices moved at once, where they are. */
function shockedProduct(terms: BookTerms, stepHours: GridHours): BookProduct {
  const { loans, price_shock, credit } = terms;
  const asSent = bookProduct(terms, stepHours);
  const product =
    price_shock === undefined
      ? asSent
      : shockBook(
          asSent,
          loans.symbols.map(symbol => shockFactor(price_shock, symbol)),
        );
  if (credit === undefined || loans.credit === undefined) return product;
  return withCredit(product, loans.credit, credit, stepHours);
}

/** The credit figures of a run; undefined where none were asked for. */
function creditOf({
  request: { terms },
  plan,
  outcome,
  context,
}: Ran<BookRiskRequest, BookProduct, unknown>): BookCreditFigures | undefined {
  const { credit, loans } = terms;
  if (credit === undefined || loans.credit === undefined) return undefined;
  const level = plan.scenarios.kind === 'historical' ? undefined : context.query.confidence;
  return new BookCreditFigures(plan.product, outcome, loans.credit, credit, level);
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
  ...BOOK_READING,
  query: {
    ...COMMON_QUERY,
    include: ['accuracy', 'calls', 'model', 'scenario', ...COMMON_QUERY.include],
    sampling: ['tail'],
  },
  answer: answering(BOOK),
  bodyBytes: BOOK_BODY_BYTES,
  lines: true,
  table: rowsOfMap('Loans', 'loan'),
  takesTapes: true,
  workload({ methodology, terms }, sampling) {
    const { symbols, ids, lending, longestDays } = terms.loans;
    return workload(
      {
        product: 'book',
        model: kindOf(methodology, sampling),
        paths: pathsOf(terms),
        steps: stepsOfDays(longestDays, 1) + terms.sale_delay,
        assets: symbols.length,
        loans: ids.length,
        singleLoans: lending === undefined ? 0 : countOfSingleLoans(lending),
      },
      terms.model_lookback,
      // Each path with a weight is followed singly (docs/decisions/tail-sampling.md).
      { passes: sampling === 'tail' ? TAIL_PASSES : 1 },
    );
  },
  samplingFaults: ({ methodology }, sampling) => samplingFaults('book', methodology, sampling),
  planMember: paramsMember('loans'),
  /** At the first loan with the asset. */
  seriesMember({ terms: { loans } }, asset) {
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
