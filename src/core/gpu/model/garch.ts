/**
 * GARCH(1,1) on the GPU: its views and their parameters (shaders/model/garch.wgsl).
 */
import type { GarchScenarios } from '../../plan/model/garch.ts';
import type { Portfolio } from '../../plan/portfolio.ts';
import type { StructLayout } from '../struct-layout.ts';
import { ASSET_ARRAY_BYTES, assetViews, FACTOR_BYTES, type GpuModel, log2Start, padRows } from './market.ts';

const LAYOUT = {
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
  },
} as const satisfies StructLayout;

export const GPU_GARCH: GpuModel<GarchScenarios> = assetViews({
  file: 'model/garch.wgsl',
  layout: LAYOUT,
  stateWordsPerQuad: 12,
  pack: packAssets,
});

function packAssets(scenarios: GarchScenarios, portfolio: Portfolio): Float32Array<ArrayBuffer> {
  const { fields, size } = LAYOUT;
  const packed = new Float32Array(size / 4);
  packed.set(padRows(scenarios.factor, scenarios.assets, 1), fields.factor / 4);
  packed.set(scenarios.omega, fields.omega / 4);
  packed.set(scenarios.alpha, fields.alpha / 4);
  packed.set(scenarios.beta, fields.beta / 4);
  packed.set(scenarios.firstVariance, fields.first_variance / 4);
  packed.set(portfolio.collateralWeights, fields.collateral_weight / 4);
  packed.set(portfolio.loanWeights, fields.loan_weight / 4);
  packed[fields.volatility_scale / 4] = scenarios.volatilityScale;
  packed[fields.log_start / 4] = log2Start(portfolio);
  return packed;
}
