/** The mark before fractions that the LTVs of a tape decide: the one with which they follow from debt and value of the collateral. */
import { type Cell, type DecimalMark, readNumber } from '../text/numbers.ts';
import { dressed } from './money.ts';

/** Largest part by which the LTV of a tape, which is rounded, differs from the computed one. */
const TOLERANCE = 0.02;

const number = (cell: Cell, mark: DecimalMark): number =>
  typeof cell === 'string' ? readNumber(dressed(cell)?.digits ?? cell, mark) : readNumber(cell, mark);

/** A share: 62.5 and 62.5 % are 0.625. */
function share(cell: Cell, mark: DecimalMark): number {
  const read =
    typeof cell === 'string' ? readNumber(cell.replace(/%/, '').trim(), mark) : readNumber(cell, mark);
  return read > 1.5 ? read / 100 : read;
}

/** @param ltv cells of each row, as `debt` and `value` of the collateral @returns undefined where both marks fit, or none */
export function markOfLtv(
  ltv: readonly Cell[],
  debt: readonly Cell[],
  value: readonly Cell[],
): DecimalMark | undefined {
  const fitting = (['point', 'comma'] as const).filter(mark => {
    const ratios = ltv.flatMap((cell, k) => {
      const ratio = number(debt[k], mark) / number(value[k], mark) / share(cell, mark);
      return Number.isFinite(ratio) ? [ratio] : [];
    });
    return ratios.length > 0 && ratios.every(ratio => Math.abs(ratio - 1) < TOLERANCE);
  });
  return fitting.length === 1 ? fitting[0] : undefined;
}
