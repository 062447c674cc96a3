/** Log prices of all assets along one path in hourly steps, in double precision, block by block: the draws of a block fit the cache. */
import { HOURS_PER_DAY, HOURS_PER_YEAR } from '../plan/grid.ts';
import type { GarchScenarios, GbmScenarios } from '../plan/simulation-plan.ts';
import { projectionOn } from '../random/box-muller.ts';
import { fillPair, fillProjected } from '../random/draws.ts';
import { BLOCK_STEPS } from '../random/stream.ts';

/** Draws the first normal of a pair only: for the last of an odd number of assets. */
const FIRST_OF_PAIR = projectionOn(1, 0);

/** Log prices of all assets along one path, a block of draws (four days) at a time and in order. */
export interface AssetPaths {
  /** Number of assets n. */
  readonly assets: number;
  /** n arrays: ln S_i after each step of the current block. */
  readonly logPrices: readonly Float64Array[];
  /** Begins path `path`; all log prices are 0. */
  start(path: number): void;
  /** Steps `count` <= BLOCK_STEPS further and fills `logPrices[i][0..count)`; a block but the last is full. */
  advance(count: number): void;
  /** Weight of the finished path; absent where all weigh the same. */
  readonly weight?: number | undefined;
}

/** The draws of all assets for one block, correlated by a lower-triangular factor. */
export class CorrelatedDraws {
  private readonly draws: Float64Array[];

  constructor(
    private readonly seed: number,
    private readonly factor: Float64Array,
    readonly assets: number,
  ) {
    this.draws = Array.from({ length: assets }, () => new Float64Array(BLOCK_STEPS));
  }

  /** out[i][t] = sum_j factor[i][j] Z_j(t) for the block of `count` steps that begins at `firstStep`. */
  fill(path: number, firstStep: number, count: number, out: readonly Float64Array[]): void {
    const { seed, draws, assets } = this;
    const block = firstStep / BLOCK_STEPS;
    for (let j = 0; j < assets; j += 2) {
      if (j + 1 < assets) fillPair(seed, path, j >> 1, block, count, draws[j], draws[j + 1]);
      else fillProjected(seed, path, j >> 1, block, count, FIRST_OF_PAIR, draws[j]);
    }
    for (let i = 0; i < assets; i++) this.correlate(i, count, out[i]);
  }

  /** Two columns of the factor at a time: half the passes over the output. */
  private correlate(row: number, count: number, out: Float64Array): void {
    const { factor, draws, assets } = this;
    let j = 0;
    if (row % 2 === 0) {
      scale(draws[0], factor[row * assets], count, out);
      j = 1;
    } else {
      const at = row * assets;
      scaleTwo(draws[0], factor[at], draws[1], factor[at + 1], count, out);
      j = 2;
    }
    for (; j <= row; j += 2) {
      const at = row * assets + j;
      addTwo(draws[j], factor[at], draws[j + 1], factor[at + 1], count, out);
    }
  }
}

function scale(z: Float64Array, f: number, count: number, out: Float64Array): void {
  for (let t = 0; t < count; t++) out[t] = f * z[t];
}

function scaleTwo(
  z0: Float64Array,
  f0: number,
  z1: Float64Array,
  f1: number,
  count: number,
  out: Float64Array,
): void {
  for (let t = 0; t < count; t++) out[t] = f0 * z0[t] + f1 * z1[t];
}

function addTwo(
  z0: Float64Array,
  f0: number,
  z1: Float64Array,
  f1: number,
  count: number,
  out: Float64Array,
): void {
  for (let t = 0; t < count; t++) out[t] += f0 * z0[t] + f1 * z1[t];
}

/** Common state of the models of the reference along a path. Blocks begin at the start of a day: each run of 24 steps is a day. */
export abstract class SteppedPaths implements AssetPaths {
  readonly logPrices: readonly Float64Array[];
  /** ln S_i before the current block. */
  protected readonly last: Float64Array;
  protected path = 0;
  /** Steps before the current block. */
  protected step = 0;

  constructor(readonly assets: number) {
    this.logPrices = Array.from({ length: assets }, () => new Float64Array(BLOCK_STEPS));
    this.last = new Float64Array(assets);
  }

  start(path: number): void {
    this.path = path;
    this.step = 0;
    this.last.fill(0);
  }

  abstract advance(count: number): void;
}

export class GbmPaths extends SteppedPaths {
  private readonly shocks: CorrelatedDraws;
  /** Of paths of even and of odd number. */
  private readonly drifts: readonly [Float64Array, Float64Array];
  private driftPerStep: Float64Array;

  /** @param shift added to the log prices of paths of odd number in each step */
  constructor(scenarios: GbmScenarios, seed: number, shift?: Float64Array) {
    const n = scenarios.assets;
    const dtYears = 1 / HOURS_PER_YEAR;
    super(n);
    const drift = scenarios.annualVolatility.map(sigma => (-sigma * sigma * dtYears) / 2);
    this.drifts = [drift, shift === undefined ? drift : drift.map((each, i) => each + shift[i])];
    this.driftPerStep = drift;
    const factorPerStep = scenarios.factor.map(f => f * Math.sqrt(dtYears));
    this.shocks = new CorrelatedDraws(seed, factorPerStep, n);
  }

  override start(path: number): void {
    super.start(path);
    this.driftPerStep = this.drifts[path % 2];
  }

  advance(count: number): void {
    this.shocks.fill(this.path, this.step, count, this.logPrices);
    for (let i = 0; i < this.assets; i++) {
      this.last[i] = accumulate(this.logPrices[i], count, this.driftPerStep[i], this.last[i]);
    }
    this.step += count;
  }
}

/** Turns increments into running sums with a drift per step; returns the last. */
function accumulate(increments: Float64Array, count: number, drift: number, from: number): number {
  let x = from;
  for (let t = 0; t < count; t++) {
    x += drift + increments[t];
    increments[t] = x;
  }
  return x;
}

export class GarchPaths extends SteppedPaths {
  private readonly model: GarchScenarios;
  private readonly shocks: CorrelatedDraws;
  /** Daily variance of the current day, per asset. */
  private readonly variance: Float64Array;

  constructor(scenarios: GarchScenarios, seed: number) {
    super(scenarios.assets);
    this.model = scenarios;
    this.shocks = new CorrelatedDraws(seed, scenarios.factor, scenarios.assets);
    this.variance = new Float64Array(scenarios.assets);
  }

  override start(path: number): void {
    super.start(path);
    this.variance.set(this.model.firstVariance);
  }

  advance(count: number): void {
    this.shocks.fill(this.path, this.step, count, this.logPrices);
    for (let i = 0; i < this.assets; i++) this.advanceAsset(i, count);
    this.step += count;
  }

  private advanceAsset(i: number, count: number): void {
    const { omega, alpha, beta, volatilityScale } = this.model;
    const shocks = this.logPrices[i];
    let x = this.last[i];
    let h = this.variance[i];
    for (let day = 0; day < count; day += HOURS_PER_DAY) {
      const end = Math.min(day + HOURS_PER_DAY, count);
      const hourlyDeviation = Math.sqrt(h / HOURS_PER_DAY);
      const drift = (-volatilityScale * volatilityScale * h) / (2 * HOURS_PER_DAY);
      let daySum = 0;
      for (let t = day; t < end; t++) {
        const e = hourlyDeviation * shocks[t];
        daySum += e;
        x += drift + volatilityScale * e;
        shocks[t] = x;
      }
      h = omega[i] + alpha[i] * daySum * daySum + beta[i] * h;
    }
    this.last[i] = x;
    this.variance[i] = h;
  }
}
