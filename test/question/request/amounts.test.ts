/** Amounts of a body: what follows from them, what is asked of the market, and every fault. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { BOOK_QUESTION } from '#src/question/book/book-risk.js';
import { LOAN_QUESTION } from '#src/question/loan/loan-risk.js';
import { ORIGINATION_QUESTION } from '#src/question/origination/origination.js';
import type { AnyQuestion } from '#src/question/question.js';
import { amountMembers, amountPrices } from '#src/question/request/amounts.js';
import type { Close, WantedPrices } from '#src/question/request/prices.js';
import { requestOf } from '#src/question/resolved.js';
import { VALUE_AT_RISK_QUESTION } from '#src/question/value-at-risk/value-at-risk.js';
import { parseIsoDate } from '#src/text/calendar-date.js';
import { explain } from '#src/text/message.js';
import { LOAN_ORIGINATION, VALUE_AT_RISK } from '../../support/request-bodies.ts';

const TODAY = 20_600;
const resolve = (symbol: string) => (symbol === 'XBT' ? 'BTC' : symbol);
const AMOUNTS = { collateral: { btc: 5, ETH: 40 }, loan: { USD: 250_000, DAI: 50_000 } };
const PRICES = { BTC: 64_000, ETH: 3_500, DAI: 0.5 };
const PLEDGED = 5 * 64_000 + 40 * 3_500;
const LENT = 250_000 + 25_000;
const FOLLOWS = {
  loan_weights: { DAI: 25_000 / LENT, USD: 250_000 / LENT },
  loan_value: LENT,
  collateral_weights: { BTC: 320_000 / PLEDGED, ETH: 140_000 / PLEDGED },
  N: PLEDGED / LENT,
};
const SHOWN = { collateral: { BTC: 5, ETH: 40 }, loan: { DAI: 50_000, USD: 250_000 } };
const DOLLAR: readonly [string, Close] = ['USD', { price: 1, carried: false }];
const RATIOS = { M: 1.3, L: 1.1, R: 1.4 };
const TERM = { loan_duration: 30, mc_top_up: 24 };
const WINDOW = { model_lookback: 30, mc_iter: 10 };
const WEIGHTS = { collateral_weights: { BTC: 1 }, loan_weights: { USD: 1 }, loan_value: 1000, N: 1.5 };

type ClosesOf = readonly (readonly [string, Close])[];

/** Reads a body, and says what was asked on the way. */
async function reading(question: AnyQuestion, body: unknown, closes: ClosesOf = [DOLLAR]) {
  const asked: WantedPrices[] = [];
  const checked = await requestOf(question, body, { today: TODAY, resolve }, async wanted => {
    asked.push(wanted);
    return new Map(closes);
  });
  const faults = checked.ok ? [] : checked.faults.map(({ path, message }) => `${path}: ${message}`);
  const terms = checked.ok ? checked.value.terms : undefined;
  return { asked, terms, faults };
}
/** A loan without weights, value and N. */
const readingOf = (params: object, closes?: ClosesOf) =>
  reading(LOAN_QUESTION, { type: 'GBM', params: { ...WINDOW, ...TERM, ...RATIOS, ...params } }, closes);
const readingOfBook = (rows: readonly object[], params: object = {}) =>
  reading(BOOK_QUESTION, {
    type: 'GBM',
    params: {
      ...{ ...WINDOW, quantile: [0.9], ...params },
      loans: rows.map((row, k) => ({ id: `l${k}`, ...TERM, ...RATIOS, ...row })),
    },
  });
const searchOf = ({ loan_weights: _w, loan_value: _v, ...params }: Record<string, unknown>) =>
  reading(ORIGINATION_QUESTION, { type: 'GBM', params });
const symbols = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, k) => [`C${k}`, 1]));

describe('A body without amounts', () => {
  it.each<[string, AnyQuestion, unknown, readonly string[]]>([
    [
      'of an operation that takes none',
      VALUE_AT_RISK_QUESTION,
      { ...VALUE_AT_RISK, params: { ...VALUE_AT_RISK.params, ...AMOUNTS } },
      ['params.collateral', 'params.loan'],
    ],
    [
      'with weights',
      LOAN_QUESTION,
      { type: 'GBM', params: { ...WINDOW, ...TERM, ...RATIOS, ...WEIGHTS } },
      [],
    ],
    [
      'with collateral where only a loan is taken',
      ORIGINATION_QUESTION,
      { type: 'GBM', params: { ...LOAN_ORIGINATION.params, collateral: { BTC: 1 } } },
      ['params.collateral'],
    ],
    ['that is no object', LOAN_QUESTION, 7, ['body']],
    ['that is null', LOAN_QUESTION, null, ['body']],
    ['without params', LOAN_QUESTION, { type: 'GBM' }, ['params']],
    ['whose params are a list', LOAN_QUESTION, { type: 'GBM', params: [AMOUNTS] }, ['params']],
  ])('%s asks for no prices', async (_, question, body, paths) => {
    const { asked, faults } = await reading(question, body);
    expect(asked).toEqual([]);
    expect(faults.map(each => each.split(':')[0])).toEqual(paths);
  });

  it('is refused with prices', async () => {
    const refusal = 'params.prices: prices must be absent, because no amounts are sent';
    expect((await readingOf({ ...WEIGHTS, prices: { BTC: 1 } })).faults).toEqual([refusal]);
    const { N: _, ...others } = WEIGHTS;
    const missing = 'params.N: N is missing; it must be above 0 and at most 100, or initial_ltv in its place';
    expect((await readingOf({ ...others, prices: { BTC: 1 } })).faults).toEqual([refusal, missing]);
    expect((await readingOf(others)).faults).toEqual([missing]);
  });
});

describe('A body with amounts', () => {
  it('has the weights, the value and N that follow, and the prices, in alphabetical order', async () => {
    const { asked, terms } = await readingOf({ ...AMOUNTS, prices: PRICES });
    const prices = { BTC: 64_000, DAI: 0.5, ETH: 3_500, USD: 1 };
    expect(terms).toEqual({
      ...{ ...WINDOW, ...TERM, ...RATIOS, ...SHOWN, ...FOLLOWS, prices },
      ...{ analysis_date: TODAY, volatility_shock: 0 },
    });
    const shown = JSON.stringify(terms);
    expect(shown).toContain('"prices":{"BTC":64000,"DAI":0.5,"ETH":3500,"USD":1},"N":');
    expect(shown).toContain('"collateral":{"BTC":5,"ETH":40},"loan":{"DAI":50000,"USD":250000}');
    expect(asked).toEqual([{ symbols: ['USD'], date: TODAY }]);
  });

  it('asks for no prices where all are sent', async () => {
    const { asked, faults } = await readingOf({ ...AMOUNTS, prices: { ...PRICES, usd: 1 } });
    expect([asked, faults]).toEqual([[], []]);
  });

  it.each([
    ['01-31-2026', parseIsoDate('2026-01-31')],
    ['02-31-2026', undefined],
    [20_000, undefined],
    [undefined, TODAY],
  ])('asks for the closes at its analysis_date %j', async (analysis_date, date) => {
    const { asked } = await readingOf({ ...AMOUNTS, analysis_date });
    expect(asked).toEqual([{ symbols: ['BTC', 'ETH', 'USD', 'DAI'], date }]);
  });

  it('is valued in each row that has amounts', async () => {
    const { terms } = await readingOfBook([WEIGHTS, AMOUNTS], { prices: PRICES });
    const { echo } = (terms as unknown as { loans: { echo: string } }).loans;
    expect(JSON.parse(echo)).toEqual([
      { id: 'l0', ...TERM, ...RATIOS, ...WEIGHTS },
      { id: 'l1', ...TERM, ...RATIOS, ...SHOWN, ...FOLLOWS },
    ]);
  });

  it('on the side of the loan alone has no weights of collateral and no N', async () => {
    const { loan } = AMOUNTS;
    const { terms } = await searchOf({ ...LOAN_ORIGINATION.params, loan, prices: { DAI: 0.5 } });
    const { loan_weights, loan_value } = FOLLOWS;
    const { collateral_weights } = LOAN_ORIGINATION.params;
    expect(terms).toMatchObject({
      ...{ collateral_weights, loan: SHOWN.loan, loan_weights, loan_value },
      prices: { DAI: 0.5, USD: 1 },
    });
    expect(terms).not.toHaveProperty('N');
  });

  it('has the faults of what follows as faults of its amounts', async () => {
    const faultsOf = async (collateral: object, loan: object, more: object = {}) =>
      (await readingOf({ collateral, loan, ...more })).faults;
    const price = { prices: { BTC: 1 } };
    expect(await faultsOf({ BTC: 2e7 }, { USD: 1 }, price)).toEqual([
      'params.collateral: N must be above 0 and at most 100; got 20000000 (N is the value of collateral over that of loan)',
    ]);
    expect(await faultsOf({ BTC: 1e16 }, { USD: 9e15 }, { ...price, M: 1.12, R: 1.12 })).toEqual([
      'params.loan: loan_value must be above 0 and at most 1e15 USD; got 9000000000000000 (loan_value is the value of loan)',
      'params.collateral: N must be at least M (1.12); a loan in call is sent with called_hours_ago; got 1.1111111111111112 (N is the value of collateral over that of loan)',
    ]);
    const dust = { ...symbols(1), BTC: 1e16 };
    expect(await faultsOf(dust, { USD: 1e15 / 2 }, { prices: { BTC: 1, C0: 1e-308 } })).toEqual([
      'params.collateral.C0: collateral_weights.C0 must be a weight above 0; got 0 (weights are shares of the value of collateral)',
    ]);
    expect(await faultsOf({ BTC: 1.5 }, { USD: 1 }, { ...price, called_hours_ago: 3 })).toEqual([
      expect.stringMatching(/^params\.called_hours_ago: called_hours_ago must be absent .* got 3$/),
    ]);
  });
});

describe('Prices of amounts', () => {
  const refusalOf = async (close: Close | undefined) =>
    (
      await readingOf({ collateral: { BTC: 1 }, loan: { USD: 5 } }, [
        DOLLAR,
        ...(close === undefined ? [] : [['BTC', close] as const]),
      ])
    ).faults;

  it('that the market lacks must be sent, with the reason', async () => {
    expect(await refusalOf(undefined)).toEqual([
      'params.prices.BTC: prices.BTC must be sent: no close is available',
    ]);
    expect(await refusalOf({ missing: 'it ends in May' })).toEqual([
      'params.prices.BTC: prices.BTC must be sent: it ends in May',
    ]);
    expect(await refusalOf({ price: 7, carried: true })).toEqual([
      'params.prices.BTC: prices.BTC must be sent: its last close, 7, is that of a day before, carried over a hole',
    ]);
    expect(await refusalOf({ price: 7, carried: false })).toEqual([]);
  });

  it('of the dollar are 1, and of other assets absent', async () => {
    const faultsOf = async (more: object) =>
      (await readingOf({ ...AMOUNTS, prices: { ...PRICES, ...more } })).faults;
    expect(await faultsOf({ USD: 1 })).toEqual([]);
    expect(await faultsOf({ USD: 1.1, SOL: 1 })).toEqual([
      'params.prices.USD: prices.USD must be 1, or absent: prices are counted in it; got 1.1',
      'params.prices.SOL: prices.SOL must be absent, because no amount is of SOL',
    ]);
  });

  it('are asked for up to 32 symbols, and not beyond', async () => {
    const of = (count: number, more: object = {}) =>
      readingOfBook(
        [
          { collateral: symbols(32), loan: { C0: 1, ...more } },
          { collateral: symbols(count), loan: { C0: 1 } },
        ],
        {
          prices: { P: 1 },
        },
      );
    expect((await of(32, { P: 1 })).asked[0].symbols).toHaveLength(32);
    const { asked, faults } = await of(32, { D: 1, P: 1 });
    expect(asked).toEqual([]);
    expect(faults).toEqual([
      'params.loans: loans must be such that all amounts name at most 32 distinct symbols; got 34 of them',
    ]);
  });
});

describe('Faulty amounts', () => {
  it.each<[string, object, readonly string[]]>([
    [
      'one side alone',
      { collateral: { BTC: 1 } },
      ['params.loan: loan is missing; amounts are sent of both sides: collateral and loan'],
    ],
    [
      'the other side alone',
      { loan: { BTC: 1 } },
      ['params.collateral: collateral is missing; amounts are sent of both sides: collateral and loan'],
    ],
    [
      'weights beside amounts',
      { ...AMOUNTS, N: 1.5, loan_weights: { USD: 1 }, initial_ltv: 0.5 },
      ['N', 'loan_weights', 'initial_ltv'].map(
        name =>
          `params.${name}: ${name} must be absent where amounts are sent, from which it follows, or send no amounts; got ${name === 'loan_weights' ? 'an object' : name === 'N' ? 1.5 : 0.5}`,
      ),
    ],
  ])('are refused with their members: %s', async (_, params, faults) => {
    const answer = await readingOf(params);
    expect(answer.faults).toEqual(faults);
    expect(answer.asked).toEqual([]);
  });

  it('are refused with the id of their row', async () => {
    const { faults, asked } = await readingOfBook([
      { id: 'x"y', loan: { BTC: 1 } },
      { ...AMOUNTS, id: 7, loan_value: 1 },
    ]);
    expect(faults).toEqual([
      'params.loans.1.id: loans.1.id must be a string of 1 to 64 characters; got 7',
      'params.loans.0.collateral: loans.0.collateral is missing; amounts are sent of both sides: collateral and loan (loan "x\\"y")',
      'params.loans.1.loan_value: loans.1.loan_value must be absent where amounts are sent, from which it follows, or send no amounts; got 1',
    ]);
    expect(asked).toEqual([]);
  });

  it('on the side of the loan stand beside weights of the collateral, and not beside loan_value', async () => {
    const sent = { ...LOAN_ORIGINATION.params, loan: { USD: 1 } };
    expect((await searchOf(sent)).faults).toEqual([]);
    const both = await reading(ORIGINATION_QUESTION, { type: 'GBM', params: sent });
    expect(both.faults.map(each => each.split(':')[0])).toEqual(['params.loan_weights', 'params.loan_value']);
  });

  it('are worth above 0 and at most 1e18 USD each', async () => {
    const faultsOf = async (amount: number, price: number) =>
      (await readingOf({ collateral: { BTC: amount }, loan: { USD: 1 }, prices: { BTC: price } })).faults;
    for (const [amount, price] of [
      [1.0001e18, 1],
      [5e-324, 0.1],
      [1e300, 1e300],
    ])
      expect(await faultsOf(amount, price)).toEqual([
        `params.collateral.BTC: collateral.BTC must be worth above 0 and at most 1000000000000000000 USD at its price of ${price}; got ${amount}`,
      ]);
    // At the bounds the faults are those of N.
    for (const amount of [1e18, 5e-324])
      expect((await faultsOf(amount, 1)).every(each => each.includes(' (N is the value'))).toBe(true);
    const row = { id: 'a', collateral: { BTC: 1 }, loan: { USD: 2e18 } };
    expect((await readingOfBook([row], { prices: { BTC: 1 } })).faults).toEqual([
      'params.loans.0.loan.USD: loans.0.loan.USD must be worth above 0 and at most 1000000000000000000 USD at its price of 1; got 2000000000000000000 (loan "a")',
    ]);
  });

  it('have a hundred faults at most, the first of them, and the number of the others', async () => {
    const rows = (row: object) => Array.from({ length: 102 }, () => row);
    const alone = (await readingOfBook(rows({ loan: { USD: 1 } }))).faults;
    const worth = { collateral: { BTC: 1 }, loan: { USD: 2e18 } };
    const worthless = (await readingOfBook(rows(worth), { prices: { BTC: 1 } })).faults;
    for (const [faults, name] of [
      [alone, 'collateral'],
      [worthless, 'loan.USD'],
    ] as const)
      expect(faults.map(each => each.split(':')[0])).toEqual([
        ...Array.from({ length: 100 }, (_, k) => `params.loans.${k}.${name}`),
        'body',
      ]);
  });

  it('leave the faults of all members that do not follow from them', async () => {
    const { faults } = await readingOf({ loan: { BTC: 1 }, called_hours_ago: -1, M: 1.05 });
    expect(faults).toEqual([
      'params.called_hours_ago: called_hours_ago must be from 0 to 87600 hours; got -1',
      'params.collateral: collateral is missing; amounts are sent of both sides: collateral and loan',
      'params.M: M must be at least L (1.1); got 1.05',
    ]);
  });

  it.each<[string, object]>([
    ['no symbol', {}],
    ['33 symbols', symbols(33)],
    ['a bad symbol', { '!': 1 }],
    ['0 units', { BTC: 0 }],
    ['units as text', { BTC: '1' }],
    ['infinitely many units', { BTC: Number.POSITIVE_INFINITY }],
    ['an asset twice', { BTC: 1, xbt: 1 }],
    ['a list', [1]],
  ])('are not valued, and their schema refuses them: %s', async (_, collateral) => {
    const { asked, faults } = await readingOf({ collateral, loan: { USD: 1 }, prices: { SOL: 1 } });
    expect(asked).toEqual([]);
    expect(faults.length).toBeGreaterThan(0);
    expect(faults.every(each => each.startsWith('params.collateral'))).toBe(true);
    const schema = z.object(amountMembers(resolve)).safeParse({ collateral }, { error: explain });
    expect(schema.success).toBe(false);
  });

  it('beside good ones of another row leave these to be priced', async () => {
    const rows = [AMOUNTS, { collateral: { BTC: 0 }, loan: { SOL: 1 } }];
    const { asked, faults } = await readingOfBook(rows, { prices: { ETH: 1, DOT: 1 } });
    expect(asked[0].symbols).toEqual(['BTC', 'USD', 'DAI']);
    expect(faults).toEqual([
      'params.loans.1.collateral.BTC: loans.1.collateral.BTC must be an amount above 0; got 0 (loan "l1")',
      ...['BTC', 'DAI'].map(
        name => `params.prices.${name}: prices.${name} must be sent: no close is available`,
      ),
    ]);
  });

  it('at faulty prices are not valued', async () => {
    const { asked, faults } = await readingOf({ ...AMOUNTS, prices: { BTC: -1 } });
    expect(asked).toEqual([]);
    expect(faults).toEqual(['params.prices.BTC: prices.BTC must be a price above 0; got -1']);
  });
});

describe('The schemas of amounts', () => {
  it('have the number of symbols, the unit and an example', () => {
    const schemaOf = (member: z.ZodType) => {
      const { description, ...others } = z.toJSONSchema(member, { unrepresentable: 'any', io: 'input' });
      expect(description).toBeDefined();
      return others;
    };
    const map = (unit: string, example: object) =>
      expect.objectContaining({
        ...{ type: 'object', minProperties: 1, maxProperties: 32, examples: [example] },
        additionalProperties: { type: 'number', exclusiveMinimum: 0, 'x-unit': unit },
      });
    const { collateral, loan } = amountMembers(resolve);
    expect(schemaOf(collateral)).toEqual(map('asset units', { BTC: 12.5 }));
    expect(schemaOf(loan)).toEqual(map('asset units', { BTC: 12.5 }));
    expect(schemaOf(amountPrices(resolve).prices)).toEqual(map('USD per unit', { BTC: 64_000 }));
  });
});

it('Weights or amounts are asked for where neither is sent', async () => {
  const { faults } = await readingOf({ N: 1.5 });
  expect(faults).toEqual([
    'params.collateral_weights: collateral_weights is missing; it must be an object of symbols and weights, or collateral in its place',
    'params.loan_weights: loan_weights is missing; it must be an object of symbols and weights, or loan in its place',
    'params.loan_value: loan_value is missing; it must be a value in USD, or loan in its place',
  ]);
});
