/**
 * The files of market data below the given paths, and the other files.
 *
 * Takes: paths of files or folders. Must not know: the content of files.
 */
import { existsSync, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { sortedBy } from '../../text/sorted-by.ts';
import { LAYOUT_FOLDERS } from './file-name.ts';
import { ImportError, type ImportFault } from './import-error.ts';
import { DATA_FILE } from './table.ts';

export interface DataFile {
  /** As given or found, for messages. */
  readonly path: string;
  /** Absolute: the folder counts, even where a file is given as `btc.csv`. */
  readonly realPath: string;
  readonly bytes: number;
}

export interface FoundFiles {
  readonly files: readonly DataFile[];
  /** Entries of folders that are not read. */
  readonly leftAside: readonly string[];
}

/** Largest file of any form: it is hashed as a whole. */
const MAX_BYTES = 512 * 2 ** 20;

/** Whether a path leads to a folder; false for a link to nothing or to itself. */
function isReadableFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

const isLink = (path: string): boolean =>
  lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;

/**
 * The data files of `paths`: single files; of a folder that has folders of the layout in it, these; else all CSV, JSON and
 * Parquet files in and below it. In alphabetical order; a file given twice is read once.
 * @throws ImportError if a path does not exist, a folder or a data file cannot be read, or there is no file
 */
export function findFiles(paths: readonly string[]): FoundFiles {
  const files = new Map<string, DataFile>();
  const leftAside: string[] = [];
  const faults: ImportFault[] = [];
  const refuse = (file: string, message: string, remedy: string) =>
    faults.push({ kind: 'unreadable', file, count: 1, message, remedy });
  /** The result of `read`; a fault of `path` where the system refuses it, as for a link to nothing or to itself. */
  const readable = <T>(path: string, read: () => T): T | undefined => {
    try {
      return read();
    } catch (error) {
      const { code = 'unknown reason' } = error as NodeJS.ErrnoException;
      refuse(path, `it cannot be read (${code})`, 'Remove it, or make it readable.');
      return undefined;
    }
  };
  const addFile = (path: string): void => {
    const found = readable(path, () => ({ realPath: realpathSync(path), stats: statSync(path) }));
    if (found === undefined) return;
    const { realPath, stats } = found;
    const { size: bytes } = stats;
    if (!stats.isFile())
      refuse(path, 'this is no regular file', 'Write what a pipe or a device gives into a file first.');
    else if (bytes > MAX_BYTES)
      refuse(
        path,
        `the file has ${bytes} bytes, and at most ${MAX_BYTES} are read`,
        'Split the file, or write hours or days in place of shorter bars.',
      );
    else files.set(realPath, { path, realPath, bytes });
  };
  const addFolder = (folder: string): void => {
    const listed = readable(folder, () => readdirSync(folder, { withFileTypes: true })) ?? [];
    const entries = sortedBy(listed, ({ name }) => name);
    const isFolder = (name: string): boolean => isReadableFolder(join(folder, name));
    const ofLayout = entries.filter(({ name }) => LAYOUT_FOLDERS.includes(name) && isFolder(name));
    for (const entry of entries) {
      const inside = join(folder, entry.name);
      if (ofLayout.length > 0 && !ofLayout.includes(entry)) leftAside.push(inside);
      else if (isFolder(entry.name)) addFolder(inside);
      else if (DATA_FILE.test(entry.name)) addFile(inside);
      else leftAside.push(inside);
    }
  };
  for (const path of paths) {
    if (!existsSync(path) && !isLink(path))
      refuse(path, 'there is no such file or folder', 'Check the path.');
    else if (isReadableFolder(path)) addFolder(path);
    else addFile(path);
  }
  if (faults.length === 0 && files.size === 0)
    refuse(
      paths.join(', '),
      'there is no market data',
      'Name CSV, JSON or Parquet files, or folders of them.',
    );
  if (faults.length > 0) throw new ImportError(faults);
  return { files: [...files.values()], leftAside };
}
