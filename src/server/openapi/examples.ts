/** Examples of openapi.json: a request for each operation and methodology. A test runs every one on the sample market. */
import { methodologiesOf } from '../../models/methodology/methodologies.ts';
import type { Methodology, QuestionName } from '../../models/methodology/methodology.ts';
import type { OperationPath } from '../../question/request/paths.ts';

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
  score_variable: 'PrForcedSale',
  score_target: 0.05,
  variable_min: 1.15,
  variable_max: 4,
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
const advance = {
  collateral_weights: { BTC: 1 },
  loan_weights: { USD: 1 },
  analysis_date: '06-30-2024',
  model_lookback: 90,
  exposure_hours: [24, 48],
  confidence: [0.95, 0.99],
  expected_loss: [0.001],
  advance_rate: [0.7206],
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

const account = {
  collateral: { BTC: 0.5, USDC: 20_000 },
  haircuts: { BTC: 0.1, USDC: 0 },
  positions: [
    {
      id: 'btc',
      market: 'BTC',
      contract_type: 'linear',
      position_size: 2,
      entry_price: 60_000,
      funding_rate: 0.0000125,
    },
    {
      id: 'eth',
      market: 'ETH',
      contract_type: 'linear',
      position_size: -20,
      entry_price: 3_300,
      funding_rate: 0.0000125,
    },
  ],
  venue: 'hyperliquid',
  prices: { BTC: 60_000, ETH: 3_300, USDC: 1 },
  analysis_date: '06-30-2024',
  model_lookback: 30,
  horizon_hours: 72,
};

/** Methodologies with windows of any length; the others fit parameters to more days. */
const WITH_SHORT_WINDOWS = ['GBM', 'GBM_VIX', 'HISTORICAL'];

/** The window of a methodology that fits parameters. */
const windowOf = ({ name, leastLookbackDays = 0 }: Methodology) => {
  if (WITH_SHORT_WINDOWS.includes(name)) return {};
  return { model_lookback: leastLookbackDays > 90 ? leastLookbackDays + 50 : 90 };
};

/** Members of a methodology under any question. */
const drawn = ({ draws }: Methodology, paths: number) => (draws ? { mc_iter: paths } : {});
const shocked = ({ name }: Methodology) => (name === 'GBM' ? { volatility_shock: 0.1 } : {});

/** A body for each methodology of a question. */
const typed = (question: QuestionName, paramsOf: (methodology: Methodology) => object): ExampleBody[] =>
  methodologiesOf(question).map(methodology => ({
    type: methodology.name,
    params: { ...paramsOf(methodology), ...windowOf(methodology) },
  }));

/** Example requests of each operation. */
export const EXAMPLES: Readonly<Record<OperationPath, readonly ExampleBody[]>> = {
  '/loan_risk': typed('loan', each => ({ ...loan, ...ratios, ...drawn(each, 10_000), ...shocked(each) })),
  '/loan_origination': typed('origination', each => ({
    ...loan,
    L: 1.1,
    ...drawn(each, 10_000),
    // Windows of history are few: shares are multiples of a larger step.
    opt_param: each.draws ? search : { ...search, error_tolerance: 0.05 },
  })),
  '/var': typed('value-at-risk', each => ({ ...exposure, ...drawn(each, 10_000) })),
  '/advance_rate': typed('advance-rate', each => ({ ...advance, ...drawn(each, 10_000) })),
  '/loan_risk_low_liquidity': typed('capped-loan', each => ({ ...capped, ...drawn(each, 10_000) })),
  '/isolated_perp_risk': methodologiesOf('perpetual').flatMap(each =>
    [linear, inverse].map(contract => ({
      model: each.name,
      ...contract,
      ...windowOf(each),
      ...drawn(each, 5000),
    })),
  ),
  '/cross_perp_risk': typed('account', each => ({ ...account, ...drawn(each, 2000) })),
  '/book_risk': typed('book', each => ({ ...book, ...drawn(each, 1000), ...shocked(each) })),
  '/stress': typed('stress', each => ({
    ...stressed,
    ...drawn(each, 1000),
    ...shocked(each),
    // The third scenario has a shock of volatilities.
    ...(each.takesShock ? {} : { scenarios: stressed.scenarios.slice(0, 2) }),
  })),
  '/backtest': typed('backtest', each => ({ ...judged, ...drawn(each, 1000) })),
};
