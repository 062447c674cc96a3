/** /book_risk with `price_shock`: the book with so much less collateral, some of its loans called or liquidated at once. */
import { describe, expect, it } from 'vitest';
import { useSampleService } from '../../support/sample-service.ts';

const app = useSampleService({});

const loan = (id: string, N: number, more: object = {}) => ({
  id,
  collateral_weights: { BTC: 1 },
  loan_weights: { USD: 1 },
  loan_duration: 20,
  mc_top_up: 24,
  loan_value: 1000,
  N,
  M: 1.3,
  L: 1.1,
  R: 1.4,
  ...more,
});
const LOANS = [
  loan('open', 2.4),
  loan('near', 1.6),
  loan('low', 1.4),
  loan('other', 1.5, { collateral_weights: { ETH: 1 } }),
];

interface Answer {
  readonly Output: {
    readonly Loans: Readonly<Record<string, Readonly<Record<string, number | string>>>>;
    readonly Book: Readonly<Record<string, unknown>> & {
      readonly ExpectedLoss: number;
      readonly Assets: Readonly<Record<string, { readonly PeakDayCVar: Readonly<Record<string, number>> }>>;
    };
  };
}
async function ask(params: object): Promise<Answer['Output']> {
  const response = await app.post('/book_risk', {
    type: 'GBM',
    params: {
      analysis_date: '06-30-2024',
      model_lookback: 60,
      mc_iter: 500,
      quantile: [0.95],
      loans: LOANS,
      ...params,
    },
  });
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return (JSON.parse(text) as Answer).Output;
}

describe('A shock of a book', () => {
  it('to exactly L, or to a coverage of exactly 1, leaves a loan above both', async () => {
    // 1.25 x (0.7 x 0.8 + 0.3 x 0.8) is 0.9999999999999998 in double precision.
    const terms = { collateral_weights: { BTC: 0.7, ETH: 0.3 }, loan_duration: 0.5, M: 1.1, L: 1, R: 1.3 };
    const loans = [
      loan('plain', 1.25, terms),
      loan('growing', 1.25, { ...terms, interest_rate: 1e-9 }),
      loan('sells parts', 1.25, { ...terms, partial_sale: { to: 1.3 } }),
    ];
    const { Loans } = await ask({ loans, price_shock: { '*': -0.2 } });
    for (const figures of Object.values(Loans)) {
      expect(figures.Status).toBe('called');
      expect(figures.PrUnderwater).toBeLessThan(1);
      expect(figures.PrUnderwater).toBeGreaterThan(0.5);
    }
  });

  it('calls and liquidates loans at the start, and leaves those of other assets as they were', async () => {
    const [before, after] = [await ask({}), await ask({ price_shock: { BTC: -0.25 } })];
    expect(Object.values(before.Loans).every(({ Status }) => Status === undefined)).toBe(true);
    // 2.4 x 0.75 is 1.8, 1.6 x 0.75 is 1.2, 1.4 x 0.75 is 1.05.
    expect(Object.entries(after.Loans).map(([id, { Status }]) => [id, Status])).toEqual([
      ['open', undefined],
      ['near', 'called'],
      ['low', 'liquidated'],
      ['other', undefined],
    ]);
    expect(after.Loans.low).toMatchObject({ PrMarginCall: 1, PrLiquidation: 1, AvgSurvivalRate: 0 });
    const { CVarContribution: _, ...other } = after.Loans.other;
    expect(other).toEqual(
      Object.fromEntries(Object.entries(before.Loans.other).filter(([name]) => name !== 'CVarContribution')),
    );
    expect(after.Book.ExpectedLoss).toBeGreaterThan(before.Book.ExpectedLoss);
  });

  it('has the answer of the book whose loans have so much less collateral', async () => {
    const moved = LOANS.map(each =>
      'BTC' in each.collateral_weights ? { ...each, N: each.N * 0.75 } : each,
    );
    const [after, same] = [await ask({ price_shock: { BTC: -0.25 } }), await ask({ loans: moved })];
    for (const { id } of LOANS)
      for (const [name, value] of Object.entries(same.Loans[id]))
        if (typeof value === 'number') expect(after.Loans[id][name], `${id} ${name}`).toBeCloseTo(value, 6);
        else if (typeof value === 'string') expect(after.Loans[id][name]).toBe(value);
    expect(after.Book.ExpectedLoss).toBeCloseTo(same.Book.ExpectedLoss, 5);
  });

  it('that liquidates loans sells each asset at its shocked price where a sale takes no time', async () => {
    const terms = { collateral_weights: { BTC: 0.4, ETH: 0.6 } };
    const loans = [loan('all', 1.2, terms), loan('of parts', 1.2, { ...terms, partial_sale: { to: 100 } })];
    const { Book } = await ask({ loans, sale_delay: 0, price_shock: { BTC: -0.5 } });
    const { BTC, ETH } = Book.Assets;
    expect(BTC.PeakDayCVar['0.95']).toBeCloseTo(2400 * 0.4 * 0.5, 6);
    expect(ETH.PeakDayCVar['0.95']).toBeCloseTo(2400 * 0.6, 6);
  });

  it('of 0 does not change the answer, to the digit', async () => {
    expect(await ask({ price_shock: { BTC: 0 } })).toEqual(await ask({}));
  });

  it('of an asset that is in no loan is refused', async () => {
    const response = await app.post('/book_risk', {
      type: 'GBM',
      params: {
        analysis_date: '06-30-2024',
        model_lookback: 60,
        mc_iter: 500,
        quantile: [0.95],
        loans: LOANS,
        price_shock: { SOL: -0.1 },
      },
    });
    expect(response.status).toBe(422);
    const { errors } = (await response.json()) as { errors: { path: string; message: string }[] };
    expect(errors).toMatchObject([
      {
        path: 'params.price_shock',
        message:
          'price_shock must be a change of assets of the request (BTC, ETH, USD), or of *; got one of SOL',
      },
    ]);
  });
});
