/**
 * The compressed forms of a built site, which the build writes next to its files: strong compression takes longer than the rest of
 * a server's start.
 *
 * Takes: a folder. Gives: compressed files next to those in it. Must not know: how they are served.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';

/** File name suffixes by content encoding, the preferred one first. */
export const ENCODING_SUFFIXES = { br: '.br', gzip: '.gz' } as const;

export type SiteEncoding = keyof typeof ENCODING_SUFFIXES;

const COMPRESSORS: Readonly<Record<SiteEncoding, (content: Buffer) => Promise<Buffer>>> = {
  br: promisify<Buffer, Buffer>(brotliCompress),
  gzip: promisify<Buffer, Buffer>(gzip),
};

export const SITE_ENCODINGS = Object.keys(COMPRESSORS) as readonly SiteEncoding[];

/** Whether a file of this name is the compressed form of another. */
export const isCompressed = (name: string): boolean =>
  Object.values(ENCODING_SUFFIXES).some(suffix => name.endsWith(suffix));

/** Writes every compressed form of every file in `folder`, which ends with a slash, and its subfolders. */
export async function compressSite(folder: URL): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter(entry => entry.isFile() && !isCompressed(entry.name));
  await Promise.all(
    files.flatMap(({ parentPath, name }) => {
      const path = `${parentPath}/${name}`;
      return SITE_ENCODINGS.map(async encoding =>
        writeFile(path + ENCODING_SUFFIXES[encoding], await COMPRESSORS[encoding](await readFile(path))),
      );
    }),
  );
}
