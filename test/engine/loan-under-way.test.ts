/** Loans under way on every engine: interest, a call that is open at the start, answered calls. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Engine, LoanOutcome, PathRecords } from '#src/core/engine.js';
import type { LoanProduct, SimulationPlan } from '#src/core/plan/simulation-plan.js';
import { loanOfPlan, loanTermsOf } from '#src/core/rules/loan.js';
import { withAssetThresholds } from '../support/any-terms.ts';
import { HOURLY, loanSections } from '../support/distribution.ts';
import { engineCases, inParts, SINGLE_ENGINES } from '../support/engines.ts';
import { endSums, flagCounts, sum } from '../support/flags.ts';
import { differingFlags, largestDifference, logRatioTolerance, nearestRatio } from '../support/parity.ts';
import { Dice, randomLoanPlan, randomUnderWayPlan } from '../support/random-plans.ts';
import { sharedReference } from '../support/threads.ts';

type Plan = SimulationPlan<LoanProduct>;

const reference = sharedReference(2);

/** How near a path comes to a threshold that decides on it. */
function nearest(plan: Plan, path: number): number {
  const { M, L, R } = loanTermsOf(plan.product);
  const { ccr, health, untouched } = loanOfPlan(plan, path);
  const atEnd = nearestRatio(untouched.slice(1), [1]);
  return Math.min(nearestRatio(ccr, [M, L, R]), nearestRatio(health, [1]), atEnd);
}

/** A loan under way; every third of those on baskets with thresholds of liquidation by asset, too. */
function plansOf(seed: number, model: 'gbm' | 'garch', paths: number): readonly Plan[] {
  const plan = randomUnderWayPlan(seed, model, paths);
  const isByAsset = seed % 3 === 0 && plan.scenarios.assets > 2;
  return isByAsset ? [plan, withAssetThresholds(plan, new Dice(seed))] : [plan];
}

const topUpsOf = (plan: Plan, records: PathRecords) =>
  plan.product.answers === undefined ? undefined : (records.topUpAmount as Float64Array);

it('The reference sums the records of loans under way', async () => {
  for (const seed of [1, 2, 3, 4, 5, 6, 7, 8]) {
    const plan = randomUnderWayPlan(seed, 'gbm', 700);
    const [outcome, records] = await Promise.all([reference.run(plan), reference.trace(plan)]);
    expectSums(plan, outcome, records, 1e-9);
  }
});

/** Expects an outcome with the sums of its records. */
function expectSums(plan: Plan, outcome: LoanOutcome, records: PathRecords, nearness: number): void {
  const inputs = JSON.stringify({ seed: plan.seed, ...plan.product });
  const { nominalRatio } = plan.product;
  expect(outcome, inputs).toMatchObject({
    ...flagCounts(records),
    ...endSums(plan.product, records),
  });
  const losses = records.finalRatio.map(ratio => Math.max(0, 1 - nominalRatio * ratio));
  expect(Math.abs(outcome.loss - sum(losses)), inputs).toBeLessThan(nearness * plan.paths);
  const amounts = topUpsOf(plan, records);
  if (amounts === undefined) {
    expect(outcome, inputs).not.toHaveProperty('topUps');
    return;
  }
  expect(outcome.topUps, inputs).toBe(amounts.filter(amount => amount > 0).length);
  expect(Math.abs((outcome.topUpAmount ?? 0) - sum(amounts)), inputs).toBeLessThan(nearness * plan.paths);
  const squares = sum(amounts.map(amount => amount ** 2));
  expect(Math.abs((outcome.topUpAmountSquares ?? 0) - squares), inputs).toBeLessThan(
    nearness * (1 + squares) * plan.paths,
  );
}

for (const { engine, model } of engineCases(SINGLE_ENGINES, 'loan', ['gbm', 'garch'])) {
  describe(`Loans under way under ${model} on ${engine.name}`, { tags: engine.tags }, () => {
    // Pipelines are compiled per number of assets and the software driver is slow: pairs and baskets of six, with many answered calls.
    const seeds =
      engine.name === 'gpu' ? [102, 128, 178, 184, 107] : Array.from({ length: 40 }, (_, i) => 200 + i);
    const paths = engine.name === 'gpu' ? 1000 : 500;
    let single: Engine;
    beforeAll(async () => {
      single = await engine.open();
    });
    afterAll(() => single.close());

    for (const { part, tags, some } of inParts(engine, seeds, 5))
      it(`have the paths of the reference ${part}`, { tags }, async () => {
        let answered = 0;
        for (const plan of some.flatMap(seed => plansOf(seed, model, paths))) {
          const [got, wanted] = await Promise.all([single.trace(plan), reference.trace(plan)]);
          const finals = wanted.finalRatio.map(Math.log);
          const spread = Math.sqrt(sum(finals.map(x => x * x)) / paths);
          // A top-up moves with the price at its step, and so does every ratio after it.
          const bound = 2 * logRatioTolerance(spread, plan.product.steps);
          const inputs = JSON.stringify({ seed: plan.seed, model, spread, ...plan.product });
          for (const field of ['minimumRatio', 'finalRatio'] as const)
            expect(
              largestDifference(got[field], wanted[field], Math.log),
              `${field}; ${inputs}`,
            ).toBeLessThan(bound);
          const flags = differingFlags(got, wanted);
          const ends = [...wanted.endStep.keys()].filter(p => got.endStep[p] !== wanted.endStep[p]);
          const others = new Set([...flags, ...ends]);
          const [gotAmounts, wantedAmounts] = [topUpsOf(plan, got), topUpsOf(plan, wanted)];
          if (gotAmounts !== undefined && wantedAmounts !== undefined)
            for (const [p, amount] of wantedAmounts.entries()) {
              answered += Number(amount > 0);
              if (Math.abs(gotAmounts[p] - amount) > 20 * bound * Math.max(1, amount)) others.add(p);
            }
          for (const path of others)
            expect(nearest(plan, path), `path ${path}; ${inputs}`).toBeLessThan(bound);
          expect(others.size, inputs).toBeLessThanOrEqual(1);
        }
        expect(answered).toBeGreaterThan((300 * some.length) / seeds.length);
      });

    for (const { part, tags, some } of inParts(engine, seeds.slice(0, 9)))
      it(`have the sums of their records ${part}`, { tags }, async () => {
        for (const plan of some.flatMap(seed => plansOf(seed, model, paths))) {
          const [outcome, records] = await Promise.all([single.run(plan), single.trace(plan)]);
          expectSums(plan, outcome, records, 2e-7);
        }
      });

    for (const { part, tags, some } of inParts(engine, seeds.slice(0, 3), 3))
      it(`have the bits of loans without answers when no call is answered, ${part}`, {
        tags,
      }, async () => {
        for (const seed of some) {
          const plan = randomLoanPlan(seed, model, paths);
          const answers = { share: 0, delaySteps: 1, startStep: 0, toRatio: 50, nameHigh: 1, nameLow: 2 };
          const counted = { ...plan, distribution: HOURLY };
          const unanswered = { ...counted, product: { ...plan.product, answers } };
          const none = { topUps: 0, topUpAmount: 0, topUpAmountSquares: 0 };
          expect(await single.run(unanswered)).toEqual({ ...(await single.run(counted)), ...none });
        }
      });

    it('have the same outcome with and without their distribution', async () => {
      for (const plan of seeds.slice(0, 6).flatMap(seed => plansOf(seed, model, paths))) {
        const { distribution, ...outcome } = await single.run({ ...plan, distribution: HOURLY });
        const wanted = await reference.run({ ...plan, distribution: HOURLY });
        expect(outcome).toEqual(await single.run(plan));
        const inputs = JSON.stringify({ seed: plan.seed, ...plan.product });
        const got = loanSections(distribution ?? new Float64Array(0), plan.product.steps, HOURLY).events;
        const { events } = loanSections(
          wanted.distribution ?? new Float64Array(0),
          plan.product.steps,
          HOURLY,
        );
        for (const name of ['call', 'liquidation', 'closeout'] as const)
          expect(
            sum(got[name].map((n, day) => Math.abs(n - events[name][day]))),
            `${name}; ${inputs}`,
          ).toBeLessThanOrEqual(2);
      }
    });
  });
}
