/** The stationary bootstrap on the GPU: its views, parameters and tables (shaders/model/bootstrap*.wgsl). */
import { type BootstrapScenarios, newBlockThreshold } from '../../plan/model/bootstrap.ts';
import type { Portfolio } from '../../plan/portfolio.ts';
import { f32, struct, u32, wordsOf } from '../struct-layout.ts';
import {
  ASSET_MATRIX,
  ASSET_VECTOR,
  assetParameters,
  assetViews,
  type GpuModel,
  horizonView,
  log2Start,
  packedTables,
  quads,
} from './market.ts';

const PARAMETERS = struct('MarketParameters', {
  factor: ASSET_MATRIX,
  deviation: ASSET_VECTOR,
  collateral_weight: ASSET_VECTOR,
  loan_weight: ASSET_VECTOR,
  collateral_sum: f32,
  loan_sum: f32,
  log_start: f32,
  new_block: u32,
  row_count: u32,
  drift_start: u32,
  drift_count: u32,
  steps_per_row: u32,
});

const COMMON = {
  libraries: [
    'lib/extra_words.wgsl',
    'model/asset_arrays.wgsl',
    'model/no_shock_origin.wgsl',
    'model/block_rows.wgsl',
  ],
  parameters: PARAMETERS,
  stateWordsPerPath: 4,
  pack: packAssets,
  tables: ({ assets, rows, drift }: BootstrapScenarios) =>
    packedTables([rows, assets, Math.LOG2E], [drift, assets, Math.LOG2E]),
};

export const GPU_BOOTSTRAP: GpuModel<BootstrapScenarios> = {
  ...assetViews({
    ...COMMON,
    libraries: [...COMMON.libraries, 'model/day_bridge.wgsl'],
    file: 'model/bootstrap.wgsl',
    hours: 'model/hour_constant.wgsl',
    stateWordsPerQuad: 8,
  }),
  horizons: horizonView({ ...COMMON, file: 'model/bootstrap_horizons.wgsl', stateWordsPerQuad: 4 }),
};

function packAssets(scenarios: BootstrapScenarios, portfolio: Portfolio): Uint32Array<ArrayBuffer> {
  const { assets, rows, drift, deviation, stepsPerRow } = scenarios;
  const rowCount = rows.length / assets;
  return wordsOf(PARAMETERS, {
    ...assetParameters(scenarios, 1, portfolio),
    deviation: quads(deviation.map(value => value * Math.LOG2E)),
    log_start: log2Start(portfolio),
    new_block: newBlockThreshold(scenarios),
    row_count: rowCount,
    drift_start: rowCount * Math.ceil(assets / 4),
    drift_count: drift.length / assets,
    steps_per_row: stepsPerRow,
  });
}
