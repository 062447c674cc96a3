/**
 * A weight map as rows of symbol and weight. In the address it is `BTC:0.8,SOL:0.2`.
 */
import type { Fields } from '../state/address.ts';
import { type FormContext, faultsAt, NumberInput } from './fields.tsx';
import { inWords } from './member-words.ts';
import { isOpen, numberOf, PERCENT } from './typed-numbers.ts';

export interface WeightRow {
  readonly symbol: string;
  readonly weight: string;
}

/** A part of a row in the address, where `:` and `,` separate. @throws never: a text that a person has cut is shown as it is */
const partOf = (text: string) => text.replace(/%(25|2C|3A)/g, code => decodeURIComponent(code));
const inRow = (text: string) => text.replace(/[%,:]/g, encodeURIComponent);

/** The rows of a text of the address. */
export function parseRows(text: string): WeightRow[] {
  if (text === '') return [];
  return text.split(',').map(entry => {
    const [symbol = '', weight = ''] = entry.split(':', 2).map(partOf);
    return { symbol, weight };
  });
}

const formatRows = (rows: readonly WeightRow[]) =>
  rows.map(({ symbol, weight }) => `${inRow(symbol)}:${inRow(weight)}`).join(',');

/** The map that a request carries. */
export const weightMap = (text: string): Record<string, number | string> =>
  Object.fromEntries(parseRows(text).map(({ symbol, weight }) => [symbol.trim(), numberOf(weight)]));

/** How far the weights are from 1, or undefined where they add up. */
export function sumMismatch(rows: readonly WeightRow[]): number | undefined {
  const sum = rows.reduce((total, { weight }) => total + Number(numberOf(weight)), 0);
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
  const faults = rows.some(({ weight }) => isOpen(weight)) ? [] : faultsAt(form.faults, member);
  const sum = of === 'weight' ? sumMismatch(rows) : undefined;
  return (
    <fieldset class={of === 'units' ? 'weights units' : 'weights'}>
      <legend>
        {label}
        {of === 'weight' && <span class="hint"> %</span>}
      </legend>
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
          <NumberInput
            label={`${label}, ${of === 'units' ? 'units' : 'per cent'} of ${row.symbol || `asset ${index + 1}`}`}
            held={row.weight}
            hold={weight => change(index, { weight })}
            {...(of === 'units' ? {} : { kind: 'ratio' as const, scale: PERCENT })}
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
                rows.map(row => ({
                  ...row,
                  weight: String(Number((Number(numberOf(row.weight)) / sum).toFixed(8))),
                })),
              )
            }
          >
            Scale {Number((100 * sum).toFixed(4))} % to 100 %
          </button>
        )}
      </div>
      {faults.map(({ path, message }) => (
        <p class="fault" key={path}>
          {inWords(message, path)}
        </p>
      ))}
    </fieldset>
  );
}
