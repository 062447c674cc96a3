/** The price of one asset at which a loan reaches a ratio of collateral over debt. */

export interface PriceLevel {
  readonly factor: number;
  /** Whether a higher price is worse: the loan is mostly in the asset. */
  readonly rises: boolean;
}

/**
 * The factor of the price of one asset at which N C / L equals a ratio, C and L the sums of both sides, all other
 * prices unchanged.
 *
 * @param ratio collateral over debt
 * @param collateral values by asset, as `loan`
 * @param isSteady whether the asset is a dollar or a stablecoin: a rise of its price is no level of interest
 * @returns undefined where no price above 0 has this ratio
 */
export function factorAt(
  symbol: string,
  ratio: number,
  nominalRatio: number,
  collateral: Readonly<Record<string, number>>,
  loan: Readonly<Record<string, number>>,
  isSteady = false,
): PriceLevel | undefined {
  const sum = (values: Readonly<Record<string, number>>) => Object.values(values).reduce((a, b) => a + b, 0);
  const slope = nominalRatio * (collateral[symbol] ?? 0) - ratio * (loan[symbol] ?? 0);
  const factor = 1 + (ratio * sum(loan) - nominalRatio * sum(collateral)) / slope;
  const rises = slope < 0;
  return slope !== 0 && factor > 0 && !(rises && isSteady) ? { factor, rises } : undefined;
}
