/** The member `Scenario` of /book_risk: one path of the run, hour by hour and loan by loan (docs/books.md, "One scenario"). */
import { refuseIfFaulty } from '../../core/errors.ts';
import type { LendingEvent } from '../../core/lending/lending-terms.ts';
import type { GridHours } from '../../core/plan/grid.ts';
import type { BookPathColumns, BookProduct } from '../../core/plan/product/book.ts';
import { quantilePosition } from '../../core/stats/quantile.ts';
import { placeRanks } from '../../core/stats/selection.ts';
import { weightedQuantile } from '../../core/stats/weighted-quantile.ts';
import type { FollowedLoan, FollowedPath } from '../../core/stress/follow-path.ts';
import { lastCompleteDay } from '../../market/last-complete-day.ts';
import { calibrateInThread } from '../../models/calibration/calibration-pool.ts';
import { formatHour } from '../../text/calendar-date.ts';
import type { Ran } from '../answer.ts';
import type { ChosenScenario, OperationQuery } from '../request/query.ts';
import type { BookRiskRequest } from './request.ts';

/** Most points in time of an answer; of a longer path they are several hours apart. */
export const MAX_POINTS = 1000;

/** The words of an event in the answer. */
export const EVENT_NAMES: Readonly<Record<LendingEvent['kind'], string>> = {
  call: 'called',
  cure: 'cured',
  'top-up': 'topped up',
  liquidation: 'liquidated',
  closeout: 'closed out',
  sale: 'sold',
  'handed-over': 'handed over',
};

/** @param paths of the run */
export function refuseRankBeyond(paths: number, { include, scenario }: OperationQuery): void {
  if (!include.has('scenario') || !('rank' in scenario) || scenario.rank <= paths) return;
  const message = `scenario must be a rank of at most ${paths}, the number of scenarios; got ${scenario.rank}`;
  refuseIfFaulty([{ code: 'out_of_range', path: 'query.scenario', message }]);
}

export interface RankedPath {
  readonly path: number;
  /** 1 is the largest loss; equal losses in the order of the paths. */
  readonly rank: number;
  /** Share of the scenarios with a larger loss. */
  readonly larger: number;
}

/** The path with a loss of a rank; for a level, the first whose loss is not below the quantile. */
export function rankedPath(
  { loss, weight }: Pick<BookPathColumns, 'loss' | 'weight'>,
  chosen: ChosenScenario,
): RankedPath {
  const paths = loss.length;
  const rankOf = (level: number) => {
    const { rank, fraction } = quantilePosition(paths, level);
    return paths - rank - Math.ceil(fraction);
  };
  const ofWeights = 'level' in chosen && weight !== undefined;
  const rank = 'rank' in chosen ? chosen.rank : rankOf(chosen.level);
  const value = ofWeights ? weightedQuantile(loss, weight, chosen.level) : orderStatistic(loss, paths - rank);
  let [above, larger, total] = [0, 0, 0];
  for (let p = 0; p < paths; p++) {
    const own = weight?.[p] ?? 1;
    total += own;
    if (loss[p] <= value) continue;
    above += 1;
    larger += own;
  }
  let tie = ofWeights ? 0 : rank - above - 1;
  const path = loss.findIndex(each => each === value && tie-- === 0);
  return { path, rank: ofWeights ? above + 1 : rank, larger: larger / total };
}

function orderStatistic(values: Float64Array, rank: number): number {
  const copy = values.slice();
  placeRanks(copy, [rank]);
  return copy[rank];
}

/** The path that the query names, again. */
export async function followedScenario({
  request: { terms },
  plan,
  outcome: { columns },
  set: { stepHours },
  context,
}: Ran<BookRiskRequest, BookProduct, unknown>) {
  const { ids, symbols, loanValue } = terms.loans;
  const { path, rank, larger } = rankedPath(columns, context.query.scenario);
  const followed = await calibrateInThread('followed-path', { plan, path }, context);
  const lowest = followed.ccr.reduce(
    (low, ccr) => (ccr > 0 ? Math.min(low, ccr) : low),
    Number.POSITIVE_INFINITY,
  );
  return {
    Path: path,
    Rank: rank,
    Scenarios: plan.paths,
    Larger: larger,
    ...(plan.scenarios.kind === 'historical' && {
      From: formatHour(
        24 * (lastCompleteDay(terms.analysis_date, context.now) + 1) -
          (plan.paths - 1 - path + plan.product.steps) * stepHours,
      ),
    }),
    Loss: columns.loss[path],
    Followed: {
      Loss: sumOf(followed.loss),
      Called: followed.called,
      ClosedOut: followed.closedOut,
      Liquidated: followed.liquidated,
      ForcedSaleUsd: sumOf(followed.sold),
      PeakDayUsd: followed.peakDay,
      ToppedUpUsd: sumOf(followed.toppedUp),
      Lowest: lowest,
    },
    Hours: hoursOf(followed, symbols, stepHours),
    Loans: new Map(
      followed.loans.map(each => [ids[each.loan], loanOf(each, loanValue[each.loan], stepHours)]),
    ),
    MoreLoans: followed.moreLoans,
  };
}

const sumOf = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0);

const loanOf = (
  { loss, sold, toppedUp, events, moreEvents }: FollowedLoan,
  loanValue: number,
  stepHours: GridHours,
) => ({
  LoanValue: loanValue,
  Loss: loss,
  ForcedSaleUsd: sold,
  ToppedUpUsd: toppedUp,
  Events: events.map(event => ({
    Hour: event.step * stepHours,
    Event: EVENT_NAMES[event.kind],
    Ccr: event.ccr,
    ...(event.amount > 0 && { Usd: event.amount }),
    ...(event.loss > 0 && { Loss: event.loss }),
  })),
  MoreEvents: moreEvents,
});

/** Columns by point in time: prices and coverage at it, numbers and amounts since the point before. */
function hoursOf(followed: FollowedPath, symbols: readonly string[], stepHours: GridHours) {
  const last = followed.ccr.length - 1;
  const every = Math.max(1, Math.ceil(last / (MAX_POINTS - 1)));
  const points = Array.from({ length: Math.ceil(last / every) + 1 }, (_, i) => Math.min(i * every, last));
  const at = (column: Float64Array) => points.map(step => column[step]);
  const since = (column: Float64Array) =>
    points.map((step, i) => sumOf(column.subarray(i === 0 ? 0 : points[i - 1] + 1, step + 1)));
  return {
    Hour: points.map(step => step * stepHours),
    Prices: Object.fromEntries(symbols.map((symbol, i) => [symbol, at(followed.prices[i])])),
    Ccr: at(followed.ccr),
    Calls: since(followed.calls),
    Orders: since(followed.orders),
    ForcedSaleUsd: since(followed.sold),
    ToppedUpUsd: since(followed.toppedUp),
    Loss: since(followed.loss),
  };
}
