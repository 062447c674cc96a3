/** `market list`: every series held, and which of them price an asset. */
import { readRules } from '../market/read-rules.ts';
import { openStoredVersion } from '../market/store/open-stored-version.ts';
import { seriesName } from '../market/store/series-key.ts';
import { type MarketPlace, type Output, type SentOptions, UsageError } from './market-command.ts';
import { formatTable } from './table.ts';

export async function runList(
  operands: readonly string[],
  _options: SentOptions,
  place: MarketPlace,
  output: Output,
): Promise<void> {
  if (operands.length > 0) throw new UsageError('list takes no further argument');
  const rules = readRules(place.rules);
  const source = await openStoredVersion(place.store, rules);
  const rows = (await source.list()).map(series => [
    seriesName(series),
    series.kind,
    series.kind !== 'price' ? '' : series.used ? `price of ${series.asset}` : 'not used',
    series.first,
    series.last,
    String(series.rows),
    String(series.gaps),
  ]);
  const aliases = source.symbolTable.aliases().map(([symbol, asset]) => `${symbol} is ${asset}`);
  output.out(
    `${formatTable(['series', 'kind', 'use', 'first', 'last', 'rows', 'gaps'], rows, 5)}\n` +
      'Prices: the first exchange, then quote, that holds an asset. ' +
      `Exchanges: ${rules.exchanges.join(', ')}, then others by name. Quotes taken as USD: ${rules.quotes.join(', ')}.\n` +
      Object.entries(rules.prices)
        .map(([asset, { quote, exchange }]) => `${asset} is priced by ${asset}/${quote} ${exchange}.\n`)
        .join('') +
      `Symbols: ${aliases.join(', ')}.\n${source.description}\n`,
  );
}
