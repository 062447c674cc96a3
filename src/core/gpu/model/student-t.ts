/** Student's t by the day on the GPU: its views and their parameters (shaders/model/student_t*.wgsl). */
import { HOURS_PER_YEAR } from '../../plan/grid.ts';
import type { StudentTScenarios } from '../../plan/model/student-t.ts';
import type { Portfolio } from '../../plan/portfolio.ts';
import { MULTIPLIER_COEFFICIENTS } from '../../random/multiplier-table.ts';
import { f32, struct, wordsOf } from '../struct-layout.ts';
import { DRIFTING, driftingParameters } from './gbm.ts';
import { assetViews, type GpuModel, horizonView, log2Start, packedTables } from './market.ts';

const PARAMETERS = struct('MarketParameters', { ...DRIFTING, multiplier_cap: f32, log_start: f32 });

const COMMON = {
  libraries: [
    'lib/extra_words.wgsl',
    'model/asset_arrays.wgsl',
    'model/no_shock_origin.wgsl',
    'model/log_walk.wgsl',
    'model/day_multiplier.wgsl',
  ],
  parameters: PARAMETERS,
  stateWordsPerQuad: 4,
  stateWordsPerPath: 4,
  tables: ({ multiplier }: StudentTScenarios) => packedTables([multiplier, MULTIPLIER_COEFFICIENTS]),
};

export const GPU_STUDENT_T: GpuModel<StudentTScenarios> = {
  ...assetViews({
    ...COMMON,
    file: 'model/student_t.wgsl',
    hours: 'model/hour_multiplier.wgsl',
    pack: (scenarios: StudentTScenarios, portfolio: Portfolio) =>
      packAssets(scenarios, portfolio, 1 / HOURS_PER_YEAR),
  }),
  horizons: horizonView({
    ...COMMON,
    libraries: [...COMMON.libraries, 'model/horizon_moves.wgsl'],
    file: 'model/student_t_horizons.wgsl',
    // Steps of several lengths: the shocks and drifts of one year.
    pack: (scenarios: StudentTScenarios, portfolio: Portfolio) => packAssets(scenarios, portfolio, 1),
  }),
};

function packAssets(
  scenarios: StudentTScenarios,
  portfolio: Portfolio,
  stepYears: number,
): Uint32Array<ArrayBuffer> {
  return wordsOf(PARAMETERS, {
    ...driftingParameters(scenarios, portfolio, stepYears),
    multiplier_cap: scenarios.multiplierCap,
    log_start: log2Start(portfolio),
  });
}
