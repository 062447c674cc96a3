/** The ratios that /loan_origination finds give the target of the score in /loan_risk. */
import { beforeAll, describe, expect, it } from 'vitest';
import { LOAN_QUESTION } from '#src/question/loan/loan-risk.js';
import { ORIGINATION_QUESTION } from '#src/question/origination/origination.js';
import { dayOf } from '#src/text/calendar-date.js';
import { everyNth } from '../../support/engines.ts';
import { NOW, type Operations, openOperations } from '../../support/operations.ts';
import { parseRequest, readRequest } from '../../support/request-bodies.ts';

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

  const cases = (['GBM', 'GBM_VIX', 'HISTORICAL'] as const).flatMap(type =>
    SEARCHES.map(([score, target, tolerance]) => ({ type, score, target, tolerance })),
  );
  for (const { tags, some } of everyNth(4, cases))
    it.each(some)(
      'finds ratios with $score near $target under $type',
      { tags },
      async ({ type, score, target, tolerance }) => {
        const params = { ...LOAN, ...(type === 'HISTORICAL' ? {} : { mc_iter: 6000 }) };
        const opt_param = {
          score_variable: score,
          score_target: target,
          variable_min: 1.05,
          variable_max: 3,
          error_tolerance: tolerance,
        };
        const found = await operations.answer(ORIGINATION_QUESTION, {
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
        const again = await operations.answer(LOAN_QUESTION, {
          type,
          params: { ...params, N, M, R },
        });
        const { N: _n, M: _m, Candidates: _roots, ...figures } = found.result;
        expect(again.result).toEqual(figures);
      },
    );

  it('bisects to 1e-9 for a tolerance of 0, where the score jumps over the target', async () => {
    const params = { ...LOAN, mc_iter: 501 };
    const score = async (N: number) => {
      const M = (LOAN.L + N) / 2;
      const answer = await operations.answer(LOAN_QUESTION, {
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
    const found = await operations.answer(ORIGINATION_QUESTION, {
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
    await expect(operations.answer(ORIGINATION_QUESTION, request)).rejects.toMatchObject({
      reason: 'target-not-reachable',
      message: expect.stringMatching(
        /nearest is N = 1\.12 with PrMarginCall = .*N = 1\.11 gives .*N = 1\.12 gives/,
      ),
      faults: [
        {
          path: 'params.opt_param.score_target',
          message: expect.stringMatching(
            /^score_target must be within error_tolerance of a score of the range: .*; got 0$/,
          ),
        },
      ],
    });
  });

  it.each([
    ['no candidate above L', { variable_min: 1, variable_max: LOAN.L * (1 + 5e-7) }],
    ['none but the M sent', { variable_min: 1.05, variable_max: 1.3, M: 1.3 }],
  ])('refuses a range with %s', async (_, range) => {
    const opt_param = {
      score_variable: 'PrMarginCall',
      score_target: 0.1,
      error_tolerance: 0.1,
      ...range,
    };
    const request = { type: 'GBM', params: { ...LOAN, mc_iter: 100, opt_param } };
    await expect(operations.answer(ORIGINATION_QUESTION, request)).rejects.toMatchObject({
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
    const answer = operations.answer(ORIGINATION_QUESTION, request, {
      compute: 'gpu',
    });
    await expect(answer).rejects.toMatchObject({ faults: [{ path: 'header.x-compute' }] });
  });

  it('clamps M and R to the range', async () => {
    const opt_param = {
      score_variable: 'PrMarginCall',
      score_target: 0.6,
      variable_min: 1.3,
      variable_max: 1.6,
      error_tolerance: 0.3,
    };
    const found = await operations.answer(ORIGINATION_QUESTION, {
      type: 'GBM',
      params: { ...LOAN, mc_iter: 2000, opt_param },
    });
    const { N, M, R } = found.arguments as { N: number; M: number; R: number };
    expect(M).toBeGreaterThanOrEqual(1.3);
    expect(M).toBeLessThanOrEqual(N);
    expect(R).toBe(N);
  });

  describe('with rules of its own for M and R', () => {
    const search = {
      score_target: 0.1,
      variable_min: 1.05,
      variable_max: 3,
      error_tolerance: 0.01,
    };
    const ask = async (opt_param: object, mc_iter = 1000) => {
      const params = { ...LOAN, mc_iter };
      const found = await operations.answer(ORIGINATION_QUESTION, {
        type: 'GBM',
        params: { ...params, opt_param },
      });
      const { N, M, R } = found.arguments as { N: number; M: number; R: number };
      const again = await operations.answer(LOAN_QUESTION, {
        type: 'GBM',
        params: { ...params, N, M, R },
      });
      const { N: _n, M: _m, Candidates: roots = {}, ...figures } = found.result as Record<string, number>;
      expect(again.result).toEqual(figures);
      return { N, M, R, roots, figures, warnings: found.warnings, arguments: found.arguments };
    };

    it('treats the words as the defaults', async () => {
      const sent = { ...search, score_variable: 'PrCloseout' };
      const [plain, named] = [await ask(sent), await ask({ ...sent, M: 'midpoint', R: 'N' })];
      // Closeouts rise and fall with N: of the two roots the answer is the one that lends less.
      const roots = Object.keys(plain.roots).map(Number);
      expect([roots.length, Math.max(...roots)]).toEqual([2, plain.N]);
      expect(named).toEqual({
        ...plain,
        arguments: { ...plain.arguments, opt_param: { ...sent, M: 'midpoint', R: 'N' } },
      });
    });

    it.each(['PrMarginCall', 'PrLiquidation', 'PrCloseout', 'PrUnderwater'])(
      'searches %s at the M sent, above which every candidate lies',
      async score_variable => {
        const target = score_variable === 'PrUnderwater' ? 0.01 : 0.1;
        const found = await ask({ ...search, score_variable, score_target: target, M: 1.12 });
        expect(found.M).toBe(1.12);
        expect(found.N).toBeGreaterThanOrEqual(1.12);
        expect(found.R).toBe(found.N);
        expect(Math.abs(found.figures[score_variable] - target)).toBeLessThanOrEqual(0.01);
      },
    );

    for (const { score_variable, tags } of [
      { score_variable: 'PrLiquidation', tags: [] },
      { score_variable: 'PrMarginCall', tags: ['slow'] },
      { score_variable: 'PrCloseout', tags: ['slow'] },
    ])
      it(`searches ${score_variable} at the R sent`, { tags }, async () => {
        const sent = { ...search, score_variable, score_target: 0.05, R: 1.35 };
        const found = await ask(sent, 500);
        expect(found.R).toBe(1.35);
        expect(Math.abs(found.figures[score_variable] - 0.05)).toBeLessThanOrEqual(0.01);
      });

    for (const { rules, tags } of [
      { rules: { M: 1.25, R: 1.3 }, tags: [] },
      { rules: {}, tags: ['slow'] },
      { rules: { R: 1.4 }, tags: ['slow'] },
    ])
      it(`searches the forced sale, with ${JSON.stringify(rules)}`, { tags }, async () => {
        const found = await ask({ ...search, ...rules, score_variable: 'PrForcedSale' }, 500);
        const { PrLiquidation, PrCloseout } = found.figures;
        expect(Math.abs(PrLiquidation + PrCloseout - 0.1)).toBeLessThanOrEqual(0.01);
        expect(found).toMatchObject(rules);
      });

    it('counts liquidations and closeouts alike where both are common', async () => {
      const sent = { ...search, score_variable: 'PrForcedSale', score_target: 0.2, M: 1.12 };
      const { figures } = await ask(sent, 2000);
      const { PrLiquidation, PrCloseout } = figures;
      expect(PrLiquidation).toBeGreaterThan(0.02);
      expect(PrCloseout).toBeGreaterThan(0.02);
      expect(Math.abs(PrLiquidation + PrCloseout - 0.2)).toBeLessThanOrEqual(0.01);
    });

    it('counts the runs of a search in which every candidate is one', () => {
      const bodies = [{}, { R: 1.4 }].map(rules => ({
        type: 'GBM',
        params: { ...LOAN, mc_iter: 500, opt_param: { ...search, ...rules, score_variable: 'PrCloseout' } },
      }));
      const [shared, single] = bodies.map(
        body => ORIGINATION_QUESTION.workload(parseRequest(ORIGINATION_QUESTION, dayOf(NOW), body)).work,
      );
      // 4 passes against 65 candidates, 16 halvings of three points at most and the loan found.
      expect(single / shared).toBe((65 + 3 * 16 + 1) / 4);
    });

    it('warns if closeouts explain a low PrLiquidation', async () => {
      const sent = {
        ...search,
        score_variable: 'PrLiquidation',
        score_target: 0.03,
        variable_max: 1.22,
        M: 1.2,
      };
      const { figures, warnings } = await ask({ ...sent, error_tolerance: 0.05 });
      expect(figures.PrCloseout).toBeGreaterThan(0.5);
      expect(warnings?.map(({ code }) => code)).toEqual(['mostly-closed-out']);
      expect(warnings?.[0].message).toContain(`PrCloseout is ${figures.PrCloseout} `);
      const safe = await ask({ ...search, score_variable: 'PrCloseout' });
      expect(safe.warnings).toEqual([]);
    });

    it('warns if one stair of the score spans the target', async () => {
      const sent = {
        ...search,
        score_variable: 'PrMarginCall',
        score_target: 0.10005,
        error_tolerance: 1e-6,
      };
      const { figures, warnings } = await ask(sent);
      expect(Math.abs(figures.PrMarginCall - 0.10005)).toBeGreaterThan(1e-6);
      expect(warnings?.map(({ code }) => code)).toEqual(['stair-spans-target']);
    });

    it.each([
      [{ M: 1.05 }, 'params.opt_param.M', 'opt_param.M must be above L (1.1); got 1.05'],
      [{ R: 1.1 }, 'params.opt_param.R', 'opt_param.R must be above L (1.1); got 1.1'],
      [
        { M: 3.5 },
        'params.opt_param.M',
        'opt_param.M must be from variable_min (1.05) to variable_max (3); got 3.5',
      ],
      [
        { M: 'N' },
        'params.opt_param.M',
        'opt_param.M must be midpoint, or a number above 0 and at most 100; got "N"',
      ],
      [
        { R: true },
        'params.opt_param.R',
        'opt_param.R must be N, or a number above 0 and at most 100; got true',
      ],
    ])('refuses %j', (rules, path, message) => {
      const opt_param = { ...search, score_variable: 'PrCloseout', ...rules };
      const body = { type: 'GBM', params: { ...LOAN, mc_iter: 500, opt_param } };
      const checked = readRequest(ORIGINATION_QUESTION, dayOf(NOW), body);
      expect(checked).toMatchObject({ ok: false, faults: [{ path, message }] });
    });
  });
});
