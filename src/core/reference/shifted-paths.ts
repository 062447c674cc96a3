/** GBM log prices whose odd paths are shifted, and the weight of each path (core/plan/model/gbm-shifted.ts). */
import {
  asGbm,
  type GbmShiftedScenarios,
  type Shift,
  shiftOf,
  weighedSteps,
} from '../plan/model/gbm-shifted.ts';
import { type AssetPaths, GbmPaths } from './asset-paths.ts';

export class ShiftedPaths implements AssetPaths {
  readonly assets: number;
  readonly logPrices: readonly Float64Array[];
  private readonly paths: GbmPaths;
  private readonly exposures: Float64Array;
  private readonly shift: Shift;
  /** Index in `logPrices` of the last step. */
  private last = 0;

  constructor(scenarios: GbmShiftedScenarios, seed: number) {
    this.shift = shiftOf(scenarios);
    this.paths = new GbmPaths(asGbm(scenarios), seed, this.shift.perStep);
    this.exposures = scenarios.exposures;
    this.assets = scenarios.assets;
    this.logPrices = this.paths.logPrices;
  }

  start(path: number): void {
    this.paths.start(path);
  }

  advance(count: number): void {
    // The weight is taken where every engine has prices: at the end of a group of steps.
    const drawn = weighedSteps(count);
    this.paths.advance(drawn);
    this.last = drawn - 1;
  }

  get weight(): number {
    let logReturn = 0;
    for (let i = 0; i < this.assets; i++) logReturn += this.exposures[i] * this.logPrices[i][this.last];
    return this.shift.weightOf(logReturn);
  }
}
