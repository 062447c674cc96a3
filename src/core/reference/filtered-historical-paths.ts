/**
 * Filtered historical simulation in double precision: hourly log prices, and values at horizons. The shocks of a day are a row of residuals,
 * scaled by the GARCH variance of each asset.
 */
import { HOURS_PER_DAY } from '../plan/grid.ts';
import type { FilteredHistoricalScenarios } from '../plan/model/filtered-historical.ts';
import type { ValueAtRiskProduct } from '../plan/simulation-plan.ts';
import { logMeanExponential } from '../random/cumulant-table.ts';
import { ExtraWords } from '../random/extra-words.ts';
import { BLOCK_STEPS } from '../random/stream.ts';
import { CorrelatedDraws, SteppedPaths } from './asset-paths.ts';
import { bridgeDay } from './day-bridge.ts';
import { BasketHorizons, horizonDays } from './horizon-baskets.ts';

/** The days of a path one after another: a row of residuals for all assets, and each asset's variance. */
export class ResidualDays {
  private readonly words: ExtraWords;
  private readonly variance: Float64Array;
  /** Where the day's row begins. */
  private row = 0;

  constructor(
    private readonly scenarios: FilteredHistoricalScenarios,
    seed: number,
  ) {
    this.words = new ExtraWords(seed);
    this.variance = new Float64Array(scenarios.assets);
  }

  start(path: number): void {
    this.words.start(path);
    this.variance.set(this.scenarios.firstVariance);
  }

  /** Draws the row of day `day`. */
  begin(day: number): void {
    const { rows, assets } = this.scenarios;
    this.row = (this.words.word(day) % (rows.length / assets)) * assets;
  }

  /** a_i, the daily deviation of asset i. */
  deviation(i: number): number {
    return this.scenarios.volatilityScale * Math.sqrt(this.variance[i]);
  }

  /** The day's shock of asset i over its deviation. */
  residual(i: number): number {
    return this.scenarios.rows[this.row + i];
  }

  /** Drift of the whole day with which the price of asset i is a martingale. */
  drift(i: number): number {
    return -logMeanExponential(this.scenarios.cumulants, i, this.deviation(i));
  }

  /** Moves the variances to the next day. */
  end(): void {
    const { omega, alpha, beta, assets } = this.scenarios;
    for (let i = 0; i < assets; i++) {
      const z = this.residual(i);
      this.variance[i] = omega[i] + (alpha[i] * z * z + beta[i]) * this.variance[i];
    }
  }
}

export class FilteredHistoricalPaths extends SteppedPaths {
  private readonly noise: CorrelatedDraws;
  private readonly days: ResidualDays;

  constructor(scenarios: FilteredHistoricalScenarios, seed: number) {
    super(scenarios.assets);
    this.noise = new CorrelatedDraws(seed, scenarios.factor, scenarios.assets);
    this.days = new ResidualDays(scenarios, seed);
  }

  override start(path: number): void {
    super.start(path);
    this.days.start(path);
  }

  advance(count: number): void {
    const { days, last } = this;
    this.noise.fill(this.path, this.step, count, this.logPrices);
    for (let from = 0; from < count; from += HOURS_PER_DAY) {
      const end = Math.min(from + HOURS_PER_DAY, count);
      days.begin((this.step + from) / HOURS_PER_DAY);
      for (let i = 0; i < this.assets; i++) {
        const a = days.deviation(i);
        const drift = days.drift(i) / HOURS_PER_DAY;
        last[i] = bridgeDay(this.logPrices[i], from, end, last[i], a * days.residual(i), a, drift);
      }
      days.end();
    }
    this.step += count;
  }
}

/** At fraction f of a day: f times its shock and drift, and bridge noise; horizons of one day in sequence. */
export class FilteredHistoricalHorizons extends BasketHorizons {
  private readonly noise: CorrelatedDraws;
  private readonly normals: readonly Float64Array[];
  private readonly days: ResidualDays;
  private readonly horizonDays: Float64Array;
  /** ln S_i at the start of the day, and the position of the day's bridge, per asset. */
  private readonly start: Float64Array;
  private readonly gone: Float64Array;

  constructor(
    scenarios: FilteredHistoricalScenarios,
    seed: number,
    product: ValueAtRiskProduct,
    horizons: number,
  ) {
    const { assets } = scenarios;
    super(product, assets, horizons);
    this.noise = new CorrelatedDraws(seed, scenarios.factor, assets);
    this.normals = Array.from({ length: assets }, () => new Float64Array(BLOCK_STEPS));
    this.days = new ResidualDays(scenarios, seed);
    this.horizonDays = horizonDays(product, horizons);
    this.start = new Float64Array(assets);
    this.gone = new Float64Array(assets);
  }

  simulate(path: number): void {
    const { days, horizonDays } = this;
    this.noise.fill(path, 0, horizonDays.length, this.normals);
    days.start(path);
    this.start.fill(0);
    let day = 0;
    let fraction = 0;
    this.beginDay(day);
    for (let k = 0; k < horizonDays.length; k++) {
      // A horizon at the end of a day, to the rounding of years and days, ends that day.
      while (horizonDays[k] >= day + 1 - DAY_ROUNDING) {
        this.endDay();
        fraction = 0;
        this.beginDay(++day);
      }
      const to = Math.max(fraction, horizonDays[k] - day);
      for (let i = 0; i < this.start.length; i++) this.logPrices[i][k] = this.within(i, k, fraction, to);
      fraction = to;
    }
    this.addBaskets();
  }

  private beginDay(day: number): void {
    this.days.begin(day);
    this.gone.fill(0);
  }

  private endDay(): void {
    const { days, start } = this;
    for (let i = 0; i < start.length; i++) start[i] += days.deviation(i) * days.residual(i) + days.drift(i);
    days.end();
  }

  /** ln S_i at fraction `to` of the day, from its bridge at fraction `from`. */
  private within(i: number, k: number, from: number, to: number): number {
    const { days, gone } = this;
    const a = days.deviation(i);
    if (to > from) {
      const left = (to - from) / (1 - from);
      const spread = a * Math.sqrt((to - from) * (1 - left));
      gone[i] += left * (a * days.residual(i) - gone[i]) + spread * this.normals[i][k];
    }
    return this.start[i] + gone[i] + to * days.drift(i);
  }
}

/** Years of a horizon are a rounded number of days over 365. */
const DAY_ROUNDING = 1e-9;
