/** The member `Accuracy` of every operation: every figure has a row, its interval contains it, exact values agree. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { AccuracyFigures, FigureAccuracy } from '#src/core/figures/accuracy.js';
import { exactTailFigures } from '#src/core/figures/value-at-risk.js';
import type { ValueAtRiskProduct } from '#src/core/plan/simulation-plan.js';
import { CAPPED_LOAN_QUESTION } from '#src/question/capped-loan/capped-loan.js';
import { LOAN_QUESTION } from '#src/question/loan/loan-risk.js';
import { ORIGINATION_QUESTION } from '#src/question/origination/origination.js';
import { PERPETUAL_QUESTION } from '#src/question/perpetual/isolated-perpetual.js';
import type { OperationAnswer } from '#src/question/question.js';
import { DEFAULT_QUERY } from '#src/question/request/query.js';
import { VALUE_AT_RISK_QUESTION } from '#src/question/value-at-risk/value-at-risk.js';
import { lognormalTail } from '../support/closed-forms/lognormal-tail.ts';
import { everyNth } from '../support/engines.ts';
import { type Asked, type Operations, openOperations } from '../support/operations.ts';

let operations: Operations;
beforeAll(async () => {
  operations = await openOperations('sample');
});

const query = { ...DEFAULT_QUERY, include: new Set(['accuracy' as const]), confidence: 0.99 };
const loan = {
  collateral_weights: { BTC: 1 },
  loan_weights: { USDC: 1 },
  analysis_date: '06-30-2024',
  model_lookback: 120,
  loan_duration: 20,
  mc_top_up: 12,
  loan_value: 1000,
  L: 1.1,
};
const ratios = { N: 1.25, M: 1.18, R: 1.22 };

async function askAccuracy(question: Asked, body: unknown) {
  const answer = await operations.answer(question, body, { query });
  const accuracy = answer.included?.Accuracy as
    | { level: number; scenarios: number; figures: AccuracyFigures }
    | undefined;
  if (accuracy === undefined) throw new Error('no Accuracy');
  expect(accuracy.level).toBe(0.99);
  expect(accuracy.scenarios).toBe(answer.basis.paths);
  return { answer, figures: accuracy.figures };
}

const asked = new Map<Asked, Map<string, ReturnType<typeof askAccuracy>>>();

/** The answer to a request, which is computed once for all tests of this file. */
function accuracyOf(question: Asked, body: unknown): ReturnType<typeof askAccuracy> {
  const known = asked.get(question) ?? new Map<string, ReturnType<typeof askAccuracy>>();
  asked.set(question, known);
  const key = JSON.stringify(body);
  const answered = known.get(key) ?? askAccuracy(question, body);
  known.set(key, answered);
  return answered;
}

const isFigure = (value: FigureAccuracy | AccuracyFigures): value is FigureAccuracy => 'method' in value;

/** Every number of the result has a row at the same place, and no other has. */
function expectSamePlaces(result: OperationAnswer['result'], figures: AccuracyFigures, path = ''): void {
  expect(Object.keys(figures).toSorted(), path).toEqual(Object.keys(result).toSorted());
  for (const [name, value] of Object.entries(result)) {
    const row = figures[name];
    const at = `${path}.${name}`;
    if (typeof value !== 'number') {
      expect(isFigure(row), at).toBe(false);
      expectSamePlaces(value as OperationAnswer['result'], row as AccuracyFigures, at);
      continue;
    }
    if (!isFigure(row)) throw new Error(`${at} is no figure`);
    if (row.low !== null) expect(row.low, at).toBeLessThanOrEqual(value);
    if (row.high !== null) expect(row.high, at).toBeGreaterThanOrEqual(value);
    // Five standard errors of a correct engine and its exact law: one failure in two million.
    if (typeof row.exact === 'number' && row.standard_error !== null)
      expect(Math.abs(row.exact - value), `${at} and its exact value ${row.exact}`).toBeLessThanOrEqual(
        5 * row.standard_error,
      );
  }
}

describe('Accuracy', () => {
  it('of a loan has every figure, and the exact ones of a pair', async () => {
    const body = { type: 'GBM', params: { ...loan, ...ratios, mc_iter: 1000 } };
    const { answer, figures } = await accuracyOf(LOAN_QUESTION, body);
    expectSamePlaces(answer.result, figures);
    const row = (name: string) => figures[name] as FigureAccuracy;
    expect(row('PrMarginCall')).toMatchObject({ method: 'wilson', exact: expect.any(Number) });
    expect(row('PrUnderwater').exact).toEqual(expect.any(Number));
    expect(row('AvgLossPct')).toMatchObject({ method: 'normal', exact: expect.any(Number) });
    expect(row('AvgSurvivalRate')).toMatchObject({ method: 'normal' });
    expect(row('WorstCaseCCR')).toMatchObject({ method: 'tail-mass', low: null, high: null });
    expect(row('WorstCaseCCR').mass_below).toBeCloseTo(-Math.log(0.01) / 1000, 12);
    expect(row('Collateral Volatility').method).toBe('none');
  });

  for (const { tags, some } of everyNth(3, [0.5, -0.3]))
    it.each(some)(
      'of a loan that bears interest of %f has the exact figures of its debt',
      { tags },
      async interest_rate => {
        const body = { type: 'GBM', params: { ...loan, ...ratios, mc_iter: 1000 } };
        const exactOf = (figures: AccuracyFigures, name: string) =>
          (figures[name] as FigureAccuracy).exact ?? 0;
        const { figures: plain } = await accuracyOf(LOAN_QUESTION, body);
        const grown = { ...body, params: { ...body.params, interest_rate } };
        const { answer, figures } = await accuracyOf(LOAN_QUESTION, grown);
        expect(answer.arguments.interest_rate).toBe(interest_rate);
        // Within five standard errors of the simulation, and on the side of the debt.
        expectSamePlaces(answer.result, figures);
        for (const name of ['PrMarginCall', 'PrUnderwater', 'AvgLossPct'])
          expect(Math.sign(exactOf(figures, name) - exactOf(plain, name)), name).toBe(
            Math.sign(interest_rate),
          );
        const { answer: none } = await accuracyOf(LOAN_QUESTION, {
          ...body,
          params: { ...body.params, interest_rate: 0 },
        });
        const { answer: asEver } = await accuracyOf(LOAN_QUESTION, body);
        expect(none.result).toEqual(asEver.result);
        expect(none.included).toEqual(asEver.included);
      },
    );

  it('of a loan that bears interest has every figure over windows of history', async () => {
    const body = {
      type: 'HISTORICAL',
      params: { ...loan, ...ratios, loan_duration: 2, model_lookback: 200, interest_rate: 5 },
    };
    const { answer, figures } = await accuracyOf(LOAN_QUESTION, body);
    expectSamePlaces(answer.result, figures);
  });

  const top_up = { share: 0.6, delay_hours: 6, to: 1.3 };

  it('of a loan with answered calls has the figures of the answers', async () => {
    const body = { type: 'GBM', params: { ...loan, ...ratios, mc_iter: 1000, top_up } };
    const { answer, figures } = await accuracyOf(LOAN_QUESTION, body);
    expectSamePlaces(answer.result, figures);
    expect(figures.PrTopUp).toMatchObject({ method: 'wilson', standard_error: expect.any(Number) });
    expect(figures.AvgTopUpPct).toMatchObject({ method: 'normal', standard_error: expect.any(Number) });
    expect(answer.result.PrTopUp).toBeGreaterThan(0.3);
    expect(answer.arguments.top_up).toEqual(top_up);
    // Nothing sold, nothing added: the laws of these figures stay.
    const { answer: none } = await accuracyOf(LOAN_QUESTION, {
      ...body,
      params: { ...loan, ...ratios, mc_iter: 1000 },
    });
    for (const name of ['PrMarginCall', 'PrUnderwater', 'AvgLossPct', 'WorstCaseCCR'])
      expect(answer.result[name], name).toBe(none.result[name]);
    expect(none.result).not.toHaveProperty('PrTopUp');
    expect(answer.result.PrCloseout).not.toBe(none.result.PrCloseout);
  });

  it('of a loan whose answers have a share of 0 is that of a loan without answers', async () => {
    const params = { ...loan, ...ratios, mc_iter: 1000 };
    const nobody = { ...params, top_up: { ...top_up, share: 0 } };
    const { answer, figures } = await accuracyOf(LOAN_QUESTION, {
      type: 'GBM',
      params: nobody,
    });
    const ever = await accuracyOf(LOAN_QUESTION, { type: 'GBM', params });
    expect(answer.result).toEqual({ ...ever.answer.result, PrTopUp: 0, AvgTopUpPct: 0 });
    expect(figures).toMatchObject(ever.figures);
  });

  it('of answers over windows of history has intervals from cosines', async () => {
    const params = { ...loan, ...ratios, loan_duration: 2, model_lookback: 200, top_up };
    const { answer, figures } = await accuracyOf(LOAN_QUESTION, {
      type: 'HISTORICAL',
      params,
    });
    expectSamePlaces(answer.result, figures);
    expect(figures.PrTopUp).toMatchObject({ method: 'cosine-t', standard_error: expect.any(Number) });
    expect(figures.AvgTopUpPct).toMatchObject({ method: 'cosine-t', standard_error: expect.any(Number) });
  });

  it('of a loan that starts called or underwater has exact probabilities of 1', async () => {
    const params = { ...loan, ...ratios, N: 1.15, called_hours_ago: 5, mc_iter: 1000 };
    const { answer, figures } = await accuracyOf(LOAN_QUESTION, {
      type: 'GBM',
      params,
    });
    expectSamePlaces(answer.result, figures);
    expect(answer.result.PrMarginCall).toBe(1);
    expect(figures.PrMarginCall).toMatchObject({ exact: 1 });
    expect(answer.result.WorstCaseCCR).toBeLessThanOrEqual(1.15);
    const below = { ...params, N: 0.99, L: 0.9 };
    const { answer: underwater, figures: known } = await accuracyOf(LOAN_QUESTION, {
      type: 'GBM',
      params: below,
    });
    expect(underwater.result.PrUnderwater).toBe(1);
    expect(known.PrUnderwater).toMatchObject({ exact: 1 });
  });

  const low = { volume_lookback: 60, markets: [['BTC', 'USDT', 'binance']], participation_ratio: 0.1 };

  it('of capped sales of a called loan with interest and answers has all of their figures', async () => {
    const params = {
      ...loan,
      ...ratios,
      ...low,
      N: 1.15,
      loan_value: 1e8,
      called_hours_ago: 5,
      interest_rate: 0.2,
      top_up,
      mc_iter: 1000,
    };
    const { answer, figures } = await accuracyOf(CAPPED_LOAN_QUESTION, {
      type: 'GBM',
      params,
    });
    expect(answer.result).toMatchObject({ PrMarginCall: 1 });
    expect(answer.result.PrTopUp).toBeGreaterThan(0.4);
    expect(figures).toMatchObject({
      PrMarginCall: { exact: 1 },
      PrTopUp: { method: 'wilson' },
      AvgTopUpPct: { method: 'normal', standard_error: expect.any(Number) },
    });
    expect(answer.arguments).toMatchObject({ top_up, called_hours_ago: 5 });
  });

  it('of rare events is exact, and null for means of too few', async () => {
    const safe = { type: 'GBM', params: { ...loan, N: 4, M: 3.9, R: 4, mc_iter: 500 } };
    const { answer, figures } = await accuracyOf(LOAN_QUESTION, safe);
    expectSamePlaces(answer.result, figures);
    expect(figures.PrLiquidation).toMatchObject({ method: 'clopper-pearson', low: 0 });
    expect(figures.AvgLossPct).toMatchObject({
      standard_error: null,
      low: null,
      high: null,
      method: 'too-few-events',
    });
  });

  it('of windows of history has intervals from cosines, and null where few windows do not overlap', async () => {
    const long = { type: 'HISTORICAL', params: { ...loan, ...ratios } };
    const { figures } = await accuracyOf(LOAN_QUESTION, long);
    expect(figures.PrMarginCall).toMatchObject({ method: 'too-few-windows', low: null, high: null });
    const short = {
      type: 'HISTORICAL',
      params: { ...loan, ...ratios, loan_duration: 2, model_lookback: 200 },
    };
    const { answer, figures: wide } = await accuracyOf(LOAN_QUESTION, short);
    expectSamePlaces(answer.result, wide);
    expect(wide.AvgSurvivalRate).toMatchObject({ method: 'cosine-t', standard_error: expect.any(Number) });
    expect((wide.WorstCaseCCR as FigureAccuracy).mass_below).toBeCloseTo(-Math.log(0.01) / 100, 12);
  });

  it('of value at risk has order statistics, tail means and the laws of single assets', async () => {
    const params = {
      collateral_weights: { BTC: 1 },
      loan_weights: { USDC: 1 },
      analysis_date: '06-30-2024',
      model_lookback: 120,
      var_duration: [0.5, 10],
      quantile: [0.9, 0.9999],
      loan_value: 900,
      collateral_value: 1200,
      mc_iter: 1000,
    };
    const { answer, figures } = await accuracyOf(VALUE_AT_RISK_QUESTION, {
      type: 'GBM',
      params,
    });
    expectSamePlaces(answer.result, figures);
    const ten = figures['10'] as AccuracyFigures;
    const usual = ten['0.9'] as AccuracyFigures;
    expect(usual.CollateralVar).toMatchObject({ method: 'order-statistics', exact: expect.any(Number) });
    expect(usual.NetExposureCVar).toMatchObject({ method: 'normal' });
    expect(usual.NetExposureCVar).not.toHaveProperty('exact');
    expect(usual.LoanCVar).toMatchObject({ method: 'normal', exact: expect.any(Number) });
    const far = ten['0.9999'] as AccuracyFigures;
    expect(far.CollateralCVar).toMatchObject({ method: 'too-few-events', low: null });
    expect(far.CollateralVar).toMatchObject({ method: 'order-statistics', low: null, standard_error: null });

    const windows = { ...params, var_duration: [1], model_lookback: 200, mc_iter: undefined };
    const historical = JSON.parse(JSON.stringify({ type: 'HISTORICAL', params: windows }));
    const past = await accuracyOf(VALUE_AT_RISK_QUESTION, historical);
    expectSamePlaces(past.answer.result, past.figures);
    expect((past.figures['1'] as AccuracyFigures)['0.9']).toMatchObject({
      CollateralVar: { method: 'cosine-t', low: expect.any(Number), high: expect.any(Number) },
      CollateralCVar: { method: 'cosine-t', low: expect.any(Number), high: expect.any(Number) },
    });
    // 200 windows of a day that do not overlap: none of them lies in a tail of 0.01 %.
    expect((past.figures['1'] as AccuracyFigures)['0.9999']).toMatchObject({
      CollateralCVar: { method: 'too-few-windows', low: null, high: null, standard_error: null },
    });
  });

  it('of net exposure has an exact value where the loan does not move', () => {
    const product: ValueAtRiskProduct = {
      kind: 'value-at-risk',
      portfolio: { collateralWeights: Float64Array.of(1, 0), loanWeights: Float64Array.of(0, 1) },
      collateralValue: 1200,
      loanValue: 900,
      horizonYears: Float64Array.of(0.1),
      horizonSteps: new Uint32Array(0),
      quantiles: Float64Array.of(0.95),
    };
    const scenarios = {
      kind: 'gbm' as const,
      assets: 2,
      annualVolatility: Float64Array.of(0.6, 0),
      factor: Float64Array.of(0.6, 0, 0, 0),
    };
    const exact = exactTailFigures({ seed: 0, paths: 1, scenarios, product }, 0, 0);
    const { value = Number.NaN } = exact.CollateralVar ?? {};
    expect([exact.LoanVar?.value, exact.LoanCVar?.value]).toEqual([900, 900]);
    expect(exact.NetExposureVar?.value).toBeCloseTo(value - 900, 10);
    expect(value).toBeCloseTo(lognormalTail(1200, 0.6, 0.1, 0.95).quantile, 9);
  });

  it('of an origination has the candidates on either side of N', async () => {
    const opt_param = {
      score_variable: 'PrLiquidation',
      score_target: 0.05,
      variable_min: 1.12,
      variable_max: 3,
      error_tolerance: 0.001,
    };
    const body = { type: 'GBM', params: { ...loan, mc_iter: 1000, opt_param } };
    const { answer, figures } = await accuracyOf(ORIGINATION_QUESTION, body);
    expectSamePlaces(answer.result, figures);
    const N = figures.N as FigureAccuracy;
    expect(N).toMatchObject({ method: 'inverted', low: expect.any(Number), high: expect.any(Number) });
    expect(N.low).toBeLessThan(answer.result.N as number);
    expect(N.high).toBeGreaterThan(answer.result.N as number);
  });

  it.each([
    ['R fixed, loan by loan', { score_variable: 'PrForcedSale', score_target: 0.2, R: 1.4 }],
    ['M fixed', { score_variable: 'PrMarginCall', score_target: 0.2, M: 1.15 }],
    ['PrForcedSale', { score_variable: 'PrForcedSale', score_target: 0.2 }],
  ])('of an origination has an interval of N with %s', async (_, searched) => {
    const opt_param = { variable_min: 1.12, variable_max: 2, error_tolerance: 0, ...searched };
    const body = { type: 'GBM', params: { ...loan, loan_duration: 5, mc_iter: 1000, opt_param } };
    const { answer, figures } = await accuracyOf(ORIGINATION_QUESTION, body);
    const N = figures.N as FigureAccuracy;
    expect(N).toMatchObject({ method: 'inverted', low: expect.any(Number), high: expect.any(Number) });
    expect(N.low).toBeLessThan(answer.result.N as number);
    expect(N.high).toBeGreaterThan(answer.result.N as number);
  });

  it('of a loan with capped sales has the volumes too', async () => {
    const params = {
      ...loan,
      ...ratios,
      volume_lookback: 30,
      markets: [['BTC', 'USDT', 'binance']],
      participation_ratio: 0.1,
      mc_iter: 1000,
    };
    for (const type of ['GBM', 'GARCH']) {
      const body = { type, params };
      const { answer, figures } = await accuracyOf(CAPPED_LOAN_QUESTION, body);
      expectSamePlaces(answer.result, figures);
      expect(figures.AvgMarginCall).toMatchObject({ method: 'normal', standard_error: expect.any(Number) });
    }
  });

  it('of a loan with capped sales has the exact margin calls of the loan without a cap', {
    tags: ['slow'],
  }, async () => {
    const pair = { ...loan, collateral_weights: { BTC: 1 }, loan_weights: { USD: 1 } };
    const params = { ...pair, ...ratios, mc_iter: 1000 };
    const capped = {
      ...params,
      volume_lookback: 30,
      markets: [['BTC', 'USDT', 'binance']],
      participation_ratio: 0.1,
    };
    const ask = (type: string) => accuracyOf(CAPPED_LOAN_QUESTION, { type, params: capped });
    const plain = await accuracyOf(LOAN_QUESTION, { type: 'GBM', params });
    const known = (plain.figures.PrMarginCall as FigureAccuracy).exact;
    expect(known).toBeGreaterThan(0);
    expect((await ask('GBM')).figures.PrMarginCall).toMatchObject({ exact: known });
    expect((await ask('GARCH')).figures.PrMarginCall).not.toHaveProperty('exact');
  });

  it('of a perpetual has every quantile of every distribution', async () => {
    const body = {
      model: 'GBM',
      market: 'BTC',
      analysis_date: '06-30-2024',
      model_lookback: 60,
      trade_duration_hours: 48,
      contract_type: 'linear',
      funding_method: 'flat',
      entry_price: 30_000,
      initial_margin: 6000,
      position_size: 1,
      contract_size: 1,
      funding_rate: 0.0001,
      funding_interval_hour: 8,
      mc_iter: 1000,
    };
    const { answer, figures } = await accuracyOf(PERPETUAL_QUESTION, body);
    expectSamePlaces(answer.result, figures);
    const { mc_iter, ...shared } = body;
    const past = await accuracyOf(PERPETUAL_QUESTION, {
      ...shared,
      model: 'HISTORICAL',
    });
    expectSamePlaces(past.answer.result, past.figures);
    expect(past.figures.FinalEquity).toMatchObject({ q50: { method: 'cosine-t' } });
  });

  it('is absent unless the query names it', async () => {
    const body = { type: 'GBM', params: { ...loan, ...ratios, mc_iter: 100 } };
    const answer = await operations.answer(LOAN_QUESTION, body);
    expect(answer.included).toEqual({});
  });
});
