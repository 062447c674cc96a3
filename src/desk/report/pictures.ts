/** Pictures as SVG without a script: bars with their values and intervals, lines over an axis, and marks along time. */
import type { Interval } from '../result.ts';
import { type Html, html, NOTHING } from './html.ts';

export interface Bar {
  readonly name: string;
  readonly value: number;
  /** The value in words, beside the bar. */
  readonly label: string;
  /** Drawn as a line over the end of the bar where both ends are known. */
  readonly interval?: Interval | null | undefined;
  readonly tone?: Tone;
}

/** The meaning of a bar or line; the style sheet has a colour for each. */
export type Tone = 'plain' | 'main' | 'warm' | 'bad';

const WIDTH = 640;
const ROW = 20;
const NAME_WIDTH = 130;
const LABEL_WIDTH = 185;

/** Horizontal bars from 0 in the given order. @param title text alternative of the picture */
export function bars(title: string, rows: readonly Bar[]): Html {
  const ends = rows.map(({ value, interval }) => Math.max(value, endsOf(interval)?.[1] ?? 0));
  const most = Math.max(...ends, Number.MIN_VALUE);
  const room = WIDTH - NAME_WIDTH - LABEL_WIDTH;
  const across = (value: number) => px(NAME_WIDTH + (room * value) / most);
  const height = rows.length * ROW;
  const drawn = rows.map(({ name, value, label, interval, tone = 'plain' }, k) => {
    const y = k * ROW;
    return html`<text class="name" x="${NAME_WIDTH - 8}" y="${y + 14}">${shortened(name)}</text><rect class="${tone}" x="${NAME_WIDTH}" y="${y + 3}" width="${px((room * value) / most)}" height="${ROW - 6}"/>${whisker(endsOf(interval), across, y + ROW / 2)}<text class="value" x="${px(Number(across(ends[k])) + 6)}" y="${y + 14}">${label}</text>`;
  });
  return html`<svg class="bars" role="img" aria-label="${title}" viewBox="0 0 ${WIDTH} ${height}">${drawn}</svg>`;
}

function endsOf(interval: Interval | null | undefined): readonly [low: number, high: number] | undefined {
  const { low = null, high = null } = interval ?? {};
  return low === null || high === null ? undefined : [low, high];
}

/** What a line on a bar is, for a caption. */
export const WHISKERS = 'A line on a bar is its 95 % interval of sampling, where that is known.';

const CAP = 4;
/** A line from end to end at a height, with caps. */
function whisker(
  ends: readonly [low: number, high: number] | undefined,
  across: (value: number) => string,
  y: number,
): Html {
  if (ends === undefined) return NOTHING;
  const [low, high] = ends.map(across);
  const cap = (x: string) => `M${x} ${y - CAP}V${y + CAP}`;
  return html`<path class="whisker" d="${cap(low)}M${low} ${y}H${high}${cap(high)}"/>`;
}

/** Marks of a row, at places from 0 to 1 along the time of all rows. */
export interface Marks {
  readonly name: string;
  readonly label: string;
  readonly low: readonly number[];
  readonly high: readonly number[];
}

/** Marks along time: low ones, and high ones in ink. @param ends names of both ends of the time */
export function marks(title: string, rows: readonly Marks[], ends: readonly [string, string]): Html {
  const right = WIDTH - LABEL_WIDTH;
  const height = rows.length * ROW;
  const at = (place: number) => px(NAME_WIDTH + (right - NAME_WIDTH) * place);
  const drawn = rows.map(({ name, label, low, high }, k) => {
    const base = k * ROW + ROW - 3;
    const rise = (places: readonly number[], up: number) =>
      places.map(place => `M${at(place)} ${base}v${-up}`).join('');
    return html`<text class="name" x="${NAME_WIDTH - 8}" y="${k * ROW + 14}">${shortened(name)}</text><line class="grid" x1="${NAME_WIDTH}" x2="${right}" y1="${base}" y2="${base}"/><path class="hit main" d="${rise(low, ROW / 2 - 2)}"/><path class="hit bad" d="${rise(high, ROW - 5)}"/><text class="value" x="${right + 8}" y="${k * ROW + 14}">${label}</text>`;
  });
  const below = ends.map(
    (text, k) =>
      html`<text class="tick" x="${k === 0 ? NAME_WIDTH : right}" y="${height + 12}" text-anchor="${k === 0 ? 'start' : 'end'}">${text}</text>`,
  );
  return html`<svg class="marks" role="img" aria-label="${title}" viewBox="0 0 ${WIDTH} ${height + 16}">${drawn}${below}</svg>`;
}

export interface Steps {
  readonly name: string;
  readonly tone: Tone;
  readonly points: readonly (readonly [x: number, y: number])[];
}

const HEIGHT = 240;
const LEFT = 84;
const BOTTOM = 36;
const TOP = 12;
const TICKS = 4;

/** Lines over a common axis, each named at its end. @param x text of a place on the axis @param y text of a height */
export function lines(
  title: string,
  steps: readonly Steps[],
  x: (value: number) => string,
  y: (value: number) => string,
  xTicks: readonly number[],
): Html {
  const xs = steps.flatMap(({ points }) => points.map(([value]) => value));
  const most = niceEnd(Math.max(...steps.flatMap(({ points }) => points.map(([, value]) => value)), 0));
  const [first, last] = [Math.min(...xs), Math.max(...xs)];
  const right = WIDTH - LABEL_WIDTH;
  const across = (value: number) => px(LEFT + ((right - LEFT) * (value - first)) / (last - first));
  const up = (value: number) => px(HEIGHT - BOTTOM - ((HEIGHT - BOTTOM - TOP) * value) / most);
  const heights = Array.from({ length: TICKS + 1 }, (_, k) => (most * k) / TICKS);
  const grid = heights.map(
    value =>
      html`<line class="grid" x1="${LEFT}" x2="${right}" y1="${up(value)}" y2="${up(value)}"/><text class="tick" x="${LEFT - 8}" y="${up(value)}" dy="4" text-anchor="end">${y(value)}</text>`,
  );
  const below = xTicks.map(
    value =>
      html`<text class="tick" x="${across(value)}" y="${HEIGHT - BOTTOM + 18}" text-anchor="middle">${x(value)}</text>`,
  );
  const ends = apart(steps.map(({ points }) => Number(up(points[points.length - 1][1]))));
  const drawn = steps.map(({ name, tone, points }, k) => {
    const path = points.map(([at, value], i) => `${i === 0 ? 'M' : 'L'}${across(at)} ${up(value)}`).join('');
    return html`<path class="${tone}" d="${path}"/><text class="end ${tone}" x="${right + 8}" y="${px(ends[k])}" dy="4">${name}</text>`;
  });
  return html`<svg class="lines" role="img" aria-label="${title}" viewBox="0 0 ${WIDTH} ${HEIGHT}">${grid}${below}${drawn}</svg>`;
}

const px = (value: number): string => value.toFixed(1);

const LONGEST_NAME = 18;
const shortened = (name: string) =>
  name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME - 1)}…` : name;

/** Ends of an axis that divide into four round steps. */
const ROUND = [1, 2, 4, 6, 8, 10];
function niceEnd(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return power * (ROUND.find(each => each * power >= value) ?? 10);
}

const LINE = 14;
/** Heights of labels, moved down to prevent overlaps. */
function apart(heights: readonly number[]): readonly number[] {
  const order = heights.map((height, k) => [height, k] as const).sort((a, b) => a[0] - b[0]);
  const moved = heights.slice();
  let least = Number.NEGATIVE_INFINITY;
  for (const [height, k] of order) {
    moved[k] = Math.max(height, least);
    least = moved[k] + LINE;
  }
  return moved;
}
