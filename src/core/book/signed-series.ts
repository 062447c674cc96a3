/** The values of a loan's baskets by step from its first call on, from a `SignedBasket`: its index t - 1 is step t. */
import type { LendingSeries } from '../lending/follow-lending.ts';
import type { DebtGrowth } from './debt-growth.ts';
import type { SignedBasket } from './signed-basket.ts';

export class SignedSeries implements LendingSeries {
  private basket = 0;
  private term = 0;
  private growth: DebtGrowth | undefined;
  /** The threshold of the first call, and its step. */
  private callAt = 0;
  private firstCall = 0;

  constructor(private readonly signed: SignedBasket) {}

  /** Selects baskets over a term. @param firstCall the first step at which the ratio is below `callAt` */
  turnTo(
    basket: number,
    term: number,
    growth: DebtGrowth | undefined,
    callAt: number,
    firstCall: number,
  ): void {
    this.basket = basket;
    this.term = term;
    this.callAt = callAt;
    this.firstCall = firstCall;
    this.growth = growth;
    this.signed.turnTo(basket, term, growth);
  }

  at(step: number): number {
    return this.signed.at(step - 1);
  }

  collateralAt(step: number): number {
    return this.signed.collateralAt(step - 1);
  }

  debtAt(step: number): number {
    return this.signed.loanAt(step - 1);
  }

  firstBelow(low: number, from: number, to: number): number {
    if (from === this.firstCall && low === this.callAt) return from;
    const { signed } = this;
    if (!signed.open(this.basket, low, this.term, this.growth)) return to + 1;
    return Math.min(signed.firstBelow(from - 1) + 1, to + 1);
  }

  firstOutside(low: number, high: number, from: number, to: number): number {
    if (from > to) return to + 1;
    const { signed } = this;
    const next = signed.mayFallBelow(low, from - 1, to - 1)
      ? signed.firstOutside(low, high, from - 1, to - 1)
      : signed.firstNotBelow(high, from - 1, to - 1);
    return next + 1;
  }
}
