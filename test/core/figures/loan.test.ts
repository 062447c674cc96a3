/** Standard errors of a loan's means, from sums of the engines and from the numbers of each path. */
import { describe, expect, it } from 'vitest';
import type { LoanOutcome } from '#src/core/engine.js';
import {
  loanAccuracy,
  loanFigures,
  loanWindowFigures,
  shownLoanFigures,
  weightedLoanFigures,
  weightedSums,
} from '#src/core/figures/loan.js';
import { LOAN, LOAN_QUANTITIES } from '#src/core/plan/product/loan.js';
import type { LoanProduct } from '#src/core/plan/simulation-plan.js';
import { weightedMean } from '#src/core/stats/weighted.js';

const STEPS = 48;
/** Step of the end of each of 400 loans, T without one, and its loss: 90 ended, 40 with a loss. */
const LOANS = Array.from({ length: 400 }, (_, p) => ({
  end: p % 4 === 0 ? STEPS - (p % 40) : STEPS,
  loss: p % 8 === 0 ? (p % 40) / 100 : 0,
}));

const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);

/** Standard error of the mean of a sample, by its definition. */
function standardErrorOf(values: readonly number[]): number {
  const mean = sum(values) / values.length;
  const variance = sum(values.map(value => (value - mean) ** 2)) / (values.length - 1);
  return Math.sqrt(variance / values.length);
}

const outcome: LoanOutcome = {
  kind: 'loan',
  paths: LOANS.length,
  marginCalls: 120,
  liquidations: 40,
  closeouts: 50,
  underwater: 45,
  openSteps: sum(LOANS.map(({ end }) => end)),
  loss: sum(LOANS.map(({ loss }) => loss)),
  closedStepSquares: sum(LOANS.map(({ end }) => (STEPS - end) ** 2)),
  earlyEnds: LOANS.filter(({ end }) => end < STEPS).length,
  deadlineEnds: 0,
  losses: LOANS.filter(({ loss }) => loss > 0).length,
  lossSquares: sum(LOANS.map(({ loss }) => loss ** 2)),
  worstCcr: 0.7,
};

describe('The accuracy of the means of a loan', () => {
  it('has the standard error of the share of the term survived', () => {
    const { standard_error } = loanAccuracy(outcome, { steps: STEPS }, 0.95).AvgSurvivalRate;
    expect(standard_error).toBeCloseTo(standardErrorOf(LOANS.map(({ end }) => end / STEPS)), 14);
  });

  it('has the standard error of the loss in percent', () => {
    const { standard_error } = loanAccuracy(outcome, { steps: STEPS }, 0.95).AvgLossPct;
    expect(standard_error).toBeCloseTo(standardErrorOf(LOANS.map(({ loss }) => 100 * loss)), 12);
  });

  it('is undefined where fewer than 30 of 400 loans end at another step than the others', () => {
    const { paths } = outcome;
    const ended = (earlyEnds: number, deadlineEnds: number) =>
      loanAccuracy({ ...outcome, earlyEnds, deadlineEnds }, { steps: STEPS }, 0.95).AvgSurvivalRate;
    const few = { standard_error: null, method: 'too-few-events' };
    expect(ended(29, 0)).toMatchObject(few);
    expect(ended(30, 0).standard_error).not.toBeNull();
    // Nearly all at the deadline of a call that is open at the start.
    expect(ended(paths, paths - 29)).toMatchObject(few);
    expect(ended(paths, paths - 30).standard_error).not.toBeNull();
    expect(ended(29, 29)).toMatchObject(few);
  });
});

describe('The figures of a loan', () => {
  it('are in percent of the loan at the start where its debt grows', () => {
    const grown = loanFigures(outcome, { steps: STEPS, debtGrowth: 1.5 });
    const plain = loanFigures(outcome, { steps: STEPS });
    expect(plain.AvgLossPct).toBeCloseTo((100 * outcome.loss) / 400, 12);
    expect(grown.AvgLossPct).toBeCloseTo(1.5 * plain.AvgLossPct, 12);
    expect(grown.AvgSurvivalRate).toBe(outcome.openSteps / (400 * STEPS));
  });

  it('of answered calls are there where calls are answered', () => {
    const answered = { ...outcome, topUps: 80, topUpAmount: 20, topUpAmountSquares: 8 };
    expect(loanFigures(answered, { steps: STEPS })).toMatchObject({ PrTopUp: 0.2, AvgTopUpPct: 5 });
    expect(loanFigures(outcome, { steps: STEPS })).not.toHaveProperty('PrTopUp');
    const { AvgTopUpPct } = loanAccuracy(answered, { steps: STEPS }, 0.95);
    // Means of 0.05 and 0.02 of the amounts and their squares.
    expect(AvgTopUpPct?.standard_error).toBeCloseTo(100 * Math.sqrt((0.02 - 0.05 ** 2) / 399), 12);
    const few = { ...answered, topUps: 29 };
    expect(loanAccuracy(few, { steps: STEPS }, 0.95).AvgTopUpPct?.method).toBe('too-few-events');
  });

  it('have contributions of each window', () => {
    const [usual] = LOAN.usual.terms(2) as readonly LoanProduct[];
    const product = { ...usual, nominalRatio: 2, debtGrowth: 1.5, steps: 4 };
    const records = {
      finalRatio: Float64Array.of(0.25, 0.5, 0.75),
      endStep: Float64Array.of(1, 4, 4),
      flags: Uint32Array.of(0, 0, 0),
      topUpAmount: Float64Array.of(0, 0.2, 1.5),
    };
    const of = (answered: boolean) =>
      loanWindowFigures(
        { ...outcome, ...(answered && { topUps: 2, topUpAmount: 1.7, topUpAmountSquares: 3 }) },
        records as never,
        product,
      ) as Readonly<Record<string, { readonly contributions: ArrayLike<number> }>>;
    const contributions = (name: string) => [...Array.from(of(true)[name].contributions)];
    expect(contributions('AvgLossPct')).toEqual([75, 0, 0]);
    expect(contributions('AvgSurvivalRate')).toEqual([0.25, 1, 1]);
    expect(contributions('PrTopUp')).toEqual([0, 1, 1]);
    expect(contributions('AvgTopUpPct')).toEqual([0, 20, 150]);
    expect(of(false)).not.toHaveProperty('PrTopUp');
    expect(of(true)).not.toHaveProperty('WorstCaseCCR');
  });
});

describe('The figures of weighted paths of a loan', () => {
  /** Sums under the weights, those of odd paths, and those under squared weights, each with its own numbers. */
  const sums = Float64Array.from({ length: 3 * LOAN_QUANTITIES.length }, (_, k) => {
    const [set, i] = [Math.floor(k / LOAN_QUANTITIES.length), k % LOAN_QUANTITIES.length];
    return [1, 0.6, 1.3][set] * (i === 0 ? 400 : 20 + i);
  });
  const weighted = { ...outcome, weighted: sums };
  const setOf = (name: (typeof LOAN_QUANTITIES)[number]) => {
    const i = LOAN_QUANTITIES.indexOf(name);
    return {
      once: sums[i],
      odd: sums[i + LOAN_QUANTITIES.length],
      twice: sums[i + 2 * LOAN_QUANTITIES.length],
    };
  };

  it('are means of the sums by name', () => {
    expect(LOAN_QUANTITIES.map(name => weightedSums(sums)[name])).toEqual(LOAN_QUANTITIES.map(setOf));
    const of = (name: (typeof LOAN_QUANTITIES)[number]) =>
      weightedMean({ paths: 400, weights: setOf('paths'), sum: setOf(name), squares: setOf(name) });
    const got = weightedLoanFigures(weighted, { steps: STEPS });
    expect(got?.PrMarginCall).toEqual(of('marginCalls'));
    const survived = weightedMean({
      paths: 400,
      weights: setOf('paths'),
      sum: setOf('closedSteps'),
      squares: setOf('closedStepSquares'),
    });
    expect(got?.AvgSurvivalRate.mean).toBeCloseTo(1 - survived.mean / STEPS, 14);
    expect(got?.AvgSurvivalRate.standardError).toBeCloseTo(Number(survived.standardError) / STEPS, 14);
    expect(weightedLoanFigures(outcome, { steps: STEPS })).toBeUndefined();
  });

  it('are shown without a lowest ratio, which is of the shifted paths', () => {
    const shown = shownLoanFigures(weighted, { steps: STEPS });
    expect(shown.WorstCaseCCR).toBeNull();
    expect(shown.PrMarginCall).toBe(setOf('marginCalls').once / 400);
    expect(shownLoanFigures(outcome, { steps: STEPS })).toEqual(loanFigures(outcome, { steps: STEPS }));
  });
});
