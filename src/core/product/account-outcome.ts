/** The outcome of an account over a range of paths: numbers of each path, and sums. */
import { type AccountOutcome, FLAG_SHORTFALL, FLAG_TAKEN_OVER } from '../engine.ts';
import { HOURS_PER_DAY } from '../plan/grid.ts';
import { type AccountProduct, accountDays } from '../plan/product/account.ts';
import type { PathRange, RecordSink } from '../plan/records.ts';
import type { SimulationPlan } from '../plan/simulation-plan.ts';
import { type AccountFollower, type AccountOnPath, NEVER } from './account.ts';
import { distributionOf, type MarkCounts } from './path-counts.ts';

/**
 * Runs the account on a range of paths.
 *
 * @param counts the follower's counts, to which it adds the equity of each path
 */
export function accountOutcome(
  plan: SimulationPlan<AccountProduct>,
  range: PathRange,
  records: RecordSink | undefined,
  follower: AccountFollower,
  counts: MarkCounts | undefined,
  sharedCounts?: Uint32Array,
): AccountOutcome {
  const { product } = plan;
  const { tail, steps, rows } = product;
  const column = () => new Float64Array(range.count);
  const perRow = () => new Float64Array(rows.length);
  const perDay = () => new Float64Array(accountDays(steps));
  const sums = {
    ...{ marginCalls: 0, forcedCloses: 0, liquidations: 0, takeOvers: 0, shortfalls: 0 },
    ...{ takenOver: 0, takenOverSquares: 0, takenOverPaths: 0 },
    ...{ deleveraged: 0, deleveragedSquares: 0, deleveragedPaths: 0 },
  };
  const outcome = {
    ...{ callDays: perDay(), closeDays: perDay(), liquidationDays: perDay() },
    ...{ finalEquity: column(), accumulatedFunding: column(), maxEquityDrawdown: column() },
    ...{ medianLeverage: column(), fees: column(), fundShortfall: column() },
    ...{ rowCloses: perRow(), rowClosed: perRow(), rowClosedSquares: perRow() },
    ...{ rowFunding: perRow(), rowFundingSquares: perRow() },
  };
  const partsOfTail = rows.length + product.currencies.length;
  const quantiles = tail === undefined ? 0 : tail.weights.length / tail.paths.length;
  const parts = new Float64Array(quantiles * partsOfTail);
  const dayOf = (hour: number) => Math.max(0, Math.ceil(hour / HOURS_PER_DAY) - 1);
  const { account } = follower;
  const { state } = account;
  for (let k = 0; k < range.count; k++) {
    const place = range.first + k;
    follower.follow(tail?.paths[place] ?? place);
    const { closes } = account.closing;
    const { flags, callHour, closeHour, endHour } = account;
    if (callHour !== NEVER) {
      sums.marginCalls++;
      outcome.callDays[dayOf(callHour)]++;
    }
    if (closeHour !== NEVER) {
      sums.forcedCloses++;
      outcome.closeDays[dayOf(closeHour)]++;
    }
    if (endHour !== NEVER) {
      sums.liquidations++;
      outcome.liquidationDays[dayOf(endHour)]++;
    }
    if (flags & FLAG_TAKEN_OVER) sums.takeOvers++;
    if (flags & FLAG_SHORTFALL) sums.shortfalls++;
    outcome.finalEquity[k] = account.finalEquity;
    outcome.accumulatedFunding[k] = account.accumulatedFunding;
    outcome.maxEquityDrawdown[k] = account.maxEquityDrawdown;
    outcome.medianLeverage[k] = account.medianLeverage;
    outcome.fees[k] = closes.fees;
    outcome.fundShortfall[k] = closes.shortfall;
    sums.takenOver += closes.takenOver;
    sums.takenOverSquares += closes.takenOver ** 2;
    if (closes.takenOver > 0) sums.takenOverPaths++;
    sums.deleveraged += closes.deleveraged;
    sums.deleveragedSquares += closes.deleveraged ** 2;
    if (closes.deleveraged > 0) sums.deleveragedPaths++;
    for (let i = 0; i < rows.length; i++) {
      const closed = 1 - state.open[i];
      const funding = account.rowFunding[i];
      outcome.rowCloses[i] += closes.forced[i];
      outcome.rowClosed[i] += closed;
      outcome.rowClosedSquares[i] += closed * closed;
      outcome.rowFunding[i] += funding;
      outcome.rowFundingSquares[i] += funding * funding;
    }
    if (tail !== undefined)
      for (let q = 0; q < quantiles; q++) {
        const weight = tail.weights[q * tail.paths.length + place];
        if (weight > 0) account.addParts(weight, parts, q * partsOfTail);
      }
    records?.write(place, recordOf(account));
  }
  return {
    kind: 'account',
    paths: range.count,
    ...sums,
    ...outcome,
    ...(tail && { parts }),
    ...(counts && distributionOf(counts.counts, sharedCounts)),
  };
}

/** The columns of a path, in the order of the contract. */
function recordOf(account: AccountOnPath): number[] {
  const { state, rowFunding } = account;
  const { fees, shortfall, takenOver, deleveraged, forced } = account.closing.closes;
  return [
    account.finalEquity,
    account.accumulatedFunding,
    account.maxEquityDrawdown,
    account.medianLeverage,
    ...[fees, shortfall, takenOver, deleveraged],
    ...[account.callHour, account.closeHour, account.endHour, account.flags],
    ...Array.from(state.open, (open, i) => [1 - open, rowFunding[i], forced[i]]).flat(),
  ];
}
