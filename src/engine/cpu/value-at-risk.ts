/**
 * Values of collateral, loan and net exposure at several horizons (methodology part 5).
 *
 * Takes: a plan and a range of paths. Gives: C_h and L_h per horizon, or the USD values of a batch of horizons
 * written into shared memory, where `tailsOf` then selects. Monte Carlo steps exactly from horizon to horizon.
 */
import {
  type GbmScenarios,
  type HistoricalScenarios,
  type Portfolio,
  planSteps,
  type SimulationPlan,
  type ValueAtRiskProduct,
} from '../../plan/simulation-plan.ts';
import { fillNormals } from '../../random/normal-stream.ts';
import { lowerTails } from '../../stats/tail.ts';
import type { Tail } from '../engine.ts';
import type { PathRange } from './chunks.ts';
import { exponential } from './exponential.ts';
import type { RecordSink } from './record-sink.ts';

/** Collateral, loan, net exposure. */
export const VALUES_PER_HORIZON = 3;

/** Horizons `first .. first + count - 1` by rank, and room for their values: [horizon][collateral, loan, net][path]. */
export interface HorizonBatch {
  readonly first: number;
  readonly count: number;
  readonly values: Float64Array;
}

/** C_h and L_h of one path at every horizon. */
interface HorizonPaths {
  readonly collateral: Float64Array;
  readonly loan: Float64Array;
  simulate(path: number): void;
}

/** Writes the USD values of one batch of horizons for a range of paths. */
export function writeHorizonValues(
  plan: SimulationPlan<ValueAtRiskProduct>,
  range: PathRange,
  batch: HorizonBatch,
): void {
  const { product, paths: stride } = plan;
  const horizons = openHorizonPaths(plan, batch.first + batch.count);
  for (let p = range.first; p < range.first + range.count; p++) {
    horizons.simulate(p);
    for (let k = 0; k < batch.count; k++) {
      const collateral = product.collateralValue * horizons.collateral[batch.first + k];
      const loan = product.loanValue * horizons.loan[batch.first + k];
      const at = VALUES_PER_HORIZON * k * stride + p;
      batch.values[at] = collateral;
      batch.values[at + stride] = loan;
      batch.values[at + 2 * stride] = collateral - loan;
    }
  }
}

/** Tails of one value at one horizon; reorders the values. */
export function tailsOf(values: Float64Array, quantiles: Float64Array): readonly Tail[] {
  return lowerTails(values, quantiles);
}

/** Writes C_h and L_h of every horizon for a range of paths. */
export function recordHorizons(
  plan: SimulationPlan<ValueAtRiskProduct>,
  range: PathRange,
  records: RecordSink,
): void {
  const horizons = openHorizonPaths(plan, planSteps(plan));
  for (let p = range.first; p < range.first + range.count; p++) {
    horizons.simulate(p);
    records.write(
      p,
      [...horizons.collateral].flatMap((collateral, k) => [collateral, horizons.loan[k]]),
    );
  }
}

function openHorizonPaths(plan: SimulationPlan<ValueAtRiskProduct>, horizons: number): HorizonPaths {
  const { scenarios, product, seed } = plan;
  switch (scenarios.kind) {
    case 'gbm':
      return new GbmHorizons(scenarios, seed, product, horizons);
    case 'historical':
      return new HistoricalHorizons(scenarios, product.portfolio, product.horizonSteps.slice(0, horizons));
    case 'garch':
      throw new RangeError('value at risk has no GARCH scenarios');
  }
}

class GbmHorizons implements HorizonPaths {
  readonly collateral: Float64Array;
  readonly loan: Float64Array;
  private readonly scenarios: GbmScenarios;
  private readonly seed: number;
  private readonly portfolio: Portfolio;
  /** Years between a horizon and the one before. */
  private readonly stepYears: Float64Array;
  private readonly draws: readonly Float64Array[];

  constructor(scenarios: GbmScenarios, seed: number, product: ValueAtRiskProduct, horizons: number) {
    this.scenarios = scenarios;
    this.seed = seed;
    this.portfolio = product.portfolio;
    this.stepYears = product.horizonYears
      .slice(0, horizons)
      .map((years, k, all) => (k === 0 ? years : years - all[k - 1]));
    this.collateral = new Float64Array(horizons);
    this.loan = new Float64Array(horizons);
    const drawn = 4 * Math.ceil(horizons / 4);
    this.draws = Array.from({ length: scenarios.assets }, () => new Float64Array(drawn));
  }

  simulate(path: number): void {
    const { scenarios, draws, stepYears, collateral, loan, portfolio } = this;
    const n = scenarios.assets;
    collateral.fill(0);
    loan.fill(0);
    for (let j = 0; j < n; j++) fillNormals(this.seed, path, j, 0, draws[j].length / 4, draws[j], 0);
    for (let i = 0; i < n; i++) {
      const sigma = scenarios.annualVolatility[i];
      let x = 0;
      for (let k = 0; k < stepYears.length; k++) {
        let shock = 0;
        for (let j = 0; j <= i; j++) shock += scenarios.factor[i * n + j] * draws[j][k];
        x += (-sigma * sigma * stepYears[k]) / 2 + Math.sqrt(stepYears[k]) * shock;
        const price = exponential(x);
        collateral[k] += portfolio.collateralWeights[i] * price;
        loan[k] += portfolio.loanWeights[i] * price;
      }
    }
  }
}

/** Windows that end at the same grid point, each of its horizon's length. */
class HistoricalHorizons implements HorizonPaths {
  readonly collateral: Float64Array;
  readonly loan: Float64Array;
  private readonly scenarios: HistoricalScenarios;
  private readonly portfolio: Portfolio;
  private readonly horizonSteps: Uint32Array;

  constructor(scenarios: HistoricalScenarios, portfolio: Portfolio, horizonSteps: Uint32Array) {
    this.scenarios = scenarios;
    this.portfolio = portfolio;
    this.horizonSteps = horizonSteps;
    this.collateral = new Float64Array(horizonSteps.length);
    this.loan = new Float64Array(horizonSteps.length);
  }

  simulate(path: number): void {
    const { scenarios, portfolio, collateral, loan } = this;
    const end = scenarios.lead + path;
    collateral.fill(0);
    loan.fill(0);
    for (let i = 0; i < scenarios.assets; i++) {
      const prices = scenarios.prices[i];
      for (let k = 0; k < this.horizonSteps.length; k++) {
        const relative = prices[end] / prices[end - this.horizonSteps[k]];
        collateral[k] += portfolio.collateralWeights[i] * relative;
        loan[k] += portfolio.loanWeights[i] * relative;
      }
    }
  }
}
