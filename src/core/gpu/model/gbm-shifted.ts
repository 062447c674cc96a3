/**
 * GBM with every second path shifted, on the GPU (shaders/model/gbm_shifted.wgsl, gbm_pair_shifted.wgsl), for loans and books: their
 * programs add up weights.
 */
import { type GbmShiftedScenarios, type Shift, shiftOf } from '../../plan/model/gbm-shifted.ts';
import type { Portfolio } from '../../plan/portfolio.ts';
import { f32, struct, vec4f, wordsOf } from '../struct-layout.ts';
import {
  DRIFTING,
  driftingParameters,
  driftOf,
  HOUR_IN_YEARS,
  LOAN_PAIR,
  LOG_PRICES,
  loanPairParameters,
  loanPairWords,
  logRatioWords,
} from './gbm.ts';
import {
  ASSET_VECTOR,
  assetViews,
  type GpuMarket,
  type GpuModel,
  LOG_VALUES,
  log2Start,
  quads,
} from './market.ts';

const PARAMETERS = struct('MarketParameters', {
  ...DRIFTING,
  shifted_drift: ASSET_VECTOR,
  exposure: ASSET_VECTOR,
  weight_start: f32,
  weight_slope: f32,
});

const PAIR_PARAMETERS = struct('MarketParameters', {
  ...LOAN_PAIR,
  shifted: vec4f,
  weight_start: f32,
  weight_slope: f32,
});

const HOURLY = assetViews({
  libraries: [...LOG_PRICES, 'model/path_weight.wgsl', 'model/gbm_shifted.wgsl'],
  file: 'model/gbm.wgsl',
  parameters: PARAMETERS,
  stateWordsPerQuad: 4,
  pack: packAssets,
});

/** A pair under the view that files of shaders/ provide. */
const pairView = (files: readonly string[], stateWords: () => number): GpuMarket<GbmShiftedScenarios> => ({
  files: ['model/path_weight.wgsl', 'model/gbm_pair_shifted.wgsl', ...files, LOG_VALUES],
  parameters: PAIR_PARAMETERS,
  stateWords,
  pack: packPair,
});

export const GPU_GBM_SHIFTED: GpuModel<GbmShiftedScenarios> = {
  ...HOURLY,
  'log-ratio': pairView(['model/gbm_log_ratio.wgsl'], logRatioWords),
  'loan-pair': pairView(['portfolio/market_loan.wgsl', 'model/gbm_loan_pair.wgsl'], loanPairWords),
};

/** Drift of an asset's log2 price in a step of a shifted path. */
const shiftedDrift = ({ annualVolatility }: GbmShiftedScenarios, { perStep }: Shift, asset: number): number =>
  driftOf(annualVolatility[asset], HOUR_IN_YEARS) + perStep[asset] * Math.LOG2E;

function packAssets(scenarios: GbmShiftedScenarios, portfolio: Portfolio): Uint32Array<ArrayBuffer> {
  const shift = shiftOf(scenarios);
  const drifts = Float64Array.from({ length: scenarios.assets }, (_, i) => shiftedDrift(scenarios, shift, i));
  return wordsOf(PARAMETERS, {
    ...driftingParameters(scenarios, portfolio, HOUR_IN_YEARS),
    shifted_drift: quads(drifts),
    exposure: quads(scenarios.exposures),
    // The logs of the kernel are in base 2, and so is the power of the weight: the slope is the same.
    weight_start: shift.exponent.start * Math.LOG2E,
    weight_slope: shift.exponent.slope,
  });
}

function packPair(scenarios: GbmShiftedScenarios, portfolio: Portfolio): Uint32Array<ArrayBuffer> {
  const shift = shiftOf(scenarios);
  const driftOn = (weights: Float64Array) =>
    shiftedDrift(
      scenarios,
      shift,
      weights.findIndex(weight => weight !== 0),
    );
  const collateral = driftOn(portfolio.collateralWeights);
  const loan = driftOn(portfolio.loanWeights);
  const { start, slope } = shift.exponent;
  return wordsOf(PAIR_PARAMETERS, {
    ...loanPairParameters(scenarios, portfolio),
    shifted: [collateral - loan, collateral, loan],
    // The kernel's log ratio begins at the log ratio of the weights.
    weight_start: start * Math.LOG2E - slope * log2Start(portfolio),
    weight_slope: slope,
  });
}
