/** Value and state of a loan of a tape at prices. */
import type { CellFault } from './columns.ts';
import type { CollateralLine, TapeFault, TapeLoan } from './tape.ts';

/** USD per unit, by asset. */
export type Prices = ReadonlyMap<string, number>;

export type LoanStatus = 'within' | 'called' | 'liquidated';

export interface LoanValue {
  readonly collateralUsd: number;
  readonly loanUsd: number;
  /** Loan over collateral. */
  readonly ltv: number;
  /** As in the tape; where the assets of the collateral have one each, their mean by value. */
  readonly liquidationLtv: number;
  /** Up to its margin call LTV, above it up to its liquidation LTV, or beyond. */
  readonly status: LoanStatus;
}

/** Units of a collateral asset: as in the tape, or its value over the price. */
export const unitsOf = ({ asset, amount, valueUsd = Number.NaN }: CollateralLine, prices: Prices): number =>
  amount ?? valueUsd / priceOf(asset, prices);

type Owed = Pick<TapeLoan, 'loanAsset' | 'loanAmount' | 'loanValueUsd'>;

/** Units that a loan owes: as in the tape, or its value over the price. */
export const owedUnits = (
  { loanAsset, loanAmount, loanValueUsd = Number.NaN }: Owed,
  prices: Prices,
): number => loanAmount ?? loanValueUsd / priceOf(loanAsset, prices);

/** USD that a loan owes. */
export const owedUsd = (loan: Owed, prices: Prices): number =>
  owedUnits(loan, prices) * priceOf(loan.loanAsset, prices);

/**
 * A loan with units of all its collateral and its debt; a value of the tape is divided by the price of now. The value of a debt stays beside
 * its units, as what was agreed.
 */
export function withUnits(loan: TapeLoan, prices: Prices): TapeLoan {
  const { loanValueUsd, ...others } = loan;
  return {
    ...others,
    ...(loan.loanAmount === undefined && loanValueUsd !== undefined && { loanValueUsd }),
    loanAmount: owedUnits(loan, prices),
    collateral: loan.collateral.map(line => {
      const { valueUsd: _usd, ...rest } = line;
      return { ...rest, amount: unitsOf(line, prices) };
    }),
  };
}

/** A loan that owes the value of its tape at any price, if its tape has one. */
export function withOwnValue(loan: TapeLoan): TapeLoan {
  const { loanAmount: _units, ...valued } = loan;
  return loan.loanValueUsd === undefined ? loan : valued;
}

/** Assets of a loan, collateral first. */
export const assetsOf = ({ collateral, loanAsset }: TapeLoan): string[] => [
  ...collateral.map(({ asset }) => asset),
  loanAsset,
];

/** The assets of several loans, in alphabetical order. */
export const distinctAssets = (loans: readonly TapeLoan[]): string[] =>
  [...new Set(loans.flatMap(assetsOf))].sort();

/** A fault of an asset of a loan, with its place in the tape. */
export const faultAtAsset = (
  { id, lines, loanAsset }: TapeLoan,
  asset: string,
  fault: CellFault,
): TapeFault => ({
  line: lines[0],
  id,
  column: loanAsset === asset ? 'loan_asset' : 'collateral_asset',
  ...fault,
});

/** @throws Error without a price: the caller provides the prices of all assets */
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
  const loanUsd = owedUsd(loan, prices);
  const ltv = loanUsd / collateralUsd;
  const { margin_call_ltv = Number.NaN } = loan.terms;
  const liquidationLtv = securedUsd(loan, prices) / collateralUsd;
  const status = ltv > liquidationLtv ? 'liquidated' : ltv > margin_call_ltv ? 'called' : 'within';
  return { collateralUsd, loanUsd, ltv, liquidationLtv, status };
}

/** The debt at which a loan is liquidated: the sum of value x liquidation LTV. */
const securedUsd = ({ collateral, terms }: TapeLoan, prices: Prices): number =>
  collateral.reduce(
    (sum, line) =>
      sum +
      unitsOf(line, prices) *
        priceOf(line.asset, prices) *
        (line.liquidationLtv ?? terms.liquidation_ltv ?? Number.NaN),
    0,
  );
