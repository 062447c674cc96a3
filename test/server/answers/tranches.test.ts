/** Tranches, reserve and economic capital of /book_risk and /stress on the sample market (docs/tranches.md). */
import { describe, expect, it } from 'vitest';
import type { FigureAccuracy } from '#src/core/figures/accuracy.js';
import { booksOf, loanOf } from '../../support/book-bodies.ts';
import { useSampleService } from '../../support/sample-service.ts';

const app = useSampleService();

type Levels<V> = Readonly<Record<string, V>>;
interface Tranche<V> {
  readonly Attach: V;
  readonly Size: V;
  readonly ExpectedLoss: V;
  readonly ExpectedLossPct: V;
  readonly PrLoss: V;
  readonly PrFullLoss: V;
  readonly LossVar: Levels<V>;
  readonly LossCVar: Levels<V>;
}
interface Book<V> {
  readonly LoanValue: V;
  readonly ExpectedLoss: V;
  readonly LossVar: Levels<V>;
  readonly Tranches: Readonly<Record<string, Tranche<V>>>;
  readonly Waterfall: Readonly<Record<'Spread' | 'Reserve' | 'Tranches' | 'Uncovered', V>>;
  readonly EconomicCapital: Levels<V>;
  readonly CapitalHorizonDays: V;
}
type Parts = Readonly<Record<string, { readonly CapitalContribution: Levels<number> }>>;
interface Answer {
  readonly Output: { readonly Book: Book<number>; readonly Loans: Parts; readonly Borrowers: Parts };
  readonly Accuracy: { readonly figures: { readonly Book: Book<FigureAccuracy> } };
  readonly Warnings?: readonly { readonly code: string; readonly message: string }[];
}

async function answered<A = Answer>(path: string, body: unknown): Promise<A> {
  const response = await app.post(path, body);
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return JSON.parse(text) as A;
}

const LOANS = [
  loanOf('a', { borrower: 'x', N: 1.25 }),
  loanOf('b', { borrower: 'x', collateral_weights: { BTC: 1 }, loan_value: 100_000 }),
  loanOf('c', { borrower: 'y', N: 1.4, loan_duration: 20 }),
];
const PARTITION = [
  { name: 'equity', attach: 0, detach: 0.01 },
  { name: 'mezzanine', attach: 0.01, detach: 0.05 },
  { name: 'senior', attach: 0.05, detach: 1 },
];
const SHARED = { sale_delay: 24, sale_cost: 0.12, economic_capital: true };
const KINDS = [
  ['GBM', '?include=accuracy,warnings'],
  ['GBM', '?include=accuracy,warnings&sampling=tail'],
  ['HISTORICAL', '?include=accuracy,warnings'],
] as const;

describe('The losses of a book', () => {
  it.each(KINDS)(
    'are borne by reserve and tranches, and its capital is the sum of its parts: %s %s',
    async (type, query) => {
      const { params } = booksOf(4000)(LOANS, {
        ...SHARED,
        reserve: 0.002,
        excess_spread: 0.02,
        tranches: PARTITION,
      });
      const { mc_iter: _, ...historical } = params;
      const body = { type, params: type === 'HISTORICAL' ? historical : params };
      const { Output, Accuracy } = await answered(`/book_risk${query}`, body);
      const { Book, Loans, Borrowers } = Output;
      const { Waterfall, Tranches } = Book;
      const borne = Waterfall.Spread + Waterfall.Reserve + Waterfall.Tranches + Waterfall.Uncovered;
      expect(borne / Book.ExpectedLoss).toBeCloseTo(1, 9);
      expect(Waterfall.Spread).toBeGreaterThan(0);
      expect(Waterfall.Reserve).toBeGreaterThan(0);
      const sum = Object.values(Tranches).reduce((total, { ExpectedLoss }) => total + ExpectedLoss, 0);
      expect(sum / Waterfall.Tranches).toBeCloseTo(1, 12);
      for (const [q, capital] of Object.entries(Book.EconomicCapital)) {
        expect(capital).toBe(Math.max(0, Book.LossVar[q] - Book.ExpectedLoss));
        for (const parts of [Loans, Borrowers]) {
          const of = Object.values(parts).map(({ CapitalContribution }) => CapitalContribution[q]);
          expect(Math.abs(of.reduce((a, b) => a + b, 0) - capital)).toBeLessThan(1e-9 * Book.LoanValue);
        }
      }
      expect(Book.CapitalHorizonDays).toBe(30);
      const { Book: rows } = Accuracy.figures;
      const known = (name: string) => rows.Tranches[name];
      const within = (row: FigureAccuracy, value: number, of: string) => {
        if (row.low === null || row.high === null) return;
        expect(row.low, of).toBeLessThanOrEqual(value);
        expect(row.high, of).toBeGreaterThanOrEqual(value);
      };
      for (const { name } of PARTITION) {
        for (const figure of ['ExpectedLoss', 'ExpectedLossPct', 'PrLoss', 'PrFullLoss'] as const)
          within(known(name)[figure], Tranches[name][figure], `${name} ${figure}`);
        within(known(name).LossCVar['0.9'], Tranches[name].LossCVar['0.9'], `${name} LossCVar`);
      }
      if (type !== 'HISTORICAL') expect(known('equity').PrFullLoss.low).not.toBeNull();
      within(rows.Waterfall.Tranches, Waterfall.Tranches, 'Waterfall');
      within(rows.EconomicCapital['0.9'], Book.EconomicCapital['0.9'], 'EconomicCapital');
      expect(rows.EconomicCapital['0.9'].method).toBe(type === 'HISTORICAL' ? 'too-few-windows' : 'mover');
    },
  );

  it.each(KINDS)(
    'have an attachment point with its interval for a wanted figure: %s %s',
    async (type, query) => {
      const tranches = [
        { name: 'rare', attach_for: { figure: 'PrLoss', value: 0.1 }, detach: 1 },
        { name: 'mean', attach_for: { figure: 'ExpectedLossPct', value: 0.1 }, detach: 1 },
        { name: 'never', attach_for: { figure: 'PrLoss', value: 0 }, detach: 0.001 },
      ];
      const { params } = booksOf(4000)(LOANS, { ...SHARED, quantile: [0.2], tranches });
      const { mc_iter: _, ...historical } = params;
      const body = { type, params: type === 'HISTORICAL' ? historical : params };
      const { Output, Accuracy, Warnings } = await answered(`/book_risk${query}`, body);
      const { rare, mean, never } = Output.Book.Tranches;
      expect(rare.PrLoss).toBeLessThanOrEqual(0.1);
      expect(mean.ExpectedLossPct).toBeCloseTo(0.1, 6);
      expect([never.Attach, never.Size, never.PrLoss, never.LossVar['0.2']]).toEqual([
        null,
        null,
        null,
        null,
      ]);
      const messageOf = (code: string) => Warnings?.find(each => each.code === code)?.message;
      expect(messageOf('tranche-target')).toMatch(/: never\. Use a larger detach/);
      // Losses are rarer than one path in five, or more frequent: then the level is above the mean.
      expect(messageOf('capital-zero') === undefined).toBe(Output.Book.EconomicCapital['0.2'] > 0);
      const rows = Accuracy.figures.Book.Tranches;
      for (const [row, { Attach }] of [
        [rows.rare.Attach, rare],
        [rows.mean.Attach, mean],
      ] as const) {
        if (type === 'HISTORICAL') continue;
        expect(row.low).toBeLessThan(Attach);
        expect(row.high).toBeGreaterThan(Attach);
      }
      expect(rows.mean.Attach.method).toBe(
        type === 'HISTORICAL' ? rows.mean.ExpectedLossPct.method : 'inverted',
      );
    },
  );
});

const M = 1e6;
/** The published stress of a deal of bitcoin loans: 79 % default and 68 % of them are recovered (docs/tranches.md). */
const terms = {
  ...{ collateral_weights: { BTC: 1 }, M: 0.95, L: 0.9, R: 1, loan_duration: 1, mc_top_up: 0 },
};
const deal = (reserve: number) => ({
  type: 'GBM',
  params: {
    ...{ analysis_date: '06-30-2024', model_lookback: 90, mc_iter: 100, quantile: [0.9] },
    ...{ sale_delay: 0, sale_cost: 0.01, price_shock: { '*': (0.68 * 0.5578) / 0.99 - 1 }, reserve },
    tranches: [
      { name: 'A', attach: 40.1 / 200.1, detach: 1 },
      { name: 'B', attach: 12.1 / 200.1, detach: 40.1 / 200.1 },
    ],
    loans: [
      loanOf('defaulting', { ...terms, loan_value: 158.079 * M, N: 1 / 0.5578 }),
      loanOf('surviving', { ...terms, loan_value: 42.021 * M, N: 10 }),
    ],
  },
});

describe('A deal under its published stress', () => {
  it.each([
    [0, 10.48528, 6.5533],
    [9.4 / 200.1, 1.08528, 0.6783],
  ])('loses what its terms say on every path: a reserve of %d', async (reserve, lossOfA, percentOfA) => {
    const { Output } = await answered('/book_risk', deal(reserve));
    const { ExpectedLoss, LossVar, Tranches } = Output.Book;
    expect(ExpectedLoss / M).toBeCloseTo(50.58528, 4);
    expect(LossVar['0.9']).toBeCloseTo(ExpectedLoss, 3);
    expect(Tranches.A.ExpectedLoss / M).toBeCloseTo(lossOfA, 4);
    expect(Tranches.A.ExpectedLossPct).toBeCloseTo(percentOfA, 3);
    expect(Tranches.A.Size / M).toBeCloseTo(160, 9);
    expect(Tranches.B.PrFullLoss).toBe(1);
    expect(Tranches.B.ExpectedLossPct).toBeCloseTo(100, 9);
  });
});

describe('An excess spread', () => {
  it('bears losses first: what the loan without a loss earns in a day', async () => {
    const sent = deal(0);
    const body = { ...sent, params: { ...sent.params, excess_spread: 0.005424 } };
    const { Output } = await answered('/book_risk', body);
    // The surviving loan alone, for a day.
    expect(Output.Book.Waterfall.Spread).toBeCloseTo((0.005424 * 42.021 * M) / 365, 3);
    expect(Output.Book.Waterfall.Spread).toBeCloseTo(624, -1);
  });
});

describe('A scenario', () => {
  it('of /stress has the tranches and the capital of that /book_risk, and warnings name it', async () => {
    const more = { ...SHARED, quantile: [0.95], reserve: 0.01, tranches: PARTITION.slice(0, 2) };
    const price_shock = { '*': -0.1 };
    const { params } = booksOf(300)(LOANS, more);
    const fall = { ...params, scenarios: [{ name: 'fall', price_shock }] };
    const [book, stress] = await Promise.all([
      answered('/book_risk', { type: 'GBM', params: { ...params, price_shock } }),
      answered<{
        Output: { Scenarios: Record<string, { Book: object; Loans: Record<string, { Book: object }> }> };
      }>('/stress?include=loans,warnings', { type: 'GBM', params: fall }),
    ]);
    const scenario = stress.Output.Scenarios.fall;
    expect(scenario.Book).toEqual(book.Output.Book);
    expect(scenario.Loans.a.Book).toEqual(book.Output.Loans.a);
  });
});

describe('Terms of tranches', () => {
  it('are refused all at once, each by its member', async () => {
    const tranches = [
      { name: 'a', attach: 0.2, detach: 0.2 },
      { name: 'b', attach: 0.2, attach_for: { figure: 'PrLoss', value: 0.1 }, detach: 1 },
      { name: 'c', detach: 1 },
      { name: 'd', attach_for: { figure: 'PrLoss', value: 1.5 }, detach: 2.5 },
      { name: 'e', attach_for: { figure: 'LossVar', value: 0.1 }, detach: 1, rating: 'AAA' },
    ];
    const body = booksOf(100)(LOANS, { tranches, reserve: 1.5, economic_capital: 'yes' });
    const paths = async (sent: unknown) => {
      const response = await app.post('/book_risk', sent);
      expect(response.status).toBe(422);
      const { errors } = (await response.json()) as { errors: { path: string; message: string }[] };
      return errors.map(({ path }) => path).sort();
    };
    expect(await paths(body)).toEqual([
      'params.economic_capital',
      'params.reserve',
      'params.tranches.0.detach',
      'params.tranches.1.attach',
      'params.tranches.2.attach',
      'params.tranches.3.attach_for.value',
      'params.tranches.3.detach',
      'params.tranches.4.attach_for.figure',
      'params.tranches.4.rating',
    ]);
    const twice = [PARTITION[0], { ...PARTITION[1], name: 'equity' }];
    expect(await paths(booksOf(100)(LOANS, { tranches: twice }))).toEqual(['params.tranches.1.name']);
  });
});
