/** The values of a loan's baskets by step, from a `LazyRatio`: its index t - 1 is step t, and step 0 is the start. */
import type { LendingSeries } from '../lending/follow-lending.ts';
import type { LazyRatio } from './lazy-ratio.ts';

export class LazySeries implements LendingSeries {
  private basket = 0;
  private term = 0;
  private isByAsset = false;
  /** C_0 and L_0. */
  private collateral = 1;
  private loan = 1;

  constructor(private readonly ratio: LazyRatio) {}

  /** Selects the baskets and the term with which the ratio was opened. */
  turnTo(basket: number, term: number): void {
    this.basket = basket;
    this.term = term;
    this.collateral = this.ratio.collateralAtStart(basket);
    this.loan = this.ratio.loanAtStart(basket);
  }

  /** Selects a loan of these baskets. @param isByAsset whether its thresholds are those of assets */
  takeLoan(isByAsset: boolean): void {
    this.isByAsset = isByAsset;
  }

  securedAt(step: number): number | undefined {
    return this.isByAsset ? this.ratio.securedAt(this.basket, step - 1) : undefined;
  }

  at(step: number): number {
    if (step >= 1 && step <= this.term) return this.ratio.at(step - 1);
    return this.collateralAt(step) / this.debtAt(step);
  }

  collateralAt(step: number): number {
    return step === 0 ? this.collateral : this.ratio.collateralAt(step - 1);
  }

  debtAt(step: number): number {
    return step === 0 ? this.loan : this.ratio.loanAt(step - 1);
  }

  firstBelow(low: number, from: number, to: number): number {
    return Math.min(this.ratio.firstBelow(low, from - 1) + 1, to + 1);
  }

  firstOutside(low: number, high: number, from: number, to: number): number {
    return this.ratio.firstOutside(low, high, from - 1, to - 1) + 1;
  }
}
