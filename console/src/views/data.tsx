/** Every series of the market store, with its range, gaps and age. */

import { useSignal } from '@preact/signals';
import { MS_PER_DAY, MS_PER_HOUR } from '#src/text/calendar-date.ts';
import { marketName, type SymbolRow, symbolRows, symbolsMessage } from '../state/server.ts';
import { age, percent, whole } from '../ui/format.ts';
import { KeyPrompt } from '../ui/key-prompt.tsx';
import { Scroll } from '../ui/scroll.tsx';

/** A close that is older than this is marked. */
const STALE_SECONDS = 2 * 86_400;

const ORDERS = {
  symbol: { label: 'symbol', compare: (a: SymbolRow, b: SymbolRow) => a.symbol.localeCompare(b.symbol) },
  age: { label: 'age, oldest first', compare: (a: SymbolRow, b: SymbolRow) => b.age_seconds - a.age_seconds },
  gaps: { label: 'gaps, most first', compare: (a: SymbolRow, b: SymbolRow) => gapHours(b) - gapHours(a) },
} as const;

/** Missing days and hours, in hours. */
const gapHours = ({ missing_days, hours }: SymbolRow) => 24 * missing_days + (hours?.missing ?? 0);

export function MarketDataView() {
  const wanted = useSignal('');
  const order = useSignal<keyof typeof ORDERS>('symbol');
  const all = symbolRows.value;
  const rows = all
    .filter(({ symbol, aliases }) =>
      [symbol, ...aliases].some(name => name.includes(wanted.value.toUpperCase())),
    )
    .sort(ORDERS[order.value].compare);
  const first = Math.min(...all.map(({ first_day }) => Date.parse(first_day)));
  const last = Math.max(...all.map(row => newest(row)));
  return (
    <section class="wide">
      <h2>Market data</h2>
      <p class="lead">
        {all.length === 0
          ? 'Every asset that this server has prices of.'
          : `${whole(all.length)} assets, ${whole(all.filter(({ hours }) => hours !== null).length)} of them by the hour. Market: ${marketName.value}.`}
      </p>
      <KeyPrompt />
      {symbolsMessage.value !== '' && all.length === 0 && <p class="notice">{symbolsMessage.value}</p>}
      {all.length > 0 && (
        <>
          <div class="data-tools">
            <div class="field">
              <label for="field-find">Find an asset</label>
              <input
                id="field-find"
                type="text"
                autocomplete="off"
                spellcheck={false}
                value={wanted.value}
                onInput={event => {
                  wanted.value = event.currentTarget.value;
                }}
              />
            </div>
            <div class="field">
              <label for="field-order">Order by</label>
              <select
                id="field-order"
                value={order.value}
                onChange={event => {
                  order.value = event.currentTarget.value as keyof typeof ORDERS;
                }}
              >
                {Object.entries(ORDERS).map(([name, { label }]) => (
                  <option key={name} value={name}>
                    {label}
                  </option>
                ))}
              </select>
            </div>
          </div>
          <Scroll label="Series of the market store">
            <table class="figures series" data-rows={rows.length}>
              <thead>
                <tr>
                  <th scope="col">Asset</th>
                  <th scope="col" class="span-column">
                    {new Date(first).getUTCFullYear()} to {new Date(last).getUTCFullYear()}
                  </th>
                  <th scope="col">Days</th>
                  <th scope="col">Missing days</th>
                  <th scope="col">Hours</th>
                  <th scope="col">Missing hours</th>
                  <th scope="col">Age</th>
                  <th scope="col">Source</th>
                </tr>
              </thead>
              <tbody>
                {rows.map(row => (
                  <Row key={row.symbol} row={row} first={first} last={last} />
                ))}
              </tbody>
            </table>
          </Scroll>
          {rows.length === 0 && <p class="hint">No asset has {wanted.value} in its name.</p>}
          <p class="hint">
            <span class="swatch tone-accent" /> days <span class="swatch tone-nominal" /> hours. Age: time
            since the youngest close.
          </p>
        </>
      )}
    </section>
  );
}

/** Time of the youngest close, ms. */
const newest = ({ last_day, hours }: SymbolRow) =>
  Math.max(Date.parse(last_day) + MS_PER_DAY, hours === null ? 0 : Date.parse(hours.last) + MS_PER_HOUR);

function Row({ row, first, last }: { row: SymbolRow; first: number; last: number }) {
  const { symbol, aliases, first_day, last_day, missing_days, hours, sources, age_seconds } = row;
  const days = Math.round((Date.parse(last_day) - Date.parse(first_day)) / MS_PER_DAY) + 1;
  return (
    <tr data-symbol={symbol}>
      <th scope="row">
        {symbol}
        {aliases.length > 0 && <span class="meaning">{aliases.join(', ')}</span>}
      </th>
      <td class="span-column">
        <Span row={row} first={first} last={last} />
      </td>
      <td>
        {first_day} to {last_day}
      </td>
      <td class={missing_days > 0 ? 'gap' : ''}>
        {whole(missing_days)}
        {missing_days > 0 && ` (${percent(missing_days / days)})`}
      </td>
      <td>{hours === null ? 'none' : `${hours.first.slice(0, 10)} to ${hours.last.slice(0, 10)}`}</td>
      <td class={(hours?.missing ?? 0) > 0 ? 'gap' : ''}>{hours === null ? '' : whole(hours.missing)}</td>
      <td class={age_seconds > STALE_SECONDS ? 'gap' : ''}>{age(age_seconds)}</td>
      <td class="text">{sources.join(', ')}</td>
    </tr>
  );
}

const WIDTH = 240;

/** The days and hours of a series, on the span of the whole store. */
function Span({ row, first, last }: { row: SymbolRow; first: number; last: number }) {
  const x = (time: number) => (WIDTH * (time - first)) / Math.max(1, last - first);
  const bar = (from: number, to: number, className: string, y: number) => (
    <rect class={className} x={x(from)} width={Math.max(1, x(to) - x(from))} y={y} height={5} />
  );
  return (
    <svg width={WIDTH} height={14} viewBox={`0 0 ${WIDTH} 14`} aria-hidden="true">
      <rect class="rail-box" x={0} y={1} width={WIDTH} height={12} />
      {bar(Date.parse(row.first_day), Date.parse(row.last_day) + MS_PER_DAY, 'days-box', 2)}
      {row.hours !== null &&
        bar(Date.parse(row.hours.first), Date.parse(row.hours.last) + MS_PER_HOUR, 'hours-box', 7)}
    </svg>
  );
}
