/**
 * Binary search for the smallest k in 0..count - 1 with a condition that is true from there on.
 *
 * @returns `count` where it is true for no k
 */
export function firstTrue(count: number, condition: (k: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (condition(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
