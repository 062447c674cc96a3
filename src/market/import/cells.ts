/**
 * How a file writes numbers: what its cells decide together.
 *
 * Must not know: what the columns mean.
 */
import { type Cell, type DecimalMark, isEmptyCell, isPlainNumber, readNumber } from '../../text/numbers.ts';
import { currencyOf } from './headings.ts';

const MONEY =
  /^([+-]?)\s*(US\$|[$€£₿]|[A-Z]{3,4}(?=\s*\d))?\s*([+-]?[\d.,'’\s]*\d[\d.,]*\s?[KMBT]?)\s*([$€£₿]|[A-Z]{3,5})?$/i;

/** The parts of a cell with a currency: `$61,234.50`, `61.234,50 €`, `61234.5 USD`; the text itself where it has none. */
export function moneyOf(cell: Cell): { readonly text: Cell; readonly currency?: string } {
  if (typeof cell !== 'string') return { text: cell };
  const parts = MONEY.exec(cell.trim());
  const sign = parts?.[2] ?? parts?.[4];
  const currency = sign === undefined ? undefined : currencyOf(sign.replace(/^US\$$/i, '$'));
  return parts === null || currency === undefined
    ? { text: cell }
    : { text: `${parts[1]}${parts[3]}`, currency };
}

/** What one number says of the mark before its fraction. */
function markOf(text: string): DecimalMark | undefined {
  const digits = text.replace(/^[+-]|\s?[KMBT%]$/gi, '');
  // A second group, a point after a comma, or a fraction of other than three digits.
  if (/^\d{1,3}(,\d{3})+\.\d*$|^\d{1,3}(,\d{3}){2,}$/.test(digits)) return 'point';
  if (/^\d{1,3}(\.\d{3})+,\d*$|^\d{1,3}(\.\d{3}){2,}$/.test(digits)) return 'comma';
  if (/^\d*\.(\d{1,2}|\d{4,})$|^(0|\d{4,})?\.\d{3}$/.test(digits)) return 'point';
  if (/^\d*,(\d{1,2}|\d{4,})$|^(0|\d{4,})?,\d{3}$/.test(digits)) return 'comma';
  return undefined;
}

/** The mark that the numbers of a file decide; undefined where they have none that differs, or contradict each other. */
export function decimalMarkOf(cells: Iterable<Cell>): {
  readonly mark?: DecimalMark;
  readonly isOpen: boolean;
} {
  const found = new Set<DecimalMark>();
  let isOpen = false;
  for (const cell of cells) {
    const { text } = moneyOf(cell);
    if (typeof text !== 'string' || isEmptyCell(text)) continue;
    const mark = markOf(text.trim());
    if (mark !== undefined) found.add(mark);
    else if (/^[+-]?\d{1,3},\d{3}$/.test(text.trim())) isOpen = true;
  }
  const [mark] = found;
  return found.size === 1 ? { mark, isOpen: false } : { isOpen: isOpen && found.size === 0 };
}

/** The number of a cell, with or without a currency or a sign of per cent; NaN where it is not a number, or ambiguous. */
export const numberOf = (cell: Cell, mark: DecimalMark | undefined): number => {
  if (mark !== 'comma' && typeof cell === 'string' && isPlainNumber(cell)) return Number(cell);
  const { text } = moneyOf(cell);
  return readNumber(typeof text === 'string' ? text.replace(/\s?%$/, '') : text, mark);
};
