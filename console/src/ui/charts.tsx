/** The charts of the console, each from a picture of the plan. */
import type uPlot from 'uplot';
import { FAN_LEVELS, type Fan, type Histogram, type LoanPicture } from '../compute/picture.ts';
import { axes, Chart, type Palette } from './chart.tsx';
import { compact, percent, plain } from './format.ts';

/** A colour by what it stands for. */
export type Tone = Exclude<keyof Palette, 'band' | 'grid'>;

/** A line across a chart with a name. */
export interface Level {
  readonly label: string;
  readonly value: number;
  readonly tone: Tone;
}

const HOURS_PER_DAY = 24;
const noLegend = { legend: { show: false }, cursor: { y: false } } as const;

/** Lines across the chart at given values, with their names. */
const levelsHook = (levels: readonly Level[], colours: Palette) => (plot: uPlot) => {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.font = `${11 * devicePixelRatio}px system-ui`;
  ctx.textAlign = 'left';
  for (const { label, value, tone } of levels) {
    const y = Math.round(plot.valToPos(value, 'y', true));
    if (y < bbox.top || y > bbox.top + bbox.height) continue;
    ctx.strokeStyle = colours[tone];
    ctx.fillStyle = colours[tone];
    ctx.lineWidth = 1.5 * devicePixelRatio;
    ctx.setLineDash([6 * devicePixelRatio, 4 * devicePixelRatio]);
    ctx.beginPath();
    ctx.moveTo(bbox.left, y);
    ctx.lineTo(bbox.left + bbox.width, y);
    ctx.stroke();
    ctx.fillText(label, bbox.left + 6 * devicePixelRatio, y - 4 * devicePixelRatio);
  }
  ctx.restore();
};

/** Quantiles of a value over time as bands, some paths, and named levels. */
export function FanChart(props: {
  title: string;
  fan: Fan;
  levels: readonly Level[];
  value: string;
  stepsPerDay?: number;
}) {
  const { title, fan, levels, value, stepsPerDay = HOURS_PER_DAY } = props;
  const days = fan.steps.map(step => step / stepsPerDay);
  const last = fan.quantiles.map(series => series.at(-1) ?? 0);
  return (
    <Chart
      title={title}
      summary={`${title}. At the end: ${FAN_LEVELS.map((level, i) => `${percent(level)} quantile ${plain(last[i])}`).join(', ')}. Levels: ${levels.map(({ label, value }) => `${label} ${plain(value)}`).join(', ')}.`}
      data={[days, ...fan.quantiles, ...fan.paths] as uPlot.AlignedData}
      options={colours => ({
        ...noLegend,
        scales: { x: { time: false } },
        axes: axes(colours, 'days', value, compact),
        series: [
          {},
          ...FAN_LEVELS.map(level => ({
            stroke: level === 0.5 ? colours.accent : 'transparent',
            width: 2,
            points: { show: false },
          })),
          ...fan.paths.map(() => ({ stroke: colours.faint, width: 1, points: { show: false } })),
        ],
        bands: [
          { series: [7, 1] as uPlot.Band.Bounds, fill: colours.band[0] },
          { series: [6, 2] as uPlot.Band.Bounds, fill: colours.band[1] },
          { series: [5, 3] as uPlot.Band.Bounds, fill: colours.band[2] },
        ],
        hooks: { draw: [levelsHook(levels, colours)] },
      })}
    />
  );
}

/** Counts as bars. */
export function HistogramChart(props: {
  title: string;
  histogram: Histogram;
  value: string;
  marks?: readonly Level[];
}) {
  const { title, histogram, value, marks = [] } = props;
  const total = histogram.counts.reduce((sum, count) => sum + count, 0);
  const middles = histogram.from.map(from => from + histogram.width / 2);
  const shares = histogram.counts.map(count => count / total);
  const mode = middles[shares.indexOf(Math.max(...shares))];
  return (
    <Chart
      title={title}
      summary={`${title}: histogram from ${plain(histogram.from[0])} to ${plain((histogram.from.at(-1) ?? 0) + histogram.width)}, most often near ${plain(mode)}. ${marks.map(({ label, value }) => `${label}: ${plain(value)}`).join(', ')}`}
      data={[middles, shares]}
      options={colours => ({
        ...noLegend,
        scales: { x: { time: false } },
        axes: axes(colours, value, 'share of scenarios', percent),
        series: [
          {},
          { stroke: colours.accent, fill: colours.band[2], width: 1, paths: bars, points: { show: false } },
        ],
        hooks: { draw: [marksHook(marks, colours)] },
      })}
    />
  );
}

/** Bars that touch. */
const bars: uPlot.Series.PathBuilder = (plot, series, from, to) => {
  const [xs, ys] = [plot.data[0], plot.data[series]];
  const fill = new Path2D();
  const half = xs.length > 1 ? (xs[1] - xs[0]) / 2 : 0.5;
  const base = plot.valToPos(0, 'y', true);
  for (let i = from; i <= to; i++) {
    const left = plot.valToPos(xs[i] - half, 'x', true);
    const right = plot.valToPos(xs[i] + half, 'x', true);
    const top = plot.valToPos(ys[i] ?? 0, 'y', true);
    fill.rect(left, top, Math.max(1, right - left - 1), base - top);
  }
  return { fill, stroke: fill, clip: null };
};

/** Vertical lines at values of the x axis. */
const marksHook = (marks: readonly Level[], colours: Palette) => (plot: uPlot) => {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.font = `${11 * devicePixelRatio}px system-ui`;
  ctx.textAlign = 'left';
  for (const [i, { label, value, tone }] of marks.entries()) {
    const x = Math.round(plot.valToPos(value, 'x', true));
    if (x < bbox.left || x > bbox.left + bbox.width) continue;
    ctx.strokeStyle = colours[tone];
    ctx.fillStyle = colours[tone];
    ctx.lineWidth = 1.5 * devicePixelRatio;
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    ctx.fillText(label, x + 4 * devicePixelRatio, bbox.top + (14 + 14 * i) * devicePixelRatio);
  }
  ctx.restore();
};

/** A line of a chart. */
export interface Line {
  readonly label: string;
  readonly values: readonly (number | null)[];
  readonly tone: Tone;
}

/** Lines over a common axis, with their names. */
export function LinesChart(props: {
  title: string;
  x: readonly number[];
  xLabel: string;
  yLabel: string;
  lines: readonly Line[];
  levels?: readonly Level[];
  marks?: readonly Level[];
  show?: (value: number) => string;
  yRange?: readonly [number, number];
}) {
  const { title, x, xLabel, yLabel, lines, levels = [], marks = [], show = percent, yRange } = props;
  const ends = lines.map(({ label, values }) => `${label} ${show(Number(values.at(-1) ?? 0))}`);
  return (
    <div>
      <Chart
        title={title}
        summary={`${title}. At the end: ${ends.join(', ')}.`}
        data={[x, ...lines.map(({ values }) => values)] as uPlot.AlignedData}
        options={colours => ({
          ...noLegend,
          scales: {
            x: { time: false },
            ...(yRange === undefined ? {} : { y: { range: [...yRange] as [number, number] } }),
          },
          axes: axes(colours, xLabel, yLabel, show),
          series: [
            {},
            ...lines.map(({ label, tone }) => ({
              label,
              stroke: colours[tone],
              width: 2,
              points: { show: false },
            })),
          ],
          hooks: { draw: [levelsHook(levels, colours), marksHook(marks, colours)] },
        })}
      />
      <ul class="legend" aria-hidden="true">
        {lines.map(({ label, tone }) => (
          <li key={label}>
            <span class={`swatch tone-${tone}`} />
            {label}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Shares of the loans by day: called, liquidated, closed out, and those that still run. */
export function EventsChart({ picture }: { picture: LoanPicture }) {
  const { steps, called, liquidated, closedOut } = picture.events;
  const open = called.map((_, i) => 1 - liquidated[i] - closedOut[i]);
  return (
    <LinesChart
      title="Share of loans by day"
      x={steps.map(step => step / HOURS_PER_DAY)}
      xLabel="days"
      yLabel="share of loans"
      yRange={[0, 1]}
      lines={[
        { label: 'open', values: open, tone: 'nominal' },
        { label: 'called', values: called, tone: 'marginCall' },
        { label: 'closed out', values: closedOut, tone: 'recovery' },
        { label: 'liquidated', values: liquidated, tone: 'liquidation' },
      ]}
    />
  );
}
