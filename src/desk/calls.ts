/** The call sheet of a tape: the loans with an open margin call, their deadlines, and what cures each. */
import { cureOf } from '../core/lending/cure.ts';
import type { TapeLoan } from '../tape/tape.ts';
import { loanValueOf, type Prices, priceOf } from '../tape/valuation.ts';
import { formatMinute, MS_PER_HOUR } from '../text/calendar-date.ts';

/** One asset that cures a call by itself. */
export interface CureBy {
  readonly Asset: string;
  /** To add as collateral, or to repay. */
  readonly Units: number;
  /** USD per unit at the end of the data. */
  readonly Price: number;
}

/** A loan with an open margin call at the end of the data. */
export interface LoanCall {
  readonly Id: string;
  readonly Borrower: string | null;
  /** `2026-01-31T15:00Z`; the end of the data where the tape has no time of the call. */
  readonly CalledAt: string;
  readonly CalledBy: 'tape' | 'end of the data';
  /** Of the grace period of the loan. */
  readonly Deadline: string;
  /** From the end of the data to the deadline; 0 or less where it has passed. */
  readonly HoursLeft: number;
  readonly LoanUsd: number;
  readonly CollateralUsd: number;
  readonly Ltv: number;
  /** At which the call is cured. */
  readonly RecoveryLtv: number;
  /** Value of the collateral that cures the call. */
  readonly TopUpUsd: number;
  /** The same in units of each asset of the collateral: one of them is enough. */
  readonly TopUp: readonly CureBy[];
  /** Value of the debt whose repayment cures it instead. */
  readonly RepayUsd: number;
  readonly Repay: CureBy;
}

/** The open calls at the end of the data, the first deadline first, then the largest loan. @param asOfMs end of the data, milliseconds since 1970 */
export function callsOf(loans: readonly TapeLoan[], prices: Prices, asOfMs: number): readonly LoanCall[] {
  return loans
    .flatMap(loan => callOf(loan, prices, asOfMs) ?? [])
    .sort((a, b) => a.HoursLeft - b.HoursLeft || b.LoanUsd - a.LoanUsd);
}

/** A call is open from the margin call LTV, or from its time in the tape, down to the LTV at which it is cured. */
function callOf(loan: TapeLoan, prices: Prices, asOfMs: number): LoanCall | undefined {
  const { collateralUsd, loanUsd, ltv, status } = loanValueOf(loan, prices);
  const { terms, loanAsset } = loan;
  const { margin_call_ltv: call = Number.NaN, liquidation_ltv = Number.NaN, grace_hours = 0 } = terms;
  const recovery = terms.recovery_ltv ?? terms.initial_ltv ?? call;
  const isCalled = status === 'called' || (status === 'within' && terms.called_at !== undefined);
  // Where both thresholds are one, a loan is liquidated without a call.
  if (!isCalled || call === liquidation_ltv || ltv <= recovery) return undefined;
  const { topUp, repayment } = cureOf(collateralUsd, loanUsd, 1 / recovery);
  const calledAt = terms.called_at ?? asOfMs;
  const deadline = calledAt + grace_hours * MS_PER_HOUR;
  const by = (asset: string, usd: number): CureBy => ({
    Asset: asset,
    Units: usd / priceOf(asset, prices),
    Price: priceOf(asset, prices),
  });
  return {
    Id: loan.id,
    Borrower: loan.borrower ?? null,
    CalledAt: formatMinute(calledAt),
    CalledBy: terms.called_at === undefined ? 'end of the data' : 'tape',
    Deadline: formatMinute(deadline),
    HoursLeft: (deadline - asOfMs) / MS_PER_HOUR,
    LoanUsd: loanUsd,
    CollateralUsd: collateralUsd,
    Ltv: ltv,
    RecoveryLtv: recovery,
    TopUpUsd: topUp,
    TopUp: [...new Set(loan.collateral.map(({ asset }) => asset))].map(asset => by(asset, topUp)),
    RepayUsd: repayment,
    Repay: by(loanAsset, repayment),
  };
}
