/**
 * GARCH(1,1) on the GPU: its views and their parameters (shaders/model/garch.wgsl).
 */
import type { GarchScenarios } from '../../plan/model/garch.ts';
import type { Portfolio } from '../../plan/portfolio.ts';
import type { StructLayout } from '../struct-layout.ts';
import { ASSET_ARRAY_BYTES, assetParameters, assetViews, FACTOR_BYTES, type GpuModel } from './market.ts';

/** Bytes of the fields below; what another model adds comes after them. */
export const GARCH_BYTES = FACTOR_BYTES + 6 * ASSET_ARRAY_BYTES + 8;
/** Parameters of every model whose assets have a GARCH variance. */
export const GARCH_FIELDS = {
  factor: 0,
  omega: FACTOR_BYTES,
  alpha: FACTOR_BYTES + ASSET_ARRAY_BYTES,
  beta: FACTOR_BYTES + 2 * ASSET_ARRAY_BYTES,
  first_variance: FACTOR_BYTES + 3 * ASSET_ARRAY_BYTES,
  collateral_weight: FACTOR_BYTES + 4 * ASSET_ARRAY_BYTES,
  loan_weight: FACTOR_BYTES + 5 * ASSET_ARRAY_BYTES,
  volatility_scale: FACTOR_BYTES + 6 * ASSET_ARRAY_BYTES,
  log_start: FACTOR_BYTES + 6 * ASSET_ARRAY_BYTES + 4,
} as const;

const LAYOUT = {
  struct: 'MarketParameters',
  // A struct is as long as a whole number of vectors.
  size: GARCH_BYTES + 8,
  fields: GARCH_FIELDS,
} as const satisfies StructLayout;

export const GPU_GARCH: GpuModel<GarchScenarios> = assetViews({
  file: 'model/garch.wgsl',
  layout: LAYOUT,
  stateWordsPerQuad: 12,
  pack: (scenarios: GarchScenarios, portfolio: Portfolio) => garchParameters(LAYOUT, scenarios, portfolio),
});

/** MarketParameters with everything that `GARCH_FIELDS` names. */
export function garchParameters(
  layout: StructLayout & { readonly fields: typeof GARCH_FIELDS },
  scenarios: Omit<GarchScenarios, 'kind'>,
  portfolio: Portfolio,
): Float32Array<ArrayBuffer> {
  const { fields } = layout;
  const packed = assetParameters(layout, scenarios, 1, portfolio);
  packed.set(scenarios.omega, fields.omega / 4);
  packed.set(scenarios.alpha, fields.alpha / 4);
  packed.set(scenarios.beta, fields.beta / 4);
  packed.set(scenarios.firstVariance, fields.first_variance / 4);
  packed[fields.volatility_scale / 4] = scenarios.volatilityScale;
  return packed;
}
