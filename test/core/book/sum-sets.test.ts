import { expect, it } from 'vitest';
import { addSquare, type BookSums, LOW_PART } from '#src/core/book/book-sums.js';
import {
  addFlatSets,
  emptySumSets,
  inPlainUnits,
  memoryOf,
  PathSums,
  type SumSets,
  stepSquareUnits,
  sumSetsLength,
} from '#src/core/book/sum-sets.js';
import { randomLendingBook } from '../../support/random-lending.ts';
import { shiftedBook } from '../../support/shifted-books.ts';

const SQUARE_UNITS = 2 ** 48;

const squaredLosses = ({ squares }: BookSums, k: number): number => {
  if (squares === undefined) throw new Error('no squares');
  return (squares.lossHigh[k] * LOW_PART + squares.lossLow[k]) / SQUARE_UNITS;
};

it('Sums under small weights contain the squares of small losses', () => {
  const plan = shiftedBook(1, 10, 3, 3);
  const sets = emptySumSets(plan, 3) as Required<ReturnType<typeof emptySumSets>>;
  const path = new PathSums(plan, sets);
  const { squares } = path.sums;
  if (squares === undefined) throw new Error('no squares');
  // Rare paths, half of them of odd number: squared weights of some 1e-6, squared shares of some 1e-3.
  const wanted = [0, 0, 0, 0];
  for (let p = 0; p < 1000; p++) {
    const weight = 1e-3 * (1 + (p % 7) / 7);
    const share = 0.02 + 0.05 * ((p % 11) / 11);
    addSquare(squares.lossHigh, squares.lossLow, 1, share);
    path.add(p, weight);
    const square = share * share;
    [1, weight, p % 2 === 1 ? weight : 0, weight * weight].forEach((factor, set) => {
      wanted[set] += factor * square;
    });
  }
  sets.forEach((set, i) => {
    // A term is rounded to 2^-48: half of that, of 4e-10 at the least.
    expect(Math.abs(squaredLosses(set, 1) / wanted[i] - 1), `set ${i}`).toBeLessThan(1e-5);
    expect(squaredLosses(set, 0)).toBe(0);
    expect(squaredLosses(set, 2)).toBe(0);
  });
  // The sums of the path are reset.
  expect(squares.lossHigh[1]).toBe(0);
  expect(squares.lossLow[1]).toBe(0);
});

it('A sum under a weight has whole parts of its unit, and is a plain number at the end', () => {
  const plan = shiftedBook(1, 20_000, 3, 3, randomLendingBook);
  const sets = emptySumSets(plan, 3) as Required<SumSets>;
  const path = new PathSums(plan, sets);
  const { squares, lending } = path.sums;
  if (squares === undefined || lending === undefined)
    throw new Error('no squares, or no terms of real loans');
  const units = stepSquareUnits(plan);
  const parts = [
    ...(['marginCalls', 'liquidations', 'closeouts', 'underwater'] as const).map(name => [
      (sums: BookSums) => sums[name],
      2 ** 30,
    ]),
    ...(['unsoldPaths', 'lossPaths', 'earlyEnds', 'deadlineEnds'] as const).map(name => [
      (sums: BookSums) => sums.squares?.[name],
      2 ** 30,
    ]),
    ...(['salePaths', 'topUpPaths'] as const).map(name => [
      (sums: BookSums) => sums.lending?.[name],
      2 ** 30,
    ]),
    [(sums: BookSums) => sums.missedSteps, 2 ** 13],
    [(sums: BookSums) => sums.squares?.missedSteps, units],
    [(sums: BookSums) => sums.lending?.sales, 2 ** 12],
    [(sums: BookSums) => sums.lending?.saleSquares, 2 ** 12],
    // Amounts are in small units already.
    [(sums: BookSums) => sums.lossUnits, 1],
    [(sums: BookSums) => sums.lending?.soldUnits, 1],
  ] as [(sums: BookSums) => Float64Array, number][];
  // Paths of even and odd numbers.
  for (const [number, weight, value] of [
    [4, 0.3, 1000],
    [7, 0.7, 3000],
  ]) {
    for (const [columnOf] of parts) columnOf(path.sums).set([value, 1, 0]);
    path.add(number, weight);
    for (const [columnOf] of parts) expect([...columnOf(path.sums)]).toEqual([0, 0, 0]);
  }
  for (const [columnOf, unit] of parts) {
    const whole = [4000, 0.3, 0.7, 0.09, 0.49].map((weight, k) =>
      k === 0 ? weight : Math.round(weight * (k % 2 === 1 ? 1000 : 3000) * unit),
    );
    const [plain, even, odd, evenTwice, oddTwice] = whole;
    const found = sets.map(set => columnOf(set)[0]);
    expect(found).toEqual([plain, even + odd, odd, evenTwice + oddTwice]);
    expect(sets.map(set => columnOf(set)[1])).toEqual([
      2,
      Math.round(0.3 * unit) + Math.round(0.7 * unit),
      Math.round(0.7 * unit),
      Math.round(0.09 * unit) + Math.round(0.49 * unit),
    ]);
    expect(sets.map(set => columnOf(set)[2])).toEqual([0, 0, 0, 0]);
  }
  inPlainUnits(sets[1], plan);
  for (const [columnOf, unit] of parts) {
    const wanted = 0.3 * 1000 + 0.7 * 3000;
    expect(Math.abs(columnOf(sets[1])[0] - wanted)).toBeLessThanOrEqual(1 / unit);
    expect(Math.abs(columnOf(sets[1])[1] - 1)).toBeLessThanOrEqual(1 / unit);
  }
});

it('A square so small that it has a lower part alone is added', () => {
  const plan = shiftedBook(1, 10, 3, 3);
  const sets = emptySumSets(plan, 3) as Required<SumSets>;
  const path = new PathSums(plan, sets);
  const { squares } = path.sums;
  if (squares === undefined) throw new Error('no squares');
  addSquare(squares.lossHigh, squares.lossLow, 2, 1e-5);
  squares.lossLow[0] = 1;
  expect(squares.lossHigh[2]).toBe(0);
  path.add(0, 0.5);
  expect(sets.map(set => squaredLosses(set, 0) * SQUARE_UNITS)).toEqual([1, 1, 0, 0]);
  const parts = Math.round(1e-10 * SQUARE_UNITS);
  expect(sets.map(set => squaredLosses(set, 2) * SQUARE_UNITS)).toEqual([
    parts,
    Math.round(parts / 2),
    0,
    Math.round(parts / 4),
  ]);
});

it('Sets that lie end to end are added one after another, each to its own', () => {
  const plan = shiftedBook(1, 10, 3, 3, randomLendingBook);
  const sets = emptySumSets(plan, 3);
  const length = sumSetsLength(plan, 3);
  expect(memoryOf(sets).byteLength).toBe(8 * length);
  // Two threads, behind a number that is not theirs.
  const all = new Float64Array(1 + 2 * length).fill(1e9);
  const flat = all.subarray(1);
  for (const [thread, first] of [10, 2000].entries())
    flat.set(
      Float64Array.from({ length }, (_, i) => first + i),
      thread * length,
    );
  addFlatSets(sets, flat, plan);
  const sums = new Float64Array(memoryOf(sets));
  const perSet = length / 4;
  sums.forEach((sum, i) => {
    // The last three of a set are lowest ratios.
    expect(sum, `${i}`).toBe(i % perSet >= perSet - 3 ? 10 + i : 2010 + 2 * i);
  });
});

it('Paths of equal weights have one set', () => {
  const plan = randomLendingBook(1, 10, { assets: 3, loans: 5, baskets: 2, term: 50 });
  const sets = emptySumSets(plan, 2);
  expect(sets).toHaveLength(1);
  const length = sumSetsLength(plan, 2);
  expect(memoryOf(sets).byteLength).toBe(8 * length);
  addFlatSets(sets, new Float64Array(length).fill(3), plan);
  expect([...sets[0].worstRatio, ...sets[0].marginCalls]).toEqual(new Array(7).fill(3));
});

it('Memory of sets is that of one thread or of all', () => {
  const plan = shiftedBook(1, 10, 3, 3);
  expect(memoryOf(emptySumSets(plan, 3))).toBeInstanceOf(ArrayBuffer);
  expect(memoryOf(emptySumSets(plan, 3, true))).toBeInstanceOf(SharedArrayBuffer);
});

it('Every set has the lowest ratios of all paths at the end', () => {
  const plan = shiftedBook(1, 10, 3, 3);
  const sets = emptySumSets(plan, 3) as Required<ReturnType<typeof emptySumSets>>;
  const path = new PathSums(plan, sets);
  path.sums.worstRatio.set([0.7, 0.9, 1.2]);
  path.add(0, 0.5);
  path.finish();
  expect(sets.map(set => [...set.worstRatio])).toEqual(new Array(4).fill([0.7, 0.9, 1.2]));
  // Further paths go on from there.
  expect([...new PathSums(plan, sets).sums.worstRatio]).toEqual([0.7, 0.9, 1.2]);
});

it.each([
  [20_000, 720, 2 ** 17],
  [1_000_000, 87_600, 1],
  [10, 1, 2 ** 30],
  // 4 x 2^14 x 2^8 is 2^24.
  [16_384, 16, 2 ** 29],
])('%i paths of %i steps have %i parts of a squared step', (paths, steps, parts) => {
  const { product } = shiftedBook(1, 10, 3, 3);
  const units = stepSquareUnits({ paths, product: { ...product, steps } });
  expect(units).toBe(parts);
  // Sums of the largest squares under the largest squared weights are whole numbers of double precision.
  if (units > 1) expect(4 * paths * steps * steps * units).toBeLessThanOrEqual(2 ** 53);
});
