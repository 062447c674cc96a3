/**
 * Writes a new version of a store next to the current one, and activates it atomically.
 *
 * The change takes effect when the pointer is renamed. A writer that fails removes its files. A killed one leaves files that no
 * manifest names; a later writer removes them. Readers continue with the files of their version, which remain for a while.
 *
 * Must not know: where rows come from, or how they were checked.
 */
import {
  closeSync,
  existsSync,
  fdatasyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { sortedBy } from '../../text/sorted-by.ts';
import {
  EMPTY_MANIFEST,
  type ImportRecord,
  type ImportSource,
  type Manifest,
  type ManifestSeries,
  manifestText,
  POINTER,
  parseManifest,
  parsePointer,
  STORE_FORMAT,
  sha256,
  versionOf,
} from './manifest.ts';
import { columnStarts, decodeRows, encodeRows } from './parquet.ts';
import {
  contentHash,
  firstRows,
  gapsOf,
  mergeRows,
  NO_ROWS,
  NUMBER_COLUMNS,
  type RowCounts,
  type Rows,
} from './rows.ts';
import { type SeriesKey, seriesId, seriesKeyOf } from './series-key.ts';
import { fileForStore, MarketStoreError, writeError } from './store-error.ts';
import { isAddress, MARKS, readCurrent, storeFilesAt } from './store-files.ts';
import { takeWriterLock } from './writer-lock.ts';

/**
 * Number of earlier versions that are retained, and for how long after the next one replaced them: requests that
 * began on it still read it. The longest deadline of a request is shorter.
 */
const KEPT_VERSIONS = 3;
const KEPT_MS = 3_600_000;
const DAY_MS = 86_400_000;
const FOLDERS = ['series', 'manifests', 'imports'] as const;
const OURS: readonly string[] = [...FOLDERS, ...MARKS];
/** Days for which a version that answers were made from stays, by default. */
export const KEEP_DAYS = 30;

/** A store that is being written; readers see no change before `commit`. */
export type StoreWriter = ReturnType<typeof storeWriter>;

/**
 * Opens the store at `folder` for one writer; creates the folder if it does not exist.
 * @throws MarketStoreError if another process is writing, or the folder has other files
 */
export async function openStoreWriter(folder: string, keepDays = KEEP_DAYS): Promise<StoreWriter> {
  if (isAddress(folder)) {
    throw new MarketStoreError(
      'A store behind http is read only. Import into the folder that is served there, on the host that holds it.',
    );
  }
  const files = storeFilesAt(folder);
  refuseOtherThings(folder);
  try {
    for (const name of FOLDERS) mkdirSync(join(folder, name), { recursive: true });
  } catch (error) {
    throw writeError(error, folder);
  }
  const unlock = takeWriterLock(folder);
  try {
    const current = await readCurrent(files);
    const base = current?.manifest ?? EMPTY_MANIFEST;
    return storeWriter(folder, base, current?.path, keepDays, unlock);
  } catch (error) {
    unlock();
    throw error;
  }
}

/** Refuses a folder with files that belong to no store. */
function refuseOtherThings(folder: string): void {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found === undefined || existsSync(join(folder, POINTER))) return;
  if (!found.isDirectory()) throw fileForStore(folder);
  const others = readdirSync(folder).filter(
    name => !OURS.includes(name) && !/^(writer\.lock|CURRENT\.)/.test(name),
  );
  if (others.length > 0) {
    throw new MarketStoreError(
      `${folder} holds other files (${others.slice(0, 3).join(', ')}) and is no market store. Name an empty or new folder.`,
    );
  }
}

function storeWriter(
  folder: string,
  base: Manifest,
  basePath: string | undefined,
  keepDays: number,
  unlock: () => void,
) {
  const files = storeFilesAt(folder);
  const held = new Map(base.series.map(series => [seriesId(series), series]));
  const changed = new Map<string, { readonly key: SeriesKey; readonly rows: Rows }>();
  const importNumber = base.imports + 1;

  /** The present rows of a series. */
  const rowsOf = async (key: SeriesKey): Promise<Rows> => {
    const id = seriesId(key);
    const series = held.get(id);
    const pending = changed.get(id);
    if (pending !== undefined) return pending.rows;
    return series === undefined ? NO_ROWS : decodeRows(await files.read(series.file));
  };
  /** Writes and activates the next version. @returns the path of its manifest; undefined where nothing has changed */
  const writeVersion = (
    added: AddedFiles,
    sources: readonly ImportSource[],
    at: Date,
  ): string | undefined => {
    const series = new Map(held);
    for (const [id, { key, rows }] of changed) {
      const content = contentHash(key, rows);
      if (held.get(id)?.content === content) continue;
      series.set(id, writeSeries(added, key, rows, content));
    }
    const sorted = sortedBy(series.values(), seriesId);
    const version = versionOf(sorted);
    if (basePath !== undefined && version === base.version) return undefined;
    if (sorted.length === 0) return undefined;
    const record: ImportRecord = { import: importNumber, at: at.toISOString(), sources };
    added.write(`imports/${importNumber}.json`, json(record));
    const manifest: Manifest = {
      format: STORE_FORMAT,
      version,
      writtenAt: at.toISOString(),
      imports: importNumber,
      series: sorted,
    };
    const text = manifestText(manifest);
    const path = `manifests/${sha256(text)}.json`;
    added.write(path, text);
    write(folder, POINTER, json({ manifest: path }));
    return path;
  };
  return {
    /** Number of this import. */
    importNumber,
    /** The series of the version before this import. */
    keys: base.series.map(seriesKeyOf),
    rowsOf,
    /** Adds new rows, and replaces those with other numbers. */
    async merge(key: SeriesKey, incoming: Rows): Promise<RowCounts> {
      const { rows, counts } = mergeRows(await rowsOf(key), incoming);
      if (counts.added + counts.replaced > 0) changed.set(seriesId(key), { key, rows });
      return counts;
    },
    /** Omits a series from the next version. @throws MarketStoreError where there is no such series, or it is the only one */
    remove(id: string): void {
      if (!held.delete(id)) throw new MarketStoreError(unknownSeries(id, [...held.keys()]));
      if (held.size === 0)
        throw new MarketStoreError(`${id} is the only series of the store: remove the folder ${folder}.`);
    },
    /**
     * Multiplies the prices of a series before an hour, and divides its volumes.
     *
     * @returns the number of rows
     * @throws MarketStoreError where there is no such series of prices
     */
    async rescale(id: string, beforeHour: number, factor: number): Promise<number> {
      const key = held.get(id);
      if (key === undefined) throw new MarketStoreError(unknownSeries(id, [...held.keys()]));
      if (key.kind !== 'price') throw new MarketStoreError(`${id} is no series of prices.`);
      const rows = await rowsOf(key);
      const count = rows.hours.filter(hour => hour <= beforeHour).length;
      const scaled = firstRows(rows, rows.hours.length);
      for (const column of NUMBER_COLUMNS)
        for (let i = 0; i < count; i++)
          scaled.numbers[column][i] *= column === 'volume' ? 1 / factor : factor;
      scaled.imports.fill(importNumber, 0, count);
      scaled.files.fill(0, 0, count);
      changed.set(id, { key: seriesKeyOf(key), rows: scaled });
      return count;
    },
    /** The next version is the one before the last change. @throws MarketStoreError where it was removed */
    async undo(): Promise<void> {
      const before = readdirSync(join(folder, 'manifests'))
        .filter(name => name.endsWith('.json'))
        .map(name => parseManifest(readText(folder, `manifests/${name}`), name))
        .find(({ imports }) => imports === base.imports - 1);
      if (before === undefined)
        throw new MarketStoreError(
          'There is no version before this one: the store has had one change only, or the version was removed.',
        );
      const missing = before.series.find(({ file }) => !existsSync(join(folder, file)));
      if (missing !== undefined)
        throw new MarketStoreError(`The rows of ${seriesId(missing)} before the last change were removed.`);
      held.clear();
      for (const series of before.series) held.set(seriesId(series), series);
    },
    /** Writes the new version and activates it. @returns false where nothing has changed: there is then no new version */
    async commit(sources: readonly ImportSource[], at: Date): Promise<boolean> {
      const added = new AddedFiles(folder);
      let path: string | undefined;
      try {
        path = writeVersion(added, sources, at);
      } catch (error) {
        added.remove();
        throw error;
      }
      if (path === undefined) return false;
      prune(folder, path, keepDays, at);
      return true;
    },
    /** Releases the lock; uncommitted changes are discarded. */
    close: unlock,
  };
}

/** The message that there is no such series, with the series of the same asset. */
function unknownSeries(id: string, held: readonly string[]): string {
  const asset = id.split(/[ /]/)[1] ?? '';
  const alike = held.filter(each => each.split(/[ /]/)[1] === asset);
  return `The store holds no series "${id}"; held are: ${(alike.length > 0 ? alike : held).slice(0, 20).join(', ')}`;
}

function writeSeries(added: AddedFiles, key: SeriesKey, rows: Rows, content: string): ManifestSeries {
  const bytes = encodeRows(rows);
  const file = `series/${sha256(bytes)}.parquet`;
  added.write(file, bytes);
  return {
    ...seriesKeyOf(key),
    rows: rows.hours.length,
    gaps: gapsOf(key, rows),
    volumes: rows.numbers.volume.some(volume => !Number.isNaN(volume)),
    firstHour: rows.hours[0],
    lastHour: rows.hours[rows.hours.length - 1],
    content,
    file,
    bytes: bytes.byteLength,
    columns: columnStarts(bytes),
  };
}

const json = (value: object): string => `${JSON.stringify(value)}\n`;

/** The files that one writer adds to a store. */
class AddedFiles {
  private readonly folder: string;
  private readonly names: string[] = [];

  constructor(folder: string) {
    this.folder = folder;
  }

  write(name: string, content: string | Uint8Array): void {
    const isNew = !existsSync(join(this.folder, name));
    write(this.folder, name, content);
    if (isNew) this.names.push(name);
  }

  /** Frees their room, which a full disk needs. */
  remove(): void {
    for (const name of this.names) rmSync(join(this.folder, name), { force: true });
  }
}

/** Writes a file atomically under its name. */
function write(folder: string, name: string, content: string | Uint8Array): void {
  const path = join(folder, name);
  const half = `${path}.${process.pid}.part`;
  try {
    const file = openSync(half, 'w');
    try {
      writeFileSync(file, content);
      fdatasyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(half, path);
  } catch (error) {
    rmSync(half, { force: true });
    throw writeError(error, folder);
  }
}

/**
 * Removes the files that no remaining version names: older versions, and files of killed writers. A failure is not a failure of the
 * import; the next one removes them.
 */
function prune(folder: string, current: string, keepDays: number, now: Date): void {
  try {
    const marked = markedManifests(folder, keepDays, now);
    const manifests = readdirSync(join(folder, 'manifests'))
      .map(name => ({ name: `manifests/${name}`, at: statSync(join(folder, 'manifests', name)).mtimeMs }))
      .sort((a, b) => b.at - a.at);
    // A version was current until the one after it was written, however old it is itself.
    const remaining = manifests.filter(
      ({ name }, i) =>
        name === current ||
        marked.has(name) ||
        i <= KEPT_VERSIONS ||
        now.getTime() - manifests[i - 1].at < KEPT_MS,
    );
    const named = new Set<string>();
    for (const { name } of remaining) {
      named.add(name);
      if (name.endsWith('.part')) continue;
      const { series } = parseManifest(readText(folder, name), name);
      for (const { file } of series) named.add(file);
    }
    for (const sub of ['series', 'manifests'] as const) {
      for (const name of readdirSync(join(folder, sub))) {
        const path = join(folder, sub, name);
        const fresh = now.getTime() - statSync(path).mtimeMs < KEPT_MS && !name.endsWith('.part');
        if (!named.has(`${sub}/${name}`) && !fresh) rmSync(path, { force: true });
        else if (name.endsWith('.part')) rmSync(path, { force: true });
      }
    }
    for (const name of readdirSync(folder)) {
      if (name.endsWith('.part')) rmSync(join(folder, name), { force: true });
    }
  } catch {
    // The next import removes them.
  }
}

/** The manifests of versions that a person keeps, and of those that answers were made from in the last days; older marks go. */
function markedManifests(folder: string, keepDays: number, now: Date): ReadonlySet<string> {
  const found = new Set<string>();
  for (const kind of MARKS)
    for (const name of existsSync(join(folder, kind)) ? readdirSync(join(folder, kind)) : []) {
      const mark = join(folder, kind, name);
      const isOld = kind === 'used' && now.getTime() - statSync(mark).mtimeMs > keepDays * DAY_MS;
      if (isOld) rmSync(mark, { force: true });
      else found.add(parsePointer(readText(folder, `${kind}/${name}`), mark));
    }
  return found;
}

/** The versions of a folder under some rules, by the name that answers have of them. */
export function storedVersions(folder: string, nameOf: (manifest: Manifest) => string) {
  const paths = readdirSync(join(folder, 'manifests')).filter(name => name.endsWith('.json'));
  return paths.map(name => {
    const path = `manifests/${name}`;
    const manifest = parseManifest(readText(folder, path), path);
    return { path, version: nameOf(manifest), writtenAt: manifest.writtenAt };
  });
}

const readText = (folder: string, name: string): string => readFileSync(join(folder, name), 'utf8');
