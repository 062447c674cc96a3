/** Every series of the market store, with its range, gaps and age. */

import { symbolRows, symbolsMessage } from '../state/server.ts';
import { KeyPrompt } from '../ui/figures.tsx';
import { Scroll } from '../ui/scroll.tsx';

export function MarketDataView() {
  const rows = symbolRows.value;
  const columns = [...new Set(rows.flatMap(row => Object.keys(row)))];
  return (
    <section class="wide">
      <h2>Market data</h2>
      <p class="lead">Every asset that this server has prices of.</p>
      <KeyPrompt />
      {symbolsMessage.value !== '' && <p class="notice">{symbolsMessage.value}</p>}
      {rows.length > 0 && (
        <Scroll label="Series of the market store">
          <table class="figures" data-rows={rows.length}>
            <thead>
              <tr>
                {columns.map(column => (
                  <th scope="col" key={column}>
                    {column.replace(/_/g, ' ')}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(row => (
                <tr key={row.symbol}>
                  {columns.map(column => (
                    <td key={column}>{cell(row[column])}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
    </section>
  );
}

/** A member as text; nested ones as compact JSON. */
function cell(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
