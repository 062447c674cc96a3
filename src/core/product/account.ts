/**
 * A cross-margined account along one path of hourly prices of all its assets (docs/accounts.md), on the prices of any engine, in double
 * precision. Amounts are in USD.
 */
import { AccountState } from '../account/account-state.ts';
import { Closing } from '../account/closing.ts';
import { FundingPaths } from '../account/funding.ts';
import type { HourLaw } from '../account/hour-law.ts';
import { type PreparedAccount, prepareAccount } from '../account/prepared-account.ts';
import { pricesBetween, Touches } from '../account/touch.ts';
import { FLAG_LIQUIDATION, FLAG_MARGIN_CALL, FLAG_SHORTFALL, FLAG_TAKEN_OVER } from '../engine.ts';
import { HOURS_PER_DAY } from '../plan/grid.ts';
import type { AccountProduct } from '../plan/product/account.ts';
import type { SimulationPlan } from '../plan/simulation-plan.ts';
import { medianInPlace } from '../stats/selection.ts';
import type { MarkCounts } from './path-counts.ts';
import type { AssetPrices } from './paths.ts';

/** Hour of an event that does not happen. */
export const NEVER = -1;
const MOST_TOUCHES = 8;
/** A shortfall below this share of the equity at the start is rounding. */
const LEAST_SHORTFALL = 2 ** -18;

/** Follows the account along one path after another, on paths of any engine. */
export interface AccountFollower {
  /** The account at the end of the path that was followed last. */
  readonly account: AccountOnPath;
  /** Follows the account along a path, and counts its equity if the plan requests a distribution. */
  follow(path: number): void;
}

/** An account along one path after another. */
export class AccountOnPath {
  finalEquity = 0;
  accumulatedFunding = 0;
  maxEquityDrawdown = 0;
  medianLeverage = 0;
  /** Hours of the first call, the first forced close and the end without a position; -1 without one. */
  callHour = NEVER;
  closeHour = NEVER;
  endHour = NEVER;
  flags = 0;
  readonly state: AccountState;
  readonly closing: Closing;
  /** Settlements and rates; of an account of another engine, whose rates are drawn there, those of the hour that it is followed through. */
  readonly funding: FundingPaths;
  /** Per row, USD at the hour of each flow. */
  readonly rowFunding: Float64Array;
  /** The same in units of the settlement currency. */
  readonly fundingUnits: Float64Array;
  /** Prices at the end of the account, relative to the start. */
  readonly endPrices: Float64Array;
  /** Equity over that at the start, at index t - 1; after its end the account keeps it. */
  readonly equityPath: Float64Array;
  /** S_i(t) / S_i(0) of the path without a shock, at index t - 1. */
  readonly paths: readonly Float64Array[];
  /** Leverages so far, of hours with an equity above 0, and how many there are. */
  readonly leverage: Float64Array;
  leverages = 0;
  /** The highest equity so far. */
  peak = 0;
  readonly account: PreparedAccount;
  readonly equityAtStart: number;

  private readonly touches: Touches | undefined;
  private readonly before: Float64Array;
  private readonly now: Float64Array;
  private readonly late: Float64Array;
  private readonly touch: Float64Array;
  private readonly profitsAtStart: Float64Array;
  /** Factors of the prices at the start. */
  private readonly shock: Float64Array;
  /** Day of the touches in hand. */
  private day = NEVER;

  constructor(
    private readonly product: AccountProduct,
    { scenarios, seed }: Pick<SimulationPlan, 'scenarios' | 'seed'>,
    private readonly law: HourLaw,
  ) {
    const { assets } = scenarios;
    const { steps, bridgeVariance } = product;
    this.account = prepareAccount(product, assets);
    this.state = new AccountState(this.account);
    this.closing = new Closing(this.state);
    this.funding = new FundingPaths(product, seed, assets);
    this.shock = Float64Array.from({ length: assets }, (_, i) => product.shock?.[i] ?? 1);
    this.touches = bridgeVariance > 0 ? new Touches(seed, assets, bridgeVariance) : undefined;
    this.paths = Array.from({ length: assets }, () => new Float64Array(steps));
    this.leverage = new Float64Array(steps + 1);
    const vector = () => new Float64Array(assets + 1).fill(1);
    this.before = vector();
    this.now = vector();
    this.late = vector();
    this.touch = vector();
    this.endPrices = vector();
    this.equityPath = new Float64Array(steps);
    this.rowFunding = new Float64Array(product.rows.length);
    this.fundingUnits = new Float64Array(product.rows.length);
    this.state.start();
    this.state.evaluate(this.now);
    this.equityAtStart = this.state.equity;
    this.profitsAtStart = Float64Array.from(product.rows, (_, i) => this.state.profit(i, this.now));
  }

  /** Follows the account along a path whose prices are in `paths`. */
  follow(path: number): void {
    const { product, funding, law } = this;
    const { steps } = product;
    law.start(path, this.paths);
    funding.start(path, (hours, z) => law.normals(hours, z));
    this.begin(path);
    let hour = 0;
    while (hour < steps && !this.isOver) {
      hour++;
      this.hour(hour);
      this.equityPath[hour - 1] = Math.max(0, this.equity) / this.equityAtStart;
    }
    this.equityPath.fill(Math.max(0, this.equity) / this.equityAtStart, hour);
    if (!this.isOver) this.endPrices.set(this.now);
    this.finish();
  }

  /** Begins a path: a shock, if there is one, and what it closes. */
  begin(path: number): void {
    const { state, closing, touches, now, product } = this;
    touches?.start(path);
    this.day = NEVER;
    state.start();
    closing.start();
    this.callHour = NEVER;
    this.closeHour = NEVER;
    this.endHour = NEVER;
    this.maxEquityDrawdown = 0;
    this.peak = this.equityAtStart;
    this.leverages = 0;
    this.accumulatedFunding = 0;
    this.rowFunding.fill(0);
    this.fundingUnits.fill(0);

    this.setPrices(now, 0);
    state.evaluate(now);
    if (product.shock !== undefined) {
      closing.beginHour();
      this.decide(0, now);
    }
    this.note(0);
  }

  /**
   * Follows an account of another engine through hour t; the prices of t - 1 and t are in `paths`, open shares and balances in `state`, and the
   * figures that add up along a path count this hour alone.
   */
  followHour(path: number, t: number): void {
    const { state, now, touches } = this;
    touches?.start(path);
    this.day = NEVER;
    this.setPrices(now, t - 1);
    state.evaluate(now);
    this.leverages = 0;
    this.accumulatedFunding = 0;
    this.rowFunding.fill(0);
    this.fundingUnits.fill(0);
    this.hour(t);
  }

  /** Whether no position is left. */
  get isOver(): boolean {
    return this.closing.closes.ended !== undefined;
  }

  /** Equity at the last hour, or at the end. */
  get equity(): number {
    return this.closing.closes.ended ?? this.state.equity;
  }

  private setPrices(to: Float64Array, hour: number): void {
    const { paths, shock } = this;
    for (let i = 0; i < paths.length; i++) to[i] = hour === 0 ? shock[i] : shock[i] * paths[i][hour - 1];
  }

  /** One hour t: prices, touches, funding, checks, closes, figures. */
  private hour(t: number): void {
    const { state, closing, product, now, before, late } = this;
    const called = state.marginEquity - state.required / product.marginCallRatio;
    const { excess } = state;
    for (let i = 0; i < now.length; i++) before[i] = now[i];
    this.setPrices(now, t);
    closing.beginHour();
    if (this.touches !== undefined) {
      this.withinHour(t, excess, called);
      if (this.isOver) {
        this.note(t);
        return;
      }
    } else state.evaluate(now);
    this.settle(t);
    if (product.feedLagHours === 0) this.decide(t, now);
    else {
      this.setPrices(late, Math.max(0, t - product.feedLagHours));
      state.evaluate(late);
      this.decide(t, late);
      state.evaluate(now);
    }
    this.note(t);
  }

  /** Touches between two hours; the state is evaluated at the prices of t afterwards. @param d0 E - M before, @param c0 E - M / ratio before */
  private withinHour(t: number, d0: number, c0: number): void {
    const { state, product, law, before, now, touches } = this;
    if (touches === undefined) return;
    const day = Math.floor((t - 1) / HOURS_PER_DAY);
    if (day !== this.day) {
      this.day = day;
      touches.startDay(law.deviations(day));
    }
    const isCalled = this.callHour !== NEVER;
    const mayReachBefore = touches.mayReach(t - 1, isCalled ? d0 : c0, state);
    state.evaluate(now);
    const d1 = state.excess;
    const c1 = state.marginEquity - state.required / product.marginCallRatio;
    const nearest = isCalled ? Math.min(d0, d1) : Math.min(c0, c1);
    if (!mayReachBefore && !touches.mayReach(t - 1, nearest, state)) return;
    state.evaluate(before);
    const isNear = touches.prepare(t - 1, state, before, law, nearest);
    state.evaluate(now);
    if (!isNear) return;
    if (!isCalled && touches.lowest(t - 1, c0, c1) <= 0) this.callHour = t;
    const lowest = touches.lowest(t - 1, d0, d1);
    if (d0 > 0 && lowest <= 0) this.closeAtTouches(t, d0, d1, -lowest);
  }

  private closeAtTouches(t: number, d0: number, d1: number, further: number): void {
    const { state, closing, before, now, touch, touches } = this;
    touches?.pricesAt(before, now, d0, d1, touch);
    let deficit = further;
    for (let count = 1; ; count++) {
      state.evaluate(touch);
      this.forced(t);
      closing.run(touch, touch, true, deficit);
      if (closing.closes.ended !== undefined) {
        this.endPrices.set(touch);
        return;
      }
      state.evaluate(touch);
      const left = state.excess;
      state.evaluate(now);
      const atEnd = state.excess;
      if (count === MOST_TOUCHES || !(left > 0 && atEnd < 0)) return;
      before.set(touch);
      pricesBetween(before, now, left, atEnd, touch);
      deficit = -atEnd;
    }
  }

  /** Books the funding that is due. The state stays that of the prices of t. */
  private settle(t: number): void {
    const { state, funding, product, account, now, rowFunding, fundingUnits } = this;
    if (funding.anyDue[t - 1] === 0) return;
    const { rows, debitsOnly, currencies } = product;
    let booked = false;
    for (let i = 0; i < rows.length; i++) {
      const due = funding.due[i][t - 1];
      if (due === 0 || state.open[i] === 0) continue;
      const { process, fundingRate, inverse, currency } = rows[i];
      const rate = process === undefined ? fundingRate : funding.rates[process][t - 1];
      const unit = now[account.currencyAsset[currency]];
      const quote = inverse ? 1 : currencies[currency].price * unit;
      const flow = -account.side[i] * state.notional[i] * quote * rate * due;
      if (flow === 0 || (flow > 0 && debitsOnly)) continue;
      state.book(currency, flow, now);
      rowFunding[i] += flow;
      fundingUnits[i] += flow / unit;
      this.accumulatedFunding += flow;
      booked = true;
    }
    if (booked) state.sumValues();
  }

  /** Margin call and closes at the deciding prices, at which the state is evaluated. */
  private decide(t: number, decide: Float64Array): void {
    const { state, closing, product, now } = this;
    if (this.callHour === NEVER && state.marginEquity <= state.required / product.marginCallRatio)
      this.callHour = t;
    if (!closing.isLiquidatable(state)) return;
    this.forced(t);
    closing.run(decide, now, false, 0);
    if (closing.closes.ended === undefined) state.evaluate(now);
    else this.endPrices.set(now);
  }

  private forced(t: number): void {
    if (this.callHour === NEVER) this.callHour = t;
    if (this.closeHour === NEVER) this.closeHour = t;
  }

  /** The figures of an hour: its leverage, or the end; peak and drawdown. */
  private note(t: number): void {
    const { state, equity } = this;
    if (this.isOver) this.endHour = t;
    else if (state.equity > 0) this.leverage[this.leverages++] = state.notionals / state.equity;
    if (equity > this.peak) this.peak = equity;
    this.maxEquityDrawdown = Math.min(this.maxEquityDrawdown, equity - this.peak);
  }

  private finish(): void {
    const { leverage, leverages } = this;
    this.finalEquity = this.equity;
    this.medianLeverage = leverages === 0 ? 0 : medianInPlace(leverage.subarray(0, leverages));
    this.setFlags();
  }

  /** The flags of the events of a path at its end. */
  setFlags(): void {
    const { takenOver, shortfall } = this.closing.closes;
    this.flags = 0;
    if (this.callHour !== NEVER) this.flags |= FLAG_MARGIN_CALL;
    if (this.endHour !== NEVER) this.flags |= FLAG_LIQUIDATION;
    if (takenOver > 0) this.flags |= FLAG_TAKEN_OVER;
    if (shortfall > LEAST_SHORTFALL * this.equityAtStart) this.flags |= FLAG_SHORTFALL;
  }

  /** Adds what each row gained, valued at the end, and what each balance of the start gained, times a weight. */
  addParts(weight: number, parts: Float64Array, first: number): void {
    const { state, account, closing, endPrices, fundingUnits, profitsAtStart } = this;
    const rows = state.open.length;
    for (let i = 0; i < rows; i++) {
      const unit = endPrices[account.currencyAsset[account.currency[i]]];
      const gained = (closing.closes.gained[i] + fundingUnits[i]) * unit;
      parts[first + i] += weight * (gained + state.profit(i, endPrices) - profitsAtStart[i]);
    }
    for (let c = 0; c < account.balance.length; c++)
      parts[first + rows + c] += weight * account.balance[c] * (endPrices[account.currencyAsset[c]] - 1);
  }
}

/** The account of a plan along given prices. @param counts receives the equity of each path */
export function accountOn(
  plan: SimulationPlan<AccountProduct>,
  prices: AssetPrices,
  law: HourLaw,
  counts: MarkCounts | undefined,
): AccountFollower {
  const account = new AccountOnPath(plan.product, plan, law);
  return {
    account,
    follow(path) {
      prices.simulate(path, account.paths);
      account.follow(path);
      counts?.add(account.equityPath);
    },
  };
}
