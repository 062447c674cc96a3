/** `market import`: shows the reading of each file, then writes all files or none. */
import { readFileSync } from 'node:fs';
import { counted } from '../counted.ts';
import type { Role } from '../market/import/columns.ts';
import { STAMPS } from '../market/import/file-name.ts';
import { type ImportPlan, type ImportReport, planImport } from '../market/import/import-files.ts';
import { DECIMAL_MARKS } from '../market/import/numbers.ts';
import type { ImportOptions } from '../market/import/reading.ts';
import { DATE_ORDERS } from '../market/import/times.ts';
import { VOLUME_UNITS } from '../market/import/volume-unit.ts';
import { printable } from '../market/printable.ts';
import { SERIES_KINDS, TIMEFRAME_HOURS, type Timeframe } from '../market/store/series-key.ts';
import { type MarketCall, type MarketOption, percentLine, UsageError } from './market-command.ts';
import { formatTable } from './output.ts';

const ROLES = ['time', 'open', 'high', 'low', 'close', 'volume', 'price', 'funding', 'symbol'] as const;
const isRole = (name: string) => ROLES.some(each => each === name);
/** Most files shown singly; the others are counted. */
const MAX_FILES = 100;

export async function runImport({ operands, options: sent, store, output }: MarketCall): Promise<void> {
  if (operands.length === 0) throw new UsageError('import needs a file or a folder');
  const options = importOptions(sent);
  const progress = percentLine(output);
  const plan = await planImport({
    store,
    paths: operands,
    options,
    replace: sent.replace === true,
    onProgress: progress.update,
  }).finally(progress.end);
  output.out(planText(plan));
  if (sent['dry-run'] === true) output.out('Nothing was written (--dry-run).\n');
  else output.out(reportText(await plan.write(), store));
}

/** Settings of the arguments and of the mapping file; arguments take precedence. @throws UsageError */
function importOptions(sent: MarketCall['options']): ImportOptions {
  const mapped = sent.mapping === undefined ? {} : readMapping(sent.mapping);
  const text = (name: TextMember): string | undefined => sent[name] ?? mapped[name];
  const choice = <T extends string>(
    name: Exclude<TextMember, 'symbol' | 'quote' | 'exchange'>,
    values: readonly T[],
  ): T | undefined => {
    const value = text(name);
    if (value === undefined || values.some(each => each === value)) return value as T | undefined;
    throw new UsageError(`--${name} is one of ${values.join(', ')}; got ${value}`);
  };
  const [asset, ofSymbol] = (text('symbol') ?? '').toUpperCase().split('/');
  const columns = { ...mapped.columns, ...readColumns(sent.columns) };
  return {
    asset: asset === '' ? undefined : asset,
    quote: text('quote')?.toUpperCase() ?? ofSymbol,
    exchange: text('exchange')?.toLowerCase(),
    timeframe: choice('timeframe', Object.keys(TIMEFRAME_HOURS) as Timeframe[]),
    kind: choice('kind', SERIES_KINDS),
    stamp: choice('stamp', STAMPS),
    volumeUnit: choice('volume-unit', VOLUME_UNITS),
    dates: choice('dates', DATE_ORDERS),
    decimal: choice('decimal', DECIMAL_MARKS),
    columns,
    complete: sent.complete === true,
    allowJumps: sent['allow-jumps'] === true,
  };
}

function readColumns(text: string | undefined): Partial<Record<Role, string>> {
  if (text === undefined) return {};
  return Object.fromEntries(
    text.split(',').map(pair => {
      const [role, ...name] = pair.split('=');
      if (!isRole(role) || name.length === 0)
        throw new UsageError(
          `--columns is written time=Date,close=Price with ${ROLES.join(', ')}; got ${pair}`,
        );
      return [role, name.join('=')];
    }),
  );
}

const TEXT_MEMBERS = [
  'symbol',
  'quote',
  'exchange',
  'timeframe',
  'kind',
  'stamp',
  'volume-unit',
  'dates',
  'decimal',
] as const;
type TextMember = (typeof TEXT_MEMBERS)[number];

export const IMPORT_OPTIONS: readonly MarketOption[] = [
  ...TEXT_MEMBERS,
  'columns',
  'mapping',
  'dry-run',
  'complete',
  'allow-jumps',
  'replace',
];

type Mapping = Readonly<Partial<Record<TextMember, string>>> & {
  readonly columns?: Partial<Record<Role, string>>;
};

const MAPPING_MEMBERS: readonly string[] = [...TEXT_MEMBERS, 'columns'];

function readMapping(path: string): Mapping {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new UsageError(`--mapping: ${path} cannot be read as JSON: ${(error as Error).message}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UsageError(`--mapping: ${path} must contain an object`);
  for (const [name, member] of Object.entries(value)) {
    if (!MAPPING_MEMBERS.includes(name))
      throw new UsageError(`--mapping: ${name} is unknown; known are ${MAPPING_MEMBERS.join(', ')}`);
    if (name !== 'columns' && typeof member !== 'string')
      throw new UsageError(`--mapping: ${name} must be a text`);
  }
  const { columns = {} } = value as { columns?: unknown };
  const entries = typeof columns === 'object' && columns !== null ? Object.entries(columns) : [];
  const bad = entries.find(([role, name]) => !isRole(role) || typeof name !== 'string');
  if (bad !== undefined)
    throw new UsageError(`--mapping: columns.${bad[0]} must name a column; known are ${ROLES.join(', ')}`);
  return value as Mapping;
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
