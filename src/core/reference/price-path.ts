/**
 * The relative price of asset 0 along one path, S(t) / S(0) at steps 1..T.
 */
import type { HistoricalScenarios } from '../plan/simulation-plan.ts';
import type { PricePath } from '../product/paths.ts';
import { BLOCK_STEPS } from '../random/stream.ts';
import type { AssetPaths } from './asset-paths.ts';
import { exponential } from './exponential.ts';

export class SimulatedPricePath implements PricePath {
  readonly price: Float64Array;
  private readonly assetPaths: AssetPaths;

  constructor(assetPaths: AssetPaths, steps: number) {
    this.assetPaths = assetPaths;
    this.price = new Float64Array(steps);
  }

  simulate(path: number): void {
    const { price, assetPaths } = this;
    assetPaths.start(path);
    for (let first = 0; first < price.length; first += BLOCK_STEPS) {
      const count = Math.min(BLOCK_STEPS, price.length - first);
      assetPaths.advance(count);
      const logPrice = assetPaths.logPrices[0];
      for (let t = 0; t < count; t++) price[first + t] = exponential(logPrice[t]);
    }
  }
}

export class HistoricalPricePath implements PricePath {
  readonly price: Float64Array;
  private readonly scenarios: HistoricalScenarios;

  constructor(scenarios: HistoricalScenarios, steps: number) {
    this.scenarios = scenarios;
    this.price = new Float64Array(steps);
  }

  simulate(path: number): void {
    const series = this.scenarios.prices[0];
    const begin = this.scenarios.lead + path - this.price.length;
    for (let t = 0; t < this.price.length; t++) this.price[t] = series[begin + 1 + t] / series[begin];
  }
}
