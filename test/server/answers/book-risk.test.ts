/** /book_risk on the sample market: against /loan_risk, its own sums, its refusals, and large bodies. */
import { describe, expect, it } from 'vitest';
import { csvText } from '#src/server/answers/csv.js';
import {
  booksOf,
  loanOf as loan,
  LOAN_TERMS as terms,
  BOOK_WINDOW as window,
} from '../../support/book-bodies.ts';
import { everyNth } from '../../support/engines.ts';
import { withMember } from '../../support/request-bodies.ts';
import { type Headers, useSampleService } from '../../support/sample-service.ts';

const app = useSampleService();
// On the reference, whatever the host has.
const post = (path: string, body: unknown, headers: Headers = {}) =>
  app.post(path, body, { 'x-compute': 'cpu', ...headers });

const book = booksOf(100);

type Figures = Record<string, number>;
interface BookAnswer {
  readonly Arguments: Record<string, unknown>;
  readonly Output: {
    readonly Loans: Record<string, Figures & { CVarContribution: Figures }>;
    readonly Book: Figures & {
      readonly LossCVar: Figures;
      readonly LossVar: Figures;
      readonly Unsold: Figures;
      readonly PeakDay: { readonly CVar: Figures; readonly Mean: number };
      readonly Assets: Record<string, { CollateralShare: number; PeakDayCVar: Figures; LossCVar: Figures }>;
    };
  };
}

async function answerOf(body: unknown): Promise<BookAnswer> {
  const response = await post('/book_risk', body);
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return JSON.parse(text) as BookAnswer;
}

describe('A book', () => {
  for (const { tags, some } of everyNth(3, [
    ['GBM', { mc_iter: 100 }],
    ['GBM_VIX', { mc_iter: 100 }],
    ['STUDENT_T', { mc_iter: 100 }],
    ['FHS', { mc_iter: 100 }],
    ['FHS_EVT', { mc_iter: 100, model_lookback: 200 }],
    ['BOOTSTRAP', { mc_iter: 100 }],
    ['HISTORICAL', {}],
  ] as const))
    it.each(some)(
      'of one loan has the states of that loan on the same paths: %s',
      { tags },
      async (type, drawn) => {
        // A book's paths go on for the sale; windows of history begin where they do without one.
        const { mc_iter: _, ...params } = book([loan('only')], { sale_delay: 0 }).params;
        const answer = await answerOf({ type, params: { ...params, ...drawn } });
        const single = await post('/loan_risk', { type, params: { ...window, ...terms, ...drawn } });
        const { Output } = (await single.json()) as { Output: Figures };
        const { ExpectedLoss, CVarContribution, ...figures } = answer.Output.Loans.only;
        // The pair is compared as a ratio here and in logarithms there: the same paths, other last digits.
        for (const [name, value] of Object.entries(figures))
          expect(Math.abs((value as number) - Output[name]), name).toBeLessThan(
            1e-9 * (1 + Math.abs(Output[name])),
          );
        expect(Output.PrMarginCall).toBeGreaterThan(0.01);
        expect(answer.Output.Book.ExpectedLoss).toBeCloseTo(ExpectedLoss, 4);
        expect(CVarContribution['0.99']).toBeCloseTo(answer.Output.Book.LossCVar['0.99'], 4);
      },
    );

  it('has contributions of loans and assets that add up', async () => {
    const loans = Array.from({ length: 40 }, (_, k) =>
      loan(`loan ${k}`, {
        N: 1.21 + 0.01 * k,
        loan_value: 1000 * (k + 1),
        loan_duration: 5 + (k % 4) * 7,
        collateral_weights: k % 3 === 0 ? { BTC: 0.5, ETH: 0.5 } : { ETH: 1 },
      }),
    );
    const { Output } = await answerOf(book(loans, { sale_delay: 48, sale_cost: 0.05 }));
    const { Book, Loans } = Output;
    expect(Book.LoanValue).toBe((1000 * 40 * 41) / 2);
    const shares = Object.values(Book.Assets).reduce((sum, { CollateralShare }) => sum + CollateralShare, 0);
    expect(shares).toBeCloseTo(1, 12);
    for (const q of ['0.9', '0.99']) {
      const total = (parts: number[]) => parts.reduce((sum, part) => sum + part, 0);
      const byLoan = total(Object.values(Loans).map(each => each.CVarContribution[q]));
      const byAsset = total(Object.values(Book.Assets).map(each => each.LossCVar[q]));
      const peak = total(Object.values(Book.Assets).map(each => each.PeakDayCVar[q]));
      expect(Book.LossCVar[q]).toBeGreaterThan(0);
      expect(Book.LossCVar[q]).toBeGreaterThanOrEqual(Book.LossVar[q]);
      expect(Math.abs(byLoan / Book.LossCVar[q] - 1)).toBeLessThan(1e-9);
      expect(Math.abs(byAsset / Book.LossCVar[q] - 1)).toBeLessThan(1e-9);
      expect(Math.abs(peak / Book.PeakDay.CVar[q] - 1)).toBeLessThan(1e-9);
    }
    const expected = Object.values(Loans).reduce((sum, each) => sum + each.ExpectedLoss, 0);
    // Losses of a loan are kept in units of 2^-32 of its value.
    expect(Math.abs(expected / Book.ExpectedLoss - 1)).toBeLessThan(1e-6);
  });

  it('echoes its arguments, and has the same answer twice', async () => {
    const body = book([loan('a', { collateral_weights: { eth: 1 } })], { quantile: [0.95] });
    const [first, second] = [await post('/book_risk', body), await post('/book_risk', body)];
    const text = await first.text();
    expect(await second.text()).toBe(text);
    expect((JSON.parse(text) as BookAnswer).Arguments).toMatchObject({
      analysis_date: '06-30-2024',
      sale_delay: 24,
      sale_cost: 0.01,
      volatility_shock: 0,
      quantile: [0.95],
      loans: [{ id: 'a', collateral_weights: { ETH: 1 }, loan_weights: { USD: 1 } }],
    });
  });

  it('runs as a job and as a line of a batch with the same answer', async () => {
    const body = book([loan('a'), loan('b', { N: 1.5 })]);
    const atOnce = await answerOf(body);
    const accepted = await post('/book_risk', body, { prefer: 'respond-async' });
    const location = accepted.headers.get('location') as string;
    const ask = (path: string, accept: string) => app.get(path, { accept });
    expect(await (await ask(location, 'text/event-stream')).text()).toContain('"state":"done"');
    expect(await (await ask(`${location}/result`, 'application/json')).json()).toEqual(atOnce);
    const line = JSON.stringify({ id: 'x', path: '/book_risk', compute: 'cpu', body });
    const batch = await post('/batch', `${line}\n`, { 'content-type': 'application/x-ndjson' });
    const [answer] = (await batch.text())
      .split('\n')
      .map(each => each && (JSON.parse(each) as { body: unknown }));
    expect((answer as { body: unknown }).body).toEqual(atOnce);
  });

  /** A book of 600 loans as one text and in another form, which has the headers of the first. */
  async function inBothForms(accept: string, contentType = accept) {
    const loans = Array.from({ length: 600 }, (_, k) => loan(`loan ${k}`, { N: 1.25 + 0.001 * k }));
    const body = book(loans, { mc_iter: 20 });
    const [plain, other] = await Promise.all([
      post('/book_risk?include=warnings', body),
      post('/book_risk?include=warnings', body, { accept }),
    ]);
    expect(other.headers.get('content-type')).toBe(contentType);
    expect(other.headers.get('vary')).toContain('Accept');
    for (const name of ['x-compute', 'x-seed', 'x-scenarios', 'x-market-grid'])
      expect(other.headers.get(name), name).toBe(plain.headers.get(name));
    return [plain, other] as const;
  }

  it('answers in lines, one for each loan and then the book, with the figures of the JSON text', async () => {
    const [plain, inLines] = await inBothForms('application/x-ndjson');
    const { Arguments, Output, ...rest } = (await plain.json()) as BookAnswer;
    const text = await inLines.text();
    expect(text.endsWith('}\n')).toBe(true);
    const lines = text
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line) as Record<string, unknown>);
    expect(lines.slice(0, -1)).toEqual(Object.entries(Output.Loans).map(([id, each]) => ({ id, ...each })));
    const { loans: _, ...common } = Arguments;
    expect(lines.at(-1)).toEqual({ Arguments: common, Output: { Book: Output.Book }, ...rest });
  });

  it('answers as a table, with the figures of the JSON text', async () => {
    const [plain, table] = await inBothForms('text/csv', 'text/csv; charset=utf-8');
    const text = await table.text();
    expect(text === csvText((await plain.json()) as Record<string, unknown>)).toBe(true);
  });

  it('is refused in lines as in a JSON text', async () => {
    const response = await post('/book_risk', book([]), { accept: 'application/x-ndjson' });
    expect(response.status).toBe(422);
    expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/);
  });

  it('of thousands of loans is read and answered while others are served', async () => {
    const loans = Array.from({ length: 5000 }, (_, k) => loan(`loan ${k}`, { N: 1.25 + 0.0001 * k }));
    const answering = answerOf(book(loans, { mc_iter: 50 }));
    let served = 0;
    let done = false;
    void answering.then(() => {
      done = true;
    });
    while (!done) {
      expect((await fetch(`${app.service.url}/healthz`)).status).toBe(200);
      served++;
    }
    expect(Object.keys((await answering).Output.Loans)).toHaveLength(5000);
    expect(served).toBeGreaterThan(1);
  });
});

it('A book of the smallest accepted loan has figures of that size', async () => {
  const { Output } = await answerOf(book([loan('a', { loan_value: 1e-6 })]));
  expect(Output.Book.LoanValue).toBe(1e-6);
  expect(Output.Book.ExpectedLoss).toBeLessThan(1e-6);
  expect(JSON.stringify(Output)).not.toContain('null');
});

describe('A faulty book is refused', () => {
  const faultsOf = async (body: unknown, status = 422) => {
    const response = await post('/book_risk', body);
    const problem = (await response.json()) as { errors: { path: string; message: string }[] };
    expect(response.status, JSON.stringify(problem)).toBe(status);
    return problem.errors.map(({ path }) => path);
  };

  it('with every fault at its loan', async () => {
    const body = book([loan('a', { N: 101 }), loan('a', { L: 2 }), loan('c', { loan_value: -1, other: 1 })]);
    const faults = await faultsOf(body);
    for (const path of ['params.loans.0.N', 'params.loans.2.loan_value', 'params.loans.2.other'])
      expect(faults).toContain(path);
  });

  it.each([
    [
      'a loan below the least step of amounts',
      book([loan('a', { loan_value: 9e-7 })]),
      'params.loans.0.loan_value',
    ],
    [
      'a loan of the smallest number there is',
      book([loan('a', { loan_value: 5e-324 })]),
      'params.loans.0.loan_value',
    ],
    ['an id twice', book([loan('a'), loan('a')]), 'params.loans.1.id'],
    ['no loan', book([]), 'params.loans'],
    [
      'nine quantiles',
      book([loan('a')], { quantile: [1, 2, 3, 4, 5, 6, 7, 8, 9].map(i => i / 10) }),
      'params.quantile',
    ],
    ['a sale after a month and a day', book([loan('a')], { sale_delay: 721 }), 'params.sale_delay'],
    [
      'FHS on a window of 59 returns',
      { ...book([loan('a')], { model_lookback: 59 }), type: 'FHS' },
      'params.model_lookback',
    ],
    ['an unknown type', { ...book([loan('a')]), type: 'WALK' }, 'type'],
    [
      'an asset without prices',
      book([loan('a'), loan('b', { collateral_weights: { NOPE: 1 } })]),
      'params.loans.1.collateral_weights.NOPE',
    ],
  ])('%s', async (_, body, path) => {
    expect(await faultsOf(body)).toContain(path);
  });

  it('by more than 32 assets over all loans', async () => {
    const loans = Array.from({ length: 33 }, (_, k) =>
      loan(`${k}`, { collateral_weights: { [`A${k}`]: 1 } }),
    );
    expect(await faultsOf(book(loans))).toEqual(['params.loans']);
  });

  it('where it is not JSON, names a member twice, or asks for a GPU on a host without one', async () => {
    expect(await faultsOf('{"type": ', 400)).toEqual([]);
    const twice = JSON.stringify(book([loan('a')])).replace('"N":1.3', '"N":1.3,"N":1.4');
    expect(await faultsOf(twice)).toEqual(['params.loans.0.N']);
    const response = await post('/book_risk', book([loan('a')]), { 'x-compute': 'gpu' });
    expect(response.status).toBe(503);
  });

  it('where it asks for more work than the server accepts', async () => {
    const response = await post(
      '/book_risk',
      withMember(book([loan('a', { loan_duration: 3650 })]), 'params.mc_iter', 1_000_000),
    );
    expect(response.status).toBe(422);
  });
});
