/**
 * The order of the loans of a book: by group, within a group by a figure, within equal figures by number.
 *
 * Figures are sorted as plain numbers, several times as fast as loans by a comparison.
 */

/**
 * Loan numbers in order.
 *
 * @param groupOf per loan its group, 0 to G - 1
 * @param groupFirst G + 1 entries: how many loans the groups before each have
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
  for (let g = 0; g + 1 < groupFirst.length; g++)
    if (groupFirst[g + 1] > groupFirst[g] + 1) sorted.subarray(groupFirst[g], groupFirst[g + 1]).sort();
  // Per place at which a figure stands first: how many loans that have it are placed.
  const placed = new Uint32Array(figure.length);
  const order = new Uint32Array(figure.length);
  for (let k = 0; k < figure.length; k++) {
    const g = groupOf[k];
    const at = firstNotBelow(sorted, groupFirst[g], groupFirst[g + 1], figure[k]);
    order[at + placed[at]++] = k;
  }
  return order;
}

function firstNotBelow(sorted: Float64Array, first: number, end: number, value: number): number {
  let low = first;
  let high = end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
