/**
 * /stress: a book under scenarios, each shocked, replayed and simulated on the same paths (docs/stress.md).
 *
 * Its row is that of a book, whose run is a loop over scenarios. Without paths, only shocks and replays are answered.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EngineDescription } from '../../core/engine.ts';
import { refuseIfFaulty } from '../../core/errors.ts';
import type { AccuracyFigures } from '../../core/figures/accuracy.ts';
import type { GridHours } from '../../core/plan/grid.ts';
import type { BookProduct } from '../../core/plan/product/book.ts';
import { SharedDraws } from '../../core/plan/shared-draws.ts';
import type { Warning } from '../../core/warnings.ts';
import { shareArrays } from '../../engine/threads/shared-plan.ts';
import { lastCompleteDay } from '../../market/last-complete-day.ts';
import { METHODOLOGIES } from '../../models/methodology/methodologies.ts';
import { formatHour } from '../../text/calendar-date.ts';
import { type Asked, answering, processedArguments, type QuestionRow, type Simulated } from '../answer.ts';
import { bookNeed, bookProduct } from '../book/book.ts';
import { BOOK, BOOK_QUESTION, warningsOfBook } from '../book/book-risk.ts';
import { shownLoans } from '../book/columns.ts';
import { type WaterfallDoubts, waterfallWarnings } from '../book/waterfall.ts';
import {
  BOOK_BODY_BYTES,
  type Operation,
  type OperationAnswer,
  type OperationContext,
  type Question,
} from '../question.ts';
import { REVERSE_FIGURES } from '../request/reverse.ts';
import { BASE_SCENARIO } from '../request/scenario.ts';
import type { Scenario } from '../scenario/scenario.ts';
import { loansOfScenarios } from '../table.ts';
import { paramsMember } from '../workload.ts';
import { bookChange, UNTOUCHED } from './change.ts';
import { type Replays, readReplays } from './replays.ts';
import { STRESS_READING, type StressRequest, type StressTerms } from './request.ts';
import { reverseScenario } from './reverse.ts';
import { type ScenarioAnswer, type StressedBook, scenarioAnswer } from './scenario-answer.ts';

/** Loans times scenarios of an answer with every loan. */
const MAX_ROWS = 200_000;

/** The book under every scenario. */
interface Answered {
  /** The member `Output`. */
  readonly result: Readonly<Record<string, unknown>>;
  /** By scenario; without those that leave no loan to simulate. */
  readonly accuracy: Readonly<Record<string, AccuracyFigures>>;
  /** Warnings of the figures of scenarios, with the terms of the loans. */
  readonly notes: readonly Warning[];
  /** Of the last scenario that was simulated. */
  readonly engine: EngineDescription;
}

type AskedStress = Asked<StressRequest, Replays>;
type RanStress = Simulated<StressRequest, BookProduct, Replays> &
  Pick<Answered, 'result' | 'accuracy' | 'notes'>;

const STRESS: QuestionRow<StressRequest, BookProduct, Replays, RanStress> = {
  resultMember: BOOK.resultMember,
  need: ({ terms }) => bookNeed({ ...terms, sale_delay: longestSaleDelay(terms) }),
  readAlso: replaysOf,
  prepare: BOOK.prepare,
  product: BOOK.product,
  async run({ product, ...plan }, asked) {
    await nextTurn();
    const shared = shareArrays(product);
    const answered = await underScenarios(asked, asked.extra, { asked, product: shared });
    return { ...asked, plan: { ...plan, product: shared }, ...answered };
  },
  result: ({ result }) => result,
  accuracy: ({ accuracy }) => (Object.keys(accuracy).length > 0 ? { Scenarios: accuracy } : undefined),
  warnings: ran => [...warningsOfBook(ran), ...ran.notes],
  addedArguments: ({ request }) => shownTerms(request.terms),
};

const withPaths = answering(STRESS);

const stress: Operation<StressRequest> = async (request, context) => {
  // A book of 20,000 loans takes some milliseconds in each turn, here and below.
  await nextTurn();
  refuseManyRows(request.terms, context);
  return request.terms.mc_iter === 0 ? withoutPaths(request, context) : withPaths(request, context);
};

/** Shocks and replays alone; no prices of the window are read. */
async function withoutPaths(request: StressRequest, context: OperationContext): Promise<OperationAnswer> {
  const replays = await replaysOf(request, context);
  const { result, engine, notes } = await underScenarios({ request, context }, replays);
  return {
    resultMember: STRESS.resultMember,
    arguments: processedArguments({ ...request.terms, ...(await shownTerms(request.terms)) }),
    result,
    engine,
    filled: [],
    basis: { gridHours: 1, paths: 0 },
    warnings: [...replays.warnings, ...notes],
  };
}

const scenariosOf = ({ scenarios }: StressTerms): readonly Scenario[] => [
  { name: BASE_SCENARIO },
  ...scenarios,
];
const tablesOf = ({ compare }: StressTerms) => (compare === undefined ? 1 : 2);
/** Most books that a reverse scenario simulates: 17 points, 12 halvings, and the forward run. */
const REVERSE_PASSES = 30;
const passesOf = ({ reverse }: Scenario): number =>
  reverse === undefined || ['prices', 'replay'].includes(REVERSE_FIGURES[reverse.figure].needs)
    ? 1
    : REVERSE_PASSES;
const longestSaleDelay = ({ sale_delay, compare }: StressTerms) =>
  Math.max(sale_delay, compare?.saleDelay ?? 0);

function refuseManyRows(terms: StressTerms, { query }: OperationContext): void {
  const rows = terms.loans.ids.length * scenariosOf(terms).length * tablesOf(terms);
  if (!query.include.has('loans') || rows <= MAX_ROWS) return;
  const message = `include may name loans for up to ${MAX_ROWS} loans times scenarios; this request has ${rows}`;
  refuseIfFaulty([{ code: 'not_supported', path: 'query.include', message }]);
}

function replaysOf({ terms }: StressRequest, { market, now }: OperationContext): Promise<Replays> {
  return readReplays(scenariosOf(terms), terms.loans, longestSaleDelay(terms), market, {
    proxies: terms.proxy ?? {},
    lastDay: lastCompleteDay(terms.analysis_date, now),
  });
}

/**
 * The book under each scenario, and under the other terms that are compared.
 *
 * @param simulated the request on its paths, and the book on their grid; absent where nothing is simulated
 */
async function underScenarios(
  { request, context }: Pick<AskedStress, 'request' | 'context'>,
  replays: Replays,
  simulated?: { readonly asked: AskedStress; readonly product: BookProduct },
): Promise<Answered> {
  const { terms, methodology } = request;
  const { compare } = terms;
  const { draws: independent } = METHODOLOGIES[methodology];
  const gridHours = simulated?.asked.set.stepHours ?? 1;
  const own = await onGrids(terms, gridHours, simulated?.product);
  const other =
    compare && (await onGrids({ ...terms, loans: compare.loans, sale_delay: compare.saleDelay }, gridHours));
  const scenarios = scenariosOf(terms);
  const runs = scenarios.reduce((sum, each) => sum + passesOf(each), 0) * tablesOf(terms);
  const draws = runs > 1 && independent ? new SharedDraws() : undefined;
  const underShock = fitsOf(simulated?.asked);
  const changeTerms = {
    quantiles: Float64Array.from(terms.quantile),
    level: context.query.confidence,
    independent,
  };
  /** The members of a scenario, with its change from the first one. */
  const membersOf = async ({ members, run }: ScenarioAnswer, first: ScenarioAnswer | undefined) => ({
    ...members,
    ...(first && run && { Change: await bookChange(first.run ?? UNTOUCHED, run, changeTerms) }),
  });
  const answers: Record<string, object> = {};
  const compared: Record<string, object> = {};
  const differences: Record<string, object> = {};
  const accuracy: Record<string, AccuracyFigures> = {};
  const doubts = new Map<string, WaterfallDoubts>();
  const notes: Warning[] = [];
  let done = 0;
  let base: readonly (ScenarioAnswer | undefined)[] = [];
  let engine = context.engines.reference.description;
  for (const scenario of scenarios) {
    const asked = await underShock(scenario.volatilityShock);
    const place = `params.scenarios.${scenarios.indexOf(scenario) - 1}`;
    const { reverse } = scenario;
    /** With the move of prices that a reverse scenario finds. */
    const ask = async (book: StressedBook): Promise<ScenarioAnswer> => {
      const passes = passesOf(scenario);
      const options = { part: { from: done / runs, to: (done + passes) / runs }, runs, draws };
      done += passes;
      const under = { ...book, gridHours, scenario, path: replays.pathOf(scenario), asked };
      if (reverse === undefined) return scenarioAnswer(under, context, options);
      const found = await reverseScenario(under, reverse, place, context, options);
      if (book === own) notes.push(...found.warnings);
      const forward = { ...scenario, priceShock: found.priceShock };
      const answer = await scenarioAnswer({ ...under, scenario: forward }, context, options);
      return { ...answer, members: { Reverse: found.members, ...answer.members } };
    };
    const answer = await ask(own);
    engine = answer.engine ?? engine;
    const twin = other && (await ask(other));
    const [first, firstTwin] = base;
    answers[scenario.name] = await membersOf(answer, first);
    if (answer.doubts !== undefined) doubts.set(scenario.name, answer.doubts);
    if (answer.accuracy !== undefined) accuracy[scenario.name] = answer.accuracy;
    if (twin !== undefined) {
      compared[scenario.name] = await membersOf(twin, firstTwin);
      if (answer.run !== undefined && twin.run !== undefined)
        differences[scenario.name] = await bookChange(answer.run, twin.run, changeTerms);
    }
    if (base.length === 0) base = [answer, twin];
    await nextTurn();
  }
  await nextTurn();
  const result = {
    Scenarios: answers,
    ...(other && { Compared: { Scenarios: compared, Difference: differences } }),
  };
  return { result, accuracy, notes: [...waterfallWarnings(doubts), ...notes], engine };
}

/** The request under shocks of volatilities, each fitted once; absent: under its own. */
function fitsOf(own: AskedStress | undefined) {
  if (own === undefined) return async () => undefined;
  const fits = new Map([[own.need.volatilityShock, own]]);
  return async (volatilityShock = own.need.volatilityShock): Promise<AskedStress> => {
    const fit = fits.get(volatilityShock) ?? (await own.under(volatilityShock));
    fits.set(volatilityShock, fit);
    return fit;
  };
}

/**
 * A book as products of an hourly grid and of the grid of the paths, in memory that threads share.
 *
 * @param known the product of the grid of the paths, where there is one
 */
async function onGrids(terms: StressTerms, gridHours: GridHours, known?: BookProduct): Promise<StressedBook> {
  const on = async (grid: GridHours): Promise<BookProduct> => {
    await nextTurn();
    const product = bookProduct(terms, grid);
    await nextTurn();
    return shareArrays(product);
  };
  const onGrid = known ?? (await on(gridHours));
  return { columns: terms.loans, onGrid, hourly: gridHours === 1 ? onGrid : await on(1) };
}

/** Loans, scenarios and compared terms as `Arguments` shows them. */
const shownTerms = async ({ loans, scenarios, compare }: StressTerms) => ({
  loans: await shownLoans(loans),
  scenarios: scenarios.map(shownScenario),
  ...(compare && { compare: compare.terms }),
});

/** A scenario as `Arguments` shows it: its window looked up. */
function shownScenario({ name, priceShock, volatilityShock, replay, reverse }: Scenario) {
  return {
    name,
    ...(priceShock && { price_shock: priceShock }),
    ...(volatilityShock === undefined ? {} : { volatility_shock: volatilityShock }),
    ...(reverse && { reverse }),
    ...(replay && {
      replay: {
        ...(replay.name === undefined ? {} : { name: replay.name }),
        from: formatHour(replay.from),
        hours: replay.hours,
        ...(Object.keys(replay.proxies).length === 0 ? {} : { proxy: replay.proxies }),
      },
    }),
  };
}

export const STRESS_QUESTION: Question<StressRequest> = {
  name: 'stress',
  path: '/stress',
  ...STRESS_READING,
  query: { include: ['accuracy', 'loans', 'model', 'path', 'warnings'], sampling: [] },
  answer: stress,
  table: loansOfScenarios,
  bodyBytes: BOOK_BODY_BYTES,
  /** The work of a book for each scenario, under either set of terms; a replay counts as one path. */
  workload({ methodology, terms: { compare, scenarios, mc_iter, ...terms } }) {
    const passes = scenarios.reduce((sum, each) => sum + passesOf(each), 1);
    const runs = passes * (compare === undefined ? 1 : 2);
    const paths = mc_iter === undefined ? {} : { mc_iter: Math.max(1, mc_iter) };
    const one = BOOK_QUESTION.workload({ methodology, terms: { ...terms, ...paths } });
    return { ...one, work: runs * one.work };
  },
  planMember: paramsMember('loans'),
  seriesMember: BOOK_QUESTION.seriesMember,
};
