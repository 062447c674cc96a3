/** The ratios of a candidate, and the lowest candidate. */
import { describe, expect, it } from 'vitest';
import { lowestCandidate, mostPasses, ratiosAt } from '#src/question/origination/ratios.js';

type Terms = Parameters<typeof ratiosAt>[1];

const terms = (rules: object): Terms =>
  ({
    L: 1.1,
    opt_param: { variable_min: 1.05, variable_max: 2.5, M: 'midpoint', R: 'N', ...rules },
  }) as Terms;

describe('The lowest candidate', () => {
  it.each([
    [{}, 1.1 * (1 + 1e-6)],
    [{ variable_min: 1.4 }, 1.4],
    [{ M: 1.25 }, 1.25],
    [{ M: 1.25, variable_min: 1.3 }, 1.3],
  ])('with %j is %d', (rules, lowest) => {
    expect(lowestCandidate(terms(rules))).toBe(lowest);
  });
});

describe('The ratios at N', () => {
  it.each([
    [{}, { N: 1.5, M: (1.1 + 1.5) / 2, L: 1.1, R: 1.5 }],
    [{ variable_min: 1.4 }, { N: 1.5, M: 1.4, L: 1.1, R: 1.5 }],
    [{ variable_max: 1.2 }, { N: 1.5, M: 1.2, L: 1.1, R: 1.5 }],
    [
      { M: 1.15, R: 1.35 },
      { N: 1.5, M: 1.15, L: 1.1, R: 1.35 },
    ],
  ])('with %j are the middle and N, or what was sent', (rules, expected) => {
    expect(ratiosAt(1.5, terms(rules))).toEqual(expected);
  });
});

describe('The passes over the paths for admission', () => {
  // docs/methodology.md: three passes of a scan, two scans for a forced sale, and the loan at the N found.
  it.each([
    ['PrMarginCall', { R: 1.35 }, 4],
    ['PrLiquidation', {}, 4],
    ['PrForcedSale', {}, 7],
    ['PrForcedSale', { R: 1.35 }, 114],
    ['PrLiquidation', { R: 1.35 }, 114],
  ])('for %s with %j are %i', (score_variable, rules, passes) => {
    const asked = terms({ variable_min: 1.25, variable_max: 3, score_variable, ...rules });
    expect(mostPasses(asked as unknown as Parameters<typeof mostPasses>[0])).toBe(passes);
  });
});
