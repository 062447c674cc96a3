/** Values of the two baskets at horizons, from the log prices of their assets. */
import { DAYS_PER_YEAR } from '../plan/grid.ts';
import type { Portfolio, ValueAtRiskProduct } from '../plan/simulation-plan.ts';
import { type HorizonPaths, SINGLE_PATHS_TOGETHER } from '../product/paths.ts';
import { exponential } from './exponential.ts';

/** Horizons of a model, with every asset's log price at each. */
export abstract class BasketHorizons implements HorizonPaths {
  readonly together = SINGLE_PATHS_TOGETHER;
  readonly collateral: Float64Array;
  readonly loan: Float64Array;
  /** ln S_i(h), an array per asset. */
  protected readonly logPrices: readonly Float64Array[];
  private readonly portfolio: Portfolio;

  /** @param horizons how many of the product's horizons are wanted, the first ones */
  constructor({ portfolio }: ValueAtRiskProduct, assets: number, horizons: number) {
    this.collateral = new Float64Array(horizons);
    this.loan = new Float64Array(horizons);
    this.logPrices = Array.from({ length: assets }, () => new Float64Array(horizons));
    this.portfolio = portfolio;
  }

  abstract simulate(path: number): void;

  /** Writes C_h and L_h from `logPrices`. */
  protected addBaskets(): void {
    addPrices(this.logPrices, this.portfolio, this.collateral, this.loan);
  }
}

/** A function of arrays: as a method of five classes it would take longer than a short path. */
function addPrices(
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

/** Days to each of the first horizons. */
export const horizonDays = ({ horizonYears }: ValueAtRiskProduct, horizons: number): Float64Array =>
  horizonYears.slice(0, horizons).map(years => years * DAYS_PER_YEAR);

/** Years to each of the first horizons from the one before. */
export const yearsBetween = ({ horizonYears }: ValueAtRiskProduct, horizons: number): Float64Array =>
  horizonYears.slice(0, horizons).map((years, k, all) => (k === 0 ? years : years - all[k - 1]));
