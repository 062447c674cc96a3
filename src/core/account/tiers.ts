/** Tables of maintenance margins: m(x) = max(0, max_k (r_k x - d_k)), tier k from b_k on (docs/accounts.md, "Maintenance"). */
import type { Tier } from '../plan/product/account.ts';

/** Tiers without deductions, from 0 on, with rising rates. */
export type TierRates = readonly { readonly from: number; readonly rate: number }[];

/** The deductions that make the margin continuous: d_1 = 0, d_k = d_(k-1) + b_k (r_k - r_(k-1)). */
export function continuousDeductions(rates: TierRates): number[] {
  let deduction = 0;
  return rates.map(({ from, rate }, k) => {
    if (k > 0) deduction += from * (rate - rates[k - 1].rate);
    return deduction;
  });
}

/** The tiers of rates, with deductions of their own or the continuous ones. */
export function tiersOf(
  rates: TierRates,
  deductions: readonly number[] = continuousDeductions(rates),
): Tier[] {
  return rates.map(({ from, rate }, k) => ({ from, rate, deduction: deductions[k] }));
}
