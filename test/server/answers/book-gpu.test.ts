/**
 * /book_risk on a GPU (the software driver of the tests): chosen by the header, close to the processor, cancelled.
 *
 * @module-tag slow
 */
import { describe, expect, it } from 'vitest';
import { type Headers, useSampleService } from '../../support/sample-service.ts';

const app = useSampleService({
  COMPUTE: 'auto',
  SOFTWARE_GPU: '1',
  // However slow the machine is.
  REQUEST_TIMEOUT_SECONDS: '3600',
  MAX_WORK_GPU: '1e9',
});
const post = (body: unknown, headers: Headers = {}, signal?: AbortSignal) =>
  app.post('/book_risk', body, headers, signal);

const loans = Array.from({ length: 20 }, (_, k) => ({
  id: `loan ${k}`,
  collateral_weights: k % 3 === 0 ? { BTC: 0.5, ETH: 0.5 } : { ETH: 1 },
  loan_weights: { USD: 1 },
  loan_duration: 5 + 5 * (k % 3),
  mc_top_up: 12 * (k % 3),
  loan_value: 10_000 * (k + 1),
  N: 1.22 + 0.01 * k,
  M: 1.2,
  L: 1.08,
  R: 1.25,
}));
const book = (more: object = {}) => ({
  type: 'GBM',
  params: {
    analysis_date: '06-30-2024',
    model_lookback: 90,
    mc_iter: 2000,
    quantile: [0.9, 0.99],
    sale_cost: 0.05,
    loans,
    ...more,
  },
});

type Figures = { readonly [name: string]: number | Figures };

/** Every number of an answer by its place. */
function numbersOf(value: Figures, path: readonly string[] = []): Map<string, number> {
  const found = new Map<string, number>();
  for (const [name, each] of Object.entries(value)) {
    const place = [...path, name];
    if (typeof each === 'number') found.set(place.join(' '), each);
    else for (const [at, number] of numbersOf(each, place)) found.set(at, number);
  }
  return found;
}

describe('A book on a GPU', () => {
  it('is refused above the work limit, with the figure and the bound', async () => {
    // First, while no run of this kind has corrected the predicted time: a minute, within the time of a request.
    const response = await post(book({ mc_iter: 1_000_000 }), { 'x-compute': 'gpu' });
    const { errors } = (await response.json()) as { errors: { path: string; message: string }[] };
    expect(response.status).toBe(422);
    expect(errors[0]?.path, JSON.stringify(errors)).toBe('params.mc_iter');
    expect(errors[0].message).toMatch(/takes? .*at most \d+ on the GPU/);
  });

  it('has the figures of the reference', async () => {
    const answers = await Promise.all(
      ['gpu', 'cpu'].map(async compute => {
        const response = await post(book(), { 'x-compute': compute });
        const text = await response.text();
        expect(response.status, text).toBe(200);
        expect(response.headers.get('x-compute')).toBe(compute);
        return (JSON.parse(text) as { Output: { Loans: Figures; Book: Figures } }).Output;
      }),
    );
    const [gpu, cpu] = answers.map(({ Loans, Book }) => numbersOf({ Loans, Book }));
    expect([...gpu.keys()]).toEqual([...cpu.keys()]);
    const total = loans.reduce((sum, { loan_value }) => sum + loan_value, 0);
    for (const [place, value] of cpu) {
      // Shares may differ by a path or two near a threshold, counts of loans by one, amounts by 1e-4 of the book.
      const isAmount = /Loss|Usd|Sale|Peak|CVar|Value/.test(place) && !/Pr|Pct|Share/.test(place);
      const bound = isAmount ? 1e-4 * total : /Quantiles/.test(place) ? 1 : 2e-3;
      const difference = Math.abs((gpu.get(place) as number) - value);
      expect(difference, `${place}: ${gpu.get(place)} for ${value}`).toBeLessThanOrEqual(bound);
    }
    expect(cpu.get('Book LossCVar 0.99')).toBeGreaterThan(0);
  });

  it('has the same answer twice, and runs on the processor by default while the GPU is a software driver', async () => {
    const [first, second, byDefault] = [
      await post(book(), { 'x-compute': 'gpu' }),
      await post(book(), { 'x-compute': 'gpu' }),
      await post(book()),
    ];
    expect(await second.text()).toBe(await first.text());
    expect(byDefault.status).toBe(200);
    expect(byDefault.headers.get('x-compute')).toBe('cpu');
  });

  it('ends when its client disconnects', async () => {
    const leaving = new AbortController();
    const long = loans.map(loan => ({ ...loan, loan_duration: 360 }));
    const answer = post(book({ mc_iter: 20_000, loans: long }), { 'x-compute': 'gpu' }, leaving.signal);
    const left = expect(answer).rejects.toThrow();
    // With the answer of the small one the large one is under way.
    await post(book({ mc_iter: 10 }), { 'x-compute': 'gpu' });
    leaving.abort();
    await left;
    expect((await post(book({ mc_iter: 10 }), { 'x-compute': 'gpu' })).status).toBe(200);
  });

  it('is refused for windows of history, which run on the processor', async () => {
    const { mc_iter: _, ...params } = book().params;
    const response = await post({ type: 'HISTORICAL', params }, { 'x-compute': 'gpu' });
    const { errors } = (await response.json()) as { errors: { path: string }[] };
    expect(response.status).toBe(422);
    expect(errors.map(({ path }) => path)).toEqual(['header.x-compute']);
  });
});
