/** The data of the server: its assets, and its scenarios by name. The page asks for them when it opens, when the key changes and when the server has come back. */

import { effect, signal } from '@preact/signals';
import { messageOf } from '#core/errors.ts';
import { getScenarios, getSymbols, type ScenariosAnswer, type SymbolsAnswer } from '../api/request.ts';
import { recoveries } from './outage.ts';
import { apiKey } from './session.ts';

/** A row of `GET /symbols`. */
export type SymbolRow = SymbolsAnswer['symbols'][number];

export const symbolRows = signal<readonly SymbolRow[]>([]);
/** Names that a basket may have: assets and aliases. */
export const symbols = signal<readonly string[]>(['BTC', 'ETH', 'SOL', 'USDC', 'USD']);
/** Names of the dollar itself, which has no series. */
export const cashNames = signal<readonly string[]>([]);
/** Scenarios by name; none of a server without the path, or for a key without the right. */
export const namedScenarios = signal<readonly ScenariosAnswer['scenarios'][number][]>([]);
/** Why there are no rows. */
export const symbolsMessage = signal('');
/** Which market the server has: `sample`, or a version. */
export const marketName = signal('');

effect(() => {
  // Asked again when the server has come back.
  void recoveries.value;
  if (apiKey.value === '') return;
  const ending = new AbortController();
  getSymbols(ending.signal).then(
    ({ body, market }) => {
      symbolRows.value = body.symbols;
      symbols.value = [
        ...body.symbols.flatMap(({ symbol, aliases }) => [symbol, ...aliases]),
        body.cash.symbol,
        ...body.cash.aliases,
      ];
      cashNames.value = [body.cash.symbol, ...body.cash.aliases];
      symbolsMessage.value = '';
      marketName.value = market;
    },
    (error: unknown) => {
      if (!ending.signal.aborted) symbolsMessage.value = messageOf(error);
    },
  );
  getScenarios(ending.signal).then(
    ({ body }) => {
      namedScenarios.value = body.scenarios;
    },
    () => {
      if (!ending.signal.aborted) namedScenarios.value = [];
    },
  );
  return () => ending.abort();
});

/** The newest day on which all of some assets have a close; undefined where one of them is not known. */
export function lastDayOf(names: readonly string[]): string | undefined {
  const days = names.flatMap(name => {
    const row = symbolRows.value.find(({ symbol, aliases }) => symbol === name || aliases.includes(name));
    return row === undefined ? [] : [row.last_day];
  });
  return days.length === names.length && days.length > 0 ? days.sort()[0] : undefined;
}
