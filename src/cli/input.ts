/** The files of a command: what it reads, whether it can write, and a write that fails. */
import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { RiskError } from '../core/errors.ts';
import { printableLines } from '../text/printable.ts';
import { type Output, STANDARD_OUTPUT } from './output.ts';

/** A file that cannot be read or written, or has a wrong content. */
export class UnreadableInput extends Error {
  override readonly name = 'UnreadableInput';
}

/** The result of `read`; for an unreadable file, prints the reason and returns undefined. */
export async function readOrPrint<T>(read: () => T | Promise<T>, { err }: Output): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof UnreadableInput)) throw error;
    err(`${printableLines(error.message)}\n`);
    return undefined;
  }
}

export const bytesOf = (path: string): Buffer => readable(path, () => readFileSync(path));

/** Passes the text of a file, or of standard input for `-`, to `use`. @throws UnreadableInput also for an error of `use` */
export const bodyOf = <T>(file: string, use: (body: string) => T): T =>
  readable(file === '-' ? 'standard input' : file, () => use(readFileSync(file === '-' ? 0 : file, 'utf8')));

function readable<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new UnreadableInput(`${name}: ${(error as Error).message}`);
  }
}

/**
 * Checks the files that a long run writes at its end, before it begins.
 *
 * @param files undefined where an option is absent; standard output is always writable
 * @param folder is created at the end where it does not exist
 * @throws UnreadableInput with every file that cannot be written
 */
export function requireWritable(files: readonly (string | undefined)[], folder?: string): void {
  const faults = [
    ...files.map(file => (file === undefined || file === STANDARD_OUTPUT ? undefined : fileFault(file))),
    folder === undefined ? undefined : folderFault(folder),
  ].filter(fault => fault !== undefined);
  if (faults.length > 0) throw new UnreadableInput(faults.join('\n'));
}

function fileFault(file: string): string | undefined {
  if (existsSync(file)) return statSync(file).isDirectory() ? `${file} is a folder` : accessFault(file, file);
  const folder = dirname(file);
  return existsSync(folder)
    ? accessFault(file, folder)
    : `${file} cannot be written: there is no folder ${folder}`;
}

function folderFault(folder: string): string | undefined {
  let place = folder;
  while (!existsSync(place)) place = dirname(place);
  return statSync(place).isDirectory()
    ? accessFault(folder, place)
    : `${folder} cannot be created: ${place} is a file`;
}

/** @param place the file or folder whose permission decides */
function accessFault(path: string, place: string): string | undefined {
  try {
    accessSync(place, constants.W_OK);
    return undefined;
  } catch (error) {
    return `${path} cannot be written: ${(error as Error).message}`;
  }
}

/** The result of `write`. @throws RiskError with the name of the file and the reason of a failure, such as a full disk */
export function written<T>(file: string, write: () => T): T {
  try {
    return write();
  } catch (error) {
    throw new RiskError('invalid-request', `${file} cannot be written: ${(error as Error).message}`);
  }
}
