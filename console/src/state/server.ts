/** What the server says of itself and of its data; asked when the page opens and when the key changes. */
import { effect, signal } from '@preact/signals';
import { get } from '../api/request.ts';
import { apiKey } from './session.ts';

/** A row of `GET /symbols`, as far as the console reads it. */
export interface SymbolRow {
  readonly symbol: string;
  readonly [member: string]: unknown;
}

export const symbolRows = signal<readonly SymbolRow[]>([]);
export const symbols = signal<readonly string[]>(['BTC', 'ETH', 'SOL', 'USDC', 'USD']);
export const symbolsMessage = signal('');

interface SymbolsBody {
  readonly symbols: readonly SymbolRow[];
}

effect(() => {
  if (apiKey.value === '') return;
  const ending = new AbortController();
  get<SymbolsBody>('/symbols', ending.signal).then(
    ({ body }) => {
      symbolRows.value = body.symbols;
      symbols.value = body.symbols.map(({ symbol }) => symbol);
      symbolsMessage.value = '';
    },
    (error: unknown) => {
      if (!ending.signal.aborted)
        symbolsMessage.value = error instanceof Error ? error.message : String(error);
    },
  );
  return () => ending.abort();
});
