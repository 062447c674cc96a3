/**
 * sampling=tail of /loan_risk and /book_risk on a GPU (the software driver of the tests): taken, and the figures of the processor.
 *
 * @module-tag slow
 */
import { expect, it } from 'vitest';
import { useSampleService } from '../../support/sample-service.ts';

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
    // The same paths: what differs is rounding, far below the sampling error.
    const distance = Math.abs(Number(gpu.Output[name]) - Number(cpu.Output[name]));
    expect(distance, name).toBeLessThan(0.02 * standard_error);
    expect(Number(gpu.Accuracy.figures[name].standard_error) / standard_error, name).toBeCloseTo(1, 2);
    told++;
  }
  expect(told).toBeGreaterThan(5);
});

it('sampling=tail of a book has the figures of the processor on a GPU', async () => {
  const loans = Array.from({ length: 12 }, (_, k) => ({
    id: `loan-${k}`,
    collateral_weights: k % 3 === 0 ? { BTC: 1 } : { BTC: 0.6, ETH: 0.4 },
    loan_weights: { USD: 1 },
    N: 1.5 + 0.05 * k,
    M: 1.3,
    L: 1.15,
    R: 1.4,
    loan_value: 1e5 * (k + 1),
    loan_duration: 30,
    mc_top_up: 24,
  }));
  const params = {
    loans,
    analysis_date: '06-30-2024',
    model_lookback: 90,
    quantile: [0.99],
    mc_iter: 5000,
  };
  interface BookAnswer {
    readonly Output: {
      readonly Loans: Readonly<Record<string, Readonly<Record<string, number | null>>>>;
      readonly Book: Readonly<Record<string, unknown>>;
    };
    readonly Accuracy: {
      readonly figures: {
        readonly Loans: Readonly<
          Record<
            string,
            Readonly<
              Record<
                string,
                { readonly standard_error: number | null; readonly effective_scenarios: number | null }
              >
            >
          >
        >;
      };
    };
  }
  const answers: BookAnswer[] = [];
  for (const compute of ['gpu', 'cpu']) {
    const path = '/book_risk?sampling=tail&include=accuracy';
    const response = await app.post(path, { type: 'GBM', params }, { 'x-compute': compute });
    const text = await response.text();
    expect(response.status, text).toBe(200);
    expect(response.headers.get('x-compute')).toBe(compute);
    answers.push(JSON.parse(text) as BookAnswer);
  }
  const [gpu, cpu] = answers;
  let told = 0;
  Object.entries(cpu.Accuracy.figures.Loans).forEach(([id, figures]) => {
    for (const [name, { standard_error, effective_scenarios }] of Object.entries(figures)) {
      if (standard_error === null) continue;
      const where = `${name} of ${id}`;
      const distance = Math.abs(Number(gpu.Output.Loans[id][name]) - Number(cpu.Output.Loans[id][name]));
      expect(distance, where).toBeLessThan(0.02 * standard_error);
      const onGpu = gpu.Accuracy.figures.Loans[id][name];
      expect(Number(onGpu.standard_error) / standard_error, where).toBeCloseTo(1, 2);
      expect(Number(onGpu.effective_scenarios) / Number(effective_scenarios), where).toBeCloseTo(1, 2);
      told++;
    }
  });
  expect(told).toBeGreaterThan(30);
});
