/**
 * The terms that all loans share, and how their ratio C_t / L_t is compared with its thresholds.
 */

/** The four ratios of a loan and its grace period. CCR_t = nominalRatio * C_t / L_t. */
export interface LoanTerms {
  /** N: collateral coverage at the start. */
  readonly nominalRatio: number;
  /** M: below it a margin call opens. */
  readonly marginCallRatio: number;
  /** L: below it the loan is liquidated at once. */
  readonly liquidationRatio: number;
  /** R: at or above it an open margin call is cured. */
  readonly recoveryRatio: number;
  /** Steps between a margin call and its deadline; 0 closes out in the step of the call. */
  readonly topUpSteps: number;
}
