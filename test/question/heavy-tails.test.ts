/** STUDENT_T, FHS, FHS_EVT and BOOTSTRAP by every operation, on the sample market. */
import { beforeAll, describe, expect, it } from 'vitest';
import { CAPPED_LOAN_QUESTION } from '#src/question/capped-loan/capped-loan.js';
import { LOAN_QUESTION } from '#src/question/loan/loan-risk.js';
import { ORIGINATION_QUESTION } from '#src/question/origination/origination.js';
import { PERPETUAL_QUESTION } from '#src/question/perpetual/isolated-perpetual.js';
import { DEFAULT_QUERY } from '#src/question/request/query.js';
import { VALUE_AT_RISK_QUESTION } from '#src/question/value-at-risk/value-at-risk.js';
import { type Operations, openOperations } from '../support/operations.ts';

let operations: Operations;
beforeAll(async () => {
  operations = await openOperations('sample');
});

const window = { analysis_date: '06-30-2024', model_lookback: 210, mc_iter: 2000 };
const baskets = { collateral_weights: { BTC: 0.6, ETH: 0.4 }, loan_weights: { USDC: 1 } };
const loan = { ...window, ...baskets, loan_duration: 5, mc_top_up: 12, loan_value: 1000, L: 1.1 };
const ratios = { N: 1.3, M: 1.2, R: 1.25 };
const perpetual = {
  market: 'BTC',
  ...window,
  trade_duration_hours: 30,
  contract_type: 'linear',
  funding_method: 'flat',
  entry_price: 30_000,
  initial_margin: 6000,
  position_size: 1,
  contract_size: 1,
  funding_rate: 0.0001,
  funding_interval_hour: 8,
};
const query = { ...DEFAULT_QUERY, include: new Set(['accuracy' as const]) };

/** Every number of a result. */
function numbers(value: unknown): number[] {
  if (typeof value === 'number') return [value];
  return Object.values(value as object).flatMap(numbers);
}

const ask = (...sent: Parameters<Operations['answer']>) => operations.answer(...sent);

describe.each(['STUDENT_T', 'FHS', 'FHS_EVT', 'BOOTSTRAP'])('%s', type => {
  const exposure = {
    ...window,
    ...baskets,
    var_duration: [1, 7],
    quantile: [0.95, 0.99],
    loan_value: 1000,
    collateral_value: 1500,
  };

  it('answers every operation with finite figures and their accuracy', async () => {
    const opt_param = {
      score_variable: 'PrMarginCall',
      score_target: 0.2,
      variable_min: 1.12,
      variable_max: 3,
      error_tolerance: 0.02,
    };
    const capped = {
      volume_lookback: 30,
      markets: [['BTC', 'USDT', 'binance']],
      participation_ratio: 0.1,
    };
    const answers = [
      await ask(LOAN_QUESTION, { type, params: { ...loan, ...ratios } }, { query }),
      await ask(ORIGINATION_QUESTION, { type, params: { ...loan, opt_param } }, { query }),
      await ask(VALUE_AT_RISK_QUESTION, { type, params: exposure }, { query }),
      await ask(CAPPED_LOAN_QUESTION, { type, params: { ...loan, ...ratios, ...capped } }, { query }),
      await ask(PERPETUAL_QUESTION, { model: type, ...perpetual }, { query }),
    ];
    for (const { result, included, basis, arguments: echoed } of answers) {
      expect(numbers(result).every(Number.isFinite), JSON.stringify(result)).toBe(true);
      expect(basis.paths).toBe(2000);
      expect(echoed).toMatchObject({ volatility_shock: 0, mc_iter: 2000 });
      expect(included?.Accuracy).toBeDefined();
    }
    expect(answers[0].result).toHaveProperty('Collateral Volatility');
    expect(answers[2].result).toHaveProperty('Collateral Volatility');
  });

  it('scales its volatility and its tails with the shock', async () => {
    const tails = async (volatility_shock: number) => {
      const { result } = await ask(VALUE_AT_RISK_QUESTION, {
        type,
        params: { ...exposure, volatility_shock },
      });
      const one = (result['1'] as Record<string, Record<string, number>>)['0.95'];
      return { volatility: result['Collateral Volatility'] as number, loss: 1500 - one.CollateralVar };
    };
    const [plain, shocked] = [await tails(0), await tails(1)];
    expect(shocked.volatility / plain.volatility).toBeCloseTo(2, 9);
    // The same draws: only the curvature of exp and the drift prevent a doubling of losses.
    expect(shocked.loss / plain.loss).toBeGreaterThan(1.7);
    expect(shocked.loss / plain.loss).toBeLessThan(2.2);
  });

  it('refuses a window that is too short, at its length', async () => {
    const body = { type, params: { ...loan, ...ratios, model_lookback: 20 } };
    // The least window of FHS_EVT is a bound of the request; that of the others is found by the fit.
    const refusal =
      type === 'FHS_EVT'
        ? { reason: 'invalid-request', faults: [{ path: 'params.model_lookback' }] }
        : {
            reason: 'calibration-failed',
            faults: [
              {
                code: 'out_of_range',
                path: 'model_lookback',
                message: expect.stringContaining(`for ${type}; got 20`),
              },
            ],
          };
    await expect((async () => ask(LOAN_QUESTION, body))()).rejects.toMatchObject(refusal);
  });
});

it('Horizons of /var under BOOTSTRAP are refused if they round to the same row', async () => {
  const params = {
    ...window,
    collateral_weights: { BTC: 1 },
    loan_weights: { USDC: 1 },
    var_duration: [1, 1.01],
    quantile: [0.95],
    loan_value: 1,
    collateral_value: 1,
  };
  await expect(ask(VALUE_AT_RISK_QUESTION, { type: 'BOOTSTRAP', params })).rejects.toMatchObject({
    reason: 'invalid-request',
    faults: [{ path: 'params.var_duration.1' }],
  });
});
