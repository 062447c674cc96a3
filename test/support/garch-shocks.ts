/**
 * Shocks and variances of simulated GARCH paths, told apart from prices alone.
 *
 * An hour moves ln S by s e - s^2 h / 48, s the volatility scale, and neither e nor the daily variance h depends on s.
 * Two scales on the same paths therefore give both: h = 24 (2 D1 - D2) and e = D1 + h / 48, D1 and D2 the moves at
 * scales 1 and 2. The recursion of h is not used, so it can be tested.
 */

import type { GarchScenarios } from '#src/core/plan/simulation-plan.js';
import { BLOCK_STEPS } from '#src/core/random/stream.js';
import { type AssetPaths, GarchPaths } from '#src/core/reference/asset-paths.js';

const HOURS_PER_DAY = 24;
/** Days are simulated in whole blocks of ten of the engine's. */
export const DAYS_PER_BLOCK = (10 * BLOCK_STEPS) / HOURS_PER_DAY;

/** One path of asset i: shocks of every hour, and of every day with the daily variance seen in its first hour. */
export interface AssetShocks {
  /** 24 values per day: the unscaled shock e of the hour. */
  readonly hourly: Float64Array;
  /** 24 values per day: the daily variance h that the hour moved with. */
  readonly hourlyVariance: Float64Array;
  /** Per day: sum of its hours' shocks. */
  readonly daily: Float64Array;
  /** Per day. */
  readonly variance: Float64Array;
}

/** Reads the shocks of one path after another. */
export class GarchShocks {
  readonly assets: readonly AssetShocks[];
  private readonly single: AssetPaths;
  private readonly double: AssetPaths;
  private readonly blocks: number;

  /** @param blocks blocks of DAYS_PER_BLOCK days per path */
  constructor(scenarios: GarchScenarios, seed: number, blocks: number) {
    this.single = new GarchPaths({ ...scenarios, volatilityScale: 1 }, seed);
    this.double = new GarchPaths({ ...scenarios, volatilityScale: 2 }, seed);
    this.blocks = blocks;
    const days = blocks * DAYS_PER_BLOCK;
    this.assets = Array.from({ length: scenarios.assets }, () => ({
      hourly: new Float64Array(days * HOURS_PER_DAY),
      hourlyVariance: new Float64Array(days * HOURS_PER_DAY),
      daily: new Float64Array(days),
      variance: new Float64Array(days),
    }));
  }

  /** Fills `assets` with path `path`. */
  simulate(path: number): void {
    const { single, double } = this;
    single.start(path);
    double.start(path);
    const before = this.assets.map(() => ({ single: 0, double: 0 }));
    for (let block = 0; block < 10 * this.blocks; block++) {
      single.advance(BLOCK_STEPS);
      double.advance(BLOCK_STEPS);
      this.assets.forEach((asset, i) => {
        const [x1, x2] = [single.logPrices[i], double.logPrices[i]];
        const last = before[i];
        for (let t = 0; t < BLOCK_STEPS; t++) {
          const d1 = x1[t] - last.single;
          const h = HOURS_PER_DAY * (2 * d1 - (x2[t] - last.double));
          last.single = x1[t];
          last.double = x2[t];
          asset.hourlyVariance[block * BLOCK_STEPS + t] = h;
          asset.hourly[block * BLOCK_STEPS + t] = d1 + h / (2 * HOURS_PER_DAY);
        }
      });
    }
    for (const { hourly, hourlyVariance, daily, variance } of this.assets) {
      for (let day = 0; day < daily.length; day++) {
        let sum = 0;
        for (let t = 0; t < HOURS_PER_DAY; t++) sum += hourly[day * HOURS_PER_DAY + t];
        daily[day] = sum;
        variance[day] = hourlyVariance[day * HOURS_PER_DAY];
      }
    }
  }
}
