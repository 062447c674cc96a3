/** The charts of the console. */
import { useMemo } from 'preact/hooks';
import uPlot from 'uplot';
import type { LoanDistribution } from '#core/figures/distribution.ts';
import { type AxisText, axes, Chart } from './chart.tsx';
import { type BarValues, barsOf, type Fan, LEVELS } from './distributions.ts';
import { percent, plain } from './format.ts';
import { type Level, labelRoom, levelsHook, marksHook, marksRoom, type Tone } from './marks.ts';

export type { Level, Tone } from './marks.ts';

/** `12.5` */
const day = (value: number) => plain(Math.round(10 * value) / 10);

const FAN_LEGEND = [
  { label: 'median', className: 'tone-accent' },
  { label: '25 to 75%', className: 'band-narrow' },
  { label: '5 to 95%', className: 'band-middle' },
  { label: '1 to 99%', className: 'band-wide' },
];
const PATHS_LEGEND = { label: 'single paths', className: 'tone-faint' };

/** Quantiles of a value over time as bands, some paths, and named levels. */
export function FanChart(props: {
  title: string;
  fan: Fan;
  levels: readonly Level[];
  value: AxisText;
  /** As wide as the page. */
  wide?: boolean;
}) {
  const { title, fan, levels, value, wide = false } = props;
  const show = value.show ?? plain;
  const data = useMemo(() => [fan.days, ...fan.quantiles, ...fan.paths] as uPlot.AlignedData, [fan]);
  const text = (quantile: number | null) => (quantile === null ? 'beyond the bins' : show(quantile));
  const quantiles = (index: number) =>
    LEVELS.map((level, i) => `${percent(level)}: ${text(fan.quantiles[i][index])}`).join(', ');
  const last = fan.days.length - 1;
  return (
    <Chart
      title={title}
      wide={wide}
      summary={`${title}. Quantiles at the end: ${quantiles(last)}. Levels: ${levels.map(({ label }) => label).join(', ')}.`}
      data={data}
      columns={['days', ...LEVELS.map(level => `quantile ${level}`), ...fan.paths.map((_, i) => `path ${i}`)]}
      dependsOn={JSON.stringify(levels)}
      legend={fan.paths.length > 0 ? [...FAN_LEGEND, PATHS_LEGEND] : FAN_LEGEND}
      readout={index => `Day ${day(Number(data[0][index]))}. Quantiles ${quantiles(index)}`}
      options={colours => ({
        padding: [8, labelRoom(levels), 0, 0],
        scales: { x: { time: false }, y: { range: rangeWith(levels) } },
        axes: axes(colours, { label: 'days' }, value),
        series: [
          {},
          ...LEVELS.map(level => ({
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

/** The range of the data, with the levels that lie within half of it beyond its ends. */
const withNear = (levels: readonly Level[], min: number, max: number): [number, number] => {
  const span = max - min || Math.abs(max) || 1;
  const near = levels
    .map(({ value }) => value)
    .filter(value => value > min - span / 2 && value < max + span / 2);
  return [Math.min(min, ...near), Math.max(max, ...near)];
};

/** The same with some room at both ends. */
const rangeWith =
  (levels: readonly Level[]) =>
  (_: uPlot, min: number, max: number): [number, number] => {
    const [low, high] = withNear(levels, min, max);
    const room = 0.03 * (max - min || Math.abs(max) || 1);
    return [low - room, high + room];
  };

/** Shares of scenarios as bars; the outer bars have what lies beyond. */
export function HistogramChart(props: {
  title: string;
  /** The same object as long as the chart shows the same. */
  values: BarValues;
  value: AxisText;
  marks?: readonly Level[];
}) {
  const { title, values, value, marks = [] } = props;
  const show = value.show ?? plain;
  const { from, width, shares } = useMemo(() => barsOf(values), [values]);
  const data = useMemo(() => [from.map(low => low + width / 2), [...shares]] as uPlot.AlignedData, [from]);
  const end = from[from.length - 1] + width;
  const mode = Number(data[0][shares.indexOf(Math.max(...shares))]);
  return (
    <Chart
      title={title}
      summary={`${title}: histogram from ${show(from[0])} to ${show(end)}, most often near ${show(mode)}. ${marks.map(({ label }) => label).join(', ')}`}
      data={data}
      columns={[`${value.label}, middle of the bar`, 'share of scenarios']}
      dependsOn={JSON.stringify(marks)}
      readout={index =>
        `${show(from[index])} to ${show(from[index] + width)}: ${percent(shares[index], 2)} of the scenarios`
      }
      options={colours => ({
        padding: [marksRoom(marks), 22, 0, 0],
        scales: {
          x: { time: false, range: withNear(marks, from[0], end) },
          y: { range: (_, __, max) => [0, max * 1.08] },
        },
        axes: axes(colours, value, { label: 'share of scenarios', show: percent }),
        series: [
          {},
          {
            fill: colours.band[2],
            stroke: colours.accent,
            width: 0,
            paths: bars(width),
            points: { show: false },
          },
        ],
        hooks: { draw: [marksHook(marks, colours)] },
      })}
    />
  );
}

/** Bars that touch where they are narrow. */
const bars =
  (width: number): uPlot.Series.PathBuilder =>
  (plot, series, from, to) => {
    const [xs, ys] = [plot.data[0], plot.data[series]];
    const fill = new Path2D();
    const base = plot.valToPos(0, 'y', true);
    for (let i = from; i <= to; i++) {
      const left = plot.valToPos(xs[i] - width / 2, 'x', true);
      const right = plot.valToPos(xs[i] + width / 2, 'x', true);
      const top = plot.valToPos(ys[i] ?? 0, 'y', true);
      const gap = right - left > 6 ? 1 : 0;
      fill.rect(left, top, Math.max(1, right - left - gap), base - top);
    }
    return { fill, clip: null };
  };

/** A line of a chart. */
export interface Line {
  readonly label: string;
  readonly values: readonly (number | null)[];
  readonly tone: Tone;
  /** CSS pixels; 2 where absent. */
  readonly width?: number;
  /** Dots alone, no line. */
  readonly dots?: boolean;
}

/** Lines over a common axis, with their names. */
export function LinesChart(props: {
  title: string;
  x: readonly number[];
  xText: AxisText;
  yText: AxisText;
  lines: readonly Line[];
  levels?: readonly Level[];
  marks?: readonly Level[];
  /** Ends of a band around the first line. */
  band?: {
    readonly label: string;
    readonly low: readonly (number | null)[];
    readonly high: readonly (number | null)[];
  };
  yRange?: readonly [number, number];
  logarithmicX?: boolean;
  points?: boolean;
  /** The x axis is time: seconds since 1970. */
  time?: boolean;
  /** As wide as the page. */
  wide?: boolean;
}) {
  const {
    title,
    x,
    xText,
    yText,
    lines,
    levels = [],
    marks = [],
    band,
    yRange,
    logarithmicX,
    points,
    time = false,
    wide = false,
  } = props;
  const showX = xText.show ?? plain;
  const showY = yText.show ?? plain;
  const content = JSON.stringify([x, lines.map(({ values }) => values), band]);
  const data = useMemo(
    () =>
      [
        x,
        ...lines.map(({ values }) => values),
        ...(band === undefined ? [] : [band.high, band.low]),
      ] as uPlot.AlignedData,
    [content],
  );
  const at = (index: number) =>
    lines
      .map(({ label, values }) => `${label} ${values[index] == null ? 'none' : showY(Number(values[index]))}`)
      .join(', ');
  const bandFrom = lines.length + 1;
  // Names stand at the ends of lines; of a single one the title says what it is.
  const ends =
    lines.length > 1
      ? lines
          .filter(({ dots }) => dots !== true)
          .map(({ label, values, tone }) => ({
            label,
            value: Number(values.findLast(value => value !== null) ?? Number.NaN),
            tone,
            isEnd: true as const,
          }))
      : [];
  const named: readonly Level[] = [...levels, ...ends];
  return (
    <Chart
      title={title}
      wide={wide}
      summary={`${title}. At ${xText.label} ${showX(x.at(-1) ?? 0)}: ${at(x.length - 1)}. ${[...levels, ...marks].map(({ label }) => label).join(', ')}`}
      data={data}
      columns={[
        xText.label,
        ...lines.map(({ label }) => label),
        ...(band === undefined ? [] : [`${band.label}, high`, `${band.label}, low`]),
      ]}
      dependsOn={JSON.stringify([levels, marks, yRange, lines.map(({ tone }) => tone)])}
      legend={[
        ...lines.filter(({ dots }) => dots).map(({ label, tone }) => ({ label, className: `tone-${tone}` })),
        ...(band === undefined ? [] : [{ label: band.label, className: 'band-narrow' }]),
      ]}
      readout={index => `${xText.label} ${showX(x[index])}: ${at(index)}`}
      options={colours => ({
        padding: [marksRoom(marks), named.length > 0 ? labelRoom(named) : 22, 0, 0],
        scales: {
          x: { time, ...(logarithmicX === true ? { distr: 3 as const } : {}) },
          y: { range: yRange === undefined ? rangeWith(levels) : ([...yRange] as [number, number]) },
        },
        axes: axes(colours, time ? {} : xText, yText),
        ...(time ? { tzDate: (seconds: number) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC') } : {}),
        series: [
          {},
          ...lines.map(({ label, tone, width = 2, dots = false }) => ({
            label,
            stroke: colours[tone],
            width,
            ...(dots ? { paths: () => null } : {}),
            points: { show: dots || points === true, size: 6, fill: colours[tone] },
          })),
          ...(band === undefined ? [] : [{ stroke: 'transparent' }, { stroke: 'transparent' }]).map(
            series => ({
              ...series,
              points: { show: false },
            }),
          ),
        ],
        ...(band === undefined
          ? {}
          : {
              bands: [{ series: [bandFrom, bandFrom + 1] as uPlot.Band.Bounds, fill: colours.band[2] }],
            }),
        hooks: { draw: [levelsHook(named, colours), marksHook(marks, colours)] },
      })}
    />
  );
}

/** Shares of the loans by day: called, liquidated, closed out, and those that still run. */
export function EventsChart({ distribution: { EventsByDay, Fan } }: { distribution: LoanDistribution }) {
  const fromStart = (shares: readonly number[]) => [0, ...shares];
  const [called, liquidated, closedOut] = [
    fromStart(EventsByDay.MarginCall),
    fromStart(EventsByDay.Liquidation),
    fromStart(EventsByDay.Closeout),
  ];
  const term = Fan.days.at(-1) ?? 0;
  return (
    <LinesChart
      title="Share of loans by day"
      x={called.map((_, days) => Math.min(days, term))}
      xText={{ label: 'days', show: day }}
      yText={{ label: 'share of loans', show: percent }}
      yRange={[0, 1]}
      lines={[
        {
          label: 'surviving',
          values: called.map((_, i) => 1 - liquidated[i] - closedOut[i]),
          tone: 'nominal',
        },
        { label: 'called', values: called, tone: 'marginCall' },
        { label: 'closed out', values: closedOut, tone: 'recovery' },
        { label: 'liquidated', values: liquidated, tone: 'liquidation' },
      ]}
    />
  );
}

/** A ratio in labels: five significant digits. */
export const ratio = (value: number) => String(Number(value.toPrecision(5)));
