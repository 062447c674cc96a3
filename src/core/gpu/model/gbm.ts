/**
 * Geometric Brownian motion on the GPU: its views and their parameters (shaders/model/gbm*.wgsl).
 */
import { HOURS_PER_YEAR } from '../../plan/grid.ts';
import type { GbmScenarios } from '../../plan/model/gbm.ts';
import type { Portfolio } from '../../plan/portfolio.ts';
import { projectionOn } from '../../random/box-muller.ts';
import type { StructLayout } from '../struct-layout.ts';
import {
  ASSET_ARRAY_BYTES,
  assetParameters,
  assetViews,
  FACTOR_BYTES,
  type GpuModel,
  horizonView,
  LOG_VALUES,
  log2Start,
  log2Weight,
  STREAM_WORDS,
} from './market.ts';

export const HOUR_IN_YEARS = 1 / HOURS_PER_YEAR;

/** What GBM and its kin have. */
type Walks = Pick<GbmScenarios, 'assets' | 'annualVolatility' | 'factor'>;

/** Bytes of the fields below; what another model adds comes after them. */
export const DRIFTING_BYTES = FACTOR_BYTES + 3 * ASSET_ARRAY_BYTES;
/** Parameters of every model whose assets have a volatility and a drift. */
export const DRIFTING_FIELDS = {
  factor: 0,
  drift: FACTOR_BYTES,
  collateral_weight: FACTOR_BYTES + ASSET_ARRAY_BYTES,
  loan_weight: FACTOR_BYTES + 2 * ASSET_ARRAY_BYTES,
} as const;

const LAYOUT = {
  struct: 'MarketParameters',
  size: DRIFTING_BYTES,
  fields: DRIFTING_FIELDS,
} as const satisfies StructLayout;

const LOG_RATIO_LAYOUT = {
  struct: 'MarketParameters',
  size: 16,
  fields: { variance: 0, phase: 4, drift: 8, start: 12 },
} as const satisfies StructLayout;

/** Parameters of a pair with its amounts; what another model adds comes after them. */
export const LOAN_PAIR_FIELDS = {
  variance: 0,
  phase: 4,
  drift: 8,
  start: 12,
  collateral: 16,
  loan: 32,
} as const;
export const LOAN_PAIR_BYTES = 48;

const LOAN_PAIR_LAYOUT = {
  struct: 'MarketParameters',
  size: LOAN_PAIR_BYTES,
  fields: LOAN_PAIR_FIELDS,
} as const satisfies StructLayout;

/** Files of the models whose state is the log prices alone. */
export const LOG_PRICES = ['model/asset_arrays.wgsl', 'model/log_walk.wgsl', 'model/log_prices.wgsl'];

const HOURLY = {
  libraries: [...LOG_PRICES, 'model/gbm_parameters.wgsl', 'model/gbm_drift.wgsl'],
  file: 'model/gbm.wgsl',
  layout: LAYOUT,
  stateWordsPerQuad: 4,
  pack: (scenarios: GbmScenarios, portfolio: Portfolio) =>
    driftingParameters(LAYOUT, scenarios, portfolio, HOUR_IN_YEARS),
};

export const GPU_GBM: GpuModel<GbmScenarios> = {
  ...assetViews(HOURLY),
  // The ratio of a pair is one walk: no asset is stepped on its own.
  'log-ratio': {
    files: ['model/gbm_ratio_parameters.wgsl', 'model/gbm_log_ratio.wgsl', LOG_VALUES],
    layout: LOG_RATIO_LAYOUT,
    stateWords: logRatioWords,
    pack: packLogRatio,
  },
  'loan-pair': {
    files: [
      'portfolio/market_loan.wgsl',
      'model/gbm_pair_parameters.wgsl',
      'model/gbm_loan_pair.wgsl',
      LOG_VALUES,
    ],
    layout: LOAN_PAIR_LAYOUT,
    stateWords: loanPairWords,
    pack: (scenarios, portfolio) => packLoanPair(LOAN_PAIR_LAYOUT, scenarios, portfolio),
  },
  horizons: horizonView({
    libraries: [
      ...LOG_PRICES,
      'model/no_shock_origin.wgsl',
      'model/horizon_moves.wgsl',
      'model/gbm_parameters.wgsl',
    ],
    file: 'model/gbm_horizons.wgsl',
    layout: LAYOUT,
    stateWordsPerQuad: 4,
    // Steps have lengths of their own there: the shocks and drifts of one year.
    pack: (scenarios: GbmScenarios, portfolio: Portfolio) =>
      driftingParameters(LAYOUT, scenarios, portfolio, 1),
  }),
};

/** MarketParameters with everything that `DRIFTING_FIELDS` names, for steps of so many years. */
export function driftingParameters(
  layout: StructLayout & { readonly fields: typeof DRIFTING_FIELDS },
  scenarios: Walks,
  portfolio: Portfolio,
  stepYears: number,
): Float32Array<ArrayBuffer> {
  const packed = assetParameters(layout, scenarios, Math.sqrt(stepYears) * Math.LOG2E, portfolio);
  const drifts = scenarios.annualVolatility.map(sigma => driftOf(sigma, stepYears));
  packed.set(drifts, layout.fields.drift / 4);
  return packed;
}

/** Words of the state of a log ratio. */
export function logRatioWords(): number {
  return 1 + STREAM_WORDS;
}

/** Words of the state of a pair with its amounts. */
export function loanPairWords(): number {
  return 3 + STREAM_WORDS;
}

function packLogRatio(
  { assets, annualVolatility, factor }: Walks,
  portfolio: Portfolio,
): Float32Array<ArrayBuffer> {
  const { collateralWeights, loanWeights } = portfolio;
  const { fields, size } = LOG_RATIO_LAYOUT;
  const packed = new Float32Array(size / 4);
  const loadings = [0, 0];
  const sign = (asset: number) => Math.sign(collateralWeights[asset]) - Math.sign(loanWeights[asset]);
  let drift = 0;
  for (let i = 0; i < assets; i++) {
    drift += sign(i) * driftOf(annualVolatility[i], HOUR_IN_YEARS);
  }
  for (let j = 0; j < assets; j++) {
    let shock = 0;
    for (let i = j; i < assets; i++) shock += sign(i) * factor[i * assets + j];
    loadings[j] = shock * Math.sqrt(HOUR_IN_YEARS) * Math.LOG2E;
  }
  const { scale, phase } = projectionOn(loadings[0], loadings[1]);
  packed[fields.variance / 4] = -2 * Math.LN2 * scale * scale;
  new Int32Array(packed.buffer)[fields.phase / 4] = phase;
  packed[fields.drift / 4] = drift;
  packed[fields.start / 4] = log2Start(portfolio);
  return packed;
}

/** The log ratio, and the two assets beside it: everything that `LOAN_PAIR_FIELDS` names. */
export function packLoanPair(
  { fields, size }: StructLayout & { readonly fields: typeof LOAN_PAIR_FIELDS },
  scenarios: Walks,
  portfolio: Portfolio,
): Float32Array<ArrayBuffer> {
  const packed = new Float32Array(size / 4);
  // As bits: the phase is an integer, which may be no number as a single.
  new Uint32Array(packed.buffer).set(new Uint32Array(packLogRatio(scenarios, portfolio).buffer));
  packed.set(assetMoves(scenarios, portfolio.collateralWeights), fields.collateral / 4);
  packed.set(assetMoves(scenarios, portfolio.loanWeights), fields.loan / 4);
  return packed;
}

/** The one asset of a side: what the normals of asset 0 and 1 add to log2 of it in a step, its drift, and its start. */
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
