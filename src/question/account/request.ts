/** The request of /cross_perp_risk: the schema of its members; what follows from them is resolved in `resolve.ts`. */
import { z } from 'zod';
import type { Day } from '../../text/calendar-date.ts';
import { isObject, requirement } from '../../text/message.ts';
import { isSteady, type ResolveSymbol } from '../../text/symbols.ts';
import { amountPrices } from '../request/amounts.ts';
import {
  analysisDate,
  bookQuantiles,
  choice,
  entryPrice,
  formOf,
  fundingIntervalHours,
  fundingNumber,
  identifier,
  MAX_BOOK_PATHS,
  mcIter,
  meaning,
  members,
  modelLookback,
  number,
  positionSize,
  positiveAmount,
  symbol,
  wholeNumber,
} from '../request/fields.ts';
import { perDay } from '../request/parse.ts';
import { priceShock } from '../request/price-shock.ts';
import { proxies } from '../request/proxies.ts';
import { type Rule, rule, withRules } from '../request/rules.ts';
import { symbolMap } from '../request/weight-map.ts';
import { typedRequest } from '../typed-request.ts';
import { fractionsByAsset, ruleSet, tierTable } from './rules-schema.ts';

export const MAX_POSITIONS = 32;
/** Distinct assets over markets, collateral and settlement; USD is none. */
export const MAX_ACCOUNT_ASSETS = 15;
const MAX_LOOKBACK_DAYS = 1000;
const DEFAULT_PATHS = 10_000;
const MAX_AMOUNT = 1e15;

const rateDeviation = number('from 0 to 0.1').min(0).max(0.1);
const processMembers = {
  mean: meaning(
    fundingNumber('from -0.999999 to 0.999999'),
    'Mean, per settlement of a rate, per 8 hours of a premium.',
    'fraction',
  ),
  deviation: meaning(rateDeviation, 'Standard deviation, likewise.', 'fraction'),
  half_life_hours: meaning(
    number('from 1 to 8760').min(1).max(8760),
    'Half life of a deviation from the mean.',
    'hours',
  ),
  correlation: meaning(
    number('from -1 to 1').min(-1).max(1),
    'Correlation of its shocks with the returns of the market.',
    'none',
  ),
};
const PROCESSES = {
  rate: members({ process: z.literal('rate'), ...processMembers }),
  premium: members({
    process: z.literal('premium'),
    ...processMembers,
    start: meaning(
      fundingNumber('from -0.999999 to 0.999999'),
      'Premium at the start. Default: the mean.',
      'fraction',
    ).optional(),
  }),
  fit: members({
    process: z.literal('rate', { error: requirement('rate, the only process that is fitted') }),
    fit: z.literal('historical', { error: requirement('historical') }),
  }),
} as const;

export type SentProcess =
  | z.infer<typeof PROCESSES.rate>
  | z.infer<typeof PROCESSES.premium>
  | z.infer<typeof PROCESSES.fit>;

const FUNDING_BOUND = 'from -0.999999 to 0.999999, "historical", or a process';
const constantRate = z.union([fundingNumber(FUNDING_BOUND), z.literal('historical')], {
  error: requirement(FUNDING_BOUND),
});

const processOf = (sent: Readonly<Record<string, unknown>>) =>
  'fit' in sent ? PROCESSES.fit : sent.process === 'premium' ? PROCESSES.premium : PROCESSES.rate;

const fundingRate = meaning(
  z
    .unknown()
    .meta({ anyOf: [constantRate, ...Object.values(PROCESSES)].map(formOf) })
    .transform((sent, context): number | 'historical' | SentProcess => {
      const schema: z.ZodType = isObject(sent) ? processOf(sent) : constantRate;
      const read = schema._zod.run({ value: sent, issues: [] }, { async: false });
      if (read instanceof Promise) throw new Error('The schema of a rate reads it at once.');
      context.issues.push(...read.issues);
      return read.value as number | 'historical' | SentProcess;
    }),
  'Funding rate per interval, longs pay a positive one: a number, the mean of the settled rates of the lookback (historical), or a process.',
  'fraction of the notional per interval',
);

type SentRow = z.infer<ReturnType<typeof positionRow>>;
const rowMembers = (resolve: ResolveSymbol) => ({
  id: meaning(identifier, 'Name of the position, unique. Default: its place, from 1.').optional(),
  market: meaning(symbol(resolve), 'Symbol of the underlying asset, in any case.'),
  contract_type: meaning(choice(['linear', 'inverse']), 'Contract type.'),
  position_size: positionSize,
  contract_size: meaning(
    positiveAmount,
    'Asset units per contract, linear only. Default: 1.',
    'asset units',
  ).optional(),
  contract_value_usd: meaning(
    positiveAmount,
    'Value of a contract, inverse only. Default: 1.',
    'USD',
  ).optional(),
  entry_price: entryPrice,
  mark_price: meaning(
    number('from 0.000001 to 1e15 USD').min(1e-6).max(MAX_AMOUNT),
    'Mark price at the start. Default: the start price of the market.',
    'USD per asset unit',
  ).optional(),
  funding_rate: fundingRate,
  funding_interval_hour: meaning(
    fundingIntervalHours,
    'Time between two funding payments. Default: that of the venue.',
    'hours',
  ).optional(),
  settle: meaning(
    symbol(resolve),
    'Settlement: USD, USDC, USDT or DAI of a linear position, default USD; an inverse one settles in its market.',
  ).optional(),
  tiers: meaning(tierTable, "Maintenance margins, in place of the venue's.").optional(),
  depth: meaning(
    number('from 0 to 1e15').min(0).max(MAX_AMOUNT),
    'What finds a counterparty in forced closes. Default: no limit.',
    'USD an hour',
  ).optional(),
  hourly_volume: meaning(
    number('above 0 and at most 1e15').gt(0).max(MAX_AMOUNT),
    'Volume of the market; required where slippage grows.',
    'USD an hour',
  ).optional(),
});

const ROW_RULES: readonly Rule<SentRow>[] = [
  rule(
    ['contract_type', 'contract_size'],
    'contract_size',
    row => row.contract_type === 'linear' || row.contract_size === undefined,
    () => 'absent for an inverse contract, whose size is contract_value_usd',
    row => Number(row.contract_size),
  ),
  rule(
    ['contract_type', 'contract_value_usd'],
    'contract_value_usd',
    row => row.contract_type === 'inverse' || row.contract_value_usd === undefined,
    () => 'absent for a linear contract, whose size is contract_size',
    row => Number(row.contract_value_usd),
  ),
  rule(
    ['contract_type', 'settle', 'market'],
    'settle',
    ({ contract_type, settle, market }) =>
      settle === undefined || (contract_type === 'linear' ? isSteady(settle) : settle === market),
    ({ contract_type, market }) =>
      contract_type === 'linear'
        ? 'USD, USDC, USDT or DAI'
        : `${market}: an inverse contract settles in its market`,
    ({ settle }) => String(settle),
  ),
  rule(
    ['market'],
    'market',
    ({ market }) => market !== 'USD',
    () => 'an asset other than USD, in which prices are counted',
    ({ market }) => market,
  ),
  rule(
    ['funding_rate', 'funding_interval_hour'],
    'funding_interval_hour',
    ({ funding_rate, funding_interval_hour: hours }) =>
      typeof funding_rate !== 'object' || hours === undefined || (Number.isInteger(hours) && hours >= 1),
    () => 'a whole number of hours where funding_rate is a process',
    ({ funding_interval_hour: hours }) => Number(hours),
  ),
];

const positionRow = (resolve: ResolveSymbol) => members(rowMembers(resolve));

const accountMembers = (today: Day, resolve: ResolveSymbol) => ({
  collateral: meaning(
    symbolMap(
      resolve,
      `an amount other than 0 and at most ${MAX_AMOUNT} in size`,
      'asset units',
      [{ BTC: 1, USD: 5000 }],
      units => units !== 0 && Math.abs(units) <= MAX_AMOUNT,
    ),
    'Balances of the account; a negative one is a debt. 1 to 15 assets.',
  ),
  haircuts: fractionsByAsset(
    "Share of a credit that does not count as margin; `*` is every other asset. Default: the venue's, else 0.",
    'from 0 to 1',
    1,
  ).optional(),
  positions: meaning(
    z
      .array(withRules(positionRow(resolve), ...ROW_RULES), {
        error: requirement(`a list of 1 to ${MAX_POSITIONS} positions`),
      })
      .min(1)
      .max(MAX_POSITIONS),
    'The positions. They are never netted.',
  ),
  venue: meaning(
    z
      .string({ error: requirement('the name of a venue') })
      .min(1)
      .max(32),
    'Venue whose rules apply; or rules.',
  ).optional(),
  rules: ruleSet.optional(),
  horizon_hours: meaning(wholeNumber(1, 87_600), 'Hours that the account is followed.', 'hours'),
  model_lookback: modelLookback(1, MAX_LOOKBACK_DAYS),
  proxy: proxies(resolve),
  analysis_date: analysisDate(today),
  ...amountPrices(resolve),
  price_shock: priceShock(resolve),
  margin_call_ratio: meaning(
    number('from 0.1 to 1').min(0.1).max(1),
    'Maintenance over margin equity at which a margin call warns.',
    'none',
  ).default(0.8),
  fee_rate: meaning(
    number('from 0 to 0.5').min(0).max(0.5),
    "Fee of a forced close. Default: the venue's.",
    'fraction of the notional',
  ).optional(),
  slippage: meaning(
    number('from 0 to 0.5').min(0).max(0.5),
    'Cost of a forced close.',
    'fraction of the price',
  ).default(0),
  slippage_growth: meaning(
    number('from 0 to 10').min(0).max(10),
    'Growth of slippage with the root of the size over hourly_volume.',
    'none',
  ).default(0),
  feed_lag_hours: meaning(
    wholeNumber(0, 6),
    'Hours by which the prices that decide are late.',
    'hours',
  ).default(0),
  intra_hour: meaning(
    choice(['bridge', 'none']),
    'Whether touches between the hours are looked for. Default: bridge, with a lag none.',
  ).optional(),
  intra_hour_variance: meaning(
    number('from 0.25 to 4').min(0.25).max(4),
    'Variance within an hour over that of its return. Default: 1; with bridge only.',
    'none',
  ).optional(),
  funding_method: meaning(
    choice(['flat', 'debitflat']),
    'flat: funding is paid and received; debitflat: it is only paid.',
  ).default('flat'),
  quantile: bookQuantiles.default([0.95, 0.99]),
});

type Members = z.infer<z.ZodObject<ReturnType<typeof accountMembers>>>;

const RULES: readonly Rule<Members>[] = [
  rule(
    ['venue', 'rules'],
    'venue',
    ({ venue, rules }) => (venue === undefined) !== (rules === undefined),
    () => 'present, or rules in its place, and not both',
    ({ venue }) => (venue === undefined ? 'neither' : 'both'),
  ),
  rule(
    ['feed_lag_hours', 'intra_hour'],
    'intra_hour',
    ({ feed_lag_hours, intra_hour }) => feed_lag_hours === 0 || intra_hour !== 'bridge',
    () => 'none where feed_lag_hours is above 0',
    () => 'bridge',
  ),
  rule(
    ['feed_lag_hours', 'intra_hour', 'intra_hour_variance'],
    'intra_hour_variance',
    ({ feed_lag_hours, intra_hour, intra_hour_variance }) =>
      intra_hour_variance === undefined || (intra_hour !== 'none' && feed_lag_hours === 0),
    () => 'absent without a bridge within the hour',
    ({ intra_hour_variance }) => Number(intra_hour_variance),
  ),
];

export const accountRequest = perDay((today: Day, resolve) =>
  typedRequest('account', {
    terms: accountMembers(today, resolve),
    mostLookbackDays: MAX_LOOKBACK_DAYS,
    rules: RULES,
    paths: mcIter(MAX_BOOK_PATHS).default(DEFAULT_PATHS),
  }),
);

export type SentAccount = z.infer<ReturnType<typeof accountRequest>>['params'];
