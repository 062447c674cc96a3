/**
 * Value of a loan of a tape at prices, and its state.
 *
 * Takes: a loan, prices in USD per unit. Must not know: where prices come from.
 */
import type { CollateralLine, TapeLoan } from './tape.ts';

/** USD per unit, by asset. */
export type Prices = ReadonlyMap<string, number>;

export type LoanStatus = 'within' | 'called' | 'liquidated';

export interface LoanValue {
  /** USD. */
  readonly collateralUsd: number;
  /** USD. */
  readonly loanUsd: number;
  /** Loan over collateral. */
  readonly ltv: number;
  /** Below its margin call LTV, between that and its liquidation LTV, or beyond. */
  readonly status: LoanStatus;
}

/** Units of an asset of the collateral: those of the tape, else its value over the price. */
export const unitsOf = ({ asset, amount, valueUsd = Number.NaN }: CollateralLine, prices: Prices): number =>
  amount ?? valueUsd / priceOf(asset, prices);

/** Assets of a loan, those of its collateral first. */
export const assetsOf = ({ collateral, loanAsset }: TapeLoan): string[] => [
  ...collateral.map(({ asset }) => asset),
  loanAsset,
];

/** @throws Error where a price is missing: the caller must provide those of all assets */
export function priceOf(asset: string, prices: Prices): number {
  const price = prices.get(asset);
  if (price === undefined) throw new Error(`there is no price of ${asset}`);
  return price;
}

export function loanValueOf(loan: TapeLoan, prices: Prices): LoanValue {
  const collateralUsd = loan.collateral.reduce(
    (sum, line) => sum + unitsOf(line, prices) * priceOf(line.asset, prices),
    0,
  );
  const loanUsd = loan.loanAmount * priceOf(loan.loanAsset, prices);
  const ltv = loanUsd / collateralUsd;
  const { margin_call_ltv = Number.NaN, liquidation_ltv = Number.NaN } = loan.terms;
  const status = ltv > liquidation_ltv ? 'liquidated' : ltv > margin_call_ltv ? 'called' : 'within';
  return { collateralUsd, loanUsd, ltv, status };
}
