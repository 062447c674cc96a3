/** Prices at which a loan is called and liquidated. */
import { describe, expect, it } from 'vitest';
import { factorAt } from '#src/core/lending/price-level.js';

describe('The price of one asset at which a loan reaches a ratio', () => {
  it('is the ratio over N for a loan of one asset', () => {
    expect(factorAt('BTC', 1.3, 1.6, { BTC: 1 }, { USD: 1 })).toEqual({
      factor: expect.closeTo(1.3 / 1.6, 12),
      rises: false,
    });
  });

  it.each([
    ['two assets of collateral', { BTC: 0.6, ETH: 0.4 }, { USD: 1 }],
    ['an asset on both sides', { BTC: 0.6, ETH: 0.4 }, { BTC: 0.2, USD: 0.8 }],
    ['collateral after a fall', { BTC: 0.5, ETH: 0.4 }, { USD: 1 }],
    ['an asset of the loan, which rises', { USD: 1 }, { BTC: 0.4, ETH: 0.6 }],
    ['an asset on both sides, which rises', { BTC: 0.1, ETH: 0.9 }, { BTC: 0.6, USD: 0.4 }],
  ])('sets the ratio when all other prices are unchanged: %s', (name, collateral, loan) => {
    const { factor = Number.NaN, rises } = factorAt('BTC', 1.3, 1.6, collateral, loan) ?? {};
    expect([rises, factor > 1]).toEqual([name.endsWith('rises'), name.endsWith('rises')]);
    const side = (weights: Readonly<Record<string, number>>) =>
      Object.entries(weights).reduce(
        (sum, [symbol, weight]) => sum + weight * (symbol === 'BTC' ? factor : 1),
        0,
      );
    expect((1.6 * side(collateral)) / side(loan)).toBeCloseTo(1.3, 12);
  });

  it('does not exist where the other assets cover the loan', () => {
    expect(factorAt('BTC', 1.1, 2.5, { BTC: 0.4, ETH: 0.6 }, { USD: 1 })).toBeUndefined();
  });

  it('does not exist for a rise of a steady asset, and exists for its fall', () => {
    const mostlyLent = [{ DAI: 0.3, BTC: 0.7 }, { DAI: 1 }] as const;
    expect(factorAt('DAI', 1.3, 1.6, ...mostlyLent)?.rises).toBe(true);
    expect(factorAt('DAI', 1.3, 1.6, ...mostlyLent, true)).toBeUndefined();
    const held = [{ DAI: 1 }, { BTC: 1 }] as const;
    expect(factorAt('DAI', 1.3, 1.6, ...held, true)).toEqual(factorAt('DAI', 1.3, 1.6, ...held));
  });

  it('does not exist for an asset that is on neither side', () => {
    expect(factorAt('SOL', 1.1, 2.5, { BTC: 1 }, { USD: 1 })).toBeUndefined();
  });
});
