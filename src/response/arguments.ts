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
  positiveAmount,
  ratio,
  signedAmount,
  valueUsd,
} from '../request/fields.ts';
import { ALL_RATIOS, LTV_OF, type RatioName } from '../request/ltv.ts';
import { calendarDay, real } from './figures.ts';

const weights = z.record(z.string(), z.number().gt(0).meta({ 'x-unit': 'fraction' })).meta({
  description: 'Weights as sent, under upper-case symbols; CASH is shown as USD.',
});

const analysisDate = calendarDay('Last day of the window, as used.');

const levels = z
  .array(z.number().gt(0).lt(1).meta({ 'x-unit': 'fraction' }))
  .meta({ description: 'Levels as sent.' });

const shock = real(
  'Relative change of every volatility, as used; absent where the methodology takes none.',
  'fraction',
);

const priceShock = z
  .record(z.string(), z.number().gt(-1).meta({ 'x-unit': 'fraction' }))
  .meta({ description: 'Changes of prices at the start, as sent, under upper-case symbols.' })
  .optional();

const indexLevels = z
  .strictObject({
    BTC: real('Level of the volatility index of BTC.', 'percent per year'),
    ETH: real('Level of the volatility index of ETH.', 'percent per year'),
  })
  .meta({ description: 'Volatility index at the last close of the window; GBM_VIX only.' });

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
  z
    .record(z.string(), z.number().gt(0).meta({ description: 'Units.', 'x-unit': 'asset units' }))
    .meta({
      description: `Amounts of the ${side} as sent, under upper-case symbols; weights follow from them.`,
    })
    .optional();
const prices = z
  .record(z.string(), z.number().gt(0).meta({ description: 'Price.', 'x-unit': 'USD per unit' }))
  .meta({ description: 'Prices at which amounts were valued; only with amounts.' })
  .optional();

/** What /loan_origination has as well, which finds N, M and R. */
const anyLoan = {
  ...baskets,
  loan: unitsOf('loan'),
  prices,
  loan_value: valueUsd.meta({ description: 'Value of the loan at the start.' }),
  L: ratio.meta({ description: 'Liquidation ratio.' }),
  N: ratio.meta({ description: 'Nominal ratio.' }),
  M: ratio.meta({ description: 'Margin call ratio.' }),
  R: ratio.meta({ description: 'Recovery ratio.' }),
  ...liquidationLtv,
  ...drawn,
};
const loan = { ...anyLoan, collateral: unitsOf('collateral'), ...sentLtvs };

export const loanArguments = z.strictObject({ ...loan, price_shock: priceShock });

export const originationArguments = z.strictObject({
  ...anyLoan,
  price_shock: priceShock,
  opt_param: z.looseObject({}).meta({ description: 'The search as sent.' }),
});

const markets = z
  .array(z.array(z.string()).length(3))
  .meta({ description: 'Trading pairs: base and quote upper-case, exchange lower-case.' });

export const lowLiquidityArguments = z.strictObject({
  ...loan,
  price_shock: priceShock,
  markets,
});

export const valueAtRiskArguments = z.strictObject({
  ...baskets,
  var_duration: z.array(durationDays).meta({ description: 'Horizons as sent.' }),
  quantile: levels,
  price_shock: priceShock,
  ...drawn,
  lookback_factor: real('Days of prices that were read, over model_lookback.', 'none'),
  dt: real('Length of a step of the grid; HISTORICAL only.', 'days').optional(),
  var_duration_max: real('Longest horizon; HISTORICAL only.', 'days').optional(),
});

export const perpetualArguments = z.strictObject({
  model: z.string().meta({ description: 'Methodology, as sent.' }),
  market: z.string().meta({ description: 'Symbol of the asset, upper-case.' }),
  contract_type: choice(['linear', 'inverse']).meta({ description: 'Contract type, as sent.' }),
  funding_method: choice(['flat', 'debitflat']).meta({ description: 'Funding method, as sent.' }),
  initial_margin: positiveAmount.meta({ description: 'Margin deposited.', 'x-unit': 'margin currency' }),
  funding_rate: fundingRate,
  contract_size: positiveAmount
    .meta({ description: 'Asset units per contract.', 'x-unit': 'asset units' })
    .optional(),
  contract_value_usd: positiveAmount
    .meta({ description: 'Value of a contract.', 'x-unit': 'USD' })
    .optional(),
  analysis_date: analysisDate,
  unrealized_pnl: signedAmount.meta({
    description: 'Profit or loss at the start, as used.',
    'x-unit': 'margin currency',
  }),
  price_shock: priceShock,
  mc_iter: mcIter(MAX_PERPETUAL_PATHS).optional(),
  volatility_shock: shock.optional(),
});

const { collateral_weights, loan_weights } = baskets;
const { analysis_date: _date, mc_iter, volatility_shock, vix_data, prices: _prices, ...loanTerms } = loan;

export const bookArguments = z.strictObject({
  analysis_date: analysisDate,
  sale_delay: z.int().min(0).meta({ description: 'Delay of sales, as used.', 'x-unit': 'hours' }),
  sale_cost: z.number().min(0).meta({ description: 'Cost of sales, as used.', 'x-unit': 'fraction' }),
  quantile: levels,
  price_shock: priceShock,
  prices,
  loans: z
    .array(
      z.strictObject({
        ...loanTerms,
        collateral_weights,
        loan_weights,
        id: z.string().meta({ description: 'Name of the loan.' }),
      }),
    )
    .meta({ description: 'The loans as processed.' }),
  mc_iter: mcIter(MAX_BOOK_PATHS).optional(),
  volatility_shock,
  vix_data,
});

const { price_shock: _priceShock, mc_iter: _paths, ...bookOfStress } = bookArguments.shape;

export const stressArguments = z.strictObject({
  ...bookOfStress,
  mc_iter: z
    .int()
    .min(0)
    .max(MAX_BOOK_PATHS)
    .meta({ description: 'Paths of each scenario, as sent.', 'x-unit': 'paths' })
    .optional(),
  scenarios: z
    .array(
      z.strictObject({
        name: z.string().meta({ description: 'Name of the scenario.' }),
        price_shock: priceShock,
        volatility_shock: shock.optional(),
        replay: z
          .strictObject({
            name: z.string().meta({ description: 'Name of the window.' }).optional(),
            from: z.string().meta({ description: 'Hour of the first price.' }),
            hours: z.int().min(1).meta({ description: 'Hours that are replayed.', 'x-unit': 'hours' }),
            proxy: z
              .record(
                z.string(),
                z.strictObject({
                  asset: z.string().meta({ description: 'Asset whose log returns are taken.' }),
                  beta: real('What they are multiplied by.', 'none'),
                }),
              )
              .meta({ description: 'What stands in for assets without hours, as sent.' })
              .optional(),
          })
          .meta({ description: 'The replay, its window looked up.' })
          .optional(),
      }),
    )
    .meta({ description: 'The scenarios as processed, base left out.' }),
  compare: z.looseObject({}).meta({ description: 'Terms that are compared, as sent.' }).optional(),
});

export const backtestArguments = z.strictObject({
  weights,
  short_weights: weights.optional(),
  horizon: z.int().min(1).max(10).meta({ description: 'Horizon, as used.', 'x-unit': 'days' }),
  quantile: levels,
  from: calendarDay('Day of the first forecast.'),
  to: calendarDay('Day of the last forecast.'),
  mc_iter,
  volatility_shock,
});
