/** The middle of some numbers; NaN of none. */
export function medianOf(numbers: ArrayLike<number>): number {
  const sorted = Float64Array.from(numbers).sort();
  return sorted.length === 0 ? Number.NaN : sorted[sorted.length >> 1];
}
