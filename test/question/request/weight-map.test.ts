/** Weights of a basket: their bounds, their sum, and every fault. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { symbol } from '#src/question/request/fields.js';
import { symbolMap, weightMap } from '#src/question/request/weight-map.js';
import { explain } from '#src/text/message.js';
import { resolverOf } from '#src/text/symbols.js';

const resolve = (symbol: string) => (symbol === 'CASH' ? 'USD' : symbol);
const schema = weightMap(resolve);
const read = (sent: unknown) => schema.safeParse(sent, { error: explain });
const messagesOf = (sent: unknown) =>
  read(sent).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [];
const equal = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, k) => [`S${k}`, 1 / count]));

describe('A weight map', () => {
  it('has upper-case assets in alphabetical order', () => {
    expect(Object.entries(read({ sol: 0.25, cash: 0.5, Btc: 0.25 }).data ?? {})).toEqual([
      ['BTC', 0.25],
      ['SOL', 0.25],
      ['USD', 0.5],
    ]);
  });

  it('has 1 to 32 symbols, and others are not read', () => {
    expect(messagesOf(equal(32))).toEqual([]);
    for (const count of [0, 33])
      expect(messagesOf(equal(count))).toEqual([
        `: The body must be an object of 1 to 32 symbols; got ${count} of them`,
      ]);
    expect(messagesOf([1])).toEqual([': The body must be an object of symbols and weights; got a list of 1']);
    const units = symbolMap(resolve, 'a number', 'asset units', []).safeParse(7, { error: explain });
    expect(units.error?.issues[0].message).toBe('The body must be an object of symbols and numbers; got 7');
  });

  it.each([
    [1.000001, true],
    [0.999999, true],
    [1.00000101, false],
    [0.99999899, false],
  ])('with a sum of %d is taken: %s', (sum, taken) => {
    expect(messagesOf({ BTC: 0.5, ETH: sum - 0.5 })).toHaveLength(taken ? 0 : 1);
  });

  it.each([
    [{ BTC: 60, ETH: 40 }, 'a sum of 100: weights are fractions, 40 per cent is 0.4'],
    [{ BTC: 100.00009 }, 'a sum of 100.00009: weights are fractions, 40 per cent is 0.4'],
    [{ BTC: 99.99991 }, 'a sum of 99.99991: weights are fractions, 40 per cent is 0.4'],
    [{ BTC: 100.00011 }, 'a sum of 100.00011'],
    [{ BTC: 0.5, ETH: 0.25 }, 'a sum of 0.75'],
  ])('%j has %s', (sent, got) => {
    expect(messagesOf(sent)).toEqual([`: The body must be weights that sum to 1 within 1e-6; got ${got}`]);
  });

  it('has weights that are finite numbers above 0; their sum counts only where all are', () => {
    for (const [weight, shown] of [
      [0, '0'],
      [-1, '-1'],
      ['0.5', '"0.5"'],
      [Number.POSITIVE_INFINITY, 'Infinity'],
      [null, 'null'],
    ])
      expect(messagesOf({ BTC: weight, ETH: 0.5 })).toEqual([
        `BTC: BTC must be a weight above 0; got ${shown}`,
      ]);
  });

  it('names each asset once, and every fault', () => {
    expect(messagesOf({ USD: 0.5, cash: -1, '7': 1, usd: 0.5 })).toEqual([
      expect.stringMatching(/^7: 7 must be named by a symbol: .*; got "7"$/),
      'cash: cash must be named once; USD is there already; got "cash"',
      'cash: cash must be a weight above 0; got -1',
      'usd: usd must be named once; USD is there already; got "usd"',
    ]);
  });

  it('of amounts has any sum', () => {
    const units = symbolMap(resolve, 'a number above 0', 'asset units', [{ BTC: 2 }]);
    expect(units.parse({ btc: 7, ETH: 2 })).toEqual({ BTC: 7, ETH: 2 });
  });

  it('is described with its bounds', () => {
    expect(z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' })).toMatchObject({
      ...{ type: 'object', minProperties: 1, maxProperties: 32, examples: [{ BTC: 0.6, ETH: 0.4 }] },
      additionalProperties: { type: 'number', exclusiveMinimum: 0, 'x-unit': 'fraction' },
    });
  });
});

it('A symbol with a rate is refused where a market is named', () => {
  const rated = symbol(resolverOf([['WSTETH', 'ETH', 1.25]]));
  const { error } = rated.safeParse('wsteth', { error: explain });
  expect(error?.issues.map(({ message }) => message)).toEqual([
    'The body must be ETH, with its prices and quantities: one WSTETH is 1.25 of it; got "WSTETH"',
  ]);
  expect(rated.parse('eth')).toBe('ETH');
});
