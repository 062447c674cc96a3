/** Bodies of /book_risk on the sample market. */

export const BOOK_WINDOW = { analysis_date: '06-30-2024', model_lookback: 90 };

export const LOAN_TERMS = {
  collateral_weights: { ETH: 1 },
  loan_weights: { USD: 1 },
  loan_duration: 30,
  mc_top_up: 24,
  loan_value: 250_000,
  N: 1.3,
  M: 1.2,
  L: 1.1,
  R: 1.3,
};

export const loanOf = (id: string, more: object = {}) => ({ id, ...LOAN_TERMS, ...more });

/** A maker of books of loans, with so many paths unless a book has others. */
export const booksOf =
  (paths: number) =>
  (loans: object[], more: object = {}) => ({
    type: 'GBM',
    params: { ...BOOK_WINDOW, mc_iter: paths, quantile: [0.9, 0.99], loans, ...more },
  });
