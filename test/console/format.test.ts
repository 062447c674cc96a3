/** Numbers and labels of the console as people read them. */
import { describe, expect, it } from 'vitest';
import { moneyBetween, precise } from '../../console/src/ui/format.ts';

describe('a figure with an interval', () => {
  it.each([
    [49.88, 0.31, '49.88'],
    [1_406_874.6, 725, '1,406,875'],
    [0.0378, 0.012, '0.038'],
    [-0.0001, 0.02, '0.000'],
  ])('%f ± %f is %s', (value, half, text) => {
    expect(precise(value, half)).toBe(text);
  });

  it('has four significant digits without an interval', () => {
    expect(precise(0.0093071, undefined)).toBe('0.009307');
    expect(precise(0, undefined)).toBe('0');
  });
});

describe('money on an axis', () => {
  it('has the digits that tell neighbouring ticks apart', () => {
    const show = moneyBetween(994_000, 1_006_000);
    expect(new Set([998_000, 1_000_000, 1_002_000, 1_004_000].map(show)).size).toBe(4);
  });
});
