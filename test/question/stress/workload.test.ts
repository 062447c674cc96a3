/** The predicted work of a stress: that of its book for each scenario and the base, under either set of terms. */
import { expect, it } from 'vitest';
import { BOOK_QUESTION } from '#src/question/book/book-risk.js';
import { BOOK_READING } from '#src/question/book/request.js';
import { STRESS_READING } from '#src/question/stress/request.js';
import { STRESS_QUESTION } from '#src/question/stress/stress.js';
import { dayOf } from '#src/text/calendar-date.js';
import { booksOf, loanOf } from '../../support/book-bodies.ts';
import { readRequest } from '../../support/request-bodies.ts';

const TODAY = dayOf(new Date('2024-07-10T00:00:00Z'));
const loans = [loanOf('a'), loanOf('b')];

function bookWork(paths: number): number {
  const read = readRequest(BOOK_READING, TODAY, booksOf(paths)(loans));
  if (!read.ok) throw new Error(JSON.stringify(read.faults));
  return BOOK_QUESTION.workload(read.value).work;
}

function stressWork(paths: number, scenarios: number, more: object = {}): number {
  const named = Array.from({ length: scenarios }, (_, k) => ({
    name: `s${k}`,
    price_shock: { ETH: -0.1 * (k + 1) },
  }));
  const read = readRequest(STRESS_READING, TODAY, booksOf(paths)(loans, { scenarios: named, ...more }));
  if (!read.ok) throw new Error(JSON.stringify(read.faults));
  return STRESS_QUESTION.workload(read.value).work;
}

it('A stress has the work of a book for each scenario and the base', () => {
  expect(stressWork(500, 1)).toBe(2 * bookWork(500));
  expect(stressWork(500, 3)).toBe(4 * bookWork(500));
});

it('Terms to compare double it', () => {
  expect(stressWork(500, 3, { compare: { M: 1.25 } })).toBe(8 * bookWork(500));
});

it('Without paths it has the work of one', () => {
  expect(stressWork(0, 1)).toBe(2 * bookWork(1));
  expect(stressWork(1, 1)).toBe(2 * bookWork(1));
});
