/** Number of values that differ from the commonest one. @param enough the count ends there; default: at all values */
export function uncommonValues(values: ArrayLike<number>, enough = values.length): number {
  const counts = new Map<number, number>();
  let most = 0;
  for (let i = 0; i < values.length; i++) {
    const count = (counts.get(values[i]) ?? 0) + 1;
    counts.set(values[i], count);
    most = Math.max(most, count);
    // Of the first values as many differ from the commonest of all, at least.
    if (i + 1 - most >= enough) return enough;
  }
  return values.length - most;
}
