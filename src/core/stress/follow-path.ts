/**
 * One path of a run of a book again, in double precision: its prices, and what happens to each loan in each step (docs/books.md, "One
 * scenario"). Draws depend on the seed and the number of the path alone, so it is the path of every engine.
 */
import { beginLoan, isCallAnswered, lendingTerms } from '../book/lending-loan.ts';
import { PeakDay } from '../book/peak-day.ts';
import { followLending } from '../lending/follow-lending.ts';
import { emptyCourse, type LendingEvent, openState } from '../lending/lending-terms.ts';
import { LOAN_START, plainLending } from '../plan/book-lending.ts';
import type { BookProduct } from '../plan/product/book.ts';
import type { SimulationPlan } from '../plan/simulation-plan.ts';
import { HourlySeries } from './hourly-series.ts';
import { loansInTurn } from './replay-book.ts';

/** A loan with an event. */
export interface FollowedLoan {
  /** Its number in the book. */
  readonly loan: number;
  /** USD. */
  readonly loss: number;
  readonly sold: number;
  readonly toppedUp: number;
  readonly called: boolean;
  readonly liquidated: boolean;
  readonly closedOut: boolean;
  /** In their order, the first `MAX_EVENTS` of them; amounts in USD. */
  readonly events: readonly LendingEvent[];
  /** How many more there are. */
  readonly moreEvents: number;
}

/** Lists by step have T + 1 entries, those of the start first; T is the longest term and the delay of a sale. */
export interface FollowedPath {
  /** Per asset: price over that of the start. */
  readonly prices: readonly Float64Array[];
  /** Collateral over debt of the loans whose term includes the step, without sales and top-ups; 0 where there is none. */
  readonly ccr: Float64Array;
  /** Loans called, and orders of sales, in the step. */
  readonly calls: Float64Array;
  readonly orders: Float64Array;
  /** Sold, added and lost in the step, USD. */
  readonly sold: Float64Array;
  readonly toppedUp: Float64Array;
  readonly loss: Float64Array;
  /** Largest sales within a day, USD. */
  readonly peakDay: number;
  readonly called: number;
  readonly liquidated: number;
  readonly closedOut: number;
  /** Loans with an event, by falling loss, then by falling sales; the first `MAX_FOLLOWED_LOANS` of them. */
  readonly loans: readonly FollowedLoan[];
  readonly moreLoans: number;
}

/** Most loans of an answer, and most events of each. */
export const MAX_FOLLOWED_LOANS = 100;
export const MAX_EVENTS = 50;

type ByStep = Pick<FollowedPath, 'calls' | 'orders' | 'sold' | 'toppedUp' | 'loss'>;

/** @param prices of the path (core/reference/models.ts) */
export function followPath(
  { product, seed }: Pick<SimulationPlan<BookProduct>, 'product' | 'seed'>,
  path: number,
  prices: readonly Float64Array[],
): FollowedPath {
  const { loanValue, nominalRatio, saleCost, steps } = product;
  const lending = product.lending ?? plainLending(loanValue.length, saleCost);
  const series = new HourlySeries(prices);
  const list = () => new Float64Array(steps + 1);
  const byStep: ByStep = { calls: list(), orders: list(), sold: list(), toppedUp: list(), loss: list() };
  const [collateral, debt] = [list(), list()];
  const [state, course] = [openState(), emptyCourse([])];
  const loans: FollowedLoan[] = [];
  for (const k of loansInTurn(product, lending, series)) {
    const isAnswered = (call: number) => isCallAnswered(lending, k, seed, path, call);
    const terms = lendingTerms(product, lending, k);
    const from = beginLoan(lending, k, terms, series, state, course, () => isAnswered(0));
    followLending(terms, series, isAnswered, state, from, terms.steps + terms.saleDelaySteps, course);
    for (let t = 0; t <= terms.steps; t++) {
      collateral[t] += nominalRatio[k] * loanValue[k] * series.collateralAt(t);
      debt[t] += loanValue[k] * series.debtAt(t);
    }
    const { events = [], called, liquidated, closedOut } = course;
    // A call that was open before the start is an event of the start.
    if (lending.start[k] === LOAN_START.called)
      events.unshift({ kind: 'call', step: 0, ccr: nominalRatio[k] * series.at(0), amount: 0, loss: 0 });
    if (events.length === 0) continue;
    const usd = events.map(each => ({
      ...each,
      amount: each.amount * loanValue[k],
      loss: each.loss * loanValue[k],
    }));
    for (const event of usd) add(event, byStep);
    const sumOf = (kind: LendingEvent['kind']) =>
      usd.reduce((sum, each) => sum + (each.kind === kind ? each.amount : 0), 0);
    loans.push({
      loan: k,
      loss: usd.reduce((sum, each) => sum + each.loss, 0),
      sold: sumOf('sale'),
      toppedUp: sumOf('top-up'),
      called,
      liquidated,
      closedOut,
      events: usd.slice(0, MAX_EVENTS),
      moreEvents: Math.max(0, usd.length - MAX_EVENTS),
    });
  }
  const count = (of: 'called' | 'liquidated' | 'closedOut') => loans.filter(each => each[of]).length;
  loans.sort((a, b) => b.loss - a.loss || b.sold - a.sold || a.loan - b.loan);
  return {
    prices,
    ccr: collateral.map((usd, t) => (debt[t] === 0 ? 0 : usd / debt[t])),
    ...byStep,
    peakDay: largestDay(byStep.sold, product.daySteps),
    called: count('called'),
    liquidated: count('liquidated'),
    closedOut: count('closedOut'),
    loans: loans.slice(0, MAX_FOLLOWED_LOANS),
    moreLoans: Math.max(0, loans.length - MAX_FOLLOWED_LOANS),
  };
}

function add({ kind, step, amount, loss }: LendingEvent, into: ByStep): void {
  into.loss[step] += loss;
  if (kind === 'call') into.calls[step] += 1;
  if (kind === 'liquidation' || kind === 'closeout') into.orders[step] += 1;
  if (kind === 'sale') into.sold[step] += amount;
  if (kind === 'top-up') into.toppedUp[step] += amount;
}

/** The largest sales within a day; a sale at the start counts to the first step. */
function largestDay(sold: Float64Array, daySteps: number): number {
  const fromFirst = sold.slice(1);
  fromFirst[0] += sold[0];
  const peak = new PeakDay(daySteps);
  peak.find(fromFirst, true);
  return peak.largest;
}
