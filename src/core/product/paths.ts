/** Paths of the products. The reference makes them in double precision, the SIMD kernel in single. */

/** Step values of a path: the value of step t, 1..T, is at `first` + `stride` t. */
export interface StepValues {
  readonly values: Float32Array | Float64Array;
  readonly first: number;
  readonly stride: number;
}

/** An array of T values as step values. */
export const stepsOf = (values: Float64Array): StepValues => ({ values, first: -1, stride: 1 });

/** Collateral and loan along one path: index t - 1 of every array is step t, 1..T. */
export interface PortfolioPaths {
  /** `ln` for a pair of single assets, else `ratio`. */
  readonly domain: 'ratio' | 'ln';
  /** T values of r_t = C_t / L_t in the domain. */
  readonly ratio: Float64Array;
  /** T values of C_t; a pair has them only if amounts were requested. */
  readonly collateral: Float64Array;
  /** T values of L_t; a pair has them only if amounts were requested. */
  readonly loan: Float64Array;
  /** T values of C_t with the liquidation LTV of each asset as a factor; absent for a loan with one threshold. */
  readonly secured?: Float64Array | undefined;
  /** The values of `ratio` in the memory of their computation, if that is elsewhere. */
  readonly made?: StepValues | undefined;
  /** Lowest entry of `ratio`. */
  readonly minimum: number;
  /** Weight of the path; absent where all weigh the same. */
  readonly weight?: number | undefined;
  /** C_t and L_t of one step, if that costs less than all of `collateral` and `loan`. */
  collateralAt?(step: number): number;
  loanAt?(step: number): number;
  /** Fills the arrays with path `path`. */
  simulate(path: number): void;
}

/** C_t of a step, 1..T; of a pair only if amounts were requested. */
export function collateralAt(paths: PortfolioPaths, step: number): number {
  return paths.collateralAt === undefined ? paths.collateral[step - 1] : paths.collateralAt(step);
}

/** L_t of a step, 1..T; of a pair only if amounts were requested. */
export function loanAt(paths: PortfolioPaths, step: number): number {
  return paths.loanAt === undefined ? paths.loan[step - 1] : paths.loanAt(step);
}

/** The price of asset 0 along one path, S(t) / S(0) at index t - 1. */
export interface PricePath {
  readonly price: Float64Array;
  /** Fills `price` with path `path`. */
  simulate(path: number): void;
}

/** Paths that are simulated one by one take at most some milliseconds in such numbers, and a look at the clock costs little beside them. */
export const SINGLE_PATHS_TOGETHER = 4;

/** C_h and L_h of one path at every horizon h, relative to their value at the start. */
export interface HorizonPaths {
  /** Paths that cost least one after another, from the first that is asked for: some milliseconds of them at most. */
  readonly together: number;
  readonly collateral: Float64Array;
  readonly loan: Float64Array;
  /** Fills both arrays with path `path`. */
  simulate(path: number): void;
}

/** A value of `paths.ratio` as C_t / L_t. */
export function linear({ domain }: Pick<PortfolioPaths, 'domain'>, value: number): number {
  return domain === 'ln' ? Math.exp(value) : value;
}

export interface AssetPrices {
  /** Weight of the path; absent where all weigh the same. */
  readonly weight?: number | undefined;
  /** Fills the arrays of the first assets, one or more, with S_i(t) of path `path`, S_i(0) = 1; index t - 1 is step t. */
  simulate(path: number, prices: readonly Float64Array[]): void;
}
