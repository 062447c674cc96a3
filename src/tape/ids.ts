/** Ids of loans that a spreadsheet has changed: in exponent form, or with 15 digits and zeros behind them. */
import { show } from '../text/message.ts';
import { type Cell, isEmptyCell } from '../text/numbers.ts';
import type { TapeFault } from './tape.ts';

const EXPONENT = /^\d(\.\d+)?e\+?\d+$/i;
/** A spreadsheet keeps 15 digits of a number. */
const CUT = /^\d{15}0+$/;

const REMEDY =
  'Format the column of ids as text in the spreadsheet, and export it again from the source: the digits are lost in this file.';

/** One fault where ids are lost. @param cells of the column of ids */
export function lostIds(cells: readonly Cell[]): readonly TapeFault[] {
  const texts = cells.filter(cell => !isEmptyCell(cell)).map(cell => String(cell).trim());
  const exponents = texts.filter(text => EXPONENT.test(text));
  const column = 'loan_id';
  if (exponents.length > 0)
    return [
      {
        column,
        code: 'malformed',
        message: `${show(exponents[0])} is a number as a spreadsheet shortens it: ids in this form are of several loans`,
        remedy: REMEDY,
      },
    ];
  const long = new Set(texts.filter(text => /^\d{16,}$/.test(text)));
  const cut = [...long].filter(text => CUT.test(text));
  // One id of ten ends with a zero; all of several do by chance in one of a hundred tapes.
  return cut.length >= 2 && cut.length === long.size
    ? [
        {
          column,
          code: 'malformed',
          message: `${show(cut[0])} and every other long id ends with zeros behind 15 digits: a spreadsheet has cut them`,
          remedy: REMEDY,
        },
      ]
    : [];
}
