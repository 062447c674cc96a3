/** Price shocks: which are taken, and what they do to prices. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  basketChange,
  priceShock,
  shocked,
  shockedAssetsAreUsed,
  shockedBasketsAreUsed,
  shockFactor,
} from '#src/question/request/price-shock.js';
import { withRules } from '#src/question/request/rules.js';
import { explain } from '#src/text/message.js';

const schema = priceShock(symbol => (symbol === 'CASH' ? 'USD' : symbol === 'XBT' ? 'BTC' : symbol));
const read = (sent: unknown) => schema.safeParse(sent, { error: explain });
const messagesOf = (sent: unknown) =>
  read(sent).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [];
const symbols = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, k) => [`S${k}`, -0.1]));

describe('A price shock', () => {
  it('has upper-case symbols in alphabetical order', () => {
    expect(Object.entries(read({ eth: 0.5, '*': -0.999, Xbt: 100 }).data ?? {})).toEqual([
      ['*', -0.999],
      ['BTC', 100],
      ['ETH', 0.5],
    ]);
    expect(read(undefined).data).toBeUndefined();
  });

  it('has 1 to 33 members, and others are not read', () => {
    expect(messagesOf(symbols(33))).toEqual([]);
    for (const [sent, shown] of [
      [symbols(34), 'an object'],
      [{}, 'an object'],
      [[-0.1], 'a list of 1'],
      ['BTC', '"BTC"'],
      [null, 'null'],
    ] as const)
      expect(messagesOf(sent)).toEqual([
        `: The body must be an object of 1 to 32 symbols, or *, and changes; got ${shown}`,
      ]);
  });

  it('is above -1 and at most 100', () => {
    for (const change of [-0.9999, 0, 100]) expect(messagesOf({ BTC: change }), `${change}`).toEqual([]);
    for (const change of [-1, 100.01, '0.1', null])
      expect(messagesOf({ BTC: change })).toEqual([
        `BTC: BTC must be a change above -1 and at most 100, as a fraction: -0.3 is a fall by 30 %; got ${change === '0.1' ? '"0.1"' : change}`,
      ]);
  });

  it('names assets once, not the dollar, and every fault', () => {
    expect(messagesOf({ cash: -0.1, BTC: 0, xbt: 5, '!': 1, '**': -2 })).toEqual([
      'cash: cash must be absent: USD is what prices are counted in; got -0.1',
      'xbt: xbt must be named once; BTC is there already; got "xbt"',
      expect.stringMatching(/^!: ! must be named by a symbol: .*, or \*; got "!"$/),
      expect.stringMatching(/^\*\*: \*\* must be named by a symbol: /),
      expect.stringMatching(/^\*\*: \*\* must be a change above -1 .*; got -2$/),
    ]);
  });

  it('is described with its bounds', () => {
    expect(z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' })).toMatchObject({
      ...{ type: 'object', minProperties: 1, maxProperties: 33, examples: [{ BTC: -0.3, '*': -0.2 }] },
      additionalProperties: { type: 'number', exclusiveMinimum: -1, maximum: 100, 'x-unit': 'fraction' },
    });
  });
});

describe('The factor of a price', () => {
  it.each([
    [undefined, 'BTC', 1],
    [{ BTC: -0.25 }, 'BTC', 0.75],
    [{ BTC: -0.25 }, 'ETH', 1],
    [{ '*': -0.5 }, 'ETH', 0.5],
    [{ BTC: -0.25, '*': -0.5 }, 'BTC', 0.75],
    [{ '*': -0.5 }, 'USD', 1],
    [{ '*': -0.5 }, 'USDC', 1],
    [{ '*': -0.5 }, 'EUR', 0.5],
    [{ EUR: 0, '*': -0.5 }, 'EUR', 1],
    [{ '*': -0.5 }, 'USDT', 1],
    [{ '*': -0.5 }, 'DAI', 1],
    [{ DAI: -0.1, '*': -0.5 }, 'DAI', 0.9],
    [{ '*': -0.5 }, 'toString', 0.5],
  ])('of the shock %j for %s is %f', (shock, symbol, factor) => {
    expect(shockFactor(shock, symbol)).toBe(factor);
  });

  it('changes the values of a basket, and their sum', () => {
    const weights = { BTC: 0.5, ETH: 0.25, USD: 0.25 };
    expect(shocked(weights, undefined)).toBe(weights);
    const after = shocked(weights, { BTC: -0.5, '*': 1 });
    expect(after).toEqual({ BTC: 0.25, ETH: 0.5, USD: 0.25 });
    expect(basketChange(weights, after)).toBe(1);
    expect(basketChange({ BTC: 0.5, ETH: 1.5 }, { BTC: 0.25, ETH: 1.5 })).toBe(0.875);
  });
});

describe('The assets of a shock', () => {
  it('are of the request', () => {
    const rule = shockedAssetsAreUsed<{ price_shock?: Record<string, number> }>([], () => ['BTC', 'ETH']);
    const messageOf = (price_shock?: Record<string, number>) =>
      withRules(
        z.custom<object>(() => true),
        rule,
      )
        .safeParse(price_shock === undefined ? {} : { price_shock }, { error: explain })
        .error?.issues.map(({ message }) => message);
    expect(messageOf()).toBeUndefined();
    expect(messageOf({ BTC: -0.1, '*': -0.2 })).toBeUndefined();
    expect(messageOf({ BTC: -0.1, SOL: 1, DOT: 1 })).toEqual([
      'price_shock must be a change of assets of the request (BTC, ETH), or of *; got one of SOL, DOT',
    ]);
    const baskets = { collateral_weights: { BTC: 1 }, loan_weights: { USD: 1 }, price_shock: { ETH: 1 } };
    const refused = withRules(
      z.custom<typeof baskets>(() => true),
      shockedBasketsAreUsed,
    ).safeParse(baskets, { error: explain });
    expect(refused.error?.issues[0].message).toMatch(/\(BTC, USD\), or of \*; got one of ETH$/);
  });
});
