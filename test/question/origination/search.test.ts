/** The search for N against the rules on a full scan, on score functions of every shape. */
import { describe, expect, it } from 'vitest';
import { candidates, candidateWithinTolerance, intervalAroundTarget } from '#src/core/rules/origination.js';
import { rootsOf, searchNominalRatio } from '#src/question/origination/search.js';

const LOW = 1.2;
const HIGH = 2.7;
const GRID = candidates(LOW, HIGH);

type Score = (n: number) => number;

/** Falling, as PrMarginCall; a hump, as PrCloseout; rising, as WorstCaseCCR; steps, as any share of few paths. */
const SHAPES: readonly [string, Score][] = [
  ['falls', n => Math.exp(-3 * (n - LOW))],
  ['rises', n => 0.3 * n],
  ['has a hump', n => Math.exp(-30 * (n - 1.7) ** 2)],
  ['has two humps', n => 0.8 * Math.exp(-90 * (n - 1.5) ** 2) + 0.6 * Math.exp(-90 * (n - 2.3) ** 2)],
  ['falls in steps', n => Math.ceil(20 * Math.exp(-3 * (n - LOW))) / 20],
];

describe.each(SHAPES)('a score that %s', (_, score) => {
  const targets = Array.from({ length: 40 }, (_, i) => 0.013 + i * 0.0231);
  const search = (target: number, tolerance: number) => {
    let passes = 0;
    const result = searchNominalRatio({ target, tolerance, low: LOW, high: HIGH }, async ns => {
      passes++;
      return ns.map(score);
    });
    return result.then(found => ({ found, passes: () => passes }));
  };

  it('is met within the tolerance if a scan of all candidates meets it', async () => {
    for (const target of targets) {
      for (const tolerance of [0.0005, 0.01, 0.2]) {
        const expected = candidateWithinTolerance(score, GRID, target, tolerance);
        if (expected === undefined) continue;
        const { found, passes } = await search(target, tolerance);
        const context = JSON.stringify({ target, tolerance });
        expect(found, context).toMatchObject({ found: true, nominalRatio: expected, score: score(expected) });
        expect(passes(), context).toBe(1);
      }
    }
  });

  it('is bisected to 1e-9 if no candidate is within the tolerance', async () => {
    let bisections = 0;
    for (const target of targets) {
      if (candidateWithinTolerance(score, GRID, target, 0) !== undefined) continue;
      const bracket = intervalAroundTarget(score, GRID, target);
      const { found, passes } = await search(target, 0);
      const context = JSON.stringify({ target, bracket, found });
      if (bracket === undefined) {
        expect(found.found, context).toBe(false);
        continue;
      }
      bisections++;
      // Both end within 1e-9 of the crossing; their dyadic points differ by rounding.
      expect(found.found && Math.abs(found.nominalRatio - bracket.low), context).toBeLessThan(2e-9);
      expect(passes(), context).toBeLessThanOrEqual(3);
    }
    expect(bisections).toBeGreaterThan(3);
  });
});

describe('scores that meet a bound exactly', () => {
  /** Scores by candidate on whole numbers, where the arithmetic is exact. */
  const on = (scores: readonly number[], target: number, tolerance: number, search: object = {}) =>
    searchNominalRatio(
      { target, tolerance, low: 0, high: scores.length - 1, intervals: scores.length - 1, ...search },
      async ns => ns.map(n => scores[Math.floor(n)] ?? Number.NaN),
    );

  it('are within the tolerance at the tolerance, at either end of a run', async () => {
    expect(await on([8, 2, 8, 8], 1, 1)).toMatchObject({ found: true, nominalRatio: 1 });
    // The run from 1 to 2 has its nearest candidate at its lower end, one tolerance away; its upper end is as far.
    expect(await on([8, 0.5, 2, 8], 1, 1)).toMatchObject({ found: true, nominalRatio: 1 });
    expect(await on([8, 0, 2, 8], 1, 1)).toMatchObject({ found: true, nominalRatio: 2 });
    // A candidate one tolerance away does not part the run: the nearest lies below it.
    expect(await on([8, 0.5, 2, 0.25, 8], 1, 1)).toMatchObject({ found: true, nominalRatio: 1 });
  });

  it('are not above the target at the target: the bisection continues on the right', async () => {
    // Rising from 0 to 4 between two candidates, at the target from 1 on: the crossing upwards is at 2.
    const scores = [0, 1, 2, 2, 4];
    const found = await searchNominalRatio(
      { target: 2, tolerance: 0, low: 0, high: 4, intervals: 1, resolution: 1, halvingsPerPass: 1 },
      async ns => ns.map(n => scores[n]),
    );
    // Points 0..4: 2 is at the target, not above, and so is 3: the bracket ends as 3..4, and 3 is the nearer end.
    expect(found).toMatchObject({ found: true, nominalRatio: 3, score: 2 });
  });

  it('end with the pass whose bracket is as wide as the resolution', async () => {
    const passes: number[][] = [];
    await searchNominalRatio(
      { target: 1.5, tolerance: 0, low: 0, high: 2, intervals: 1, resolution: 1, halvingsPerPass: 1 },
      async ns => {
        passes.push([...ns]);
        return ns;
      },
    );
    expect(passes).toEqual([
      [0, 2],
      [0, 1, 2],
    ]);
  });

  it('give the upper end of the last bracket if both ends are equally far', async () => {
    const found = await searchNominalRatio(
      { target: 2, tolerance: 0, low: 0, high: 1, intervals: 1, resolution: 1, halvingsPerPass: 1 },
      async ns => ns.map(n => (n < 1 ? 1 : 3)),
    );
    expect(found).toMatchObject({ found: true, nominalRatio: 1, score: 3 });
  });
});

describe('a target out of reach', () => {
  it('is answered with the nearest N and the scores at both ends', async () => {
    const score: Score = n => 0.5 / n;
    const result = await searchNominalRatio(
      { target: 0.9, tolerance: 0.01, low: LOW, high: HIGH },
      async ns => ns.map(score),
    );
    expect(result).toEqual({
      found: false,
      nearest: { nominalRatio: LOW, score: score(LOW) },
      scoreAtLow: score(LOW),
      scoreAtHigh: score(HIGH),
    });
  });
});

describe('The places where a score meets its target', () => {
  const rootsAt = (scores: readonly number[], tolerance = 0) =>
    rootsOf(
      { candidates: Float64Array.from(scores, (_, k) => k), scores: Float64Array.from(scores) },
      { target: 0.5, tolerance },
    ).map(({ nominalRatio }) => nominalRatio);

  it('are the crossings and the runs within the tolerance, each by its nearest candidate', () => {
    expect(rootsAt([0.1, 0.4, 0.9, 0.7, 0.2])).toEqual([1, 3]);
    expect(rootsAt([0.1, 0.46, 0.49, 0.53, 0.9, 0.51, 0.1], 0.05)).toEqual([2, 5]);
    expect(rootsAt([0.9, 0.8])).toEqual([]);
  });

  it('are one where the score stays near the target between them', () => {
    expect(rootsAt([0.1, 0.5, 0.5015, 0.5, 0.9])).toEqual([3]);
    expect(rootsAt([0.1, 0.45, 0.59, 0.52, 0.9], 0.05)).toEqual([3]);
  });
});
