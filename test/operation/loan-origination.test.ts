/** The ratios that /loan_origination finds, fed back into /loan_risk, give the score that was asked for. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loanOrigination } from '#src/operation/loan-origination.js';
import { loanRisk } from '#src/operation/loan-risk.js';
import { loanOriginationRequest } from '#src/request/loan-origination-request.js';
import { loanRiskRequest } from '#src/request/loan-risk-request.js';
import { type Operations, openOperations } from '../support/operations.ts';

/** The sample market serves every methodology and is always there. */
const SAMPLE_MARKET = 'sample';

const LOAN = {
  collateral_weights: { SOL: 0.7, ETH: 0.3 },
  loan_weights: { USD: 1 },
  analysis_date: '02-20-2026',
  model_lookback: 90,
  loan_duration: 10,
  mc_top_up: 12,
  loan_value: 50_000,
  L: 1.1,
};

const SEARCHES = [
  ['PrMarginCall', 0.2, 0.002],
  ['PrUnderwater', 0.01, 0.001],
  ['PrLiquidation', 0.05, 0.002],
  ['PrCloseout', 0.1, 0.002],
  ['WorstCaseCCR', 0.9, 0.01],
] as const;

describe('/loan_origination', () => {
  let operations: Operations;
  beforeAll(async () => {
    operations = await openOperations(SAMPLE_MARKET);
  });
  afterAll(() => operations.close());

  const cases = (['GBM', 'GBM_VIX', 'HISTORICAL'] as const).flatMap(type =>
    SEARCHES.map(([score, target, tolerance]) => ({ type, score, target, tolerance })),
  );
  it.each(cases)(
    'finds ratios with $score near $target under $type',
    async ({ type, score, target, tolerance }) => {
      const params = { ...LOAN, ...(type === 'HISTORICAL' ? {} : { mc_iter: 6000 }) };
      const opt_param = {
        score_variable: score,
        score_target: target,
        variable_min: 1.05,
        variable_max: 3,
        error_tolerance: tolerance,
      };
      const found = await operations.answer(loanOriginationRequest, loanOrigination, {
        type,
        params: { ...params, opt_param },
      });
      const { N, M, R } = found.arguments as { N: number; M: number; R: number };
      expect(found.result).toMatchObject({ N, M });
      expect(R).toBe(N);
      expect(M).toBe((LOAN.L + N) / 2);
      expect(Math.abs((found.result[score] as number) - target), JSON.stringify(found)).toBeLessThanOrEqual(
        tolerance,
      );
      const again = await operations.answer(loanRiskRequest, loanRisk, {
        type,
        params: { ...params, N, M, R },
      });
      const { N: _n, M: _m, ...figures } = found.result;
      expect(again.result).toEqual(figures);
    },
  );

  it('bisects to 1e-9 where the tolerance is 0, and the score jumps over the target there', async () => {
    const params = { ...LOAN, mc_iter: 501 };
    const score = async (N: number) => {
      const M = (LOAN.L + N) / 2;
      const answer = await operations.answer(loanRiskRequest, loanRisk, {
        type: 'GBM',
        params: { ...params, N, M, R: N },
      });
      return answer.result.PrMarginCall as number;
    };
    // Half-way between two possible shares of 501 paths: no N can have it.
    const target = 100.5 / 501;
    const opt_param = {
      score_variable: 'PrMarginCall',
      score_target: target,
      variable_min: 1.05,
      variable_max: 3,
      error_tolerance: 0,
    };
    const found = await operations.answer(loanOriginationRequest, loanOrigination, {
      type: 'GBM',
      params: { ...params, opt_param },
    });
    const { N } = found.arguments as { N: number };
    const [below, above] = [await score(N + 1.5e-9), await score(N - 1.5e-9)];
    expect(below, JSON.stringify({ N, below, above })).toBeLessThan(target);
    expect(above, JSON.stringify({ N, below, above })).toBeGreaterThan(target);
  });

  it('refuses a target out of reach, with the nearest N and the scores at both ends', async () => {
    const opt_param = {
      score_variable: 'PrMarginCall',
      score_target: 0,
      variable_min: 1.11,
      variable_max: 1.12,
      error_tolerance: 0.0001,
    };
    const request = { type: 'GBM', params: { ...LOAN, mc_iter: 2000, opt_param } };
    await expect(operations.answer(loanOriginationRequest, loanOrigination, request)).rejects.toMatchObject({
      reason: 'target-not-reachable',
      message: expect.stringMatching(
        /nearest is N = 1\.12 with PrMarginCall = .*N = 1\.11 gives .*N = 1\.12 gives/,
      ),
      faults: [
        {
          path: 'params.opt_param.score_target',
          message: expect.stringMatching(/^score_target must lie between .*; got 0$/),
        },
      ],
    });
  });

  it('refuses a range that holds no candidate above L', async () => {
    const opt_param = {
      score_variable: 'PrMarginCall',
      score_target: 0.1,
      variable_min: 1,
      variable_max: LOAN.L * (1 + 5e-7),
      error_tolerance: 0.1,
    };
    const request = { type: 'GBM', params: { ...LOAN, mc_iter: 100, opt_param } };
    await expect(operations.answer(loanOriginationRequest, loanOrigination, request)).rejects.toMatchObject({
      reason: 'invalid-request',
      faults: [{ path: 'params.opt_param.variable_max' }],
    });
  });

  it('refuses HISTORICAL on the GPU before it reads a window', async () => {
    const opt_param = {
      score_variable: 'PrMarginCall',
      score_target: 0.1,
      variable_min: 1.2,
      variable_max: 3,
      error_tolerance: 0.1,
    };
    const request = {
      type: 'HISTORICAL',
      params: { ...LOAN, collateral_weights: { NOWHERE: 1 }, opt_param },
    };
    const answer = operations.answer(loanOriginationRequest, loanOrigination, request, { compute: 'gpu' });
    await expect(answer).rejects.toMatchObject({ faults: [{ path: 'header.x-compute' }] });
  });

  it('holds M and R inside the range', async () => {
    const opt_param = {
      score_variable: 'PrMarginCall',
      score_target: 0.6,
      variable_min: 1.3,
      variable_max: 1.6,
      error_tolerance: 0.3,
    };
    const found = await operations.answer(loanOriginationRequest, loanOrigination, {
      type: 'GBM',
      params: { ...LOAN, mc_iter: 2000, opt_param },
    });
    const { N, M, R } = found.arguments as { N: number; M: number; R: number };
    expect(M).toBeGreaterThanOrEqual(1.3);
    expect(M).toBeLessThanOrEqual(N);
    expect(R).toBe(N);
  });
});
