/**
 * A request for each operation and methodology that the sample market answers, by path.
 *
 * They stand in openapi.json; a test runs every one of them.
 */

interface ExampleBody {
  readonly type?: string;
  readonly model?: string;
  readonly [member: string]: unknown;
}

const loan = {
  collateral_weights: { BTC: 0.6, ETH: 0.4 },
  loan_weights: { USD: 1 },
  analysis_date: '06-30-2024',
  model_lookback: 90,
  loan_duration: 30,
  mc_top_up: 24,
  loan_value: 250_000,
};
const ratios = { N: 1.5, M: 1.3, L: 1.1, R: 1.4 };
const search = {
  score_variable: 'PrLiquidation',
  score_target: 0.01,
  variable_min: 1.15,
  variable_max: 3,
  error_tolerance: 0.001,
};
const exposure = {
  collateral_weights: { BTC: 1 },
  loan_weights: { USD: 1 },
  analysis_date: '06-30-2024',
  model_lookback: 250,
  var_duration: [1, 10],
  quantile: [0.95, 0.99],
  loan_value: 600_000,
  collateral_value: 1_000_000,
};
const capped = {
  ...loan,
  ...ratios,
  volume_lookback: 30,
  markets: [
    ['BTC', 'USDT', 'binance'],
    ['ETH', 'USDT', 'binance'],
  ],
  participation_ratio: 0.1,
  mc_iter: 10_000,
};
const position = {
  market: 'BTC',
  model_lookback: 30,
  trade_duration_hours: 72,
  funding_method: 'flat',
  entry_price: 60_000,
  funding_rate: 0.0001,
  funding_interval_hour: 8,
  analysis_date: '06-30-2024',
};
const linear = {
  ...position,
  contract_type: 'linear',
  contract_size: 1,
  position_size: 2,
  initial_margin: 12_000,
};
const inverse = {
  ...position,
  contract_type: 'inverse',
  contract_value_usd: 100,
  position_size: -1200,
  initial_margin: 0.2,
};

const bookLoan = { loan_weights: { USD: 1 }, loan_duration: 30, mc_top_up: 24 };
const book = {
  analysis_date: '06-30-2024',
  model_lookback: 90,
  quantile: [0.95],
  loans: [
    { id: 'a', ...bookLoan, collateral_weights: { BTC: 1 }, loan_value: 250_000, ...ratios },
    { id: 'b', ...bookLoan, collateral_weights: { BTC: 0.5, ETH: 0.5 }, loan_value: 100_000, ...ratios },
  ],
};

const stressed = {
  ...book,
  scenarios: [
    { name: 'bitcoin falls by 30 %', price_shock: { BTC: -0.3 } },
    'october-2025',
    { name: 'all fall and stay nervous', price_shock: { '*': -0.2 }, volatility_shock: 0.5 },
  ],
  compare: { liquidation_ltv: 0.8 },
};

const judged = {
  weights: { BTC: 1 },
  model_lookback: 90,
  horizon: 1,
  quantile: [0.95],
  from: '06-01-2024',
  to: '06-30-2024',
};

/** Values of `type` that draw paths, and what their parameters gain. */
const drawn = { mc_iter: 10_000 };

/** Methodologies with heavy tails, which all operations take. */
const HEAVY_TAILED = ['STUDENT_T', 'FHS', 'FHS_EVT', 'BOOTSTRAP'] as const;
const windowOf = (name: string) => ({ model_lookback: name === 'FHS_EVT' ? 250 : 90 });
const heavyTailed = (params: object): ExampleBody[] =>
  HEAVY_TAILED.map(type => ({ type, params: { ...params, ...windowOf(type) } }));

/** Example requests of each operation. */
export const EXAMPLES: Readonly<Record<string, readonly ExampleBody[]>> = {
  '/loan_risk': [
    { type: 'GBM', params: { ...loan, ...ratios, ...drawn, volatility_shock: 0.1 } },
    { type: 'GBM_VIX', params: { ...loan, ...ratios, ...drawn } },
    { type: 'HISTORICAL', params: { ...loan, ...ratios } },
    ...heavyTailed({ ...loan, ...ratios, ...drawn }),
  ],
  '/loan_origination': [
    { type: 'GBM', params: { ...loan, L: 1.1, ...drawn, opt_param: search } },
    { type: 'GBM_VIX', params: { ...loan, L: 1.1, ...drawn, opt_param: search } },
    { type: 'HISTORICAL', params: { ...loan, L: 1.1, opt_param: { ...search, error_tolerance: 0.05 } } },
    ...heavyTailed({ ...loan, L: 1.1, ...drawn, opt_param: search }),
  ],
  '/var': [
    { type: 'GBM', params: { ...exposure, ...drawn } },
    { type: 'GBM_VIX', params: { ...exposure, ...drawn } },
    { type: 'HISTORICAL', params: exposure },
    ...heavyTailed({ ...exposure, ...drawn }),
  ],
  '/loan_risk_low_liquidity': [
    { type: 'GBM', params: capped },
    { type: 'GARCH', params: capped },
    ...heavyTailed(capped),
  ],
  '/isolated_perp_risk': [
    { model: 'GBM', ...linear, mc_iter: 5000 },
    { model: 'GBM', ...inverse, mc_iter: 5000 },
    { model: 'HISTORICAL', ...linear },
    { model: 'HISTORICAL', ...inverse },
    ...HEAVY_TAILED.flatMap(model => [
      { model, ...linear, ...windowOf(model), mc_iter: 5000 },
      { model, ...inverse, ...windowOf(model), mc_iter: 5000 },
    ]),
  ],
  '/book_risk': [
    { type: 'GBM', params: { ...book, mc_iter: 1000, volatility_shock: 0.1 } },
    { type: 'GBM_VIX', params: { ...book, mc_iter: 1000 } },
    { type: 'HISTORICAL', params: book },
    ...heavyTailed({ ...book, mc_iter: 1000 }),
  ],
  '/stress': [
    { type: 'GBM', params: { ...stressed, mc_iter: 1000, volatility_shock: 0.1 } },
    // It takes no shock of volatilities, which the third scenario has.
    { type: 'GBM_VIX', params: { ...stressed, mc_iter: 1000, scenarios: stressed.scenarios.slice(0, 2) } },
    { type: 'HISTORICAL', params: { ...stressed, scenarios: stressed.scenarios.slice(0, 2) } },
    ...heavyTailed({ ...stressed, mc_iter: 1000 }),
  ],
  '/backtest': [
    { type: 'GBM', params: { ...judged, mc_iter: 1000 } },
    { type: 'GBM_VIX', params: { ...judged, mc_iter: 1000 } },
    { type: 'HISTORICAL', params: judged },
    ...heavyTailed({ ...judged, mc_iter: 1000 }),
  ],
};
