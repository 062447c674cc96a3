/**
 * Size and power of the tests of expected shortfall on simulated days of known truth, with fewer cases and repetitions than
 * bench/shortfall-tests.ts: normal shocks at the larger share, heavy tails at the smaller one.
 *
 * @module-tag slow
 */
import { expect, it } from 'vitest';
import { measureTests, SHORTFALL_CASES } from '../../bench/shortfall-simulation.ts';

const REPETITIONS = 100;

it.each([SHORTFALL_CASES[0], SHORTFALL_CASES[SHORTFALL_CASES.length - 1]])(
  '$shocks at $probability: right forecasts pass, half of the volatility does not',
  each => {
    const { size, power } = measureTests(each, REPETITIONS);
    for (const [name, share] of Object.entries(size)) {
      // 5 % of 100 repetitions: 5 with a deviation of 2.2, and four of these.
      expect(share, `size of ${name}`).toBeLessThan(0.137);
    }
    for (const [name, share] of Object.entries(power))
      expect(share, `power of ${name}`).toBeGreaterThan(0.99);
  },
);
