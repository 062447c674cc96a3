/**
 * Log returns r_t = ln(P_t / P_{t-1}).
 *
 * @param closes n + 1 >= 2 prices in time order, each positive and finite
 * @returns n log returns, dimensionless, per interval of the closes
 * @throws RangeError for fewer than two closes or one that is not positive and finite
 */
export function logReturns(closes: ArrayLike<number>): Float64Array {
  if (closes.length < 2) throw new RangeError(`closes has ${closes.length} prices, at least 2 needed`);
  const returns = new Float64Array(closes.length - 1);
  for (let t = 0; t < closes.length; t++) {
    if (!(closes[t] > 0 && closes[t] < Number.POSITIVE_INFINITY)) {
      throw new RangeError(`closes[${t}] is ${closes[t]}, must be positive and finite`);
    }
    if (t > 0) returns[t - 1] = Math.log(closes[t] / closes[t - 1]);
  }
  return returns;
}
