/**
 * Origination scans on every engine in single precision: against the loans of the same engine exactly, against the reference
 * within rounding.
 */
import { describe, expect, it } from 'vitest';
import type { LoanProduct, OriginationProduct, SimulationPlan } from '#src/core/plan/simulation-plan.js';
import { engineCases, engineForTests, inParts, SINGLE_ENGINES } from '../support/engines.ts';
import { expectSameInSlices } from '../support/gpu.ts';
import { randomLoanPlan } from '../support/random-plans.ts';
import { sharedReference } from '../support/threads.ts';

const reference = sharedReference(2);

const SCORES: readonly OriginationProduct['score'][] = ['path-minimum', 'liquidation', 'closeout'];

/**
 * How much each engine is asked, and at most how many candidates may differ by a path within rounding. Counts that are equal take
 * fewer paths: `exactPaths`.
 */
const SIZES = {
  reference: { paths: 0, exactPaths: 0, candidates: 0, exactSeeds: [], seeds: [], mostDiffering: 0 },
  simd: {
    paths: 4000,
    exactPaths: 1000,
    candidates: 300,
    exactSeeds: Array.from({ length: 8 }, (_, i) => 260 + i),
    seeds: [268, 269, 270, 271],
    // Each candidate has its own thresholds, so some candidate meets some path within rounding now and then.
    mostDiffering: 14,
  },
  gpu: {
    paths: 1000,
    exactPaths: 500,
    candidates: 120,
    exactSeeds: [101, 103, 105, 106],
    seeds: [101, 103, 105, 106],
    // 120,000 pairs of path and threshold: one in 1e5 lies within the rounding of a path, some 2e-6 of 0.2.
    mostDiffering: 5,
  },
} as const;
type Size = Readonly<Record<'paths' | 'candidates', number>>;
/** Top-up times of the scans that are compared with loans; the loan's own after these. */
const TOP_UP_STEPS = [0, 1, 6, 27];

function setUp(seed: number, model: 'gbm' | 'garch', { paths, candidates }: Size, grace?: number) {
  const loan = randomLoanPlan(seed, model, paths);
  const { topUpSteps = loan.product.topUpSteps } = { topUpSteps: grace };
  const L = loan.product.liquidationRatio;
  const spacing = 0.36 / candidates;
  const ratios = Float64Array.from({ length: candidates }, (_, k) => L * (1.0005 + spacing * k));
  const M = (n: number) => (L + n) / 2;
  const scan = (score: OriginationProduct['score']): SimulationPlan<OriginationProduct> => ({
    ...loan,
    product: {
      kind: 'origination',
      portfolio: loan.product.portfolio,
      steps: loan.product.steps,
      topUpSteps,
      score,
      liquidationThreshold: ratios.map(n => (score === 'path-minimum' ? M(n) : L) / n),
      marginCallThreshold: score === 'path-minimum' ? new Float64Array(0) : ratios.map(n => M(n) / n),
    },
  });
  const loanAt = (k: number): SimulationPlan<LoanProduct> => ({
    ...loan,
    product: {
      ...loan.product,
      topUpSteps,
      nominalRatio: ratios[k],
      marginCallRatio: M(ratios[k]),
      liquidationRatio: L,
      recoveryRatio: ratios[k],
    },
  });
  return { scan, loanAt, told: JSON.stringify({ seed, model, topUpSteps, steps: loan.product.steps }) };
}

for (const { engine, model } of engineCases(SINGLE_ENGINES, 'origination', ['gbm', 'garch'])) {
  describe(`an origination scan under ${model} on ${engine.name}`, { tags: engine.tags }, () => {
    const size = SIZES[engine.name];
    const single = engineForTests(engine);

    for (const { part, tags, some } of inParts(engine, [...size.exactSeeds.entries()]))
      it(`counts exactly the events of the loan of each candidate, ${part}`, { tags }, async () => {
        for (const [i, seed] of some) {
          const { scan, loanAt, told } = setUp(
            seed,
            model,
            { ...size, paths: size.exactPaths },
            TOP_UP_STEPS[i],
          );
          const [minimum, liquidation, closeout] = [
            await single.run(scan('path-minimum')),
            await single.run(scan('liquidation')),
            await single.run(scan('closeout')),
          ];
          for (const k of [0, 3, 17, 60, size.candidates >> 1, size.candidates - 1]) {
            const loan = await single.run(loanAt(k));
            const counts = [minimum.counts[k], liquidation.counts[k], closeout.counts[k]];
            const loans = [loan.marginCalls, loan.liquidations, loan.closeouts];
            expect(counts, `candidate ${k}; ${told}`).toEqual(loans);
          }
        }
      });

    for (const { part, tags, some } of inParts(engine, size.seeds))
      it(`has the counts of the reference, except for one or two paths within rounding, ${part}`, {
        tags,
      }, async () => {
        for (const seed of some) {
          const { scan, told } = setUp(seed, model, size, engine.name === 'gpu' ? 13 : undefined);
          for (const score of SCORES) {
            const [got, wanted] = [await single.run(scan(score)), await reference.run(scan(score))];
            const differences = got.counts.map((count, k) => Math.abs(count - wanted.counts[k]));
            expect(Math.max(...differences), `${score}; ${told}`).toBeLessThanOrEqual(2);
            const differing = differences.filter(d => d > 0).length;
            expect(differing, `${score}; ${told}`).toBeLessThanOrEqual(size.mostDiffering);
            expect(Math.abs(Math.log(got.worstRatio / wanted.worstRatio)), told).toBeLessThan(1e-5);
          }
        }
      });
  });
}

describe('an origination scan on the GPU in slices', { tags: ['slow'] }, () => {
  const cases = [
    ...SCORES.map(score => ({ model: 'gbm' as const, score })),
    { model: 'garch' as const, score: 'closeout' as const },
  ];
  it.each(cases)(
    'has the same outcome for any workgroup, block of paths and time slice ($model, $score)',
    async ({ model, score }) => {
      const { scan } = setUp(103, model, SIZES.gpu, 26);
      const plan = { ...scan(score), paths: 200 };
      const dispatches = [
        { workgroupSize: 32, maxPaths: 150 },
        { workgroupSize: 64, parallelPaths: 1, sliceMilliseconds: 0.01 },
      ];
      await expectSameInSlices(dispatches, engine => engine.run(plan));
    },
  );
});
