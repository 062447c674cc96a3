/** GARCH(1,1) on the GPU: its views and their parameters (shaders/model/garch.wgsl). */
import type { GarchScenarios } from '../../plan/model/garch.ts';
import type { Portfolio } from '../../plan/portfolio.ts';
import { f32, struct, u32, wordsOf } from '../struct-layout.ts';
import {
  ASSET_MATRIX,
  ASSET_VECTOR,
  assetParameters,
  assetViews,
  type GpuModel,
  log2Start,
  quads,
} from './market.ts';

/** Parameters of every model whose assets have a GARCH variance (shaders/model/variance_parameters.wgsl). */
export const VARIANCE_PARAMETERS = struct('MarketParameters', {
  factor: ASSET_MATRIX,
  omega: ASSET_VECTOR,
  alpha: ASSET_VECTOR,
  beta: ASSET_VECTOR,
  first_variance: ASSET_VECTOR,
  collateral_weight: ASSET_VECTOR,
  loan_weight: ASSET_VECTOR,
  collateral_sum: f32,
  loan_sum: f32,
  volatility_scale: f32,
  log_start: f32,
  row_count: u32,
  cumulant_start: u32,
});

/** The file that declares them. */
export const VARIANCE_FILE = 'model/variance_parameters.wgsl';

export const GPU_GARCH: GpuModel<GarchScenarios> = assetViews({
  file: 'model/garch.wgsl',
  hours: 'model/hour_variance.wgsl',
  libraries: ['model/asset_arrays.wgsl', 'model/no_shock_origin.wgsl', 'model/log_walk.wgsl', VARIANCE_FILE],
  parameters: VARIANCE_PARAMETERS,
  stateWordsPerQuad: 8,
  pack: (scenarios, portfolio) =>
    wordsOf(VARIANCE_PARAMETERS, {
      ...varianceParameters(scenarios, portfolio),
      row_count: 0,
      cumulant_start: 0,
    }),
});

/** All members of `VARIANCE_PARAMETERS` except the rows. */
export function varianceParameters(scenarios: Omit<GarchScenarios, 'kind'>, portfolio: Portfolio) {
  return {
    ...assetParameters(scenarios, 1, portfolio),
    omega: quads(scenarios.omega),
    alpha: quads(scenarios.alpha),
    beta: quads(scenarios.beta),
    first_variance: quads(scenarios.firstVariance),
    volatility_scale: scenarios.volatilityScale,
    log_start: log2Start(portfolio),
  };
}
