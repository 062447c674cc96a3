/**
 * The law of the log returns of each hour along a path: their covariance, for touches within the hour, and the standardised returns that
 * processes of funding follow (docs/accounts.md, "One hour").
 */
type Prices = readonly Float64Array[];

/** Covariance of an hour: C_ij = deviation_i deviation_j correlation_ij. Days begin at hours 0, 24, ... of the path. */
export interface HourLaw {
  /** n x n, 1 on the diagonal where an asset moves. */
  readonly correlation: Float64Array;
  /** Per asset: deviation of an hour whose day has a root of variance of 1; 1 where that root is the deviation itself. */
  readonly scale: Float64Array;
  /** Begins a path. @param prices S_i(t) / S_i(0) of the path, index t - 1 */
  start(path: number, prices: Prices): void;
  /** Standard deviations of the log returns of the hours of a day; days come in rising order. */
  deviations(day: number): Float64Array;
  /** Whether the standardised returns are the normals of which the hours are drawn, else returns over the deviation of `scale`. */
  readonly isOfNormals: boolean;
  /** Standardised returns of the hours of the path. @param z n arrays of T */
  normals(steps: number, z: Prices): void;
}
