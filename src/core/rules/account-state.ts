/** What an account is worth at prices, and what its positions require: docs/accounts.md, "The account". */
import type { AccountProduct, AccountRow, Tier } from '../plan/product/account.ts';

/** S_a(t) / S_a(0) of each asset, shock included; USD last. */
export type Prices = readonly number[];

/** Maintenance of a notional of x units: docs/accounts.md, "The account". */
export const maintenance = (tiers: readonly Tier[], x: number): number =>
  Math.max(0, ...tiers.map(({ rate, deduction }) => rate * x - deduction));

/** The tier of x, from 0: the line that is highest there. docs/accounts.md, "The account". */
export function tierOf(tiers: readonly Tier[], x: number): number {
  const lines = tiers.map(({ rate, deduction }) => rate * x - deduction);
  return lines.indexOf(Math.max(...lines));
}

export interface At {
  readonly values: readonly number[];
  readonly equity: number;
  /** E. */
  readonly margin: number;
  readonly notionals: readonly number[];
  readonly maintenances: readonly number[];
  /** M. */
  readonly required: number;
}

/** Shares that are open and balances, and what follows from them at prices. */
export class AccountState {
  open: number[];
  /** Units of each currency. */
  balances: number[];

  constructor(readonly product: AccountProduct) {
    this.open = product.rows.map(() => 1);
    this.balances = product.currencies.map(({ balance }) => balance);
  }

  /** USD of a unit of a currency. */
  unit(c: number, prices: Prices): number {
    const { price, asset } = this.product.currencies[c];
    return price * prices[asset];
  }

  /** Unrealised profit in units of the settlement currency. */
  profit(i: number, prices: Prices): number {
    const { inverse, quantity, entryPrice, markPrice, asset } = this.product.rows[i];
    const mark = markPrice * prices[asset];
    return this.open[i] * quantity * (inverse ? 1 / entryPrice - 1 / mark : mark - entryPrice);
  }

  notional(i: number, prices: Prices): number {
    const { inverse, quantity, markPrice, assetPrice, asset } = this.product.rows[i];
    const mark = markPrice * prices[asset];
    return this.open[i] * Math.abs(quantity) * (inverse ? (assetPrice * prices[asset]) / mark : mark);
  }

  /** USD of what the tiers of a row count. */
  counted({ coin, assetPrice, asset }: AccountRow, prices: Prices): number {
    return coin ? assetPrice * prices[asset] : 1;
  }

  get reserved(): number {
    return this.product.venue.reserveFee ? this.product.venue.feeRate : 0;
  }

  at(prices: Prices): At {
    const { rows, currencies } = this.product;
    const units = this.balances.slice();
    rows.forEach(({ currency }, i) => {
      units[currency] += this.profit(i, prices);
    });
    const values = units.map((amount, c) => amount * this.unit(c, prices));
    const notionals = rows.map((_, i) => this.notional(i, prices));
    const maintenances = rows.map((row, i) => {
      const usd = this.counted(row, prices);
      return this.open[i] === 0 ? 0 : usd * maintenance(row.tiers, notionals[i] / usd);
    });
    const margin = sum(
      values.map((value, c) =>
        Math.min((1 + currencies[c].debtMarkup) * value, (1 - currencies[c].haircut) * value),
      ),
    );
    const required = sum(maintenances) + this.reserved * sum(notionals);
    return { values, equity: sum(values), margin, notionals, maintenances, required };
  }

  isLiquidatable({ margin, required }: At): boolean {
    return this.product.venue.strict ? margin < required : margin <= required;
  }
}

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
