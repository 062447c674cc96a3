import { describe, expect, it } from 'vitest';
import {
  calledBelowMarginCall,
  debtGrowth,
  debtStaysPositive,
  nominalNotBelowMarginCallUnlessCalled,
  restoredRatio,
  topUpRules,
  underWaySteps,
} from '#src/question/loan/under-way.js';
import { members, ratio, topUpHours } from '#src/question/request/fields.js';
import { underWayMembers } from '#src/question/request/loan-fields.js';
import { checkRequest } from '#src/question/request/parse.js';
import { withRules } from '#src/question/request/rules.js';

const schema = withRules(
  members({
    N: ratio,
    M: ratio,
    L: ratio,
    R: ratio,
    mc_top_up: topUpHours,
    loan_duration: ratio,
    ...underWayMembers,
  }),
  nominalNotBelowMarginCallUnlessCalled,
  calledBelowMarginCall,
  debtStaysPositive,
  ...topUpRules,
);
const LOAN = { N: 1.4, M: 1.3, L: 1.1, R: 1.35, mc_top_up: 24, loan_duration: 30 };
const faultsOf = (members: object) => {
  const checked = checkRequest(schema, { ...LOAN, ...members });
  return checked.ok ? [] : checked.faults.map(({ message }) => message);
};
const answers = (members: object) => ({ top_up: { share: 0.6, delay_hours: 12, ...members } });

describe('the members of a loan under way', () => {
  it('may all be absent', () => {
    expect(faultsOf({})).toEqual([]);
  });

  it('accept N below M if the loan was called', () => {
    expect(faultsOf({ N: 1.2 })).toEqual([
      'N must be at least M (1.3); a loan in call is sent with called_hours_ago; got 1.2',
    ]);
    expect(faultsOf({ N: 1.05 })).toEqual(['N must be at least M (1.3); got 1.05']);
    expect(faultsOf({ N: 1.2, called_hours_ago: 0 })).toEqual([]);
  });

  it('refuse hours since a call outside L <= N < M', () => {
    expect(faultsOf({ N: 1.09, called_hours_ago: 6 })).toEqual([
      'called_hours_ago must be absent where N (1.09) is below L (1.1): the loan is liquidated at the start; leave it out; got 6',
    ]);
    expect(faultsOf({ N: 1.3, called_hours_ago: 6 })).toEqual([
      'called_hours_ago must be absent where N (1.3) is at least M (1.3): the loan is not in call at the start; leave it out; or, for a call that is open until R (1.35), send M above N (margin_call_ltv below 1 / N); got 6',
    ]);
    // R has been reached: the call is over.
    for (const N of [1.35, 1.4])
      expect(faultsOf({ N, called_hours_ago: 6 })).toEqual([
        `called_hours_ago must be absent where N (${N}) is at least M (1.3): the loan is not in call at the start; leave it out; got 6`,
      ]);
    expect(faultsOf({ N: 1.1, called_hours_ago: 6 })).toEqual([]);
    expect(faultsOf({ N: 1.2, called_hours_ago: -1 })).toEqual([
      'called_hours_ago must be from 0 to 87600 hours; got -1',
    ]);
  });

  it('refuse interest that leaves no debt', () => {
    expect(faultsOf({ interest_rate: -0.5, loan_duration: 100 })).toEqual([]);
    expect(faultsOf({ interest_rate: 10.5 })).toEqual([
      'interest_rate must be from -0.5 to 10 a year; got 10.5',
    ]);
    const long = checkRequest(
      withRules(members({ ...underWayMembers, loan_duration: topUpHours }), debtStaysPositive),
      {
        interest_rate: -0.5,
        loan_duration: 730,
      },
    );
    expect(long.ok || long.faults).toMatchObject([
      {
        path: 'interest_rate',
        message: 'interest_rate must be above -0.5, so that a debt is left at the end of the term; got -0.5',
      },
    ]);
  });

  it('refuse an answer after the deadline, and any answer without a grace period', () => {
    expect(faultsOf(answers({ delay_hours: 24 }))).toEqual([]);
    expect(faultsOf(answers({ delay_hours: 25 }))).toEqual([
      'top_up.delay_hours must be at most mc_top_up (24 hours), the deadline of a call; got 25',
    ]);
    expect(faultsOf({ mc_top_up: 0, ...answers({ delay_hours: 1 }) })).toEqual([
      'top_up.delay_hours must be at most mc_top_up (0 hours), the deadline of a call; got 1',
    ]);
    expect(faultsOf(answers({ delay_hours: 1.5 }))).toEqual([
      'top_up.delay_hours must be a whole number from 1 to 8760; got 1.5',
    ]);
  });

  it('refuse a share outside 0 to 1', () => {
    for (const share of [-0.1, 1.1])
      expect(faultsOf(answers({ share }))).toEqual([`top_up.share must be from 0 to 1; got ${share}`]);
  });

  it('refuse an answer that leaves the call open, by to, by to_ltv and by R', () => {
    const fault = (got: number, M = 1.3, R = 1.35) =>
      `top_up must be such that an answer restores a ratio above M (${M}), at least R (${R}) and at most 100, by to or to_ltv; got ${got}`;
    expect(faultsOf(answers({ to: 1.35 }))).toEqual([]);
    expect(faultsOf(answers({ to: 1.34 }))).toMatchObject([fault(1.34)]);
    expect(faultsOf(answers({ to_ltv: 0.8 }))).toMatchObject([fault(1.25)]);
    expect(faultsOf(answers({ to_ltv: 0.005 }))).toMatchObject([fault(200)]);
    expect(faultsOf({ R: 1.3, ...answers({}) })).toMatchObject([fault(1.3, 1.3, 1.3)]);
    expect(faultsOf({ R: 1.3, ...answers({ to: 1.31 }) })).toEqual([]);
  });

  it('refuse both forms of the ratio that an answer restores', () => {
    expect(faultsOf(answers({ to: 1.4, to_ltv: 0.7 }))).toEqual([
      'top_up.to_ltv must be absent where top_up.to is sent; got 0.7',
    ]);
  });
});

describe('a loan under way on a grid', () => {
  it('restores `to`, 1 / to_ltv, or R', () => {
    expect(restoredRatio({ to: 1.5 }, 1.35)).toBe(1.5);
    expect(restoredRatio({ to_ltv: 0.625 }, 1.35)).toBe(1.6);
    expect(restoredRatio({}, 1.35)).toBe(1.35);
  });

  it('owes the simple interest of its term', () => {
    expect(debtGrowth(undefined, 30)).toBe(1);
    expect(debtGrowth(0, 30)).toBe(1);
    expect(debtGrowth(0.12, 365)).toBeCloseTo(1.12, 15);
    expect(debtGrowth(-0.5, 730)).toBe(0);
  });

  it('has the rest of the grace period, at least one step', () => {
    expect(underWaySteps({ mc_top_up: 24 }, 1)).toEqual({
      startDeadline: 24,
      answerDelay: 0,
      startAnswer: 0,
    });
    expect(underWaySteps({ mc_top_up: 24, called_hours_ago: 6 }, 1).startDeadline).toBe(18);
    expect(underWaySteps({ mc_top_up: 24, called_hours_ago: 6.5 }, 1).startDeadline).toBe(18);
    expect(underWaySteps({ mc_top_up: 24, called_hours_ago: 60 }, 1).startDeadline).toBe(1);
    expect(underWaySteps({ mc_top_up: 0 }, 1).startDeadline).toBe(1);
    expect(underWaySteps({ mc_top_up: 48, called_hours_ago: 6 }, 24).startDeadline).toBe(2);
    expect(underWaySteps({ mc_top_up: 48, called_hours_ago: 30 }, 24).startDeadline).toBe(1);
  });

  it('answers an open call after the rest of the delay, unless that has passed', () => {
    const top_up = { delay_hours: 12 };
    const steps = (called_hours_ago: number, grid: 1 | 24 = 1) =>
      underWaySteps({ mc_top_up: 24, called_hours_ago, top_up }, grid);
    expect(steps(0)).toEqual({ startDeadline: 24, answerDelay: 12, startAnswer: 12 });
    expect(steps(6).startAnswer).toBe(6);
    expect(steps(11).startAnswer).toBe(1);
    expect(steps(11.5).startAnswer).toBe(0);
    expect(steps(12).startAnswer).toBe(0);
    expect(steps(6, 24)).toEqual({ startDeadline: 1, answerDelay: 1, startAnswer: 1 });
  });
});
