/**
 * The manifest of one version of a store: its series, each with the file of its rows.
 *
 * A store is a folder (or the same tree behind http):
 *
 *   CURRENT                    {"manifest": "manifests/<sha256>.json"}: the one file that ever changes, swapped by rename
 *   manifests/<sha256>.json    one version, named by the SHA-256 of its bytes
 *   series/<sha256>.parquet    the rows of one series, likewise; versions share the files of series that did not change
 *   imports/<number>.json      the sources of each import, for the columns `import` and `file` of the rows
 *
 * Must not know: where the tree is.
 */
import { createHash } from 'node:crypto';
import type { ColumnStarts } from './parquet.ts';
import { type SeriesKey, seriesId } from './series-key.ts';
import { MarketStoreError } from './store-error.ts';

/** Changed with every change of the tree above; a store of another format is refused, never converted. */
export const STORE_FORMAT = 2;
export const POINTER = 'CURRENT';

/** One series of a version. */
export interface ManifestSeries extends SeriesKey {
  readonly rows: number;
  readonly gaps: number;
  /** Whether any row has a volume. */
  readonly volumes: boolean;
  /** Hours since 1970 of the moments at which the first and the last row are known. */
  readonly firstHour: number;
  readonly lastHour: number;
  /** SHA-256 of name, times and numbers. */
  readonly content: string;
  /** `series/<sha256>.parquet`. */
  readonly file: string;
  readonly bytes: number;
  /** Where the columns of the file begin; absent in files of early versions of this format. */
  readonly columns?: ColumnStarts;
}

/** One version of a store. */
export interface Manifest {
  readonly format: typeof STORE_FORMAT;
  /** SHA-256 over the contents of all series: the same data have the same version, independent of the imports. */
  readonly version: string;
  /** ISO moment at which it was written. */
  readonly writtenAt: string;
  /** Imports so far; the next one has this number plus 1. */
  readonly imports: number;
  /** Sorted by `seriesId`. */
  readonly series: readonly ManifestSeries[];
}

/** A file or an exchange that an import read. */
export interface ImportSource {
  readonly source: string;
  /** SHA-256 of the file; absent for an exchange. */
  readonly sha256?: string;
}

/** The record of an import: `sources[i]` is file i of its rows. */
export interface ImportRecord {
  readonly import: number;
  readonly at: string;
  readonly sources: readonly ImportSource[];
}

export const sha256 = (bytes: Uint8Array | string): string =>
  createHash('sha256').update(bytes).digest('hex');

/** The version of data with these series. */
export function versionOf(series: readonly ManifestSeries[]): string {
  return sha256(series.map(each => `${seriesId(each)} ${each.content}\n`).join(''));
}

/** A store before its first import. */
export const EMPTY_MANIFEST: Manifest = {
  format: STORE_FORMAT,
  version: versionOf([]),
  writtenAt: new Date(0).toISOString(),
  imports: 0,
  series: [],
};

/** Digits of a version in headers, logs and lists. */
export const SHORT_VERSION = 12;

/** The text of a manifest: JSON, one series a line. */
export function manifestText({ series, ...rest }: Manifest): string {
  const head = JSON.stringify(rest);
  return `${head.slice(0, -1)},"series":[\n${series.map(each => JSON.stringify(each)).join(',\n')}\n]}\n`;
}

/** Parses a manifest. @throws MarketStoreError where it is not in the format of this program */
export function parseManifest(text: string, place: string): Manifest {
  const manifest = parsed(text, place) as Manifest;
  if (manifest.format !== STORE_FORMAT || !Array.isArray(manifest.series)) {
    throw new MarketStoreError(
      `${place} is a market store of format ${manifest.format}; this program uses format ${STORE_FORMAT}. ` +
        'Import the market data again into a new folder.',
    );
  }
  for (const each of manifest.series) seriesOf(each, place);
  return manifest;
}

/** A series whose file lies in the store: another path or address would be read wherever it leads. */
function seriesOf(entry: object, place: string): ManifestSeries {
  const series = entry as ManifestSeries;
  if (/^series\/[0-9a-f]{64}\.parquet$/.test(series.file)) return series;
  throw new MarketStoreError(`${place} names a file of a series that is not in series/.`);
}

/** The path of the manifest that a pointer names. @throws MarketStoreError where it names none */
export function parsePointer(text: string, place: string): string {
  const { manifest } = parsed(text, place) as { manifest?: unknown };
  if (typeof manifest === 'string' && /^manifests\/[0-9a-f]{64}\.json$/.test(manifest)) return manifest;
  throw new MarketStoreError(`${place} is not the ${POINTER} file of a market store.`);
}

function parsed(text: string, place: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Refused below, as any other text.
  }
  throw new MarketStoreError(`${place} is not a file of a market store.`);
}
