/** Every warning of an answer: when it is given, and when it is not. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { PerpetualProduct, SimulationPlan } from '#src/core/plan/simulation-plan.js';
import {
  fewRowsWarnings,
  graceWarnings,
  needWarnings,
  sharesBelow,
} from '#src/models/methodology/warnings.js';
import { CAPPED_LOAN_QUESTION } from '#src/question/capped-loan/capped-loan.js';
import { loanWarnings } from '#src/question/loan/loan.js';
import { LOAN_QUESTION } from '#src/question/loan/loan-risk.js';
import { PERPETUAL_QUESTION } from '#src/question/perpetual/isolated-perpetual.js';
import { VALUE_AT_RISK_QUESTION } from '#src/question/value-at-risk/value-at-risk.js';
import { type Asked, type Operations, openOperations } from '../support/operations.ts';

let operations: Operations;
beforeAll(async () => {
  operations = await openOperations('sample');
});

const loan = {
  collateral_weights: { BTC: 0.6, ETH: 0.4 },
  loan_weights: { USD: 1 },
  analysis_date: '06-30-2024',
  model_lookback: 90,
  loan_duration: 30,
  mc_top_up: 24,
  loan_value: 1000,
  N: 1.5,
  M: 1.3,
  L: 1.1,
  R: 1.4,
  mc_iter: 2000,
};
const exposure = {
  collateral_weights: { BTC: 1 },
  loan_weights: { USD: 1 },
  analysis_date: '06-30-2024',
  model_lookback: 90,
  var_duration: [1, 30],
  quantile: [0.95],
  loan_value: 500,
  collateral_value: 1000,
  mc_iter: 2000,
};
const position = {
  market: 'BTC',
  model_lookback: 90,
  trade_duration_hours: 72,
  contract_type: 'linear',
  funding_method: 'flat',
  entry_price: 60_000,
  funding_rate: 0.0001,
  funding_interval_hour: 8,
  contract_size: 1,
  position_size: 1,
  initial_margin: 12_000,
  analysis_date: '06-30-2024',
  mc_iter: 2000,
};

/** Codes of the warnings of a request, in alphabetical order. */
async function codesOf(question: Asked, body: object, seed = 0): Promise<string[]> {
  const answered = await operations.answer(question, body, { seed });
  const warnings = [...(answered.warnings ?? []), ...(answered.fitted?.warnings ?? [])];
  return [...new Set(warnings.map(({ code }) => code))].sort();
}
const loanCodes = (type: string, changes: object = {}) =>
  codesOf(LOAN_QUESTION, { type, params: { ...loan, ...changes } });

describe('A loan', () => {
  it('has no warning where no condition applies', async () => {
    expect(await loanCodes('GBM')).toEqual([]);
  });

  it.each([
    ['of fewer than 100 paths', 'GBM', { mc_iter: 99 }, ['few-paths']],
    ['fitted to fewer than ten days', 'GBM', { model_lookback: 9 }, ['short-lookback']],
    ['of a shock above 5', 'GBM', { volatility_shock: 5.01 }, ['large-shock']],
    ['whose grace period is as long as its term', 'GBM', { mc_top_up: 720 }, ['grace-covers-term']],
    [
      'under GBM_VIX without BTC or ETH',
      'GBM_VIX',
      { collateral_weights: { SOL: 1 } },
      ['no-volatility-index'],
    ],
  ])('%s has its warning', async (_, type, changes, codes) => {
    expect(await loanCodes(type, changes), JSON.stringify({ type, changes })).toEqual(codes);
  });

  it.each([
    ['100 paths', 'GBM', { mc_iter: 100 }],
    ['ten days', 'GBM', { model_lookback: 10 }],
    ['a shock of 5', 'GBM', { volatility_shock: 5 }],
    ['a grace period one hour shorter than the term', 'GBM', { mc_top_up: 719 }],
    ['GBM_VIX with ETH', 'GBM_VIX', { collateral_weights: { SOL: 0.5, ETH: 0.5 } }],
    ['HISTORICAL, which draws no paths', 'HISTORICAL', { mc_iter: 1, loan_duration: 2, mc_top_up: 4 }],
  ])('with %s has no warning', async (_, type, changes) => {
    expect(await loanCodes(type, changes), JSON.stringify({ type, changes })).toEqual([]);
  });
});

it('A loan with M = L is liquidated without a call: grace and R may be absent and have no effect', async () => {
  const { R: _, mc_top_up: __, ...without } = { ...loan, N: 1.3, M: 1.2, L: 1.2 };
  const ask = async (params: object) => {
    const { result, warnings } = await operations.answer(LOAN_QUESTION, { type: 'GBM', params });
    return { result: result as Record<string, number>, codes: warnings?.map(({ code }) => code) };
  };
  const { result, codes } = await ask(without);
  expect(codes).toEqual(['hourly-liquidation']);
  expect(result.PrLiquidation).toBeGreaterThan(0.05);
  expect(result).toMatchObject({ PrMarginCall: result.PrLiquidation, PrCloseout: 0 });
  expect((await ask({ ...without, R: 1.25, mc_top_up: 1000 })).result).toEqual(result);
  await expect(ask({ ...without, M: 1.25, R: 1.4 })).rejects.toMatchObject({
    faults: [{ path: 'params.mc_top_up', code: 'missing' }],
  });
});

describe('gbm-tail', () => {
  it('is a warning of quantiles of 99 % and beyond where returns are normal', async () => {
    const asked = (type: string, quantile: readonly number[]) =>
      codesOf(VALUE_AT_RISK_QUESTION, { type, params: { ...exposure, quantile, mc_iter: 20_000 } });
    expect(await asked('GBM', [0.5, 0.99])).toEqual(['gbm-tail']);
    expect(await asked('GBM_VIX', [0.999])).toEqual(['gbm-tail']);
    expect(await asked('GBM', [0.01])).toEqual(['gbm-tail']);
    expect(await asked('GBM', [0.95, 0.989, 0.02])).toEqual([]);
    expect(await asked('STUDENT_T', [0.99])).toEqual([]);
  });
});

describe('few-rows', () => {
  it('names the events of a loan whose share of the paths few rows determine', () => {
    const [warning, ...others] = loanWarnings({
      plan: {
        paths: 200,
        product: { steps: 48, topUpSteps: 24, marginCallRatio: 1.3, liquidationRatio: 1.1 },
      },
      outcome: { marginCalls: 100, liquidations: 2, closeouts: 80, underwater: 0 },
      set: { rows: 90, stepHours: 1 },
    } as Parameters<typeof loanWarnings>[0]);
    expect(others).toEqual([]);
    expect(warning.message).toContain('determine PrLiquidation, PrUnderwater:');
  });

  it('is a warning of FHS quantiles that fewer than 30 residual rows determine', async () => {
    const asked = (type: string, changes: object) =>
      codesOf(VALUE_AT_RISK_QUESTION, { type, params: { ...exposure, ...changes } });
    // 90 (1 - 0.95) = 4.5 rows; 250 (1 - 0.88) = 30.
    expect(await asked('FHS', {})).toEqual(['few-rows']);
    expect(await asked('FHS', { model_lookback: 250, quantile: [0.88] })).toEqual([]);
    expect(await asked('FHS', { var_duration: [6, 30] })).toEqual([]);
    expect(await asked('FHS', { var_duration: [5] })).toEqual(['few-rows']);
    expect(await asked('STUDENT_T', {})).toEqual([]);
  });

  it('is a warning of a loan of a few days, and of none of a month', async () => {
    const short = { loan_duration: 3, mc_top_up: 12 };
    expect(await loanCodes('FHS', short)).toEqual(['few-rows']);
    expect(await loanCodes('FHS')).toEqual([]);
    expect(await loanCodes('GBM', short)).toEqual([]);
  });

  it('is a warning of a perpetual of a few days', async () => {
    const atMarket = { ...position, mark_price: 'close' };
    expect(await codesOf(PERPETUAL_QUESTION, { model: 'FHS', ...atMarket })).toEqual(['few-rows']);
    expect(await codesOf(PERPETUAL_QUESTION, { model: 'GBM', ...atMarket })).toEqual([]);
  });

  it('names the figures, and counts neither 30 rows nor horizons beyond five days', () => {
    const message = (rows: number | undefined, days: number, q: number[]) =>
      fewRowsWarnings(rows, days, sharesBelow(q)).map(warning => warning.message);
    expect(message(280, 1, [0.9, 0.99])).toEqual([
      expect.stringMatching(
        /280 rows of the window, of which fewer than 30 determine the quantile 0.9, the quantile 0.99:/,
      ),
    ]);
    expect(message(300, 5, [0.9])).toEqual([]);
    expect(message(299, 5, [0.9])).toHaveLength(1);
    expect(message(299, 5, [0.1])).toHaveLength(1);
    expect(message(299, 5.01, [0.9])).toEqual([]);
    expect(message(undefined, 1, [0.999])).toEqual([]);
  });
});

it('starts-at-entry says how far the last close is from the entry price, where no mark and no profit is sent', async () => {
  const ask = async (changes: object) => {
    const body = { model: 'GBM', ...position, ...changes };
    const { warnings, plan, arguments: used } = await operations.answer(PERPETUAL_QUESTION, body);
    const { startPrice } = (plan as SimulationPlan<PerpetualProduct>).product;
    return { warnings, startPrice, used };
  };
  const { startPrice: close, used } = await ask({ mark_price: 'close' });
  expect(used).toMatchObject({ mark_price: close, unrealized_pnl: expect.any(Number) });
  const entry_price = 0.8 * close;
  const far = await ask({ entry_price });
  expect(far.startPrice).toBe(entry_price);
  expect(far.used).toMatchObject({ unrealized_pnl: 0 });
  expect(far.used).not.toHaveProperty('mark_price');
  expect(far.warnings).toEqual([
    { code: 'starts-at-entry', message: expect.stringContaining(`${close}, is 25 % above it`) },
  ]);
  for (const told of [{ unrealized_pnl: 0 }, { mark_price: entry_price }])
    expect((await ask({ entry_price, ...told })).warnings).toEqual([]);
  expect((await ask({ entry_price: 0.9995 * close })).warnings).toEqual([]);
});

describe('The volume of a market that trades no collateral', () => {
  const params = { ...loan, volume_lookback: 30, participation_ratio: 0.1 };
  const asked = (markets: string[][]) =>
    codesOf(CAPPED_LOAN_QUESTION, { type: 'GBM', params: { ...params, markets } });
  it('has a warning', async () => {
    expect(await asked([['BTC', 'USDT', 'binance']])).toEqual([]);
    expect(
      await asked([
        ['BTC', 'USDT', 'binance'],
        ['SOL', 'USDT', 'binance'],
      ]),
    ).toEqual(['other-volume']);
  });
});

describe('The warnings of a request', () => {
  const need = { lookbackDays: 10, volatilityShock: 5, paths: 100 };
  it.each([
    [{}, []],
    [{ paths: undefined }, []],
    [{ paths: 99, lookbackDays: 9, volatilityShock: 5.5 }, ['few-paths', 'short-lookback', 'large-shock']],
  ])('%j has the warnings %j', (changes, codes) => {
    expect(needWarnings({ ...need, ...changes } as never).map(({ code }) => code)).toEqual(codes);
  });

  it('names at most five loans of a book whose grace period covers their term', () => {
    const ids = Array.from({ length: 9 }, (_, k) => `loan ${k}`);
    const topUps = Uint32Array.of(10, 10, 10, 10, 10, 10, 10, 9, 9);
    const terms = new Uint32Array(9).fill(10);
    expect(graceWarnings(terms, topUps, ids).map(({ message }) => message)).toEqual([
      expect.stringContaining('of 7 of the 9 loans (loan 0, loan 1, loan 2, loan 3, loan 4, ...)'),
    ]);
    expect(graceWarnings(terms.slice(7), topUps.slice(7), ids.slice(7))).toEqual([]);
  });
});
