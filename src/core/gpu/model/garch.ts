/**
 * GARCH(1,1) on the GPU: its views and their parameters (shaders/model/garch.wgsl).
 */
import type { GarchScenarios } from '../../plan/model/garch.ts';
import type { Portfolio } from '../../plan/portfolio.ts';
import type { StructLayout } from '../struct-layout.ts';
import { ASSET_ARRAY_BYTES, assetParameters, assetViews, FACTOR_BYTES, type GpuModel } from './market.ts';

/** Parameters of every model whose assets have a GARCH variance (shaders/model/variance_parameters.wgsl). */
export const VARIANCE_PARAMETERS = {
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
    log_start: FACTOR_BYTES + 6 * ASSET_ARRAY_BYTES + 4,
    row_count: FACTOR_BYTES + 6 * ASSET_ARRAY_BYTES + 8,
    cumulant_start: FACTOR_BYTES + 6 * ASSET_ARRAY_BYTES + 12,
  },
} as const satisfies StructLayout;

/** The file that declares them. */
export const VARIANCE_FILE = 'model/variance_parameters.wgsl';

export const GPU_GARCH: GpuModel<GarchScenarios> = assetViews({
  file: 'model/garch.wgsl',
  libraries: ['model/asset_arrays.wgsl', 'model/no_shock_origin.wgsl', 'model/log_walk.wgsl', VARIANCE_FILE],
  layout: VARIANCE_PARAMETERS,
  stateWordsPerQuad: 12,
  pack: varianceParameters,
});

/** MarketParameters with everything but the rows. */
export function varianceParameters(
  scenarios: Omit<GarchScenarios, 'kind'>,
  portfolio: Portfolio,
): Float32Array<ArrayBuffer> {
  const { fields } = VARIANCE_PARAMETERS;
  const packed = assetParameters(VARIANCE_PARAMETERS, scenarios, 1, portfolio);
  packed.set(scenarios.omega, fields.omega / 4);
  packed.set(scenarios.alpha, fields.alpha / 4);
  packed.set(scenarios.beta, fields.beta / 4);
  packed.set(scenarios.firstVariance, fields.first_variance / 4);
  packed[fields.volatility_scale / 4] = scenarios.volatilityScale;
  return packed;
}
