/** Merged outcomes of parts of the paths: sums, lowest values, columns end to end. */
import { describe, expect, it } from 'vitest';
import { isMergedBy, mergeOutcomes, outcomesOf, withSharedCounts } from '#src/core/plan/merge-outcomes.js';
import type { SimulationPlan } from '#src/core/plan/simulation-plan.js';
import { randomBook } from '../../support/random-books.ts';
import { randomLoanPlan, randomValueAtRiskPlan } from '../../support/random-plans.ts';

describe('A plan', () => {
  it('is merged as the contract of its product states', () => {
    const mergesOf = (plan: SimulationPlan) =>
      (['ranges', 'columns', 'two passes'] as const).filter(merge => isMergedBy(plan, merge));
    expect(mergesOf(randomLoanPlan(1, 'gbm', 10))).toEqual(['ranges']);
    expect(mergesOf(randomValueAtRiskPlan(1, 10))).toEqual(['columns']);
    expect(mergesOf(randomBook(1, 10, { assets: 2, loans: 2, baskets: 1, term: 24 }))).toEqual([
      'two passes',
    ]);
  });
});

const loan = (paths: number, worstCcr: number) => ({
  kind: 'loan' as const,
  paths,
  marginCalls: 1 * paths,
  liquidations: 2 * paths,
  closeouts: 3 * paths,
  underwater: 4 * paths,
  openSteps: 5 * paths,
  closedStepSquares: 6 * paths,
  losses: 7 * paths,
  earlyEnds: 8 * paths,
  deadlineEnds: 9 * paths,
  lossSquares: 0.125 * paths,
  loss: 0.5 * paths,
  worstCcr,
});

describe('The merged outcomes of parts', () => {
  it.each([[[0.5, 0.25, 0.75]], [[0.25, 0.5, 0.75]], [[0.75, 0.5, 0.25]]])(
    'of a loan are sums, with the lowest of %j',
    lowest => {
      expect(mergeOutcomes(lowest.map((worst, i) => loan(10 ** i, worst)))).toEqual(loan(111, 0.25));
    },
  );

  it('of a capped loan are sums, with the lowest coverage', () => {
    const part = (paths: number, worstCcr: number) => ({
      kind: 'capped-loan' as const,
      paths,
      marginCalls: 1 * paths,
      liquidations: 2 * paths,
      closeouts: 3 * paths,
      underwater: 4 * paths,
      calls: 5 * paths,
      callAmount: 0.25 * paths,
      sellers: 6 * paths,
      soldAmount: 0.5 * paths,
      callSquares: 7 * paths,
      callAmountSquares: 0.125 * paths,
      callProducts: 0.375 * paths,
      soldAmountSquares: 0.625 * paths,
      repaid: 8 * paths,
      recalled: 9 * paths,
      unfinished: 10 * paths,
      worstCcr,
    });
    expect(mergeOutcomes([part(1, 2), part(10, 0.5), part(100, 1)])).toEqual(part(111, 0.5));
  });

  it('of an origination scan are sums per candidate, with the lowest ratio', () => {
    const part = (paths: number, counts: number[], worstRatio: number) => ({
      kind: 'origination' as const,
      paths,
      counts: Float64Array.from(counts),
      worstRatio,
    });
    expect(mergeOutcomes([part(8, [1, 2, 3], 0.5), part(4, [10, 20, 30], 0.25)])).toEqual(
      part(12, [11, 22, 33], 0.25),
    );
  });

  it('of a perpetual are sums of counts, with columns end to end', () => {
    const part = (paths: number, first: number) => {
      const column = (offset: number) => Float64Array.from({ length: paths }, (_, p) => first + p + offset);
      return {
        kind: 'perpetual' as const,
        paths,
        marginCalls: 2 * paths,
        liquidations: paths,
        finalEquity: column(0.25),
        accumulatedFunding: column(0.5),
        maxEquityDrawdown: column(0.75),
        medianLeverage: column(0),
      };
    };
    expect(mergeOutcomes([part(2, 0), part(1, 2), part(3, 3)])).toEqual(part(6, 0));
  });
});

it('Counts above 0 are sent with their places, and are the same counts again', () => {
  const counts = Uint32Array.of(4, 1, 2, 0, 1, 0);
  const outcome = { kind: 'origination', paths: 1, counts: Float64Array.of(1), worstRatio: 1 } as const;
  const sent = withSharedCounts([outcome, outcome], counts);
  expect(sent.counts).toEqual({
    length: 6,
    places: Uint32Array.of(0, 1, 2, 4),
    counts: Uint32Array.of(4, 1, 2, 1),
  });
  const [first, second] = outcomesOf([sent]);
  expect(first).toEqual({ ...outcome, distribution: Float64Array.from(counts) });
  expect(second).toBe(outcome);
  const none = withSharedCounts([outcome], undefined);
  expect(none.counts).toBeUndefined();
  expect(outcomesOf([none])).toEqual([outcome]);
  expect(withSharedCounts([outcome], new Uint32Array(3)).counts?.places).toHaveLength(0);
});

it('The counts of all answers are added in one list, which the first outcome has', () => {
  const outcome = { kind: 'origination', paths: 1, counts: Float64Array.of(1), worstRatio: 1 } as const;
  const answers = [Uint32Array.of(4, 0, 2), Uint32Array.of(0, 0, 1), Uint32Array.of(1, 3, 0)].map(counts =>
    withSharedCounts([outcome, outcome], counts),
  );
  expect(outcomesOf(answers)).toEqual([
    { ...outcome, distribution: Float64Array.of(5, 3, 3) },
    ...Array(5).fill(outcome),
  ]);
});
