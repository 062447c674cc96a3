/**
 * One writer at a time: a lock of the system on a file of the store, which the system releases when the process ends, also when
 * it is killed.
 *
 * The file remains, and its content says nothing: a file that is there and not there would remain after a killed writer.
 */
import { closeSync, openSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { messageOf } from '../../core/errors.ts';
import { MarketStoreError, writeError } from './store-error.ts';

/** The package has no types, and is native: nothing but a writer loads it. */
const require = createRequire(import.meta.url);

/**
 * Takes the lock of a folder that exists; the result releases it.
 * @throws MarketStoreError where another writer has it, or the folder cannot be written
 */
export function takeWriterLock(folder: string): () => void {
  const { tryLock } = require('fs-native-extensions') as { tryLock(file: number): boolean };
  try {
    const file = openSync(join(folder, 'writer.lock'), 'a');
    try {
      if (tryLock(file)) return () => closeSync(file);
    } catch (error) {
      closeSync(file);
      throw error;
    }
    closeSync(file);
  } catch (error) {
    const known = writeError(error, folder);
    if (known instanceof MarketStoreError) throw known;
    throw new MarketStoreError(`${folder} cannot be written: ${messageOf(error)}`, { cause: error });
  }
  throw new MarketStoreError(
    `Another import or sync is writing to ${folder}. Run this again when it is done.`,
  );
}
