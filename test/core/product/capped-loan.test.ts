/** Capped sales on the paths of the reference against the rules: of plain loans, and of loans under way. */

import { describe, expect, it } from 'vitest';
import { cappedLoanOfPlan } from '#src/core/rules/capped-loan.js';
import { flagCounts, flagsOf, sum } from '../../support/flags.ts';
import { runHere, traceHere } from '../../support/in-process.ts';
import { type ModelKind, randomCappedPlan, randomCappedUnderWayPlan } from '../../support/random-plans.ts';

const MODELS: readonly ModelKind[] = ['gbm', 'garch', 'historical'];
const PATHS = 40;
const CASES = Array.from({ length: 12 }, (_, i) => i + 1);
const squares = (values: Float64Array) => sum(values.map(value => value ** 2));

describe.each(MODELS)('Capped sales under %s', model => {
  it.each(CASES)('have the figures of the rules for loan %i', seed => {
    const plan = randomCappedPlan(seed, model, PATHS);
    const records = traceHere(plan);
    for (let p = 0; p < PATHS; p++) {
      const plain = cappedLoanOfPlan(plan, p);
      const inputs = `case ${seed}, path ${p}, ${JSON.stringify(plan.product)}`;
      expect(records.flags[p], inputs).toBe(flagsOf(plain));
      expect(records.worstCcr[p], inputs).toBeCloseTo(plain.worstCcr, 10);
      expect(records.soldAmount[p], inputs).toBeCloseTo(plain.sold, 10);
      expect(records.callAmount[p], inputs).toBeCloseTo(sum(plain.callAmounts), 10);
    }
  });

  it('have the figures of the rules for loans under way', () => {
    let answered = 0;
    for (const seed of CASES) {
      const plan = randomCappedUnderWayPlan(seed, model, 25);
      const records = traceHere(plan);
      for (let p = 0; p < plan.paths; p++) {
        const plain = cappedLoanOfPlan(plan, p);
        const inputs = JSON.stringify({ seed, p, ...plan.product });
        expect(records.flags[p], inputs).toBe(flagsOf(plain));
        expect(records.worstCcr[p], inputs).toBeCloseTo(plain.worstCcr, 9);
        expect(records.soldAmount[p], inputs).toBeCloseTo(plain.sold, 9);
        expect(records.callAmount[p], inputs).toBeCloseTo(sum(plain.callAmounts), 9);
        if (plan.product.answers !== undefined)
          expect(records.topUpAmount[p], inputs).toBeCloseTo(plain.added, 9);
        answered += plain.topUps;
      }
    }
    expect(answered).toBeGreaterThan(10);
  });

  it('have the sums of their records and of their calls', () => {
    const unfinished = [];
    for (const seed of CASES) {
      const plan = randomCappedUnderWayPlan(seed, model, 60);
      const [outcome, records] = [runHere(plan), traceHere(plan)];
      const inputs = JSON.stringify({ seed, ...plan.product });
      const ends = Array.from({ length: plan.paths }, (_, p) => cappedLoanOfPlan(plan, p));
      const calls = ends.map(({ callAmounts }) => ({ count: callAmounts.length }));
      unfinished.push(ends.filter(end => end.unfinished).length);
      expect(outcome, inputs).toMatchObject({
        kind: 'capped-loan',
        paths: 60,
        ...flagCounts(records),
        calls: sum(calls.map(({ count }) => count)),
        callSquares: sum(calls.map(({ count }) => count ** 2)),
        recalled: calls.filter(({ count }) => count > 1).length,
        unfinished: unfinished.at(-1),
        sellers: records.soldAmount.filter(amount => amount > 0).length,
      });
      expect(outcome.worstCcr, inputs).toBe(Math.min(...records.worstCcr));
      expect(outcome.soldAmount, inputs).toBeCloseTo(sum(records.soldAmount), 9);
      expect(outcome.soldAmountSquares, inputs).toBeCloseTo(squares(records.soldAmount), 9);
      expect(outcome.callAmount, inputs).toBeCloseTo(sum(records.callAmount), 8);
      expect(outcome.callAmountSquares, inputs).toBeCloseTo(squares(records.callAmount), 8);
      expect(outcome.callProducts, inputs).toBeCloseTo(
        sum(calls.map(({ count }, p) => count * records.callAmount[p])),
        8,
      );
      if (plan.product.answers === undefined) continue;
      expect(outcome.topUps, inputs).toBe(records.topUpAmount.filter(amount => amount > 0).length);
      expect(outcome.topUpAmount, inputs).toBeCloseTo(sum(records.topUpAmount), 9);
      expect(outcome.topUpAmountSquares, inputs).toBeCloseTo(squares(records.topUpAmount), 9);
    }
    expect(sum(unfinished)).toBeGreaterThan(10);
  });
});
