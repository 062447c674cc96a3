/** The rules of a server on market data, its symbols, and the texts on both. */
import { describe, expect, it } from 'vitest';
import { DEFAULT_RULES, MarketRulesError, parseRules, readRules } from '#src/market/rules.js';
import { isDollar, symbolTable } from '#src/market/symbols.js';
import { printable, printableLines } from '#src/text/printable.js';

function faultsOf(rules: unknown): readonly string[] {
  try {
    return [JSON.stringify(parseRules(JSON.stringify(rules), 'R'))];
  } catch (error) {
    expect(error).toBeInstanceOf(MarketRulesError);
    return (error as Error).message.split('\n').map(line => line.replace(/^R: /, ''));
  }
}

describe('A rules file', () => {
  it('states each member in any case, and has the defaults for others', () => {
    expect(
      parseRules(
        JSON.stringify({
          exchanges: ['Kraken', 'x-1'],
          quotes: ['usd'],
          prices: { btc: ' BTC/usdt  KRAKEN ' },
          aliases: {
            wbtc: 'btc',
            musd: 'USD',
            wsteth: { asset: 'eth', rate: 1.17 },
            weth: { asset: 'ETH', rate: 1 },
          },
        }),
        'R',
      ),
    ).toEqual({
      exchanges: ['kraken', 'x-1'],
      quotes: ['USD'],
      prices: { BTC: { quote: 'USDT', exchange: 'kraken' } },
      aliases: { WBTC: 'BTC', MUSD: 'USD', WSTETH: { asset: 'ETH', rate: 1.17 }, WETH: 'ETH' },
      renamed: {},
    });
    expect(parseRules('{}', 'R')).toEqual(DEFAULT_RULES);
    expect(readRules('')).toEqual(DEFAULT_RULES);
    expect(() => readRules('/no/such')).toThrow('/no/such, which cannot be read: ENOENT');
  });

  it('is an object of JSON', () => {
    expect(() => parseRules('{', 'R')).toThrow('R is not JSON: ');
    for (const other of [[], null, 5, 'x']) expect(faultsOf(other)).toEqual(['R must contain an object']);
  });

  const EXCHANGES = 'exchanges must be a list of one or more different exchanges';
  const QUOTES = 'quotes must be a list of one or more different quotes';
  const price = (name: string) => `prices.${name} must be a market of the asset, written BTC/USD kraken`;
  const alias = (name: string) =>
    `aliases.${name} must be another symbol, or {"asset": "ETH", "rate": 1.17} with a rate above 0 and at most 1000000: ` +
    'the units of the asset in one of the alias';
  it.each([
    [
      { more: 1, other: 2 },
      ['more', 'other'].map(
        name => `${name} is unknown; known are exchanges, quotes, prices, aliases, renamed`,
      ),
    ],
    [{ exchanges: [] }, [EXCHANGES]],
    [{ exchanges: 'kraken' }, [EXCHANGES]],
    [{ exchanges: ['kraken', 5] }, [EXCHANGES]],
    [{ exchanges: ['kraken', 'a b'] }, [EXCHANGES]],
    [{ exchanges: ['kraken', 'okx', 'Kraken'] }, [EXCHANGES]],
    [{ quotes: ['US/D'] }, [QUOTES]],
    [{ quotes: null, exchanges: null }, [EXCHANGES, QUOTES]],
    [{ prices: [] }, ['prices must be an object']],
    [{ aliases: 'x' }, ['aliases must be an object']],
    [{ prices: { BTC: 'ETH/USD kraken' } }, [price('BTC')]],
    [{ prices: { BTC: 'BTC kraken' } }, [price('BTC')]],
    [{ prices: { BTC: 'BTC/USD' } }, [price('BTC')]],
    [{ prices: { BTC: 'BTC/USD kraken 1d' } }, [price('BTC')]],
    [{ prices: { BTC: 5, 'a b': 'A B/USD kraken' } }, [price('BTC'), price('a b')]],
    [{ aliases: { A: 'a', B: 5, C: 'x y', '1': 'A' } }, [alias('1'), alias('A'), alias('B'), alias('C')]],
    [
      { renamed: { A: 'B', B: 'C', D: 'D' } },
      ['renamed.D must be another symbol', 'renamed.A must be the asset itself; B is renamed too'],
    ],
    [
      {
        aliases: {
          ...{
            A: { asset: 'ETH', rate: 0 },
            B: { asset: 'ETH', rate: 1_000_001 },
            C: { asset: 'ETH', rate: '2' },
          },
          ...{ D: { asset: 'd', rate: 2 }, E: { asset: 'ETH' }, F: { asset: 'ETH', rate: 2, of: 1 }, G: [] },
        },
      },
      ['A', 'B', 'C', 'D', 'E', 'F', 'G'].map(alias),
    ],
    [
      { aliases: { A: { asset: 'B', rate: 2 }, B: 'C' } },
      ['aliases.A must be the asset itself; B is an alias too'],
    ],
    [{ aliases: { A: 'B', B: 'C' } }, ['aliases.A must be the asset itself; B is an alias too']],
    [
      { aliases: { usd: 'BTC', CASH: 'BTC' } },
      ['USD', 'CASH'].map(name => `aliases.${name} must be left out: ${name} is the dollar itself`),
    ],
  ])('%j is refused with every fault', (rules, faults) => {
    expect(faultsOf(rules)).toEqual(faults);
  });
});

describe('The table of symbols', () => {
  const table = (
    held: readonly string[],
    aliases: Readonly<Record<string, string>> = {},
    renamed: Readonly<Record<string, string>> = {},
  ) => symbolTable(new Set(held), { aliases, renamed });
  const told = (...args: Parameters<typeof table>) =>
    table(...args)
      .aliases()
      .map(([name, asset]) => `${name} ${asset}`);

  it('has an alias where its asset alone has a price, in alphabetical order', () => {
    expect(told([])).toEqual(['CASH USD']);
    expect(told(['DOGE', 'BTC'])).toEqual(['CASH USD', 'XBT BTC', 'XDG DOGE', 'XXBT BTC']);
    expect(told(['BTC', 'XBT'])).toEqual(['CASH USD', 'XXBT BTC']);
    expect(told(['POL', 'S', 'A', 'RENDER'])).toEqual([
      'CASH USD',
      'EOS A',
      'FTM S',
      'MATIC POL',
      'RNDR RENDER',
    ]);
    expect(told(['POL', 'MATIC'])).toEqual(['CASH USD']);
    expect(told(['POL', 'MATIC'], {}, { MATIC: 'POL', LUNA: 'LUNA2' })).toEqual(['CASH USD', 'MATIC POL']);
  });

  it('has those of the rules whatever has a price, and the dollar as itself', () => {
    expect(told(['WBTC'], { WBTC: 'BTC', MUSD: 'CASH', XUSD: 'USD' })).toEqual([
      'CASH USD',
      'MUSD USD',
      'WBTC BTC',
      'XUSD USD',
    ]);
    const { resolve } = table([], { WBTC: 'BTC', CASH: 'BTC' });
    expect(['WBTC', 'CASH', 'ETH', 'USD'].map(resolve)).toEqual(['BTC', 'USD', 'ETH', 'USD']);
    expect(['USD', 'CASH', 'USDC', ''].map(isDollar)).toEqual([true, true, false, false]);
  });
});

it('Text for a terminal has no characters that move its cursor or turn its direction', () => {
  expect(printable('a\u0000\u001b\u007f\u009f\u2028\u202e\u2066é€b')).toBe(
    'a\\u{0}\\u{1b}\\u{7f}\\u{9f}\\u{2028}\\u{202e}\\u{2066}é€b',
  );
  expect(printable('a\nb')).toBe('a\\u{a}b');
  expect(printableLines('a\u001b\nb')).toBe('a\\u{1b}\nb');
});
