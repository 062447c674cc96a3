/** Geometric Brownian motion on the GPU: its views and their parameters (shaders/model/gbm*.wgsl). */
import { HOURS_PER_YEAR } from '../../plan/grid.ts';
import type { GbmScenarios } from '../../plan/model/gbm.ts';
import type { Portfolio } from '../../plan/portfolio.ts';
import { projectionOn } from '../../random/box-muller.ts';
import { f32, struct, u32, vec4f, wordsOf } from '../struct-layout.ts';
import {
  ASSET_MATRIX,
  ASSET_VECTOR,
  assetParameters,
  assetViews,
  type GpuModel,
  horizonView,
  LOG_VALUES,
  log2Start,
  log2Weight,
  quads,
  STREAM_WORDS,
} from './market.ts';

export const HOUR_IN_YEARS = 1 / HOURS_PER_YEAR;

/** The common fields of models with a volatility and a drift. */
type Walks = Pick<GbmScenarios, 'assets' | 'annualVolatility' | 'factor'>;

/** First members of the MarketParameters of every model whose assets have a volatility and a drift. */
export const DRIFTING = {
  factor: ASSET_MATRIX,
  drift: ASSET_VECTOR,
  collateral_weight: ASSET_VECTOR,
  loan_weight: ASSET_VECTOR,
  collateral_sum: f32,
  loan_sum: f32,
};
const PARAMETERS = struct('MarketParameters', DRIFTING);

/** MarketParameters of the ratio of a pair. */
const LOG_RATIO = { variance: f32, phase: u32, drift: f32, start: f32 };
const LOG_RATIO_PARAMETERS = struct('MarketParameters', LOG_RATIO);

/** First members of the MarketParameters of a pair with its amounts. */
export const LOAN_PAIR = { ...LOG_RATIO, collateral: vec4f, loan: vec4f };
const LOAN_PAIR_PARAMETERS = struct('MarketParameters', LOAN_PAIR);

/** Files of the models whose state is the log prices alone. */
export const LOG_PRICES = ['model/asset_arrays.wgsl', 'model/log_walk.wgsl', 'model/log_prices.wgsl'];

const HOURLY = {
  libraries: [...LOG_PRICES, 'model/gbm_parameters.wgsl', 'model/gbm_drift.wgsl'],
  file: 'model/gbm.wgsl',
  hours: 'model/hour_constant.wgsl',
  parameters: PARAMETERS,
  stateWordsPerQuad: 4,
  pack: (scenarios: GbmScenarios, portfolio: Portfolio) =>
    wordsOf(PARAMETERS, driftingParameters(scenarios, portfolio, HOUR_IN_YEARS)),
};

export const GPU_GBM: GpuModel<GbmScenarios> = {
  ...assetViews(HOURLY),
  // The ratio of a pair is one walk: no asset is stepped on its own.
  'log-ratio': {
    files: ['model/gbm_ratio_parameters.wgsl', 'model/gbm_log_ratio.wgsl', LOG_VALUES],
    parameters: LOG_RATIO_PARAMETERS,
    stateWords: logRatioWords,
    pack: (scenarios, portfolio) => wordsOf(LOG_RATIO_PARAMETERS, logRatioParameters(scenarios, portfolio)),
  },
  'loan-pair': {
    files: [
      'portfolio/market_loan.wgsl',
      'model/gbm_pair_parameters.wgsl',
      'model/gbm_loan_pair.wgsl',
      LOG_VALUES,
    ],
    parameters: LOAN_PAIR_PARAMETERS,
    stateWords: loanPairWords,
    pack: (scenarios, portfolio) => wordsOf(LOAN_PAIR_PARAMETERS, loanPairParameters(scenarios, portfolio)),
  },
  horizons: horizonView({
    libraries: [
      ...LOG_PRICES,
      'model/no_shock_origin.wgsl',
      'model/horizon_moves.wgsl',
      'model/gbm_parameters.wgsl',
    ],
    file: 'model/gbm_horizons.wgsl',
    parameters: PARAMETERS,
    stateWordsPerQuad: 4,
    // Steps of several lengths: the shocks and drifts of one year.
    pack: (scenarios: GbmScenarios, portfolio: Portfolio) =>
      wordsOf(PARAMETERS, driftingParameters(scenarios, portfolio, 1)),
  }),
};

/** The members of `DRIFTING`, for steps of so many years. */
export function driftingParameters(scenarios: Walks, portfolio: Portfolio, stepYears: number) {
  return {
    ...assetParameters(scenarios, Math.sqrt(stepYears) * Math.LOG2E, portfolio),
    drift: quads(scenarios.annualVolatility.map(sigma => driftOf(sigma, stepYears))),
  };
}

/** Words of the state of a log ratio. */
export function logRatioWords(): number {
  return 1 + STREAM_WORDS;
}

/** Words of the state of a pair with its amounts. */
export function loanPairWords(): number {
  return 3 + STREAM_WORDS;
}

function logRatioParameters({ assets, annualVolatility, factor }: Walks, portfolio: Portfolio) {
  const { collateralWeights, loanWeights } = portfolio;
  const sign = (asset: number) => Math.sign(collateralWeights[asset]) - Math.sign(loanWeights[asset]);
  let drift = 0;
  for (let i = 0; i < assets; i++) {
    drift += sign(i) * driftOf(annualVolatility[i], HOUR_IN_YEARS);
  }
  const loading = (j: number) => {
    let shock = 0;
    for (let i = j; i < assets; i++) shock += sign(i) * factor[i * assets + j];
    return shock * Math.sqrt(HOUR_IN_YEARS) * Math.LOG2E;
  };
  const { scale, phase } = projectionOn(loading(0), loading(1));
  return { variance: -2 * Math.LN2 * scale * scale, phase, drift, start: log2Start(portfolio) };
}

/** The members of `LOAN_PAIR`: the log ratio, and the two assets beside it. */
export function loanPairParameters(scenarios: Walks, portfolio: Portfolio) {
  return {
    ...logRatioParameters(scenarios, portfolio),
    collateral: assetMoves(scenarios, portfolio.collateralWeights),
    loan: assetMoves(scenarios, portfolio.loanWeights),
  };
}

/** The one asset of a side: its loadings on the normals of assets 0 and 1 in log2 per step, its drift, and its start. */
function assetMoves({ assets, annualVolatility, factor }: Walks, weights: Float64Array): number[] {
  const asset = weights.findIndex(weight => weight !== 0);
  const loading = (j: number) =>
    j < assets ? factor[asset * assets + j] * Math.sqrt(HOUR_IN_YEARS) * Math.LOG2E : 0;
  return [loading(0), loading(1), driftOf(annualVolatility[asset], HOUR_IN_YEARS), log2Weight(weights)];
}

/** -sigma^2 dt / 2 in base 2. */
export function driftOf(annualVolatility: number, stepYears: number): number {
  return -0.5 * annualVolatility * annualVolatility * stepYears * Math.LOG2E;
}
