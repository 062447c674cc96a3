/** An account at its start: what it is worth, and how far prices can move before it is liquidatable (docs/accounts.md, "Now"). */
import type { AccountProduct } from '../plan/product/account.ts';
import { AccountState } from './account-state.ts';
import { prepareAccount } from './prepared-account.ts';

/** Relative prices between which liquidation is looked for. */
const LOWEST = 1e-6;
const HIGHEST = 1e6;
/** Halvings of ln(10^6): the rest is below 1e-12. */
const HALVINGS = 44;

/** The relative prices of a move at which the account becomes liquidatable; null where there are none between 1e-6 and 1e6. */
export interface Liquidations {
  readonly below: number | null;
  readonly above: number | null;
}

export class AccountNow {
  readonly equity: number;
  readonly marginEquity: number;
  readonly required: number;
  /** Sum of the notionals over equity. */
  readonly leverage: number;
  private readonly state: AccountState;
  private readonly prices: Float64Array;

  /** @param assets number of assets of the scenarios */
  constructor(product: AccountProduct, assets: number) {
    this.state = new AccountState(prepareAccount(product, assets));
    this.prices = new Float64Array(assets + 1).fill(1);
    this.state.start();
    this.state.evaluate(this.prices);
    this.equity = this.state.equity;
    this.marginEquity = this.state.marginEquity;
    this.required = this.state.required;
    this.leverage = this.state.notionals / this.state.equity;
  }

  /** Where the account becomes liquidatable if these assets alone move, together. E - M is concave: one price on either side at most. */
  liquidations(assets: readonly number[]): Liquidations {
    return { below: this.crossing(assets, LOWEST), above: this.crossing(assets, HIGHEST) };
  }

  private excessAt(assets: readonly number[], relative: number): number {
    const { prices, state } = this;
    prices.fill(1);
    for (const asset of assets) prices[asset] = relative;
    state.evaluate(prices);
    return state.excess;
  }

  private crossing(assets: readonly number[], end: number): number | null {
    if (assets.length === 0 || this.excessAt(assets, end) > 0) return null;
    let healthy = 0;
    let failed = Math.log(end);
    for (let k = 0; k < HALVINGS; k++) {
      const middle = (healthy + failed) / 2;
      if (this.excessAt(assets, Math.exp(middle)) > 0) healthy = middle;
      else failed = middle;
    }
    return Math.exp(failed);
  }
}
