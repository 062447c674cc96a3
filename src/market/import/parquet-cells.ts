/**
 * A Parquet file of any program as a table: numbers, texts, and moments in milliseconds since 1970.
 *
 * Takes: the bytes of a file. Must not know: what the columns mean.
 */
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import {
  type FileMetaData,
  parquetMetadata,
  parquetRead,
  parquetSchema,
  type SchemaElement,
  type SchemaTree,
} from 'hyparquet';
import { parquetHeader } from 'hyparquet/src/column.js';
import { decompressLz4, decompressLz4Raw, decompressZstd } from 'hyparquet-compressors';
import type { Cell } from '../../text/numbers.ts';
import { UnreadableFile } from './import-error.ts';

/** Most cells of a file of any form: a cell uses up to 100 bytes of memory. Hours of ten years have half a million cells. */
export const MAX_CELLS = 10_000_000;
/** Most bytes of the pages of all columns that are read, unpacked. */
const MAX_UNPACKED_BYTES = 512 * 2 ** 20;
/** Characters of a text that are read: no time and no name of a market has more. */
const MAX_CELL_TEXT = 100;
const BYTES_PER_CHARACTER = 4;

const decoder = new TextDecoder();
const textOf = (bytes: Uint8Array): string =>
  decoder.decode(bytes.subarray(0, BYTES_PER_CHARACTER * MAX_CELL_TEXT)).slice(0, MAX_CELL_TEXT);

/** The values of Parquet's own types as cells: moments as milliseconds, one text for every value of a dictionary. */
const PARSERS = {
  timestampFromMilliseconds: Number,
  timestampFromMicroseconds: (micros: bigint) => Number(micros / 1000n),
  timestampFromNanoseconds: (nanos: bigint) => Number(nanos / 1_000_000n),
  dateFromDays: (days: number) => days * 86_400_000,
  stringFromBytes: textOf,
} as unknown as NonNullable<Parameters<typeof parquetRead>[0]['parsers']>;

/** Beside SNAPPY, which the reader has: a page that unpacks to more than its header says is cut there, or refused. */
const COMPRESSORS: NonNullable<Parameters<typeof parquetRead>[0]['compressors']> = {
  GZIP: (page, length) => gunzipSync(page, { maxOutputLength: length }),
  BROTLI: (page, length) => brotliDecompressSync(page, { maxOutputLength: length }),
  ZSTD: (page, length) => decompressZstd(page, new Uint8Array(length)),
  LZ4: decompressLz4,
  LZ4_RAW: decompressLz4Raw,
};

/** The names and the cells of the columns. */
export interface ParquetCells {
  readonly header: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

/** Reads a file. @throws UnreadableFile */
export async function parquetCells(file: Uint8Array): Promise<ParquetCells> {
  try {
    return await cellsOf(new Uint8Array(file).buffer);
  } catch (error) {
    if (error instanceof UnreadableFile) throw error;
    throw new UnreadableFile(
      `the file is no whole Parquet file: ${(error as Error).message}`,
      'Write it again; a Parquet file that was cut off has lost its index.',
    );
  }
}

async function cellsOf(bytes: ArrayBuffer): Promise<ParquetCells> {
  const metadata = parquetMetadata(bytes);
  const columns = parquetSchema(metadata).children.map(tree => columnOf(tree, metadata));
  const count = metadata.row_groups.reduce((sum, { num_rows: rows }) => sum + Number(rows), 0);
  refuseMore(count * columns.length, MAX_CELLS, 'cells');
  const read = new Set(columns.flatMap(({ name, notRead }) => (notRead === undefined ? [name] : [])));
  refuseLargePages(bytes, metadata, read);
  const rows: Cell[][] = Array.from({ length: count }, () =>
    columns.map(({ name, notRead }) => (notRead === undefined ? null : `${name}: ${notRead}, not read`)),
  );
  for (const [at, { name, cellOf }] of columns.entries()) {
    if (!read.has(name)) continue;
    await parquetRead({
      file: { byteLength: bytes.byteLength, slice: (start, end) => bytes.slice(start, end) },
      metadata: withoutDecimals(metadata),
      columns: [name],
      compressors: COMPRESSORS,
      parsers: PARSERS,
      utf8: false,
      onChunk: ({ columnData, rowStart }) => {
        for (let i = 0; i < columnData.length; i++) {
          const value: unknown = columnData[i];
          if (value !== null && value !== undefined) rows[rowStart + i][at] = cellOf(value);
        }
      },
    });
  }
  return { header: columns.map(({ name }) => name), rows };
}

interface Column {
  readonly name: string;
  /** What the column is, where it is not read. */
  readonly notRead?: string;
  cellOf(value: unknown): Cell;
}

function columnOf({ element, children, path }: SchemaTree, { row_groups: groups }: FileMetaData): Column {
  const { name, type, converted_type: converted, logical_type: logical } = element;
  const cellOf = Number;
  // A value with the beginning of the one before it may unpack to any size.
  const inDeltas = groups.some(({ columns }) =>
    columns.some(
      ({ meta_data: data }) =>
        data?.path_in_schema[0] === path[0] && data.encodings.includes('DELTA_BYTE_ARRAY'),
    ),
  );
  const kind = logical?.type ?? converted ?? type ?? '';
  if (children.length > 0 || element.repetition_type === 'REPEATED')
    return { name, cellOf, notRead: 'a nested column' };
  if (inDeltas) return { name, cellOf, notRead: 'DELTA_BYTE_ARRAY' };
  if (isDecimal(element))
    return { name, cellOf: value => Number(`${integerOf(value)}e-${element.scale ?? 0}`) };
  if (type === 'BOOLEAN') return { name, cellOf: String };
  if (type === 'BYTE_ARRAY' && /^(STRING|UTF8|ENUM|BYTE_ARRAY)$/.test(kind))
    return { name, cellOf: value => (value instanceof Uint8Array ? textOf(value) : String(value)) };
  return /^(U?INT_?\d+|INTEGER|FLOAT16|FLOAT|DOUBLE|DATE|TIMESTAMP(_MILLIS|_MICROS)?)$/.test(kind)
    ? { name, cellOf }
    : { name, cellOf, notRead: kind };
}

const isDecimal = ({ converted_type: converted, logical_type: logical }: SchemaElement): boolean =>
  converted === 'DECIMAL' || logical?.type === 'DECIMAL';

/** The same columns, decimals as integers: a product with a power of ten is not the double that is nearest to the decimal. */
const withoutDecimals = (metadata: FileMetaData): FileMetaData => ({
  ...metadata,
  schema: metadata.schema.map(element => {
    if (!isDecimal(element)) return element;
    const { converted_type: _, logical_type: __, ...plain } = element;
    return plain;
  }),
});

/** An integer in two's complement, the highest byte first, or as it is. */
function integerOf(value: unknown): bigint | number {
  if (!(value instanceof Uint8Array)) return value as bigint | number;
  return BigInt.asIntN(
    8 * value.length,
    value.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n),
  );
}

/** Reads the header of every page, before any is unpacked: the index of a file may promise less than its pages. */
function refuseLargePages(bytes: ArrayBuffer, metadata: FileMetaData, read: ReadonlySet<string>): void {
  let unpacked = 0;
  for (const { columns, num_rows: rows } of metadata.row_groups) {
    for (const { meta_data: data } of columns) {
      if (data === undefined || !read.has(data.path_in_schema[0])) continue;
      const start = Number(data.dictionary_page_offset || data.data_page_offset);
      const reader = { view: new DataView(bytes, start, Number(data.total_compressed_size)), offset: 0 };
      let values = 0;
      while (values < rows && reader.offset < reader.view.byteLength) {
        const page = parquetHeader(reader);
        const { compressed_page_size: packed, uncompressed_page_size: bytesOfPage } = page;
        if (!(packed >= 0 && bytesOfPage >= 0)) throw new Error(`a page has ${packed} bytes`);
        reader.offset += packed;
        unpacked += bytesOfPage;
        values += (page.data_page_header ?? page.data_page_header_v2)?.num_values ?? 0;
        refuseMore(unpacked, MAX_UNPACKED_BYTES, 'bytes, unpacked');
      }
      if (values !== Number(rows))
        throw new Error(`a group of ${rows} rows has ${values} values of ${data.path_in_schema[0]}`);
    }
  }
}

/** @throws UnreadableFile for a file that would not fit into memory */
function refuseMore(count: number, most: number, what: string): void {
  if (count <= most) return;
  throw new UnreadableFile(
    `the file has ${count} ${what}, and at most ${most} are read`,
    'Write hours or days in place of shorter bars, or split the file.',
  );
}
