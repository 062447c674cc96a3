/**
 * Capped sales of loans under way on every engine: interest, a start below M or L, and answered calls, which a GPU
 * refuses.
 */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '#src/core/engine.js';
import { gpuSupports } from '#src/core/gpu/gpu-engine.js';
import type { CappedLoanProduct, SimulationPlan } from '#src/core/plan/simulation-plan.js';
import { cappedLoanOfPlan } from '#src/core/rules/capped-loan.js';
import { byDay, HOURLY, loanRatioFaults, loanSections, shownCappedLoan } from '../support/distribution.ts';
import { ENGINES, inParts } from '../support/engines.ts';
import { flagCounts, flagsOf, sum } from '../support/flags.ts';
import { randomCappedPlan, randomCappedUnderWayPlan } from '../support/random-plans.ts';
import { sharedReference } from '../support/threads.ts';

type Plan = SimulationPlan<CappedLoanProduct>;

const PATHS = 25;
const plainPaths = (plan: Plan) => Array.from({ length: plan.paths }, (_, p) => cappedLoanOfPlan(plan, p));
/** A plan that a GPU runs: one without answers. */
const unanswered = ({ product: { answers: _, ...product }, ...plan }: Plan): Plan => ({ ...plan, product });

for (const testEngine of ENGINES) {
  const { name, open } = testEngine;
  describe.each(['gbm', 'garch'] as const)(`Capped sales of loans under way on ${name}, under %s`, model => {
    let engine: Engine;
    beforeAll(async () => {
      engine = await open();
    });
    afterAll(() => engine.close());
    const exact = name === 'reference';
    const nearness = exact ? 1e-9 : 3e-4;
    const seeds =
      name === 'gpu' ? [101, 102, 103, 105, 106, 107] : Array.from({ length: 24 }, (_, i) => i + 1);
    const planOf = (seed: number) => {
      const plan = randomCappedUnderWayPlan(seed, model, PATHS);
      return name === 'gpu' ? unanswered(plan) : plan;
    };

    for (const { part, tags, some } of inParts(testEngine, seeds, 3))
      it(`have the figures of the rules ${part}`, { tags }, async () => {
        let differing = 0;
        let answered = 0;
        for (const seed of some) {
          const plan = planOf(seed);
          const records = await engine.trace(plan);
          for (const [p, plain] of plainPaths(plan).entries()) {
            answered += plain.topUps;
            const isNear = (got: number, wanted: number) =>
              Math.abs(got - wanted) <= nearness * Math.max(1, wanted);
            const same =
              records.flags[p] === flagsOf(plain) &&
              isNear(records.worstCcr[p], plain.worstCcr) &&
              isNear(records.soldAmount[p], plain.sold) &&
              isNear(records.callAmount[p], sum(plain.callAmounts)) &&
              (plan.product.answers === undefined || isNear(records.topUpAmount[p], plain.added));
            if (exact) expect(same, JSON.stringify({ seed, p, ...plan.product, plain })).toBe(true);
            differing += Number(!same);
          }
        }
        expect(differing).toBeLessThanOrEqual(exact ? 0 : 1);
        if (name !== 'gpu') expect(answered).toBeGreaterThan((30 * some.length) / seeds.length);
      });

    for (const { part, tags, some } of inParts(testEngine, seeds.slice(0, 12), 7))
      it(`have the sums of their records ${part}`, { tags }, async () => {
        for (const seed of some) {
          const plan = planOf(seed);
          const [outcome, records] = await Promise.all([engine.run(plan), engine.trace(plan)]);
          const inputs = JSON.stringify({ seed, ...plan.product });
          expect(outcome, inputs).toMatchObject(flagCounts(records));
          const { length: unfinished } = plainPaths(plan).filter(path => path.unfinished);
          expect(Math.abs(outcome.unfinished - unfinished), inputs).toBeLessThanOrEqual(exact ? 0 : 1);
          expect(outcome.soldAmount, inputs).toBeCloseTo(sum(records.soldAmount), 3);
          expect(outcome.callAmount, inputs).toBeCloseTo(sum(records.callAmount), 3);
          if (plan.product.answers === undefined) continue;
          expect(outcome.topUps, inputs).toBe(records.topUpAmount.filter(amount => amount > 0).length);
          expect(outcome.topUpAmount, inputs).toBeCloseTo(sum(records.topUpAmount), 6);
          expect(outcome.topUpAmountSquares, inputs).toBeCloseTo(
            sum(records.topUpAmount.map(amount => amount ** 2)),
            6,
          );
        }
      });

    for (const { part, tags, some } of inParts(testEngine, seeds.slice(0, 12), 7))
      it(`count the distribution of the rules ${part}`, { tags }, async () => {
        for (const seed of some) {
          const plan = { ...planOf(seed), distribution: HOURLY };
          const { distribution = new Float64Array(0) } = await engine.run(plan);
          const paths = plainPaths(plan);
          const { steps } = plan.product;
          const inputs = JSON.stringify({ seed, ...plan.product });
          const shown = paths.map(shownCappedLoan);
          expect(loanRatioFaults(distribution, shown, steps, HOURLY, exact ? 1e-9 : 2e-4), inputs).toEqual(
            [],
          );
          const { events } = loanSections(distribution, steps, HOURLY);
          for (const event of ['call', 'liquidation', 'closeout'] as const) {
            const wanted = byDay(
              paths.map(path => path[`${event}Step`]),
              steps,
              HOURLY,
            );
            const moved = sum(wanted.map((n, day) => Math.abs(n - events[event][day])));
            expect(moved, `${event}; ${inputs}`).toBeLessThanOrEqual(exact ? 0 : 2);
          }
        }
      });

    for (const { part, tags, some } of inParts(testEngine, seeds.slice(0, 3), 3))
      it(`have the bits of sales without answers when no call is answered, ${part}`, {
        tags,
      }, async () => {
        if (name === 'gpu') return;
        for (const seed of some) {
          const plan = { ...randomCappedPlan(seed, model, PATHS), distribution: HOURLY };
          const answers = { share: 0, delaySteps: 1, startStep: 0, toRatio: 50, nameHigh: 1, nameLow: 2 };
          const none = { topUps: 0, topUpAmount: 0, topUpAmountSquares: 0 };
          const got = await engine.run({ ...plan, product: { ...plan.product, answers } });
          expect(got).toEqual({ ...(await engine.run(plan)), ...none });
        }
      });
  });
}

it('Capped sales with answered calls are refused on a GPU', () => {
  const seeds = Array.from({ length: 24 }, (_, i) => i + 1);
  const plans = seeds.map(seed => randomCappedUnderWayPlan(seed, 'gbm', 1));
  const answered = plans.filter(({ product }) => product.answers !== undefined);
  expect(answered.length).toBeGreaterThan(5);
  expect(answered.some(gpuSupports)).toBe(false);
  expect(plans.map(unanswered).every(gpuSupports)).toBe(true);
});

/** @param ofLiquidation the CCR at the start, as a fraction of L */
function liquidatedAtStart(paths: number, ofLiquidation: number, capacityPerStep: number): Plan {
  const { product, ...plan } = randomCappedPlan(3, 'gbm', paths);
  const nominalRatio = ofLiquidation * product.liquidationRatio;
  const start = { status: 'liquidated', deadlineStep: 1 } as const;
  return { ...plan, product: { ...product, capacityPerStep, nominalRatio, start } };
}

it('A loan that is liquidated at the start sells from step 0 on', async () => {
  const reference = sharedReference(1);
  const plan = liquidatedAtStart(20, 0.9, 10);
  const records = await reference.trace(plan);
  const sold = Math.min(1, plan.product.nominalRatio);
  for (const amount of records.soldAmount) expect(amount).toBeCloseTo(sold, 12);
});

describe.each(ENGINES)('Sales that begin together and do not end, on $name', ({ open, tags }) => {
  it('are counted from the start, and from the deadline of a call that is open there', { tags }, async () => {
    const liquidated = liquidatedAtStart(30, 0.9, 1e-5);
    const { liquidationRatio, marginCallRatio, steps } = liquidated.product;
    const called = (deadlineStep: number): Plan => {
      const nominalRatio = (liquidationRatio + marginCallRatio) / 2;
      const start = { status: 'called', deadlineStep } as const;
      return { ...liquidated, product: { ...liquidated.product, nominalRatio, recoveryRatio: 90, start } };
    };
    const engine = await open();
    const unfinished = async (plan: Plan) => (await engine.run(plan)).unfinished;
    expect(await unfinished(liquidated)).toBe(30);
    expect(await unfinished(called(1))).toBe(30);
    expect(await unfinished(called(steps + 1))).toBe(0);
    // A repaid debt, a sale without capacity, and sales that begin at steps of their own.
    expect(await unfinished(liquidatedAtStart(30, 0.9, 10))).toBe(0);
    expect(await unfinished(liquidatedAtStart(30, 0.9, 0))).toBe(0);
    const { start: _, ...product } = called(1).product;
    expect(await unfinished({ ...liquidated, product })).toBe(0);
    await engine.close();
  });
});

describe.each(ENGINES)('A loan that is liquidated just below L at the start, on $name', ({ open, tags }) => {
  it('continues its sale when the ratio recovers in the first step', { tags }, async () => {
    const plan = liquidatedAtStart(40, 0.9999, 0.01);
    const engine = await open();
    const [got, wanted] = await Promise.all([engine.trace(plan), sharedReference(1).trace(plan)]);
    await engine.close();
    expect(got.soldAmount.length).toBe(plan.paths);
    for (const [p, amount] of wanted.soldAmount.entries()) {
      expect(got.soldAmount[p], `path ${p}`).toBeCloseTo(amount, 4);
      expect(got.flags[p], `path ${p}`).toBe(wanted.flags[p]);
    }
    expect(Math.min(...wanted.soldAmount)).toBeGreaterThan(0.01);
  });
});
