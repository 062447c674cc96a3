/** Numbers as people of several languages type them, and how fields show them. */
import { describe, expect, it } from 'vitest';
import {
  heldList,
  heldText,
  isOpen,
  listsOf,
  type NumberKind,
  numberOf,
  numbersOf,
  PERCENT,
  PLAIN,
  readingsOf,
  shownList,
  shownText,
} from '../../console/src/ui/typed-numbers.ts';

/** What is typed, and the numbers that it can be, that with a point before its fraction first. */
const READINGS: [string, readonly number[], NumberKind?][] = [
  ['12.5', [12.5]],
  ['12,5', [12.5]],
  ['0,6', [0.6]],
  ['0,500', [0.5]],
  ['0.500', [0.5]],
  ['1,234.5', [1234.5]],
  ['1.234,5', [1234.5]],
  ['1 234,5', [1234.5]],
  ['1 234.5', [1234.5]],
  ['1\u202f234,5', [1234.5]],
  ['1\u00a0234,5', [1234.5]],
  ["1'234.5", [1234.5]],
  ['1\u2019234,5', [1234.5]],
  ['800.000,50', [800_000.5]],
  ['1,000,000', [1_000_000]],
  ['1.000.000', [1_000_000]],
  ['1500', [1500]],
  ['1500.250', [1500.25]],
  ['1.500', [1.5, 1500]],
  ['1,500', [1500, 1.5]],
  ['-12,345', [-12_345, -12.345]],
  ['1.500', [1500], 'whole'],
  ['1,500', [1500], 'whole'],
  ['1.500', [1.5], 'ratio'],
  ['66,667', [66.667], 'ratio'],
  ['7,5 %', [7.5]],
  ['\u22125', [-5]],
  ['1.5M', [1_500_000]],
  ['12,5,3', []],
  ['1.234.5', []],
  ['', []],
  ['a', []],
];

describe('a text', () => {
  it.each(READINGS)('%s can be %j', (text, readings, kind) => {
    expect(readingsOf(text, kind)).toEqual(readings);
    const held = heldText(text, kind ?? 'amount', PLAIN);
    expect(isOpen(held)).toBe(readings.length === 2);
    // What is not one number goes to the server as a text, which refuses it.
    expect(typeof numberOf(held)).toBe(readings.length === 1 ? 'number' : 'string');
  });

  it.each([
    ['99.5', [[99.5]]],
    ['95, 99', [[95, 99]]],
    ['95; 99,5', [[95, 99.5]]],
    ['95 99.5', [[95, 99.5]]],
    ['90.5,99.5', [[90.5, 99.5]]],
    ['90,95,99', [[90, 95, 99]]],
    ['99,5', [[99.5], [99, 5]]],
    ['95, a', []],
    ['', []],
  ])('%s can be the lists %j', (text, lists) => {
    expect(listsOf(text, 'ratio')).toEqual(lists);
    const held = heldList(text, 'ratio', PERCENT);
    expect(isOpen(held)).toBe(lists.length === 2);
    if (lists.length === 1) expect(numbersOf(held)).toEqual(lists[0].map(value => value / 100));
    else expect(numbersOf(held).some(each => typeof each === 'string')).toBe(true);
  });

  it('of whole numbers has no fractions between its commas', () => {
    expect(listsOf('1,10,30', 'whole')).toEqual([[1, 10, 30]]);
    expect(listsOf('1,10', 'whole')).toEqual([[1, 10]]);
  });
});

/** What a field shows when it is left, after it was typed in the way of the language. */
const SHOWN = [
  ['en-US', '1,234,567.25', '1 234 567.25'],
  ['en-US', '12.5', '12.5'],
  ['de-DE', '1.234.567,25', '1 234 567,25'],
  ['de-DE', '12,5', '12,5'],
  ['fr-FR', '1\u202f234\u202f567,25', '1 234 567,25'],
  ['fr-FR', '1500', '1 500'],
  ['de-CH', "1'500.5", '1 500.5'],
  ['en-US', '-1500', '-1 500'],
  ['de-DE', '1.500', '1.500'],
  ['en-US', 'a', 'a'],
] as const;

describe('a field', () => {
  it.each(SHOWN)('shows in %s of %s: %s, which reads as the same number', (language, typed, shown) => {
    const held = heldText(typed, 'amount', PLAIN);
    const text = shownText(held, PLAIN, language);
    expect(text.replaceAll('\u202f', ' ')).toBe(shown);
    expect(heldText(text, 'amount', PLAIN)).toBe(held);
  });

  it.each([
    ['en-US', '50, 99.5'],
    ['de-DE', '50; 99,5'],
    ['fr-FR', '50; 99,5'],
  ])('shows a list in %s as %s, which reads as the same list', (language, shown) => {
    expect(shownList('0.5,0.995', PERCENT, language)).toBe(shown);
    expect(heldList(shown, 'ratio', PERCENT)).toBe('0.5,0.995');
  });

  it('keeps per cent as they were typed', () => {
    for (let typed = 0.1; typed < 100; typed += 0.1) {
      const text = typed.toFixed(1);
      expect(shownText(heldText(text, 'ratio', PERCENT), PERCENT, 'en')).toBe(String(Number(text)));
    }
  });

  it('takes a link with digits in groups', () => {
    expect(['1,000,000', '1 000 000', '1.234', '1e6', ''].map(numberOf)).toEqual([1e6, 1e6, 1.234, 1e6, '']);
  });
});
