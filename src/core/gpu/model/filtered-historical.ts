/**
 * Filtered historical simulation on the GPU: its views, parameters and tables (shaders/model/filtered_historical*.wgsl).
 */
import type { FilteredHistoricalScenarios } from '../../plan/model/filtered-historical.ts';
import type { Portfolio } from '../../plan/portfolio.ts';
import { CUMULANT_COEFFICIENTS } from '../../random/cumulant-table.ts';
import type { StructLayout } from '../struct-layout.ts';
import {
  ASSET_ARRAY_BYTES,
  assetViews,
  FACTOR_BYTES,
  type GpuModel,
  horizonView,
  log2Start,
  padRows,
  TableWriter,
} from './market.ts';

const SCALARS = FACTOR_BYTES + 6 * ASSET_ARRAY_BYTES;
const LAYOUT = {
  struct: 'MarketParameters',
  size: SCALARS + 16,
  fields: {
    factor: 0,
    omega: FACTOR_BYTES,
    alpha: FACTOR_BYTES + ASSET_ARRAY_BYTES,
    beta: FACTOR_BYTES + 2 * ASSET_ARRAY_BYTES,
    first_variance: FACTOR_BYTES + 3 * ASSET_ARRAY_BYTES,
    collateral_weight: FACTOR_BYTES + 4 * ASSET_ARRAY_BYTES,
    loan_weight: FACTOR_BYTES + 5 * ASSET_ARRAY_BYTES,
    volatility_scale: SCALARS,
    log_start: SCALARS + 4,
    row_count: SCALARS + 8,
    cumulant_start: SCALARS + 12,
  },
} as const satisfies StructLayout;

const COMMON = {
  libraries: ['lib/extra_words.wgsl', 'model/residual_rows.wgsl'],
  layout: LAYOUT,
  stateWordsPerPath: 4,
  pack: packAssets,
  /** Residuals, then cumulants. */
  tables({ assets, rows, cumulants }: FilteredHistoricalScenarios) {
    const tables = new TableWriter();
    tables.addRows(rows, assets);
    tables.addRows(cumulants, CUMULANT_COEFFICIENTS);
    return tables.packed();
  },
};

export const GPU_FILTERED_HISTORICAL: GpuModel<FilteredHistoricalScenarios> = {
  ...assetViews({
    ...COMMON,
    libraries: [...COMMON.libraries, 'model/day_bridge.wgsl'],
    file: 'model/filtered_historical.wgsl',
    stateWordsPerQuad: 16,
  }),
  horizons: horizonView({
    ...COMMON,
    file: 'model/filtered_historical_horizons.wgsl',
    stateWordsPerQuad: 12,
  }),
};

function packAssets(scenarios: FilteredHistoricalScenarios, portfolio: Portfolio): Float32Array<ArrayBuffer> {
  const { assets, rows } = scenarios;
  const { fields, size } = LAYOUT;
  const packed = new Float32Array(size / 4);
  packed.set(padRows(scenarios.factor, assets, 1), fields.factor / 4);
  packed.set(scenarios.omega, fields.omega / 4);
  packed.set(scenarios.alpha, fields.alpha / 4);
  packed.set(scenarios.beta, fields.beta / 4);
  packed.set(scenarios.firstVariance, fields.first_variance / 4);
  packed.set(portfolio.collateralWeights, fields.collateral_weight / 4);
  packed.set(portfolio.loanWeights, fields.loan_weight / 4);
  packed[fields.volatility_scale / 4] = scenarios.volatilityScale;
  packed[fields.log_start / 4] = log2Start(portfolio);
  const words = new Uint32Array(packed.buffer);
  const rowCount = rows.length / assets;
  words[fields.row_count / 4] = rowCount;
  words[fields.cumulant_start / 4] = rowCount * Math.ceil(assets / 4);
  return packed;
}
