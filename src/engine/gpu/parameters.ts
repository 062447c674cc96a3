/**
 * Packs plans into the uniform structs of the shaders.
 *
 * Takes: scenarios and portfolio in double precision. Gives: bytes in the layout of the WGSL structs, every number
 * computed in double and rounded to single once. Log prices are in base 2 on the device, so scales carry log2(e).
 * The offsets written here are compared with the WGSL by test/shader/layout.test.ts.
 */
import { RiskError } from '../../errors.ts';
import {
  type GarchScenarios,
  type GbmScenarios,
  HOURS_PER_YEAR,
  MAX_ASSETS,
  type Portfolio,
  type Scenarios,
} from '../../plan/simulation-plan.ts';
import type { MarketModel, MarketView } from './kernels.ts';

/** Byte offsets of a WGSL struct: name in the shader, size, and offset by field. */
export interface StructLayout {
  readonly struct: string;
  readonly size: number;
  readonly fields: Readonly<Record<string, number>>;
}

const HOUR_IN_YEARS = 1 / HOURS_PER_YEAR;
const ASSET_ARRAY_BYTES = MAX_ASSETS * 4;
const FACTOR_BYTES = MAX_ASSETS * MAX_ASSETS * 4;

export const SLICE_LAYOUT = {
  struct: 'Slice',
  size: 28,
  fields: { first_path: 0, path_count: 4, first_step: 8, end_step: 12, steps: 16, paths: 20, seed: 24 },
} as const satisfies StructLayout;

export const GBM_LAYOUT = {
  struct: 'MarketParameters',
  size: FACTOR_BYTES + 3 * ASSET_ARRAY_BYTES,
  fields: {
    factor: 0,
    drift: FACTOR_BYTES,
    collateral_weight: FACTOR_BYTES + ASSET_ARRAY_BYTES,
    loan_weight: FACTOR_BYTES + 2 * ASSET_ARRAY_BYTES,
  },
} as const satisfies StructLayout;

export const GARCH_LAYOUT = {
  struct: 'MarketParameters',
  size: FACTOR_BYTES + 6 * ASSET_ARRAY_BYTES + 16,
  fields: {
    factor: 0,
    omega: FACTOR_BYTES,
    alpha: FACTOR_BYTES + ASSET_ARRAY_BYTES,
    beta: FACTOR_BYTES + 2 * ASSET_ARRAY_BYTES,
    first_variance: FACTOR_BYTES + 3 * ASSET_ARRAY_BYTES,
    collateral_weight: FACTOR_BYTES + 4 * ASSET_ARRAY_BYTES,
    loan_weight: FACTOR_BYTES + 5 * ASSET_ARRAY_BYTES,
    volatility_scale: FACTOR_BYTES + 6 * ASSET_ARRAY_BYTES,
  },
} as const satisfies StructLayout;

export const GBM_LOG_RATIO_LAYOUT = {
  struct: 'MarketParameters',
  size: 16,
  fields: { ratio: 0 },
} as const satisfies StructLayout;

/** Largest of the market layouts: one size of buffer fits every kernel. */
export const MARKET_BYTES = GARCH_LAYOUT.size;

/** The market of a plan, ready for a kernel. */
export interface PackedMarket {
  readonly model: MarketModel;
  readonly assets: number;
  /** MarketParameters of the model's files. */
  readonly parameters: Float32Array<ArrayBuffer>;
  /** Words of a path's market state between two time slices. */
  readonly stateWords: number;
}

/**
 * Packs the market of an hourly simulation.
 *
 * @param view what the kernel sees of the market; `log-ratio` has a leaner form under GBM
 * @throws RiskError `engine-failed` for historical scenarios, which the engine does not support
 */
export function packMarket(scenarios: Scenarios, portfolio: Portfolio, view: MarketView): PackedMarket {
  if (scenarios.kind === 'historical') {
    throw new RiskError('engine-failed', 'Historical scenarios run on the CPU only.');
  }
  const { kind: model, assets } = scenarios;
  const padded = inQuads(assets);
  if (scenarios.kind === 'garch') {
    return { model, assets, parameters: packGarch(scenarios, portfolio), stateWords: 3 * padded };
  }
  return view === 'log-ratio'
    ? { model, assets, parameters: packGbmLogRatio(scenarios, portfolio), stateWords: 1 }
    : { model, assets, parameters: packGbm(scenarios, portfolio, HOUR_IN_YEARS), stateWords: padded };
}

/** Packs the market of steps of any length (model/gbm_horizons.wgsl): the shocks and drifts of one year. */
export function packYearlyMarket(scenarios: GbmScenarios, portfolio: Portfolio): PackedMarket {
  const { kind: model, assets } = scenarios;
  return { model, assets, parameters: packGbm(scenarios, portfolio, 1), stateWords: inQuads(assets) };
}

/** Assets are put down in whole quads, four at a time. */
function inQuads(assets: number): number {
  return 4 * Math.ceil(assets / 4);
}

function packGbm(
  { assets, annualVolatility, factor }: GbmScenarios,
  portfolio: Portfolio,
  stepYears: number,
): Float32Array<ArrayBuffer> {
  const { fields, size } = GBM_LAYOUT;
  const packed = new Float32Array(size / 4);
  packed.set(padRows(factor, assets, Math.sqrt(stepYears) * Math.LOG2E), fields.factor / 4);
  packed.set(
    annualVolatility.map(sigma => driftOf(sigma, stepYears)),
    fields.drift / 4,
  );
  packed.set(portfolio.collateralWeights, fields.collateral_weight / 4);
  packed.set(portfolio.loanWeights, fields.loan_weight / 4);
  return packed;
}

function packGbmLogRatio(
  { assets, annualVolatility, factor }: GbmScenarios,
  { collateralWeights, loanWeights }: Portfolio,
): Float32Array<ArrayBuffer> {
  const packed = new Float32Array(GBM_LOG_RATIO_LAYOUT.size / 4);
  const scale = Math.sqrt(HOUR_IN_YEARS) * Math.LOG2E;
  const sign = (asset: number) => collateralWeights[asset] - loanWeights[asset];
  let drift = 0;
  for (let i = 0; i < assets; i++) {
    drift += sign(i) * driftOf(annualVolatility[i], HOUR_IN_YEARS);
  }
  for (let j = 0; j < assets; j++) {
    let shock = 0;
    for (let i = j; i < assets; i++) shock += sign(i) * factor[i * assets + j];
    packed[j] = shock * scale;
  }
  packed[2] = drift;
  return packed;
}

function packGarch(scenarios: GarchScenarios, portfolio: Portfolio): Float32Array<ArrayBuffer> {
  const { fields, size } = GARCH_LAYOUT;
  const packed = new Float32Array(size / 4);
  packed.set(padRows(scenarios.factor, scenarios.assets, 1), fields.factor / 4);
  packed.set(scenarios.omega, fields.omega / 4);
  packed.set(scenarios.alpha, fields.alpha / 4);
  packed.set(scenarios.beta, fields.beta / 4);
  packed.set(scenarios.firstVariance, fields.first_variance / 4);
  packed.set(portfolio.collateralWeights, fields.collateral_weight / 4);
  packed.set(portfolio.loanWeights, fields.loan_weight / 4);
  packed[fields.volatility_scale / 4] = scenarios.volatilityScale;
  return packed;
}

/** -sigma^2 dt / 2 in base 2. */
function driftOf(annualVolatility: number, stepYears: number): number {
  return -0.5 * annualVolatility * annualVolatility * stepYears * Math.LOG2E;
}

/** An n x n matrix, scaled, with its rows padded to MAX_ASSETS. */
function padRows(matrix: Float64Array, n: number, scale: number): Float32Array {
  const rows = new Float32Array(MAX_ASSETS * MAX_ASSETS);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) rows[i * MAX_ASSETS + j] = matrix[i * n + j] * scale;
  }
  return rows;
}
