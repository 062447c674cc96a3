/**
 * `Arguments` of the answers: the processed request, and additions of the service.
 *
 * Symbols are upper-case, CASH is USD, defaults are filled in, members that the methodology does not use are left out. This file declares
 * the members in another form than in the request, and the additions; openapi.json has all others as in the request
 * (`openapi/arguments.ts`).
 */
import { z } from 'zod';
import {
  choice,
  durationDays,
  fundingRate,
  MAX_BOOK_PATHS,
  MAX_PERPETUAL_PATHS,
  mcIter,
  meaning,
  positiveAmount,
  ratio,
  signedAmount,
  valueUsd,
} from '../../../question/request/fields.ts';
import { ALL_RATIOS, LTV_OF, type RatioName } from '../../../question/request/ltv.ts';
import { calendarDay, count, keyed, list, nonNegative, object, positive, real, text } from './figures.ts';

const weights = keyed(
  'Weights as sent, under upper-case symbols; CASH is shown as USD.',
  z.number().gt(0).meta({ 'x-unit': 'fraction' }),
);

const analysisDate = calendarDay('Last day of the window, as used.');

const levels = list('Levels as sent.', z.number().gt(0).lt(1).meta({ 'x-unit': 'fraction' }));

const shock = real(
  'Relative change of every volatility, as used; absent where the methodology takes none.',
  'fraction',
);

const priceShock = keyed(
  'Changes of prices at the start, as sent, under upper-case symbols.',
  z.number().gt(-1).meta({ 'x-unit': 'fraction' }),
).optional();

const indexLevels = object('Volatility index at the last close of the window; GBM_VIX only.', {
  BTC: real('Level of the volatility index of BTC.', 'percent per year'),
  ETH: real('Level of the volatility index of ETH.', 'percent per year'),
});

const baskets = { collateral_weights: weights, loan_weights: weights, analysis_date: analysisDate };

const drawn = {
  mc_iter: mcIter().optional(),
  volatility_shock: shock.optional(),
  vix_data: indexLevels.optional(),
};

const sentLtv = (name: RatioName) =>
  real(`${name} as it was sent, as loan over collateral.`, 'loan value / collateral value').optional();
const liquidationLtv = { [LTV_OF.L]: sentLtv('L') };
const sentLtvs = Object.fromEntries(ALL_RATIOS.map(name => [LTV_OF[name], sentLtv(name)]));

const unitsOf = (side: string) =>
  keyed(
    `Amounts of the ${side} as sent, under upper-case symbols; weights follow from them.`,
    positive('Units.', 'asset units'),
  ).optional();
const prices = keyed(
  'Prices at which amounts were valued; only with amounts.',
  positive('Price.', 'USD per unit'),
).optional();

/** What /loan_origination has as well, which finds N, M and R. */
const anyLoan = {
  ...baskets,
  loan: unitsOf('loan'),
  prices,
  loan_value: meaning(valueUsd, 'Initial loan value.'),
  L: meaning(ratio, 'Liquidation ratio.'),
  N: meaning(ratio, 'Nominal ratio.'),
  M: meaning(ratio, 'Margin call ratio.'),
  R: meaning(ratio, 'Recovery ratio.'),
  ...liquidationLtv,
  ...drawn,
};
const loan = { ...anyLoan, collateral: unitsOf('collateral'), ...sentLtvs };

export const loanArguments = z.strictObject({ ...loan, price_shock: priceShock });

export const originationArguments = z.strictObject({
  ...anyLoan,
  price_shock: priceShock,
  opt_param: meaning(z.looseObject({}), 'The search as sent.'),
});

const markets = list(
  'Trading pairs: base and quote upper-case, exchange lower-case.',
  z.array(z.string()).length(3),
);

export const lowLiquidityArguments = z.strictObject({
  ...loan,
  price_shock: priceShock,
  markets,
});

export const valueAtRiskArguments = z.strictObject({
  ...baskets,
  var_duration: list('Horizons as sent.', durationDays),
  quantile: levels,
  price_shock: priceShock,
  ...drawn,
  lookback_factor: real('Days of prices read, over model_lookback.', 'none'),
  dt: real('Length of a step of the grid; HISTORICAL only.', 'days').optional(),
  var_duration_max: real('Longest horizon; HISTORICAL only.', 'days').optional(),
});

export const perpetualArguments = z.strictObject({
  model: text('Methodology, as sent.'),
  market: text('Symbol of the asset, upper-case.'),
  contract_type: meaning(choice(['linear', 'inverse']), 'Contract type, as sent.'),
  funding_method: meaning(choice(['flat', 'debitflat']), 'Funding method, as sent.'),
  initial_margin: meaning(positiveAmount, 'Margin deposited.', 'margin currency'),
  funding_rate: fundingRate,
  contract_size: meaning(positiveAmount, 'Asset units per contract.', 'asset units').optional(),
  contract_value_usd: meaning(positiveAmount, 'Value of a contract.', 'USD').optional(),
  analysis_date: analysisDate,
  unrealized_pnl: meaning(signedAmount, 'Profit or loss at the start, as used.', 'margin currency'),
  price_shock: priceShock,
  mc_iter: mcIter(MAX_PERPETUAL_PATHS).optional(),
  volatility_shock: shock.optional(),
});

const { collateral_weights, loan_weights } = baskets;
const { analysis_date: _date, mc_iter, volatility_shock, vix_data, prices: _prices, ...loanTerms } = loan;

export const bookArguments = z.strictObject({
  analysis_date: analysisDate,
  sale_delay: count('Delay of sales, as used.', 'hours'),
  sale_cost: nonNegative('Cost of sales, as used.', 'fraction'),
  quantile: levels,
  price_shock: priceShock,
  prices,
  loans: list(
    'The loans as processed.',
    z.strictObject({
      ...loanTerms,
      collateral_weights,
      loan_weights,
      id: text('Name of the loan.'),
    }),
  ),
  mc_iter: mcIter(MAX_BOOK_PATHS).optional(),
  volatility_shock,
  vix_data,
});

const { price_shock: _priceShock, mc_iter: _paths, ...bookOfStress } = bookArguments.shape;

export const stressArguments = z.strictObject({
  ...bookOfStress,
  mc_iter: meaning(z.int().min(0).max(MAX_BOOK_PATHS), 'Paths a scenario, as sent.', 'paths').optional(),
  scenarios: list(
    'The scenarios as processed, without base.',
    z.strictObject({
      name: text('Name of the scenario.'),
      price_shock: priceShock,
      volatility_shock: shock.optional(),
      replay: object('The replay, its window looked up.', {
        name: text('Name of the window.').optional(),
        from: text('Hour of the first price.'),
        hours: meaning(z.int().min(1), 'Number of replayed hours.', 'hours'),
        proxy: keyed(
          'Replacements for assets without hourly prices, as sent.',
          z.strictObject({
            asset: text('Asset that provides the log returns.'),
            beta: real('Factor of the log returns.', 'none'),
          }),
        ).optional(),
      }).optional(),
    }),
  ),
  compare: meaning(z.looseObject({}), 'Terms that are compared, as sent.').optional(),
});

export const backtestArguments = z.strictObject({
  weights,
  short_weights: weights.optional(),
  horizon: meaning(z.int().min(1).max(10), 'Horizon, as used.', 'days'),
  quantile: levels,
  from: calendarDay('Day of the first forecast.'),
  to: calendarDay('Day of the last forecast.'),
  mc_iter,
  volatility_shock,
});
