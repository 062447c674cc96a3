/** One scenario of /stress: the book is shocked, replayed and simulated. Gives members of the answer, and the run for changes. */
import type { EngineDescription } from '../../core/engine.ts';
import type { AccuracyFigures } from '../../core/figures/accuracy.ts';
import type { LoanOutcomes } from '../../core/figures/book-loan.ts';
import { type GridHours, stepsOfDays } from '../../core/plan/grid.ts';
import type { BookOutcome, BookProduct } from '../../core/plan/product/book.ts';
import type { BookLeft } from '../../core/stress/book-after-replay.ts';
import type { StressedBook as StressedProducts } from '../../core/stress/stressed-book.ts';
import { rowsInTurns } from '../../host/in-turns.ts';
import { calibrateInThread } from '../../models/calibration/calibration-pool.ts';
import { type Asked, planOf, type RunOptions, wantsAccuracy } from '../answer.ts';
import { bookAccuracy } from '../book/accuracy.ts';
import { BOOK, bookResult, type RanBook } from '../book/book-risk.ts';
import type { BookColumns, Borrowers } from '../book/columns.ts';
import { doubtsOf, type WaterfallDoubts } from '../book/waterfall.ts';
import type { OperationContext } from '../question.ts';
import { shockFactor } from '../request/price-shock.ts';
import type { ReplayPath } from '../scenario/replay.ts';
import type { Scenario } from '../scenario/scenario.ts';
import type { BookRun } from './change.ts';
import {
  figuresAtOnce,
  largestLosses,
  lossesOf,
  replayFigures,
  type StressedLoans,
  stressedLoan,
} from './figures.ts';
import type { StressRequest } from './request.ts';

/** A book, and its products with steps of one hour and with steps of the paths. */
export interface StressedBook {
  readonly columns: BookColumns;
  readonly hourly: BookProduct;
  readonly onGrid: BookProduct;
}

export interface BookUnderScenario extends StressedBook {
  readonly gridHours: GridHours;
  readonly scenario: Scenario;
  /** Of its replay. */
  readonly path: ReplayPath | undefined;
  /** The request under the scenario's shock of volatilities; absent where nothing is simulated. */
  readonly asked: AskedStress | undefined;
}

type AskedStress = Asked<StressRequest, unknown>;

export interface ScenarioAnswer {
  readonly members: Readonly<Record<string, unknown>>;
  /** Undefined where no loss was computed: a shock alone, without paths. */
  readonly run: BookRun | undefined;
  readonly accuracy: AccuracyFigures | undefined;
  /** Of the simulation. */
  readonly doubts: WaterfallDoubts | undefined;
  /** Undefined where nothing was simulated. */
  readonly engine: EngineDescription | undefined;
}

/** A scenario after its run. */
export interface RanScenario {
  readonly stressed: StressedProducts;
  /** Undefined where nothing was simulated. */
  readonly ran: RanBook | undefined;
}

/** The shock, the replay and the simulation of a scenario. */
export async function runScenario(
  { hourly, onGrid, gridHours, columns, scenario, path, asked }: BookUnderScenario,
  context: OperationContext,
  options: RunOptions,
): Promise<RanScenario> {
  const { priceShock, replay } = scenario;
  const stressed = await calibrateInThread(
    'stressed-book',
    {
      hourly,
      onGrid,
      gridHours,
      factors: priceShock && columns.symbols.map(symbol => shockFactor(priceShock, symbol)),
      replay: replay && path && { relatives: path.relatives, hours: replay.hours },
      maturityHours: columns.maturityDays.map(days => stepsOfDays(days, 1)),
      seed: context.seed,
    },
    context,
  );
  const { left } = stressed;
  return { stressed, ran: left && asked && (await simulate(left, columns, asked, options)) };
}

export async function scenarioAnswer(
  book: BookUnderScenario,
  context: OperationContext,
  options: RunOptions,
): Promise<ScenarioAnswer> {
  const { columns, asked } = book;
  const { replay } = book.scenario;
  const { stressed, ran } = await runScenario(book, context, options);
  const { replayed, atOnce } = stressed;
  const outcome = ran?.outcome;
  // The figures of loans need no columns of the paths.
  const loans = {
    ...stressed,
    outcome: outcome && withoutColumns(outcome),
    hasCapital: ran?.waterfall.hasCapital ?? false,
  };
  const ofBook = ({ plan, outcome: own, waterfall }: RanBook) =>
    bookAccuracy(plan, own, [], context.query.confidence, context, waterfall);
  const isFollowed = replayed !== undefined || asked !== undefined;
  const losses = isFollowed ? lossesOf(loans, columns.ids.length) : undefined;
  const ofPrices = {
    ...figuresAtOnce(atOnce),
    ...(replay &&
      replayed && { Replay: replayFigures(replayed, replay.hours, context.query.include.has('path')) }),
  };
  const { Book = null, Borrowers } = ran === undefined ? {} : await bookResult(ran);
  const ofPaths = { ...(asked && { Book }), ...(Borrowers && { Borrowers }) };
  const members = {
    ...ofPrices,
    ...ofPaths,
    Loans: await loanRows(loans, columns.ids, losses, context.query.include.has('loans')),
  };
  return {
    members,
    engine: ran?.engine,
    doubts: ran && doubtsOf(ran.waterfall, ran.plan.product, ran.outcome),
    run: isFollowed
      ? {
          columns: outcome?.columns,
          summaries: outcome?.summaries,
          lossBefore: replayed?.loans.loss.reduce((a, b) => a + b, 0) ?? 0,
          soldBefore: replayed?.loans.sold.reduce((a, b) => a + b, 0) ?? 0,
        }
      : undefined,
    accuracy: ran && wantsAccuracy(context) ? { Book: (await ofBook(ran)).Book } : undefined,
  };
}

const borrowersLeft = ({ names, ranks }: Borrowers, { loans }: BookLeft): Borrowers => ({
  names,
  ranks: loans.map(k => ranks[k]),
});

const withoutColumns = ({ columns: _, ...outcome }: BookOutcome): LoanOutcomes => outcome;

/** The run of /book_risk on the loans that are left. */
function simulate(left: BookLeft, columns: BookColumns, asked: AskedStress, options: RunOptions) {
  const { request } = asked;
  const { borrowers } = columns;
  const loans = { ...columns, ...(borrowers && { borrowers: borrowersLeft(borrowers, left) }) };
  const ofLeft = { ...asked, request: { ...request, terms: { ...request.terms, loans } } };
  return BOOK.run(planOf(ofLeft, left.product), ofLeft, options);
}

/** The loans with the largest losses, or all of them in their order. */
async function loanRows(
  loans: StressedLoans,
  ids: readonly string[],
  losses: Float64Array | undefined,
  all: boolean,
): Promise<ReadonlyMap<string, object>> {
  const places = new Int32Array(ids.length).fill(-1);
  loans.left?.loans.forEach((k, place) => {
    places[k] = place;
  });
  const row = (k: number) => stressedLoan(loans, k, places[k], losses?.[k]);
  if (all) return rowsInTurns(ids, row);
  return new Map((losses === undefined ? [] : largestLosses(losses)).map(k => [ids[k], row(k)]));
}
