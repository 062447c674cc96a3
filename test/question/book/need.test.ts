/** The window and the paths that a book needs. */
import { expect, it } from 'vitest';
import { bookNeed } from '#src/question/book/book.js';
import { readBookRisk } from '#src/question/book/request.js';

function needOf(durations: readonly number[], saleDelay: number) {
  const loan = {
    collateral_weights: { BTC: 1 },
    loan_weights: { USD: 1 },
    N: 1.6,
    M: 1.3,
    L: 1.1,
    mc_top_up: 24,
  };
  const loans = durations.map((loan_duration, k) => ({
    ...loan,
    id: `l${k}`,
    loan_value: 1000 * (k + 1),
    loan_duration,
  }));
  const params = {
    analysis_date: '06-30-2024',
    model_lookback: 60,
    mc_iter: 100,
    quantile: [0.9],
    sale_delay: saleDelay,
    loans,
  };
  const read = readBookRisk({ type: 'GBM', params }, 20_000);
  if (!read.ok) throw new Error(JSON.stringify(read.faults));
  return bookNeed(read.value);
}

it('Paths have the hours of the longest term and of the sale after it, and history has its days on either grid', () => {
  const { termSteps, horizons } = needOf([3.3, 2], 30);
  expect(termSteps).toBe(79 + 30);
  // 3.3 days and 30 hours are 4.55 days; rounded by the day three days and two.
  expect(horizons).toEqual([{ path: 'params.loans', days: 5 }]);
  expect(needOf([3.4, 10], 1)).toMatchObject({ termSteps: 241, horizons: [{ days: 11 }] });
  expect(needOf([3.4, 2], 0).horizons).toEqual([{ path: 'params.loans', days: 3.4 }]);
});
