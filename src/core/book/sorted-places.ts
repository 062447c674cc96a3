/** The order of loans, by sorting plain numbers: several times as fast as sorting loans by a comparison. */
import { firstTrue } from '../stats/first-true.ts';

/**
 * Loan numbers in order.
 *
 * @param groupOf per loan: its group, 0 to G - 1
 * @param groupFirst G + 1 entries: number of loans in all groups before each
 * @param figure per loan
 */
export function sortWithinGroups(
  groupOf: Uint32Array,
  groupFirst: Uint32Array,
  figure: Float64Array,
): Uint32Array {
  const sorted = new Float64Array(figure.length);
  const next = groupFirst.slice();
  for (let k = 0; k < figure.length; k++) sorted[next[groupOf[k]]++] = figure[k];
  for (let g = 0; g + 1 < groupFirst.length; g++) sorted.subarray(groupFirst[g], groupFirst[g + 1]).sort();
  // Per first place of a figure: number of placed loans with this figure.
  const placed = new Uint32Array(figure.length);
  const order = new Uint32Array(figure.length);
  for (let k = 0; k < figure.length; k++) {
    const g = groupOf[k];
    const first = groupFirst[g];
    const at = first + firstTrue(groupFirst[g + 1] - first, i => sorted[first + i] >= figure[k]);
    order[at + placed[at]++] = k;
  }
  return order;
}
