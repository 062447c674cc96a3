/**
 * GBM of which every second path is shifted, on the GPU (shaders/model/gbm_shifted.wgsl, gbm_pair_shifted.wgsl).
 *
 * Loans and books run on it, whose programs add up weights.
 */
import { type GbmShiftedScenarios, type Shift, shiftOf } from '../../plan/model/gbm-shifted.ts';
import type { Portfolio } from '../../plan/portfolio.ts';
import type { StructLayout } from '../struct-layout.ts';
import {
  DRIFTING_BYTES,
  DRIFTING_FIELDS,
  driftingParameters,
  driftOf,
  HOUR_IN_YEARS,
  LOAN_PAIR_BYTES,
  LOAN_PAIR_FIELDS,
  LOG_PRICES,
  loanPairWords,
  logRatioWords,
  packLoanPair,
} from './gbm.ts';
import {
  ASSET_ARRAY_BYTES,
  assetViews,
  type GpuMarket,
  type GpuModel,
  LOG_VALUES,
  log2Start,
} from './market.ts';

const LAYOUT = {
  struct: 'MarketParameters',
  size: DRIFTING_BYTES + 2 * ASSET_ARRAY_BYTES + 16,
  fields: {
    ...DRIFTING_FIELDS,
    shifted_drift: DRIFTING_BYTES,
    exposure: DRIFTING_BYTES + ASSET_ARRAY_BYTES,
    weight_start: DRIFTING_BYTES + 2 * ASSET_ARRAY_BYTES,
    weight_slope: DRIFTING_BYTES + 2 * ASSET_ARRAY_BYTES + 4,
  },
} as const satisfies StructLayout;

const PAIR_LAYOUT = {
  struct: 'MarketParameters',
  size: LOAN_PAIR_BYTES + 32,
  fields: {
    ...LOAN_PAIR_FIELDS,
    shifted: LOAN_PAIR_BYTES,
    weight_start: LOAN_PAIR_BYTES + 16,
    weight_slope: LOAN_PAIR_BYTES + 20,
  },
} as const satisfies StructLayout;

const HOURLY = assetViews({
  libraries: [...LOG_PRICES, 'model/path_weight.wgsl', 'model/gbm_shifted.wgsl'],
  file: 'model/gbm.wgsl',
  layout: LAYOUT,
  stateWordsPerQuad: 4,
  pack: packAssets,
});

/** A pair under the view that files of shaders/ provide. */
const pairView = (files: readonly string[], stateWords: () => number): GpuMarket<GbmShiftedScenarios> => ({
  files: ['model/path_weight.wgsl', 'model/gbm_pair_shifted.wgsl', ...files, LOG_VALUES],
  layout: PAIR_LAYOUT,
  stateWords,
  pack: packPair,
});

export const GPU_GBM_SHIFTED: GpuModel<GbmShiftedScenarios> = {
  ...HOURLY,
  'log-ratio': pairView(['model/gbm_log_ratio.wgsl'], logRatioWords),
  'loan-pair': pairView(['portfolio/market_loan.wgsl', 'model/gbm_loan_pair.wgsl'], loanPairWords),
};

/** log2 of what a step multiplies the price of an asset of a shifted path by, beside the shock. */
const shiftedDrift = ({ annualVolatility }: GbmShiftedScenarios, { perStep }: Shift, asset: number): number =>
  driftOf(annualVolatility[asset], HOUR_IN_YEARS) + perStep[asset] * Math.LOG2E;

function packAssets(scenarios: GbmShiftedScenarios, portfolio: Portfolio): Float32Array<ArrayBuffer> {
  const { fields } = LAYOUT;
  const shift = shiftOf(scenarios);
  const packed = driftingParameters(LAYOUT, scenarios, portfolio, HOUR_IN_YEARS);
  for (let i = 0; i < scenarios.assets; i++)
    packed[fields.shifted_drift / 4 + i] = shiftedDrift(scenarios, shift, i);
  packed.set(scenarios.exposures, fields.exposure / 4);
  // The logs of the kernel are in base 2, and so is the power of the weight: the slope is the same.
  packed[fields.weight_start / 4] = shift.exponent.start * Math.LOG2E;
  packed[fields.weight_slope / 4] = shift.exponent.slope;
  return packed;
}

function packPair(scenarios: GbmShiftedScenarios, portfolio: Portfolio): Float32Array<ArrayBuffer> {
  const { fields } = PAIR_LAYOUT;
  const shift = shiftOf(scenarios);
  const packed = packLoanPair(PAIR_LAYOUT, scenarios, portfolio);
  const driftOn = (weights: Float64Array) =>
    shiftedDrift(
      scenarios,
      shift,
      weights.findIndex(weight => weight !== 0),
    );
  const collateral = driftOn(portfolio.collateralWeights);
  const loan = driftOn(portfolio.loanWeights);
  packed.set([collateral - loan, collateral, loan], fields.shifted / 4);
  // The log ratio of the kernel begins at that of the weights.
  const { start, slope } = shift.exponent;
  packed[fields.weight_start / 4] = start * Math.LOG2E - slope * log2Start(portfolio);
  packed[fields.weight_slope / 4] = slope;
  return packed;
}
