/** Classes of loans of one group with the same M, L, R and time to top up: their thresholds all fall where N rises. */
import type { BookProduct } from '../plan/product/book.ts';
import { sortWithinGroups } from './sorted-places.ts';

export interface LoanClasses {
  readonly classOf: Uint32Array;
  /** Number of loans in all classes before each, and in all. */
  readonly classFirst: Uint32Array;
  /** Number of classes in all groups before each, and in all. */
  readonly groupClass: Uint32Array;
}

/**
 * Classes in the order of their groups, within a group by falling largest M / N.
 *
 * @param callAt per loan: M / N
 * @param groupOf per loan: its group, 0 to G - 1
 * @param groupFirst G + 1 entries: number of loans in all groups before each
 */
export function loanClasses(
  { marginCallRatio, liquidationRatio, recoveryRatio, topUpSteps }: BookProduct,
  callAt: Float64Array,
  groupOf: Uint32Array,
  groupFirst: Uint32Array,
): LoanClasses {
  const groups = groupFirst.length - 1;
  // A group of one loan is a class.
  if (groups === groupOf.length)
    return { classOf: groupOf, classFirst: groupFirst, groupClass: groupFirst.map((_, g) => g) };
  let found = groupOf;
  for (const column of [marginCallRatio, liquidationRatio, recoveryRatio, topUpSteps])
    found = parted(found, column);
  const count = found.reduce((most, c) => Math.max(most, c + 1), 0);
  const group = new Uint32Array(count);
  const largest = new Float64Array(count).fill(Number.NEGATIVE_INFINITY);
  found.forEach((c, k) => {
    group[c] = groupOf[k];
    largest[c] = Math.max(largest[c], callAt[k]);
  });
  const groupClass = firstOf(group, groups);
  const order = sortWithinGroups(
    group,
    groupClass,
    largest.map(call => -call),
  );
  const rank = new Uint32Array(count);
  order.forEach((c, at) => {
    rank[c] = at;
  });
  const classOf = found.map(c => rank[c]);
  return { classOf, classFirst: firstOf(classOf, count), groupClass };
}

/** Numbers, from 0 on, the pairs of a number and a value of the column. */
function parted(numbers: Uint32Array, column: Float64Array | Uint32Array): Uint32Array {
  if (column.every(value => value === column[0])) return numbers;
  const ofValue = new Map<number, number>();
  for (const value of column) if (!ofValue.has(value)) ofValue.set(value, ofValue.size);
  const ofPair = new Map<number, number>();
  return numbers.map((number, k) => {
    const pair = number * ofValue.size + (ofValue.get(column[k]) as number);
    const known = ofPair.get(pair) ?? ofPair.size;
    ofPair.set(pair, known);
    return known;
  });
}

/** Per number: how many entries are lower; then the number of all. */
function firstOf(numbers: Uint32Array, count: number): Uint32Array {
  const first = new Uint32Array(count + 1);
  for (const number of numbers) first[number + 1] += 1;
  for (let i = 1; i <= count; i++) first[i] += first[i - 1];
  return first;
}
