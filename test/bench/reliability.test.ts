import { describe, expect, it } from 'vitest';
import { reliability } from '../../bench/backtests/reliability.ts';

describe('reliability', () => {
  it('tells promised and observed shares by decile, and the Brier score, worked by hand', () => {
    // Twenty forecasts 0, 0.05, .. 0.95; those of 0.5 and above come true.
    const judged = Array.from({ length: 20 }, (_, i) => ({
      predicted: i / 20,
      happened: i >= 10,
      cluster: i,
    }));
    const { forecasts, clusters, brierScore, brierScoreOfMean, deciles } = reliability([...judged].reverse());
    expect([forecasts, clusters]).toEqual([20, 20]);
    // 2 (1 + 4 + .. + 81) / 400 over the lower half and (1 - p)^2 over the upper: 285 / 400 and 385 / 400.
    expect(brierScore).toBeCloseTo((285 / 400 + 385 / 400) / 20, 15);
    expect(brierScoreOfMean).toBe(0.25);
    expect(deciles).toHaveLength(10);
    expect(deciles.map(({ meanPredicted }) => meanPredicted)).toEqual(
      Array.from({ length: 10 }, (_, k) => expect.closeTo((4 * k + 1) / 40, 12)),
    );
    expect(deciles.map(({ observed }) => observed)).toEqual([0, 0, 0, 0, 0, 1, 1, 1, 1, 1]);
    // Two forecasts, each a cluster of its own.
    expect(deciles[1].standardError).toBeCloseTo(Math.hypot(0.1, 0.15) / 2, 14);
  });

  it('counts errors of one cluster as one', () => {
    const judged = Array.from({ length: 10 }, (_, i) => ({ predicted: 0.2, happened: i < 5, cluster: 7 }));
    const tenfold = judged.flatMap(each => Array.from({ length: 10 }, () => each));
    const { deciles } = reliability(tenfold);
    expect(deciles[0].standardError).toBeCloseTo(0.8, 14);
    expect(deciles[9].standardError).toBeCloseTo(0.2, 14);
  });

  it('refuses what it cannot judge', () => {
    const one = { predicted: 0.5, happened: true, cluster: 0 };
    expect(() => reliability([one])).toThrow(/1 forecasts, at least 10/);
    expect(() => reliability(Array.from({ length: 10 }, () => ({ ...one, predicted: 1.5 })))).toThrow(
      /predicted is 1.5/,
    );
  });
});
