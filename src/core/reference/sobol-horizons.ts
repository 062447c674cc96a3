/** C_h and L_h at the horizons of value at risk under GBM, at scrambled Sobol points, in double precision. */
import { type GbmSobolScenarios, SCRAMBLES } from '../plan/model/gbm-sobol.ts';
import type { SimulationPlan, ValueAtRiskProduct } from '../plan/simulation-plan.ts';
import { ScrambledSobol } from '../random/sobol.ts';
import { BasketHorizons, yearsBetween } from './horizon-baskets.ts';

export class SobolHorizons extends BasketHorizons {
  /** Years between a horizon and the one before. */
  private readonly stepYears: Float64Array;
  private readonly points: ScrambledSobol;
  /** [horizon][component] */
  private readonly normals: Float64Array;

  /** @param horizons the first ones that are wanted; later ones change none of their dimensions */
  constructor(
    private readonly scenarios: GbmSobolScenarios,
    { seed, paths, product }: Omit<SimulationPlan<ValueAtRiskProduct>, 'scenarios'>,
    horizons: number,
  ) {
    super(product, scenarios.assets, horizons);
    this.stepYears = yearsBetween(product, horizons);
    this.normals = new Float64Array(horizons * scenarios.assets);
    this.points = new ScrambledSobol(seed, this.normals.length, paths / SCRAMBLES);
  }

  simulate(path: number): void {
    const { normals, stepYears, logPrices } = this;
    const { assets: n, annualVolatility, components } = this.scenarios;
    this.points.fillNormals(path, normals);
    for (let i = 0; i < n; i++) {
      const sigma = annualVolatility[i];
      let x = 0;
      for (let k = 0; k < stepYears.length; k++) {
        let shock = 0;
        for (let j = 0; j < n; j++) shock += components[i * n + j] * normals[k * n + j];
        x += (-sigma * sigma * stepYears[k]) / 2 + Math.sqrt(stepYears[k]) * shock;
        logPrices[i][k] = x;
      }
    }
    this.addBaskets();
  }
}
