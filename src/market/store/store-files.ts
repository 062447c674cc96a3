/**
 * Reading the files of a store: from a folder, or over http(s), and with them its current version: pointer, then manifest.
 *
 * Must not know: what series mean, beyond the hash in a file's name.
 */
import { mkdir, open, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { marketCommand } from '../../host/market-command.ts';
import { type Manifest, POINTER, parseManifest, parsePointer, sha256 } from './manifest.ts';
import { fileForStore, MarketStoreError } from './store-error.ts';

export interface StoreFiles {
  /** The folder or address, for people; without any credentials of an address. */
  readonly place: string;
  /** The text of the pointer, undefined where there is no store. */
  readPointer(): Promise<string | undefined>;
  /**
   * Writes a small file beside the versions, where the store is a folder that this process may write to.
   * @returns whether it is written
   */
  mark?(name: string, text: string): Promise<boolean>;
  /** The bytes of a file named by a manifest or by the pointer. @throws MarketStoreError where it cannot be read */
  read(name: string): Promise<Uint8Array>;
  /** Runs of bytes of such a file. @throws MarketStoreError where it cannot be read, or ends before them */
  readRanges(name: string, ranges: readonly ByteRange[]): Promise<readonly Uint8Array[]>;
}

export interface ByteRange {
  readonly start: number;
  readonly bytes: number;
}

/** Time limit of an answer. */
const TIMEOUT_MS = 30_000;

/**
 * The most bytes of each file that an address sends. A manifest has some 400 bytes for a series, so that it may have 150,000; a row
 * has 60 bytes, so that a series may have hours of 60 years.
 */
const MOST_BYTES = { pointer: 4096, manifest: 64 * 2 ** 20, series: 32 * 2 ** 20 };
const mostBytesOf = (name: string): number => {
  if (name === POINTER) return MOST_BYTES.pointer;
  return name.startsWith('manifests/') ? MOST_BYTES.manifest : MOST_BYTES.series;
};

/** Whether a location is an address rather than a path. */
export const isAddress = (location: string): boolean => /^https?:\/\//i.test(location);

/** The files of the store at a folder or an address. */
export function storeFilesAt(location: string): StoreFiles {
  return isAddress(location) ? httpFiles(location) : folderFiles(location);
}

function folderFiles(folder: string): StoreFiles {
  return {
    place: folder,
    async readPointer() {
      try {
        return await readFile(join(folder, POINTER), 'utf8');
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code === 'ENOTDIR') throw await notAFolder(folder, error);
        if (code !== 'ENOENT') throw unreadable(join(folder, POINTER), error);
        return undefined;
      }
    },
    async mark(name, text) {
      try {
        await mkdir(dirname(join(folder, name)), { recursive: true });
        await writeFile(join(folder, name), text);
        return true;
      } catch {
        return false;
      }
    },
    async read(name) {
      try {
        return await readFile(join(folder, name));
      } catch (error) {
        throw unreadable(join(folder, name), error);
      }
    },
    async readRanges(name, ranges) {
      try {
        const file = await open(join(folder, name));
        try {
          return await Promise.all(
            ranges.map(async ({ start, bytes }) => {
              const { bytesRead, buffer } = await file.read(new Uint8Array(bytes), 0, bytes, start);
              if (bytesRead < bytes) throw new Error(`it ends before byte ${start + bytes}`);
              return buffer;
            }),
          );
        } finally {
          await file.close();
        }
      } catch (error) {
        throw unreadable(join(folder, name), error);
      }
    },
  };
}

async function notAFolder(folder: string, cause: unknown): Promise<MarketStoreError> {
  const isFile = await stat(folder).then(
    found => found.isFile(),
    () => false,
  );
  return isFile
    ? fileForStore(folder, cause)
    : new MarketStoreError(`${folder} is not a market store.`, { cause });
}

const unreadable = (path: string, cause: unknown): MarketStoreError =>
  new MarketStoreError(`${path} cannot be read: ${(cause as Error).message}`, { cause });

function httpFiles(address: string): StoreFiles {
  const base = new URL(address);
  if (!base.pathname.endsWith('/')) base.pathname += '/';
  const authorization =
    base.username === ''
      ? undefined
      : `Basic ${Buffer.from(`${decodeURIComponent(base.username)}:${decodeURIComponent(base.password)}`).toString('base64')}`;
  base.username = '';
  base.password = '';
  const get = async (name: string): Promise<Response> => {
    const url = new URL(name, base);
    url.search = base.search;
    try {
      return await fetch(url, {
        headers: { 'cache-control': 'no-cache', ...(authorization === undefined ? {} : { authorization }) },
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
    } catch (error) {
      throw new MarketStoreError(`${base.origin}${url.pathname} cannot be read: ${reason(error)}`, {
        cause: error,
      });
    }
  };
  const body = async (response: Response, name: string): Promise<Uint8Array> => {
    const most = mostBytesOf(name);
    const parts: Uint8Array[] = [];
    let length = 0;
    try {
      for await (const part of response.body ?? []) {
        length += part.byteLength;
        if (length > most) break;
        parts.push(part);
      }
    } catch (error) {
      throw new MarketStoreError(`${base.origin}${base.pathname}${name} broke off: ${reason(error)}`, {
        cause: error,
      });
    }
    if (length <= most) return new Uint8Array(Buffer.concat(parts));
    throw new MarketStoreError(
      `${base.origin}${base.pathname}${name} has more than ${most} bytes, and no such file of a market store has. ` +
        'MARKET_DB must be the address of the folder of a store: check what is served there.',
    );
  };
  const files: StoreFiles = {
    place: `${base.origin}${base.pathname}`,
    async readPointer() {
      const response = await get(POINTER);
      if (response.status === 404) return undefined;
      if (!response.ok) throw refused(response);
      return new TextDecoder().decode(await body(response, POINTER));
    },
    async read(name) {
      const response = await get(name);
      if (!response.ok) throw refused(response);
      const bytes = await body(response, name);
      // A proxy may truncate a file or serve a page instead; the name is the hash of the right bytes.
      if (!name.includes(sha256(bytes))) {
        throw new MarketStoreError(
          `${base.origin}${base.pathname}${name} holds other bytes than its name says.`,
        );
      }
      return bytes;
    },
    /** Of the whole file: only all of its bytes can be checked against its name. */
    async readRanges(name, ranges) {
      const whole = await files.read(name);
      return ranges.map(({ start, bytes }) => {
        if (start + bytes > whole.byteLength) {
          throw new MarketStoreError(
            `${base.origin}${base.pathname}${name} ends before byte ${start + bytes}.`,
          );
        }
        return whole.slice(start, start + bytes);
      });
    },
  };
  return files;
}

const refused = (response: Response): MarketStoreError => {
  const { origin, pathname } = new URL(response.url);
  return new MarketStoreError(`${origin}${pathname} was answered with status ${response.status}.`);
};

const reason = (error: unknown): string => {
  const { message, cause } = error as Error;
  return cause instanceof Error ? `${message} (${cause.message})` : message;
};

/**
 * The current manifest; undefined without a store.
 *
 * @param known path of a manifest that the caller has already: undefined is returned for `manifest` if it is still current
 */
export async function readCurrent(
  files: StoreFiles,
  known?: string,
): Promise<{ readonly path: string; readonly manifest: Manifest | undefined } | undefined> {
  const pointer = await files.readPointer();
  if (pointer === undefined) return undefined;
  const path = parsePointer(pointer, `${files.place}/${POINTER}`);
  if (path === known) return { path, manifest: undefined };
  const text = new TextDecoder().decode(await files.read(path));
  return { path, manifest: parseManifest(text, `${files.place}/${path}`) };
}

/** The folders of marks: versions that a person keeps, and versions that answers were made from. `<folder>/<version>.json` is a pointer. */
export const MARKS = ['kept', 'used'] as const;

/** The manifest of a version that has a mark; undefined where it has none, or its files are gone. */
export async function readMarked(files: StoreFiles, version: string): Promise<Manifest | undefined> {
  for (const folder of MARKS)
    try {
      const name = `${folder}/${version}.json`;
      const path = parsePointer(new TextDecoder().decode(await files.read(name)), `${files.place}/${name}`);
      return parseManifest(new TextDecoder().decode(await files.read(path)), `${files.place}/${path}`);
    } catch (error) {
      if (!(error instanceof MarketStoreError)) throw error;
    }
  return undefined;
}

/** The current manifest, for commands that read it once. @throws MarketStoreError where there is no store */
export async function readExisting(files: StoreFiles): Promise<Manifest> {
  const manifest = (await readCurrent(files))?.manifest;
  if (manifest !== undefined) return manifest;
  throw new MarketStoreError(
    `There is no market store at ${files.place}. Make one: ${marketCommand()} import <file or folder>`,
  );
}
