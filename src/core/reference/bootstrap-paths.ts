/** The stationary bootstrap in double precision: hourly log prices, and values at horizons. Rows of days are bridged. */
import { HOURS_PER_DAY } from '../plan/grid.ts';
import { type BootstrapScenarios, newBlockThreshold } from '../plan/model/bootstrap.ts';
import type { ValueAtRiskProduct } from '../plan/simulation-plan.ts';
import { ExtraWords } from '../random/extra-words.ts';
import { CorrelatedDraws, SteppedPaths } from './asset-paths.ts';
import { bridgeDay } from './day-bridge.ts';
import { BasketHorizons } from './horizon-baskets.ts';

/** The rows of a path one after another. */
class BlockRows {
  private readonly words: ExtraWords;
  private readonly count: number;
  /** A word below this begins a new block. */
  private readonly threshold: number;
  private readonly driftRows: number;
  private row = 0;
  /** Number of the row in the path, from 0. */
  private number = -1;

  constructor(
    private readonly scenarios: BootstrapScenarios,
    seed: number,
  ) {
    this.words = new ExtraWords(seed);
    this.count = scenarios.rows.length / scenarios.assets;
    this.threshold = newBlockThreshold(scenarios);
    this.driftRows = scenarios.drift.length / scenarios.assets;
  }

  start(path: number): void {
    this.words.start(path);
    this.number = -1;
  }

  /** Moves to the next row: two words determine whether a block begins, and its first row. */
  next(): void {
    this.number++;
    const first = this.words.word(2 * this.number);
    const begins = this.number === 0 || first < this.threshold;
    this.row = begins ? this.words.word(2 * this.number + 1) % this.count : (this.row + 1) % this.count;
  }

  /** Return of asset i in the row. */
  return(i: number): number {
    return this.scenarios.rows[this.row * this.scenarios.assets + i];
  }

  /** Drift of asset i in the row. */
  drift(i: number): number {
    const { drift, assets } = this.scenarios;
    return drift[Math.min(this.number, this.driftRows - 1) * assets + i];
  }
}

export class BootstrapPaths extends SteppedPaths {
  private readonly noise: CorrelatedDraws;
  private readonly rows: BlockRows;

  constructor(
    private readonly scenarios: BootstrapScenarios,
    seed: number,
  ) {
    super(scenarios.assets);
    this.noise = new CorrelatedDraws(seed, scenarios.factor, scenarios.assets);
    this.rows = new BlockRows(scenarios, seed);
  }

  override start(path: number): void {
    super.start(path);
    this.rows.start(path);
  }

  advance(count: number): void {
    if (this.scenarios.stepsPerRow === 1) this.advanceHours(count);
    else this.advanceDays(count);
    this.step += count;
  }

  private advanceHours(count: number): void {
    const { rows, last, logPrices } = this;
    for (let t = 0; t < count; t++) {
      rows.next();
      for (let i = 0; i < this.assets; i++) {
        last[i] += rows.return(i) + rows.drift(i);
        logPrices[i][t] = last[i];
      }
    }
  }

  private advanceDays(count: number): void {
    const { rows, last, scenarios } = this;
    this.noise.fill(this.path, this.step, count, this.logPrices);
    for (let from = 0; from < count; from += HOURS_PER_DAY) {
      const end = Math.min(from + HOURS_PER_DAY, count);
      rows.next();
      for (let i = 0; i < this.assets; i++) {
        const drift = rows.drift(i) / HOURS_PER_DAY;
        last[i] = bridgeDay(
          this.logPrices[i],
          from,
          end,
          last[i],
          rows.return(i),
          scenarios.deviation[i],
          drift,
        );
      }
    }
  }
}

/** Walks the rows up to each horizon, which is a whole number of them. */
export class BootstrapHorizons extends BasketHorizons {
  private readonly assets: number;
  private readonly rows: BlockRows;
  private readonly horizonSteps: Uint32Array;
  private readonly last: Float64Array;

  constructor(scenarios: BootstrapScenarios, seed: number, product: ValueAtRiskProduct, horizons: number) {
    super(product, scenarios.assets, horizons);
    this.assets = scenarios.assets;
    this.rows = new BlockRows(scenarios, seed);
    this.horizonSteps = product.horizonSteps.slice(0, horizons);
    this.last = new Float64Array(scenarios.assets);
  }

  simulate(path: number): void {
    const { rows, last } = this;
    rows.start(path);
    last.fill(0);
    let step = 0;
    for (let k = 0; k < this.horizonSteps.length; k++) {
      for (; step < this.horizonSteps[k]; step++) {
        rows.next();
        for (let i = 0; i < this.assets; i++) last[i] += rows.return(i) + rows.drift(i);
      }
      for (let i = 0; i < this.assets; i++) this.logPrices[i][k] = last[i];
    }
    this.addBaskets();
  }
}
