/**
 * Filtered historical simulation on the GPU: its views, parameters and tables (shaders/model/filtered_historical*.wgsl).
 */
import type { FilteredHistoricalScenarios } from '../../plan/model/filtered-historical.ts';
import type { Portfolio } from '../../plan/portfolio.ts';
import { CUMULANT_COEFFICIENTS } from '../../random/cumulant-table.ts';
import { VARIANCE_FILE, VARIANCE_PARAMETERS, varianceParameters } from './garch.ts';
import { assetViews, type GpuModel, horizonView, TableWriter } from './market.ts';

const COMMON = {
  libraries: [
    'lib/extra_words.wgsl',
    'model/asset_arrays.wgsl',
    'model/no_shock_origin.wgsl',
    VARIANCE_FILE,
    'model/residual_rows.wgsl',
  ],
  layout: VARIANCE_PARAMETERS,
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
  const { fields } = VARIANCE_PARAMETERS;
  const packed = varianceParameters(scenarios, portfolio);
  const words = new Uint32Array(packed.buffer);
  const rowCount = rows.length / assets;
  words[fields.row_count / 4] = rowCount;
  words[fields.cumulant_start / 4] = rowCount * Math.ceil(assets / 4);
  return packed;
}
