/** Figures with their intervals, and the ways to take them elsewhere. */
import { useState } from 'preact/hooks';
import type { Accuracies, FigureAccuracy } from '../compute/accuracy.ts';
import { ErrorBar } from './error-bar.tsx';
import { figureName, type Unit } from './figure-names.ts';
import { compact, plain, precise, whole } from './format.ts';
import { Scroll } from './scroll.tsx';

export type Figures = Readonly<Record<string, number>>;

/** Half of an interval's width, where there is one. */
const halfWidth = ({ low, high }: FigureAccuracy = {}) =>
  low != null && high != null ? (high - low) / 2 : undefined;

/** Shown value = value x factor, with a sign of its unit behind it. */
const UNITS: Readonly<
  Record<Unit, { readonly factor: number; readonly sign: string; readonly digits: number }>
> = {
  share: { factor: 100, sign: '%', digits: 4 },
  percent: { factor: 1, sign: '%', digits: 4 },
  ratio: { factor: 1, sign: '', digits: 4 },
  usd: { factor: 1, sign: '', digits: 7 },
  'million-usd': { factor: 1, sign: '', digits: 5 },
  margin: { factor: 1, sign: '', digits: 5 },
  number: { factor: 1, sign: '', digits: 6 },
};

/** A figure by its name in the interface, to the digits that its interval leaves a meaning. */
export function figureText(name: string, value: number, accuracy?: FigureAccuracy): string {
  const { unit } = figureName(name);
  const { factor, sign, digits } = UNITS[unit];
  const half = halfWidth(accuracy);
  if (half === undefined && unit === 'usd') return Math.abs(value) >= 100 ? whole(value) : plain(value, 3);
  if (half === undefined && unit === 'number') return plain(value);
  return precise(factor * value, half === undefined ? undefined : factor * half, digits) + sign;
}

/** The interval of a figure: `49.57 to 50.19%`. */
export function intervalText(name: string, { low, high }: FigureAccuracy = {}): string {
  if (low == null || high == null) return '';
  const { factor, sign, digits } = UNITS[figureName(name).unit];
  const half = (factor * (high - low)) / 2;
  return `${precise(factor * low, half, digits)} to ${precise(factor * high, half, digits)}${sign}`;
}

/** Words behind a name: unit and meaning. */
function describe(name: string): string {
  const { unit, meaning } = figureName(name);
  const units: Partial<Record<Unit, string>> = {
    usd: 'USD',
    'million-usd': 'million USD',
    margin: 'margin currency',
  };
  return [units[unit], meaning].filter(Boolean).join(', ');
}

export function FigureTable({
  figures,
  accuracy,
  first,
  level = 0.95,
}: {
  figures: Figures;
  accuracy: Accuracies | undefined;
  /** Accuracy of a first, smaller run: its intervals set the scale of the error bars. */
  first?: Accuracies | undefined;
  level?: number | undefined;
}) {
  const names = Object.keys(figures);
  const withIntervals = names.some(name => intervalText(name, accuracy?.[name]) !== '');
  const withExact = names.some(name => accuracy?.[name]?.exact !== undefined);
  return (
    <Scroll label="Figures">
      <table class="figures">
        <thead>
          <tr>
            <th scope="col">Figure</th>
            <th scope="col">Value</th>
            {withIntervals && <th scope="col">{Math.round(1000 * level) / 10}% interval</th>}
            {withIntervals && <td class="bar-column" />}
            {withExact && <th scope="col">Exact</th>}
          </tr>
        </thead>
        <tbody>
          {names.map(name => {
            const told = accuracy?.[name];
            const value = figures[name];
            return (
              <tr key={name} data-figure={name}>
                <th scope="row">
                  {name} <span class="meaning beside">{describe(name)}</span>
                </th>
                <td data-value={value}>{figureText(name, value, told)}</td>
                {withIntervals && <td class="interval">{intervalText(name, told)}</td>}
                {withIntervals && (
                  <td class="bar-column" aria-hidden="true">
                    <ErrorBar value={value} accuracy={told} scale={first?.[name] ?? told} />
                  </td>
                )}
                {withExact && <td>{told?.exact === undefined ? '' : figureText(name, told.exact, told)}</td>}
              </tr>
            );
          })}
        </tbody>
      </table>
    </Scroll>
  );
}

/** Smallest amount that is shown in short. */
const SHORT_FROM = 1e5;

/** Figures in rows and columns: quantiles of several quantities, quantities at several horizons. */
export function FigureMatrix(props: {
  readonly label: string;
  readonly corner: string;
  readonly columns: readonly string[];
  readonly rows: readonly {
    readonly name: string;
    readonly meaning?: string;
    /** Per column: the key of the figure in the flat table, and the name that tells its unit. */
    readonly cells: readonly { readonly key: string; readonly figure: string }[];
  }[];
  readonly figures: Figures;
  readonly accuracy: Accuracies | undefined;
  /** Large amounts of money in short: `33.84M`. */
  readonly short?: boolean;
}) {
  const { label, corner, columns, rows, figures, accuracy, short = false } = props;
  return (
    <Scroll label={label}>
      <table class="figures matrix">
        <thead>
          <tr>
            <th scope="col">{corner}</th>
            {columns.map(column => (
              <th scope="col" key={column}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, meaning, cells }) => (
            <tr key={name}>
              <th scope="row">
                {name}
                {meaning !== undefined && <span class="meaning">{meaning}</span>}
              </th>
              {cells.map(({ key, figure }) => {
                const value = figures[key];
                if (value === undefined) return <td key={key} />;
                const half = halfWidth(accuracy?.[key]);
                return (
                  <td
                    key={key}
                    data-figure={key}
                    data-value={value}
                    title={intervalText(figure, accuracy?.[key])}
                  >
                    {short && Math.abs(value) >= SHORT_FROM
                      ? compact(value)
                      : figureText(figure, value, accuracy?.[key])}
                    {half !== undefined && half > 0 && (
                      <span class="meaning">± {figureText(figure, half, { low: 0, high: 2 * half })}</span>
                    )}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

/** Rows of name, value, low, high. */
export function asCsv(figures: Figures, accuracy: Accuracies | undefined): string {
  const quoted = (name: string) => `"${name.replace(/"/g, '""')}"`;
  const rows = Object.entries(figures).map(([name, value]) =>
    [quoted(name), value, accuracy?.[name]?.low ?? '', accuracy?.[name]?.high ?? ''].join(','),
  );
  return ['figure,value,low,high', ...rows, ''].join('\n');
}

/** Buttons that copy texts; each says for a moment that it has done so. */
export function CopyButtons({ texts }: { texts: Readonly<Record<string, () => string>> }) {
  const [told, setTold] = useState('');
  return (
    <fieldset class="copy">
      <legend class="visually-hidden">Copy</legend>
      {Object.entries(texts).map(([name, text]) => (
        <button
          type="button"
          class="quiet"
          key={name}
          onClick={() =>
            navigator.clipboard.writeText(text()).then(
              () => setTold(`${name} copied`),
              () => setTold('This browser allows no copying'),
            )
          }
        >
          Copy {name}
        </button>
      ))}
      <span class="told" role="status">
        {told}
      </span>
    </fieldset>
  );
}
