/** The input files of a command. */
import { readFileSync } from 'node:fs';
import { printableLines } from '../market/printable.ts';
import type { Output } from './output.ts';

/** A file that cannot be read, or has a wrong content. */
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
