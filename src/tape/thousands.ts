/** Columns of money whose points may stand between thousands, in a tape that does not name its mark before a fraction. */
import type { Cell } from '../market/import/table.ts';
import type { TapeColumn } from './columns.ts';

/** Money rarely has three digits behind its point; units of a coin often have. */
const MONEY: readonly TapeColumn[] = ['loan_amount', 'collateral_value'];
/** Fewest cells that are a habit. */
const MIN_CELLS = 3;
const BEFORE_THREE = /^[+-]?\d{1,3}\.\d{3}$/;

/** @param index of each column of the tape */
export function thousandsRemarks(
  rows: readonly (readonly Cell[])[],
  index: ReadonlyMap<TapeColumn, number>,
): readonly string[] {
  return MONEY.flatMap(column => {
    const at = index.get(column);
    if (at === undefined) return [];
    const pointed = rows.flatMap(cells => {
      const cell = cells[at];
      return typeof cell === 'string' && cell.includes('.') ? [cell.trim()] : [];
    });
    if (pointed.length < MIN_CELLS || !pointed.every(text => BEFORE_THREE.test(text))) return [];
    return [
      `Every point in ${column} stands before three digits, such as ${pointed[0]}, and is read as that before a fraction: if it stands between thousands, name the comma in the option decimal; if not, the point.`,
    ];
  });
}
