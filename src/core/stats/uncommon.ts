/** Fewest values of which half are enough for every rule that counts uncommon ones. */
const MANY = 200;

/**
 * Number of values that differ from the commonest one. Of 200 values or more without one that is more than half of them: at least half.
 *
 * R. S. Boyer, J S. Moore, "MJRTY: a fast majority vote algorithm", in Automated Reasoning (1991), 105-117.
 */
export function uncommonValues(values: ArrayLike<number>): number {
  const count = values.length;
  let candidate = 0;
  let lead = 0;
  for (let i = 0; i < count; i++) {
    if (lead === 0) candidate = values[i];
    lead += values[i] === candidate ? 1 : -1;
  }
  let most = 0;
  for (let i = 0; i < count; i++) if (values[i] === candidate) most += 1;
  if (count < MANY && 2 * most <= count) {
    const counts = new Map<number, number>();
    for (let i = 0; i < count; i++) counts.set(values[i], (counts.get(values[i]) ?? 0) + 1);
    most = Math.max(0, ...counts.values());
  }
  return count - most;
}
