/** One loan with the terms of real loans, in one run and in parts, against that of the rules. */

import { describe, expect, it } from 'vitest';
import {
  callAtStart,
  followLending,
  type LendingSeries,
  liquidateAtStart,
} from '#src/core/lending/follow-lending.js';
import {
  emptyCourse,
  forget,
  type LendingCourse,
  type LendingState,
  type LendingTerms,
  NO_STEP,
  openState,
  reopen,
} from '#src/core/lending/lending-terms.js';
import { type BookLoanTerms, bookLoanOnPath } from '#src/core/rules/book.js';
import { debtByStep } from '#src/core/rules/loan.js';
import { sum } from '../../support/flags.ts';
import { nearestRatio } from '../../support/parity.ts';
import { Dice } from '../../support/random-plans.ts';

/** Values by step as lists. */
function seriesOf(collateral: readonly number[], debt: readonly number[]): LendingSeries {
  const at = (t: number) => collateral[t] / debt[t];
  const first = (isWanted: (ratio: number) => boolean, from: number, to: number) => {
    for (let t = from; t <= to; t++) if (isWanted(at(t))) return t;
    return to + 1;
  };
  return {
    at,
    collateralAt: t => collateral[t],
    debtAt: t => debt[t],
    firstBelow: (low, from, to) => first(ratio => ratio < low, from, to),
    firstOutside: (low, high, from, to) => first(ratio => ratio < low || ratio >= high, from, to),
  };
}

/** Random terms, a random path, and the draws of its calls. */
function randomCase(seed: number) {
  const dice = new Dice(seed);
  const L = dice.between(0.95, 1.1);
  const M = L + dice.between(0.01, 0.2);
  const R = L + dice.between(0.01, 0.4);
  const start = dice.pick(['none', 'called', 'liquidated'] as const);
  const N = start === 'none' ? M + dice.between(0.01, 0.3) : start === 'called' ? (L + M) / 2 : 0.98 * L;
  const topUpSteps = dice.pick([0, 1, 6, 24]);
  const saleCost = dice.pick([0, 0.05]);
  const above = () => Math.max(M, R, 1.001 / (1 - saleCost)) + dice.between(0.01, 0.3);
  const terms: BookLoanTerms = {
    N,
    M,
    L,
    R,
    topUpSteps,
    steps: 100,
    growth: dice.pick([1, 1.03, 0.97]),
    saleDelay: dice.pick([0, 1, 12]),
    saleCost,
    ...(start !== 'none' && {
      start: { status: start, deadline: Math.max(1, topUpSteps - 3), answer: dice.whole(0, 2) },
    }),
    ...(topUpSteps > 0 &&
      dice.pick([true, false]) && {
        answers: { share: dice.pick([0, 0.5, 1]), delay: Math.min(topUpSteps, 5), to: above() },
      }),
    ...(dice.pick([true, false]) && { partialSale: { to: above(), maxShare: dice.pick([1, 0.5, 0.1]) } }),
  };
  const path = (spread: number) => {
    const prices = [1];
    while (prices.length <= terms.steps + terms.saleDelay)
      prices.push(prices[prices.length - 1] * Math.exp(dice.between(-spread, spread)));
    return prices;
  };
  const draws = Array.from({ length: 60 }, () => dice.between(0, 1));
  return { terms, collateral: path(0.03), loan: path(0.002), draws };
}

function lendingOf(plain: BookLoanTerms): LendingTerms {
  const { N, M, L, R, topUpSteps, steps, saleDelay, saleCost, answers, partialSale } = plain;
  return {
    nominalRatio: N,
    callAt: M / N,
    liquidationAt: L / N,
    recoveryAt: R / N,
    topUpSteps,
    steps,
    saleDelaySteps: saleDelay,
    saleCost,
    answers: answers && { delaySteps: answers.delay, toRatio: answers.to },
    partialSale: partialSale && { toRatio: partialSale.to, maxShare: partialSale.maxShare },
  };
}

/** Follows a loan in runs that end at the steps of `cuts`, with its state through JSON between them. */
function follow({ terms, collateral, loan, draws }: ReturnType<typeof randomCase>, cuts: readonly number[]) {
  const lending = lendingOf(terms);
  const series = seriesOf(collateral, debtByStep(terms, loan, terms.steps));
  const isAnswered = (call: number) => draws[call] < (terms.answers?.share ?? 0);
  let state: LendingState = openState();
  const course: LendingCourse = emptyCourse();
  if (terms.start?.status === 'liquidated') liquidateAtStart(lending, series, state, course);
  if (terms.start?.status === 'called') {
    const { deadline, answer } = terms.start;
    callAtStart(state, deadline, answer > 0 && isAnswered(0) ? answer : NO_STEP, course);
  }
  let from = state.orderStep === 0 ? 0 : 1;
  for (const to of [...cuts, terms.steps + terms.saleDelay]) {
    followLending(lending, series, isAnswered, state, from, to, course);
    state = JSON.parse(JSON.stringify(state)) as LendingState;
    from = to + 1;
  }
  return { state, course };
}

const SEEDS = Array.from({ length: 400 }, (_, i) => i + 1);
const total = (amounts: readonly { readonly units: number }[]) => sum(amounts.map(({ units }) => units));

describe('A loan with the terms of real loans', () => {
  it('has the course of the rules, and neither creates nor loses value', () => {
    const seen = { called: 0, liquidated: 0, closedOut: 0, topUps: 0, parts: 0, losses: 0, repaid: 0 };
    for (const seed of SEEDS) {
      const each = randomCase(seed);
      const { terms, collateral, loan, draws } = each;
      const plain = bookLoanOnPath(terms, collateral, loan, call => draws[call]);
      if (nearestRatio(plain.ccr, [terms.M, terms.L, terms.R]) < 1e-11) continue;
      const { state, course } = follow(each, []);
      const got = {
        called: course.called,
        liquidated: course.liquidated,
        closedOut: course.closedOut,
        endStep: course.endStep === NO_STEP ? terms.steps : course.endStep,
        sales: course.saleSteps,
        topUps: course.topUps,
      };
      expect(got, `case ${seed}`).toEqual({
        called: plain.marginCall,
        liquidated: plain.liquidation,
        closedOut: plain.closeout,
        endStep: plain.endStep,
        sales: plain.sales.map(({ step }) => step),
        topUps: plain.topUps.length,
      });
      expect(course.loss).toBeCloseTo(plain.loss, 12);
      expect(state.ended).toBe(true);
      expect(terms.N * state.collateralFactor).toBeCloseTo(plain.unitsLeft, 12);
      expect(state.debtFactor).toBeCloseTo(plain.debtLeft, 12);
      // Initial and added collateral is sold or left; the initial debt is repaid or left.
      const sold = terms.N * sum(course.saleFactors);
      expect(sold + terms.N * state.collateralFactor).toBeCloseTo(terms.N + total(plain.topUps), 12);
      expect(state.debtFactor + sum(plain.sales.map(sale => sale.repaid))).toBeCloseTo(1, 12);
      seen.called += Number(got.called);
      seen.liquidated += Number(got.liquidated);
      seen.closedOut += Number(got.closedOut);
      seen.topUps += got.topUps;
      seen.parts += Number(got.sales.length > 1);
      seen.losses += Number(course.loss > 0);
      seen.repaid += Number(plain.sales.some(sale => sale.givenBack > 0));
    }
    for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(10);
  });

  it('ends with the sale of a part that repays all of its debt, at the end of the term at the latest', () => {
    const terms: BookLoanTerms = {
      ...{ N: 1.3, M: 1.25, L: 1.2, R: 1.28, topUpSteps: 5, steps: 10, growth: 1, saleDelay: 4, saleCost: 0 },
      partialSale: { to: 50, maxShare: 0.97 },
    };
    const loan = new Array<number>(15).fill(1);
    for (const [fall, endStep] of [
      [3, 7],
      [8, 10],
    ]) {
      // Liquidated at the fall; the price is 5 % higher at the sale.
      const collateral = loan.map((_, t) => (t < fall ? 1 : t < fall + 4 ? 0.9 : 0.945));
      const each = { terms, collateral, loan, draws: [] };
      const { course, state } = follow(each, []);
      const plain = bookLoanOnPath(terms, collateral, loan);
      expect(course).toMatchObject({ endStep, saleSteps: [fall + 4], liquidated: true });
      expect(plain.endStep).toBe(endStep);
      expect(state).toMatchObject({ ended: true, debtFactor: 0 });
      expect(state.collateralFactor).toBeGreaterThan(0);
    }
  });

  it('has the same course in parts, each from the final state of the part before', () => {
    for (const seed of SEEDS) {
      const each = randomCase(seed);
      const whole = follow(each, []);
      for (const cuts of [[1], [37], [99], [100], [20, 21, 60]])
        expect(follow(each, cuts), `case ${seed}, cut at ${cuts.join(', ')}`).toEqual(whole);
    }
  });

  it('has its first state and an empty course again after a reset', () => {
    const { state, course } = follow(randomCase(7), [50]);
    reopen(state);
    forget(course);
    expect(state).toEqual(openState());
    expect(course).toEqual(emptyCourse());
  });
});
