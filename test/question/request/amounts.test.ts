/** Amounts of a body: what follows from them, what is asked of the market, and every fault. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Fault } from '#src/core/errors.js';
import {
  type AmountSides,
  amountMembers,
  amountPrices,
  basketsAreSent,
  type Close,
  readWithAmounts,
  type WantedPrices,
} from '#src/question/request/amounts.js';
import { withRules } from '#src/question/request/rules.js';
import { parseIsoDate } from '#src/text/calendar-date.js';
import { explain } from '#src/text/message.js';

const resolve = (symbol: string) => (symbol === 'XBT' ? 'BTC' : symbol);
const AMOUNTS = { collateral: { btc: 5, ETH: 40 }, loan: { USD: 250_000, DAI: 50_000 } };
const PRICES = { BTC: 64_000, ETH: 3_500, DAI: 0.5 };
const PLEDGED = 5 * 64_000 + 40 * 3_500;
const LENT = 250_000 + 25_000;
const FOLLOWS = {
  loan_weights: { USD: 250_000 / LENT, DAI: 25_000 / LENT },
  loan_value: LENT,
  collateral_weights: { BTC: 320_000 / PLEDGED, ETH: 140_000 / PLEDGED },
  N: PLEDGED / LENT,
};
const DOLLAR: readonly [string, Close] = ['USD', { price: 1, carried: false }];

interface Terms {
  readonly sides?: AmountSides | undefined;
  readonly closes?: readonly (readonly [string, Close])[];
  /** What the reader of the completed body finds; nothing by default. */
  readonly found?: readonly Fault[];
}

/** Reads a body, and says what was asked and read on the way. */
async function reading(body: unknown, { sides = 'both', closes = [DOLLAR], found = [] }: Terms = {}) {
  const asked: WantedPrices[] = [];
  const read: unknown[] = [];
  const checked = await readWithAmounts<string>(
    body,
    sides,
    resolve,
    async wanted => {
      asked.push(wanted);
      return new Map(closes);
    },
    completed => {
      read.push(completed);
      return found.length === 0 ? { ok: true, value: 'read' } : { ok: false, faults: found };
    },
  );
  const faults = checked.ok ? [] : checked.faults.map(({ path, message }) => `${path}: ${message}`);
  return { asked, body: read[0], checked, faults };
}
const readingOf = (params: object, terms?: Terms) => reading({ type: 'GBM', params }, terms);
const symbols = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, k) => [`C${k}`, 1]));

describe('A body without amounts', () => {
  it.each([
    ['of an operation that takes none', { params: AMOUNTS }, undefined],
    ['with weights', { params: { N: 1.5 } }, 'both' as const],
    ['with collateral where only a loan is taken', { params: { collateral: { BTC: 1 } } }, 'loan' as const],
    ['that is no object', 7, 'both' as const],
    ['that is null', null, 'both' as const],
    ['without params', { type: 'GBM' }, 'both' as const],
    ['whose params are a list', { params: [AMOUNTS] }, 'both' as const],
    ['whose rows have weights', { params: { loans: [{ N: 1 }, 7] } }, 'both' as const],
  ])('%s is read as it is', async (_, body, sides) => {
    const read: unknown[] = [];
    const never = () => Promise.reject(new Error('asks for prices'));
    await readWithAmounts(body, sides, resolve, never, completed => {
      read.push(completed);
      return { ok: true, value: 1 };
    });
    expect(read).toHaveLength(1);
    expect(read[0]).toBe(body);
  });

  it('is refused with prices', async () => {
    const found = [{ path: 'params.N', message: 'N is missing' }];
    const refusal = 'params.prices: prices must be absent, because no amounts are sent';
    expect((await readingOf({ prices: { BTC: 1 } })).faults).toEqual([refusal]);
    expect((await readingOf({ prices: { BTC: 1 } }, { found })).faults).toEqual([
      refusal,
      'params.N: N is missing',
    ]);
    expect((await readingOf({ M: 1 }, { found })).faults).toEqual(['params.N: N is missing']);
  });
});

describe('A body with amounts', () => {
  it('has the weights, the value and N that follow, and the prices, in alphabetical order', async () => {
    const { asked, body, checked } = await readingOf({ M: 1.3, ...AMOUNTS, prices: PRICES });
    expect(checked).toEqual({ ok: true, value: 'read' });
    const prices = { BTC: 64_000, DAI: 0.5, ETH: 3_500, USD: 1 };
    expect(body).toEqual({ type: 'GBM', params: { M: 1.3, ...AMOUNTS, ...FOLLOWS, prices } });
    const shown = (body as { params: { prices: object } }).params.prices;
    expect(Object.keys(shown)).toEqual(['BTC', 'DAI', 'ETH', 'USD']);
    expect(asked).toEqual([{ symbols: ['USD'], date: undefined }]);
  });

  it('asks for no prices where all are sent', async () => {
    const { asked, checked } = await readingOf({ ...AMOUNTS, prices: { ...PRICES, usd: 1 } });
    expect([asked, checked.ok]).toEqual([[], true]);
  });

  it.each([
    ['01-31-2026', parseIsoDate('2026-01-31')],
    ['02-31-2026', undefined],
    [20_000, undefined],
    [undefined, undefined],
  ])('asks for the closes at its analysis_date %j', async (analysis_date, date) => {
    const { asked } = await readingOf({ ...AMOUNTS, analysis_date });
    expect(asked).toEqual([{ symbols: ['BTC', 'ETH', 'USD', 'DAI'], date }]);
  });

  it('is valued in each row that has amounts', async () => {
    const other = { id: 'b', N: 1.5 };
    const loans = [other, { id: 'a', ...AMOUNTS }];
    const { body } = await readingOf({ loans, prices: PRICES });
    const read = (body as { params: { loans: readonly object[] } }).params.loans;
    expect(read[0]).toBe(other);
    expect(read[1]).toEqual({ id: 'a', ...AMOUNTS, ...FOLLOWS });
  });

  it('on the side of the loan alone has no weights of collateral and no N', async () => {
    const sent = { collateral_weights: { BTC: 1 }, loan: AMOUNTS.loan, prices: { DAI: 0.5 } };
    const { body } = await readingOf(sent, { sides: 'loan' });
    const { loan_weights, loan_value } = FOLLOWS;
    expect(body).toEqual({
      type: 'GBM',
      params: { ...sent, loan_weights, loan_value, prices: { DAI: 0.5, USD: 1 } },
    });
  });

  it('has the faults of what follows as faults of its amounts', async () => {
    const found = [
      'params.N',
      'params.collateral_weights.BTC',
      'params.loan_weights',
      'params.loan_value',
      'params.called_hours_ago',
      'params.M',
      'params.loans.0.N',
    ].map(path => ({ path, message: 'wrong' }));
    const { faults } = await readingOf({ ...AMOUNTS, prices: PRICES }, { found });
    expect(faults).toEqual([
      'params.collateral: wrong (N is the value of collateral over that of loan)',
      'params.collateral.BTC: wrong (weights are shares of the value of collateral)',
      'params.loan: wrong (weights are shares of the value of loan)',
      'params.loan: wrong (loan_value is the value of loan)',
      'params.called_hours_ago: wrong',
      'params.M: wrong',
      'params.loans.0.N: wrong',
    ]);
  });
});

describe('Prices of amounts', () => {
  const refusalOf = async (close: Close | undefined) =>
    (
      await readingOf(
        { collateral: { BTC: 1 }, loan: { USD: 1 } },
        {
          closes: [DOLLAR, ...(close === undefined ? [] : [['BTC', close] as const])],
        },
      )
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
    expect(await faultsOf({ USD: 2, SOL: 1 })).toEqual([
      'params.prices.USD: prices.USD must be 1, or absent: prices are counted in it; got 2',
      'params.prices.SOL: prices.SOL must be absent, because no amount is of SOL',
    ]);
  });

  it('are asked for up to 32 symbols, and not beyond', async () => {
    const of = (count: number, more: object = {}) =>
      readingOf({
        loans: [{ id: 'a', collateral: symbols(count), loan: { C0: 1, ...more } }],
        prices: { P: 1 },
      });
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
      ['loan_weights', 'N', 'initial_ltv'].map(
        name =>
          `params.${name}: ${name} must be absent where amounts are sent, from which it follows, or send no amounts; got ${name === 'loan_weights' ? 'an object' : name === 'N' ? 1.5 : 0.5}`,
      ),
    ],
    [
      'a row of a book',
      {
        loans: [
          { id: 'x"y', loan: { BTC: 1 } },
          { ...AMOUNTS, id: 7, loan_value: 1 },
        ],
      },
      [
        'params.loans.0.collateral: loans.0.collateral is missing; amounts are sent of both sides: collateral and loan (loan "x\\"y")',
        'params.loans.1.loan_value: loans.1.loan_value must be absent where amounts are sent, from which it follows, or send no amounts; got 1',
      ],
    ],
  ])('are refused with their members: %s', async (_, params, faults) => {
    const answer = await readingOf(params);
    expect(answer.faults).toEqual(faults);
    expect(answer.asked).toEqual([]);
  });

  it('on the side of the loan may stand beside weights of the collateral and N', async () => {
    const sent = { loan: { USD: 1 }, collateral_weights: { BTC: 1 }, N: 1.5, initial_ltv: 0.5 };
    expect((await readingOf(sent, { sides: 'loan' })).faults).toEqual([]);
    expect((await readingOf({ ...sent, loan_value: 1 }, { sides: 'loan' })).faults).toHaveLength(1);
  });

  it('are worth above 0 and at most 1e18 USD each', async () => {
    const faultsOf = async (amount: number, price: number) =>
      (await readingOf({ collateral: { BTC: amount }, loan: { USD: 1 }, prices: { BTC: price } })).faults;
    expect(await faultsOf(1e18, 1)).toEqual([]);
    expect(await faultsOf(5e-324, 1)).toEqual([]);
    for (const [amount, price] of [
      [1.0001e18, 1],
      [5e-324, 0.1],
      [1e300, 1e300],
    ])
      expect(await faultsOf(amount, price)).toEqual([
        `params.collateral.BTC: collateral.BTC must be worth above 0 and at most 1000000000000000000 USD at its price of ${price}; got ${amount}`,
      ]);
    const row = { id: 'a', collateral: { BTC: 1 }, loan: { USD: 2e18 } };
    expect((await readingOf({ loans: [row], prices: { BTC: 1 } })).faults).toEqual([
      'params.loans.0.loan.USD: loans.0.loan.USD must be worth above 0 and at most 1000000000000000000 USD at its price of 1; got 2000000000000000000 (loan "a")',
    ]);
  });

  it('have a hundred faults at most, the first of them', async () => {
    const rows = (row: object) => ({ loans: Array.from({ length: 102 }, () => row), prices: { BTC: 1 } });
    const alone = (await readingOf(rows({ loan: { USD: 1 } }))).checked;
    const worthless = (await readingOf(rows({ collateral: { BTC: 1 }, loan: { USD: 2e18 } }))).checked;
    for (const [checked, name] of [
      [alone, 'collateral'],
      [worthless, 'loan.USD'],
    ] as const)
      expect(checked.ok ? [] : checked.faults.map(({ path }) => path)).toEqual(
        Array.from({ length: 100 }, (_, k) => `params.loans.${k}.${name}`),
      );
  });

  it('have stand-ins, so that other members are checked, and no faults of these', async () => {
    const found = [
      'params.N',
      'params.collateral_weights.BTC',
      'params.loan_value',
      'params.called_hours_ago',
      'params.M',
      'params.loans.0.N',
    ].map(path => ({ path, message: 'wrong' }));
    const { body, faults } = await readingOf({ loan: { BTC: 1 }, M: 1.3 }, { found });
    expect(body).toEqual({
      type: 'GBM',
      params: {
        ...{ collateral_weights: { BTC: 1 }, loan_weights: { USD: 1 }, loan_value: 1, N: 1 },
        ...{ loan: { BTC: 1 }, M: 1.3 },
      },
    });
    expect(faults).toEqual([
      'params.collateral: collateral is missing; amounts are sent of both sides: collateral and loan',
      'params.M: wrong',
      'params.loans.0.N: wrong',
    ]);
    const loan = await readingOf({ loan: { BTC: 0 } }, { sides: 'loan', found: [found[4]] });
    expect(loan.body).toEqual({
      type: 'GBM',
      params: { loan_weights: { USD: 1 }, loan_value: 1, loan: { BTC: 0 } },
    });
  });

  it('whose only faults are of stand-ins keep these', async () => {
    const found = [{ path: 'params.N', message: 'wrong' }];
    const { faults } = await readingOf({ ...AMOUNTS, collateral: { BTC: -1 } }, { found });
    expect(faults).toEqual(['params.N: wrong']);
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
    const { asked, body } = await readingOf({ collateral, loan: { USD: 1 }, prices: { SOL: 1 } });
    expect(asked).toEqual([]);
    expect(body).toMatchObject({ params: { N: 1, loan_value: 1 } });
    const schema = z.object(amountMembers(resolve)).safeParse({ collateral }, { error: explain });
    expect(schema.success).toBe(false);
  });

  it('beside good ones of another row leave these to be priced', async () => {
    const loans = [{ ...AMOUNTS }, { collateral: { BTC: 0 }, loan: { SOL: 1 } }];
    const { asked, body, faults } = await readingOf({ loans, prices: { ETH: 1, DOT: 1 } });
    expect(asked[0].symbols).toEqual(['BTC', 'USD', 'DAI']);
    expect(faults).toEqual(
      ['BTC', 'DAI'].map(name => `params.prices.${name}: prices.${name} must be sent: no close is available`),
    );
    expect(body).toMatchObject({ params: { loans: [{ N: 1 }, { N: 1 }] } });
  });

  it('at faulty prices are not valued', async () => {
    const { asked, body } = await readingOf({ ...AMOUNTS, prices: { BTC: -1 } });
    expect(asked).toEqual([]);
    expect(body).toMatchObject({ params: { N: 1 } });
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

  it('ask for weights or amounts where neither is sent', () => {
    const messagesOf = (sent: unknown) =>
      withRules(
        z.custom<object>(() => true),
        basketsAreSent,
      )
        .safeParse(sent, { error: explain })
        .error?.issues.map(({ message }) => message);
    expect(messagesOf({})).toEqual([
      'collateral_weights is missing; it must be an object of symbols and weights, or collateral in its place',
      'loan_weights is missing; it must be an object of symbols and weights, or loan in its place',
      'loan_value is missing; it must be a value in USD, or loan in its place',
    ]);
    expect(messagesOf({ collateral_weights: 1, loan_weights: 1, loan_value: 1 })).toBeUndefined();
    expect(messagesOf(7)).toBeUndefined();
  });
});
