/**
 * sampling=tail of /loan_risk on a GPU (the software driver of the tests): taken, and the figures of the processor.
 *
 * @module-tag slow
 */
import { expect, it } from 'vitest';
import { useSampleService } from '../support/sample-service.ts';

const app = useSampleService({ COMPUTE: 'auto', SOFTWARE_GPU: '1', REQUEST_TIMEOUT_SECONDS: '3600' });

interface Answer {
  readonly Output: Readonly<Record<string, number | null>>;
  readonly Accuracy: {
    readonly figures: Readonly<Record<string, { readonly standard_error: number | null }>>;
  };
}

it('sampling=tail of a loan has the figures of the processor on a GPU', async () => {
  const params = {
    collateral_weights: { BTC: 0.6, ETH: 0.4 },
    loan_weights: { USD: 1 },
    analysis_date: '06-30-2024',
    model_lookback: 90,
    loan_duration: 10,
    mc_top_up: 24,
    loan_value: 1000,
    N: 1.5,
    M: 1.3,
    L: 1.1,
    R: 1.4,
    interest_rate: 0.1,
    top_up: { share: 0.5, delay_hours: 6 },
    mc_iter: 5000,
  };
  const answers: Answer[] = [];
  for (const compute of ['gpu', 'cpu']) {
    const path = '/loan_risk?sampling=tail&include=accuracy';
    const response = await app.post(path, { type: 'GBM', params }, { 'x-compute': compute });
    const text = await response.text();
    expect(response.status, text).toBe(200);
    expect(response.headers.get('x-compute')).toBe(compute);
    answers.push(JSON.parse(text) as Answer);
  }
  const [gpu, cpu] = answers;
  expect(Object.keys(gpu.Output)).toEqual(Object.keys(cpu.Output));
  expect(gpu.Output.WorstCaseCCR).toBeNull();
  let told = 0;
  for (const [name, { standard_error }] of Object.entries(cpu.Accuracy.figures)) {
    if (standard_error === null) continue;
    // The same paths: what differs is rounding, far below the error of sampling.
    const distance = Math.abs(Number(gpu.Output[name]) - Number(cpu.Output[name]));
    expect(distance, name).toBeLessThan(0.02 * standard_error);
    expect(Number(gpu.Accuracy.figures[name].standard_error) / standard_error, name).toBeCloseTo(1, 2);
    told++;
  }
  expect(told).toBeGreaterThan(5);
});
