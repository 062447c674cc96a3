/**
 * A book of loans from a file: a loan tape (CSV or XLSX) by the reader of the command line, or rows as `/book_risk` takes them (JSON).
 *
 * Takes: a file, or its stored content. Gives: a table or rows, or why it is neither. Must not know: prices.
 */

import { messageOf } from '#core/errors.ts';
import { remedyText } from '#src/tape/remedies.ts';
import { sheetTable, type TapeTable, textTable } from '#src/tape/tables.ts';
import type { TapeFault } from '#src/tape/tape.ts';
import { csvRow } from '#src/text/csv-field.ts';
import { NoTable } from '#src/text/delimited.ts';
import type { Cell } from '#src/text/numbers.ts';
import { FORM_WORDS } from './tape-terms.ts';

/** Of a spreadsheet with several sheets. */
export interface Sheets {
  readonly sheets?: readonly string[];
  /** The one that is read. */
  readonly sheet?: string;
}

/** The content of a file as it can be stored: texts and numbers alone. */
export type BookFile =
  | (Sheets & {
      readonly kind: 'tape';
      readonly name: string;
      /** All rows, with titles and the header. */
      readonly rows: readonly (readonly Cell[])[];
      /** 1-based line of each row. */
      readonly lines: readonly number[];
    })
  | {
      readonly kind: 'rows';
      readonly name: string;
      readonly loans: readonly Readonly<Record<string, unknown>>[];
    }
  | (Sheets & { readonly kind: 'unreadable'; readonly name: string; readonly problem: string });

/** The table of a tape. */
export const tableOf = ({
  rows,
  lines,
}: Pick<Extract<BookFile, { kind: 'tape' }>, 'rows' | 'lines'>): TapeTable => ({
  rows,
  lineOf: row => lines[row] ?? 0,
});

/** XLSX is a ZIP archive. */
const ZIP = [0x50, 0x4b, 3, 4];

/** @param sheet of a spreadsheet; the first one where absent */
export async function readBookFile(
  name: string,
  bytes: Uint8Array<ArrayBuffer>,
  sheet?: string,
): Promise<BookFile> {
  try {
    if (ZIP.every((byte, i) => bytes[i] === byte)) return await readSpreadsheet(name, bytes, sheet);
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return /\.json$/i.test(name) ? readRows(name, text) : readTapeText(name, text);
  } catch (error) {
    if (error instanceof NoTable) return { kind: 'unreadable', name, problem: error.message };
    if (error instanceof TypeError)
      return {
        kind: 'unreadable',
        name,
        problem: 'The file is no UTF-8 text and no XLSX. Save it as "CSV UTF-8" or XLSX.',
      };
    throw error;
  }
}

async function readSpreadsheet(
  name: string,
  bytes: Uint8Array<ArrayBuffer>,
  sheet?: string,
): Promise<BookFile> {
  const { default: readSheets } = await import('read-excel-file/browser');
  const { refuseTooLarge } = await import('#src/tape/spreadsheet.ts');
  let sheets: Awaited<ReturnType<typeof readSheets>>;
  try {
    refuseTooLarge(bytes);
    sheets = await readSheets(new Blob([bytes]));
  } catch (error) {
    return {
      kind: 'unreadable',
      name,
      problem: `The spreadsheet cannot be read: ${messageOf(error)}`,
    };
  }
  const names = sheets.map(each => each.sheet);
  const several: Sheets = names.length > 1 ? { sheets: names, sheet: sheet ?? names[0] ?? '' } : {};
  try {
    return { ...tapeOf(name, sheetTable(sheets, sheet)), ...several };
  } catch (error) {
    // Another sheet may be chosen.
    if (error instanceof NoTable) return { kind: 'unreadable', name, problem: error.message, ...several };
    throw error;
  }
}

/** A tape in CSV. @throws NoTable */
export const readTapeText = (name: string, text: string): BookFile => tapeOf(name, textTable(text));

const tapeOf = (name: string, { rows, lineOf }: TapeTable): BookFile => ({
  kind: 'tape',
  name,
  rows,
  lines: rows.map((_, k) => lineOf(k)),
});

function readRows(name: string, text: string): BookFile {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch (error) {
    return { kind: 'unreadable', name, problem: messageOf(error) };
  }
  const inner = (read as { params?: { loans?: unknown }; loans?: unknown } | null) ?? {};
  const loans = Array.isArray(read) ? read : (inner.params?.loans ?? inner.loans);
  return Array.isArray(loans)
    ? { kind: 'rows', name, loans }
    : {
        kind: 'unreadable',
        name,
        problem: 'The file holds no list of loans: an array, { "loans": [...] }, or a request.',
      };
}

/** The figures of every loan as CSV, a loan a row; shares are fractions, also those whose name ends with Pct. */
export function loansCsv(loans: Readonly<Record<string, Readonly<Record<string, unknown>>>>): string {
  const rows = Object.entries(loans).map(([id, { CVarContribution = {}, ...figures }]) => [
    ['id', id] as const,
    ...Object.entries(figures)
      .filter((entry): entry is [string, number] => typeof entry[1] === 'number')
      .map(([name, value]) =>
        name.endsWith('Pct') ? ([`${name} as fraction`, value / 100] as const) : ([name, value] as const),
      ),
    ...Object.entries(CVarContribution as Readonly<Record<string, number>>).map(
      ([quantile, value]) => [`CVarContribution ${quantile}`, value] as const,
    ),
  ]);
  const [names = []] = rows;
  return csvOf([names.map(([name]) => name), ...rows.map(row => row.map(([, value]) => value))]);
}

/** The faults of a tape as CSV, a fault a row. */
export const faultsCsv = (faults: readonly TapeFault[]): string =>
  csvOf([
    ['line', 'loan_id', 'column', 'code', 'message', 'remedy'],
    ...faults.map(({ code, line, id, column, message, remedy }) => [
      line,
      id,
      column,
      code,
      message,
      remedyText(remedy, FORM_WORDS),
    ]),
  ]);

const csvOf = (rows: readonly Parameters<typeof csvRow>[0][]): string => rows.map(csvRow).join('');
