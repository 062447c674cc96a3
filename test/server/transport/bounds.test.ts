/** Every bound of methodology part 2, just inside and just outside, over HTTP. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { methodologiesOf } from '#src/models/methodology/methodologies.js';
import type { QuestionName } from '#src/models/methodology/methodology.js';
import type { RunningServer } from '#src/server/transport/server.js';
import { post, problem, serve } from '../../support/http-app.ts';
import { GOOD_BODIES, withMember } from '../../support/request-bodies.ts';

let server: RunningServer;
beforeAll(async () => {
  server = await serve();
});
afterAll(() => server.drain(1000));

type Path = keyof typeof GOOD_BODIES;

interface Bound {
  /** The member as its fault names it, with the envelope's `params`. */
  readonly member: string;
  readonly at: readonly Path[];
  readonly inside: readonly unknown[];
  readonly outside: readonly unknown[];
  /** Words of the bound that the message must hold. */
  readonly words: RegExp;
  /** Changes the good body before the member is set. */
  readonly given?: Readonly<Record<string, unknown>>;
}

const LOANS: readonly Path[] = ['/loan_risk', '/loan_origination', '/loan_risk_low_liquidity'];
const ENVELOPES: readonly Path[] = [...LOANS, '/var'];
const RATIOS: readonly Path[] = ['/loan_risk', '/loan_risk_low_liquidity'];
const PERPETUAL: readonly Path[] = ['/isolated_perp_risk'];
const ORIGINATION: readonly Path[] = ['/loan_origination'];
const LOW_LIQUIDITY: readonly Path[] = ['/loan_risk_low_liquidity'];

const namesFor = (question: QuestionName): string[] => methodologiesOf(question).map(({ name }) => name);
const oneOf = (names: readonly string[]) => new RegExp(`one of ${names.join(', ')}(;|$)`);

/** Values that are no numbers, or not ones that JSON has. */
const NO_NUMBERS = ['1', null, true, [1], {}];
const symbols = (count: number, prefix = 'S') =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`${prefix}${i}`, 1 / count]));
const upTo = (count: number, element: (i: number) => unknown) =>
  Array.from({ length: count }, (_, i) => element(i + 1));

const BOUNDS: readonly Bound[] = [
  {
    member: 'params.collateral_weights',
    at: ENVELOPES,
    inside: [{ BTC: 1 }, { BTC: 0.5, ETH: 0.500001 }, { BTC: 0.5, ETH: 0.499999 }, symbols(32)],
    outside: [
      {},
      symbols(33),
      { BTC: 0.5, ETH: 0.5000012 },
      { BTC: 0.5, ETH: 0.4999988 },
      [],
      null,
      'BTC',
      1,
    ],
    words: /symbols|sum to 1 within 1e-6/,
    given: { 'params.loan_weights': { S0: 1 } },
  },
  {
    member: 'params.loan_weights.USD',
    at: ENVELOPES,
    inside: [1, 0.9999991, 1.0000009],
    outside: [0, -1, ...NO_NUMBERS],
    words: /a weight above 0/,
  },
  {
    member: 'params.loan_weights',
    at: ENVELOPES,
    inside: [symbols(31)],
    outside: [symbols(32)],
    words: /at most 32 distinct symbols/,
    given: { 'params.collateral_weights': { T: 1 } },
  },
  {
    member: 'params.model_lookback',
    at: ['/loan_risk', '/loan_origination', '/var'],
    inside: [2, 3650],
    outside: [1, 3651, 2.5, 1e300, ...NO_NUMBERS],
    words: /a whole number from 2 to 3650/,
  },
  {
    member: 'params.model_lookback',
    at: LOW_LIQUIDITY,
    inside: [30, 3650],
    outside: [29, 3651],
    words: /a whole number from 30 to 3650/,
  },
  {
    member: 'params.model_lookback',
    at: LOW_LIQUIDITY,
    inside: [2, 3650],
    outside: [1, 3651],
    words: /a whole number from 2 to 3650/,
    given: { type: 'GBM' },
  },
  {
    member: 'model_lookback',
    at: PERPETUAL,
    inside: [1, 1000],
    outside: [0, 1001, 1.5, ...NO_NUMBERS],
    words: /a whole number from 1 to 1000/,
  },
  {
    member: 'params.model_lookback',
    at: ['/loan_risk', '/loan_origination', '/var'],
    inside: [200, 3650],
    outside: [199, 3651],
    words: /a whole number from 200 to 3650/,
    given: { type: 'FHS_EVT' },
  },
  {
    member: 'model_lookback',
    at: PERPETUAL,
    inside: [200, 1000],
    outside: [199, 1001],
    words: /a whole number from 200 to 1000/,
    given: { model: 'FHS_EVT' },
  },
  {
    member: 'params.volume_lookback',
    at: LOW_LIQUIDITY,
    inside: [1, 3650],
    outside: [0, 3651, 1.5, ...NO_NUMBERS],
    words: /a whole number from 1 to 3650/,
  },
  {
    member: 'params.loan_duration',
    at: LOANS,
    inside: [0.01, 3650],
    outside: [0, -1, 3650.1, ...NO_NUMBERS],
    words: /above 0 and at most 3650 days/,
  },
  {
    member: 'params.interest_rate',
    at: LOANS,
    inside: [-0.5, 0, 10],
    outside: [-0.51, 10.1, ...NO_NUMBERS],
    words: /from -0.5 to 10 a year/,
  },
  {
    member: 'params.interest_rate',
    at: LOANS,
    inside: [-0.09],
    outside: [-0.11],
    words: /above -0.1, so that a debt is left at the end of the term/,
    given: { 'params.loan_duration': 3650 },
  },
  {
    member: 'params.called_hours_ago',
    at: RATIOS,
    inside: [0, 87_600],
    outside: [-1, 87_601, ...NO_NUMBERS],
    words: /from 0 to 87600 hours/,
    given: { 'params.N': 1.2 },
  },
  {
    member: 'params.called_hours_ago',
    at: RATIOS,
    inside: [],
    outside: [0, 6],
    words: /absent where N \(1.5\) is at least M \(1.3\): the loan is not in call at the start; leave it out/,
  },
  {
    member: 'params.top_up',
    at: RATIOS,
    inside: [
      { share: 0, delay_hours: 1 },
      { share: 1, delay_hours: 24, to: 1.7 },
      { share: 0.5, delay_hours: 24, to: 100 },
      { share: 0.5, delay_hours: 24, to_ltv: 0.5 },
    ],
    outside: [null, 1, 'R', []],
    words: /an object/,
  },
  {
    member: 'params.top_up.delay_hours',
    at: RATIOS,
    inside: [1, 24],
    outside: [0, 1.5, 25, ...NO_NUMBERS],
    words: /a whole number from 1 to 8760|at most mc_top_up \(24 hours\)/,
    given: { 'params.top_up': { share: 0.5, delay_hours: 1 } },
  },
  {
    member: 'params.top_up.share',
    at: RATIOS,
    inside: [0, 1],
    outside: [-0.1, 1.1, ...NO_NUMBERS],
    words: /from 0 to 1/,
    given: { 'params.top_up': { share: 0.5, delay_hours: 1 } },
  },
  {
    member: 'params.borrower',
    at: RATIOS,
    inside: ['a', 'x'.repeat(64)],
    outside: ['', null, 1, {}],
    words: /a string of 1 to 64 characters/,
  },
  {
    member: 'params.var_duration.0',
    at: ['/var'],
    inside: [0.01, 3650],
    outside: [0, -1, 3650.1, ...NO_NUMBERS],
    words: /above 0 and at most 3650 days/,
  },
  {
    member: 'params.var_duration',
    at: ['/var'],
    inside: [[1], upTo(64, i => i)],
    outside: [[], upTo(65, i => i), 30, null, {}],
    words: /a list of 1 to 64 horizons/,
  },
  {
    member: 'params.quantile.0',
    at: ['/var'],
    inside: [0.0001, 0.9999],
    outside: [0, 1, -0.1, 95, ...NO_NUMBERS],
    words: /above 0 and below 1/,
  },
  {
    member: 'params.quantile',
    at: ['/var'],
    inside: [[0.5], upTo(64, i => i / 65)],
    outside: [[], upTo(65, i => i / 66), 0.5],
    words: /a list of 1 to 64 quantiles/,
  },
  {
    member: 'params.mc_iter',
    at: ENVELOPES,
    inside: [1, 10_000_000],
    outside: [0, 10_000_001, 1.5, undefined, ...NO_NUMBERS],
    words: /a whole number from 1 to 10000000/,
  },
  {
    member: 'mc_iter',
    at: PERPETUAL,
    inside: [1, 100_000, undefined],
    outside: [0, 100_001, 1.5, ...NO_NUMBERS],
    words: /a whole number from 1 to 100000/,
  },
  {
    member: 'params.mc_top_up',
    at: LOANS,
    inside: [0, 0.5, 8760],
    outside: [-0.1, 8760.1, ...NO_NUMBERS],
    words: /from 0 to 8760 hours/,
  },
  {
    member: 'params.L',
    at: RATIOS,
    inside: [1e-9, 1.2999],
    outside: [0, -1, 100.1, ...NO_NUMBERS],
    words: /above 0 and at most 100/,
  },
  { member: 'params.M', at: RATIOS, inside: [1.1, 1.5], outside: [1.0999, 1], words: /at least L \(1\.1\)/ },
  { member: 'params.N', at: RATIOS, inside: [1.3, 100], outside: [1.2999], words: /at least M \(1\.3\)/ },
  { member: 'params.N', at: RATIOS, inside: [100], outside: [100.1], words: /above 0 and at most 100/ },
  { member: 'params.R', at: RATIOS, inside: [1.1001, 100], outside: [1.1, 1], words: /above L \(1\.1\)/ },
  { member: 'params.R', at: RATIOS, inside: [1.2], outside: [100.1, 0], words: /above 0 and at most 100/ },
  {
    member: 'params.loan_value',
    at: ENVELOPES,
    inside: [0.01, 1e15],
    outside: [0, -1, 1.1e15, ...NO_NUMBERS],
    words: /above 0 and at most 1e15 USD/,
  },
  {
    member: 'params.collateral_value',
    at: ['/var'],
    inside: [0.01, 1e15],
    outside: [0, -1, 1.1e15, ...NO_NUMBERS],
    words: /above 0 and at most 1e15 USD/,
  },
  {
    member: 'params.volatility_shock',
    at: ENVELOPES,
    inside: [-0.999, 0, 0.1, 100, undefined],
    outside: [-1, 100.1, ...NO_NUMBERS],
    words: /above -1 and at most 100/,
  },
  ...['GBM_VIX', 'HISTORICAL'].map(type => ({
    member: 'params.volatility_shock',
    at: ['/loan_risk', '/loan_origination', '/var'] as const,
    inside: [0, undefined],
    outside: [0.1, -0.1, '0', null],
    words: /0 or absent/,
    given: { type },
  })),
  {
    member: 'volatility_shock',
    at: PERPETUAL,
    inside: [0, undefined],
    outside: [0.1],
    words: /0 or absent/,
    given: { model: 'HISTORICAL' },
  },
  {
    member: 'params.mc_iter',
    at: ['/loan_risk', '/loan_origination', '/var'],
    inside: [undefined, 1000],
    outside: [0, '1000'],
    words: /a whole number/,
    given: { type: 'HISTORICAL' },
  },
  {
    member: 'params.markets',
    at: LOW_LIQUIDITY,
    inside: [[['BTC', 'USDT', 'binance']], upTo(64, i => [`A${i}`, 'USDT', 'okx'])],
    outside: [[], upTo(65, i => [`A${i}`, 'USDT', 'okx']), 'BTC', null],
    words: /a list of 1 to 64 markets/,
  },
  {
    member: 'params.markets.0',
    at: LOW_LIQUIDITY,
    inside: [['SOL', 'usdt', 'Kraken']],
    outside: [['SOL', 'USDT'], ['SOL', 'USDT', 'okx', 'x'], 'SOL', null],
    words: /base symbol, quote symbol, exchange/,
  },
  {
    member: 'params.participation_ratio',
    at: LOW_LIQUIDITY,
    inside: [1e-9, 1],
    outside: [0, -0.1, 1.0001, ...NO_NUMBERS],
    words: /above 0 and at most 1/,
  },
  {
    member: 'params.opt_param.variable_min',
    at: ORIGINATION,
    inside: [0.01, 2.99],
    outside: [0, -1, ...NO_NUMBERS],
    words: /above 0 and at most 100/,
  },
  {
    member: 'params.opt_param.variable_max',
    at: ORIGINATION,
    inside: [1.2001, 100],
    outside: [1.2],
    words: /above variable_min \(1\.2\)/,
  },
  {
    member: 'params.opt_param.variable_max',
    at: ORIGINATION,
    inside: [1.1001],
    outside: [1.1, 1.05],
    words: /above L \(1\.1\)/,
    given: { 'params.opt_param.variable_min': 1 },
  },
  {
    member: 'params.opt_param.variable_max',
    at: ORIGINATION,
    inside: [100],
    outside: [100.1],
    words: /at most 100/,
  },
  {
    member: 'params.opt_param.error_tolerance',
    at: ORIGINATION,
    inside: [0, 1],
    outside: [-1e-9, ...NO_NUMBERS],
    words: /0 or more/,
  },
  ...['PrCloseout', 'PrLiquidation', 'PrMarginCall', 'PrUnderwater'].map(score => ({
    member: 'params.opt_param.score_target',
    at: ORIGINATION,
    inside: [0, 1],
    outside: [-0.01, 1.01],
    words: /from 0 to 1 for Pr/,
    given: { 'params.opt_param.score_variable': score },
  })),
  {
    member: 'params.opt_param.score_target',
    at: ORIGINATION,
    inside: [0.01, 1.5],
    outside: [0, -1],
    words: /above 0 for WorstCaseCCR/,
    given: { 'params.opt_param.score_variable': 'WorstCaseCCR' },
  },
  {
    member: 'params.opt_param.score_variable',
    at: ORIGINATION,
    inside: ['PrCloseout'],
    outside: ['AvgLossPct', null, 1, undefined],
    words: /one of PrCloseout/,
  },
  {
    member: 'params.analysis_date',
    at: ENVELOPES,
    inside: ['06-15-2026', '02-29-2024', undefined],
    outside: ['02-30-2026', '02-29-2026', '13-01-2026', '2026-01-30', '1-3-2026', '', 20260130, null],
    words: /a day of the calendar, written MM-DD-YYYY/,
  },
  {
    member: 'analysis_date',
    at: PERPETUAL,
    inside: ['06-15-2026', undefined],
    outside: ['06-16-2026', '01-01-2100'],
    words: /at most today, 06-15-2026/,
  },
  {
    member: 'trade_duration_hours',
    at: PERPETUAL,
    inside: [3, 87_600],
    outside: [2, 87_601, 3.5, ...NO_NUMBERS],
    words: /a whole number from 3 to 87600/,
  },
  {
    member: 'entry_price',
    at: PERPETUAL,
    inside: [1e-12, 1e15],
    outside: [9e-13, 0, 1.1e15, ...NO_NUMBERS],
    words: /from 1e-12 to 1e15/,
  },
  {
    member: 'initial_margin',
    at: PERPETUAL,
    inside: [1e-9, 1e15],
    outside: [0, -1, 1.1e15, ...NO_NUMBERS],
    words: /above 0 and at most 1e15/,
  },
  {
    member: 'position_size',
    at: PERPETUAL,
    inside: [1e-9, -1e-9, 1e15, -1e15],
    outside: [0, 1.1e15, -1.1e15, ...NO_NUMBERS],
    words: /other than 0 and at most 1e15 in size/,
  },
  {
    member: 'funding_rate',
    at: PERPETUAL,
    inside: [-0.999999, 0, 0.999999],
    outside: [-1, 1, ...NO_NUMBERS],
    words: /from -0\.999999 to 0\.999999/,
  },
  {
    member: 'funding_interval_hour',
    at: PERPETUAL,
    inside: [0.000001, 87_600],
    outside: [0, 0.0000009, 87_600.1, ...NO_NUMBERS],
    words: /from 0\.000001 to 87600 hours/,
  },
  {
    member: 'contract_size',
    at: PERPETUAL,
    inside: [1e-9, 1e15],
    outside: [0, -1, 1.1e15, undefined, ...NO_NUMBERS],
    words: /above 0 and at most 1e15/,
  },
  {
    member: 'contract_value_usd',
    at: PERPETUAL,
    inside: [1e-9, 1e15],
    outside: [0, -1, 1.1e15, undefined, ...NO_NUMBERS],
    words: /above 0 and at most 1e15/,
    given: { contract_type: 'inverse' },
  },
  {
    member: 'unrealized_pnl',
    at: PERPETUAL,
    inside: [-1e15, 0, 1e15, undefined],
    outside: [1.1e15, -1.1e15, ...NO_NUMBERS],
    words: /at most 1e15 in size/,
  },
  {
    member: 'market',
    at: PERPETUAL,
    inside: ['btc', '1INCH', 'A'.repeat(32)],
    outside: ['', 'A'.repeat(33), 'B TC', '__proto__', '12', 1, null],
    words: /a symbol: at most 32/,
  },
  ...(
    [
      ['funding_method', ['flat', 'debitflat'], /one of flat, debitflat/],
      ['contract_type', ['linear'], /one of linear, inverse/],
    ] as const
  ).map(([member, inside, words]) => ({
    member,
    at: PERPETUAL,
    inside,
    outside: ['X', '', null, 1, undefined],
    words,
  })),
  {
    member: 'model',
    at: PERPETUAL,
    inside: namesFor('perpetual'),
    given: { model_lookback: 200 },
    outside: ['GBM_VIX', '', null, 1, undefined],
    words: oneOf(namesFor('perpetual')),
  },
  {
    member: 'type',
    at: ['/loan_risk'],
    inside: namesFor('loan'),
    given: { 'params.model_lookback': 200 },
    outside: ['X', 'gbm', 1, null, undefined],
    words: oneOf(namesFor('loan')),
  },
  {
    member: 'type',
    at: LOW_LIQUIDITY,
    inside: namesFor('capped-loan'),
    given: { 'params.model_lookback': 200 },
    outside: ['HISTORICAL', undefined],
    words: oneOf(namesFor('capped-loan')),
  },
  { member: 'params', at: ENVELOPES, inside: [], outside: [undefined, null, [], 'x', 1], words: /an object/ },
];

/** How a message shows a value. */
function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (Array.isArray(value)) return 'a list of';
  if (typeof value === 'object' && value !== null) return '';
  return String(value);
}

function bend(path: Path, { given = {} }: Bound): Record<string, unknown> {
  return Object.entries(given).reduce(
    (body, [member, value]) => withMember(body, member, value),
    structuredClone(GOOD_BODIES[path]) as Record<string, unknown>,
  );
}

describe.each(BOUNDS.flatMap(bound => bound.at.map(path => ({ path, bound }))))(
  '$path refuses $bound.member outside its bound',
  ({ path, bound }) => {
    const { member, inside, outside, words } = bound;
    const name = member.replace(/^params\./, '');

    it('and accepts values just inside', async () => {
      for (const value of inside) {
        const response = await post(server, path, withMember(bend(path, bound), member, value));
        expect(response.status, `${member} = ${JSON.stringify(value)}: ${await response.text()}`).toBe(200);
      }
    });

    it('naming the member, the value and the bound', async () => {
      for (const value of outside) {
        const given = `${member} = ${JSON.stringify(value)}`;
        const response = await post(server, path, withMember(bend(path, bound), member, value));
        expect(response.status, given).toBe(422);
        const { errors } = await problem(response);
        const fault = errors.find(each => each.path === member && words.test(each.message));
        expect(fault, `${given}: ${JSON.stringify(errors)}`).toBeDefined();
        expect(fault?.message.startsWith(`${name} `), fault?.message).toBe(true);
        expect(fault?.message, given).toContain(value === undefined ? 'is missing' : shown(value));
      }
    });
  },
);
