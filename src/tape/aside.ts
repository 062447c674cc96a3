/**
 * Rows of a tape that are no loans: totals, repeated headers, and rows of text.
 *
 * Takes: rows below the header. Must not know: how cells are read.
 */
import { counted, grouped, listed } from '../text/grouped.ts';
import { show } from '../text/message.ts';
import { type Cell, isEmptyCell } from '../text/numbers.ts';
import { TAPE_COLUMNS, type TapeColumn } from './columns.ts';

/** What a row is. */
export type RowKind = 'loan' | 'total' | 'text' | 'header' | 'empty';

const TOTAL =
  /^(grand[ -]*|sub[ -]*|sum[ -]*|portfolio[ -]*|book[ -]*)?(total|sum|subtotal|aggregate|gesamt|summe)\b/i;

/** Whether a text looks like an id beside those of the tape. */
const looksLikeId = (text: string, haveDigits: boolean) =>
  !/\s/.test(text) && text.length <= 64 && !/[:*†]/.test(text) && (!haveDigits || /\d/.test(text));

/** Columns of a loan that a total does not have. */
const OF_LOANS: readonly TapeColumn[] = [
  'collateral_asset',
  'margin_call_ltv',
  'liquidation_ltv',
  'grace_hours',
  'grace_days',
  'maturity',
];

/** @param haveDigits whether all ids of the tape have digits */
export function kindOfRow(
  cells: readonly Cell[],
  index: ReadonlyMap<TapeColumn, number>,
  header: readonly string[],
  haveDigits: boolean,
): RowKind {
  if (cells.every(isEmptyCell)) return 'empty';
  const texts = cells.map(cell => (isEmptyCell(cell) ? '' : String(cell).trim()));
  const filled = texts.filter(text => text !== '');
  const same = texts.filter((text, k) => text !== '' && text === header[k]?.trim()).length;
  if (same >= 2 && 2 * same >= filled.length) return 'header';
  const has = (column: TapeColumn) => texts[index.get(column) ?? -1] || '';
  const asset = has('collateral_asset');
  if (filled.some(text => TOTAL.test(text)) && (asset === '' || TOTAL.test(asset))) return 'total';
  if (filled.length === 1) {
    const id = has('loan_id');
    return id !== '' && looksLikeId(id, haveDigits) ? 'loan' : 'text';
  }
  // A row of a total without a word: an amount, and nothing of a loan.
  const isBare = OF_LOANS.every(column => has(column) === '') && has('loan_id') === '';
  const amounts = [...index].filter(([column]) => TAPE_COLUMNS[column].kind === 'amount');
  return isBare && amounts.some(([column]) => has(column) !== '') ? 'total' : 'loan';
}

/** Whether all ids that the first rows have contain digits. */
export function idsHaveDigits(rows: readonly (readonly Cell[])[], at: number | undefined): boolean {
  if (at === undefined) return false;
  const ids = rows.flatMap(row =>
    isEmptyCell(row[at]) || TOTAL.test(String(row[at])) ? [] : [String(row[at])],
  );
  return ids.length > 1 && 2 * ids.filter(id => /\d/.test(id)).length > ids.length;
}

/** A row of a total. */
export interface TotalRow {
  readonly line: number;
  readonly label: string;
  /** The amount in the column of the debt; NaN without one. */
  readonly amount: number;
}

/** Largest difference of a total from the sum of the loans that is a matter of rounding, as a share. */
const ROUNDING = 1e-4;

export const isSumOf = (amount: number, sum: number, loans: number): boolean =>
  Math.abs(amount - sum) <= Math.max(0.005 * loans, ROUNDING * Math.abs(sum));

/** Sentences on the rows that are no loans. @param sum of the amounts of the loans, as the tape has them */
export function asideRemarks(
  totals: readonly TotalRow[],
  texts: readonly { readonly line: number; readonly text: string }[],
  headers: readonly number[],
  sum: number,
  loans: number,
): readonly string[] {
  const wrong = totals.filter(
    ({ amount, label }) => Number.isFinite(amount) && !/sub/i.test(label) && !isSumOf(amount, sum, loans),
  );
  return [
    ...(totals.length === 0
      ? []
      : [
          `${counted(totals.length, 'row')} with a total ${totals.length === 1 ? 'is' : 'are'} no loan: ${listed(
            totals.map(({ line }) => `line ${line}`),
            5,
          )}.`,
        ]),
    ...wrong.map(
      ({ line, amount }) =>
        `The total in line ${line} is ${grouped(amount, 2)}, and the loans of the tape have ${grouped(sum, 2)}: rows may be missing, or loans that the total does not have.`,
    ),
    ...(texts.length === 0
      ? []
      : [
          `${counted(texts.length, 'row')} of text ${texts.length === 1 ? 'is' : 'are'} no loan: ${listed(
            texts.map(({ line, text }) => `line ${line} (${show(text)})`),
            5,
          )}.`,
        ]),
    ...(headers.length === 0
      ? []
      : [
          `The names of the columns are repeated in ${listed(
            headers.map(line => `line ${line}`),
            5,
          )}.`,
        ]),
  ];
}
