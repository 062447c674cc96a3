/**
 * The questions whose intervals are judged: terms at which every figure has enough events, and rare ones, on the sample market.
 *
 * Gives: bodies. Must not know: how they are answered.
 */

import { type Body, FALLING, LOSING, ofLoans, SELLING } from './single-loans.ts';

/** A question asked with many seeds. */
export interface CoverageCase {
  readonly name: string;
  readonly path: string;
  readonly query?: 'sobol' | 'tail';
  /** Body with the paths of one seed. */
  readonly body: Body;
  /** Paths of the run that stands for the truth; none where all figures have known laws. */
  readonly truthPaths?: number;
  /** The figures that are judged; where absent all but those of the loans of a book. */
  readonly only?: readonly string[];
}

const baskets = { collateral_weights: { BTC: 1 }, loan_weights: { USD: 1 } };
const window = { analysis_date: '06-30-2024', model_lookback: 120 };
const mixed = { collateral_weights: { BTC: 0.6, ETH: 0.4 }, loan_weights: { USDC: 1 } };
const loan = { ...window, loan_duration: 2, mc_top_up: 6, loan_value: 1000 };
const near = { N: 1.04, M: 1.03, L: 1.005, R: 1.035 };
const cash = { ...loan, collateral_weights: { BTC: 1 }, loan_weights: { USDC: 1 } };
/** Paths of a run in the place of a truth: 400 times those of a seed move a coverage of 95 % by less than 0.03 points. */
const MANY = 1_000_000;
/** Of models that take longer: 160 times those of a seed, 0.1 points. */
const FEWER = 400_000;

const tails = {
  ...window,
  var_duration: [1, 10],
  quantile: [0.95, 0.99, 0.999],
  loan_value: 1000,
  collateral_value: 1500,
};
const origination = { ...cash, L: 1.005, mc_iter: 2000 };
const target = { variable_min: 1.01, variable_max: 1.2, error_tolerance: 0 };
const searched = (opt_param: Body, mc_iter = 2000): Body => ({
  type: 'GBM',
  params: { ...origination, mc_iter, opt_param: { ...target, ...opt_param } },
});

const position = {
  market: 'BTC',
  ...window,
  trade_duration_hours: 48,
  contract_type: 'linear',
  funding_method: 'flat',
  entry_price: 60_000,
  initial_margin: 3000,
  position_size: 1,
  funding_rate: 0.0001,
  funding_interval_hour: 8,
  contract_size: 1,
  mc_iter: 1000,
};

const leg = (id: number, market: string, position_size: number, entry_price: number): Body => ({
  // Its place in the answer, as the rows of `Accuracy` are named by it.
  id: String(id),
  market,
  position_size,
  entry_price,
  contract_type: 'linear',
  funding_rate: 0.0001,
});
/** A hedge that is closed by parts on three paths in ten, and whole on one in twenty. */
const account = {
  ...window,
  venue: 'hyperliquid',
  collateral: { USD: 12_000 },
  positions: [leg(0, 'BTC', 3, 65_000), leg(1, 'ETH', -80, 2500)],
  horizon_hours: 96,
  slippage: 0.001,
  mc_iter: 1000,
};

const bookLoan = (k: number): Body => ({
  id: `loan-${k}`,
  collateral_weights: k % 3 === 0 ? { ETH: 1 } : { BTC: 1 },
  loan_weights: { USDC: 1 },
  loan_value: 1000 * (1 + (k % 5)),
  N: 1.08 + 0.01 * (k % 4),
  M: 1.06,
  L: 1.03,
  R: 1.08,
  loan_duration: 2,
  mc_top_up: 6,
});
const book = {
  ...window,
  quantile: [0.95],
  sale_delay: 24,
  sale_cost: 0.01,
  loans: Array.from({ length: 20 }, (_, k) => bookLoan(k)),
};

/** Tranches of which the first is lost on some paths, and attachment points that are sought. */
const TRANCHES = [
  { name: 'equity', attach: 0, detach: 0.005 },
  { name: 'mezzanine', attach: 0.005, detach: 0.02 },
];
const TARGETS = [
  { name: 'rare', attach_for: { figure: 'PrLoss', value: 0.05 }, detach: 1 },
  { name: 'mean', attach_for: { figure: 'ExpectedLossPct', value: 0.05 }, detach: 1 },
];

/** Tails of a book beyond which few plain paths of a run would lie. */
const farTail = (mc_iter: number): CoverageCase => ({
  name: `GBM, tail, twenty loans, ${mc_iter.toLocaleString('en-US')} paths`,
  path: '/book_risk',
  query: 'tail',
  only: [0.99, 0.999].flatMap(q => [
    ...['LossVar', 'LossCVar'].flatMap(name => [`Book / ${name} / ${q}`, `Book / Unsold / ${name} / ${q}`]),
    ...['Quantiles', 'CVar'].map(name => `Book / ForcedSaleUsd / ${name} / ${q}`),
  ]),
  body: { type: 'GBM', params: { ...book, quantile: [0.99, 0.999], mc_iter } },
  truthPaths: MANY,
});

const monthly = { ...window, quantile: [0.95], sale_cost: 0.01 };

/** Loans of which all lose on 30 paths of most seeds, half of the events within a day. */
const ofCredit = (name: string, terms: Body, mc_iter: number, query?: 'tail'): CoverageCase => {
  const loans = book.loans.slice(0, 6);
  return {
    ...{ name, path: '/book_risk' },
    ...(query && { query }),
    only: ofLoans(
      loans,
      ['PD', 'EAD', 'LGD', 'EL', 'PDHorizon', 'EADHorizon', 'LGDHorizon', 'ELHorizon', 'PrLoss']
        .concat('LossGivenLossPct', 'ECL')
        .map(figure => `Credit / ${figure}`),
    ),
    body: {
      type: 'GBM',
      params: {
        ...{
          ...book,
          loans: loans.map(each => ({ ...each, interest_rate: 0.12 })),
          sale_cost: 0.05,
          mc_iter,
        },
        credit: { horizon_days: 1, effective_rate: 'interest', ...terms },
      },
    },
    truthPaths: MANY,
  };
};

/** `/loan_risk` under a type. */
const underType = (type: string, truthPaths: number): CoverageCase => ({
  name: `${type}, one asset against one`,
  path: '/loan_risk',
  body: { type, params: { ...cash, ...near, mc_iter: 2500 } },
  truthPaths,
});

/** A day of `/var` under a type that draws rows of the window: 6 and 1.2 of 120, or 10 and 2 of 200 days of them are beyond the levels. */
const ofRows = (type: string): CoverageCase => ({
  name: `${type}, a day of one asset against one`,
  path: '/var',
  body: {
    type,
    params: {
      ...tails,
      ...{ collateral_weights: { BTC: 1 }, loan_weights: { USDC: 1 } },
      ...{ model_lookback: type === 'FHS_EVT' ? 200 : 120, var_duration: [1], quantile: [0.95, 0.99] },
      mc_iter: 10_000,
    },
  },
  truthPaths: 4_000_000,
});

/** The other figures of an origination are those of another loan for each seed. */
const SEARCHED = ['N', 'M'];

export const CASES: readonly CoverageCase[] = [
  ...(['lowest', 'end'] as const).map(measure => ({
    name: `GBM, one asset against USD, sold at the ${measure}`,
    path: '/advance_rate',
    body: {
      type: 'GBM',
      params: {
        ...window,
        ...baskets,
        ...{ exposure_hours: [48], measure, confidence: [0.95, 0.99, 0.999] },
        ...{ expected_loss: [0.001, 0.005], advance_rate: [0.95], mc_iter: 10_000 },
      },
    },
    truthPaths: 4_000_000,
  })),
  {
    name: 'GBM, one asset against USD',
    path: '/var',
    body: { type: 'GBM', params: { ...tails, ...baskets, mc_iter: 10_000 } },
  },
  {
    name: 'GBM at Sobol points, one asset against USD',
    path: '/var',
    query: 'sobol',
    body: { type: 'GBM', params: { ...tails, ...baskets, mc_iter: 16_384 } },
  },
  underType('GBM', MANY),
  {
    name: 'GBM',
    path: '/loan_risk_low_liquidity',
    body: {
      type: 'GBM',
      params: {
        ...cash,
        ...near,
        loan_value: 5e9,
        volume_lookback: 30,
        markets: [['BTC', 'USDT', 'binance']],
        participation_ratio: 0.1,
        mc_iter: 2500,
      },
    },
    truthPaths: MANY,
  },
  {
    name: 'GBM, linear long',
    path: '/isolated_perp_risk',
    body: { model: 'GBM', ...position },
    truthPaths: 100_000,
  },
  ...['GBM', 'STUDENT_T'].map(type => ({
    name: `${type}, a hedged account`,
    path: '/cross_perp_risk',
    body: { type, params: account },
    truthPaths: MANY,
  })),
  {
    name: 'GBM, N from PrMarginCall',
    path: '/loan_origination',
    only: SEARCHED,
    body: searched({ score_variable: 'PrMarginCall', score_target: 0.3 }),
    truthPaths: MANY,
  },
  {
    name: 'GBM, twenty loans',
    path: '/book_risk',
    body: { type: 'GBM', params: { ...book, mc_iter: 2000 } },
    truthPaths: 400_000,
  },
  {
    name: 'GBM, tranches of twenty loans',
    path: '/book_risk',
    only: [
      ...TRANCHES.flatMap(({ name }) =>
        ['ExpectedLoss', 'ExpectedLossPct', 'PrLoss', 'PrFullLoss'].map(
          figure => `Book / Tranches / ${name} / ${figure}`,
        ),
      ),
      ...TARGETS.map(({ name }) => `Book / Tranches / ${name} / Attach`),
      // What tranches bear, and nothing, follows from attachment points that differ from seed to seed.
      'Book / Waterfall / Reserve',
      'Book / EconomicCapital / 0.95',
    ],
    body: {
      type: 'GBM',
      params: {
        ...book,
        ...{ sale_cost: 0.05, reserve: 0.001, economic_capital: true, mc_iter: 5000 },
        tranches: [...TRANCHES, ...TARGETS],
      },
    },
    truthPaths: MANY,
  },
  {
    name: 'GBM at Sobol points, two assets against one',
    path: '/var',
    query: 'sobol',
    body: { type: 'GBM', params: { ...tails, ...mixed, mc_iter: 16_384 } },
    truthPaths: 1_048_576,
  },
  {
    name: 'GBM, two assets against one',
    path: '/var',
    body: { type: 'GBM', params: { ...tails, ...mixed, mc_iter: 10_000 } },
    truthPaths: 4_000_000,
  },
  {
    name: 'STUDENT_T, two assets against one',
    path: '/var',
    body: { type: 'STUDENT_T', params: { ...tails, ...mixed, mc_iter: 10_000 } },
    truthPaths: 4_000_000,
  },
  ofRows('FHS'),
  ofRows('FHS_EVT'),
  ofRows('BOOTSTRAP'),
  {
    name: 'GBM, N from PrUnderwater, M fixed',
    path: '/loan_origination',
    only: SEARCHED,
    body: searched({ score_variable: 'PrUnderwater', score_target: 0.1, M: 1.03 }),
    truthPaths: MANY,
  },
  {
    name: 'GBM, N from PrForcedSale, R fixed',
    path: '/loan_origination',
    only: SEARCHED,
    body: searched({ score_variable: 'PrForcedSale', score_target: 0.3, R: 1.1 }, 1000),
    truthPaths: 400_000,
  },
  {
    name: 'GBM, N from PrForcedSale',
    path: '/loan_origination',
    only: SEARCHED,
    body: searched({ score_variable: 'PrForcedSale', score_target: 0.3 }),
    truthPaths: MANY,
  },
  {
    name: 'GBM, rare events',
    path: '/loan_risk',
    body: { type: 'GBM', params: { ...cash, N: 1.16, M: 1.12, L: 1.1, R: 1.15, mc_iter: 1000 } },
    truthPaths: MANY,
  },
  {
    name: 'GBM, tail, one asset against one',
    path: '/loan_risk',
    query: 'tail',
    body: { type: 'GBM', params: { ...cash, N: 1.16, M: 1.12, L: 1.1, R: 1.15, mc_iter: 2500 } },
    truthPaths: MANY,
  },
  {
    name: 'GBM, tail, two assets against one',
    path: '/loan_risk',
    query: 'tail',
    body: { type: 'GBM', params: { ...loan, ...mixed, N: 1.12, M: 1.08, L: 1.05, R: 1.11, mc_iter: 2500 } },
    truthPaths: MANY,
  },
  {
    name: 'GBM, tail, twenty loans',
    path: '/book_risk',
    query: 'tail',
    body: { type: 'GBM', params: { ...book, quantile: [0.99, 0.999], mc_iter: 20_000 } },
    truthPaths: MANY,
  },
  farTail(8000),
  farTail(16_000),
  {
    name: 'GBM, two assets against one',
    path: '/loan_risk',
    body: { type: 'GBM', params: { ...loan, ...mixed, ...near, mc_iter: 2500 } },
    truthPaths: MANY,
  },
  {
    name: 'GBM, single loans with partial sales',
    path: '/book_risk',
    only: ofLoans(SELLING, ['AvgSales', 'AvgSoldPct']),
    body: { type: 'GBM', params: { ...monthly, sale_delay: 1, loans: SELLING, mc_iter: 300 } },
    truthPaths: 400_000,
  },
  {
    name: 'GBM, tail, single loans',
    path: '/book_risk',
    query: 'tail',
    only: [
      ...ofLoans(FALLING, ['PrMarginCall', 'PrCloseout', 'AvgSurvivalRate']),
      ...ofLoans(LOSING, ['PrUnderwater', 'AvgLossPct']),
    ],
    body: { type: 'GBM', params: { ...monthly, sale_delay: 24, loans: FALLING, mc_iter: 1000 } },
    truthPaths: 400_000,
  },
  ofCredit('GBM, credit figures of six loans', { event: 'sale' }, 5000),
  ofCredit('GBM, credit figures of six loans, events with a loss', { event: 'loss' }, 5000),
  ofCredit('GBM, tail, credit figures of six loans', { event: 'sale' }, 2000, 'tail'),
  underType('STUDENT_T', FEWER),
  underType('FHS', FEWER),
  underType('BOOTSTRAP', FEWER),
];

/** The body of a case with another number of paths. */
export function withPaths(body: Body, paths: number): Body {
  if ('params' in body) return { ...body, params: { ...(body.params as Body), mc_iter: paths } };
  return { ...body, mc_iter: paths };
}
