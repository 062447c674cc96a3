/** Values of the two baskets at horizons, from the log prices of their assets. */
import type { Portfolio } from '../plan/simulation-plan.ts';
import { exponential } from './exponential.ts';

/** Writes C_h and L_h of every horizon. @param logPrices ln S_i(h), an array per asset */
export function addBaskets(
  logPrices: readonly Float64Array[],
  { collateralWeights, loanWeights }: Portfolio,
  collateral: Float64Array,
  loan: Float64Array,
): void {
  collateral.fill(0);
  loan.fill(0);
  for (let i = 0; i < logPrices.length; i++) {
    for (let k = 0; k < collateral.length; k++) {
      const price = exponential(logPrices[i][k]);
      collateral[k] += collateralWeights[i] * price;
      loan[k] += loanWeights[i] * price;
    }
  }
}
