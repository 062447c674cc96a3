/**
 * What an import would change in a store, before anything is written: rows that get other numbers, and a series that is a day off
 * another one of its asset.
 *
 * Takes: the series that a store holds, the files. Must not know: how files are read, how a store is written.
 */
import { counted } from '../../text/counted.ts';
import { decodeRows } from '../store/parquet.ts';
import { NO_ROWS, type Rows, sameNumbers } from '../store/rows.ts';
import { type SeriesKey, seriesId, seriesKeyOf, seriesName } from '../store/series-key.ts';
import { isAddress, readCurrent, storeFilesAt } from '../store/store-files.ts';
import { dailyClosesOf, faultsAmong, MAX_REPLACED } from './compare-files.ts';
import { dayShift } from './day-shift.ts';
import type { Stamp } from './file-name.ts';
import { isSameCurrency } from './headings.ts';
import { ImportError, type ImportFault } from './import-error.ts';

/** What the caller says of an import. */
interface Compared {
  readonly replace?: boolean;
  readonly options?: { readonly allowJumps?: boolean };
}

/** The series of a version. */
export interface HeldSeries {
  readonly keys: readonly SeriesKey[];
  rowsOf(key: SeriesKey): Promise<Rows>;
}

/** A file that was read. */
interface ReadFile {
  readonly content: {
    readonly path: string;
    readonly stamp: Stamp;
    readonly series: readonly { readonly key: SeriesKey; readonly rows: Rows }[];
  };
}

/** The series of the store at a folder, none where there is no store. @throws MarketStoreError where it cannot be read */
export async function heldSeries(folder: string): Promise<HeldSeries> {
  const files = storeFilesAt(folder);
  const series = isAddress(folder) ? [] : ((await readCurrent(files))?.manifest?.series ?? []);
  const byId = new Map(series.map(each => [seriesId(each), each]));
  return {
    keys: series.map(seriesKeyOf),
    rowsOf: async key => {
      const found = byId.get(seriesId(key));
      return found === undefined ? NO_ROWS : decodeRows(await files.read(found.file));
    },
  };
}

/**
 * Refuses an import that a comparison with the store, or of its files with each other, shows to be wrong.
 * @throws ImportError with every fault
 */
export async function compareWithStore(
  held: HeldSeries,
  read: readonly ReadFile[],
  { replace = false, options: { allowJumps = false } = {} }: Compared,
): Promise<void> {
  const faults: ImportFault[] = [];
  const replaced = new Map<
    string,
    { readonly file: string; readonly key: SeriesKey; readonly stored: Rows; readonly hours: Set<number> }
  >();
  for (const { content } of read)
    for (const { key, rows } of content.series) {
      const known = replaced.get(seriesId(key)) ?? {
        file: content.path,
        key,
        stored: await held.rowsOf(key),
        hours: new Set(),
      };
      for (const hour of changedHours(known.stored, rows)) known.hours.add(hour);
      replaced.set(seriesId(key), known);
    }
  for (const { file, key, stored, hours } of replaced.values())
    if (!replace && hours.size > MAX_REPLACED * stored.hours.length)
      faults.push(replacedFault(file, key, hours.size, stored.hours.length));
  for (const { content } of read) {
    for (const { key, rows } of content.series) {
      const other = await shiftedFrom(held, key, rows, replace);
      if (other !== undefined) faults.push(shiftFault(content.path, content.stamp, key, other));
    }
  }
  // A file that is off the store is off the other files, too.
  if (faults.length === 0) {
    const parts = read.flatMap(({ content: { path, series } }) =>
      series.map(each => ({ file: path, ...each })),
    );
    faults.push(...faultsAmong(parts, allowJumps));
  }
  if (faults.length > 0) throw new ImportError(faults);
}

/** Whether two series price the same asset in the same money. */
const isSameMarket = (one: SeriesKey, other: SeriesKey): boolean =>
  one.asset === other.asset && isSameCurrency(one.quote, other.quote);

/** The hours of stored rows that get other numbers. */
function changedHours(stored: Rows, rows: Rows): readonly number[] {
  const changed: number[] = [];
  for (let i = 0, h = 0; i < rows.hours.length && h < stored.hours.length; i++) {
    while (h < stored.hours.length && stored.hours[h] < rows.hours[i]) h++;
    if (stored.hours[h] === rows.hours[i] && !sameNumbers(stored, h, rows, i)) changed.push(rows.hours[i]);
  }
  return changed;
}

/** Another market under the same name, or another unit, differs in most rows; a correction in a few. */
const replacedFault = (file: string, key: SeriesKey, rows: number, all: number): ImportFault => ({
  kind: 'replaced',
  file,
  count: 1,
  message: `${rows} of the ${counted(all, 'row')} held of ${key.kind} ${seriesName(key)} would get other numbers`,
  remedy:
    'Check that the file is of this market, kind and unit. If its numbers are the right ones, say --replace; market undo goes back.',
});

interface Shift {
  readonly key: SeriesKey;
  readonly days: -1 | 1;
}

/** The stored series of the same asset that some rows are a day off; a series that is to be replaced is none. */
async function shiftedFrom(
  held: HeldSeries,
  key: SeriesKey,
  rows: Rows,
  replace: boolean,
): Promise<Shift | undefined> {
  if (key.kind !== 'price') return undefined;
  const closes = dailyClosesOf(key, rows);
  for (const other of held.keys) {
    if (other.kind !== 'price' || !isSameMarket(other, key)) continue;
    if (replace && seriesId(other) === seriesId(key)) continue;
    const days = dayShift(closes, dailyClosesOf(other, await held.rowsOf(other)));
    if (days !== 0) return { key: other, days };
  }
  return undefined;
}

/** The stamp that moves rows by a day. */
const MOVED: Readonly<Record<Stamp, Partial<Record<-1 | 1, Stamp>>>> = {
  open: { 1: 'snapshot' },
  close: { [-1]: 'open' },
  snapshot: { [-1]: 'open' },
};

function shiftFault(file: string, stamp: Stamp, key: SeriesKey, { key: other, days }: Shift): ImportFault {
  const moved = MOVED[stamp][days];
  const own =
    moved === undefined
      ? `Check the days of the file: they should be ${days === 1 ? 'a day earlier' : 'a day later'}.`
      : `If the file is to be moved, say --stamp ${moved}.`;
  return {
    kind: 'shifted',
    file,
    count: 1,
    message: `the closes of ${seriesName(key)} follow those of ${seriesName(other)} in the store a day ${days === 1 ? 'late' : 'early'}: their returns correlate over neighbouring days`,
    remedy: `${own} If the stored series is the wrong one, remove it with market remove ${seriesId(other)} and import it again.`,
  };
}
