/**
 * A uPlot chart that follows its container's width and the theme, with a caption that says in words what it shows.
 */
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { isDark } from '../state/session.ts';

export interface Palette {
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

export interface ChartProps {
  readonly title: string;
  /** What the chart shows, for those who do not see it. */
  readonly summary: string;
  readonly height?: number;
  readonly data: uPlot.AlignedData;
  options(palette: Palette): Omit<uPlot.Options, 'width' | 'height'>;
}

/** Axes in the colours of the theme. */
export const axes = (
  colours: Palette,
  x: string,
  y: string,
  values?: (value: number) => string,
): uPlot.Axis[] => [
  {
    label: x,
    labelSize: 22,
    labelFont: '12px system-ui',
    font: '11px system-ui',
    stroke: colours.text,
    grid: { stroke: colours.grid, width: 1 },
    ticks: { stroke: colours.grid, width: 1 },
  },
  {
    label: y,
    labelSize: 22,
    labelFont: '12px system-ui',
    font: '11px system-ui',
    size: 62,
    stroke: colours.text,
    grid: { stroke: colours.grid, width: 1 },
    ticks: { stroke: colours.grid, width: 1 },
    ...(values === undefined ? {} : { values: (_: uPlot, splits: number[]) => splits.map(values) }),
  },
];

export function Chart({ title, summary, height = 260, data, options }: ChartProps) {
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  const dark = isDark.value;

  useEffect(() => {
    const element = host.current;
    if (element === null) return;
    const width = Math.max(200, element.clientWidth);
    plot.current = new uPlot({ ...options(palette()), width, height }, data, element);
    const observer = new ResizeObserver(() => {
      const next = Math.max(200, element.clientWidth);
      if (plot.current !== undefined && next !== plot.current.width)
        plot.current.setSize({ width: next, height });
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.current?.destroy();
      plot.current = undefined;
    };
  }, [data, dark, height]);

  const save = () => {
    plot.current?.ctx.canvas.toBlob(blob => {
      if (blob === null) return;
      const link = document.createElement('a');
      link.href = URL.createObjectURL(blob);
      link.download = `${title.toLowerCase().replace(/[^a-z0-9]+/g, '-')}.png`;
      link.click();
      URL.revokeObjectURL(link.href);
    });
  };

  return (
    <figure class="chart">
      <figcaption>
        <h3>{title}</h3>
        <button type="button" class="quiet" onClick={save} aria-label={`Save the chart ${title} as PNG`}>
          PNG
        </button>
      </figcaption>
      <div ref={host} role="img" aria-label={summary} />
    </figure>
  );
}
