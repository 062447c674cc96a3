/**
 * The contract of a market model on the GPU. Log prices are in base 2 on the device: scales have the factor log2(e). Every number is computed
 * in double and rounded to single once.
 */
import { MAX_ASSETS, type Portfolio } from '../../plan/portfolio.ts';
import { sumOfWeights } from '../../plan/ratio-path.ts';
import { array, type StructLayout, vec4f } from '../struct-layout.ts';

/**
 * The values of a path in a kernel, four steps at a time: log2(C/L); C/L; C/L - 1; one of these with C and L beside it;
 * the last of them with thresholds of liquidation by asset; log2 of the price of every asset, whatever the weights, also with the deviations
 * of each hour; or the gains of C and L at horizons.
 */
export type MarketView =
  | 'log-ratio'
  | 'ratio'
  | 'ratio-difference'
  | 'loan-pair'
  | 'loan-basket'
  | 'loan-difference'
  | 'loan-secured'
  | 'prices'
  | 'hours'
  | 'horizons';

/** A model under one view. */
export interface GpuMarket<S> {
  /** Paths under shaders/ of the files that provide the view. */
  readonly files: readonly string[];
  /** MarketParameters of these files. */
  readonly parameters: StructLayout;
  /** Words of a path's market state between two time slices. */
  stateWords(assets: number): number;
  /** MarketParameters of a plan. */
  pack(scenarios: S, portfolio: Portfolio): Uint32Array<ArrayBuffer>;
  /** The `tables` of its shader, vectors of four numbers; absent for a model without tables. */
  readonly tables?: (scenarios: S) => Float32Array<ArrayBuffer>;
}

/** A model under every view; `undefined` for views that it lacks. */
export type GpuModel<S> = { readonly [V in MarketView]: GpuMarket<S> | undefined };

/** The sums of both sides of a loan. */
const TWO_SIDES = ['portfolio/assets.wgsl', 'portfolio/sides.wgsl', 'portfolio/two_sides.wgsl'];
const GAINS = ['lib/exponential.wgsl', 'portfolio/gain.wgsl'];
const DIFFERENCES = [...TWO_SIDES, ...GAINS, 'portfolio/difference.wgsl', 'portfolio/difference_values.wgsl'];
const PRICES = [...TWO_SIDES, 'portfolio/price.wgsl'];
/** Operations on values that are logarithms, and on those that are ratios. */
export const LOG_VALUES = 'portfolio/log_values.wgsl';
const RATIO_VALUES = 'portfolio/ratio_values.wgsl';
/** Files of the views of a model that moves every asset (shaders/portfolio/). */
const ASSET_VIEWS = {
  'log-ratio': ['portfolio/assets.wgsl', 'portfolio/log_ratio.wgsl', LOG_VALUES],
  ratio: [...PRICES, 'portfolio/ratio.wgsl', RATIO_VALUES],
  'ratio-difference': [...DIFFERENCES, 'portfolio/ratio_difference.wgsl'],
  'loan-pair': [
    'portfolio/assets.wgsl',
    'portfolio/market_loan.wgsl',
    'portfolio/loan_pair.wgsl',
    LOG_VALUES,
  ],
  'loan-basket': [...PRICES, 'portfolio/market_loan.wgsl', 'portfolio/loan_basket.wgsl', RATIO_VALUES],
  'loan-difference': [...DIFFERENCES, 'portfolio/market_loan.wgsl', 'portfolio/loan_difference.wgsl'],
  'loan-secured': [
    ...GAINS,
    'portfolio/assets.wgsl',
    'portfolio/sides.wgsl',
    'portfolio/secured_sides.wgsl',
    'portfolio/difference_values.wgsl',
    'portfolio/market_loan.wgsl',
    'portfolio/loan_secured.wgsl',
  ],
  prices: ['portfolio/assets.wgsl'],
} as const satisfies Partial<Record<MarketView, readonly string[]>>;

/**
 * A file of shaders/model/ that moves every asset by the hour. Its MarketParameters have `collateral_weight`,
 * `loan_weight`, their sums and `log_start`, which the files of shaders/portfolio/ read.
 */
export interface AssetModel<S> {
  readonly file: string;
  /** The file of the deviations of its hours; absent for a model without accounts. */
  readonly hours?: string;
  /** Further files. */
  readonly libraries?: readonly string[];
  readonly parameters: StructLayout;
  /** Words of the state of four assets, a whole quad even where there are fewer. */
  readonly stateWordsPerQuad: number;
  /** Words of the state of a path beside its assets. */
  readonly stateWordsPerPath?: number;
  pack(scenarios: S, portfolio: Portfolio): Uint32Array<ArrayBuffer>;
  readonly tables?: (scenarios: S) => Float32Array<ArrayBuffer>;
}

function viewOf<S>(model: AssetModel<S>, files: readonly string[]): GpuMarket<S> {
  const { file, libraries = [], parameters, stateWordsPerQuad, stateWordsPerPath = 0, pack, tables } = model;
  return {
    files: [...libraries, file, ...files],
    parameters,
    stateWords: assets => stateWordsPerQuad * Math.ceil(assets / 4) + stateWordsPerPath + streamWords(assets),
    pack,
    ...(tables === undefined ? {} : { tables }),
  };
}

/** The view of a model that moves every asset from horizon to horizon. */
export const horizonView = <S>(model: AssetModel<S>): GpuMarket<S> => viewOf(model, [...TWO_SIDES, ...GAINS]);

/** All hourly views of a model that moves every asset; it has no horizons. */
export function assetViews<S>(model: AssetModel<S>): GpuModel<S> {
  const view = (files: readonly string[]) => viewOf(model, files);
  // C/L - 1 is computed from the excess of the collateral over the loan in each asset.
  const ofDifferences = (files: readonly string[]): GpuMarket<S> => ({
    ...view(files),
    pack: (scenarios, { collateralWeights, loanWeights }) =>
      model.pack(scenarios, {
        collateralWeights: collateralWeights.map((weight, i) => weight - loanWeights[i]),
        loanWeights,
      }),
  });
  return {
    'log-ratio': view(ASSET_VIEWS['log-ratio']),
    ratio: view(ASSET_VIEWS.ratio),
    'ratio-difference': ofDifferences(ASSET_VIEWS['ratio-difference']),
    'loan-pair': view(ASSET_VIEWS['loan-pair']),
    'loan-basket': view(ASSET_VIEWS['loan-basket']),
    'loan-difference': ofDifferences(ASSET_VIEWS['loan-difference']),
    'loan-secured': ofDifferences(ASSET_VIEWS['loan-secured']),
    prices: view(ASSET_VIEWS.prices),
    hours: model.hours === undefined ? undefined : view([...ASSET_VIEWS.prices, model.hours]),
    horizons: undefined,
  };
}

/** State words of a draw stream (shaders/lib/draw.wgsl). */
export const STREAM_WORDS = 4;

/** State words of all streams, one for each pair of assets. */
function streamWords(assets: number): number {
  return STREAM_WORDS * Math.ceil(assets / 2);
}

/** A number for each asset. */
export const ASSET_VECTOR = array(vec4f, MAX_ASSETS / 4);
/** A number for each pair of assets, row by row. */
export const ASSET_MATRIX = array(vec4f, (MAX_ASSETS * MAX_ASSETS) / 4);

/** Numbers as vectors of four, the last one shorter where there are no more. */
export function quads(values: Float64Array): Float64Array[] {
  return Array.from({ length: Math.ceil(values.length / 4) }, (_, q) => values.subarray(4 * q, 4 * q + 4));
}

/** An n x n matrix, scaled, with its rows padded to MAX_ASSETS. */
function padRows(matrix: Float64Array, n: number, scale: number): Float64Array {
  const rows = new Float64Array(MAX_ASSETS * MAX_ASSETS);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) rows[i * MAX_ASSETS + j] = matrix[i * n + j] * scale;
  }
  return rows;
}

/** Common members of the MarketParameters of models that move every asset: the factor, scaled, the weights and their sums. */
export function assetParameters(
  { assets, factor }: { readonly assets: number; readonly factor: Float64Array },
  scale: number,
  { collateralWeights, loanWeights }: Portfolio,
) {
  return {
    factor: quads(padRows(factor, assets, scale)),
    collateral_weight: quads(collateralWeights),
    loan_weight: quads(loanWeights),
    collateral_sum: sumOfWeights(collateralWeights),
    loan_sum: sumOfWeights(loanWeights),
  };
}

/** log2(C_0 / L_0) of a portfolio with at most one asset on each side; a side without one counts as 1. */
export function log2Start({ collateralWeights, loanWeights }: Portfolio): number {
  return log2Weight(collateralWeights) - log2Weight(loanWeights);
}

/** log2 of the only weight above 0; 0 where there is none. */
export function log2Weight(weights: Float64Array): number {
  return Math.log2(weights.find(weight => weight !== 0) ?? 1);
}

/** Tables one after another in vectors of four numbers. @param tables rows of n numbers, each padded to whole vectors, and their scale */
export function packedTables(
  ...tables: readonly (readonly [rows: Float64Array, n: number, scale?: number])[]
): Float32Array<ArrayBuffer> {
  const widthOf = (n: number) => 4 * Math.ceil(n / 4);
  const packed = new Float32Array(tables.reduce((sum, [rows, n]) => sum + (rows.length / n) * widthOf(n), 0));
  let at = 0;
  for (const [rows, n, scale = 1] of tables)
    for (let row = 0; row < rows.length; row += n, at += widthOf(n))
      for (let i = 0; i < n; i++) packed[at + i] = scale * rows[row + i];
  return packed;
}
