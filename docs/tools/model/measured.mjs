/** What docs/tools/model/measure.mjs measures: the loan, its changes, and the file of the results. */
export const RESULTS = 'bench/results/models.json';

/** The loan of every row, in a lender's terms: two thirds of the value of a basket, called at an LTV of 77 %, sold at 80 %. */
export const LOAN = {
  collateral_weights: { BTC: 0.6, ETH: 0.4 },
  loan_weights: { USD: 1 },
  loan_value: 250_000,
  analysis_date: '06-30-2024',
  model_lookback: 365,
  loan_duration: 30,
  mc_top_up: 24,
  N: 1.5,
  M: 1.3,
  L: 1.25,
  R: 1.4,
  mc_iter: 10_000,
};
export const BASE = 'as above';
/** One changed input by the words of its row; `seed` is that of the random numbers. */
export const VARIANTS = {
  [BASE]: {},
  'volatility 20 % lower': { volatility_shock: -0.2 },
  'volatility 20 % higher': { volatility_shock: 0.2 },
  'lookback of 90 days': { model_lookback: 90 },
  'lookback of 180 days': { model_lookback: 180 },
  'lookback of 730 days': { model_lookback: 730 },
  'window that ends on 2024-03-31': { analysis_date: '03-31-2024' },
  'window that ends on 2023-12-31': { analysis_date: '12-31-2023' },
  'BTC alone': { collateral_weights: { BTC: 1 } },
  'ETH alone': { collateral_weights: { ETH: 1 } },
  'term of 7 days': { loan_duration: 7 },
  'term of 90 days': { loan_duration: 90 },
  'grace of 6 hours': { mc_top_up: 6 },
  'prices 10 % lower at once': { price_shock: { BTC: -0.1, ETH: -0.1 } },
  'another seed': { seed: 1 },
};
export const FIGURES = ['PrMarginCall', 'PrLiquidation', 'PrCloseout', 'PrUnderwater'];
