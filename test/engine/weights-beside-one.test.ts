/**
 * A pair whose weights are not exactly 1: validation takes sums of weights within 1e-6 of it, and every engine must follow
 * such a pair in the same domain.
 */
import { describe, expect, it } from 'vitest';
import type { PathRecords } from '#src/core/engine.js';
import type { CappedLoanProduct, LoanProduct, SimulationPlan } from '#src/core/plan/simulation-plan.js';
import { engineCases, engineForTests, SINGLE_ENGINES } from '../support/engines.ts';
import { logRatioTolerance, nearestThreshold } from '../support/parity.ts';
import { loanPlan } from '../support/shader-plans.ts';
import { sharedReference } from '../support/threads.ts';

const reference = sharedReference(2);

const PATHS = 20_000;

/** A pair of 150 hours with these weights, whose ratio crosses every threshold on many paths. */
function pairPlan(model: 'gbm' | 'garch', collateral: number, loan: number): SimulationPlan<LoanProduct> {
  const plan = loanPlan({ model, assets: 2, paths: PATHS, steps: 150 });
  const portfolio = {
    collateralWeights: Float64Array.of(collateral, 0),
    loanWeights: Float64Array.of(0, loan),
  };
  return { ...plan, product: { ...plan.product, portfolio } };
}

const WEIGHTS = [
  [0.9999995, 1],
  [1, 1.0000005],
  [1.0000009, 0.9999993],
] as const;
const BOUND = logRatioTolerance(0.1, 150);
/** Amounts are shares of the loan; a path's amounts add up at most some dozens of sales. */
const AMOUNT_BOUND = 1e-4;
/** Paths of 20,000 that may come within BOUND of one of four thresholds at one of 150 steps and go the other way. */
const MAX_EXPLAINED = 2;

type Loan = SimulationPlan<LoanProduct> | SimulationPlan<CappedLoanProduct>;

/** Compares the paths: a different one was within rounding of a threshold. */
function expectSamePaths(plan: Loan, other: PathRecords, records: PathRecords) {
  const distance = (field: string, p: number) => {
    if (field === 'flags' || field === 'endStep') return other[field][p] === records[field][p] ? 0 : 1;
    if (field.endsWith('Ratio')) return Math.abs(Math.log(other[field][p] / records[field][p])) / BOUND;
    return Math.abs(other[field][p] - records[field][p]) / AMOUNT_BOUND;
  };
  const fields = Object.keys(records);
  const differing = [...records.flags.keys()].filter(p => fields.some(field => distance(field, p) >= 1));
  for (const p of differing) {
    const nearest = nearestThreshold(plan as SimulationPlan<LoanProduct | CappedLoanProduct>, p);
    const found = fields.map(field => `${field} ${other[field][p]} for ${records[field][p]}`).join(', ');
    expect(nearest, `path ${p}, ${found}`).toBeLessThan(BOUND);
  }
  expect(differing.length, `paths ${differing.join(', ')}`).toBeLessThanOrEqual(MAX_EXPLAINED);
}

for (const { engine, model } of engineCases(SINGLE_ENGINES, 'loan', ['gbm', 'garch']))
  describe(`under ${model} on ${engine.name}`, { tags: engine.tags }, () => {
    const single = engineForTests(engine);

    for (const [i, [collateral, loan]] of WEIGHTS.entries()) {
      const plan = pairPlan(model, collateral, loan);

      // The short suite asks one pair.
      const tags = i === 0 ? [] : ['slow'];
      it(`a pair with weights ${collateral} and ${loan} is the loan of the reference`, { tags }, async () => {
        const [other, records] = await Promise.all([single.trace(plan), reference.trace(plan)]);
        for (const flag of [1, 2, 4, 8]) {
          expect(records.flags.filter(flags => flags & flag).length, `flag ${flag}`).toBeGreaterThan(100);
        }
        expectSamePaths(plan, other, records);
      });

      if (engine.has('capped-loan', model))
        it(`a pair with weights ${collateral} and ${loan} sells the amounts of the reference`, {
          tags: ['slow'],
        }, async () => {
          const capped: SimulationPlan<CappedLoanProduct> = {
            ...plan,
            product: { ...plan.product, kind: 'capped-loan', capacityPerStep: 0.02 },
          };
          const [other, records] = await Promise.all([single.trace(capped), reference.trace(capped)]);
          expectSamePaths(capped, other, records);
        });
    }
  });
