/** The rules of a loan at their bounds, step by step: N = 2, M = 1.5, L = 1, R = 1.8, so that calls begin at a ratio of 0.75. */
import { describe, expect, it } from 'vitest';
import { callAtStart, followLending, liquidateAtStart } from '#src/core/lending/follow-lending.js';
import {
  emptyCourse,
  forget,
  type LendingTerms,
  NO_STEP,
  openState,
  reopen,
} from '#src/core/lending/lending-terms.js';
import { HourlySeries } from '#src/core/stress/hourly-series.js';

const TERMS: LendingTerms = {
  nominalRatio: 2,
  callAt: 0.75,
  liquidationAt: 0.5,
  recoveryAt: 0.875,
  topUpSteps: 2,
  steps: 6,
  saleDelaySteps: 0,
  saleCost: 0,
  answers: undefined,
  partialSale: undefined,
};

/** A collateral of these ratios from step 1 on, the last of them to the end, against a debt of 1. */
function seriesOf(ratios: readonly number[]): HourlySeries {
  const prices = Float64Array.from({ length: 20 }, (_, t) =>
    t === 0 ? 1 : (ratios[t - 1] ?? ratios.at(-1) ?? 1),
  );
  const series = new HourlySeries([prices, new Float64Array(20).fill(1)]);
  series.turnTo(Float64Array.of(1, 0), Float64Array.of(0, 1), 0);
  return series;
}

function follow(
  ratios: readonly number[],
  changes: Partial<LendingTerms> = {},
  answered: readonly number[] = [],
) {
  const terms = { ...TERMS, ...changes };
  const [state, course] = [openState(), emptyCourse()];
  const calls: number[] = [];
  const isAnswered = (call: number) => {
    calls.push(call);
    return answered.includes(call);
  };
  followLending(terms, seriesOf(ratios), isAnswered, state, 1, terms.steps + terms.saleDelaySteps, course);
  return { state, course, calls };
}

describe('A loan', () => {
  it('is called below M, not at it', () => {
    expect(follow([0.75]).course).toEqual(emptyCourse());
    const { course, state } = follow([0.75, 0.74, 0.75, 0.9]);
    expect(course).toEqual({ ...emptyCourse(), called: true });
    expect(state).toMatchObject({ ended: true, calls: 1, deadlineStep: NO_STEP });
  });

  it('is liquidated below L, not at it', () => {
    expect(follow([0.7, 0.5, 0.9]).course).toMatchObject({
      called: true,
      liquidated: false,
      closedOut: false,
    });
    // Nor in the step of its call.
    expect(follow([0.5, 0.9]).course).toMatchObject({ called: true, liquidated: false });
    // What is worth its debt leaves no loss.
    expect(follow([0.9, 0.5], { liquidationAt: 0.625 }).course).toMatchObject({
      liquidated: true,
      loss: 0,
      lossStep: NO_STEP,
    });
    const { course, state } = follow([0.9, 0.25]);
    expect(course).toEqual({
      ...emptyCourse(),
      called: true,
      liquidated: true,
      eventStep: 2,
      endStep: 2,
      saleSteps: [2],
      saleFactors: [1],
      loss: 0.5,
      lossStep: 2,
      lossCollateral: 1,
      lossDebt: 1,
    });
    expect(state).toMatchObject({ ended: true, collateralFactor: 0, debtFactor: 0.5 });
  });

  it('is cured at R, also at the deadline, and closed out there below it', () => {
    expect(follow([0.7, 0.7, 0.875, 0.9]).course).toMatchObject({ called: true, closedOut: false });
    const { course } = follow([0.7, 0.7, 0.874, 0.9]);
    expect(course).toMatchObject({ closedOut: true, endStep: 3, saleSteps: [3], loss: 0, lossStep: NO_STEP });
    // With R below M it may be called again in the step of its cure, below M alone.
    expect(follow([0.6, 0.75, 0.9], { recoveryAt: 0.7 }).state.calls).toBe(1);
    expect(follow([0.6, 0.74, 0.9], { recoveryAt: 0.7 }).state.calls).toBe(2);
    // After a cure it can be called again, with a deadline of its own.
    const again = follow([0.7, 0.875, 0.7, 0.7, 0.7, 0.7]);
    expect(again.state.calls).toBe(2);
    expect(again.course).toMatchObject({ closedOut: true, endStep: 5 });
  });

  it('is closed out in the step of its call without a grace period, and not after its term', () => {
    expect(follow([0.9, 0.7], { topUpSteps: 0 }).course).toMatchObject({ closedOut: true, endStep: 2 });
    expect(follow([0.9, 0.9, 0.9, 0.7], { topUpSteps: 2 }).course).toMatchObject({
      closedOut: true,
      endStep: 6,
    });
    expect(follow([0.9, 0.9, 0.9, 0.9, 0.7], { topUpSteps: 2 }).course).toMatchObject({
      closedOut: false,
      endStep: NO_STEP,
    });
  });

  it('is handed over at the end of its term where it is below its debt', () => {
    const low = { liquidationAt: 0.25 };
    const at = (ratio: number, changes: Partial<LendingTerms> = {}) =>
      follow([0.9, 0.9, 0.9, 0.9, 0.9, ratio], { ...low, ...changes }).course;
    expect(at(0.5)).toMatchObject({ loss: 0, lossStep: NO_STEP });
    expect(at(0.5, { saleCost: 0.25 })).toMatchObject({ loss: 0 });
    expect(at(0.375)).toMatchObject({
      loss: 0.25,
      lossStep: 6,
      lossCollateral: 1,
      lossDebt: 1,
      endStep: NO_STEP,
    });
    expect(at(0.375, { saleCost: 0.25 }).loss).toBe(1 - 0.75 * 0.75);
  });

  it('is sold after its delay, at the prices of that step', () => {
    const { course } = follow([0.9, 0.25, 0.25, 0.375], { saleDelaySteps: 2 });
    expect(course).toMatchObject({ endStep: 2, saleSteps: [4], loss: 0.25, lossStep: 4 });
    // The sale may come after the term, and nothing else then.
    const late = follow([0.9, 0.9, 0.9, 0.9, 0.9, 0.25, 0.25, 0.375], { saleDelaySteps: 2 });
    expect(late.course).toMatchObject({ endStep: 6, saleSteps: [8], loss: 0.25, lossStep: 8 });
    expect(follow([0.25], { saleCost: 0.5 }).course.loss).toBe(0.75);
  });

  it('is answered after the delay of the answer, up to its ratio', () => {
    const answers = { delaySteps: 1, toRatio: 2 };
    const { course, state, calls } = follow([0.7, 0.625, 0.9], { answers }, [1]);
    expect(calls).toEqual([1]);
    // From a ratio of 2 x 0.625 to 2: 0.75 of the debt.
    expect(course).toMatchObject({ topUps: 1, topUpAmount: expect.closeTo(0.75, 14), closedOut: false });
    expect(state.collateralFactor).toBe(1.6);
    // The second call has its own answer; without one it is closed out.
    const twice = follow([0.7, 0.625, 0.9, 0.45, 0.45], { answers, steps: 9 }, [1]);
    expect(twice.calls).toEqual([1, 2]);
    expect(twice.course).toMatchObject({ topUps: 1, closedOut: true, endStep: 6 });
    // An answer that is due at the deadline comes first, and a cure before it leaves none due.
    expect(follow([0.7], { answers: { delaySteps: 2, toRatio: 2 } }, [1]).course).toMatchObject({
      topUps: 1,
      closedOut: false,
    });
    expect(follow([0.7, 0.9, 0.9], { answers: { delaySteps: 2, toRatio: 2 } }, [1]).course.topUps).toBe(0);
  });

  it('is sold in parts that restore its ratio, of at most a share of its debt', () => {
    const partialSale = { toRatio: 2, maxShare: 1 };
    // Below L = 1 at step 2, at a ratio of 2 x 0.5625 of a debt of 1: (2 - 1.125) / (2 - 1) of it is sold.
    const terms = { partialSale, liquidationAt: 0.625 };
    const { course, state } = follow([0.9, 0.5625, 0.9], terms);
    expect(course).toMatchObject({ liquidated: true, endStep: NO_STEP, saleSteps: [2], loss: 0 });
    expect(course.saleFactors[0]).toBeCloseTo(0.875 / 1.125, 14);
    expect(state.debtFactor).toBeCloseTo(0.125, 14);
    expect((2 * state.collateralFactor * 0.5625) / state.debtFactor).toBeCloseTo(2, 12);
    // With a cost the proceeds are less: (2 - 1.125) / (2 x 0.9 - 1).
    const cost = follow([0.9, 0.5625, 0.9], {
      ...terms,
      saleCost: 0.1,
      partialSale: { toRatio: 2, maxShare: 0.5 },
    });
    expect(cost.course.saleFactors[0]).toBeCloseTo(0.5 / 0.9 / 1.125, 14);
    expect(cost.state.debtFactor).toBeCloseTo(0.5, 14);
    // A sale that would leave less than a hundredth of the debt sells everything.
    const nearly = follow([0.9, 0.5005, 0.9], terms);
    expect(nearly.course).toMatchObject({ endStep: 2, saleFactors: [1], loss: 0 });
    expect(nearly.state).toMatchObject({ ended: true, collateralFactor: 0, debtFactor: 0 });
  });
});

describe('A loan at the start', () => {
  it('is liquidated at its prices, or has a call with its deadline and answer', () => {
    const terms = { ...TERMS, saleDelaySteps: 3 };
    const [state, course] = [openState(), emptyCourse()];
    liquidateAtStart(terms, seriesOf([0.4]), state, course);
    expect(course).toMatchObject({ called: true, liquidated: true, endStep: 0 });
    expect(state).toMatchObject({ orderStep: 3, orderFraction: 1, ended: false });
    followLending(terms, seriesOf([0.4]), () => false, state, 3, 9, course);
    expect(course).toMatchObject({ saleSteps: [3], lossStep: 3 });
    expect(course.loss).toBeCloseTo(0.2, 14);
    const used = {
      collateralFactor: 2,
      debtFactor: 2,
      calls: 2,
      deadlineStep: 2,
      answerStep: 2,
      orderStep: 2,
      orderFraction: 2,
      ended: true,
    };
    reopen(used);
    expect(used).toEqual(openState());
    const passed = {
      events: undefined,
      called: true,
      liquidated: true,
      closedOut: true,
      eventStep: 2,
      endStep: 2,
      saleSteps: [2],
      saleFactors: [2],
      topUps: 2,
      topUpAmount: 2,
      loss: 2,
      lossStep: 2,
      lossCollateral: 2,
      lossDebt: 2,
    };
    forget(passed);
    expect(passed).toEqual(emptyCourse());
    reopen(state);
    forget(course);
    expect([state, course]).toEqual([openState(), emptyCourse()]);
    callAtStart(state, 4, 2, course);
    expect(state).toEqual({ ...openState(), deadlineStep: 4, answerStep: 2 });
    expect(course).toEqual({ ...emptyCourse(), called: true });
  });
});
