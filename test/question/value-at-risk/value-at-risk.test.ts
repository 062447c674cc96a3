/** /var takes its horizons and quantiles in any order. */
import { beforeAll, expect, it } from 'vitest';
import { VALUE_AT_RISK_QUESTION } from '#src/question/value-at-risk/value-at-risk.js';
import { type Operations, openOperations } from '../../support/operations.ts';

let operations: Operations;
beforeAll(async () => {
  operations = await openOperations('sample');
});

it.each(['GBM', 'STUDENT_T'])(
  '/var under %s has the same figures for horizons and quantiles in any order',
  async type => {
    const figures = async (horizons: readonly number[], quantiles: readonly number[]) => {
      const body = {
        type,
        params: {
          collateral_weights: { BTC: 0.5, ETH: 0.5 },
          loan_weights: { USDC: 1 },
          analysis_date: '06-30-2024',
          model_lookback: 120,
          var_duration: horizons,
          quantile: quantiles,
          loan_value: 6000,
          collateral_value: 10_000,
          mc_iter: 2000,
        },
      };
      return (await operations.answer(VALUE_AT_RISK_QUESTION, body)).result;
    };
    const rising = await figures([1, 2.5, 10], [0.9, 0.99]);
    expect(await figures([10, 1, 2.5], [0.99, 0.9])).toEqual(rising);
    expect(JSON.stringify(rising)).not.toContain('null');
  },
);
