/**
 * Importing market data: all of the files given, or nothing, as one new version of the store.
 *
 * Takes: paths, the options of the caller, the folder of the store. Gives: first the interpretation of each file, then
 * what was added, replaced and left as it was. Must not know: terminals, servers.
 */
import { readFileSync } from 'node:fs';
import { sha256 } from '../store/manifest.ts';
import type { RowCounts, Rows } from '../store/rows.ts';
import { rowName, seriesName } from '../store/series-key.ts';
import { openStoreWriter } from '../store/store-writer.ts';
import { compareWithStore, heldSeries } from './compare-store.ts';
import { findFiles } from './find-files.ts';
import { ImportError, type ImportFault, UnreadableFile } from './import-error.ts';
import { type FileContent, readSeries } from './read-series.ts';
import type { ImportOptions } from './reading.ts';
import { readTable } from './table.ts';

export interface ImportRequest {
  /** Folder of the store. */
  readonly store: string;
  /** Files and folders. */
  readonly paths: readonly string[];
  /** Options for all of these files. */
  readonly options?: ImportOptions;
  /** Whether more than a few stored rows may get other numbers. */
  readonly replace?: boolean;
  /** Days for which versions that answers were made from stay. */
  readonly keepDays?: number | undefined;
  readonly now?: Date;
  /** Called after each file. */
  readonly onProgress?: (bytesDone: number, bytesTotal: number, file: string) => void;
}

/** The interpretation of a file. */
export interface UnderstoodFile {
  readonly path: string;
  /** `BTC/USDT binance 1d`, with kind, rows and range. */
  readonly series: readonly {
    readonly name: string;
    readonly kind: string;
    readonly rows: number;
    readonly first: string;
    readonly last: string;
  }[];
  readonly understood: string;
  readonly notes: readonly string[];
}

/** The plan of an import. */
export interface ImportPlan {
  readonly files: readonly UnderstoodFile[];
  readonly leftAside: readonly string[];
  /** Writes all of it as one new version. @throws MarketStoreError; the store is then as it was */
  write(): Promise<ImportReport>;
}

export interface ImportedFile extends UnderstoodFile, RowCounts {}

export interface ImportReport {
  readonly files: readonly ImportedFile[];
  readonly leftAside: readonly string[];
  /** Whether there is a new version. */
  readonly changed: boolean;
}

interface ReadFile {
  readonly content: FileContent;
  readonly realPath: string;
  readonly sha256: string;
}

/**
 * Reads all files; nothing is written.
 * @throws ImportError with the faults of all files, each kind of a file once
 */
export async function planImport(request: ImportRequest): Promise<ImportPlan> {
  const { files, leftAside } = findFiles(request.paths);
  const now = request.now ?? new Date();
  const bytesTotal = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const read: ReadFile[] = [];
  const faults: ImportFault[] = [];
  let bytesDone = 0;
  for (const { path, realPath, bytes } of files) {
    const content = readFileSync(path);
    const found = await readFile(path, realPath, content, request.options ?? {}, now);
    if ('faults' in found) faults.push(...found.faults);
    // After the first fault the other files are only checked.
    else if (faults.length === 0) read.push({ content: found, realPath, sha256: sha256(content) });
    bytesDone += bytes;
    request.onProgress?.(bytesDone, bytesTotal, path);
  }
  if (faults.length > 0) throw new ImportError(faults);
  await compareWithStore(await heldSeries(request.store), read, request);
  const understood = read.map(({ content }) => understoodFile(content));
  return {
    files: understood,
    leftAside,
    write: async () => ({ ...(await writeFiles(request, read, understood, now)), leftAside }),
  };
}

/** Imports files into a store, which is made if it does not exist. @throws as `planImport` and its `write` */
export async function importFiles(request: ImportRequest): Promise<ImportReport> {
  return (await planImport(request)).write();
}

async function readFile(
  path: string,
  realPath: string,
  bytes: Buffer,
  options: ImportOptions,
  now: Date,
): Promise<FileContent | { readonly faults: readonly ImportFault[] }> {
  try {
    const content = readSeries(realPath, await readTable(realPath, bytes), options, now);
    if ('faults' in content) return { faults: content.faults.map(fault => ({ ...fault, file: path })) };
    return { ...content, path };
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    return {
      faults: [{ kind: 'unreadable', file: path, count: 1, message: error.message, remedy: error.remedy }],
    };
  }
}

async function writeFiles(
  request: ImportRequest,
  read: readonly ReadFile[],
  understood: readonly UnderstoodFile[],
  now: Date,
): Promise<Omit<ImportReport, 'leftAside'>> {
  const writer = await openStoreWriter(request.store, request.keepDays);
  try {
    await compareWithStore(writer, read, request);
    const files: ImportedFile[] = [];
    for (const [file, { content }] of read.entries()) {
      const counts = { added: 0, replaced: 0, unchanged: 0 };
      for (const { key, rows } of content.series) {
        const done = await writer.merge(key, from(rows, writer.importNumber, file));
        counts.added += done.added;
        counts.replaced += done.replaced;
        counts.unchanged += done.unchanged;
      }
      files.push({ ...understood[file], ...counts });
    }
    const sources = read.map(({ realPath, sha256: hash }) => ({ source: realPath, sha256: hash }));
    return { files, changed: await writer.commit(sources, now) };
  } finally {
    writer.close();
  }
}

/** The rows with their source: one file of one import. */
function from(rows: Rows, importNumber: number, file: number): Rows {
  rows.imports.fill(importNumber);
  rows.files.fill(file);
  return rows;
}

function understoodFile({ path, series, understood, notes }: FileContent): UnderstoodFile {
  return {
    path,
    understood,
    notes,
    series: series.map(({ key, rows }) => ({
      name: seriesName(key),
      kind: key.kind,
      rows: rows.hours.length,
      first: rowName(key, rows.hours[0]),
      last: rowName(key, rows.hours[rows.hours.length - 1]),
    })),
  };
}
