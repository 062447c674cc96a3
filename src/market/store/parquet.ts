/**
 * The file of one series: a Parquet file that any reader of Parquet opens, and that is decoded here column by column.
 *
 * | column | type | meaning |
 * |---|---|---|
 * | final_at | TIMESTAMP | UTC moment from which the row is known: the end of its bar, the instant of a snapshot or settlement |
 * | hour | INT32 | the same in hours since 1970, which is what the engine reads |
 * | open, high, low, close, volume | DOUBLE | NaN where the source gives none |
 * | import, file | INT32 | number of the import, and of the file within it |
 *
 * Columns are plain, uncompressed and one page each, so that a column is one range of bytes, which is read without the rest of the
 * file. Must not know: paths, manifests.
 */
import { parquetMetadata, parquetRead } from 'hyparquet';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { NUMBER_COLUMNS, type NumberColumn, type Rows } from './rows.ts';

const REQUIRED = { repetition_type: 'REQUIRED' } as const;
const SCHEMA = [
  { name: 'root', num_children: 4 + NUMBER_COLUMNS.length },
  { name: 'final_at', type: 'INT64', converted_type: 'TIMESTAMP_MILLIS', ...REQUIRED },
  { name: 'hour', type: 'INT32', ...REQUIRED },
  ...NUMBER_COLUMNS.map(name => ({ name, type: 'DOUBLE' as const, ...REQUIRED })),
  { name: 'import', type: 'INT32', ...REQUIRED },
  { name: 'file', type: 'INT32', ...REQUIRED },
] satisfies Parameters<typeof parquetWriteBuffer>[0]['schema'];

const MS_PER_HOUR = 3_600_000n;
/** No limit on the bytes of a page. */
const ONE_PAGE = 0;

/** Columns that windows are read from. */
const WINDOW_COLUMNS = ['hour', 'close', 'volume'] as const;
type WindowColumn = (typeof WINDOW_COLUMNS)[number];
const BYTES_PER_VALUE: Readonly<Record<WindowColumn, number>> = { hour: 4, close: 8, volume: 8 };

/** Offset of the values of each column in bytes; the values are little-endian and consecutive. */
export type ColumnStarts = Readonly<Record<WindowColumn, number>>;

/** The bytes of the file; the same rows give the same bytes. */
export function encodeRows(rows: Rows): Uint8Array {
  const plain = (name: string, data: Int32Array | Float64Array | BigInt64Array) => ({
    name,
    data,
    encoding: 'PLAIN' as const,
  });
  return new Uint8Array(
    parquetWriteBuffer({
      schema: SCHEMA,
      codec: 'UNCOMPRESSED',
      statistics: false,
      dictionarySize: 0,
      rowGroupSize: rows.hours.length,
      pageSize: ONE_PAGE,
      createdBy: 'collateral-risk-engine',
      columnData: [
        plain(
          'final_at',
          BigInt64Array.from(rows.hours, hour => BigInt(hour) * MS_PER_HOUR),
        ),
        plain('hour', rows.hours),
        ...NUMBER_COLUMNS.map(name => plain(name, rows.numbers[name])),
        plain('import', rows.imports),
        plain('file', rows.files),
      ],
    }),
  );
}

/** The times and the numbers of one column, of equal length. */
export interface ColumnRows {
  readonly hours: ArrayLike<number>;
  readonly values: ArrayLike<number>;
}

/** Where the columns of a file that `encodeRows` made begin. */
export function columnStarts(bytes: Uint8Array): ColumnStarts {
  const { row_groups: groups } = parquetMetadata(bufferOf(bytes));
  const starts = WINDOW_COLUMNS.map(name => {
    const chunks = groups.flatMap(({ columns }) =>
      columns.flatMap(({ meta_data: data }) => (data?.path_in_schema[0] === name ? [data] : [])),
    );
    // The last bytes of a page are its values.
    const [chunk] = chunks;
    if (chunks.length !== 1 || chunk.codec !== 'UNCOMPRESSED' || chunk.encodings.join() !== 'PLAIN')
      throw new Error(`the column ${name} is not one plain page`);
    const end = Number(chunk.data_page_offset) + Number(chunk.total_compressed_size);
    return [name, end - BYTES_PER_VALUE[name] * Number(chunk.num_values)];
  });
  return Object.fromEntries(starts) as unknown as ColumnStarts;
}

/** The byte ranges of the times and of one column in a file of `rows` rows. */
export function columnRanges(
  starts: ColumnStarts,
  column: 'close' | 'volume',
  rows: number,
): readonly { readonly start: number; readonly bytes: number }[] {
  return (['hour', column] as const).map(name => ({
    start: starts[name],
    bytes: BYTES_PER_VALUE[name] * rows,
  }));
}

/** The bytes of `columnRanges`. */
export function columnsOf([hours, values]: readonly Uint8Array[]): ColumnRows {
  return { hours: new Int32Array(bufferOf(hours)), values: new Float64Array(bufferOf(values)) };
}

/** The times and one column of a whole file. */
export async function decodeColumn(bytes: Uint8Array, column: NumberColumn): Promise<ColumnRows> {
  const columns = await decode(bytes, ['hour', column]);
  return { hours: columns.hour, values: columns[column] };
}

/** A buffer with exactly these bytes. */
const bufferOf = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer;

/** All rows, for a merge. */
export async function decodeRows(bytes: Uint8Array): Promise<Rows> {
  const columns = await decode(bytes, ['hour', ...NUMBER_COLUMNS, 'import', 'file']);
  return {
    hours: Int32Array.from(columns.hour),
    numbers: Object.fromEntries(
      NUMBER_COLUMNS.map(name => [name, Float64Array.from(columns[name])]),
    ) as Record<NumberColumn, Float64Array>,
    imports: Int32Array.from(columns.import),
    files: Int32Array.from(columns.file),
  };
}

async function decode(
  bytes: Uint8Array,
  names: readonly string[],
): Promise<Record<string, ArrayLike<number>>> {
  const buffer = bufferOf(bytes);
  const parts = new Map<string, ArrayLike<number>[]>(names.map(name => [name, []]));
  await parquetRead({
    file: { byteLength: buffer.byteLength, slice: (start, end) => buffer.slice(start, end) },
    columns: [...names],
    onChunk: ({ columnName, columnData }) => {
      parts.get(columnName)?.push(columnData as ArrayLike<number>);
    },
  });
  return Object.fromEntries([...parts].map(([name, chunks]) => [name, joined(chunks)]));
}

function joined(chunks: readonly ArrayLike<number>[]): ArrayLike<number> {
  if (chunks.length === 1) return chunks[0];
  const all = new Float64Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const chunk of chunks) {
    all.set(chunk, offset);
    offset += chunk.length;
  }
  return all;
}
