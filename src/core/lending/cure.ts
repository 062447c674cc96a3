/** What ends a margin call at once, all prices unchanged. */

export interface Cure {
  /** Value of collateral that is added. */
  readonly topUp: number;
  /** Value of debt that is repaid instead, while all collateral stays. */
  readonly repayment: number;
}

/**
 * The least of either that raises collateral over debt to a ratio; 0 where it is there.
 *
 * @param collateral value, as `debt`
 * @param ratio R, at which a call is cured
 */
export const cureOf = (collateral: number, debt: number, ratio: number): Cure => ({
  topUp: Math.max(0, ratio * debt - collateral),
  repayment: Math.max(0, debt - collateral / ratio),
});
