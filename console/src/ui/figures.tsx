/** Figures with their intervals, and the ways to take them elsewhere. */
import { useState } from 'preact/hooks';
import { concerns } from '#core/warnings.ts';
import { meanCount } from '#src/desk/words.ts';
import type { Accuracies, FigureAccuracy, Figures } from '../compute/answer.ts';
import { coverageUnit } from '../state/session.ts';
import { figureName, inOrder, type Unit } from './figure-names.ts';
import { NARROW, plain, precise, whole } from './format.ts';
import { Scroll } from './scroll.tsx';
import { type ShownWarning, WarningNotice } from './warning-notice.tsx';

/** Half of an interval's width, where there is one. */
const halfWidth = ({ low, high }: FigureAccuracy = {}) =>
  low != null && high != null ? (high - low) / 2 : undefined;

interface Shown {
  /** Shown value = value x factor, with a sign of its unit behind it. */
  readonly factor: number;
  readonly sign: string;
  /** Significant digits where no interval decides. */
  readonly digits: number;
}

const PERCENT = `${NARROW}%`;
const UNITS: Readonly<Record<Unit, Shown>> = {
  share: { factor: 100, sign: PERCENT, digits: 4 },
  percent: { factor: 1, sign: PERCENT, digits: 4 },
  ratio: { factor: 1, sign: '', digits: 4 },
  coverage: { factor: 1, sign: '', digits: 5 },
  usd: { factor: 1, sign: '', digits: 7 },
  'million-usd': { factor: 1, sign: '', digits: 5 },
  margin: { factor: 1, sign: '', digits: 5 },
  'mean-count': { factor: 1, sign: '', digits: 4 },
  count: { factor: 1, sign: '', digits: 6 },
  number: { factor: 1, sign: '', digits: 6 },
};

/** Coverage as loan-to-value: 1/x, so the ends of an interval change places. */
const inverted = ({ low, high }: FigureAccuracy = {}): FigureAccuracy =>
  low == null || high == null || low <= 0 ? {} : { low: 1 / high, high: 1 / low };

const isInverted = (unit: Unit) => unit === 'coverage' && coverageUnit.value === 'ltv';

/** A figure by its name in the interface, to the digits that its interval leaves a meaning. */
export function figureText(name: string, value: number, accuracy?: FigureAccuracy): string {
  const { unit } = figureName(name);
  if (isInverted(unit)) return shownText('share', 1 / value, halfWidth(inverted(accuracy)));
  return shownText(unit, value, halfWidth(accuracy));
}

function shownText(unit: Unit, value: number, half: number | undefined): string {
  const { factor, sign, digits } = UNITS[unit];
  if (unit === 'mean-count') return meanCount(value);
  if (unit === 'count') return whole(value);
  if (half === undefined && unit === 'usd') return Math.abs(value) >= 100 ? whole(value) : plain(value, 3);
  if (half === undefined) return plain(factor * value, unit === 'number' ? 6 : digits) + sign;
  return precise(factor * value, factor * half, digits) + sign;
}

/** A cell of a row of figures. */
interface Cell {
  readonly figure: string;
  readonly value: number;
  readonly accuracy: FigureAccuracy | undefined;
}

/** Figures side by side: those of a unit with one number of decimals, which the widest interval among them leaves a meaning. */
export function figureTexts(cells: readonly Cell[]): readonly string[] {
  const shown = cells.map(({ figure, value, accuracy }) => {
    const { unit } = figureName(figure);
    return isInverted(unit)
      ? { unit: 'share' as const, value: 1 / value, half: halfWidth(inverted(accuracy)) }
      : { unit, value, half: halfWidth(accuracy) };
  });
  return shown.map(({ unit, value, half }) => {
    const like = shown.filter(each => each.unit === unit);
    const widest = Math.max(0, ...like.map(each => each.half ?? 0));
    const largest = Math.max(...like.map(each => Math.abs(each.value)));
    const { digits } = UNITS[unit];
    // As `precise` takes it: an interval of which two digits are left.
    const all = widest > 0 ? widest : unit === 'usd' ? half : 10 * (largest / 10 ** (digits - 1));
    return shownText(unit, value, all);
  });
}

/** The interval of a figure: `49.57 to 50.19 %`. */
export function intervalText(name: string, accuracy: FigureAccuracy = {}): string {
  const { unit } = figureName(name);
  const { low, high } = isInverted(unit) ? inverted(accuracy) : accuracy;
  if (low == null || high == null) return '';
  const { factor, sign, digits } = UNITS[isInverted(unit) ? 'share' : unit];
  const half = (factor * (high - low)) / 2;
  return `${precise(factor * low, half, digits)} to ${precise(factor * high, half, digits)}${sign}`;
}

/** Words behind a name: unit and meaning. */
function describe(name: string): string {
  const { unit, meaning } = figureName(name, coverageUnit.value);
  const units: Partial<Record<Unit, string>> = {
    usd: 'USD',
    'million-usd': 'million USD',
    margin: 'margin currency',
  };
  return [units[unit], meaning].filter(Boolean).join(', ');
}

/** What a figure is about. */
const GROUPS = ['What happens', 'What is gained and lost', 'The market'] as const;
const groupOf = (name: string): (typeof GROUPS)[number] => {
  if (OF_WINDOW.test(name)) return 'The market';
  return figureName(name).unit === 'share' ? 'What happens' : 'What is gained and lost';
};

export function FigureTable({
  figures,
  accuracy,
  level = 0.95,
  warnings = [],
}: {
  figures: Figures;
  accuracy: Accuracies | undefined;
  /** Each is shown under the first figure that it concerns. */
  warnings?: readonly ShownWarning[];
  level?: number | undefined;
}) {
  const names = inOrder(Object.keys(figures));
  const withIntervals = names.some(name => intervalText(name, accuracy?.[name]) !== '');
  const withExact = names.some(name => typeof accuracy?.[name]?.exact === 'number');
  const columns = 2 + (withIntervals ? 1 : 0) + (withExact ? 1 : 0);
  const groups = GROUPS.map(group => [group, names.filter(name => groupOf(name) === group)] as const);
  const filled = groups.filter(([, own]) => own.length > 0);
  const under = (name: string) =>
    warnings.filter(({ code }) => names.find(each => concerns(code, each)) === name);
  return (
    <Scroll label="Figures">
      <table class="figures">
        <thead>
          <tr>
            <th scope="col">Figure</th>
            <th scope="col">Value</th>
            {withIntervals && <th scope="col">{Math.round(1000 * level) / 10}% interval</th>}
            {withExact && <th scope="col">Exact</th>}
          </tr>
        </thead>
        {filled.map(([group, own]) => (
          <tbody key={group}>
            {filled.length > 1 && (
              <tr class="group">
                <th scope="rowgroup" colSpan={columns}>
                  {group}
                </th>
              </tr>
            )}
            {own.map(name => {
              const sure = accuracy?.[name];
              const value = figures[name];
              const row = (
                <tr key={name} data-figure={name}>
                  <th scope="row" title={name}>
                    {figureName(name, coverageUnit.value).label} <span class="meaning">{describe(name)}</span>
                  </th>
                  <td data-value={value}>{figureText(name, value, sure)}</td>
                  {withIntervals && <td class="interval">{intervalText(name, sure)}</td>}
                  {withExact && (
                    <td>{typeof sure?.exact === 'number' ? figureText(name, sure.exact, sure) : ''}</td>
                  )}
                </tr>
              );
              return [
                row,
                ...under(name).map(warning => (
                  <tr key={`${name} ${warning.message}`} class="warned">
                    <td colSpan={columns}>
                      <WarningNotice {...warning} />
                    </td>
                  </tr>
                )),
              ];
            })}
          </tbody>
        ))}
      </table>
    </Scroll>
  );
}

/** Figures in rows and columns: quantiles of several quantities, quantities at several horizons. */
export function FigureMatrix(props: {
  readonly label: string;
  readonly corner: string;
  readonly columns: readonly string[];
  readonly rows: readonly {
    readonly name: string;
    readonly meaning?: string;
    /** Its name in the interface. */
    readonly code?: string;
    /** Per column: the key of the figure in the flat table, and the name that its unit depends on. */
    readonly cells: readonly { readonly key: string; readonly figure: string }[];
  }[];
  readonly figures: Figures;
  readonly accuracy: Accuracies | undefined;
  /** Those that concern one of the figures are shown below the table. */
  readonly warnings?: readonly ShownWarning[];
}) {
  const { label, corner, columns, rows, figures, accuracy, warnings = [] } = props;
  const keys = rows.flatMap(({ cells }) => cells.map(({ key }) => key));
  return (
    <>
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
            {rows.map(({ name, meaning, code, cells }) => {
              const filled = cells.filter(({ key }) => figures[key] !== undefined);
              const texts = figureTexts(
                filled.map(({ key, figure }) => ({ figure, value: figures[key], accuracy: accuracy?.[key] })),
              );
              return (
                <tr key={name}>
                  <th scope="row" title={code}>
                    {name}
                    {meaning !== undefined && <span class="meaning">{meaning}</span>}
                  </th>
                  {cells.map(cell => {
                    const { key, figure } = cell;
                    if (!filled.includes(cell)) return <td key={key} />;
                    return (
                      <td
                        key={key}
                        data-figure={key}
                        data-value={figures[key]}
                        title={intervalText(figure, accuracy?.[key])}
                      >
                        {texts[filled.indexOf(cell)]}
                      </td>
                    );
                  })}
                </tr>
              );
            })}
          </tbody>
        </table>
      </Scroll>
      {keys.some(key => accuracy?.[key]?.low != null) && (
        <p class="hint">Under the pointer: the 95{NARROW}% interval of a figure. Copy CSV has all of them.</p>
      )}
      {warnings
        .filter(({ code }) => keys.some(key => concerns(code, key)))
        .map(warning => (
          <WarningNotice key={warning.message} {...warning} />
        ))}
    </>
  );
}

/** Most figures beside the sentence. */
const KEY_FIGURES = 4;

/** A figure that people ask for first. */
export interface KeyFigure {
  readonly label: string;
  readonly text: string;
  readonly interval: string;
}

/** The first of an answer's figures, none of a window of prices. */
export const keyFiguresOf = (figures: Figures, accuracy: Accuracies | undefined): readonly KeyFigure[] =>
  inOrder(Object.keys(figures).filter(name => !OF_WINDOW.test(name)))
    .slice(0, KEY_FIGURES)
    .map(name => ({
      label: figureName(name, coverageUnit.value).label,
      text: figureText(name, figures[name], accuracy?.[name]),
      interval: intervalText(name, accuracy?.[name]),
    }));

/** Figures large, each with its interval. */
export const KeyFigures = ({ items }: { items: readonly KeyFigure[] }) =>
  items.length > 0 && (
    <dl class="key-figures">
      {items.map(({ label, text, interval }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <b>{text}</b> <span class="interval">{interval}</span>
          </dd>
        </div>
      ))}
    </dl>
  );

/** Figures that follow from the prices alone: what the window was, and what the market takes. */
export const OF_WINDOW = /Volatility$|Correlation$|^Volume|^Maximum/;

/** A figure as a file has it: shares as fractions, coverage as the ratio of the interface, with its unit in words. */
const FILE_UNITS: Readonly<Record<Unit, readonly [factor: number, unit: string]>> = {
  share: [1, 'fraction'],
  percent: [0.01, 'fraction'],
  ratio: [1, 'ratio'],
  coverage: [1, 'collateral / debt'],
  usd: [1, 'USD'],
  'million-usd': [1e6, 'USD'],
  margin: [1, 'margin currency'],
  'mean-count': [1, 'number'],
  count: [1, 'number'],
  number: [1, ''],
};

/** Rows of figure, name, value, low, high, unit. */
export function asCsv(figures: Figures, accuracy: Accuracies | undefined): string {
  const quoted = (name: string) => `"${name.replace(/"/g, '""')}"`;
  const rows = Object.entries(figures).map(([name, value]) => {
    const { label, unit } = figureName(name);
    const [factor, words] = FILE_UNITS[unit];
    const cells = [value, accuracy?.[name]?.low, accuracy?.[name]?.high].map(each =>
      each == null ? '' : each * factor,
    );
    return [quoted(label), quoted(name), ...cells, quoted(words)].join(',');
  });
  return ['figure,name,value,low,high,unit', ...rows, ''].join('\n');
}

/** Copies a text; a page that is not on https has no clipboard but the command of older browsers. */
async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.body.appendChild(document.createElement('textarea'));
    area.value = text;
    area.select();
    const isDone = document.execCommand('copy');
    area.remove();
    return isDone;
  }
}

/** Buttons that copy texts, and a confirmation; where the browser allows no copying, the text itself. */
export function CopyButtons({ texts }: { texts: Readonly<Record<string, () => string>> }) {
  const [done, setDone] = useState('');
  const [byHand, setByHand] = useState('');
  const copy = async (name: string, text: string) => {
    const isDone = await copied(text);
    setDone(
      isDone
        ? `${name} copied`
        : `${isSecureContext ? 'This browser allows' : 'This page is not on https: the browser allows'} no copying. The text, to copy by hand:`,
    );
    setByHand(isDone ? '' : text);
  };
  return (
    <fieldset class="copy">
      <legend class="visually-hidden">Copy</legend>
      {Object.entries(texts).map(([name, text]) => (
        <button type="button" class="quiet" key={name} onClick={() => copy(name, text())}>
          Copy {name}
        </button>
      ))}
      <span class="progress" role="status">
        {done}
      </span>
      {byHand !== '' && (
        <textarea
          class="spread"
          readOnly
          rows={4}
          aria-label="Text to copy"
          value={byHand}
          onFocus={event => event.currentTarget.select()}
        />
      )}
    </fieldset>
  );
}
