/** Collateral and loan along one path: C_t, L_t and the ratio r_t = C_t / L_t of every step 1..T. */
import type { HistoricalScenarios, Portfolio } from '../plan/simulation-plan.ts';
import type { PortfolioPaths } from '../product/paths.ts';
import { BLOCK_STEPS } from '../random/stream.ts';
import type { AssetPaths } from './asset-paths.ts';
import { exponential } from './exponential.ts';

/** Arrays of one path of a portfolio. */
export abstract class ArrayPaths implements PortfolioPaths {
  abstract readonly domain: PortfolioPaths['domain'];
  readonly ratio: Float64Array;
  readonly collateral: Float64Array;
  readonly loan: Float64Array;
  minimum = 0;

  /** @param amounts whether C_t and L_t are filled beside their ratio */
  constructor(steps: number, amounts: boolean) {
    this.ratio = new Float64Array(steps);
    this.collateral = new Float64Array(amounts ? steps : 0);
    this.loan = new Float64Array(amounts ? steps : 0);
  }

  abstract simulate(path: number): void;
}

/** Baskets: every asset's price, weighted and summed. */
export class BasketPaths extends ArrayPaths {
  readonly domain = 'ratio';

  constructor(
    private readonly assetPaths: AssetPaths,
    private readonly portfolio: Portfolio,
    steps: number,
  ) {
    super(steps, true);
  }

  get weight(): number | undefined {
    return this.assetPaths.weight;
  }

  simulate(path: number): void {
    const { ratio, collateral, loan, assetPaths, portfolio } = this;
    collateral.fill(0);
    loan.fill(0);
    assetPaths.start(path);
    for (let first = 0; first < ratio.length; first += BLOCK_STEPS) {
      const count = Math.min(BLOCK_STEPS, ratio.length - first);
      assetPaths.advance(count);
      for (let i = 0; i < assetPaths.assets; i++) {
        addPrices(
          assetPaths.logPrices[i],
          count,
          portfolio.collateralWeights[i],
          portfolio.loanWeights[i],
          collateral,
          loan,
          first,
        );
      }
    }
    this.minimum = divide(collateral, loan, ratio);
  }
}

function addPrices(
  logPrices: Float64Array,
  count: number,
  collateralWeight: number,
  loanWeight: number,
  collateral: Float64Array,
  loan: Float64Array,
  first: number,
): void {
  if (loanWeight === 0) {
    for (let t = 0; t < count; t++) collateral[first + t] += collateralWeight * exponential(logPrices[t]);
  } else if (collateralWeight === 0) {
    for (let t = 0; t < count; t++) loan[first + t] += loanWeight * exponential(logPrices[t]);
  } else {
    for (let t = 0; t < count; t++) {
      const price = exponential(logPrices[t]);
      collateral[first + t] += collateralWeight * price;
      loan[first + t] += loanWeight * price;
    }
  }
}

/** Writes numerator / denominator; returns the lowest. */
function divide(numerator: Float64Array, denominator: Float64Array, out: Float64Array): number {
  let minimum = Number.POSITIVE_INFINITY;
  for (let t = 0; t < out.length; t++) {
    const r = numerator[t] / denominator[t];
    out[t] = r;
    minimum = r < minimum ? r : minimum;
  }
  return minimum;
}

/** A window of real history: path p ends at grid point lead + p and has T steps. */
export class HistoricalPaths extends ArrayPaths {
  readonly domain = 'ratio';

  constructor(
    private readonly scenarios: HistoricalScenarios,
    private readonly portfolio: Portfolio,
    steps: number,
  ) {
    super(steps, true);
  }

  simulate(path: number): void {
    const { collateral, loan, scenarios, portfolio } = this;
    const begin = scenarios.lead + path - this.ratio.length;
    collateral.fill(0);
    loan.fill(0);
    for (let i = 0; i < scenarios.assets; i++) {
      const prices = scenarios.prices[i];
      const start = prices[begin];
      const collateralWeight = portfolio.collateralWeights[i];
      const loanWeight = portfolio.loanWeights[i];
      for (let t = 0; t < collateral.length; t++) {
        // A quotient, which is exactly 1 where the price equals the initial price.
        const relative = prices[begin + 1 + t] / start;
        collateral[t] += collateralWeight * relative;
        loan[t] += loanWeight * relative;
      }
    }
    this.minimum = divide(collateral, loan, this.ratio);
  }
}
