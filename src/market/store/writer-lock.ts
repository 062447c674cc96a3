/**
 * One writer at a time: a lock that the system releases when the process ends, also when it is killed.
 *
 * Node has no file locks. DuckDB locks a database that it opens for writing, so the lock of an empty database is the
 * writer's lock. A plain lock file would remain after a killed writer.
 */
import { existsSync, linkSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../core/errors.ts';
import { MarketStoreError } from './store-error.ts';

const LOCK_FILE = 'writer.lock';
/** Folders that this process writes to: the lock of the system is between processes. */
const OWN = new Set<string>();

/** Takes the lock of a folder that exists. @throws MarketStoreError where another process has it, or the folder cannot be written */
export async function takeWriterLock(folder: string): Promise<() => void> {
  const { DuckDBInstance } = await import('@duckdb/node-api');
  const path = join(folder, LOCK_FILE);
  const own = realpathSync(folder);
  if (OWN.has(own)) throw busy(folder);
  if (!existsSync(path)) {
    // Created under another name, so that a kill leaves no partial database under this one.
    const made = `${path}.${process.pid}`;
    rmSync(made, { force: true });
    try {
      const instance = await DuckDBInstance.create(made);
      instance.closeSync();
      linkSync(made, path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw unwritable(folder, error);
    } finally {
      rmSync(made, { force: true });
    }
  }
  try {
    const instance = await DuckDBInstance.create(path);
    OWN.add(own);
    return () => {
      OWN.delete(own);
      instance.closeSync();
    };
  } catch (error) {
    throw /could not set lock/i.test(messageOf(error)) ? busy(folder, error) : unwritable(folder, error);
  }
}

/** Errors of DuckDB have a text of their own for a full disk, a disk that is read only, and a folder of another user. */
const unwritable = (folder: string, cause: unknown): MarketStoreError =>
  new MarketStoreError(`${folder} cannot be written: ${messageOf(cause)}`, { cause });

const busy = (folder: string, cause?: unknown): MarketStoreError =>
  new MarketStoreError(`Another import or sync is writing to ${folder}. Run this again when it is done.`, {
    cause,
  });
