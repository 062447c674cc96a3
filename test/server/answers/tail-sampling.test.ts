/** ?sampling=tail over HTTP on the sample market: what it answers, what the answer says of itself, what is refused. */
import { describe, expect, it } from 'vitest';
import { decodePlan } from '#src/core/plan/codec.js';
import { methodologiesOf } from '#src/models/methodology/methodologies.js';
import { LOAN_RISK, withMember } from '../../support/request-bodies.ts';
import { useSampleService } from '../../support/sample-service.ts';

const { post } = useSampleService();

const params = {
  collateral_weights: { BTC: 1 },
  loan_weights: { USD: 1 },
  analysis_date: '06-30-2024',
  model_lookback: 90,
  loan_duration: 20,
  mc_top_up: 24,
  loan_value: 1000,
  N: 1.7,
  M: 1.3,
  L: 1.1,
  R: 1.4,
  mc_iter: 20_000,
};
const gbm = { type: 'GBM', params };
const TAIL = '/loan_risk?sampling=tail';

interface Figure {
  readonly standard_error: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly method: string;
  readonly exact?: number;
  readonly effective_scenarios: number | null;
}
interface Answer {
  readonly Output: Record<string, number | null>;
  readonly Accuracy: { readonly scenarios: number; readonly figures: Record<string, Figure> };
  readonly Plan?: unknown;
}

async function faultsOf(path: string, body: unknown, headers = {}) {
  const response = await post(path, body, headers);
  expect(response.status, path).toBe(422);
  return ((await response.json()) as { errors: { path: string; message: string }[] }).errors;
}

describe('sampling=tail on /loan_risk', () => {
  it('has rare states with intervals that contain the law of one asset, and the equivalent number of plain paths', async () => {
    for (const type of ['GBM', 'GBM_VIX']) {
      const response = await post(`${TAIL}&include=accuracy,plan&confidence=0.999`, { type, params });
      expect(response.status, type).toBe(200);
      expect(response.headers.get('x-scenarios')).toBe('20000');
      expect(response.headers.get('x-compute')).toBe('cpu');
      const { Output, Accuracy, Plan } = (await response.json()) as Answer;
      expect(decodePlan(Plan)).toMatchObject({ scenarios: { kind: 'gbm-shifted', steps: 480 } });
      for (const name of ['PrUnderwater', 'PrMarginCall', 'AvgLossPct']) {
        const { low, high, exact, effective_scenarios } = Accuracy.figures[name];
        const told = JSON.stringify({ type, name, low, high, exact, figure: Output[name] });
        if (low === null || high === null || exact === undefined) throw new Error(told);
        expect(low, told).toBeLessThanOrEqual(exact);
        expect(high, told).toBeGreaterThanOrEqual(exact);
        expect(Number(effective_scenarios), told).toBeGreaterThan(20_000);
      }
      expect(Accuracy.figures.PrUnderwater.method).toBe('clopper-pearson');
      expect(Accuracy.figures.AvgLossPct.method).toBe('normal');
    }
  });

  it('has an answer for a loan seven standard deviations away', async () => {
    const far = { ...params, model_lookback: 120, loan_duration: 14, N: 2, mc_iter: 10_000 };
    const query = `${TAIL}&include=accuracy&confidence=0.999`;
    const { Output, Accuracy } = (await (await post(query, { ...gbm, params: far })).json()) as Answer;
    expect(Output.PrUnderwater).toBeLessThan(1e-11);
    for (const name of ['PrUnderwater', 'PrMarginCall', 'AvgLossPct']) {
      const { low, high, exact } = Accuracy.figures[name];
      const told = JSON.stringify({ name, low, high, exact });
      expect(exact, told).toBeGreaterThan(0);
      expect(low, told).toBeLessThan(Number(exact));
      expect(high, told).toBeGreaterThan(Number(exact));
      // Within a factor of two, where plain paths would have none.
      expect(Number(high) / Number(low), told).toBeLessThan(2);
    }
  });

  it('has no WorstCaseCCR, and no interval of a state that fewer than 30 paths reach', async () => {
    const safe = { ...gbm, params: { ...params, N: 90 } };
    const { Output, Accuracy } = (await (await post(`${TAIL}&include=accuracy`, safe)).json()) as Answer;
    expect(Output.WorstCaseCCR).toBeNull();
    expect(Output.PrUnderwater).toBe(0);
    for (const name of ['WorstCaseCCR', 'PrUnderwater', 'AvgLossPct', 'AvgSurvivalRate'])
      expect(Accuracy.figures[name], name).toMatchObject({
        standard_error: null,
        low: null,
        high: null,
        method: 'too-few-events',
        effective_scenarios: null,
      });
  });

  it('is accepted with interest, answers and a shock', { tags: ['slow'] }, async () => {
    const rich = {
      ...gbm,
      params: {
        ...params,
        loan_weights: { USD: 0.5, USDC: 0.5 },
        interest_rate: 0.1,
        top_up: { share: 0.5, delay_hours: 6 },
        price_shock: { BTC: -0.1 },
      },
    };
    const [tail, plain] = await Promise.all(
      [`${TAIL}&include=accuracy`, '/loan_risk?include=accuracy'].map(
        async path => (await (await post(path, rich)).json()) as Answer,
      ),
    );
    for (const name of ['PrTopUp', 'AvgTopUpPct', 'PrMarginCall', 'PrCloseout']) {
      const [one, other] = [tail, plain].map(({ Accuracy }) => Number(Accuracy.figures[name].standard_error));
      const distance = Math.abs(Number(tail.Output[name]) - Number(plain.Output[name]));
      expect(distance / Math.hypot(one, other), name).toBeLessThan(4);
      expect(one, name).toBeGreaterThan(0);
    }
  });

  it('is a table with an empty cell where there is no figure', async () => {
    const response = await post(TAIL, gbm, { accept: 'text/csv' });
    expect(response.status).toBe(200);
    const line = (await response.text()).split('\n').find(each => each.includes('WorstCaseCCR'));
    expect(line?.trim()).toMatch(/WorstCaseCCR,+$/);
  });

  it('has the same answer twice, and another for another seed', async () => {
    const answer = async (seed: string) =>
      ((await (await post(TAIL, gbm, { 'x-seed': seed })).json()) as Answer).Output;
    const first = await answer('5');
    expect(await answer('5')).toEqual(first);
    expect(await answer('6')).not.toEqual(first);
  });
});

const loans = [
  { id: 'a', loan_value: 250_000, N: 1.4 },
  { id: 'b', loan_value: 90_000, N: 1.35, borrower: 'Ann', top_up: { share: 0.5, delay_hours: 6 } },
  { id: 'c', loan_value: 400_000, N: 1.4, collateral_weights: { BTC: 0.5, ETH: 0.5 } },
].map(loan => ({
  collateral_weights: { BTC: 1 },
  loan_weights: { USD: 1 },
  M: 1.2,
  L: 1.1,
  R: 1.3,
  loan_duration: 20,
  mc_top_up: 24,
  ...loan,
}));
const book = {
  type: 'GBM',
  params: {
    analysis_date: '06-30-2024',
    model_lookback: 90,
    mc_iter: 20_000,
    quantile: [0.99, 0.999],
    loans,
  },
};
interface BookAnswer {
  readonly Output: {
    readonly Loans: Record<string, Record<string, number | null>>;
    readonly Book: {
      readonly LossCVar: Record<string, number>;
      readonly Unsold: { readonly LossVar: Record<string, number> };
    };
    readonly Borrowers: Record<string, { readonly ExpectedLoss: number }>;
  };
  readonly Accuracy: {
    readonly figures: {
      readonly Loans: Record<string, Record<string, Figure>>;
      readonly Book: {
        readonly Unsold: {
          readonly LossVar: Record<string, Figure>;
          readonly LossCVar: Record<string, Figure>;
        };
      };
    };
  };
}

describe('sampling=tail on /book_risk', () => {
  it('has figures that few plain paths lack, of each loan and of the book', { tags: ['slow'] }, async () => {
    const ask = async (path: string, body: object) => {
      const response = await post(path, body);
      const text = await response.text();
      expect(response.status, text).toBe(200);
      return JSON.parse(text) as BookAnswer;
    };
    const tail = await ask('/book_risk?sampling=tail&include=accuracy', book);
    const plain = await ask('/book_risk?include=accuracy', {
      ...book,
      params: { ...book.params, mc_iter: 200_000 },
    });
    for (const id of ['a', 'b', 'c']) {
      expect(tail.Output.Loans[id].WorstCaseCCR).toBeNull();
      for (const name of ['PrMarginCall', 'PrCloseout', 'PrUnderwater', 'AvgSurvivalRate', 'AvgLossPct']) {
        const own = tail.Accuracy.figures.Loans[id][name];
        const { standard_error } = plain.Accuracy.figures.Loans[id][name];
        const distance = Math.abs(Number(tail.Output.Loans[id][name]) - Number(plain.Output.Loans[id][name]));
        // A few losses of 200,000 plain paths have no error.
        if (standard_error !== null)
          expect(
            distance / Math.hypot(Number(own.standard_error), standard_error),
            `${id} ${name}`,
          ).toBeLessThan(4);
        expect(Number(own.effective_scenarios), `${id} ${name}`).toBeGreaterThan(5000);
      }
    }
    const { Book } = tail.Accuracy.figures;
    const { Unsold } = Book;
    for (const q of ['0.99', '0.999']) {
      const figure = tail.Output.Book.Unsold.LossVar[q];
      const { low, high, effective_scenarios } = Unsold.LossVar[q];
      if (low === null || high === null) throw new Error(q);
      expect(low).toBeLessThanOrEqual(figure);
      expect(high).toBeGreaterThanOrEqual(figure);
      expect(Number(effective_scenarios)).toBeGreaterThan(20_000);
      expect(Number(Unsold.LossCVar[q].effective_scenarios)).toBeGreaterThan(20_000);
    }
    const parts = ['a', 'b', 'c'].map(
      id => (tail.Output.Loans[id].CVarContribution as unknown as Record<string, number>)['0.99'],
    );
    const sum = parts.reduce((total, part) => total + part, 0);
    expect(sum / tail.Output.Book.LossCVar['0.99']).toBeCloseTo(1, 6);
    expect(tail.Output.Borrowers.Ann.ExpectedLoss).toBeCloseTo(Number(tail.Output.Loans.b.ExpectedLoss), 6);
  });

  it('has fractions from 0 to 1 of a loan that the start decides, on few paths', async () => {
    const decided = { ...loans[0], N: 1.05, M: 1.3, L: 1.1, R: 1.4, loan_duration: 1 };
    for (const seed of ['0', '1', '2', '3', '4', '5'])
      for (const mc_iter of [1, 3]) {
        const sent = { ...book, params: { ...book.params, mc_iter, loans: [decided] } };
        const response = await post('/book_risk?sampling=tail', sent, { 'x-seed': seed, 'x-compute': 'cpu' });
        const text = await response.text();
        expect(response.status, text).toBe(200);
        const figures = (JSON.parse(text) as BookAnswer).Output.Loans[decided.id];
        const told = JSON.stringify({ seed, mc_iter, figures });
        for (const name of ['PrMarginCall', 'PrLiquidation', 'AvgSurvivalRate']) {
          const truth = name === 'AvgSurvivalRate' ? 0 : 1;
          expect(Math.abs(Number(figures[name]) - truth), told).toBeLessThan(1e-4);
          expect(Number(figures[name]), told).toBeGreaterThanOrEqual(0);
          expect(Number(figures[name]), told).toBeLessThanOrEqual(1);
        }
      }
  });

  it('is answered in lines and as a table, too', { tags: ['slow'] }, async () => {
    for (const accept of ['application/x-ndjson', 'text/csv']) {
      const response = await post('/book_risk?sampling=tail', book, { accept });
      expect(response.status, accept).toBe(200);
      expect((await response.text()).length).toBeGreaterThan(100);
    }
  });
});

describe('sampling=tail is refused', () => {
  it.each(['/loan_origination', '/loan_risk_low_liquidity', '/isolated_perp_risk', '/backtest', '/var'])(
    'by %s',
    async path => {
      const [fault] = await faultsOf(`${path}?sampling=tail`, {});
      expect(fault.path).toBe('query.sampling');
      expect(fault.message).toContain('got "tail"');
    },
  );

  const withoutWeights = methodologiesOf('loan').filter(({ tailKind }) => tailKind === undefined);
  it.each(withoutWeights.map(({ name }) => name))('for %s', async type => {
    const sent = withMember(withMember(LOAN_RISK, 'type', type), 'params.model_lookback', 200);
    expect(await faultsOf(TAIL, sent)).toMatchObject([
      {
        path: 'query.sampling',
        message: `sampling may be tail where type is GBM or GBM_VIX; type is ${type}`,
      },
    ]);
  });

  it.each(['STUDENT_T', 'HISTORICAL'])('for books under %s', async type => {
    expect(await faultsOf('/book_risk?sampling=tail', { ...book, type })).toMatchObject([
      {
        path: 'query.sampling',
        message: `sampling may be tail where type is GBM or GBM_VIX; type is ${type}`,
      },
    ]);
  });

  it('with a distribution, whose counts have no weights', async () => {
    expect(await faultsOf(`${TAIL}&include=distribution`, gbm)).toMatchObject([
      {
        path: 'query.include',
        message: 'include must be a list without distribution where sampling is tail; got "distribution"',
      },
    ]);
  });

  it('with x-compute gpu only where there is none', async () => {
    for (const [path, sent] of [
      [TAIL, gbm],
      ['/book_risk?sampling=tail', book],
    ] as const) {
      const response = await post(path, sent, { 'x-compute': 'gpu' });
      expect(response.status, path).toBe(503);
      expect(await response.json()).toMatchObject({ detail: expect.stringContaining('no GPU') });
    }
  });
});
