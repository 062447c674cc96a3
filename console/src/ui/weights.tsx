/**
 * A weight map as rows of symbol and weight. In the address it is `BTC:0.8,SOL:0.2`.
 */
import type { Fields } from '../state/address.ts';
import { type FormContext, faultsAt } from './fields.tsx';
import { inWords } from './member-words.ts';

export interface WeightRow {
  readonly symbol: string;
  readonly weight: string;
}

/** The rows of a text of the address. */
export function parseRows(text: string): WeightRow[] {
  if (text === '') return [];
  return text.split(',').map(entry => {
    const [symbol = '', weight = ''] = entry.split(':', 2);
    return { symbol, weight };
  });
}

const formatRows = (rows: readonly WeightRow[]) =>
  rows
    .map(({ symbol, weight }) => `${symbol.replace(/[:,\s]/g, '')}:${weight.replace(/[:,\s]/g, '')}`)
    .join(',');

/** The map that a request carries. */
export const weightMap = (text: string): Record<string, number> =>
  Object.fromEntries(parseRows(text).map(({ symbol, weight }) => [symbol, Number(weight)]));

/** How far the weights are from 1, or undefined where they add up. */
export function sumMismatch(rows: readonly WeightRow[]): number | undefined {
  const sum = rows.reduce((total, { weight }) => total + Number(weight), 0);
  return Math.abs(sum - 1) <= 1e-6 ? undefined : sum;
}

export function WeightsField(props: {
  readonly form: FormContext;
  readonly name: string;
  readonly member: string;
  readonly label: string;
  readonly symbols: readonly string[];
  /** The amount beside an asset: its share of the basket, or a number of units. */
  readonly of?: 'weight' | 'units';
}) {
  const { form, name, member, label, symbols, of = 'weight' } = props;
  const rows = parseRows(form.fields[name] ?? '');
  const put = (next: readonly WeightRow[]) => form.set({ [name]: formatRows(next) } as Fields);
  const change = (index: number, changed: Partial<WeightRow>) =>
    put(rows.map((row, i) => (i === index ? { ...row, ...changed } : row)));
  const faults = faultsAt(form.faults, member);
  const sum = of === 'weight' ? sumMismatch(rows) : undefined;
  return (
    <fieldset class={of === 'units' ? 'weights units' : 'weights'}>
      <legend>{label}</legend>
      <datalist id={`symbols-${name}`}>
        {symbols.map(symbol => (
          <option key={symbol} value={symbol} />
        ))}
      </datalist>
      {rows.map((row, index) => (
        <div class="weight-row" key={index}>
          <input
            type="text"
            list={`symbols-${name}`}
            autocomplete="off"
            spellcheck={false}
            aria-label={`${label}, asset ${index + 1}`}
            value={row.symbol}
            onInput={event => change(index, { symbol: event.currentTarget.value.toUpperCase() })}
          />
          <input
            type="text"
            inputMode="decimal"
            autocomplete="off"
            aria-label={`${label}, ${of} of ${row.symbol || `asset ${index + 1}`}`}
            value={row.weight}
            onInput={event => change(index, { weight: event.currentTarget.value })}
          />
          <button
            type="button"
            class="quiet"
            aria-label={`Remove ${row.symbol || `asset ${index + 1}`} from ${label}`}
            disabled={rows.length === 1}
            onClick={() => put(rows.filter((_, i) => i !== index))}
          >
            ×
          </button>
        </div>
      ))}
      <div class="weight-actions">
        <button type="button" class="quiet" onClick={() => put([...rows, { symbol: '', weight: '0' }])}>
          Add asset
        </button>
        {sum !== undefined && Number.isFinite(sum) && sum > 0 && (
          <button
            type="button"
            class="quiet"
            onClick={() =>
              put(
                rows.map(row => ({ ...row, weight: String(Number((Number(row.weight) / sum).toFixed(8))) })),
              )
            }
          >
            Scale {Number(sum.toFixed(6))} to 1
          </button>
        )}
      </div>
      {faults.map(({ path, message }) => (
        <p class="fault" key={path}>
          {inWords(message)}
        </p>
      ))}
    </fieldset>
  );
}
