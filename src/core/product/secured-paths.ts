/** Baskets of a loan whose thresholds of liquidation are those of its assets: C_t, L_t, and C_t with the thresholds as factors. */
import type { Portfolio } from '../plan/portfolio.ts';
import type { AssetPrices, PortfolioPaths } from './paths.ts';

export class SecuredPaths implements PortfolioPaths {
  readonly domain = 'ratio';
  readonly ratio: Float64Array;
  readonly collateral: Float64Array;
  readonly loan: Float64Array;
  readonly secured: Float64Array;
  minimum = 0;
  private readonly columns: readonly Float64Array[];

  constructor(
    private readonly prices: AssetPrices,
    private readonly product: { readonly portfolio: Portfolio; readonly steps: number },
    private readonly liquidationWeights: Float64Array,
  ) {
    const { steps, portfolio } = product;
    this.ratio = new Float64Array(steps);
    this.collateral = new Float64Array(steps);
    this.loan = new Float64Array(steps);
    this.secured = new Float64Array(steps);
    this.columns = Array.from(portfolio.collateralWeights, () => new Float64Array(steps));
  }

  get weight(): number | undefined {
    return this.prices.weight;
  }

  simulate(path: number): void {
    const { prices, columns, ratio, collateral, loan, secured, liquidationWeights } = this;
    const { collateralWeights, loanWeights } = this.product.portfolio;
    prices.simulate(path, columns);
    addUp(columns, collateralWeights, collateral);
    addUp(columns, loanWeights, loan);
    addUp(columns, liquidationWeights, secured);
    let minimum = Number.POSITIVE_INFINITY;
    for (let t = 0; t < ratio.length; t++) {
      ratio[t] = collateral[t] / loan[t];
      minimum = Math.min(minimum, ratio[t]);
    }
    this.minimum = minimum;
  }
}

function addUp(columns: readonly Float64Array[], weights: Float64Array, out: Float64Array): void {
  out.fill(0);
  columns.forEach((prices, i) => {
    if (weights[i] === 0) return;
    for (let t = 0; t < out.length; t++) out[t] += weights[i] * prices[t];
  });
}
