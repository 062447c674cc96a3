import { expect, it } from 'vitest';
import { addSquare, type BookSums, LOW_PART } from '#src/core/book/book-sums.js';
import { emptySumSets, PathSums, stepSquareUnits } from '#src/core/book/sum-sets.js';
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

it('Every set has the lowest ratios of all paths at the end', () => {
  const plan = shiftedBook(1, 10, 3, 3);
  const sets = emptySumSets(plan, 3) as Required<ReturnType<typeof emptySumSets>>;
  const path = new PathSums(plan, sets);
  path.sums.worstRatio.set([0.7, 0.9, 1.2]);
  path.add(0, 0.5);
  path.finish();
  expect(sets.map(set => [...set.worstRatio])).toEqual(new Array(4).fill([0.7, 0.9, 1.2]));
});

it.each([
  [20_000, 720, 2 ** 17],
  [1_000_000, 87_600, 1],
  [10, 1, 2 ** 30],
])('%i paths of %i steps have %i parts of a squared step', (paths, steps, parts) => {
  const { product } = shiftedBook(1, 10, 3, 3);
  const units = stepSquareUnits({ paths, product: { ...product, steps } });
  expect(units).toBe(parts);
  // Sums of the largest squares under the largest squared weights are whole numbers of double precision.
  if (units > 1) expect(4 * paths * steps * steps * units).toBeLessThanOrEqual(2 ** 53);
});
