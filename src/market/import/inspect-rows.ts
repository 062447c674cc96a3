/** Jumps and gaps in the rows of one series. */
import { counted } from '../../text/counted.ts';
import { settlementGaps } from '../settlement-intervals.ts';
import type { Rows } from '../store/rows.ts';
import { rowName, type SeriesKey, TIMEFRAME_HOURS } from '../store/series-key.ts';

/** Factor between a close and the one before it, up or down. */
const JUMP_FACTOR = 20;
/** Rows within which a price returns after a wrong jump. */
const BACK_WITHIN = 3;

interface Jump {
  readonly hour: number;
  readonly close: number;
  /** The close over the one before it. */
  readonly factor: number;
  /** Whether the price is back near the one before the jump within three rows. */
  readonly back: boolean;
}

/** The jumps of a series; a jump back belongs to the jump before it. */
export function findJumps({ hours, numbers: { close } }: Rows): readonly Jump[] {
  const jumps: Jump[] = [];
  const far = (a: number, b: number): boolean => a > JUMP_FACTOR * b || b > JUMP_FACTOR * a;
  for (let i = 1; i < close.length; i++) {
    if (!far(close[i], close[i - 1])) continue;
    const before = close[i - 1];
    let back = i + 1;
    while (back <= i + BACK_WITHIN && back < close.length && far(close[back], before)) back++;
    const isBack = back <= i + BACK_WITHIN && back < close.length;
    jumps.push({ hour: hours[i], close: close[i], factor: close[i] / before, back: isBack });
    if (isBack) i = back;
  }
  return jumps;
}

/** Missing rows from the first to the last hour, both included. */
interface Gap {
  readonly firstHour: number;
  readonly lastHour: number;
  readonly rows: number;
}

function findGaps({ kind, timeframe }: SeriesKey, { hours }: Pick<Rows, 'hours'>): readonly Gap[] {
  const step = TIMEFRAME_HOURS[timeframe];
  if (kind === 'funding') return settlementGaps(hours, step);
  const gaps: Gap[] = [];
  for (let i = 1; i < hours.length; i++) {
    if (hours[i] - hours[i - 1] <= step) continue;
    const [firstHour, lastHour] = [hours[i - 1] + step, hours[i] - step];
    gaps.push({ firstHour, lastHour, rows: (lastHour - firstHour) / step + 1 });
  }
  return gaps;
}

/** `167 rows missing in 1 gap, the longest 2022-09-26 to 2023-03-11`; undefined where none is missing. */
export function describeGaps(key: SeriesKey, rows: Rows): string | undefined {
  const gaps = findGaps(key, rows);
  if (gaps.length === 0) return undefined;
  const longest = gaps.reduce((best, gap) => (gap.rows > best.rows ? gap : best));
  const sum = gaps.reduce((all, gap) => all + gap.rows, 0);
  const range =
    longest.rows === 1
      ? rowName(key, longest.firstHour)
      : `${rowName(key, longest.firstHour)} to ${rowName(key, longest.lastHour)}`;
  return `${counted(sum, 'row')} missing in ${counted(gaps.length, 'gap')}, the longest ${range}`;
}
