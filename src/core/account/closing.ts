/** Forced closes: passes until the account is healthy or empty, and how each close is booked (docs/accounts.md, "Closing"). */
import type { AccountState } from './account-state.ts';
import type { ClosingEvent, ClosingRule } from './close/closing-rule.ts';
import { CLOSING } from './close/closing-rules.ts';

/** After the first pass of an event the rounding of just enough must not start another one. */
const HEALTHY = 1 - 2 ** -18;
const MOST_PASSES = 64;
/** What would stay open of a row below this share is closed. */
const LEAST_SHARE = 2 ** -20;
/** A pass leaves at least this share of the notional at the start, or nothing. */
const LEAST_REMAINDER = 0.01;
const MOST_SLIPPAGE = 0.5;

/** What the closes of a path add up to, USD. */
export interface Closes {
  fees: number;
  shortfall: number;
  takenOver: number;
  deleveraged: number;
  /** Per row: whether a close was forced, and gains without unrealised profit in its currency at the start: costs and fees taken off. */
  readonly forced: Uint8Array;
  readonly gained: Float64Array;
  /** Equity at the end, once no position is left. */
  ended: number | undefined;
}

/** The closes of a path on which nothing is closed yet. */
export const noCloses = (rows: number): Closes => ({
  fees: 0,
  shortfall: 0,
  takenOver: 0,
  deleveraged: 0,
  forced: new Uint8Array(rows),
  gained: new Float64Array(rows),
  ended: undefined,
});

/** @returns `to`, with what `from` has */
export function copyCloses(from: Closes, to: Closes): Closes {
  to.fees = from.fees;
  to.shortfall = from.shortfall;
  to.takenOver = from.takenOver;
  to.deleveraged = from.deleveraged;
  to.forced.set(from.forced);
  to.gained.set(from.gained);
  to.ended = from.ended;
  return to;
}

export class Closing {
  /** Of the path in hand. */
  closes: Closes;
  private readonly untouched: Closes;
  private readonly rule: ClosingRule;
  private readonly shares: Float64Array;
  private readonly fees: Float64Array;
  private readonly turned: Uint8Array;
  /** What finds a counterparty in the rest of the hour, per row, USD. */
  private readonly depthLeft: Float64Array;
  /** Sum of the notionals at the start, USD. */
  private readonly notionalsAtStart: number;

  constructor(private readonly state: AccountState) {
    const rows = state.open.length;
    this.rule = CLOSING[state.account.product.venue.close.rule];
    this.shares = new Float64Array(rows);
    this.fees = new Float64Array(rows);
    this.turned = new Uint8Array(rows);
    this.depthLeft = new Float64Array(rows);
    this.closes = noCloses(rows);
    this.untouched = noCloses(rows);
    this.notionalsAtStart = state.account.notional.reduce((sum, notional) => sum + notional, 0);
  }

  /** Begins a path. */
  start(): void {
    copyCloses(this.untouched, this.closes);
  }

  beginHour(): void {
    this.depthLeft.set(this.state.account.depth);
  }

  /** Whether the account, as evaluated, is closed by its rules. */
  isLiquidatable({ marginEquity, required }: AccountState): boolean {
    return this.state.account.product.venue.strict ? marginEquity < required : marginEquity <= required;
  }

  /**
   * One event: passes while the account is liquidatable at the deciding prices.
   *
   * @param decide the deciding prices, at which the state is evaluated
   * @param fill the prices of the fills
   * @param touched whether the first pass is made whatever the check says there
   * @param further deficit beyond that at the deciding prices
   */
  run(decide: Float64Array, fill: Float64Array, touched: boolean, further: number): void {
    const { state } = this;
    if (!touched && !this.isLiquidatable(state)) return;
    const event = this.begin(decide, further);
    for (let pass = 1; this.pass(event, fill, pass === MOST_PASSES) && pass < MOST_PASSES; pass++) {
      state.evaluate(decide);
      if (state.marginEquity >= state.required * HEALTHY) return;
      event.further = 0;
    }
  }

  /** An event at the deciding prices, at which the state is evaluated. */
  begin(decide: Float64Array, further: number): ClosingEvent {
    const { state, turned } = this;
    turned.fill(0);
    const terms = state.account.product.venue.close;
    return { state, prices: decide, terms, further, feeOfAll: 0, turned, turn: -1 };
  }

  /** One pass. @param isLast whether it closes everything @returns whether another one may follow */
  pass(event: ClosingEvent, fill: Float64Array, isLast: boolean): boolean {
    const { state, closes } = this;
    const { venue } = state.account.product;
    if (venue.backstop > 0 && state.marginEquity < venue.backstop * state.required) {
      this.takeOver(fill);
      return false;
    }
    event.feeOfAll =
      venue.maintenanceFee === undefined
        ? venue.feeRate * state.notionals
        : venue.maintenanceFee * state.maintained;
    this.decide(event, isLast);
    if (!this.book(fill)) return false;
    if (!state.isEmpty) return true;
    closes.ended = this.rest(fill);
    return false;
  }

  /** Sets the shares of a pass. */
  private decide(event: ClosingEvent, isLast: boolean): void {
    const { state, shares, rule } = this;
    const { open, notional } = state;
    shares.fill(0);
    if (isLast) shares.fill(1);
    else rule.pass(event, shares);
    let left = 0;
    for (let i = 0; i < open.length; i++) left += (1 - shares[i]) * notional[i];
    if (rule.closesRemainders && left < LEAST_REMAINDER * this.notionalsAtStart) shares.fill(1);
  }

  /** Books the shares of a pass at prices. @returns whether anything was closed */
  private book(prices: Float64Array): boolean {
    const { state, shares, fees, closes } = this;
    const { venue } = state.account.product;
    state.evaluate(prices);
    fees.fill(0);
    let closed = false;
    for (let i = 0; i < shares.length; i++)
      if (shares[i] > 0 && state.open[i] > 0) closed = this.close(i, shares[i], prices) || closed;
    if (venue.feeCap === 'bankruptcy') return closed;
    state.sumValues();
    const due = fees.reduce((sum, fee) => sum + fee, 0);
    const most = Math.max(0, state.equity);
    const paid = due > most ? most / due : 1;
    for (let i = 0; i < fees.length; i++) if (fees[i] > 0) this.charge(i, paid * fees[i], prices);
    closes.fees += paid * due;
    return closed;
  }

  /** Closes a share of what is open of a row. @returns false where nothing finds a counterparty and it stays open */
  private close(i: number, part: number, prices: Float64Array): boolean {
    const { state, closes, depthLeft, fees } = this;
    const { account, notional, maintenance } = state;
    const { venue, slippage, slippageGrowth, rows } = account.product;
    state.sumValues();
    const { equity } = state;
    const before = maintenance[i];
    const allBefore = maintenance.reduce((sum, m) => sum + m, 0);
    let share = state.open[i] * (1 - part) < LEAST_SHARE ? 1 : part;
    let amount = share * notional[i];
    const filled = Math.min(amount, depthLeft[i]);
    if (filled < amount && venue.unfilled === 'open' && equity >= 0) {
      if (filled === 0) return false;
      share = filled / notional[i];
      amount = filled;
    }
    const unfilled = amount - filled;
    depthLeft[i] -= filled;
    closes.forced[i] = 1;

    const { hourlyVolume } = rows[i];
    const growth = hourlyVolume === undefined ? 0 : slippageGrowth * Math.sqrt(filled / hourlyVolume);
    const cost = filled * Math.min(MOST_SLIPPAGE, slippage + growth);
    let charged = venue.costs === 'account' ? cost : 0;
    if (venue.costs === 'fund') closes.shortfall += cost;
    if (unfilled > 0) {
      closes.deleveraged += unfilled;
      const atMark = venue.unfilled === 'mark' && equity > 0;
      const ofRow = venue.bankruptcy === 'share' ? (allBefore > 0 ? before / allBefore : 0) : 1;
      if (!atMark) charged += (equity * ofRow * unfilled) / notional[i];
    }
    this.realise(i, share, prices);
    this.charge(i, charged, prices);
    const fee =
      venue.maintenanceFee === undefined ? venue.feeRate * amount : venue.maintenanceFee * share * before;
    if (venue.feeCap === 'equity') fees[i] += fee;
    else if (unfilled === 0) {
      const fill = account.side[i] > 0 ? filled - cost : filled + cost;
      const most = (allBefore > 0 ? (equity * (before - maintenance[i])) / allBefore : 0) - cost;
      const paid = Math.min(venue.feeRate * fill, most);
      this.charge(i, paid, prices);
      if (paid < 0) closes.shortfall -= paid;
      else closes.fees += paid;
    }
    return true;
  }

  /** Turns a share of the unrealised profit of a row into balance, and keeps its notional and maintenance up to date. */
  private realise(i: number, share: number, prices: Float64Array): void {
    const { state, closes } = this;
    const { account, open, notional, maintenance } = state;
    const c = account.currency[i];
    const units = (share * state.profit(i, prices)) / prices[account.currencyAsset[c]];
    // The value of the currency has it already.
    state.balance[c] += units;
    closes.gained[i] += units;
    open[i] *= 1 - share;
    if (share === 1) open[i] = 0;
    notional[i] *= 1 - share;
    maintenance[i] = state.maintenanceOf(i, notional[i], prices);
  }

  private charge(i: number, usd: number, prices: Float64Array): void {
    const { state, closes } = this;
    const { currency, currencyAsset } = state.account;
    const c = currency[i];
    state.book(c, -usd, prices);
    closes.gained[i] -= usd / prices[currencyAsset[c]];
  }

  /** The fund takes balances and positions as they are. */
  private takeOver(prices: Float64Array): void {
    const { state, closes } = this;
    state.evaluate(prices);
    for (let i = 0; i < state.open.length; i++) {
      if (state.open[i] === 0) continue;
      closes.forced[i] = 1;
      this.realise(i, 1, prices);
    }
    closes.takenOver += Math.max(0, state.equity);
    closes.shortfall += Math.max(0, -state.equity);
    closes.ended = 0;
  }

  /** Equity once no position is left: after conversion, the fund's payment of a debt, and its part of the rest. */
  private rest(prices: Float64Array): number {
    const { state, closes } = this;
    const { venue } = state.account.product;
    state.evaluate(prices);
    let debts = 0;
    let credits = 0;
    for (const value of state.value) {
      if (value < 0) debts -= value;
      else credits += value;
    }
    const equity = credits - debts - venue.conversionCost * Math.min(debts, credits);
    if (equity < 0) closes.shortfall -= equity;
    if (equity <= 0) return 0;
    if (venue.rest === 'account') return equity;
    closes.takenOver += equity;
    return 0;
  }
}
