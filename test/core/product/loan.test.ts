/** Loans on the paths of the reference against the rules, and their sums. */

import { describe, expect, it } from 'vitest';
import { loanOfPlan } from '#src/core/rules/loan.js';
import { endSums, flagCounts, flagsOf, sum } from '../../support/flags.ts';
import { runHere, traceHere } from '../../support/in-process.ts';
import { type ModelKind, randomLoanPlan } from '../../support/random-plans.ts';

const MODELS: readonly ModelKind[] = ['gbm', 'garch', 'historical'];
const PATHS = 40;
const CASES = Array.from({ length: 12 }, (_, i) => i + 1);

describe.each(MODELS)('Loans under %s', model => {
  it.each(CASES)('have the figures of the rules for loan %i', seed => {
    const plan = randomLoanPlan(seed, model, PATHS);
    const records = traceHere(plan);
    const { nominalRatio } = plan.product;
    for (let p = 0; p < PATHS; p++) {
      const plain = loanOfPlan(plan, p);
      const inputs = `case ${seed}, path ${p}, ${JSON.stringify(plan.product)}`;
      expect(records.flags[p], inputs).toBe(flagsOf(plain));
      expect(records.endStep[p], inputs).toBe(plain.endStep);
      expect(nominalRatio * records.minimumRatio[p], inputs).toBeCloseTo(plain.worstCcr, 10);
      expect(Math.max(0, 1 - nominalRatio * records.finalRatio[p]), inputs).toBeCloseTo(plain.loss, 10);
    }
  });

  it('have the sums of their records', () => {
    for (const seed of CASES) {
      const plan = randomLoanPlan(seed, model, 200);
      const [outcome, records] = [runHere(plan), traceHere(plan)];
      const { nominalRatio } = plan.product;
      const losses = records.finalRatio.map(ratio => Math.max(0, 1 - nominalRatio * ratio));
      expect(outcome).toMatchObject({
        kind: 'loan',
        paths: 200,
        ...flagCounts(records),
        ...endSums(plan.product, records),
        losses: losses.filter(loss => loss > 0).length,
      });
      expect(outcome.loss).toBeCloseTo(sum(losses), 10);
      expect(outcome.lossSquares).toBeCloseTo(sum(losses.map(loss => loss ** 2)), 10);
      expect(outcome.worstCcr).toBeCloseTo(nominalRatio * Math.min(...records.minimumRatio), 12);
    }
  });
});
