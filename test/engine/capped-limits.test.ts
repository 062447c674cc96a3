/**
 * The two limits of a capped sale and the effect of less capacity, path by path on the same paths (methodology part 6).
 */
import { describe, expect, it } from 'vitest';
import { FLAG_LIQUIDATION, FLAG_UNDERWATER } from '#src/core/engine.js';
import type { CappedLoanProduct, LoanProduct, SimulationPlan } from '#src/core/plan/simulation-plan.js';
import { Dice, type ModelKind, randomLoanPlan } from '../support/random-plans.ts';
import { sharedReference } from '../support/threads.ts';

const engine = sharedReference(2);

const MODELS: readonly ModelKind[] = ['gbm', 'garch', 'historical'];
const SEEDS = Array.from({ length: 5 }, (_, i) => 300 + i);
const PATHS = 400;

function withCapacity(
  plan: SimulationPlan<LoanProduct>,
  capacityPerStep: number,
): SimulationPlan<CappedLoanProduct> {
  return { ...plan, product: { ...plan.product, kind: 'capped-loan', capacityPerStep } };
}

describe.each(MODELS)('A capped sale under %s', model => {
  it.each(SEEDS)('has the events of an uncapped loan at unlimited capacity (loan %i)', async seed => {
    const plan = randomLoanPlan(seed, model, PATHS);
    const [loan, capped] = await Promise.all([
      engine.run(plan),
      engine.run(withCapacity(plan, Number.POSITIVE_INFINITY)),
    ]);
    const { marginCalls, liquidations, closeouts } = loan;
    expect(capped, JSON.stringify(plan.product)).toMatchObject({ marginCalls, liquidations, closeouts });
  });

  it.each(SEEDS)('sells nothing and leaves the coverage unchanged at no capacity (loan %i)', async seed => {
    const plan = randomLoanPlan(seed, model, PATHS);
    const [loan, capped] = await Promise.all([engine.run(plan), engine.run(withCapacity(plan, 0))]);
    const { underwater, worstCcr, marginCalls } = loan;
    expect(capped, JSON.stringify(plan.product)).toMatchObject({
      underwater,
      worstCcr,
      marginCalls,
      sellers: 0,
      soldAmount: 0,
    });
  });

  it.each(SEEDS)('never gains from less capacity on any path (loan %i)', async seed => {
    const plan = randomLoanPlan(seed, model, PATHS);
    const dice = new Dice(seed);
    const capacities = [
      0,
      0.0005,
      dice.between(0.001, 0.02),
      dice.between(0.02, 0.3),
      Number.POSITIVE_INFINITY,
    ];
    const traces = await Promise.all(capacities.map(capacity => engine.trace(withCapacity(plan, capacity))));
    const has = (flag: number, trace: (typeof traces)[number], p: number) => (trace.flags[p] & flag) !== 0;
    for (let c = 1; c < traces.length; c++) {
      const [less, more] = [traces[c - 1], traces[c]];
      const gains = (p: number) =>
        (has(FLAG_UNDERWATER, more, p) && !has(FLAG_UNDERWATER, less, p)) ||
        // Equal coverage is computed from different numbers of sales: a few roundings.
        !(less.worstCcr[p] <= more.worstCcr[p] * (1 + 1e-12)) ||
        (plan.product.liquidationRatio >= 1 &&
          has(FLAG_LIQUIDATION, more, p) &&
          !has(FLAG_LIQUIDATION, less, p));
      const inputs = `capacities ${capacities[c - 1]} and ${capacities[c]}, ${JSON.stringify(plan.product)}`;
      expect([...more.flags.keys()].filter(gains), `paths that gain; ${inputs}`).toEqual([]);
    }
  });
});
