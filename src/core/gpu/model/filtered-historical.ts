/** Filtered historical simulation on the GPU: its views, parameters and tables (shaders/model/filtered_historical*.wgsl). */
import type { FilteredHistoricalScenarios } from '../../plan/model/filtered-historical.ts';
import type { Portfolio } from '../../plan/portfolio.ts';
import { CUMULANT_COEFFICIENTS } from '../../random/cumulant-table.ts';
import { wordsOf } from '../struct-layout.ts';
import { VARIANCE_FILE, VARIANCE_PARAMETERS, varianceParameters } from './garch.ts';
import { assetViews, type GpuModel, horizonView, packedTables } from './market.ts';

const COMMON = {
  libraries: [
    'lib/extra_words.wgsl',
    'model/asset_arrays.wgsl',
    'model/no_shock_origin.wgsl',
    VARIANCE_FILE,
    'model/residual_rows.wgsl',
  ],
  parameters: VARIANCE_PARAMETERS,
  pack: packAssets,
  /** Residuals, then cumulants. */
  tables: ({ assets, rows, cumulants }: FilteredHistoricalScenarios) =>
    packedTables([rows, assets], [cumulants, CUMULANT_COEFFICIENTS]),
};

export const GPU_FILTERED_HISTORICAL: GpuModel<FilteredHistoricalScenarios> = {
  ...assetViews({
    ...COMMON,
    libraries: [...COMMON.libraries, 'model/day_bridge.wgsl'],
    file: 'model/filtered_historical.wgsl',
    hours: 'model/hour_variance.wgsl',
    stateWordsPerQuad: 8,
  }),
  horizons: horizonView({
    ...COMMON,
    file: 'model/filtered_historical_horizons.wgsl',
    stateWordsPerQuad: 12,
    stateWordsPerPath: 4,
  }),
};

function packAssets(scenarios: FilteredHistoricalScenarios, portfolio: Portfolio): Uint32Array<ArrayBuffer> {
  const { assets, rows } = scenarios;
  const rowCount = rows.length / assets;
  return wordsOf(VARIANCE_PARAMETERS, {
    ...varianceParameters(scenarios, portfolio),
    row_count: rowCount,
    cumulant_start: rowCount * Math.ceil(assets / 4),
  });
}
