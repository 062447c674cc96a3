/**
 * The header of a table: the row that names most columns, alone or with the row above it. Rows above it are titles.
 *
 * Must not know: the cells below it.
 */
import { type Cell, isEmptyCell } from '../text/numbers.ts';
import { type CellFault, columnOf, type TapeColumn } from './columns.ts';
import { type NamedColumns, namedColumns } from './find-columns.ts';
import { readHeading } from './headings.ts';
import { remedy } from './remedies.ts';
import type { TapeTable } from './tables.ts';

export interface HeadedTable {
  readonly header: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** 1-based line of a row; 0 for a row that the table does not have. */
  lineOf(row: number): number;
  /** 1-based line of the header. */
  readonly line: number;
  readonly faults: readonly CellFault[];
}

/** Rows among which the header is. */
const HEADER_WITHIN = 60;
/** Columns that a header names at least; with fewer it is the first row with enough cells. */
const LEAST_NAMED = 2;
/** A tape needs more columns than a title has cells. */
const LEAST_CELLS = 4;

/** @param headerRow 1-based line of the header, where the caller has said it */
export function headedTable(table: TapeTable, named: NamedColumns, headerRow?: number): HeadedTable {
  const { rows } = table;
  const lines = rows.map((_, k) => table.lineOf(k));
  if (headerRow !== undefined) {
    const at = lines.indexOf(headerRow);
    if (at >= 0 && !rows[at].every(isEmptyCell)) return below(table, at, bestHeader(rows, at, named).header);
    return {
      ...below(table, -1, []),
      rows: [],
      faults: [
        { code: 'out_of_range', message: `line ${headerRow} has no header`, remedy: remedy('headerRow') },
      ],
    };
  }
  let best = { at: -1, named: 0, header: [] as readonly string[] };
  for (let at = 0; at < Math.min(rows.length, HEADER_WITHIN); at++) {
    const found = bestHeader(rows, at, named);
    if (found.named > best.named || (found.isPair && found.named === best.named && best.at === at - 1))
      best = { at, header: found.header, named: found.named };
  }
  if (best.named >= LEAST_NAMED) return below(table, best.at, best.header);
  const filled = rows.slice(0, HEADER_WITHIN).map(row => row.filter(cell => !isBlank(cell)).length);
  const first = filled.findIndex(cells => cells >= LEAST_CELLS);
  const at = first >= 0 ? first : filled.findIndex(cells => cells > 0);
  return below(table, at, textsOf(rows[at] ?? []));
}

const isBlank = (cell: Cell) => cell === null || cell === undefined || String(cell).trim() === '';
const textsOf = (row: readonly Cell[]) => row.map(cell => String(cell ?? '').trim());

function below({ rows, lineOf }: TapeTable, at: number, header: readonly string[]): HeadedTable {
  return {
    header,
    rows: rows.slice(at + 1),
    lineOf: row => lineOf(at + 1 + row),
    line: lineOf(at),
    faults: [],
  };
}

/** Columns whose names, such as `ID`, `Currency` and `Amount`, mean another thing below another group. */
const OF_ANY_GROUP: ReadonlySet<TapeColumn> = new Set(['loan_id', 'loan_asset', 'loan_amount', 'ltv']);

/** The row as a header: its own cells, or with those of the row above where they name more columns together. */
function bestHeader(rows: readonly (readonly Cell[])[], at: number, named: NamedColumns) {
  const own = textsOf(rows[at]);
  const alone = { header: own, named: namedColumns(own, named), isPair: false };
  const above = at === 0 ? [] : textsOf(rows[at - 1]);
  if (above.filter(text => text !== '').length < 2) return alone;
  // A heading of a group stands over its first column.
  let group = '';
  const groups = own.map((_, k) => {
    group = above[k] || group;
    return group;
  });
  const both = own.map((text, k) => {
    if (text === '') return above[k] ?? '';
    const joined = `${groups[k]} ${text}`.trim();
    const [column, own] = [columnOf(readHeading(joined)), columnOf(readHeading(text))];
    // A group ends where a name below it has a meaning of its own.
    const isOwn = above[k] === '' && own !== undefined && !OF_ANY_GROUP.has(own);
    return column === undefined || column === own || isOwn ? text : joined;
  });
  const together = namedColumns(both, named);
  if (together <= alone.named) return alone;
  // Without a digit it is no row of a loan.
  return { header: both, named: together, isPair: !own.some(text => /\d/.test(text)) };
}
