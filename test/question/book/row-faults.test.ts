/** Faults of rows of a book. */
import { expect, it } from 'vitest';
import { BOOK_READING } from '#src/question/book/request.js';
import { readRequest } from '../../support/request-bodies.ts';

const row = {
  collateral_weights: { BTC: 1 },
  loan_weights: { USD: 1 },
  loan_value: 1000,
  loan_duration: 30,
  mc_top_up: 24,
  N: 1.5,
  M: 1.3,
  L: 1.1,
  R: 1.4,
};
const faultsOf = (loans: readonly object[]) => {
  const params = { analysis_date: '06-30-2024', model_lookback: 30, mc_iter: 10, quantile: [0.9], loans };
  const checked = readRequest(BOOK_READING, 20_600, { type: 'GBM', params });
  return checked.ok ? [] : checked.faults;
};

it('name the id of the loan beside its index if one was sent', () => {
  const faults = faultsOf([
    { ...row, id: 'first' },
    { ...row, id: 'L-2041', M: 1.05 },
    { ...row, id: 7 },
    { ...row, id: 'last', collateral_weights: { BTC: 100 } },
  ]);
  expect(faults).toMatchObject([
    { path: 'params.loans.2.id', message: 'loans.2.id must be a string of 1 to 64 characters; got 7' },
    {
      path: 'params.loans.3.collateral_weights',
      message:
        'loans.3.collateral_weights must be weights that sum to 1 within 1e-6; got a sum of 100: weights are fractions, 40 per cent is 0.4 (loan "last")',
    },
    {
      path: 'params.loans.1.M',
      message: 'loans.1.M must be at least L (1.1); the two look exchanged; got 1.05 (loan "L-2041")',
    },
  ]);
});

it('are one where the list itself is too long, or empty', () => {
  const bound = 'loans must be a list of 1 to 20000 loans';
  expect(faultsOf(new Array(20_001).fill({}))).toMatchObject([
    {
      path: 'params.loans',
      message: `${bound} (the command \`collateral-risk-engine book\` takes 100,000); got a list of 20001`,
    },
  ]);
  expect(faultsOf([])).toMatchObject([{ path: 'params.loans', message: `${bound}; got a list of 0` }]);
});
