/** Numbers in the forms of people and programs: 42283.58, 42,283.58, 42 283.58, 42283,58 with `comma`, 57.30K. An ambiguous text is no number. */

/** A field: as text from CSV, as it is from the other forms. */
export type Cell = string | number | bigint | null | undefined;

/** Cells without a value. FRED writes a point, a spreadsheet `#N/A`, Bloomberg `#N/A N/A`, a bookkeeper dashes. */
const NO_VALUE = /^(|null|nan|none|#?n\/?a( n\/a)?|-+|–|—|\.)$/i;

export const isEmptyCell = (cell: Cell): boolean =>
  cell === null || cell === undefined || (typeof cell === 'string' && NO_VALUE.test(cell.trim()));

/** The mark before the fraction of a number. */
export const DECIMAL_MARKS = ['point', 'comma'] as const;
export type DecimalMark = (typeof DECIMAL_MARKS)[number];

const PLAIN = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

/** Whether a text is a number as programs write it. */
export const isPlainNumber = (text: string): boolean => PLAIN.test(text);

/** A mark of thousands differs from one of a fraction only where both are there, or several groups. No group of thousands begins with 0. */
const THOUSANDS_AND_FRACTION = /^[+-]?[1-9]\d{0,2}(,\d{3})+\.\d+$/;
const SEVERAL_THOUSANDS = /^[+-]?[1-9]\d{0,2}(,\d{3}){2,}$/;
const THOUSANDS = /^[+-]?[1-9]\d{0,2}(,\d{3})+$/;
/** Groups of three between spaces or apostrophes, which mark no fraction: 1 234 567,5 and 1'234.5. */
const SPACED = /^[+-]?\d{1,3}([ \u00a0\u2009\u202f'\u2019])\d{3}(\1\d{3})*([.,]\d*)?$/;
const SUFFIXES: Readonly<Record<string, number>> = { K: 1e3, M: 1e6, B: 1e9, T: 1e12 };

/** The number of a cell; NaN where it is not a number, or ambiguous. @param mark where it is known: `179,632` is ambiguous without it */
export function readNumber(cell: Cell, mark?: DecimalMark): number {
  if (typeof cell !== 'string') return Number(cell ?? Number.NaN);
  const sent = cell.trim();
  const text = SPACED.test(sent) ? sent.replace(/[^\d.,+-]/g, '') : sent;
  const scaled = /^(.*\d\.?)\s?([KMBT])$/i.exec(text);
  const factor = scaled === null ? 1 : SUFFIXES[scaled[2].toUpperCase()];
  const digits = scaled === null ? text : scaled[1];
  const plain = mark === 'comma' ? withPoint(digits) : withoutThousands(digits, mark === 'point');
  return isPlainNumber(plain) ? factor * Number(plain) : Number.NaN;
}

const withoutThousands = (text: string, isPoint: boolean): string =>
  THOUSANDS_AND_FRACTION.test(text) || (isPoint ? THOUSANDS : SEVERAL_THOUSANDS).test(text)
    ? text.replaceAll(',', '')
    : text;

/** `1.234,5` and `1234,5` to `1234.5`. A point is then a mark of thousands, before groups of three. */
function withPoint(text: string): string {
  if (text.includes('.') && !/^[+-]?[1-9]\d{0,2}(\.\d{3})+(,\d*)?$/.test(text)) return '';
  return text.replaceAll('.', '').replace(',', '.');
}
