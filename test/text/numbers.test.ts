/** Cells that are numbers, and the range of each kind of number. */
import { describe, expect, it } from 'vitest';
import { FUNDING_RATE, INDEX_LEVEL, PRICE, VOLUME } from '#src/text/number-rules.js';
import { readNumber } from '#src/text/numbers.js';

const TINY = Number.MIN_VALUE;

describe('A cell', () => {
  it.each([
    [5.5, 5.5],
    [5n, 5],
    [null, Number.NaN],
    [undefined, Number.NaN],
    [' 7 ', 7],
    ['1.5K', 1500],
    ['1.5k', 1500],
    ['1.5 M', 1.5e6],
    ['1.5B', 1.5e9],
    ['1.5T', 1.5e12],
    ['2.K', 2000],
    ['1.5KM', Number.NaN],
    ['1 234', 1234],
    ["-1'234'567.89", -1_234_567.89],
    ['1\u2019234', 1234],
    ['12\u00a0345\u00a0678.', 12_345_678],
    ['1\u202f234.5', 1234.5],
    ['1\u2009234.5', 1234.5],
    ["1 234'567", Number.NaN],
    ['1 23', Number.NaN],
    ['1234 567', Number.NaN],
    ['1  234', Number.NaN],
    ['1 234,5', Number.NaN],
  ])('%s is the number %d', (cell, value) => {
    expect(readNumber(cell)).toBe(value);
  });
});

it('A cell with spaces between thousands may have a comma before its fraction', () => {
  expect(readNumber('1 234 567,89', 'comma')).toBe(1_234_567.89);
  expect(readNumber("1'234,5", 'comma')).toBe(1234.5);
  expect(readNumber("1'234.5", 'comma')).toBeNaN();
});

it.each([
  ['0,500', 'point'],
  ['0.500', 'comma'],
  ['0,500,000', undefined],
  ['0.500,5', 'comma'],
] as const)('A group of thousands begins with no zero: %s with a %s', (cell, mark) => {
  expect(readNumber(cell, mark)).toBeNaN();
});

describe('The range of', () => {
  it.each([
    ['a price', PRICE, [1e-12, 1, 1e12], [0.999e-12, 0, -1, 1.001e12]],
    ['a volume', VOLUME, [0, TINY, 1e18], [-TINY, 1.001e18]],
    ['an index', INDEX_LEVEL, [TINY, 1000], [0, -1, 1000.001]],
    ['a funding rate', FUNDING_RATE, [0, 0.999, -0.999], [1, -1, 1.5]],
  ])('%s includes its bounds as its words state', (_, { holds }, inside, outside) => {
    expect(inside.filter(value => !holds(value))).toEqual([]);
    expect(outside.filter(holds)).toEqual([]);
  });
});
