/**
 * Student's t by the day in double precision: hourly log prices, and values at horizons. GBM whose shocks of a day are multiplied by
 * sqrt(W), one W for all assets of a path.
 */
import { DAYS_PER_YEAR, HOURS_PER_DAY, HOURS_PER_YEAR } from '../plan/grid.ts';
import type { StudentTScenarios } from '../plan/model/student-t.ts';
import type { ValueAtRiskProduct } from '../plan/simulation-plan.ts';
import { ExtraWords } from '../random/extra-words.ts';
import { multiplierOfWord } from '../random/multiplier-table.ts';
import { BLOCK_STEPS } from '../random/stream.ts';
import { CorrelatedDraws, SteppedPaths } from './asset-paths.ts';
import { BasketHorizons, horizonDays } from './horizon-baskets.ts';

/** W of the days of a path. */
export class DailyMultipliers {
  private readonly words: ExtraWords;

  constructor(
    private readonly scenarios: StudentTScenarios,
    seed: number,
  ) {
    this.words = new ExtraWords(seed);
  }

  start(path: number): void {
    this.words.start(path);
  }

  /** W of day `day`, from 0. */
  of(day: number): number {
    const { multiplier, multiplierCap } = this.scenarios;
    return Math.min(multiplierCap, multiplierOfWord(multiplier, this.words.word(day)));
  }
}

export class StudentTPaths extends SteppedPaths {
  private readonly shocks: CorrelatedDraws;
  private readonly multipliers: DailyMultipliers;
  /** -sigma^2 dt / 2 per asset. */
  private readonly driftPerStep: Float64Array;

  constructor(scenarios: StudentTScenarios, seed: number) {
    const n = scenarios.assets;
    const dtYears = 1 / HOURS_PER_YEAR;
    super(n);
    this.driftPerStep = scenarios.annualVolatility.map(sigma => (-sigma * sigma * dtYears) / 2);
    this.shocks = new CorrelatedDraws(
      seed,
      scenarios.factor.map(f => f * Math.sqrt(dtYears)),
      n,
    );
    this.multipliers = new DailyMultipliers(scenarios, seed);
  }

  override start(path: number): void {
    super.start(path);
    this.multipliers.start(path);
  }

  advance(count: number): void {
    this.shocks.fill(this.path, this.step, count, this.logPrices);
    for (let day = 0; day < count; day += HOURS_PER_DAY) {
      const end = Math.min(day + HOURS_PER_DAY, count);
      const w = this.multipliers.of((this.step + day) / HOURS_PER_DAY);
      const root = Math.sqrt(w);
      for (let i = 0; i < this.assets; i++) {
        const prices = this.logPrices[i];
        const drift = w * this.driftPerStep[i];
        let x = this.last[i];
        for (let t = day; t < end; t++) {
          x += drift + root * prices[t];
          prices[t] = x;
        }
        this.last[i] = x;
      }
    }
    this.step += count;
  }
}

/** From horizon to horizon: the variance is sigma^2 times the sum of W_d over the parts of the days between. */
export class StudentTHorizons extends BasketHorizons {
  private readonly multipliers: DailyMultipliers;
  private readonly draws: CorrelatedDraws;
  private readonly shocks: readonly Float64Array[];
  private readonly horizonDays: Float64Array;
  /** Years of variance up to each horizon from the one before, W included. */
  private readonly years: Float64Array;

  constructor(
    private readonly scenarios: StudentTScenarios,
    seed: number,
    product: ValueAtRiskProduct,
    horizons: number,
  ) {
    super(product, scenarios.assets, horizons);
    this.multipliers = new DailyMultipliers(scenarios, seed);
    this.draws = new CorrelatedDraws(seed, scenarios.factor, scenarios.assets);
    this.shocks = Array.from({ length: scenarios.assets }, () => new Float64Array(BLOCK_STEPS));
    this.horizonDays = horizonDays(product, horizons);
    this.years = new Float64Array(horizons);
  }

  simulate(path: number): void {
    const { horizonDays, years, scenarios, shocks, logPrices } = this;
    this.multipliers.start(path);
    let from = 0;
    let day = 0;
    for (let k = 0; k < horizonDays.length; k++) {
      let sum = 0;
      while (from < horizonDays[k]) {
        const to = Math.min(day + 1, horizonDays[k]);
        sum += this.multipliers.of(day) * (to - from);
        from = to;
        if (to === day + 1) day++;
      }
      years[k] = sum / DAYS_PER_YEAR;
    }
    this.draws.fill(path, 0, horizonDays.length, shocks);
    for (let i = 0; i < scenarios.assets; i++) {
      const variance = scenarios.annualVolatility[i] ** 2;
      let x = 0;
      for (let k = 0; k < horizonDays.length; k++) {
        x += (-variance * years[k]) / 2 + Math.sqrt(years[k]) * shocks[i][k];
        logPrices[i][k] = x;
      }
    }
    this.addBaskets();
  }
}
