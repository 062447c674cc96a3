/** Cells that are read by a rule and may mean something else, in sentences. */
import { counted, grouped } from '../grouped.ts';
import { type DecimalMark, readNumber } from '../market/import/numbers.ts';
import type { Cell } from '../market/import/table.ts';
import { show } from '../request/message.ts';
import type { TapeColumn } from './columns.ts';

const AMOUNTS = ['loan_amount', 'collateral_value', 'collateral_amount'] as const;
/** Money rarely has three digits behind its point; units of a coin often have. */
const MONEY: readonly TapeColumn[] = ['loan_amount', 'collateral_value'];
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
    const at = index.get(column);
    if (at === undefined) return [];
    const texts = rows.flatMap(cells => {
      const cell = cells[at];
      return typeof cell === 'string' ? [cell.trim()] : [];
    });
    return [
      ...(decimal === undefined && MONEY.includes(column) ? thousandsRemark(column, texts) : []),
      ...letterRemark(column, texts, decimal),
    ];
  });

/** Points that may stand between thousands, in a tape that does not name its mark before a fraction. */
function thousandsRemark(column: TapeColumn, texts: readonly string[]): readonly string[] {
  const pointed = texts.filter(text => text.includes('.'));
  if (pointed.length < MIN_CELLS || !pointed.every(text => BEFORE_THREE.test(text))) return [];
  return [
    `Every point in ${column} stands before three digits, such as ${pointed[0]}, and is read as that before a fraction: if it stands between thousands, name the comma in the option decimal; if not, the point.`,
  ];
}

/** Amounts such as `1.5m`, whose letter stands for a thousand in some houses. */
function letterRemark(
  column: TapeColumn,
  texts: readonly string[],
  decimal: DecimalMark | undefined,
): readonly string[] {
  const found = texts.filter(text => WITH_LETTER.test(text) && Number.isFinite(readNumber(text, decimal)));
  if (found.length === 0) return [];
  return [
    `In ${column} ${counted(found.length, 'cell')} ${found.length === 1 ? 'has' : 'have'} a letter for a thousand (K), a million (M), a billion (B) or a trillion (T): ${show(found[0])} is read as ${grouped(readNumber(found[0], decimal), 0)}.`,
  ];
}
