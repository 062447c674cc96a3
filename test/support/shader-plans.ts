/** Loan plans of every market kind and view, small enough for a software device. */
import type { LoanProduct, Scenarios, SimulationPlan } from '#src/core/plan/simulation-plan.js';

/** Lower-triangular factor of an n x n correlation matrix with `rho` off the diagonal, row i scaled by `scale[i]`. */
function equicorrelationFactor(n: number, rho: number, scale: (asset: number) => number): Float64Array {
  const factor = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = i === j ? 1 : rho;
      for (let k = 0; k < j; k++) sum -= factor[i * n + k] * factor[j * n + k];
      factor[i * n + j] = i === j ? Math.sqrt(sum) : sum / factor[j * n + j];
    }
  }
  return factor.map((value, at) => value * scale(Math.floor(at / n)));
}

/** Volatile assets first, calmer ones after. */
export function scenariosOf(kind: 'gbm' | 'garch', assets: number): Scenarios {
  const numbers = (value: (asset: number) => number) =>
    Float64Array.from({ length: assets }, (_, i) => value(i));
  const annualVolatility = numbers(i => 0.9 / (1 + 0.5 * i));
  if (kind === 'gbm') {
    const factor = equicorrelationFactor(assets, 0.3, i => annualVolatility[i]);
    return { kind, assets, annualVolatility, factor };
  }
  const variance = (i: number) => annualVolatility[i] ** 2 / 365;
  return {
    kind,
    assets,
    omega: numbers(i => 0.05 * variance(i)),
    alpha: numbers(() => 0.1),
    beta: numbers(() => 0.85),
    firstVariance: numbers(i => 1.5 * variance(i)),
    factor: equicorrelationFactor(assets, 0.3, () => 1),
    volatilityScale: 1.1,
  };
}

/** A loan of asset 0 (and others) against the last asset, nervous enough that every state is reached. */
export function loanPlan(options: {
  readonly model: 'gbm' | 'garch';
  readonly assets: number;
  readonly paths: number;
  readonly steps: number;
  readonly seed?: number;
}): SimulationPlan<LoanProduct> {
  const { model, assets, paths, steps, seed = 7 } = options;
  const collateralWeights = new Float64Array(assets);
  const loanWeights = new Float64Array(assets);
  loanWeights[assets - 1] = 1;
  if (assets === 2) collateralWeights[0] = 1;
  else collateralWeights.fill(1 / Math.max(1, assets - 1), 0, Math.max(1, assets - 1));
  return {
    seed,
    paths,
    scenarios: scenariosOf(model, assets),
    product: {
      kind: 'loan',
      portfolio: { collateralWeights, loanWeights },
      nominalRatio: 1.2,
      marginCallRatio: 1.17,
      liquidationRatio: 1.145,
      recoveryRatio: 1.19,
      topUpSteps: 9,
      steps,
    },
  };
}
