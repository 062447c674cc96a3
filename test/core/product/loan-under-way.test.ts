/** Loans under way on the paths of the reference against the rules: interest, open calls, answered calls. */

import { describe, expect, it } from 'vitest';
import { constantLoan } from '#src/core/plan/constant-debt.js';
import { MODELS } from '#src/core/plan/models.js';
import { LOAN } from '#src/core/plan/product/loan.js';
import type { LoanProduct, SimulationPlan } from '#src/core/plan/simulation-plan.js';
import { loanOfPlan } from '#src/core/rules/loan.js';
import { byDay, HOURLY, loanRatioFaults, loanSections, shownLoan } from '../../support/distribution.ts';
import { noiselessGbm } from '../../support/exact-paths.ts';
import { endSums, flagCounts, flagsOf, sum } from '../../support/flags.ts';
import { runHere, traceHere } from '../../support/in-process.ts';
import { randomUnderWayPlan } from '../../support/random-plans.ts';

type Plan = SimulationPlan<LoanProduct>;

const plainPaths = (plan: Plan) => Array.from({ length: plan.paths }, (_, p) => loanOfPlan(plan, p));

describe.each(['gbm', 'garch', 'historical'] as const)('Loans under way under %s', model => {
  it('have the figures of the rules', () => {
    const seen = { called: 0, liquidated: 0, answered: 0, grown: 0, answeredAtStart: 0 };
    for (let seed = 1; seed <= 24; seed++) {
      const plan = randomUnderWayPlan(seed, model, 25);
      const records = traceHere(plan);
      const { start, answers, debtGrowth, nominalRatio } = plan.product;
      seen.called += Number(start?.status === 'called');
      seen.liquidated += Number(start?.status === 'liquidated');
      seen.grown += Number(debtGrowth !== 1);
      for (const [p, plain] of plainPaths(plan).entries()) {
        const inputs = JSON.stringify({ seed, p, ...plan.product });
        expect(records.flags[p], inputs).toBe(flagsOf(plain));
        expect(records.endStep[p], inputs).toBe(plain.endStep);
        expect(nominalRatio * records.minimumRatio[p], inputs).toBeCloseTo(plain.worstCcr, 10);
        expect(nominalRatio * records.finalRatio[p], inputs).toBeCloseTo(plain.finalCcr, 10);
        if (answers === undefined) continue;
        seen.answered += plain.topUps;
        seen.answeredAtStart += Number(
          start?.status === 'called' && answers.startStep > 0 && plain.topUps > 0,
        );
        expect(records.topUpAmount[p], inputs).toBeCloseTo(plain.added, 10);
      }
    }
    expect(Math.min(...Object.values(seen)), JSON.stringify(seen)).toBeGreaterThan(0);
  });

  it('count the distribution of the rules', () => {
    for (let seed = 1; seed <= 8; seed++) {
      const plan: Plan = { ...randomUnderWayPlan(seed, model, 60), distribution: HOURLY };
      const { distribution = new Float64Array(0) } = runHere(plan);
      const paths = plainPaths(plan);
      const { steps } = plan.product;
      const inputs = JSON.stringify({ seed, ...plan.product });
      expect(loanRatioFaults(distribution, paths.map(shownLoan), steps, HOURLY, 1e-9), inputs).toEqual([]);
      const { events } = loanSections(distribution, steps, HOURLY);
      for (const name of ['call', 'liquidation', 'closeout'] as const) {
        const wanted = byDay(
          paths.map(path => path[`${name}Step`]),
          steps,
          HOURLY,
        );
        expect([...events[name]], `${name}; ${inputs}`).toEqual([...wanted]);
      }
    }
  });

  it('have the sums of their records', () => {
    for (let seed = 1; seed <= 12; seed++) {
      const plan = randomUnderWayPlan(seed, model, 200);
      const [outcome, records] = [runHere(plan), traceHere(plan)];
      const inputs = JSON.stringify({ seed, ...plan.product });
      const { nominalRatio, answers } = plan.product;
      const losses = records.finalRatio.map(ratio => Math.max(0, 1 - nominalRatio * ratio));
      expect(outcome, inputs).toMatchObject({
        ...flagCounts(records),
        ...endSums(plan.product, records),
        losses: losses.filter(loss => loss > 0).length,
      });
      expect(outcome.loss, inputs).toBeCloseTo(sum(losses), 9);
      if (answers === undefined) {
        expect(outcome, inputs).not.toHaveProperty('topUps');
        continue;
      }
      const amounts = records.topUpAmount as Float64Array;
      expect(outcome.topUps, inputs).toBe(amounts.filter(amount => amount > 0).length);
      expect(outcome.topUpAmount, inputs).toBeCloseTo(sum(amounts), 9);
      expect(outcome.topUpAmountSquares, inputs).toBeCloseTo(sum(amounts.map(amount => amount ** 2)), 8);
    }
  });
});

it('A debt of constant value that grows by its interest is answered as any other', () => {
  let answered = 0;
  for (let seed = 1; seed <= 24; seed++) {
    const plan = randomUnderWayPlan(seed, 'gbm', 6);
    const { scenarios, product } = plan;
    const { answers, debtGrowth, portfolio } = product;
    if (scenarios.kind !== 'gbm' || answers === undefined || debtGrowth === undefined || debtGrowth === 1)
      continue;
    const isStill = (i: number) => portfolio.loanWeights[i] > 0;
    const constant: Plan = {
      ...plan,
      scenarios: {
        ...scenarios,
        annualVolatility: scenarios.annualVolatility.map((sigma, i) => (isStill(i) ? 0 : sigma)),
        factor: scenarios.factor.map((f, k) => (isStill(Math.floor(k / scenarios.assets)) ? 0 : f)),
      },
    };
    const { topUpAmount = [] } = traceHere(constant);
    plainPaths(constant).forEach((plain, p) => {
      expect(topUpAmount[p], `seed ${seed}, path ${p}`).toBeCloseTo(plain.added, 10);
      answered += plain.topUps;
    });
  }
  expect(answered).toBeGreaterThan(5);
});

it('A debt is of constant value where none of its assets moves', () => {
  const [product] = LOAN.usual.terms(2);
  const constantAt = (...volatilities: number[]) =>
    constantLoan({ seed: 1, paths: 1, scenarios: noiselessGbm(volatilities), product });
  // The collateral is asset 0, the debt asset 1.
  expect(constantAt(0.5, 0)).toBe(1);
  expect(constantAt(0, 0.5)).toBeUndefined();
  expect(constantLoan({ seed: 1, paths: 1, scenarios: MODELS.historical.usual(2), product })).toBeUndefined();
});
