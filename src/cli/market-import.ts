/** `market import`: shows the reading of each file, then writes all files or none. */
import { readFileSync } from 'node:fs';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { z } from 'zod';
import { STAMPS } from '../market/import/file-name.ts';
import { FUNDING_UNITS } from '../market/import/funding-unit.ts';
import type { Role } from '../market/import/headings.ts';
import { type ImportPlan, type ImportReport, planImport } from '../market/import/import-files.ts';
import type { ImportOptions } from '../market/import/reading.ts';
import { VOLUME_UNITS } from '../market/import/volume-unit.ts';
import { SERIES_KINDS, TIMEFRAME_HOURS, type Timeframe } from '../market/store/series-key.ts';
import { choice, members } from '../question/request/fields.ts';
import { checkRequest } from '../question/request/parse.ts';
import { counted } from '../text/counted.ts';
import { DECIMAL_MARKS } from '../text/numbers.ts';
import { printable } from '../text/printable.ts';
import { DATE_ORDERS } from '../text/times.ts';
import { type MarketCall, percentLine } from './market-command.ts';
import { formatTable } from './output.ts';

const ROLES = ['time', 'open', 'high', 'low', 'close', 'volume', 'price', 'funding', 'symbol'] as const;
/** Most files shown singly; the others are counted. */
const MAX_FILES = 100;

const texts = z.string().optional();
const MAPPING = {
  symbol: texts,
  quote: texts,
  exchange: texts,
  timeframe: choice(Object.keys(TIMEFRAME_HOURS) as Timeframe[]).optional(),
  kind: choice(SERIES_KINDS).optional(),
  stamp: choice(STAMPS).optional(),
  'volume-unit': choice(VOLUME_UNITS).optional(),
  'funding-unit': choice(FUNDING_UNITS).optional(),
  dates: choice(DATE_ORDERS).optional(),
  decimal: choice(DECIMAL_MARKS).optional(),
  columns: members(Object.fromEntries(ROLES.map(role => [role, texts]))).optional(),
};
/** What the options and a mapping file state about the files. */
type Stated = Omit<ImportOptions, 'asset' | 'complete' | 'allowJumps'> & {
  readonly symbol?: string | undefined;
};

interface Sent extends Stated {
  readonly mapping?: Stated;
  readonly replace?: true;
  readonly complete?: true;
  readonly allowJumps?: true;
  readonly dryRun?: true;
}

export function addImport(program: Command, call: MarketCall): void {
  const oneOf = (flags: string, words: string, values: readonly string[]) =>
    new Option(flags, words).choices(values);
  program
    .command('import')
    .summary('add market data to the store')
    .description(
      'Adds CSV, JSON and Parquet files to the store. It prints how it reads each file before it writes anything; a faulty file stops the whole import. Stored rows remain; where a number differs, that of the file replaces it. Options state what a file does not.',
    )
    .argument('<paths...>', 'files and folders')
    .option('--symbol <symbol>', 'such as BTC, or BTC/USD')
    .option('--quote <quote>', 'such as USD')
    .option('--exchange <name>', 'such as kraken')
    .addOption(oneOf('--timeframe <timeframe>', 'length of the bars', Object.keys(TIMEFRAME_HOURS)))
    .addOption(oneOf('--kind <kind>', 'what the rows are; price takes those of a future, too', SERIES_KINDS))
    .addOption(oneOf('--stamp <stamp>', 'the times: openings of bars, their ends, or moments', STAMPS))
    .option('--columns <pairs>', `time=Date,close=Price with ${ROLES.join(', ')}`, readColumns)
    .option('--mapping <file>', 'the same: {"symbol": "BTC", "columns": {"close": "Price"}}', readMapping)
    .addOption(oneOf('--volume-unit <unit>', 'volumes in BTC, or in the USD of BTC/USD', VOLUME_UNITS))
    .addOption(
      oneOf('--funding-unit <unit>', 'rates such as 0.0001, or in percent such as 0.01', FUNDING_UNITS),
    )
    .addOption(oneOf('--dates <order>', '31.01.2024 or 01/31/2024', DATE_ORDERS))
    .addOption(oneOf('--decimal <mark>', 'with comma: numbers are written 42283,58', DECIMAL_MARKS))
    .option('--replace', 'replace more than 1 % of the stored rows of a series')
    .option('--complete', 'read a last line without a line end')
    .option('--allow-jumps', 'accept prices that jump to a multiple and back')
    .option('--dry-run', 'stop before anything is written')
    .action((paths: readonly string[], sent: Sent) => importFiles(paths, sent, call));
}

async function importFiles(
  paths: readonly string[],
  sent: Sent,
  { store, keepDays, output }: MarketCall,
): Promise<void> {
  const progress = percentLine(output);
  const plan = await planImport({
    store,
    keepDays,
    paths,
    options: importOptions(sent),
    replace: sent.replace === true,
    onProgress: progress.update,
  }).finally(progress.end);
  output.out(planText(plan));
  if (sent.dryRun) output.out('Nothing was written (--dry-run).\n');
  else output.out(reportText(await plan.write(), store));
}

/** Settings of the arguments and of the mapping file; arguments take precedence. */
function importOptions({ mapping = {}, replace: _, dryRun: __, ...sent }: Sent): ImportOptions {
  const { symbol = '', quote, exchange, ...stated } = { ...mapping, ...sent };
  const [asset, ofSymbol] = symbol.toUpperCase().split('/');
  return {
    ...stated,
    asset: asset === '' ? undefined : asset,
    quote: quote?.toUpperCase() ?? ofSymbol,
    exchange: exchange?.toLowerCase(),
    columns: { ...mapping.columns, ...sent.columns },
  };
}

function readColumns(text: string): Partial<Record<Role, string>> {
  return Object.fromEntries(
    text.split(',').map(pair => {
      const [role, ...name] = pair.split('=');
      if (!ROLES.some(each => each === role) || name.length === 0)
        throw new InvalidArgumentError(
          `It is written time=Date,close=Price with ${ROLES.join(', ')}; got ${pair}.`,
        );
      return [role, name.join('=')];
    }),
  );
}

function readMapping(path: string): Stated {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new InvalidArgumentError(`It cannot be read as JSON: ${(error as Error).message}`);
  }
  const checked = checkRequest(members(MAPPING), value);
  if (!checked.ok) throw new InvalidArgumentError(checked.faults.map(({ message }) => message).join('; '));
  const { 'volume-unit': volumeUnit, 'funding-unit': fundingUnit, ...stated } = checked.value;
  return { ...stated, ...(volumeUnit && { volumeUnit }), ...(fundingUnit && { fundingUnit }) };
}

function planText({ files, leftAside }: ImportPlan): string {
  const lines: string[] = [];
  for (const { path: sent, series, understood, notes } of files.slice(0, MAX_FILES)) {
    const path = printable(sent);
    for (const { name, kind, rows, first, last } of series) {
      lines.push(`${path}: ${kind} of ${name}, ${counted(rows, 'row')}, ${first} to ${last}`);
    }
    lines.push(`  ${understood}`, ...notes.map(note => `  note: ${note}`));
  }
  if (files.length > MAX_FILES) lines.push(`and ${counted(files.length - MAX_FILES, 'more file')}`);
  if (leftAside.length > 0) lines.push(`Not market data, left aside: ${leftAside.map(printable).join(', ')}`);
  return `${lines.join('\n')}\n`;
}

function reportText({ files, changed }: ImportReport, store: string): string {
  const kinds = [...new Set(files.flatMap(({ series }) => series.map(({ kind }) => kind)))].sort();
  const rows = kinds.map(kind => {
    const ofKind = files.filter(({ series }) => series.some(each => each.kind === kind));
    const sum = (count: 'added' | 'replaced' | 'unchanged'): string =>
      String(ofKind.reduce((total, file) => total + file[count], 0));
    return [kind, String(ofKind.length), sum('added'), sum('unchanged'), sum('replaced')];
  });
  const lines = [formatTable(['kind', 'files', 'new', 'unchanged', 'replaced'], rows, 1)];
  for (const { path, replaced } of files) {
    if (replaced > 0) {
      lines.push(
        `${printable(path)}: ${counted(replaced, 'row')} had other numbers and got those of the file`,
      );
    }
  }
  lines.push(changed ? `Imported into ${store}.` : `Nothing new: ${store} is as it was.`);
  return `${lines.join('\n')}\n`;
}
