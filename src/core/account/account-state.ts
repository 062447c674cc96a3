/**
 * The state of an account on a path, and what follows from it at given prices: equity, margin equity, maintenance and their slopes
 * (docs/accounts.md, "The account").
 */
import type { PreparedAccount } from './prepared-account.ts';

export class AccountState {
  /** Per row: the share of the position that is open, 0 to 1. */
  readonly open: Float64Array;
  /** Per currency: balance without unrealised profit. */
  readonly balance: Float64Array;

  // At the prices of the last `evaluate`, USD.

  /** Per currency: value with unrealised profit. */
  readonly value: Float64Array;
  /** Per row: notional, maintenance margin, and the place of its tier. */
  readonly notional: Float64Array;
  readonly maintenance: Float64Array;
  readonly tier: Uint32Array;
  /** G. */
  equity = 0;
  /** E. */
  marginEquity = 0;
  /** M: maintenance, with the fee that is set aside. */
  required = 0;
  /** Sum of the maintenance margins. */
  maintained = 0;
  notionals = 0;

  constructor(readonly account: PreparedAccount) {
    const rows = account.asset.length;
    this.open = new Float64Array(rows);
    this.notional = new Float64Array(rows);
    this.maintenance = new Float64Array(rows);
    this.tier = new Uint32Array(rows);
    this.balance = new Float64Array(account.balance.length);
    this.value = new Float64Array(account.balance.length);
  }

  start(): void {
    this.open.fill(1);
    this.balance.set(this.account.balance);
  }

  /** E - M. */
  get excess(): number {
    return this.marginEquity - this.required;
  }

  /** What the sizes of all slopes add up to at most: a bound that costs less than the slopes. */
  get slopeBound(): number {
    const { account, notionals, value } = this;
    let bound = account.slopeOfNotionals * notionals;
    for (let c = 0; c < value.length; c++) bound += account.slopeOfValues * Math.abs(value[c]);
    return bound;
  }

  get isEmpty(): boolean {
    const { open } = this;
    for (let i = 0; i < open.length; i++) if (open[i] > 0) return false;
    return true;
  }

  /** Evaluates the account. @param prices relative, one an asset, then USD */
  evaluate(prices: Float64Array): void {
    const { account, open, value, balance, notional, maintenance, tier } = this;
    const { asset, currency, currencyAsset, inverse, slope, level, unit, coin } = account;
    const { tierFirst, tierRate, tierDeduction } = account;
    for (let c = 0; c < value.length; c++) value[c] = balance[c] * prices[currencyAsset[c]];
    let notionals = 0;
    let maintained = 0;
    for (let i = 0; i < open.length; i++) {
      const share = open[i];
      if (share === 0) {
        notional[i] = 0;
        maintenance[i] = 0;
        continue;
      }
      const price = prices[asset[i]];
      const c = currency[i];
      const profit = share * (slope[i] * price - level[i]);
      value[c] += inverse[i] === 1 ? profit : profit * prices[currencyAsset[c]];
      const size = share * account.notional[i] * (inverse[i] === 1 ? 1 : price);
      const usdOfUnit = coin[i] === 1 ? unit[i] * price : 1;
      // As tierAt and inTier, without calls: this loop is most of an hour.
      let place = tierFirst[i];
      let highest = tierRate[place] * size - tierDeduction[place] * usdOfUnit;
      for (let k = place + 1; k < tierFirst[i + 1]; k++) {
        const line = tierRate[k] * size - tierDeduction[k] * usdOfUnit;
        if (line <= highest) continue;
        highest = line;
        place = k;
      }
      const margin = highest > 0 ? highest : 0;
      tier[i] = place;
      maintenance[i] = margin;
      notional[i] = size;
      notionals += size;
      maintained += margin;
    }
    this.notionals = notionals;
    this.maintained = maintained;
    this.required = maintained + account.reserved * notionals;
    this.sumValues();
  }

  /** Equity and margin equity of the present values. */
  sumValues(): void {
    const { value, account } = this;
    let equity = 0;
    let counted = 0;
    for (let c = 0; c < value.length; c++) {
      equity += value[c];
      counted += value[c] * (value[c] < 0 ? account.debtWeight[c] : account.creditWeight[c]);
    }
    this.equity = equity;
    this.marginEquity = counted;
  }

  /** Books USD at `prices` in a currency, also in its value. @param prices those of the last `evaluate` */
  book(c: number, usd: number, prices: Float64Array): void {
    this.balance[c] += usd / prices[this.account.currencyAsset[c]];
    this.value[c] += usd;
  }

  /** Unrealised profit of a row in USD, from its entry price. */
  profit(i: number, prices: Float64Array): number {
    const { asset, currency, currencyAsset, inverse, slope, level } = this.account;
    const profit = this.open[i] * (slope[i] * prices[asset[i]] - level[i]);
    return inverse[i] === 1 ? profit : profit * prices[currencyAsset[currency[i]]];
  }

  /**
   * D_a = dE / d ln S_a - dM / d ln S_a of every asset, at the prices of the last `evaluate`.
   *
   * @param slopes receives one number an asset; a further one, of USD, has no meaning
   */
  slopesAt(prices: Float64Array, slopes: Float64Array): void {
    const { account, open, value, notional, maintenance, tier } = this;
    const { asset, currency, currencyAsset, inverse, slope, coin, unit, reserved, tierRate } = account;
    slopes.fill(0);
    const weight = (c: number) => (value[c] < 0 ? account.debtWeight[c] : account.creditWeight[c]);
    for (let c = 0; c < value.length; c++) slopes[currencyAsset[c]] += weight(c) * value[c];
    for (let i = 0; i < open.length; i++) {
      if (open[i] === 0) continue;
      const a = asset[i];
      const c = currency[i];
      // What the currency is worth is in the slope of its value; an inverse row's value is n S (1 / entry - 1 / P).
      const ofProfit =
        inverse[i] === 1
          ? open[i] * account.level[i]
          : open[i] * slope[i] * prices[a] * prices[currencyAsset[c]];
      slopes[a] += weight(c) * ofProfit;
      if (maintenance[i] > 0) {
        const deduction = account.tierDeduction[tier[i]] * unit[i] * prices[a];
        const ofSize = inverse[i] === 1 ? 0 : tierRate[tier[i]] * notional[i];
        slopes[a] -= coin[i] === 1 ? (inverse[i] === 1 ? -deduction : maintenance[i]) : ofSize;
      }
      if (inverse[i] === 0) slopes[a] -= reserved * notional[i];
    }
  }

  /** Maintenance margin of a row of that notional, USD. */
  maintenanceOf(i: number, notional: number, prices: Float64Array): number {
    const { account } = this;
    const usdOfUnit = account.coin[i] === 1 ? account.unit[i] * prices[account.asset[i]] : 1;
    return inTier(account, tierAt(account, i, notional / usdOfUnit), notional, usdOfUnit);
  }

  /** M with the share `kept` of what is open of every row. */
  requiredAt(kept: number, prices: Float64Array): number {
    const { account, open, notional } = this;
    let sum = 0;
    for (let i = 0; i < open.length; i++) {
      if (open[i] === 0) continue;
      const size = kept * notional[i];
      sum += this.maintenanceOf(i, size, prices) + account.reserved * size;
    }
    return sum;
  }

  /** The largest notional of a row, USD, whose requirement is `required` or less. */
  notionalRequiring(i: number, required: number, prices: Float64Array): number {
    const { tierFirst, tierRate, tierDeduction, reserved, coin, unit, asset } = this.account;
    const usdOfUnit = coin[i] === 1 ? unit[i] * prices[asset[i]] : 1;
    let least = Number.POSITIVE_INFINITY;
    for (let k = tierFirst[i]; k < tierFirst[i + 1]; k++)
      least = Math.min(least, (required + tierDeduction[k] * usdOfUnit) / (tierRate[k] + reserved));
    return Math.max(0, least);
  }
}

/** The place of the tier of x: the line r x - d that is highest there. */
function tierAt({ tierFirst, tierRate, tierDeduction }: PreparedAccount, i: number, x: number): number {
  let place = tierFirst[i];
  let highest = tierRate[place] * x - tierDeduction[place];
  for (let k = place + 1; k < tierFirst[i + 1]; k++) {
    const line = tierRate[k] * x - tierDeduction[k];
    if (line <= highest) continue;
    highest = line;
    place = k;
  }
  return place;
}

/** Maintenance margin of a notional in a tier, USD. */
const inTier = (
  { tierRate, tierDeduction }: PreparedAccount,
  place: number,
  notional: number,
  usdOfUnit: number,
): number => Math.max(0, tierRate[place] * notional - tierDeduction[place] * usdOfUnit);
