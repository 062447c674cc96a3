/** The form of a loan's path: thresholds, the start, and pairs of single assets. */
import { describe, expect, it } from 'vitest';
import {
  assetPair,
  placeRatio,
  ratioThresholds,
  startValue,
  sumOfWeights,
} from '#src/core/plan/ratio-path.js';

const TERMS = {
  nominalRatio: 2,
  marginCallRatio: 1.6,
  liquidationRatio: 1.2,
  recoveryRatio: 1.8,
  topUpSteps: 0,
};

describe('The thresholds of a ratio', () => {
  const [liquidation, marginCall, recovery, underwater] = [0.6, 0.8, 0.9, 0.5];

  it('are those of the loan over N', () => {
    expect(ratioThresholds(TERMS, 'ratio')).toEqual({ liquidation, marginCall, recovery, underwater });
  });

  it.each([
    ['ln', Math.log],
    ['log2', Math.log2],
    ['difference', (ratio: number) => ratio - 1],
  ] as const)('are in the domain %s of the path', (domain, place) => {
    expect(ratioThresholds(TERMS, domain)).toEqual({
      liquidation: place(liquidation),
      marginCall: place(marginCall),
      recovery: place(recovery),
      underwater: place(underwater),
    });
    expect(placeRatio(domain, 3)).toBe(place(3));
  });
});

describe('Two baskets', () => {
  const weights = (...values: number[]) => Float64Array.from(values);

  it('begin with the ratio of their values', () => {
    const baskets = { collateralWeights: weights(1, 0.5, 0), loanWeights: weights(0, 0.25, 1) };
    expect(sumOfWeights(baskets.collateralWeights)).toBe(1.5);
    expect(startValue({ nominalRatio: 2, portfolio: baskets }, 'ratio')).toBe(1.2);
    expect(startValue({ nominalRatio: 2, portfolio: baskets }, 'log2')).toBe(Math.log2(1.2));
  });

  it('begin at a coverage of 1 where only rounding takes them below it', () => {
    const portfolio = { collateralWeights: weights(0.7 * 0.8, 0.3 * 0.8, 0), loanWeights: weights(0, 0, 1) };
    for (const domain of ['ratio', 'log2', 'difference'] as const) {
      const { underwater } = ratioThresholds({ ...TERMS, nominalRatio: 1.25 }, domain);
      expect(startValue({ nominalRatio: 1.25, portfolio }, domain)).toBe(underwater);
      expect(startValue({ nominalRatio: 1.25 - 1e-11, portfolio }, domain)).toBeLessThan(underwater);
    }
  });

  it.each([
    [[3, 0], [0, 2], { collateral: 0, loan: 1, startRatio: 1.5 }],
    [[0, 1], [4, 0], { collateral: 1, loan: 0, startRatio: 0.25 }],
    [[1], [1], { collateral: 0, loan: 0, startRatio: 1 }],
    [[1, 0, 0], [0, 1, 0], undefined],
    [[1, 1], [0, 1], undefined],
    [[1, 0], [1, 1], undefined],
    [[0, 0], [0, 1], undefined],
  ])('of weights %j and %j are a pair of single assets, or none', (collateral, loan, pair) => {
    const baskets = { collateralWeights: weights(...collateral), loanWeights: weights(...loan) };
    expect(assetPair(baskets)).toEqual(pair);
  });
});
