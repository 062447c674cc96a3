/**
 * Whether two series of one asset are a day apart: their returns then correlate over other days than their own.
 *
 * Must not know: files, stores.
 */

/** Closes by day; NaN or absent where there is none. */
export type DailyCloses = ReadonlyMap<number, number>;

/** Returns that a correlation has at least: chance reaches the bounds below in fewer than one of 10,000 such windows. */
const MIN_RETURNS = 20;
/** Correlation of a shift, and its distance from that without one. Two markets of one asset reach 0.95 where their days are the same. */
const MIN_CORRELATION = 0.6;
const MIN_BETTER = 0.3;

/** The days by which `one` is later than `other`, 1 or -1; 0 where no shift fits better, or too few days are common. */
export function dayShift(one: DailyCloses, other: DailyCloses): -1 | 0 | 1 {
  const same = correlation(one, other, 0);
  const fits = ([1, -1] as const)
    .map(days => ({ days, value: correlation(one, other, days) }))
    .filter(({ value }) => value > MIN_CORRELATION && !(value <= same + MIN_BETTER) && !Number.isNaN(same))
    .sort((a, b) => b.value - a.value);
  return fits[0]?.days ?? 0;
}

/** Correlation of the returns of `one` on a day with those of `other` so many days before; NaN of too few. */
function correlation(one: DailyCloses, other: DailyCloses, days: number): number {
  const returnOn = (closes: DailyCloses, day: number): number =>
    Math.log((closes.get(day) ?? Number.NaN) / (closes.get(day - 1) ?? Number.NaN));
  let [n, x, y, xx, yy, xy] = [0, 0, 0, 0, 0, 0];
  for (const day of one.keys()) {
    const [a, b] = [returnOn(one, day), returnOn(other, day - days)];
    if (Number.isNaN(a) || Number.isNaN(b)) continue;
    n++;
    x += a;
    y += b;
    xx += a * a;
    yy += b * b;
    xy += a * b;
  }
  if (n < MIN_RETURNS) return Number.NaN;
  return (n * xy - x * y) / Math.sqrt((n * xx - x * x) * (n * yy - y * y));
}
