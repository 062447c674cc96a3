import { describe, expect, it } from 'vitest';
import { christoffersenTest, kupiecTest, quantileScore } from '#src/core/stats/backtest.js';
import { chiSquareUpperTail } from '#src/core/stats/chi-square.js';
import reference from '../../fixtures/stats/stats.json' with { type: 'json' };

const hitsOn = (days: number, ...on: number[]): boolean[] =>
  Array.from({ length: days }, (_, i) => on.includes(i + 1));

describe('chiSquareUpperTail', () => {
  it('agrees with forty-digit figures in the centre and in the tail', () => {
    reference.statistics.forEach((x, i) => {
      const one = chiSquareUpperTail(x, 1);
      const two = chiSquareUpperTail(x, 2);
      // The series loses two digits by cancellation just below the switch to the continued fraction.
      expect(Math.abs(one - reference.upperTailOne[i]), `x ${x}`).toBeLessThanOrEqual(
        1e-13 * reference.upperTailOne[i],
      );
      expect(Math.abs(two - reference.upperTailTwo[i]), `x ${x}`).toBeLessThanOrEqual(
        1e-13 * reference.upperTailTwo[i],
      );
    });
  });

  it('refuses a negative or undefined statistic', () => {
    expect(() => chiSquareUpperTail(-1, 1)).toThrow(/chi-square statistic is -1/);
    expect(() => chiSquareUpperTail(Number.NaN, 2)).toThrow(/NaN/);
  });
});

describe('The transitions of a sequence of hits', () => {
  it('are counted from one day to the next', () => {
    const [quiet, hit] = [false, true];
    const { transitions } = christoffersenTest([quiet, quiet, quiet, hit, hit, quiet, hit], 0.05);
    expect(transitions).toEqual([2, 2, 1, 1]);
  });

  it('are none from or to a day that is left out', () => {
    const [quiet, hit, none] = [false, true, undefined];
    const tests = christoffersenTest([none, hit, none, quiet, quiet, hit, none], 0.05);
    expect(tests.transitions).toEqual([1, 1, 0, 0]);
    expect([tests.observations, tests.exceedances]).toEqual([4, 2]);
    expect(christoffersenTest([quiet, none, hit], 0.05).transitions).toEqual([0, 0, 0, 0]);
  });
});

describe('kupiecTest', () => {
  it('returns the published examples', () => {
    expect(kupiecTest(30, 7, 0.01).statistic).toBeCloseTo(32.34, 2);
    expect(kupiecTest(60, 4, 0.05).statistic).toBeCloseTo(0.319, 3);
    expect(kupiecTest(60, 4, 0.05).pValue).toBeCloseTo(0.572, 3);
  });

  it('is zero at the promised share and defined at the ends of the range', () => {
    expect(kupiecTest(100, 5, 0.05)).toEqual({ statistic: 0, degreesOfFreedom: 1, pValue: 1 });
    expect(kupiecTest(250, 0, 0.01).statistic).toBeCloseTo(-2 * 250 * Math.log(0.99), 12);
    expect(kupiecTest(3, 3, 0.5).statistic).toBeCloseTo(6 * Math.log(2), 12);
    expect(kupiecTest(1, 1, 0.25).statistic).toBeCloseTo(4 * Math.log(2), 12);
  });

  it('refuses impossible counts and probabilities', () => {
    expect(() => kupiecTest(0, 0, 0.05)).toThrow(/observations is 0/);
    expect(() => kupiecTest(10, 11, 0.05)).toThrow(/exceedances is 11/);
    expect(() => kupiecTest(10, 1, 1)).toThrow(/probability is 1/);
  });
});

describe('christoffersenTest', () => {
  it('returns the published example of clustered exceedances', () => {
    const tests = christoffersenTest(hitsOn(60, 18, 19, 20, 42), 0.05);
    expect(tests.exceedances).toBe(4);
    expect(tests.transitions).toEqual([53, 2, 2, 2]);
    expect(tests.independence.statistic).toBeCloseTo(6.524, 3);
    expect(tests.unconditionalCoverage.statistic).toBeCloseTo(0.319, 3);
    expect(tests.conditionalCoverage.statistic).toBe(
      tests.unconditionalCoverage.statistic + tests.independence.statistic,
    );
    expect(tests.conditionalCoverage.pValue).toBe(Math.exp(-tests.conditionalCoverage.statistic / 2));
  });

  it('computes 0 ln 0 as 0 where no exceedance follows another', () => {
    const tests = christoffersenTest(hitsOn(60, 5, 22, 41, 55), 0.05);
    expect(tests.transitions).toEqual([51, 4, 4, 0]);
    expect(tests.independence.statistic).toBeCloseTo(0.582, 3);
  });

  it('has no test of independence where all days are alike', () => {
    for (const hit of [true, false]) {
      const tests = christoffersenTest(new Array(20).fill(hit), 0.05);
      expect(tests.independence).toEqual({ statistic: 0, degreesOfFreedom: 1, pValue: 1 });
    }
  });

  it('refuses fewer than two days', () => {
    expect(() => christoffersenTest([true], 0.05)).toThrow(/hits has 1 days/);
  });
});

describe('quantileScore', () => {
  it('weighs a miss by 1 - p below and by p above', () => {
    // (0.9 - 1)(0.05 - 1) = 0.095 and (1.2 - 1) 0.05 = 0.01; a value at the forecast costs nothing.
    expect(quantileScore([0.9, 1.2, 1], [1, 1, 1], 0.05)).toBeCloseTo((0.095 + 0.01) / 3, 15);
  });

  it('is lowest, among constant forecasts, at the quantile of the outcomes', () => {
    const outcomes = Array.from({ length: 999 }, (_, i) => (i + 1) / 1000);
    const score = (level: number) =>
      quantileScore(
        outcomes,
        outcomes.map(() => level),
        0.05,
      );
    const best = score(0.05);
    for (const other of [0.02, 0.04, 0.06, 0.1, 0.5]) expect(score(other), `${other}`).toBeGreaterThan(best);
  });

  it('refuses no outcomes, another number of forecasts and an impossible probability', () => {
    expect(() => quantileScore([], [], 0.05)).toThrow(/0 outcomes and 0 forecasts/);
    expect(() => quantileScore([1], [1, 2], 0.05)).toThrow(/1 outcomes and 2 forecasts/);
    expect(() => quantileScore([1], [1], 1)).toThrow(/probability is 1/);
  });
});
