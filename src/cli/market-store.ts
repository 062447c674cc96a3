/** `market list`, `market remove`, `market undo` and `market check`. */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { type CheckBounds, checkStore, DEFAULT_BOUNDS, type Finding } from '../market/check/check-store.ts';
import { seriesName } from '../market/store/series-key.ts';
import { MarketStoreError } from '../market/store/store-error.ts';
import { isAddress, readCurrent, readExisting, storeFilesAt } from '../market/store/store-files.ts';
import { marketVersion, openStoredVersion } from '../market/store/store-source.ts';
import { openStoreWriter, type StoreWriter, storedVersions } from '../market/store/store-writer.ts';
import { type Day, formatIsoDate } from '../text/calendar-date.ts';
import { counted } from '../text/counted.ts';
import { printableLines } from '../text/printable.ts';
import { sortedBy } from '../text/sorted-by.ts';
import { type MarketCall, percentLine } from './market-command.ts';
import { day, positive } from './options.ts';
import { formatTable } from './output.ts';

export function addList(program: Command, call: MarketCall): void {
  program
    .command('list')
    .description('list every series, and which of them price an asset')
    .action(() => list(call));
}

export function addRemove(program: Command, { store, keepDays, output }: MarketCall): void {
  program
    .command('remove')
    .description('remove a series from the store')
    .argument('<series...>', 'its kind and its name, as in price BTC/USDT binance 1d')
    .action(async (words: readonly string[], _, command: Command) => {
      // Quoted or not.
      const id = words.join(' ').trim();
      if (id.split(' ').length < 4)
        command.error('error: name the kind and the name of a series, as in price BTC/USDT binance 1d');
      await change({ store, keepDays }, `remove ${id}`, async writer => writer.remove(id));
      output.out(`${id} is no longer in ${store}. market undo restores it.\n`);
    });
}

export function addRescale(program: Command, { store, keepDays, output }: MarketCall): void {
  program
    .command('rescale')
    .description('multiply the closes of a series before a day, as for a coin that was redenominated')
    .argument('<series...>', 'its kind and its name, as in price DOT/USD kraken 1d')
    .requiredOption('--before <day>', 'first day of the new scale, such as 2020-08-21', day)
    .requiredOption('--by <factor>', 'such as 0.01, where 100 new coins are an old one', positive)
    .action(async (words: readonly string[], { before, by }: { before: Day; by: number }) => {
      const id = words.join(' ').trim();
      let rows = 0;
      await change({ store, keepDays }, `rescale ${id}`, async writer => {
        rows = await writer.rescale(id, HOURS_PER_DAY * before, by);
      });
      output.out(
        `${counted(rows, 'row')} of ${id} before ${formatIsoDate(before)}: prices times ${by}, volumes divided by it. market undo restores them.\n`,
      );
    });
}

/** A second call restores the last version. */
export function addUndo(program: Command, { store, keepDays, output }: MarketCall): void {
  program
    .command('undo')
    .description('restore the version before the last change')
    .action(async () => {
      await change({ store, keepDays }, 'undo', writer => writer.undo());
      output.out(`${store} is as it was before the last change. A second market undo reverts this.\n`);
    });
}

export function addKeep(program: Command, call: MarketCall): void {
  program
    .command('keep')
    .description(
      'keep a version of the data for good, so that its answers can be repeated; --end takes it back',
    )
    .argument('[version]', 'as in x-market-data of an answer; without it the versions are listed')
    .option('--end', 'no longer keep it')
    .action((version: string | undefined, { end = false }: { end?: boolean }) => keep(version, end, call));
}

/** @throws MarketStoreError where there is no such version */
async function keep(
  version: string | undefined,
  end: boolean,
  { store, rules, output }: MarketCall,
): Promise<void> {
  if (isAddress(store))
    throw new MarketStoreError('Keep versions on the host that has the folder of the store.');
  await readExisting(storeFilesAt(store));
  const mark = (each: string) => join(store, 'kept', `${each}.json`);
  const versions = sortedBy(
    storedVersions(store, manifest => marketVersion(manifest, rules)),
    ({ writtenAt }) => writtenAt,
  );
  if (version === undefined) {
    const rows = versions.map(each => [
      each.version,
      each.writtenAt,
      existsSync(mark(each.version)) ? 'kept' : '',
    ]);
    output.out(`${formatTable(['version', 'written', 'kept'], rows, 3)}\n`);
    return;
  }
  const found = versions.findLast(each => each.version === version);
  if (found === undefined)
    throw new MarketStoreError(
      `${store} has no version ${version}; it has ${versions.map(each => each.version).join(', ')}`,
    );
  if (end) rmSync(mark(version), { force: true });
  else {
    mkdirSync(join(store, 'kept'), { recursive: true });
    writeFileSync(mark(version), `${JSON.stringify({ manifest: found.path })}\n`);
  }
  output.out(`${version} of ${found.writtenAt} is ${end ? 'no longer kept' : 'kept'}.\n`);
}

/** Prints every series, with its use as a price. */
async function list({ store, rules, output }: MarketCall): Promise<void> {
  const source = await openStoredVersion(store, rules);
  const rows = (await source.list()).map(series => [
    seriesName(series),
    series.kind,
    series.kind !== 'price' ? '' : series.used ? `price of ${series.asset}` : 'not used',
    series.first,
    series.last,
    String(series.rows),
    String(series.gaps),
  ]);
  const aliases = source.symbolTable
    .aliases()
    .map(([symbol, asset, rate]) => `${symbol} is ${rate === undefined ? '' : `${rate} `}${asset}`);
  const text =
    `${formatTable(['series', 'kind', 'use', 'first', 'last', 'rows', 'gaps'], rows, 5)}\n` +
    'Prices: the first exchange, then quote, with prices of an asset. ' +
    `Exchanges: ${rules.exchanges.join(', ')}, then others by name. Quotes taken as USD: ${rules.quotes.join(', ')}.\n` +
    Object.entries(rules.prices)
      .map(([asset, { quote, exchange }]) => `${asset} is priced by ${asset}/${quote} ${exchange}.\n`)
      .join('') +
    `Symbols: ${aliases.join(', ')}.\n${source.description}\n`;
  // Names come from whoever wrote the store.
  output.out(printableLines(text));
}

/** @throws MarketStoreError where there is no store */
async function change(
  { store, keepDays }: Pick<MarketCall, 'store' | 'keepDays'>,
  source: string,
  edit: (writer: StoreWriter) => Promise<void>,
): Promise<void> {
  if (!isAddress(store) && (await readCurrent(storeFilesAt(store))) === undefined)
    throw new MarketStoreError(`There is no market store at ${store}.`);
  const writer = await openStoreWriter(store, keepDays);
  try {
    await edit(writer);
    await writer.commit([{ source }], new Date());
  } finally {
    writer.close();
  }
}

const HOURS_PER_DAY = 24;

/** Findings that are errors of the data in any market. */
const GRAVE: readonly Finding['kind'][] = ['damage', 'order', 'price'];

export function addCheck(program: Command, call: MarketCall): void {
  const { jumpSigmas, disagreement, staleRows } = DEFAULT_BOUNDS;
  program
    .command('check')
    .description(
      'find gaps, jumps, stale ends, disagreement of sources; fails on damage, disorder and impossible prices',
    )
    .option('--jump-sigmas <number>', 'standard deviations of a jump', positive, jumpSigmas)
    .option('--disagreement <share>', 'by which two sources differ', positive, disagreement)
    .option('--stale-rows <number>', 'age of a last row that is reported', positive, staleRows)
    .action((sent: Sent) => check({ ...DEFAULT_BOUNDS, ...sent }, call));
}

type Sent = Pick<CheckBounds, 'jumpSigmas' | 'disagreement' | 'staleRows'>;

/** Prints the findings. @throws MarketStoreError for a grave finding */
async function check(bounds: CheckBounds, { store, output }: MarketCall): Promise<void> {
  const files = storeFilesAt(store);
  const manifest = await readExisting(files);
  const progress = percentLine(output);
  const findings = await checkStore(files, manifest, new Date(), bounds, progress.update).finally(
    progress.end,
  );
  let last = '';
  for (const { series, kind, message, remedy } of findings) {
    if (series !== last) output.out(`${series}\n`);
    last = series;
    output.out(`  ${kind}: ${message}\n    ${remedy}\n`);
  }
  const grave = findings.filter(({ kind }) => GRAVE.includes(kind));
  output.out(
    `${counted(manifest.series.length, 'series')} looked at, ${counted(findings.length, 'finding')}` +
      ` (jumps beyond ${bounds.jumpSigmas} standard deviations, sources apart by more than ${100 * bounds.disagreement} %, ends older than ${bounds.staleRows} rows).\n`,
  );
  if (grave.length > 0) throw new MarketStoreError(`${counted(grave.length, 'finding')} cannot be right.`);
}
