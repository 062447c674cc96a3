/** The contract of a market model of the SIMD kernel. Every number is computed in double precision and rounded once. */
import type { ModelKind, ModelTypes } from '../../plan/models.ts';
import type { AssetPair } from '../../plan/ratio-path.ts';
import type { GarchScenarios, Portfolio, ValueAtRiskProduct } from '../../plan/simulation-plan.ts';
import type { Address, Kernel } from '../kernel.ts';

export interface SimdModel<M extends ModelKind> {
  /** Its number in the kernel. */
  number(kernel: Kernel, scenarios: ModelTypes[M]): Address;
  /**
   * Writes the model by the hour.
   * @param table address of its table; 0 where it has none
   * @param pair the pair of single assets whose ratio is followed in logarithms, if the baskets are one
   */
  writeHours(kernel: Kernel, scenarios: ModelTypes[M], table: number, pair: AssetPair | undefined): void;
  /**
   * Writes the model from horizon to horizon, and the steps to each at PATHS unless these are years; `undefined` where value at risk has no
   * such scenarios.
   */
  readonly writeHorizons:
    | ((kernel: Kernel, scenarios: ModelTypes[M], table: number, horizons: Horizons) => void)
    | undefined;
  /** Its table; `undefined` where it has none. */
  readonly table: ((scenarios: ModelTypes[M], horizons?: Horizons) => Float32Array) | undefined;
}

/** The first `count` horizons of value at risk. */
export interface Horizons {
  readonly product: ValueAtRiskProduct;
  readonly count: number;
}

/** Writes the weights of the baskets. */
export function writeWeights(kernel: Kernel, { collateralWeights, loanWeights }: Portfolio): void {
  const { COLLATERAL_WEIGHT, LOAN_WEIGHT } = kernel.exports;
  collateralWeights.forEach((weight, i) => {
    kernel.put(COLLATERAL_WEIGHT, i, weight);
    kernel.put(LOAN_WEIGHT, i, loanWeights[i]);
  });
}

/** Writes the lower triangle of an n x n factor, times `scale`. */
export function writeFactor(kernel: Kernel, assets: number, factor: Float64Array, scale: number): void {
  const { FACTOR, FACTOR_ROW_BYTES } = kernel.exports;
  for (let i = 0; i < assets; i++) {
    const row = { value: FACTOR.value + i * FACTOR_ROW_BYTES.value };
    for (let j = 0; j <= i; j++) kernel.put(row, j, factor[i * assets + j] * scale);
  }
}

/** Writes a number for each asset. */
export function writeAssets(kernel: Kernel, address: Address, values: Float64Array): void {
  values.forEach((value, i) => {
    kernel.put(address, i, value);
  });
}

/** Writes the factor and the daily variances of each asset. */
export function writeVariances(
  kernel: Kernel,
  { assets, factor, omega, alpha, beta, firstVariance }: Omit<GarchScenarios, 'kind' | 'volatilityScale'>,
): void {
  const { OMEGA, ALPHA, BETA, FIRST_VARIANCE } = kernel.exports;
  writeFactor(kernel, assets, factor, 1);
  writeAssets(kernel, OMEGA, omega);
  writeAssets(kernel, ALPHA, alpha);
  writeAssets(kernel, BETA, beta);
  writeAssets(kernel, FIRST_VARIANCE, firstVariance);
}

/** Places of PAIR in kernel/pair.ts; without a projection, the first two are the coefficients of the logarithms of assets 0 and 1 in ln(C/L). */
export const PAIR_VARIANCE = 0;
export const PAIR_PHASE = 1;
export const PAIR_DRIFT = 2;
export const PAIR_START = 3;
const MAX_OF_PAIR = 2;

/** Writes a pair of assets that are simulated one by one. */
export function writePairOfAssets(kernel: Kernel, pair: AssetPair): void {
  const { PAIR } = kernel.exports;
  for (let i = 0; i < MAX_OF_PAIR; i++) {
    const taken = (pair.collateral === i ? 1 : 0) - (pair.loan === i ? 1 : 0);
    kernel.put(PAIR, i, taken * Math.LN2);
  }
  kernel.put(PAIR, PAIR_START, Math.log(pair.startRatio));
}

/** Rows of n numbers as an array for each of the n assets. */
export function byAsset(rows: Float64Array, assets: number, scale = 1): Float32Array {
  const count = rows.length / assets;
  return Float32Array.from(
    { length: rows.length },
    (_, k) => scale * rows[(k % count) * assets + Math.floor(k / count)],
  );
}

/** Tables one after another. */
export function joined(tables: readonly Float32Array[]): Float32Array {
  const all = new Float32Array(tables.reduce((length, table) => length + table.length, 0));
  let at = 0;
  for (const table of tables) {
    all.set(table, at);
    at += table.length;
  }
  return all;
}
