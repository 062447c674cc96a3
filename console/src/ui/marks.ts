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
  for (const [i, { label, y, tone }] of shown.entries()) {
    ctx.strokeStyle = colours[tone];
    ctx.fillStyle = colours[tone];
    ctx.lineWidth = 1.5 * devicePixelRatio;
    ctx.setLineDash([6 * devicePixelRatio, 4 * devicePixelRatio]);
    ctx.beginPath();
    ctx.moveTo(bbox.left, y);
    ctx.lineTo(right, y);
    ctx.stroke();
    ctx.setLineDash([]);
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

/** Vertical lines at values of the x axis; names one below the other, turned inwards at the right edge. */
export const marksHook = (marks: readonly Level[], colours: Palette) => (plot: uPlot) => {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.font = scaledFont();
  ctx.textAlign = 'left';
  ctx.textBaseline = 'middle';
  const gap = 4 * devicePixelRatio;
  for (const [i, { label, value, tone }] of marks.entries()) {
    const x = Math.round(plot.valToPos(value, 'x', true));
    if (x < bbox.left || x > bbox.left + bbox.width) continue;
    ctx.strokeStyle = colours[tone];
    ctx.lineWidth = 1.5 * devicePixelRatio;
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    const width = ctx.measureText(label).width;
    const inwards = x + gap + width > bbox.left + bbox.width;
    const y = bbox.top + (8 + LABEL_HEIGHT * i) * devicePixelRatio;
    const left = inwards ? x - gap - width : x + gap;
    ctx.globalAlpha = 0.85;
    ctx.fillStyle = colours.page;
    ctx.fillRect(left - 2, y - 6 * devicePixelRatio, width + 4, 12 * devicePixelRatio);
    ctx.globalAlpha = 1;
    ctx.fillStyle = colours[tone];
    ctx.fillText(label, left, y);
  }
  ctx.restore();
};
