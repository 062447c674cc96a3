/** The window and the paths that a book needs, and where it names a series. */
import { expect, it } from 'vitest';
import { bookNeed } from '#src/question/book/book.js';
import { BOOK_QUESTION } from '#src/question/book/book-risk.js';
import { BOOK_READING } from '#src/question/book/request.js';
import { readRequest } from '../../support/request-bodies.ts';

/** Loans of 1,000, 2,000 and so on. @param changes members of each that differ */
function requestOf(durations: readonly number[], saleDelay: number, changes: readonly object[] = []) {
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
    ...changes[k],
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
  const read = readRequest(BOOK_READING, 20_000, { type: 'GBM', params });
  if (!read.ok) throw new Error(JSON.stringify(read.faults));
  return read.value;
}

const needOf = (...terms: Parameters<typeof requestOf>) => bookNeed(requestOf(...terms).terms);

it('Paths and windows of history have the longest term and the sale after it, on either grid', () => {
  const stepsOf = (durations: readonly number[], saleDelay: number) => {
    const { termSteps } = needOf(durations, saleDelay);
    return [termSteps(1), termSteps(24)];
  };
  expect(stepsOf([3.3, 2], 30)).toEqual([79 + 30, 3 + 2]);
  expect(stepsOf([3.4, 10], 1)).toEqual([240 + 1, 10 + 1]);
  expect(stepsOf([3.4, 2], 0)).toEqual([82, 3]);
  // Hours of history are read for 8 hours, not for the two days that the daily grid rounds them up to.
  expect(stepsOf([0.125], 5)).toEqual([3 + 5, 1 + 1]);
});

it('The basket of the book is that of its loans by their values', () => {
  const ether = { collateral_weights: { ETH: 0.75, BTC: 0.25 }, loan_weights: { USDC: 1 } };
  const { portfolio } = needOf([30, 30], 0, [{}, ether]);
  const weightsOf = (weights: Float64Array) =>
    Object.fromEntries(portfolio.symbols.map((symbol, i) => [symbol, weights[i]]));
  // Loans of 1,000 and 2,000.
  const { BTC, ETH, ...others } = weightsOf(portfolio.collateralWeights);
  expect(BTC).toBeCloseTo((1 + 2 * 0.25) / 3, 14);
  expect(ETH).toBeCloseTo((2 * 0.75) / 3, 14);
  expect(others).toEqual({ USD: 0, USDC: 0 });
  const { USD, USDC } = weightsOf(portfolio.loanWeights);
  expect([USD, USDC]).toEqual([1 / 3, 2 / 3]);
});

it('A series is named by the first loan that has its asset', () => {
  const ether = { collateral_weights: { ETH: 0.75, BTC: 0.25 }, loan_weights: { USDC: 1 } };
  const solana = { collateral_weights: { SOL: 1 }, loan_weights: { ETH: 0.5, USD: 0.5 } };
  const request = requestOf([30, 30, 30, 30], 0, [{}, ether, solana, solana]);
  const members = ['BTC', 'ETH', 'SOL', 'USD', 'USDC', 'ADA'].map(asset =>
    BOOK_QUESTION.seriesMember(request, asset, (_, name) => name),
  );
  expect(members).toEqual([
    'params.loans.0.collateral_weights.BTC',
    'params.loans.1.collateral_weights.ETH',
    'params.loans.2.collateral_weights.SOL',
    'params.loans.0.loan_weights.USD',
    'params.loans.1.loan_weights.USDC',
    undefined,
  ]);
});
