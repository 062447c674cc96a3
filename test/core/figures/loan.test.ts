/** Standard errors of a loan's means, from sums of the engines and from the numbers of each path. */
import { describe, expect, it } from 'vitest';
import type { LoanOutcome } from '#src/core/engine.js';
import { loanAccuracy } from '#src/core/figures/loan.js';

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

  it('is undefined for loans with too few liquidations and closeouts', () => {
    const ended = (liquidations: number, closeouts: number) =>
      loanAccuracy({ ...outcome, liquidations, closeouts }, { steps: STEPS }, 0.95).AvgSurvivalRate;
    expect(ended(1, 1)).toMatchObject({ standard_error: null, method: 'too-few-events' });
    expect(ended(40, 0).standard_error).not.toBeNull();
    expect(ended(0, 40).standard_error).not.toBeNull();
  });
});
