/** Named lines on charts, with labels that do not overlap. */
import type uPlot from 'uplot';
import { FONT, type Palette } from './chart.tsx';

/** A colour by its meaning. */
export type Tone = Exclude<keyof Palette, 'band' | 'grid' | 'page'>;

/** A line across a chart with a name. */
export interface Level {
  readonly label: string;
  readonly value: number;
  readonly tone: Tone;
  /** Half of the width of a band around the value. */
  readonly around?: number;
  /** The end of a line of the chart: its name without a line across. */
  readonly isEnd?: true;
}

/** Room on the right of a chart for the labels of its levels, in CSS pixels. */
export const labelRoom = (levels: readonly Level[]) =>
  14 + 6.4 * Math.max(0, ...levels.map(({ label }) => label.length));
const LABEL_HEIGHT = 13;

const scaledFont = () => FONT.replace(/^(\d+)px/, (_, size) => `${Number(size) * devicePixelRatio}px`);

/** Lines across the chart at given values, with their names to the right of the chart. */
export const levelsHook = (levels: readonly Level[], colours: Palette) => (plot: uPlot) => {
  const { ctx, bbox } = plot;
  const shown = levels
    .map(level => ({ ...level, y: Math.round(plot.valToPos(level.value, 'y', true)) }))
    .filter(({ y }) => y >= bbox.top && y <= bbox.top + bbox.height)
    .sort((a, b) => a.y - b.y);
  const places = apart(
    shown.map(({ y }) => y),
    LABEL_HEIGHT * devicePixelRatio,
    bbox.top,
    bbox.top + bbox.height,
  );
  const right = bbox.left + bbox.width;
  ctx.save();
  ctx.font = scaledFont();
  ctx.textAlign = 'left';
  ctx.textBaseline = 'middle';
  for (const { value, around = 0, tone } of shown) {
    if (around <= 0) continue;
    const [top, bottom] = [value + around, value - around].map(end =>
      Math.max(bbox.top, Math.min(bbox.top + bbox.height, plot.valToPos(end, 'y', true))),
    );
    ctx.globalAlpha = 0.2;
    ctx.fillStyle = colours[tone];
    ctx.fillRect(bbox.left, top, bbox.width, Math.max(2, bottom - top));
    ctx.globalAlpha = 1;
  }
  for (const [i, { label, y, tone, isEnd }] of shown.entries()) {
    ctx.strokeStyle = colours[tone];
    ctx.fillStyle = colours[tone];
    if (isEnd === undefined) {
      ctx.lineWidth = 1.5 * devicePixelRatio;
      ctx.setLineDash([6 * devicePixelRatio, 4 * devicePixelRatio]);
      ctx.beginPath();
      ctx.moveTo(bbox.left, y);
      ctx.lineTo(right, y);
      ctx.stroke();
      ctx.setLineDash([]);
    }
    ctx.lineWidth = devicePixelRatio;
    ctx.beginPath();
    ctx.moveTo(right, y);
    ctx.lineTo(right + 6 * devicePixelRatio, places[i]);
    ctx.stroke();
    ctx.fillText(label, right + 8 * devicePixelRatio, places[i]);
  }
  ctx.restore();
};

/** Positions as near to those wanted as their order and a distance between neighbours allow. */
export function apart(wanted: readonly number[], distance: number, low: number, high: number): number[] {
  const places: number[] = [];
  for (const [i, place] of wanted.entries())
    places.push(i === 0 ? Math.max(low, place) : Math.max(place, places[i - 1] + distance));
  for (
    let i = places.length - 1, most = high;
    i >= 0 && places[i] > most;
    i--, most = places[i + 1] - distance
  )
    places[i] = most;
  return places;
}

/** Room above a chart for the names of its marks, a line each, in CSS pixels. */
export const marksRoom = (marks: readonly Level[]) => 8 + LABEL_HEIGHT * marks.length;

/** Vertical lines at values of the x axis, with their names above the chart, one below the other; turned inwards at the right edge. */
export const marksHook = (marks: readonly Level[], colours: Palette) => (plot: uPlot) => {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.font = scaledFont();
  ctx.textAlign = 'left';
  ctx.textBaseline = 'middle';
  const gap = 4 * devicePixelRatio;
  const [left, right] = [bbox.left, bbox.left + bbox.width];
  const shown = marks
    .map(mark => ({ ...mark, x: Math.round(plot.valToPos(mark.value, 'x', true)) }))
    .filter(({ x }) => x >= left && x <= right)
    .map(mark => ({ ...mark, width: ctx.measureText(mark.label).width }))
    .map(mark => ({ ...mark, isTurned: mark.x + gap + mark.width > right + 20 * devicePixelRatio }))
    // No line crosses a name: turned ones are above all, the others in the order of their lines.
    .sort((a, b) => Number(b.isTurned) - Number(a.isTurned) || a.value - b.value);
  for (const [i, { label, x, width, isTurned, tone }] of shown.entries()) {
    const y = bbox.top - LABEL_HEIGHT * (marks.length - i - 0.5) * devicePixelRatio;
    ctx.strokeStyle = colours[tone];
    ctx.fillStyle = colours[tone];
    ctx.lineWidth = 1.5 * devicePixelRatio;
    ctx.beginPath();
    ctx.moveTo(x, y);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    ctx.fillText(label, isTurned ? x - gap - width : x + gap, y);
  }
  ctx.restore();
};
