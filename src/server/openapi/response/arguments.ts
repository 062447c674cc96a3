/**
 * `Arguments` of the answers: what they show otherwise than the request declares it, and additions of the service.
 *
 * Symbols are upper-case, CASH is USD, defaults are filled in, members that the methodology does not use are left out.
 */
import { z } from 'zod';
import { choice, fundingRate, meaning, ratio } from '../../../question/request/fields.ts';
import { ALL_RATIOS } from '../../../question/request/ltv.ts';
import type { ShownArguments } from '../arguments.ts';
import { keyed, list, object, real, text } from './figures.ts';

const shock = real('Relative change of every volatility, as used.', 'fraction').optional();
const priceShock = keyed(
  'Changes of prices at the start, as sent, under upper-case symbols.',
  z.number().gt(-1).meta({ 'x-unit': 'fraction' }),
).optional();

const index = {
  vix_data: object('Volatility index at the last close of the window; GBM_VIX only.', {
    BTC: real('Level of the volatility index of BTC.', 'percent per year'),
    ETH: real('Level of the volatility index of ETH.', 'percent per year'),
  }).optional(),
};

/** They follow from amounts and LTVs. */
const FOLLOWING = ['collateral_weights', 'loan_weights', 'loan_value', ...ALL_RATIOS];

/** Of a loan, with or without a cap of sales. */
export const loanArguments: ShownArguments = { always: FOLLOWING, members: index };

export const originationArguments: ShownArguments = {
  always: FOLLOWING,
  members: {
    ...index,
    N: meaning(ratio, 'Nominal ratio.'),
    M: meaning(ratio, 'Margin call ratio.'),
    R: meaning(ratio, 'Recovery ratio.'),
  },
};

export const valueAtRiskArguments: ShownArguments = {
  members: {
    ...index,
    lookback_factor: real('Days of prices read, over model_lookback.', 'none'),
    dt: real('Length of a step of the grid; HISTORICAL only.', 'days').optional(),
    var_duration_max: real('Longest horizon; HISTORICAL only.', 'days').optional(),
  },
};

export const advanceRateArguments: ShownArguments = { members: index };

export const perpetualArguments: ShownArguments = {
  members: {
    model: text('Methodology, as sent.'),
    contract_type: meaning(choice(['linear', 'inverse']), 'Contract type, as sent.'),
    funding_rate: fundingRate,
  },
};

export const accountArguments: ShownArguments = {
  always: ['haircuts', 'intra_hour', 'prices'],
  members: {
    rules: meaning(
      z.looseObject({}),
      'The rules as used, with the tables of the markets at hand: sent back as rules, without venue, they give the same answer.',
    ),
  },
  entries: { positions: { always: ['id', 'mark_price', 'funding_interval_hour', 'settle'] } },
};

export const bookArguments: ShownArguments = { members: index, entries: { loans: { always: FOLLOWING } } };

export const stressArguments: ShownArguments = {
  ...bookArguments,
  members: {
    ...index,
    scenarios: list(
      'The scenarios as processed, without base.',
      z.strictObject({
        name: text('Name of the scenario.'),
        price_shock: priceShock,
        volatility_shock: shock,
        reverse: meaning(z.looseObject({}), 'As sent, with its defaults.').optional(),
        replay: object('The replay, its window looked up.', {
          name: text('Name of the window.').optional(),
          from: text('Hour of the first price.'),
          hours: meaning(z.int().min(1), 'Number of replayed hours.', 'hours'),
          proxy: keyed(
            'Replacements for assets without hourly prices, as sent.',
            z.strictObject({
              asset: text('Asset that provides the log returns.'),
              beta: real(
                'Factor of the log returns; absent: that of the daily closes of both.',
                'none',
              ).optional(),
            }),
          ).optional(),
        }).optional(),
      }),
    ),
  },
};

export const backtestArguments: ShownArguments = {};
