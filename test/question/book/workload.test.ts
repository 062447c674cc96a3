/** The predicted work of a book. */
import { expect, it } from 'vitest';
import { BOOK_QUESTION } from '#src/question/book/book-risk.js';
import { BOOK_READING } from '#src/question/book/request.js';
import { dayOf } from '#src/text/calendar-date.js';
import { readRequest } from '../../support/request-bodies.ts';

const TODAY = dayOf(new Date('2024-07-10T00:00:00Z'));

function workOf(more: object, sampling?: 'tail'): number {
  const loan = {
    ...{ collateral_weights: { BTC: 1 }, loan_weights: { USD: 1 }, loan_value: 1000, loan_duration: 30 },
    ...{ N: 1.6, M: 1.3, L: 1.1, mc_top_up: 24, ...more },
  };
  const loans = Array.from({ length: 1000 }, (_, k) => ({ id: `l${k}`, ...loan }));
  const params = { analysis_date: '06-30-2024', model_lookback: 60, mc_iter: 1000, quantile: [0.9], loans };
  const read = readRequest(BOOK_READING, TODAY, { type: 'GBM', params });
  if (!read.ok) throw new Error(JSON.stringify(read.faults));
  return BOOK_QUESTION.workload(read.value, sampling).work;
}

it.each([
  ['whose calls may be answered', { top_up: { share: 0.5, delay_hours: 6 } }],
  ['of which parts are sold', { partial_sale: { to: 1.7 } }],
  ['in call at the start', { N: 1.25, called_hours_ago: 3 }],
])('A book of loans %s counts some three times the work of a plain one', (_, terms) => {
  expect(workOf(terms) / workOf({})).toBeGreaterThan(2.5);
  expect(workOf(terms) / workOf({})).toBeLessThan(3);
});

it('A call that nobody answers, and interest, cost nothing', () => {
  expect(workOf({ top_up: { share: 0, delay_hours: 6 }, interest_rate: 0.1 })).toBe(workOf({}));
});

it('Paths with weights count three times the work of plain ones under the same model', () => {
  // Some of the work of a plan does not depend on its paths.
  const ratio = workOf({}, 'tail') / workOf({});
  expect(ratio).toBeGreaterThan(2.5);
  expect(ratio).toBeLessThan(3.5);
});
