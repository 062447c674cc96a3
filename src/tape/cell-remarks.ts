/** Cells that are read by a rule and may mean something else, in sentences. */
import type { Cell } from '../market/import/numbers.ts';
import { type DecimalMark, readNumber } from '../market/import/numbers.ts';
import { show } from '../request/message.ts';
import { counted, grouped } from '../text/grouped.ts';
import type { TapeColumn } from './columns.ts';

const AMOUNTS = ['loan_amount', 'collateral_value', 'collateral_amount'] as const;
/** Fewest cells that are a habit. */
const MIN_CELLS = 3;
const BEFORE_THREE = /^[+-]?\d{1,3}\.\d{3}$/;
const WITH_LETTER = /\d\.?\s?[KMBT]$/i;

/** @param index of each column of the tape @param decimal where the caller has named it */
export const cellRemarks = (
  rows: readonly (readonly Cell[])[],
  index: ReadonlyMap<TapeColumn, number>,
  decimal: DecimalMark | undefined,
): readonly string[] =>
  AMOUNTS.flatMap(column => {
    const at = index.get(column) ?? -1;
    const texts = rows
      .map(cells => cells[at])
      .flatMap(cell => (typeof cell === 'string' ? [cell.trim()] : []));
    const pointed = texts.filter(text => text.includes('.'));
    // Money rarely has three digits behind its point; units of a coin often have.
    const isHabit = pointed.length >= MIN_CELLS && pointed.every(text => BEFORE_THREE.test(text));
    const lettered = texts.filter(
      text => WITH_LETTER.test(text) && Number.isFinite(readNumber(text, decimal)),
    );
    return [
      ...(column === 'collateral_amount' || decimal !== undefined || !isHabit
        ? []
        : [
            `Every point in ${column} stands before three digits, such as ${pointed[0]}, and is read as that before a fraction: if it stands between thousands, name the comma in the option decimal; if not, the point.`,
          ]),
      // M stands for a thousand in some houses.
      ...(lettered.length === 0
        ? []
        : [
            `In ${column} ${counted(lettered.length, 'cell')} ${lettered.length === 1 ? 'has' : 'have'} a letter for a thousand (K), a million (M), a billion (B) or a trillion (T): ${show(lettered[0])} is read as ${grouped(readNumber(lettered[0], decimal), 0)}.`,
          ]),
    ];
  });
