/**
 * A second, deliberately plain implementation of the scenarios: one loop per formula of the methodology, nothing
 * shared with the engines but the generator's words, which have known answers of their own.
 */
import type { GbmShiftedScenarios, Scenarios, SimulationPlan } from '#src/core/plan/simulation-plan.js';
import { wordsOfStep } from './draws.ts';
import { plainHeavyTails } from './heavy-tails.ts';

/** The draw of a step (from 0) and an asset, as docs/decisions/random-numbers.md lays it down. */
export function plainDraw(seed: number, path: number, step: number, asset: number): number {
  const [w0, w1] = wordsOfStep(seed, path, Math.floor(asset / 2), step);
  // ln u where u is small, ln(1 - v) where it is near 1.
  const v = (2 ** 32 - w0 - 0.5) / 2 ** 32;
  const radius = Math.sqrt(-2 * (w0 < 2 ** 31 ? Math.log((w0 + 0.5) / 2 ** 32) : Math.log1p(-v)));
  const angle = (2 * Math.PI * w1) / 2 ** 32;
  return radius * (asset % 2 === 0 ? Math.cos(angle) : Math.sin(angle));
}

/** What shifted paths add to each of the n normals of a step: the distance along -F'd / |F'd|, over the root of the steps. */
function shiftOfNormals({ assets, factor, exposures, steps, distance }: GbmShiftedScenarios): number[] {
  const weighed = steps + ((4 - (steps % 4)) % 4);
  const v = Array.from({ length: assets }, (_, j) =>
    exposures.reduce((sum, d, i) => sum + d * factor[i * assets + j], 0),
  );
  const size = Math.sqrt(v.reduce((sum, each) => sum + each * each, 0));
  return v.map(each => (size === 0 ? 0 : (-each / size) * (distance / Math.sqrt(weighed))));
}

/** The weight of a path: twice the density of its normals in the model, over that and their density when shifted. */
export function plainWeight(seed: number, scenarios: GbmShiftedScenarios, path: number): number {
  const shift = shiftOfNormals(scenarios);
  const steps = scenarios.steps + ((4 - (scenarios.steps % 4)) % 4);
  let logOfRatio = 0;
  for (let step = 0; step < steps; step++)
    for (const [j, moved] of shift.entries()) {
      const z = plainDraw(seed, path, step, j) + (path % 2) * moved;
      logOfRatio += z * moved - (moved * moved) / 2;
    }
  return 2 / (1 + Math.exp(logOfRatio));
}

/** S_i(t) for t = 0..steps: prices[t][i]; S_i(0) = 1. Hourly steps. */
export function plainPrices(plan: SimulationPlan, path: number, steps: number): number[][] {
  const { scenarios } = plan;
  if (scenarios.kind === 'historical') {
    const begin = scenarios.lead + path - steps;
    return Array.from({ length: steps + 1 }, (_, t) =>
      scenarios.prices.map(series => series[begin + t] / series[begin]),
    );
  }
  if (scenarios.kind === 'gbm-sobol') throw new RangeError('Sobol points have no hours');
  if (scenarios.kind !== 'gbm' && scenarios.kind !== 'gbm-shifted' && scenarios.kind !== 'garch') {
    const draw = (step: number, asset: number) => plainDraw(plan.seed, path, step, asset);
    const logs = plainHeavyTails(scenarios, plan.seed, path, steps, draw);
    return [new Array<number>(scenarios.assets).fill(1), ...logs.map(now => now.map(Math.exp))];
  }
  const n = scenarios.assets;
  const x = new Array<number>(n).fill(0);
  const variance = scenarios.kind === 'garch' ? [...scenarios.firstVariance] : [];
  const daySum = new Array<number>(n).fill(0);
  const prices = [x.map(Math.exp)];
  const shift = scenarios.kind === 'gbm-shifted' && path % 2 === 1 ? shiftOfNormals(scenarios) : [];
  for (let step = 0; step < steps; step++) {
    const z = Array.from({ length: n }, (_, j) => plainDraw(plan.seed, path, step, j) + (shift[j] ?? 0));
    for (let i = 0; i < n; i++) {
      const shock = z.reduce((sum, zj, j) => sum + scenarios.factor[i * n + j] * zj, 0);
      if (scenarios.kind !== 'garch') {
        const dt = 1 / 8760;
        x[i] += -(scenarios.annualVolatility[i] ** 2 * dt) / 2 + Math.sqrt(dt) * shock;
      } else {
        const s = scenarios.volatilityScale;
        const hourly = Math.sqrt(variance[i] / 24) * shock;
        x[i] += s * hourly - (s * s * variance[i]) / 48;
        daySum[i] += hourly;
        if (step % 24 === 23) {
          variance[i] =
            scenarios.omega[i] + scenarios.alpha[i] * daySum[i] ** 2 + scenarios.beta[i] * variance[i];
          daySum[i] = 0;
        }
      }
    }
    prices.push(x.map(Math.exp));
  }
  return prices;
}

/** C_t and L_t for t = 0..steps. */
export function plainBaskets(
  plan: SimulationPlan & {
    product: { portfolio: { collateralWeights: Float64Array; loanWeights: Float64Array } };
  },
  path: number,
  steps: number,
): { collateral: number[]; loan: number[] } {
  const prices = plainPrices(plan, path, steps);
  const { collateralWeights, loanWeights } = plan.product.portfolio;
  const basket = (weights: Float64Array) =>
    prices.map(now => now.reduce((sum, price, i) => sum + weights[i] * price, 0));
  return { collateral: basket(collateralWeights), loan: basket(loanWeights) };
}

/** Number of assets of any scenarios, for messages. */
export function describeScenarios(scenarios: Scenarios): string {
  return `${scenarios.kind} with ${scenarios.assets} assets`;
}
