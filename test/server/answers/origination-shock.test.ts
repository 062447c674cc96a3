/** /loan_origination with `price_shock`: the N that has its score although prices fall at once. */
import { describe, expect, it } from 'vitest';
import { useSampleService } from '../../support/sample-service.ts';

const app = useSampleService({});

const LOAN = {
  ...{ collateral_weights: { BTC: 0.6, ETH: 0.4 }, loan_weights: { USD: 1 }, loan_value: 250_000 },
  ...{ analysis_date: '06-30-2024', model_lookback: 60, loan_duration: 10, mc_top_up: 24, mc_iter: 200 },
};
const search = (score_variable: string, score_target: number, more: object = {}) => ({
  opt_param: {
    score_variable,
    score_target,
    variable_min: 1.15,
    variable_max: 4,
    error_tolerance: 0.01,
    ...more,
  },
});
const SHOCK = { BTC: -0.2, ETH: -0.3 };

async function ask(path: string, params: object, compute = 'cpu') {
  const response = await app.post(
    path,
    { type: 'GBM', params: { ...LOAN, ...params } },
    { 'x-compute': compute },
  );
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return JSON.parse(text) as { Arguments: Record<string, unknown>; Output: Record<string, number> };
}

describe('A search after a shock of prices', () => {
  for (const { variable, target, tags } of [
    { variable: 'PrForcedSale', target: 0.2, tags: [] },
    { variable: 'WorstCaseCCR', target: 1, tags: [] },
    { variable: 'PrMarginCall', target: 0.3, tags: ['slow'] },
    { variable: 'PrUnderwater', target: 0.05, tags: ['slow'] },
    { variable: 'PrLiquidation', target: 0.1, tags: ['slow'] },
  ])
    it(`finds the N before the shock at which the shocked loan has ${variable} of ${target}`, {
      tags,
    }, async () => {
      const found = await ask('/loan_origination', {
        L: 1.1,
        price_shock: SHOCK,
        ...search(variable, target),
      });
      const { N, M } = found.Output;
      const { R } = found.Arguments as { R: number };
      const loan = await ask('/loan_risk', { N, M, L: 1.1, R, price_shock: SHOCK });
      const { N: _n, M: _m, Candidates: _roots, ...figures } = found.Output;
      expect(figures).toEqual(loan.Output);
      const score =
        variable === 'PrForcedSale' ? figures.PrLiquidation + figures.PrCloseout : figures[variable];
      expect(Math.abs(score - target)).toBeLessThanOrEqual(0.01);
      const calm = await ask('/loan_origination', { L: 1.1, ...search(variable, target) });
      expect(N).toBeGreaterThan(calm.Output.N);
    });

  it('has the same N on the SIMD engine, within its precision', {
    tags: ['slow'],
  }, async () => {
    const params = { L: 1.1, price_shock: SHOCK, ...search('PrForcedSale', 0.2) };
    const [reference, fast] = [
      await ask('/loan_origination', params),
      await ask('/loan_origination', params, 'auto'),
    ];
    expect(fast.Output.N).toBeCloseTo(reference.Output.N, 3);
  });

  it('refuses a shock of assets that it does not have', async () => {
    const params = { ...LOAN, L: 1.1, price_shock: { SOL: -0.1 }, ...search('PrMarginCall', 0.3) };
    const response = await app.post('/loan_origination', { type: 'GBM', params });
    expect(response.status).toBe(422);
    expect(await response.text()).toContain('params.price_shock');
  });
});
