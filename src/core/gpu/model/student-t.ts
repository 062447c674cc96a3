/**
 * Student's t by the day on the GPU: its views and their parameters (shaders/model/student_t*.wgsl).
 */
import { HOURS_PER_YEAR } from '../../plan/grid.ts';
import type { StudentTScenarios } from '../../plan/model/student-t.ts';
import type { Portfolio } from '../../plan/portfolio.ts';
import { MULTIPLIER_COEFFICIENTS } from '../../random/multiplier-table.ts';
import type { StructLayout } from '../struct-layout.ts';
import { driftOf } from './gbm.ts';
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

const LAYOUT = {
  struct: 'MarketParameters',
  size: FACTOR_BYTES + 3 * ASSET_ARRAY_BYTES + 16,
  fields: {
    factor: 0,
    drift: FACTOR_BYTES,
    collateral_weight: FACTOR_BYTES + ASSET_ARRAY_BYTES,
    loan_weight: FACTOR_BYTES + 2 * ASSET_ARRAY_BYTES,
    multiplier_cap: FACTOR_BYTES + 3 * ASSET_ARRAY_BYTES,
    log_start: FACTOR_BYTES + 3 * ASSET_ARRAY_BYTES + 4,
  },
} as const satisfies StructLayout;

const COMMON = {
  libraries: ['lib/extra_words.wgsl', 'model/day_multiplier.wgsl'],
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
    file: 'model/student_t_horizons.wgsl',
    // Steps have lengths of their own there: the shocks and drifts of one year.
    pack: (scenarios: StudentTScenarios, portfolio: Portfolio) => packAssets(scenarios, portfolio, 1),
  }),
};

function packAssets(
  { assets, annualVolatility, factor, multiplierCap }: StudentTScenarios,
  portfolio: Portfolio,
  stepYears: number,
): Float32Array<ArrayBuffer> {
  const { fields, size } = LAYOUT;
  const packed = new Float32Array(size / 4);
  packed.set(padRows(factor, assets, Math.sqrt(stepYears) * Math.LOG2E), fields.factor / 4);
  packed.set(
    annualVolatility.map(sigma => driftOf(sigma, stepYears)),
    fields.drift / 4,
  );
  packed.set(portfolio.collateralWeights, fields.collateral_weight / 4);
  packed.set(portfolio.loanWeights, fields.loan_weight / 4);
  packed[fields.multiplier_cap / 4] = multiplierCap;
  packed[fields.log_start / 4] = log2Start(portfolio);
  return packed;
}
