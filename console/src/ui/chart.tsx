/**
 * A uPlot chart that follows its container's width and the theme, with its content in words as a caption, a line that
 * reads the values under the pointer, and buttons that save the picture or its numbers.
 */
import '../language.ts';
import { signal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { isDark } from '../state/session.ts';

export interface Palette {
  readonly page: string;
  readonly ink: string;
  readonly text: string;
  readonly grid: string;
  readonly accent: string;
  readonly band: readonly string[];
  readonly liquidation: string;
  readonly marginCall: string;
  readonly nominal: string;
  readonly recovery: string;
  readonly faint: string;
}

/** The colours of the style sheet, read from the root element. */
function palette(): Palette {
  const style = getComputedStyle(document.documentElement);
  const read = (name: string) => style.getPropertyValue(`--${name}`).trim();
  return {
    page: read('panel'),
    ink: read('ink'),
    text: read('muted'),
    grid: read('line'),
    accent: read('accent'),
    band: [read('band-wide'), read('band-middle'), read('band-narrow')],
    liquidation: read('liquidation'),
    marginCall: read('margin-call'),
    nominal: read('nominal'),
    recovery: read('recovery'),
    faint: read('faint'),
  };
}

/** Fonts of all charts, in CSS pixels. */
export const FONT = '11px Inter, sans-serif';

/** Whether the font is there: a canvas does not draw itself anew when it comes. */
const hasFont = signal(false);
void document.fonts.load(FONT).then(() => {
  hasFont.value = true;
});

/** An entry of the legend: a name and the class that colours its swatch. */
export interface LegendEntry {
  readonly label: string;
  readonly className: string;
}

export interface ChartProps {
  readonly title: string;
  /** What the chart shows, for those who do not see it. */
  readonly summary: string;
  readonly height?: number;
  /** As wide as the page. */
  readonly wide?: boolean;
  /** The same object as long as the chart shows the same: another object draws it anew. */
  readonly data: uPlot.AlignedData;
  /** Names of the columns of `data`, with their units, for the file of its numbers. */
  readonly columns: readonly string[];
  /** What else the options depend on. */
  readonly dependsOn?: string;
  readonly legend?: readonly LegendEntry[];
  /** The values at a column of `data`, in words. */
  readout?(index: number): string;
  options(palette: Palette): Omit<uPlot.Options, 'width' | 'height'>;
}

/** An axis by its label and how its values are written. */
export interface AxisText {
  readonly label: string;
  show?(value: number): string;
}

/** Axes in the colours of the theme. */
/** @param x without a label for an axis of time, which writes its own */
export const axes = (colours: Palette, x: Partial<AxisText>, y: AxisText): uPlot.Axis[] => {
  const common = {
    labelFont: FONT,
    font: FONT,
    labelGap: 2,
    stroke: colours.text,
    grid: { stroke: colours.grid, width: 1 },
    ticks: { stroke: colours.grid, width: 1, size: 4 },
  };
  const values = ({ show }: Partial<AxisText>) =>
    show === undefined
      ? {}
      : { values: (_: uPlot, splits: (number | null)[]) => splits.map(at => (at === null ? '' : show(at))) };
  return [
    {
      ...common,
      ...(x.label === undefined ? { size: 36 } : { label: x.label, labelSize: 18, size: 24 }),
      gap: 3,
      space: 60,
      ...values(x),
    },
    { ...common, label: y.label, labelSize: 18, size: 52, gap: 4, ...values(y) },
  ];
};

export function Chart(props: ChartProps) {
  const {
    title,
    summary,
    height = 250,
    wide = false,
    data,
    columns,
    dependsOn = '',
    legend = [],
    readout,
    options,
  } = props;
  const host = useRef<HTMLDivElement>(null);
  const readoutLine = useRef<HTMLParagraphElement>(null);
  const plot = useRef<uPlot>(undefined);
  const [note, setNote] = useState('');
  const dark = isDark.value;
  const drawnWith = hasFont.value;

  useEffect(() => {
    const element = host.current;
    if (element === null) return;
    const width = () => Math.max(200, element.clientWidth);
    const chosen = options(palette());
    const show = (chart: uPlot) => {
      const { idx } = chart.cursor;
      if (readoutLine.current !== null)
        readoutLine.current.textContent = idx == null ? '' : (readout?.(idx) ?? '');
    };
    plot.current = new uPlot(
      {
        legend: { show: false },
        cursor: { y: false, points: { show: false } },
        ...chosen,
        hooks: { ...chosen.hooks, setCursor: [show] },
        width: width(),
        height,
      },
      data,
      element,
    );
    const observer = new ResizeObserver(() => {
      if (plot.current !== undefined && width() !== plot.current.width)
        plot.current.setSize({ width: width(), height });
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.current?.destroy();
      plot.current = undefined;
    };
  }, [data, dark, height, dependsOn, drawnWith]);

  const name = title.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  const savePicture = () => {
    if (plot.current === undefined) return;
    if (!keepsPictures()) {
      setNote(
        'This browser changes the pictures that pages make, against fingerprints: save the CSV, or allow it.',
      );
      return;
    }
    framed(plot.current, title, palette()).toBlob(blob => {
      if (blob !== null) save(`${name}.png`, blob);
    });
  };
  const saveNumbers = () => save(`${name}.csv`, new Blob([csvOf(columns, data)], { type: 'text/csv' }));
  return (
    <figure class={wide ? 'chart spread' : 'chart'}>
      <figcaption>
        <h3>{title}</h3>
        <p class="readout" ref={readoutLine} aria-hidden="true" />
        <span class="chart-actions">
          <button
            type="button"
            class="quiet small"
            onClick={saveNumbers}
            aria-label={`Save the numbers of ${title} as CSV`}
          >
            CSV
          </button>
          <button
            type="button"
            class="quiet small"
            onClick={savePicture}
            aria-label={`Save the chart ${title} as PNG`}
          >
            PNG
          </button>
        </span>
      </figcaption>
      {note !== '' && (
        <p class="fault" role="status">
          {note}
        </p>
      )}
      <div ref={host} role="img" aria-label={summary} />
      {legend.length > 0 && (
        <ul class="legend" aria-hidden="true">
          {legend.map(({ label, className }) => (
            <li key={label}>
              <span class={`swatch ${className}`} />
              {label}
            </li>
          ))}
        </ul>
      )}
    </figure>
  );
}

/** Hands a file to the visitor. */
export function save(name: string, blob: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** Whether a picture is read as it was drawn: a browser that resists fingerprints gives noise. */
function keepsPictures(): boolean {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 8;
  const ctx = canvas.getContext('2d');
  if (ctx === null) return false;
  ctx.fillStyle = '#123456';
  ctx.fillRect(0, 0, 8, 8);
  const { data } = ctx.getImageData(0, 0, 8, 8);
  return data.every((value, i) => value === [0x12, 0x34, 0x56, 0xff][i % 4]);
}

/** The chart on the colour of its panel, under its title. */
function framed(plot: uPlot, title: string, colours: Palette): HTMLCanvasElement {
  const source = plot.ctx.canvas;
  const pad = 12 * devicePixelRatio;
  const head = 28 * devicePixelRatio;
  const canvas = document.createElement('canvas');
  canvas.width = source.width + 2 * pad;
  canvas.height = source.height + head + pad;
  const ctx = canvas.getContext('2d');
  if (ctx === null) return source;
  ctx.fillStyle = colours.page;
  ctx.fillRect(0, 0, canvas.width, canvas.height);
  ctx.fillStyle = colours.ink;
  ctx.font = `600 ${14 * devicePixelRatio}px Inter, sans-serif`;
  ctx.textBaseline = 'middle';
  ctx.fillText(title, pad, head / 2);
  ctx.drawImage(source, pad, head);
  return canvas;
}

function csvOf(columns: readonly string[], data: uPlot.AlignedData): string {
  const quoted = columns.map(column => `"${column.replace(/"/g, '""')}"`).join(',');
  const rows = Array.from(data[0], (_, i) => data.map(values => values[i] ?? '').join(','));
  return [quoted, ...rows, ''].join('\n');
}
