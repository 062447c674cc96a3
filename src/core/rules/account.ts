/**
 * The cross-margined account: docs/accounts.md. One path in the words of the rules, with a row for each position; it is read and tested.
 *
 * Takes: an account, prices by the hour relative to the start, the lowest points of the hours and the rates of processes. Gives: the figures
 * of that path in USD.
 */
import type { AccountProduct } from '../plan/product/account.ts';
import { settlementsPerStep } from '../plan/product/perpetual.ts';
import { plannedShares } from './account-passes.ts';
import { AccountState, type Prices, sum, tierOf } from './account-state.ts';
import { medianOf } from './perpetual.ts';

/** What a path needs beside its prices. */
export interface PathTerms {
  /** Prices at hours 0..T. */
  readonly prices: readonly Prices[];
  /** U of each hour, 1..T at index t - 1. */
  readonly uniform: readonly number[];
  /** Covariance of the log returns of each hour, row-major over the assets. */
  readonly covariance: (hour: number) => readonly number[];
  /** Rates of each process, at index t - 1. */
  readonly rates: readonly ArrayLike<number>[];
}

export interface AccountPath {
  readonly callHour: number;
  readonly closeHour: number;
  readonly endHour: number;
  readonly finalEquity: number;
  readonly accumulatedFunding: number;
  readonly maxEquityDrawdown: number;
  readonly medianLeverage: number;
  readonly fees: number;
  readonly shortfall: number;
  readonly takenOver: number;
  readonly deleveraged: number;
  readonly closed: readonly number[];
}

const HEALTHY = 1 - 2 ** -18;
const NEVER = -1;

/** The account on a path: docs/accounts.md, "One hour". */
export function accountOnPath(product: AccountProduct, terms: PathTerms): AccountPath {
  const { prices, uniform, covariance, rates } = terms;
  const account = new Account(product);
  const start = new Account(product).at(prices[0].map(() => 1));
  account.notionalAtStart = sum(start.notionals);
  const due = product.rows.map(row => settlementsPerStep(product.steps, row.fundingIntervalHours));
  const equities = [start.equity];
  const leverages: number[] = [];
  let [callHour, closeHour, endHour] = [NEVER, NEVER, NEVER];
  let funding = 0;
  const force = (t: number) => {
    if (callHour === NEVER) callHour = t;
    if (closeHour === NEVER) closeHour = t;
  };
  /** Margin call and closes at the deciding prices. */
  const decide = (t: number, deciding: Prices, fill: Prices) => {
    const now = account.at(deciding);
    if (callHour === NEVER && now.margin <= now.required / product.marginCallRatio) callHour = t;
    if (!account.isLiquidatable(now)) return;
    force(t);
    account.close(deciding, fill, false, 0);
  };
  const equityNow = (t: number) => account.ended ?? account.at(prices[t]).equity;
  const note = (t: number) => {
    equities.push(equityNow(t));
    if (account.ended !== undefined) endHour = t;
    else if (equityNow(t) > 0) leverages.push(sum(account.at(prices[t]).notionals) / equityNow(t));
  };

  account.beginHour();
  if (product.shock !== undefined) decide(0, prices[0], prices[0]);
  note(0);
  for (let t = 1; t < prices.length && account.ended === undefined; t++) {
    account.beginHour();
    if (product.bridgeVariance > 0) {
      const touched = account.touches(
        prices[t - 1],
        prices[t],
        covariance(t),
        uniform[t - 1],
        callHour === NEVER,
      );
      if (touched.called && callHour === NEVER) callHour = t;
      if (touched.closed) force(t);
    }
    if (account.ended === undefined) {
      product.rows.forEach((row, i) => {
        const rate = row.process === undefined ? row.fundingRate : rates[row.process][t - 1];
        funding += account.payFunding(i, rate * due[i][t - 1], prices[t]);
      });
      decide(t, prices[Math.max(0, t - product.feedLagHours)], prices[t]);
    }
    note(t);
  }

  let peak = equities[0];
  let maxEquityDrawdown = 0;
  for (const equity of equities) {
    peak = Math.max(peak, equity);
    maxEquityDrawdown = Math.min(maxEquityDrawdown, equity - peak);
  }
  return {
    ...{ callHour, closeHour, endHour, maxEquityDrawdown },
    finalEquity: equities[equities.length - 1],
    accumulatedFunding: funding,
    medianLeverage: leverages.length === 0 ? 0 : medianOf(leverages),
    ...account.paid,
    closed: account.open.map(share => 1 - share),
  };
}

class Account extends AccountState {
  ended: number | undefined;
  notionalAtStart = 0;
  readonly paid = { fees: 0, shortfall: 0, takenOver: 0, deleveraged: 0 };
  private depth: number[] = [];

  beginHour(): void {
    this.depth = this.product.rows.map(({ depth = Number.POSITIVE_INFINITY }) => depth);
  }

  /** What a settlement books, USD. */
  payFunding(i: number, rate: number, prices: Prices): number {
    const { quantity, currency, inverse } = this.product.rows[i];
    const unit = this.unit(currency, prices);
    // Of a linear row |q| P units of its stablecoin, of an inverse one |n| / P coins.
    const units = (this.notional(i, prices) * -Math.sign(quantity) * rate) / (inverse ? unit : 1);
    if (this.product.debitsOnly && units > 0) return 0;
    this.balances[currency] += units;
    return units * unit;
  }

  /** Touches within an hour: docs/accounts.md, "One hour", step 2. */
  touches(from: Prices, to: Prices, covariance: readonly number[], u: number, mayBeCalled: boolean) {
    const before = this.at(from);
    const after = this.at(to);
    const slopes = this.slopes(from);
    const n = slopes.length;
    const spread = slopes.map((_, a) => sum(slopes.map((slope, b) => covariance[a * n + b] * slope)));
    const dcd = sum(slopes.map((slope, a) => slope * spread[a]));
    const lowest = (d0: number, d1: number) =>
      (d0 + d1 - Math.sqrt((d1 - d0) ** 2 - 2 * this.product.bridgeVariance * dcd * Math.log(u))) / 2;
    const ratio = this.product.marginCallRatio;
    const called =
      mayBeCalled &&
      lowest(before.margin - before.required / ratio, after.margin - after.required / ratio) <= 0;
    const [d0, d1] = [before.margin - before.required, after.margin - after.required];
    if (!(d0 > 0) || lowest(d0, d1) > 0) return { called, closed: false };
    const part = d0 / (d0 + Math.abs(d1));
    const fall = d1 > 0 && dcd > 0 ? (2 * d0 * d1) / ((d0 + Math.abs(d1)) * dcd) : 0;
    let at = to.map((price, a) =>
      a < n ? from[a] * Math.exp(part * Math.log(price / from[a]) - spread[a] * fall) : price,
    );
    let further = -lowest(d0, d1);
    for (let count = 1; ; count++) {
      this.close(at, at, true, further);
      if (this.ended !== undefined || count === 8) break;
      const left = this.at(at).margin - this.at(at).required;
      const end = this.at(to).margin - this.at(to).required;
      if (!(left > 0 && end < 0)) break;
      const next = left / (left - end);
      at = at.map((price, a) => price * (to[a] / price) ** next);
      further = -end;
    }
    return { called: true, closed: true };
  }

  /** D_a = dE / d ln S_a - dM / d ln S_a. */
  private slopes(prices: Prices): number[] {
    const { rows, currencies } = this.product;
    const { values, notionals, maintenances } = this.at(prices);
    const weight = (c: number) => (values[c] < 0 ? 1 + currencies[c].debtMarkup : 1 - currencies[c].haircut);
    return prices.slice(0, -1).map((_, a) => {
      let slope = 0;
      currencies.forEach(({ asset }, c) => {
        if (asset === a) slope += weight(c) * values[c];
      });
      rows.forEach((row, i) => {
        if (row.asset !== a || this.open[i] === 0) return;
        const size = Math.sign(row.quantity) * notionals[i];
        // A linear profit q P is in units of the stablecoin; n S / P is in USD.
        slope += weight(row.currency) * size * (row.inverse ? 1 : this.unit(row.currency, prices));
        slope -= row.inverse ? 0 : this.reserved * notionals[i];
        if (maintenances[i] === 0) return;
        const usd = this.counted(row, prices);
        const { rate, deduction } = row.tiers[tierOf(row.tiers, notionals[i] / usd)];
        // Of m(N / S) S with N in proportion to S, or constant.
        if (row.coin) slope -= row.inverse ? -deduction * usd : maintenances[i];
        else slope -= row.inverse ? 0 : rate * notionals[i];
      });
      return slope;
    });
  }

  /** An event: docs/accounts.md, "Closing". */
  close(deciding: Prices, fill: Prices, touched: boolean, further: number): void {
    const { venue } = this.product;
    const turned = new Set<number>();
    let turn = -1;
    for (let pass = 1; pass <= 64; pass++) {
      const now = this.at(deciding);
      if (pass === 1 && !touched && !this.isLiquidatable(now)) return;
      if (pass > 1 && !(now.margin < now.required * HEALTHY)) return;
      if (venue.backstop > 0 && now.margin < venue.backstop * now.required) {
        this.takeOver(fill);
        return;
      }
      let shares = this.open.map(() => 1);
      if (pass < 64) {
        const planned = plannedShares(this, now, deciding, pass === 1 ? further : 0, turned, turn);
        shares = planned.shares;
        turn = planned.turn;
      }
      const left = sum(now.notionals.map((notional, i) => notional * (1 - shares[i])));
      const closesRest = ['share', 'enough', 'portion'].includes(venue.close.rule);
      if (closesRest && left < 0.01 * this.notionalAtStart) shares = this.open.map(() => 1);
      if (!this.book(shares, fill)) return;
      if (this.open.every(share => share === 0)) {
        this.end(fill);
        return;
      }
    }
  }

  /** The closes of a pass, then its fees. */
  private book(shares: readonly number[], prices: Prices): boolean {
    const { venue } = this.product;
    const fees = shares.map(() => 0);
    let any = false;
    shares.forEach((share, i) => {
      if (share === 0 || this.open[i] === 0) return;
      const closed = this.closeRow(i, share, prices);
      any = any || closed !== undefined;
      fees[i] = closed ?? 0;
    });
    if (venue.feeCap === 'equity') {
      const paid = Math.min(1, Math.max(0, this.at(prices).equity) / sum(fees) || 0);
      fees.forEach((fee, i) => {
        this.charge(i, paid * fee, prices);
      });
      this.paid.fees += paid * sum(fees);
    }
    return any;
  }

  /** A close: docs/accounts.md, "A close". @returns its fee where the pass pays it; undefined where nothing closes */
  private closeRow(i: number, wanted: number, prices: Prices): number | undefined {
    const { venue, rows, slippage, slippageGrowth } = this.product;
    const before = this.at(prices);
    const notional = before.notionals[i];
    let share = this.open[i] * (1 - wanted) < 2 ** -20 ? 1 : wanted;
    const filled = Math.min(share * notional, this.depth[i]);
    const staysOpen = venue.unfilled === 'open' && before.equity >= 0 && filled < share * notional;
    if (staysOpen) share = filled / notional;
    if (share === 0) return undefined;
    const unfilled = staysOpen ? 0 : share * notional - filled;
    this.depth[i] -= filled;
    const { hourlyVolume = Number.POSITIVE_INFINITY, quantity } = rows[i];
    const cost = filled * Math.min(0.5, slippage + slippageGrowth * Math.sqrt(filled / hourlyVolume));
    const allM = sum(before.maintenances);
    this.balances[rows[i].currency] += share * this.profit(i, prices);
    this.open[i] = share === 1 ? 0 : this.open[i] * (1 - share);
    if (venue.costs === 'fund') this.paid.shortfall += cost;
    else this.charge(i, cost, prices);
    if (unfilled > 0) {
      this.paid.deleveraged += unfilled;
      const part = venue.bankruptcy === 'whole' ? 1 : allM > 0 ? before.maintenances[i] / allM : 0;
      if (!(venue.unfilled === 'mark' && before.equity > 0))
        this.charge(i, (before.equity * part * unfilled) / notional, prices);
    }
    const fee =
      venue.maintenanceFee === undefined
        ? venue.feeRate * share * notional
        : venue.maintenanceFee * share * before.maintenances[i];
    if (venue.feeCap === 'equity') return fee;
    if (unfilled === 0) {
      const fall = before.maintenances[i] - this.at(prices).maintenances[i];
      const most = (allM > 0 ? (before.equity * fall) / allM : 0) - cost;
      const paid = Math.min(venue.feeRate * (filled - Math.sign(quantity) * cost), most);
      this.charge(i, paid, prices);
      if (paid < 0) this.paid.shortfall -= paid;
      else this.paid.fees += paid;
    }
    return 0;
  }

  private charge(i: number, usd: number, prices: Prices): void {
    const { currency } = this.product.rows[i];
    this.balances[currency] -= usd / this.unit(currency, prices);
  }

  private takeOver(prices: Prices): void {
    const { equity } = this.at(prices);
    this.open = this.open.map(() => 0);
    this.paid.takenOver += Math.max(0, equity);
    this.paid.shortfall += Math.max(0, -equity);
    this.ended = 0;
  }

  /** With no position left: docs/accounts.md, "One hour", step 6. */
  private end(prices: Prices): void {
    const { venue } = this.product;
    const { values, equity } = this.at(prices);
    const debts = -sum(values.filter(value => value < 0));
    const credits = sum(values.filter(value => value > 0));
    const left = equity - venue.conversionCost * Math.min(debts, credits);
    this.paid.shortfall += Math.max(0, -left);
    if (venue.rest === 'fund') this.paid.takenOver += Math.max(0, left);
    this.ended = venue.rest === 'fund' ? 0 : Math.max(0, left);
  }
}
