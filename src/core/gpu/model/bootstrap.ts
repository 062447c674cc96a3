/**
 * The stationary bootstrap on the GPU: its views, parameters and tables (shaders/model/bootstrap*.wgsl).
 */
import { type BootstrapScenarios, newBlockThreshold } from '../../plan/model/bootstrap.ts';
import type { Portfolio } from '../../plan/portfolio.ts';
import type { StructLayout } from '../struct-layout.ts';
import {
  ASSET_ARRAY_BYTES,
  assetParameters,
  assetViews,
  FACTOR_BYTES,
  type GpuModel,
  horizonView,
  TableWriter,
} from './market.ts';

const SCALARS = FACTOR_BYTES + 3 * ASSET_ARRAY_BYTES;
const LAYOUT = {
  struct: 'MarketParameters',
  size: SCALARS + 32,
  fields: {
    factor: 0,
    deviation: FACTOR_BYTES,
    collateral_weight: FACTOR_BYTES + ASSET_ARRAY_BYTES,
    loan_weight: FACTOR_BYTES + 2 * ASSET_ARRAY_BYTES,
    log_start: SCALARS,
    new_block: SCALARS + 4,
    row_count: SCALARS + 8,
    drift_start: SCALARS + 12,
    drift_count: SCALARS + 16,
    steps_per_row: SCALARS + 20,
  },
} as const satisfies StructLayout;

const COMMON = {
  libraries: [
    'lib/extra_words.wgsl',
    'model/asset_arrays.wgsl',
    'model/no_shock_origin.wgsl',
    'model/block_rows.wgsl',
  ],
  layout: LAYOUT,
  stateWordsPerPath: 4,
  pack: packAssets,
  tables({ assets, rows, drift }: BootstrapScenarios) {
    const tables = new TableWriter();
    tables.addRows(rows, assets, Math.LOG2E);
    tables.addRows(drift, assets, Math.LOG2E);
    return tables.packed();
  },
};

export const GPU_BOOTSTRAP: GpuModel<BootstrapScenarios> = {
  ...assetViews({
    ...COMMON,
    libraries: [...COMMON.libraries, 'model/day_bridge.wgsl'],
    file: 'model/bootstrap.wgsl',
    stateWordsPerQuad: 8,
  }),
  horizons: horizonView({ ...COMMON, file: 'model/bootstrap_horizons.wgsl', stateWordsPerQuad: 4 }),
};

function packAssets(scenarios: BootstrapScenarios, portfolio: Portfolio): Float32Array<ArrayBuffer> {
  const { assets, rows, drift, deviation, stepsPerRow } = scenarios;
  const { fields } = LAYOUT;
  const packed = assetParameters(LAYOUT, scenarios, 1, portfolio);
  packed.set(
    deviation.map(value => value * Math.LOG2E),
    fields.deviation / 4,
  );
  const words = new Uint32Array(packed.buffer);
  const rowCount = rows.length / assets;
  words[fields.new_block / 4] = newBlockThreshold(scenarios);
  words[fields.row_count / 4] = rowCount;
  words[fields.drift_start / 4] = rowCount * Math.ceil(assets / 4);
  words[fields.drift_count / 4] = drift.length / assets;
  words[fields.steps_per_row / 4] = stepsPerRow;
  return packed;
}
