/** /book_risk of loans with the terms of real loans: what they read, what is refused, and where they are as they were. */
import { describe, expect, it } from 'vitest';
import { booksOf, loanOf as loan } from '../../support/book-bodies.ts';
import { type Headers, useSampleService } from '../../support/sample-service.ts';

const app = useSampleService();
const post = (body: unknown, headers: Headers = {}) =>
  app.post('/book_risk', body, { 'x-compute': 'cpu', ...headers });

const book = booksOf(1000);

type Figures = Record<string, number>;
interface BookAnswer {
  readonly Output: {
    readonly Loans: Record<string, Figures & { readonly Status?: string }>;
    readonly Book: Figures & { readonly TopUpUsd?: { readonly Mean: number; readonly Quantiles: Figures } };
    readonly Borrowers?: Record<
      string,
      { readonly LoanValue: number; readonly ExpectedLoss: number; readonly CVarContribution: Figures }
    >;
  };
}

interface Called
  extends Readonly<Record<'OpenHours' | 'HoursLeft' | 'Ratio' | 'TopUpUsd' | 'RepayUsd', number>> {
  readonly TopUp: Record<string, number>;
  readonly Repay: Record<string, number>;
}

async function outputOf(body: unknown, headers: Headers = {}) {
  const response = await post(body, headers);
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return (JSON.parse(text) as BookAnswer).Output;
}

async function faultsOf(body: unknown, headers: Headers = {}) {
  const response = await post(body, headers);
  expect(response.status).toBe(422);
  const { errors } = (await response.json()) as { errors: { path: string; message: string }[] };
  return errors.map(({ path, message }) => `${path}: ${message}`).join('\n');
}

const answers = { share: 0.6, delay_hours: 12, to: 1.35 };
const part = { to: 1.35, max_share: 0.5 };

describe('A book with the terms of real loans', () => {
  it('has the states of its loans at the start, and does not refuse them', async () => {
    const { Loans } = await outputOf(
      book([
        loan('open'),
        loan('called', { N: 1.15, called_hours_ago: 6 }),
        loan('below', { N: 1.15 }),
        loan('liquidated', { N: 1.05 }),
      ]),
    );
    expect(Object.values(Loans).map(({ Status }) => Status)).toEqual([
      undefined,
      'called',
      'called',
      'liquidated',
    ]);
    expect(Loans.called.PrMarginCall).toBe(1);
    expect(Loans.liquidated.PrLiquidation).toBe(1);
    expect(Loans.liquidated.AvgSurvivalRate).toBe(0);
    expect(Loans.below.WorstCaseCCR).toBeLessThanOrEqual(1.15);
  });

  it('says with include=calls what cures each call: with it the ratio is R', async () => {
    const terms = { M: 1.3, L: 1.1, R: 1.4, mc_top_up: 24, loan_duration: 30 };
    const prices = { BTC: 50_000, ETH: 2_500, USDC: 0.8 };
    const row = (id: string, BTC: number, USDC: number, others = {}) => ({
      ...{ id, ...terms, collateral: { BTC, ETH: 10 }, loan: { USDC } },
      ...others,
    });
    const asked = async (loans: object[], others = {}) => {
      const body = book(loans) as { params: object };
      const response = await app.post(
        '/book_risk?include=calls',
        { ...body, params: { ...body.params, prices, ...others } },
        { 'x-compute': 'cpu' },
      );
      expect(response.status).toBe(200);
      const { Arguments, Output } = (await response.json()) as {
        Arguments: { loans: { N: number }[] };
        Output: { Calls: Record<string, Called> };
      };
      return { ratios: Arguments.loans.map(({ N }) => N), Calls: Output.Calls };
    };
    // 75,000 of collateral against 60,000.
    const late = row('late', 1, 75_000, { called_hours_ago: 30 });
    const { Calls } = await asked([late, row('open', 2, 75_000), row('below', 1, 75_000)]);
    expect(Object.keys(Calls)).toEqual(['late', 'below']);
    const { OpenHours, HoursLeft, Ratio, TopUpUsd, TopUp, RepayUsd, Repay } = Calls.late;
    expect({ OpenHours, HoursLeft, Ratio }).toEqual({
      OpenHours: 30,
      HoursLeft: -6,
      Ratio: expect.closeTo(1.25, 12),
    });
    expect([TopUpUsd, RepayUsd]).toEqual([
      expect.closeTo(9_000, 6),
      expect.closeTo(60_000 - 75_000 / 1.4, 6),
    ]);
    expect(TopUp.ETH).toBeCloseTo(9_000 / 2_500, 9);
    const cured = await asked([
      row('by collateral', 1 + TopUp.BTC, 75_000),
      row('by debt', 1, 75_000 - Repay.USDC),
    ]);
    expect(cured.ratios).toEqual([expect.closeTo(1.4, 12), expect.closeTo(1.4, 12)]);
    expect(cured.Calls).toEqual({});
    // A fall of both by a fifth: 76,000 against 60,000, at prices of 40,000 and 2,000.
    const shocked = await asked([row('open', 1.4, 75_000)], { price_shock: { '*': -0.2 } });
    expect(shocked.Calls.open).toMatchObject({ OpenHours: 0, HoursLeft: 24 });
    expect(shocked.Calls.open.TopUp.BTC).toBeCloseTo((1.4 * 60_000 - 76_000) / 40_000, 9);
  });

  it('has figures of sales, answers and borrowers', async () => {
    const { Loans, Book, Borrowers } = await outputOf(
      book([
        loan('a', { top_up: answers, borrower: 'Ann' }),
        loan('b', { top_up: { ...answers, share: 0.9 }, borrower: 'Ann', loan_value: 100_000 }),
        loan('c', { partial_sale: part, sale_cost: 0.05, interest_rate: 0.12, borrower: 'Carl' }),
        loan('d'),
      ]),
    );
    expect(Loans.a.PrTopUp).toBeGreaterThan(0);
    // One draw for all calls of a borrower: who answers with the lower probability answers with the higher one.
    expect(Loans.b.PrTopUp).toBeGreaterThan(Loans.a.PrTopUp);
    expect(Loans.c.AvgSales).toBeGreaterThan(Loans.c.PrSale);
    expect(Loans.d).not.toHaveProperty('PrSale');
    const toppedUp = (2500 * Loans.a.AvgTopUpPct + 1000 * Loans.b.AvgTopUpPct) / 1;
    expect(Math.abs(Number(Book.TopUpUsd?.Mean) / toppedUp - 1)).toBeLessThan(1e-6);
    expect(Object.keys(Borrowers ?? {})).toEqual(['Ann', 'Carl']);
    expect(Borrowers?.Ann.LoanValue).toBe(350_000);
    expect(Borrowers?.Ann.ExpectedLoss).toBe(Loans.a.ExpectedLoss + Loans.b.ExpectedLoss);
  });

  it('has the figures of each of its loans alone, whose answers are named by its borrower', async () => {
    const terms = [
      { interest_rate: 0.3, top_up: answers },
      { N: 1.15, called_hours_ago: 6, top_up: { ...answers, share: 1 } },
      { N: 1, M: 0.98, L: 0.9, R: 0.99, interest_rate: -0.2 },
    ].map((more, k) => loan(`loan ${k}`, more));
    const body = book(terms);
    const { Loans } = await outputOf(body);
    for (const { id, ...single } of terms) {
      const { loans: _, quantile: __, ...common } = body.params;
      const params = { ...common, ...single, ...('top_up' in single && { borrower: id }) };
      const response = await app.post('/loan_risk', { ...body, params }, { 'x-compute': 'cpu' });
      const answer = (await response.json()) as { Output?: Figures };
      for (const [name, figure] of Object.entries(answer.Output ?? {}))
        if (name in Loans[id]) expect(Loans[id][name], `${name} of ${id}`).toBeCloseTo(figure, 6);
      expect(answer, id).toHaveProperty('Output.PrMarginCall', Loans[id].PrMarginCall);
    }
  });

  it('has the answer without these terms where no borrower answers and nothing is owed', async () => {
    const plain = await outputOf(book([loan('a'), loan('b', { N: 1.4 })]));
    const same = await outputOf(
      book([
        loan('a', { top_up: { ...answers, share: 0 }, interest_rate: 0 }),
        loan('b', { N: 1.4, sale_cost: 0.01, borrower: 'Bo' }),
      ]),
    );
    const { PrTopUp, AvgTopUpPct, ...figures } = same.Loans.a;
    expect([PrTopUp, AvgTopUpPct]).toEqual([0, 0]);
    expect(figures).toEqual(plain.Loans.a);
    expect(same.Loans.b).toEqual(plain.Loans.b);
    const { TopUpUsd, ...rest } = same.Book;
    expect(TopUpUsd?.Mean).toBe(0);
    expect(rest).toEqual(plain.Book);
  });

  it('sells all collateral where the sold part is all of it', async () => {
    const plain = await outputOf(book([loan('a', { M: 1.25, L: 1.24, R: 1.3, sale_cost: 0.25 })]));
    // A ratio that only a sale of everything restores, for a cost that eats the rest.
    const all = await outputOf(
      book([loan('a', { M: 1.25, L: 1.24, R: 1.3, sale_cost: 0.25, partial_sale: { to: 100 } })]),
    );
    const { PrSale, AvgSales, AvgSoldPct, ...figures } = all.Loans.a;
    expect(PrSale).toBe(figures.PrLiquidation + figures.PrCloseout);
    expect(AvgSales).toBe(PrSale);
    expect(AvgSoldPct).toBeGreaterThan(0);
    expect(figures).toEqual(plain.Loans.a);
  });

  it('follows windows of history, with draws by window', async () => {
    const { mc_iter: _, ...params } = book([loan('a', { top_up: answers, partial_sale: part })]).params;
    const body = { type: 'HISTORICAL', params: { ...params, model_lookback: 365 } };
    const first = await outputOf(body);
    expect(first.Loans.a.PrTopUp).toBeGreaterThan(0);
    expect(await outputOf(body)).toEqual(first);
  });

  it('does not depend on the order of the loans', async () => {
    const loans = [
      loan('a', { top_up: answers }),
      loan('b', { partial_sale: part, collateral_weights: { BTC: 1 } }),
      loan('c', { interest_rate: 0.1, top_up: answers, N: 1.15 }),
      loan('d', { collateral_weights: { BTC: 0.5, ETH: 0.5 } }),
    ];
    const forth = await outputOf(book(loans));
    const back = await outputOf(book([...loans].reverse()));
    for (const { id } of loans as { id: string }[]) {
      const { CVarContribution: _a, ...figures } = back.Loans[id];
      const { CVarContribution: _b, ...other } = forth.Loans[id];
      expect(figures, id).toEqual(other);
    }
  });

  it('has intervals of its figures', async () => {
    const response = await app.post(
      '/book_risk?include=accuracy',
      book([loan('a', { top_up: answers, partial_sale: part })]),
      { 'x-compute': 'cpu' },
    );
    const { Output, Accuracy } = (await response.json()) as BookAnswer & {
      Accuracy: {
        figures: { Loans: { a: Record<string, { low: number; high: number }> }; Book: { TopUpUsd: object } };
      };
    };
    for (const name of ['PrSale', 'AvgSales', 'AvgSoldPct', 'PrTopUp', 'AvgTopUpPct']) {
      const { low, high } = Accuracy.figures.Loans.a[name];
      expect(low, name).toBeLessThan(Output.Loans.a[name]);
      expect(high, name).toBeGreaterThan(Output.Loans.a[name]);
    }
    expect(Accuracy.figures.Book.TopUpUsd).toHaveProperty('Mean');
  });

  it.each([
    [{ partial_sale: {} }, /params\.loans\.0\.partial_sale\.to: .*either as to or as to_ltv; got neither/],
    [{ partial_sale: { to: 1.4, to_ltv: 0.7 } }, /either as to or as to_ltv; got both/],
    [{ partial_sale: { to: 1.25 } }, /partial_sale: .*above M \(1\.2\), at least R \(1\.3\)/],
    [{ partial_sale: { to: 1.4, max_share: 0 } }, /max_share.*above 0 and at most 1; got 0/],
    [{ partial_sale: { to: 1.31 }, sale_cost: 0.3 }, /above 1\.428.*after its cost \(0\.3\); got 1\.31/],
    [{ sale_cost: 0.6 }, /sale_cost.*from 0 to 0\.5; got 0\.6/],
    [{ top_up: { ...answers, delay_hours: 30 } }, /delay_hours.*at most mc_top_up \(24 hours/],
    [{ called_hours_ago: 3 }, /called_hours_ago.*absent where N .* leave it out/],
    [{ interest_rate: -0.6 }, /interest_rate.*from -0\.5 to 10/],
    [{ borrower: '' }, /borrower.*1 to 64/],
  ])('refuses %j', async (more, words) => {
    expect(await faultsOf(book([loan('a', more)]))).toMatch(words);
  });

  it('uses the cost of the book where a row has none', async () => {
    const body = book([loan('a', { partial_sale: { to: 1.31 } })], { sale_cost: 0.3 });
    expect(await faultsOf(body)).toMatch(/params\.loans\.0\.partial_sale: .*after its cost \(0\.3\)/);
  });
});
