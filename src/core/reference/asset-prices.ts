/** The relative prices of all assets along one path, S_i(t) / S_i(0) at steps 1..T. */
import type { HistoricalScenarios } from '../plan/simulation-plan.ts';
import type { AssetPrices, PricePath } from '../product/paths.ts';
import { BLOCK_STEPS } from '../random/stream.ts';
import type { AssetPaths } from './asset-paths.ts';
import { exponential } from './exponential.ts';

export class SimulatedPrices implements AssetPrices {
  constructor(private readonly assetPaths: AssetPaths) {}

  get weight(): number | undefined {
    return this.assetPaths.weight;
  }

  simulate(path: number, prices: readonly Float64Array[]): void {
    const { assetPaths } = this;
    const steps = prices[0].length;
    assetPaths.start(path);
    for (let first = 0; first < steps; first += BLOCK_STEPS) {
      const count = Math.min(BLOCK_STEPS, steps - first);
      assetPaths.advance(count);
      for (let i = 0; i < prices.length; i++) exponentials(assetPaths.logPrices[i], count, prices[i], first);
    }
  }
}

function exponentials(logPrices: Float64Array, count: number, out: Float64Array, first: number): void {
  for (let t = 0; t < count; t++) out[first + t] = exponential(logPrices[t]);
}

/** Windows of T steps: path p ends at grid point lead + p. */
export class HistoricalPrices implements AssetPrices {
  constructor(
    private readonly scenarios: HistoricalScenarios,
    private readonly steps: number,
  ) {}

  simulate(path: number, prices: readonly Float64Array[]): void {
    const begin = this.scenarios.lead + path - this.steps;
    prices.forEach((column, i) => {
      const series = this.scenarios.prices[i];
      for (let t = 0; t < column.length; t++) column[t] = series[begin + 1 + t] / series[begin];
    });
  }
}

/** The price of asset 0 alone. */
export class FirstPrice implements PricePath {
  readonly price: Float64Array;
  private readonly columns: readonly [Float64Array];

  constructor(
    private readonly prices: AssetPrices,
    steps: number,
  ) {
    this.price = new Float64Array(steps);
    this.columns = [this.price];
  }

  simulate(path: number): void {
    this.prices.simulate(path, this.columns);
  }
}
