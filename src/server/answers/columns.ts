/**
 * An answer as typed columns: an Arrow stream or a Parquet file.
 *
 * | value | Arrow | Parquet |
 * |---|---|---|
 * | number | float64 | DOUBLE |
 * | text | utf8 | STRING |
 * | true or false | bool | BOOLEAN |
 * | time | timestamp in milliseconds, UTC | TIMESTAMP |
 *
 * Every column can lack values. The key `answer` of the metadata has the members of the answer beside the rows as JSON. Takes: rows. Gives:
 * bytes. Must not know: any operation.
 */
import { RiskError } from '../../core/errors.ts';
import { inTurns } from '../../host/in-turns.ts';
import type { Row } from '../../question/table.ts';

export type Kind = 'number' | 'text' | 'boolean' | 'time';
export type Cell = number | string | boolean | Date | null;

interface Column {
  readonly name: string;
  readonly kind: Kind;
  /** A cell for each row. */
  readonly cells: readonly Cell[];
}

export interface ColumnTable {
  readonly columns: readonly Column[];
  /** JSON text of the answer without the rows. */
  readonly answer: string;
}

/** The columns of rows: nested members and elements of lists are joined by points, in the order in which rows first have them. */
export async function columnsOf(rows: Iterable<Row>): Promise<readonly Column[]> {
  const columns = new Map<string, Cell[]>();
  let count = 0;
  const put = (name: string, value: unknown): void => {
    if (value === undefined) return;
    if (typeof value === 'object' && value !== null && !(value instanceof Date)) {
      for (const [member, each] of Object.entries(value))
        put(name === '' ? member : `${name}.${member}`, each);
      return;
    }
    if (typeof value === 'number' && !Number.isFinite(value))
      throw new RiskError('engine-failed', `The figure ${name} is ${value}.`);
    const cells = columns.get(name) ?? [];
    if (cells.length === 0) columns.set(name, cells);
    while (cells.length < count) cells.push(null);
    cells.push(value as Cell);
  };
  await inTurns(rows, row => {
    put('', row);
    count += 1;
  });
  return [...columns].map(([name, cells]) => {
    while (cells.length < count) cells.push(null);
    const kind = kindOf(cells);
    return { name, kind, cells: kind === 'text' ? cells.map(cell => cell && String(cell)) : cells };
  });
}

/** Of figures that may be a number or a word, texts; of a column without values, numbers. */
function kindOf(cells: readonly Cell[]): Kind {
  const kinds = new Set(cells.flatMap(cell => (cell === null ? [] : [kindOfCell(cell)])));
  const [kind = 'number'] = kinds;
  return kinds.size > 1 ? 'text' : kind;
}

const kindOfCell = (cell: NonNullable<Cell>): Kind => {
  if (cell instanceof Date) return 'time';
  return typeof cell === 'string' ? 'text' : (typeof cell as 'number' | 'boolean');
};

/** The key of the metadata with the answer beside the rows. */
const ANSWER = 'answer';

async function arrowStream({ columns, answer }: ColumnTable): Promise<Uint8Array> {
  const { bool, columnFromArray, float64, tableFromColumns, tableToIPC, TimeUnit, timestamp, utf8 } =
    await import('@uwdata/flechette');
  const time = timestamp(TimeUnit.MILLISECOND, 'UTC');
  const typeOf = { number: float64(), text: utf8(), boolean: bool(), time };
  const table = tableFromColumns(
    columns.map(({ name, kind, cells }) => [name, columnFromArray([...cells], typeOf[kind])]),
  );
  table.schema.metadata = new Map([[ANSWER, answer]]);
  const bytes = tableToIPC(table, { format: 'stream' });
  if (bytes === null) throw new Error('A stream without a sink is returned as bytes.');
  return bytes;
}

async function parquetFile({ columns, answer }: ColumnTable): Promise<Uint8Array> {
  const { parquetWriteBuffer } = await import('hyparquet-writer');
  const typeOf = {
    number: { type: 'DOUBLE' },
    text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
    boolean: { type: 'BOOLEAN' },
    time: { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' },
  } as const;
  const buffer = parquetWriteBuffer({
    schema: [
      { name: 'root', num_children: columns.length },
      ...columns.map(({ name, kind }) => ({ name, ...typeOf[kind], repetition_type: 'OPTIONAL' as const })),
    ],
    columnData: columns.map(({ name, cells }) => ({ name, data: [...cells] })),
    kvMetadata: [{ key: ANSWER, value: answer }],
    createdBy: 'collateral-risk-engine',
  });
  return new Uint8Array(buffer);
}

const COLUMN_FORMS = {
  'application/vnd.apache.arrow.stream': arrowStream,
  'application/vnd.apache.parquet': parquetFile,
} as const;

export type ColumnForm = keyof typeof COLUMN_FORMS;
/** The media types of columns. */
export const columnForms = Object.keys(COLUMN_FORMS) as ColumnForm[];

/** Columns in a form. */
export const columnsFile = (form: ColumnForm, table: ColumnTable): Promise<Uint8Array> =>
  COLUMN_FORMS[form](table);
