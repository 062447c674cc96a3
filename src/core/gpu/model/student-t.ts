/**
 * Student's t by the day on the GPU: its views and their parameters (shaders/model/student_t*.wgsl).
 */
import { HOURS_PER_YEAR } from '../../plan/grid.ts';
import type { StudentTScenarios } from '../../plan/model/student-t.ts';
import type { Portfolio } from '../../plan/portfolio.ts';
import { MULTIPLIER_COEFFICIENTS } from '../../random/multiplier-table.ts';
import type { StructLayout } from '../struct-layout.ts';
import { DRIFTING_BYTES, DRIFTING_FIELDS, driftingParameters } from './gbm.ts';
import { assetViews, type GpuModel, horizonView, TableWriter } from './market.ts';

const LAYOUT = {
  struct: 'MarketParameters',
  // A struct is as long as a whole number of vectors.
  size: DRIFTING_BYTES + 16,
  fields: { ...DRIFTING_FIELDS, multiplier_cap: DRIFTING_BYTES, log_start: DRIFTING_BYTES + 4 },
} as const satisfies StructLayout;

const COMMON = {
  libraries: [
    'lib/extra_words.wgsl',
    'model/asset_arrays.wgsl',
    'model/no_shock_origin.wgsl',
    'model/log_walk.wgsl',
    'model/day_multiplier.wgsl',
  ],
  layout: LAYOUT,
  stateWordsPerQuad: 4,
  stateWordsPerPath: 4,
  tables: ({ multiplier }: StudentTScenarios) => {
    const tables = new TableWriter();
    tables.addRows(multiplier, MULTIPLIER_COEFFICIENTS);
    return tables.packed();
  },
};

export const GPU_STUDENT_T: GpuModel<StudentTScenarios> = {
  ...assetViews({
    ...COMMON,
    file: 'model/student_t.wgsl',
    pack: (scenarios: StudentTScenarios, portfolio: Portfolio) =>
      packAssets(scenarios, portfolio, 1 / HOURS_PER_YEAR),
  }),
  horizons: horizonView({
    ...COMMON,
    libraries: [...COMMON.libraries, 'model/horizon_moves.wgsl'],
    file: 'model/student_t_horizons.wgsl',
    // Steps have lengths of their own there: the shocks and drifts of one year.
    pack: (scenarios: StudentTScenarios, portfolio: Portfolio) => packAssets(scenarios, portfolio, 1),
  }),
};

function packAssets(
  scenarios: StudentTScenarios,
  portfolio: Portfolio,
  stepYears: number,
): Float32Array<ArrayBuffer> {
  const packed = driftingParameters(LAYOUT, scenarios, portfolio, stepYears);
  packed[LAYOUT.fields.multiplier_cap / 4] = scenarios.multiplierCap;
  return packed;
}
