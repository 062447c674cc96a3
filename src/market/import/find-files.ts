/**
 * Which files of the paths given are market data, and what is left aside.
 *
 * Takes: paths of files or folders. Gives: files with the series their names state. Must not know: rows.
 */
import { readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { SeriesKey, SourceName } from '../store/directory.ts';
import { ImportError, type ImportFault } from './import-error.ts';
import { FOLDERS, seriesOfFile } from './layout.ts';

export interface DataFile {
  /** As given or found, for messages. */
  readonly path: string;
  readonly bytes: number;
  /** The series that the file's name states. */
  readonly key: SeriesKey;
}

export interface FoundFiles {
  readonly files: readonly DataFile[];
  /** Entries of a folder given that are not part of the layout. */
  readonly leftAside: readonly string[];
}

const SOURCE_NAMES = Object.keys(FOLDERS) as SourceName[];

/**
 * The data files of `paths`: a folder with the folders of the layout in it, one of these, or single files in one.
 * Files of one folder come in alphabetical order; a file given twice is read once.
 * @throws ImportError if a path does not exist, a file's folder or name is not of the layout, or there is no file
 */
export function findFiles(paths: readonly string[]): FoundFiles {
  const files = new Map<string, DataFile>();
  const leftAside: string[] = [];
  const faults: ImportFault[] = [];

  const addFile = (path: string): void => {
    const source = sourceOf(dirname(path));
    if (source === undefined) {
      faults.push({ file: path, message: `its folder is none of ${SOURCE_NAMES.join(', ')}` });
      return;
    }
    const key = seriesOfFile(source, basename(path));
    if (key === undefined) {
      faults.push({ file: path, message: `a file of ${source}/ is called ${FOLDERS[source].fileNames}` });
    } else files.set(realpathSync(path), { path, bytes: statSync(path).size, key });
  };
  const addFolder = (path: string): void => {
    for (const entry of readdirSync(path, { withFileTypes: true }).sort(byName)) {
      const inside = join(path, entry.name);
      if (entry.name.endsWith('.csv') && !statSync(inside).isDirectory()) addFile(inside);
      else leftAside.push(inside);
    }
  };

  for (const path of paths) {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) faults.push({ file: path, message: 'there is no such file or folder' });
    else if (!found.isDirectory()) addFile(path);
    else if (sourceOf(path) !== undefined) addFolder(path);
    else {
      const entries = readdirSync(path, { withFileTypes: true }).sort(byName);
      for (const entry of entries) {
        const inside = join(path, entry.name);
        if (SOURCE_NAMES.some(name => name === entry.name) && statSync(inside).isDirectory())
          addFolder(inside);
        else leftAside.push(inside);
      }
    }
  }
  if (faults.length === 0 && files.size === 0) {
    faults.push({
      file: paths.join(', '),
      message: `there is no market data; it is expected in folders called ${SOURCE_NAMES.join(', ')}`,
    });
  }
  if (faults.length > 0) throw new ImportError(faults);
  return { files: [...files.values()], leftAside };
}

/** The source whose folder this is, by its own name even where it is given as `.`. */
function sourceOf(folder: string): SourceName | undefined {
  const name = basename(realpathSync(folder));
  return SOURCE_NAMES.find(source => source === name);
}

const byName = (a: { name: string }, b: { name: string }): number => (a.name < b.name ? -1 : 1);
