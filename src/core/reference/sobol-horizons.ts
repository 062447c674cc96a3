/**
 * C_h and L_h at the horizons of value at risk under GBM, at scrambled Sobol points, in double precision.
 *
 * Takes: scenarios, a portfolio and its horizons. Gives: paths for src/core/product/value-at-risk.ts.
 */
import { type GbmSobolScenarios, SCRAMBLES } from '../plan/model/gbm-sobol.ts';
import type { Portfolio, SimulationPlan, ValueAtRiskProduct } from '../plan/simulation-plan.ts';
import type { HorizonPaths } from '../product/paths.ts';
import { ScrambledSobol } from '../random/sobol.ts';
import { exponential } from './exponential.ts';

export class SobolHorizons implements HorizonPaths {
  readonly collateral: Float64Array;
  readonly loan: Float64Array;
  private readonly scenarios: GbmSobolScenarios;
  private readonly portfolio: Portfolio;
  /** Years between a horizon and the one before. */
  private readonly stepYears: Float64Array;
  private readonly points: ScrambledSobol;
  /** [horizon][component] */
  private readonly normals: Float64Array;

  /** @param horizons the first ones that are wanted: those behind them change no dimension of theirs */
  constructor(
    scenarios: GbmSobolScenarios,
    { seed, paths, product }: Omit<SimulationPlan<ValueAtRiskProduct>, 'scenarios'>,
    horizons: number,
  ) {
    this.scenarios = scenarios;
    this.portfolio = product.portfolio;
    this.stepYears = product.horizonYears
      .slice(0, horizons)
      .map((years, k, all) => (k === 0 ? years : years - all[k - 1]));
    this.collateral = new Float64Array(horizons);
    this.loan = new Float64Array(horizons);
    this.normals = new Float64Array(horizons * scenarios.assets);
    this.points = new ScrambledSobol(seed, this.normals.length, paths / SCRAMBLES);
  }

  simulate(path: number): void {
    const { normals, stepYears, collateral, loan, portfolio } = this;
    const { assets: n, annualVolatility, components } = this.scenarios;
    this.points.fillNormals(path, normals);
    collateral.fill(0);
    loan.fill(0);
    for (let i = 0; i < n; i++) {
      const sigma = annualVolatility[i];
      let x = 0;
      for (let k = 0; k < stepYears.length; k++) {
        let shock = 0;
        for (let j = 0; j < n; j++) shock += components[i * n + j] * normals[k * n + j];
        x += (-sigma * sigma * stepYears[k]) / 2 + Math.sqrt(stepYears[k]) * shock;
        const price = exponential(x);
        collateral[k] += portfolio.collateralWeights[i] * price;
        loan[k] += portfolio.loanWeights[i] * price;
      }
    }
  }
}
