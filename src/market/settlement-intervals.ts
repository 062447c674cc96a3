/**
 * The intervals of a perpetual's settlements, which an exchange may change: an interval is a distance that lasts, or a shorter one
 * than its neighbours; any other long distance is a gap.
 *
 * Must not know: series, stores.
 */

/** Settlements in a row at one distance that make it an interval, though those beside them are closer. */
const LASTING = 3;
/** The same at either end of a series, where those on one side are not known. */
const LASTING_AT_END = 2;
/** Longest interval of a perpetual, hours. */
const LONGEST = 24;

/**
 * The hours between each settlement and the one before it; NaN after a gap. That of the first is the one after it.
 *
 * @param hours of the settlements, rising
 * @param usual interval of settlements that are alone
 */
export function settlementIntervals(hours: ArrayLike<number>, usual: number): Float64Array {
  const count = hours.length;
  const intervals = new Float64Array(count).fill(usual);
  const distance = (i: number): number => hours[i] - hours[i - 1];
  for (let first = 1; first < count; ) {
    let next = first + 1;
    while (next < count && distance(next) === distance(first)) next++;
    const beside = [first - 1, next].filter(i => i > 0 && i < count).map(distance);
    const step = distance(first);
    const lasting = beside.length < 2 ? LASTING_AT_END : LASTING;
    const isInterval =
      step <= LONGEST &&
      (next - first >= lasting || (beside.length === 0 ? step <= usual : beside.every(each => each > step)));
    intervals.fill(isInterval ? step : Number.NaN, first, next);
    first = next;
  }
  if (count > 1) intervals[0] = Number.isNaN(intervals[1]) ? usual : intervals[1];
  return intervals;
}

/** A gap: settlements that are missing between two, and the interval at which they are. */
export interface SettlementGap {
  readonly firstHour: number;
  readonly lastHour: number;
  readonly rows: number;
}

/** The gaps between settlements, at the interval of those before them. */
export function settlementGaps(hours: ArrayLike<number>, usual: number): readonly SettlementGap[] {
  const intervals = settlementIntervals(hours, usual);
  const gaps: SettlementGap[] = [];
  let step = intervals.find(each => !Number.isNaN(each)) ?? usual;
  for (let i = 1; i < hours.length; i++) {
    if (!Number.isNaN(intervals[i])) {
      step = intervals[i];
      continue;
    }
    const rows = Math.ceil((hours[i] - hours[i - 1]) / step) - 1;
    if (rows > 0) gaps.push({ firstHour: hours[i - 1] + step, lastHour: hours[i - 1] + rows * step, rows });
  }
  return gaps;
}
