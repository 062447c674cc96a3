import { describe, expect, it } from 'vitest';
import type { DispatchOptions } from '#src/core/gpu/session.js';
import { PERPETUAL } from '#src/core/plan/product/perpetual.js';
import type { SimulationPlan } from '#src/core/plan/simulation-plan.js';
import { expectSameInSlices, expectStopOnAbort, openTestGpuEngine } from '../support/gpu.ts';
import { loanPlan } from '../support/shader-plans.ts';

/** Splits of the same run: as on a GPU, paths, days of steps (state saved and restored), days of some paths, and values of some paths. */
const DISPATCHES: readonly DispatchOptions[] = [
  { workgroupSize: 128, parallelPaths: 1 << 18, sliceMilliseconds: 10 },
  { maxPaths: 100 },
  { sliceMilliseconds: 1e-6, parallelPaths: 1 << 20 },
  { sliceMilliseconds: 1e-6, maxPaths: 96, parallelPaths: 96 },
  { valueBytes: 4 * 66 * 100 },
];

/** A loan that begins called, whose debt grows; it is called below 1.17 and liquidated below 1.145. */
const UNDER_WAY = {
  nominalRatio: 1.16,
  debtGrowth: 1.05,
  start: { status: 'called', deadlineStep: 30 },
} as const;
const ANSWERS = { share: 0.8, delaySteps: 2, startStep: 26, toRatio: 1.3, nameHigh: 3, nameLow: 4 };

describe('a run', () => {
  for (const model of ['gbm', 'garch'] as const) {
    for (const assets of [1, 2, 4]) {
      const tags = model === 'gbm' && assets === 2 ? [] : ['slow'];
      it(`of ${model} with ${assets} assets does not depend on its split`, { tags }, async () => {
        for (const steps of [1, 3, 24, 49, 122]) {
          const plan = loanPlan({ model, assets, paths: 333, steps });
          await expectSameInSlices(DISPATCHES, async engine => [
            await engine.run(plan),
            await engine.trace(plan),
          ]);
        }
      });
    }
  }

  for (const kind of ['loan', 'loan under way', 'capped-loan', 'capped loan under way', 'perpetual'] as const)
    for (const [model, assets] of [
      ['gbm', 2],
      ['garch', 3],
    ] as const)
      it(`of ${model} that counts a ${kind} does not depend on its split`, {
        tags: ['slow'],
      }, async () => {
        const whole = await openTestGpuEngine();
        for (const steps of [3, 49, 122]) {
          const { product, ...rest } = loanPlan({ model, assets, paths: 333, steps });
          const capped = { ...product, kind: 'capped-loan' as const, capacityPerStep: 0.02 };
          const products = {
            loan: product,
            'loan under way': { ...product, ...UNDER_WAY, answers: ANSWERS },
            'capped-loan': capped,
            'capped loan under way': { ...capped, ...UNDER_WAY },
            perpetual: { ...PERPETUAL.usual.terms(1)[0], settlements: new Uint32Array(steps), steps },
          };
          const plan: SimulationPlan = {
            ...rest,
            product: products[kind],
            distribution: { daySteps: 24 },
          };
          const outcome = await whole.run(plan);
          expect('distribution' in outcome && outcome.distribution).toBeInstanceOf(Float64Array);
          await expectSameInSlices(DISPATCHES, engine => engine.run(plan));
        }
      });

  it('of fewer paths is the beginning of a run of more', async () => {
    const engine = await openTestGpuEngine();
    const few = await engine.trace(loanPlan({ model: 'gbm', assets: 3, paths: 100, steps: 30 }));
    const many = await engine.trace(loanPlan({ model: 'gbm', assets: 3, paths: 300, steps: 30 }));
    for (const [field, values] of Object.entries(few)) {
      expect(many[field].subarray(0, 100), field).toEqual(values);
    }
  });

  it('has the sums of its records', { tags: ['slow'] }, async () => {
    const engine = await openTestGpuEngine();
    const plan = loanPlan({ model: 'garch', assets: 4, paths: 2000, steps: 480 });
    const outcome = await engine.run(plan);
    const { flags, endStep, minimumRatio, finalRatio } = await engine.trace(plan);
    const count = (flag: number) => flags.filter(value => (value & flag) !== 0).length;
    expect(outcome).toMatchObject({
      marginCalls: count(1),
      liquidations: count(2),
      closeouts: count(4),
      underwater: count(8),
      openSteps: endStep.reduce((sum, step) => sum + step, 0),
    });
    // Every state occurs, or the equalities above would be trivial.
    for (const flag of [1, 2, 4, 8]) expect(count(flag)).toBeGreaterThan(20);
    const { nominalRatio } = plan.product;
    expect(outcome.worstCcr).toBe(nominalRatio * minimumRatio.reduce((a, b) => Math.min(a, b)));
    const loss = finalRatio.reduce((sum, ratio) => sum + Math.max(0, 1 - nominalRatio * ratio), 0);
    // Per path half a unit of 2^-23, and a rounding of N r in single precision.
    expect(Math.abs(outcome.loss - loss)).toBeLessThan(2000 * 2 ** -23);
  });

  it('stops on an abort', async () => {
    // Hours on a software device, and seconds on any.
    const large = loanPlan({ model: 'gbm', assets: 2, paths: 100_000_000, steps: 8760 });
    const small = loanPlan({ model: 'gbm', assets: 2, paths: 32, steps: 24 });
    await expectStopOnAbort(large, small, { sliceMilliseconds: 1, parallelPaths: 32 });
  });
});
