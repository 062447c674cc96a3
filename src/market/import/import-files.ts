/**
 * Importing market data: all of the files given, or nothing, in one transaction.
 *
 * Takes: paths, the path of the store. Gives: a report of what was added, replaced and left as it was.
 * Must not know: terminals, servers.
 *
 * A store that does not exist yet is built beside its path and put there when it is complete, so that a server never
 * finds half of one.
 */
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { createTables, openStoreFile } from '../store/database.ts';
import type { SourceName } from '../store/directory.ts';
import { type MarketDisagreement, marketDisagreements } from './disagreements.ts';
import { type DataFile, findFiles } from './find-files.ts';
import { ImportError, type ImportFault, MAX_FAULTS } from './import-error.ts';
import { mergeContent, prepareMerge, type RowCounts } from './merge.ts';
import { readDataFile } from './read-file.ts';

export interface ImportOptions {
  /** Path of the store. */
  readonly store: string;
  /** Files and folders. */
  readonly paths: readonly string[];
  /** Called after each file. */
  readonly onProgress?: (bytesDone: number, bytesTotal: number, file: string) => void;
}

export interface ImportedFile extends RowCounts {
  readonly path: string;
  readonly source: SourceName;
}

export interface ImportReport {
  readonly files: readonly ImportedFile[];
  /** Entries of folders given that are not part of the layout. */
  readonly leftAside: readonly string[];
  /** Markets whose volume differs between two sources of the store. */
  readonly disagreements: readonly MarketDisagreement[];
}

/**
 * Imports files into a store, which is made if it does not exist.
 *
 * Rows that are held already stay; where their numbers differ, the file's replace them and are counted.
 * @throws ImportError with the faults of the files, 20 at most, or MarketStoreError; the store is then as it was
 */
export async function importFiles(options: ImportOptions): Promise<ImportReport> {
  const { files, leftAside } = findFiles(options.paths);
  const exists = existsSync(options.store);
  if (!exists) mkdirSync(dirname(options.store), { recursive: true });
  const path = exists ? options.store : `${options.store}.importing`;
  try {
    const store = await openStoreFile(path, 'write');
    let report: ImportReport;
    try {
      report = { ...(await importAll(store.connection, files, options.onProgress)), leftAside };
    } finally {
      store.close();
    }
    if (!exists) renameSync(path, options.store);
    return report;
  } catch (error) {
    if (error instanceof ImportError && !exists) {
      rmSync(path, { force: true });
      rmSync(`${path}.wal`, { force: true });
    }
    throw error;
  }
}

async function importAll(
  connection: DuckDBConnection,
  files: readonly DataFile[],
  onProgress: ImportOptions['onProgress'],
): Promise<Omit<ImportReport, 'leftAside'>> {
  const bytesTotal = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const imported: ImportedFile[] = [];
  const faults: ImportFault[] = [];
  let bytesDone = 0;
  await connection.run('BEGIN TRANSACTION');
  try {
    await createTables(connection);
    await prepareMerge(connection);
    for (const file of files) {
      const read = readDataFile(file, MAX_FAULTS - faults.length);
      faults.push(...read.faults);
      if (faults.length >= MAX_FAULTS) break;
      // After the first fault the rest is only looked through.
      if (read.content !== undefined && faults.length === 0) {
        const counts = await mergeContent(connection, read.content);
        imported.push({ path: file.path, source: file.key.source, ...counts });
      }
      bytesDone += file.bytes;
      onProgress?.(bytesDone, bytesTotal, file.path);
    }
    if (faults.length > 0) throw new ImportError(faults);
    const disagreements = await marketDisagreements(connection);
    await connection.run('COMMIT');
    return { files: imported, disagreements };
  } catch (error) {
    await connection.run('ROLLBACK');
    throw error;
  }
}
