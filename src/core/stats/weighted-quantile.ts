/** Quantiles of values with weights, by selection: Hoare's FIND (CACM 4, 1961, Algorithm 65), the median of three as pivot. */

/**
 * Weighted quantile: the first value in rising order at which the weight of it and of all lower ones reaches a share of the whole. A weight
 * within rounding of the share reaches it: 0.95 of 1,000 equal weights is the 950th value.
 *
 * @param values n >= 1 finite numbers
 * @param weights of the values, 0 or more, not all 0
 * @param share 0..1
 */
export function weightedQuantile(values: Float64Array, weights: Float64Array, share: number): number {
  const kept = Float64Array.from(values);
  const weight = Float64Array.from(weights);
  const total = weight.reduce((sum, each) => sum + each, 0);
  let left = 0;
  let right = kept.length - 1;
  /** Weight to reach within left..right. */
  let wanted = share * total - total * kept.length * Number.EPSILON;
  for (;;) {
    const pivot = medianOfThree(kept[left], kept[(left + right) >>> 1], kept[right]);
    let i = left;
    let j = right;
    while (i <= j) {
      while (kept[i] < pivot) i++;
      while (kept[j] > pivot) j--;
      if (i <= j) {
        swap(kept, i, j);
        swap(weight, i++, j--);
      }
    }
    // Values at left..j are at most the pivot, those at i..right at least, those between equal it.
    let below = 0;
    for (let k = left; k <= j; k++) below += weight[k];
    if (below >= wanted && j >= left) {
      right = j;
      continue;
    }
    wanted -= below;
    let equal = 0;
    for (let k = j + 1; k < i; k++) equal += weight[k];
    if (equal >= wanted) return pivot;
    wanted -= equal;
    if (i > right) return kept[right];
    left = i;
  }
}

const medianOfThree = (a: number, b: number, c: number): number =>
  Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));

function swap(values: Float64Array, i: number, j: number): void {
  const value = values[i];
  values[i] = values[j];
  values[j] = value;
}
