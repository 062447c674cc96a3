/** Classes of loans with the same thresholds, on books of a few loans. */
import { expect, it } from 'vitest';
import { loanClasses } from '#src/core/book/loan-classes.js';
import { BOOK } from '#src/core/plan/product/book.js';

const [USUAL] = BOOK.usual.terms(2);

const ratios = (...values: number[]) => Float64Array.from(values);

it('Loans of a class share group, M, L, R and time to top up; the classes of a group fall by their largest M / N', () => {
  const book = {
    ...USUAL,
    marginCallRatio: ratios(1.3, 1.3, 1.4, 1.3, 1.3),
    liquidationRatio: ratios(1.1, 1.1, 1.1, 1.1, 1.1),
    recoveryRatio: ratios(1.5, 1.5, 1.5, 1.5, 1.5),
    topUpSteps: Uint32Array.of(6, 6, 6, 6, 12),
  };
  const groupOf = Uint32Array.of(0, 1, 0, 0, 1);
  // Group 0 has loans 0, 2 and 3: 0 and 3 are alike. Group 1 has 1 and 4, which differ in their time.
  expect(loanClasses(book, ratios(0.8, 0.7, 0.9, 0.6, 0.75), groupOf, Uint32Array.of(0, 3, 5))).toEqual({
    classOf: Uint32Array.of(1, 3, 0, 1, 2),
    classFirst: Uint32Array.of(0, 1, 3, 4, 5),
    groupClass: Uint32Array.of(0, 2, 4),
  });
});

it('A group of one loan is a class', () => {
  const book = { ...USUAL, marginCallRatio: ratios(1.3, 1.3), topUpSteps: Uint32Array.of(6, 6) };
  const alone = loanClasses(book, ratios(0.8, 0.9), Uint32Array.of(0, 1), Uint32Array.of(0, 1, 2));
  expect(alone).toEqual({
    classOf: Uint32Array.of(0, 1),
    classFirst: Uint32Array.of(0, 1, 2),
    groupClass: Uint32Array.of(0, 1, 2),
  });
});

it.each(['liquidationRatio', 'recoveryRatio'] as const)(
  'Loans of one group that differ in %s are in different classes',
  of => {
    const same = ratios(1.2, 1.2, 1.2);
    const book = {
      ...USUAL,
      marginCallRatio: same,
      liquidationRatio: same,
      recoveryRatio: same,
      topUpSteps: Uint32Array.of(6, 6, 6),
    };
    const classesOf = (each: typeof book) =>
      loanClasses(each, ratios(0.9, 0.8, 0.7), new Uint32Array(3), Uint32Array.of(0, 3));
    expect(classesOf(book).classOf).toEqual(Uint32Array.of(0, 0, 0));
    expect(classesOf({ ...book, [of]: ratios(1.2, 1.3, 1.2) }).classOf).toEqual(Uint32Array.of(0, 1, 0));
  },
);
