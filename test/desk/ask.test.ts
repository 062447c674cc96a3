/** What a desk asks the service, and how it reads the answers. */
import { describe, expect, it } from 'vitest';
import { type Ask, type DeskQuestion, DeskRefusal, detailOf } from '#src/desk/ask.js';
import { askModel } from '#src/desk/ask-model.js';
import { askStress, coinsLent, lendsCoins } from '#src/desk/ask-stress.js';
import type { BookRow } from '#src/tape/book-rows.js';

const ROWS: readonly BookRow[] = [{ id: 'a', collateral: { BTC: 1 }, loan: { USD: 30_000 } }];
const TERMS = {
  ...{ lookbackDays: 365, paths: 20_000, levels: [0.95, 0.99], saleDelayHours: 24, saleCost: 0.01, seed: 7 },
  ...{ asOf: 20_000, falls: [] as readonly number[] },
  prices: new Map([
    ['BTC', 50_000],
    ['USD', 1],
  ]),
  draws: (type: string) => type !== 'HISTORICAL',
};
const PARAMS = {
  ...{
    analysis_date: '10-04-2024',
    model_lookback: 365,
    quantile: [0.95, 0.99],
    sale_delay: 24,
    sale_cost: 0.01,
  },
  prices: { BTC: 50_000, USD: 1 },
  loans: ROWS,
};

/** Answers by path, and the questions that were asked. */
function service(answers: Readonly<Record<string, object>>, ok = true) {
  const asked: DeskQuestion[] = [];
  const ask: Ask = async question => {
    asked.push(question);
    return { ok: ok || question.path === '/scenarios', text: JSON.stringify(answers[question.path]) };
  };
  return { ask, asked };
}

describe('The figures of a model', () => {
  const Book = { ExpectedLoss: 1 };
  const Loans = { a: { ExpectedLoss: 1 } };

  it('are asked for with all terms, and have the intervals of all figures of the book by name and level', async () => {
    const Accuracy = {
      figures: {
        Book: {
          LossVar: { '0.99': { low: 1, high: 2, n: 9 } },
          LossCVar: { '0.95': { low: 3, high: 4 } },
          PrLoss: { low: 0.1, high: 0.2, n: 9 },
          ExpectedLoss: { low: 5, high: null },
          PeakDay: { Mean: { low: 7, high: 8 }, Quantiles: { '0.99': { low: 9, high: 10 } } },
          Assets: { BTC: { PeakDayCVar: { '0.99': { low: 11, high: 12 } } } },
        },
      },
    };
    const { ask, asked } = service({
      '/book_risk': { Output: { Book, Loans, Borrowers: {} }, Warnings: [], Accuracy },
    });
    expect(await askModel(ask, 'GBM', ROWS, TERMS)).toEqual({
      ...{ Book, Loans, Borrowers: {}, Warnings: [], Paths: 20_000 },
      Accuracy: {
        PrLoss: { low: 0.1, high: 0.2 },
        ExpectedLoss: { low: 5, high: null },
        'PeakDay Mean': { low: 7, high: 8 },
        'PeakDay Quantiles 0.99': { low: 9, high: 10 },
        'Assets BTC PeakDayCVar 0.99': { low: 11, high: 12 },
        'LossVar 0.99': { low: 1, high: 2 },
        'LossCVar 0.95': { low: 3, high: 4 },
      },
    });
    expect(asked).toEqual([
      {
        ...{ path: '/book_risk', include: 'accuracy,warnings', seed: 7 },
        body: { type: 'GBM', params: { ...PARAMS, mc_iter: 20_000 } },
      },
    ]);
  });

  it('have no number of paths, and no intervals, under HISTORICAL', async () => {
    const { ask, asked } = service({ '/book_risk': { Output: { Book, Loans } } });
    expect(await askModel(ask, 'HISTORICAL', ROWS, TERMS)).toEqual({
      Book,
      Loans,
      Warnings: [],
      Paths: null,
      Accuracy: {},
    });
    expect(asked[0].body).toEqual({ type: 'HISTORICAL', params: PARAMS });
  });

  it('are refused with the methodology and the reason', async () => {
    const { ask } = service(
      { '/book_risk': { detail: 'No.', errors: [{ message: 'first' }, { message: 'second' }] } },
      false,
    );
    await expect(askModel(ask, 'GBM', ROWS, TERMS)).rejects.toThrow(new DeskRefusal('GBM: No. first'));
  });

  it.each([
    ['{"detail":"No."}', 'No.'],
    ['{"errors":[{"message":"a"},{"message":"b"}]}', '{"errors":[{"message":"a"},{"message":"b"}]} a'],
    ['no JSON', 'no JSON'],
  ])('have the reason of %s', (text, reason) => {
    expect(detailOf(text)).toBe(reason);
  });
});

describe('The stress of a book', () => {
  const scenarios = [{ name: 'covid-2020', title: 'March 2020' }, { name: 'own' }];
  const Ltv = 0.5;
  const losses = { ExpectedLoss: 1, LossVar: { '0.99': 2 }, LossCVar: { '0.99': 3 } };
  const Scenarios = {
    base: { Ltv, Called: 1, Liquidated: 2, Loans: { a: {}, b: {} }, Book: { ...losses, PrLoss: 0.5 } },
    'fall 12.5 %': { Ltv, Called: 1, Liquidated: 2, Loans: {}, Book: null },
    'covid-2020': { Ltv, Called: 1, Liquidated: 2, Loans: {}, Replay: { Loss: 9 } },
    own: { Ltv, Called: 1, Liquidated: 2, Loans: {} },
    other: { Ltv, Called: 1, Liquidated: 2, Loans: {} },
  };

  it('is asked for under falls of all prices and every scenario of the service', async () => {
    const { ask, asked } = service({ '/scenarios': { scenarios }, '/stress': { Output: { Scenarios } } });
    const answer = await askStress(ask, 'GBM', ROWS, { ...TERMS, falls: [0.125, 0.3333] });
    expect(asked[1]).toEqual({
      ...{ path: '/stress', include: 'accuracy,warnings', seed: 7 },
      body: {
        type: 'GBM',
        params: {
          ...{ ...PARAMS, mc_iter: 20_000 },
          scenarios: [
            { name: 'fall 12.5 %', price_shock: { '*': -0.125 } },
            { name: 'fall 33.3 %', price_shock: { '*': -0.3333 } },
            'covid-2020',
            'own',
          ],
        },
      },
    });
    const same = { Ltv, Called: 1, Liquidated: 2, Replay: null, Then: null, Interval: null, Largest: [] };
    expect(answer).toEqual({
      Paths: 20_000,
      Warnings: [],
      Scenarios: [
        {
          ...same,
          Name: 'base',
          Title: 'As it is',
          Then: losses,
          Interval: { low: null, high: null },
          Largest: ['a', 'b'],
        },
        { ...same, Name: 'fall 12.5 %', Title: 'All prices fall 12.5 %' },
        { ...same, Name: 'covid-2020', Title: 'March 2020', Replay: { Loss: 9 } },
        { ...same, Name: 'own', Title: 'own' },
        { ...same, Name: 'other', Title: 'other' },
      ],
    });
  });

  it('has a rise of all prices where a loan is in a coin, and the rises that the caller names', async () => {
    const movesOf = async (asset: string, rises?: readonly number[]) => {
      const { ask, asked } = service({
        '/scenarios': { scenarios: [] },
        '/stress': { Output: { Scenarios } },
      });
      await askStress(ask, 'GBM', [ROWS[0], { ...ROWS[0], loan: { [asset]: 1 } }], {
        ...{ ...TERMS, prices: new Map([...TERMS.prices, [asset, 1]]) },
        ...{ falls: [0.2], rises },
      });
      return (asked[1].body as { params: { scenarios: unknown } }).params.scenarios;
    };
    const fall = { name: 'fall 20 %', price_shock: { '*': -0.2 } };
    const rise = { name: 'rise 30 %', price_shock: { '*': 0.3 } };
    expect(await movesOf('BTC')).toEqual([fall, rise]);
    expect(await movesOf('BTC', [])).toEqual([fall]);
    for (const asset of ['USD', 'USDC', 'USDT', 'DAI', 'CASH'])
      expect(await movesOf(asset), asset).toEqual([fall]);
    // Other currencies have to be named.
    expect(await movesOf('EUR')).toEqual([{ ...fall, price_shock: { '*': -0.2, EUR: 0 } }]);
    expect(await movesOf('USD', [0.3, 1.5])).toEqual([
      fall,
      rise,
      { name: 'rise 150 %', price_shock: { '*': 1.5 } },
    ]);
  });

  it('has the error of the mean loss after a replay, none without one, and an unknown one of drawn answers', async () => {
    const Accuracy = {
      figures: {
        Scenarios: {
          base: { Book: { ExpectedLoss: { low: 0.5, high: 2, n: 9 } } },
          own: { Book: { ExpectedLoss: { low: null, high: 3 } } },
        },
      },
    };
    const own = { ...Scenarios['covid-2020'], Book: losses };
    const { ask } = service({
      '/scenarios': { scenarios },
      '/stress': { Output: { Scenarios: { ...Scenarios, own } }, Accuracy },
    });
    const errorsOf = async (row: object) => {
      const answer = await askStress(ask, 'GBM', [{ ...ROWS[0], ...row }], TERMS);
      if (typeof answer === 'string') throw new Error(answer);
      return Object.fromEntries(answer.Scenarios.map(({ Name, Interval }) => [Name, Interval]));
    };
    const exact = { 'fall 12.5 %': null, other: null };
    const known = { base: { low: 0.5, high: 2 }, 'covid-2020': null, own: { low: null, high: 12 } };
    expect(await errorsOf({})).toEqual({ ...exact, ...known });
    expect(await errorsOf({ top_up: { share: 0 } })).toEqual({ ...exact, ...known });
    expect(await errorsOf({ top_up: { share: 1 } })).toEqual({ ...exact, ...known });
    const none = { low: null, high: null };
    expect(await errorsOf({ top_up: { share: 0.5 } })).toEqual({
      ...exact,
      ...{ base: known.base, 'covid-2020': none, own: none },
    });
  });

  it('has the paths and the scenarios that the caller names', async () => {
    const { ask, asked } = service({ '/scenarios': { scenarios }, '/stress': { Output: { Scenarios: {} } } });
    const answer = await askStress(ask, 'GBM', ROWS, { ...TERMS, paths: 100, scenarios: ['own'] });
    expect(asked[1].body).toMatchObject({ params: { mc_iter: 100, scenarios: ['own'] } });
    expect(answer).toEqual({ Paths: 100, Warnings: [], Scenarios: [] });
  });

  it('is the reason where the service refuses it', async () => {
    const { ask } = service({ '/scenarios': { scenarios }, '/stress': { detail: 'Too much.' } }, false);
    expect(await askStress(ask, 'GBM', ROWS, TERMS)).toBe('Too much.');
  });
});

it('The coins that a loan lends are its assets but currencies, cash and stablecoins', () => {
  const rows = [
    { loan: { USD: 1, USDC: 2, BTC: 3 } },
    { loan_weights: { CASH: 0.5, ETH: 0.5 } },
    { loan_weights: { CASH: 1 } },
    { loan: { EUR: 1 } },
    {},
  ];
  expect(rows.map(coinsLent)).toEqual([['BTC'], ['ETH'], [], [], []]);
  expect([lendsCoins(rows), lendsCoins(rows.slice(2))]).toEqual([true, false]);
});
