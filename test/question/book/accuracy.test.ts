/**
 * The accuracy of a book: each figure against its definition, and the coverage of its intervals.
 *
 * @module-tag slow
 */

import { describe, expect, it } from 'vitest';
import type { FigureAccuracy } from '#src/core/figures/accuracy.js';
import { bookLoanFigures } from '#src/core/figures/book-loan.js';
import type { BookOutcome, BookProduct } from '#src/core/plan/product/book.js';
import type { SimulationPlan } from '#src/core/plan/simulation-plan.js';
import { bookOnPath } from '#src/core/rules/book.js';
import { pricesOnPath } from '#src/core/rules/models.js';
import { bookAccuracy } from '#src/question/book/accuracy.js';
import { fleetPlan } from '../../support/fleet-plans.ts';
import { sharedReference, sharedSimd } from '../../support/threads.ts';

const reference = sharedReference(2);
/** Draws the same prices in a fraction of the time; coverage does not depend on their last digits. */
const simd = sharedSimd(2);

type BookFigures = Record<'ExpectedLoss' | 'PrLoss', FigureAccuracy> &
  Record<'LossVar' | 'LossCVar', Record<string, FigureAccuracy>> & {
    MarginCalls: { Mean: FigureAccuracy; Quantiles: Record<string, FigureAccuracy> };
    PeakDay: { CVar: Record<string, FigureAccuracy> };
  };

/** Prices so wild that hundreds of the paths of a run lose: intervals of rarer losses are too short, as everywhere. */
function planOf(paths: number, seed: number): SimulationPlan<BookProduct> {
  const plan = fleetPlan('book', paths, seed) as SimulationPlan<BookProduct>;
  const { scenarios } = plan;
  if (scenarios.kind !== 'gbm') throw new Error('the plan is drawn by GBM');
  const wild = (values: Float64Array) => values.map(value => 3 * value);
  return {
    ...plan,
    scenarios: {
      ...scenarios,
      annualVolatility: wild(scenarios.annualVolatility),
      factor: wild(scenarios.factor),
    },
  };
}
const ids = Array.from({ length: 40 }, (_, k) => `loan ${k}`);
const asker = { caller: '', signal: new AbortController().signal };

async function accuracyOf(plan: SimulationPlan<BookProduct>, outcome: BookOutcome) {
  const figures = await bookAccuracy(plan, outcome, ids, 0.95, asker);
  return figures as unknown as { Book: BookFigures; Loans: Record<string, Record<string, FigureAccuracy>> };
}

describe('The accuracy of a book', () => {
  it('follows from the columns by their definitions', async () => {
    const plan = planOf(4000, 1);
    const outcome = await reference.run(plan);
    const { Book, Loans } = await accuracyOf(plan, outcome);
    const { loss } = outcome.columns;
    const n = loss.length;
    const mean = loss.reduce((sum, value) => sum + value, 0) / n;
    const deviation = Math.sqrt(loss.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (n - 1));
    expect(Book.ExpectedLoss.standard_error).toBeCloseTo(deviation / Math.sqrt(n), 6);
    expect(Book.ExpectedLoss.method).toBe('normal');
    const share = outcome.summaries.loss.positiveShare;
    expect(Book.PrLoss.standard_error).toBeCloseTo(Math.sqrt((share * (1 - share)) / n), 12);
    const sorted = loss.toSorted();
    for (const name of ['low', 'high'] as const)
      expect(sorted.includes(Book.LossVar['0.9'][name] as number), name).toBe(true);
    const excess = loss.map(value => Math.max(0, value - outcome.summaries.loss.quantiles[0]));
    const meanExcess = excess.reduce((sum, value) => sum + value, 0) / n;
    const spread = Math.sqrt(excess.reduce((sum, value) => sum + (value - meanExcess) ** 2, 0) / (n - 1));
    const expected = spread / Math.sqrt(n) / (1 - 0.9);
    expect((Book.LossCVar['0.9'].standard_error as number) / expected).toBeCloseTo(1, 9);
    const calls = outcome.loans.marginCalls[3] / n;
    expect(Loans['loan 3'].PrMarginCall.standard_error).toBeCloseTo(Math.sqrt((calls * (1 - calls)) / n), 12);
    const { product } = plan;
    const plain = Array.from({ length: n }, (_, p) =>
      bookOnPath(product, plan.seed, p, pricesOnPath(plan, p, product.steps)),
    );
    const k = 3;
    // Fixed point of 2^-32 and 2^-48.
    const expectMean = (name: string, values: readonly number[]) => {
      const of = values.reduce((sum, value) => sum + value, 0) / n;
      const variance = values.reduce((sum, value) => sum + (value - of) ** 2, 0) / (n - 1);
      const error = Math.sqrt(variance / n);
      const figure = Loans[`loan ${k}`][name];
      expect((figure.standard_error as number) / error, name).toBeCloseTo(1, 6);
      expect(figure.method, name).toBe('normal');
      const z = 1.959963984540054;
      expect((figure.high as number) - of, name).toBeCloseTo(z * error, 6);
    };
    const ends = plain.map(({ loans }) => loans[k]);
    const term = product.termSteps[k];
    expectMean(
      'AvgLossPct',
      ends.map(({ unsoldFraction }) => 100 * unsoldFraction),
    );
    expectMean(
      'AvgSurvivalRate',
      ends.map(({ endStep }) => endStep / term),
    );
    expectMean(
      'ExpectedLoss',
      ends.map(({ loss: lost }) => lost * product.loanValue[k]),
    );
    // Forty paths above a quantile are too few for a normal interval.
    expect(Book.LossCVar['0.99'].method).toBe('too-few-events');
  });

  it('contains the true figures about as often as its level', async () => {
    // The truth of so many paths is ten times as sure as that of a run.
    const truth = await simd.run(planOf(200_000, 999));
    const { loss, calledLoans, peakDay } = truth.summaries;
    const truthOfLoan = bookLoanFigures(planOf(2, 1).product, truth, 3);
    const runs = 200;
    const hits: Record<string, number> = {};
    for (let seed = 1; seed <= runs; seed++) {
      const plan = planOf(2000, seed);
      const { Book, Loans } = await accuracyOf(plan, await simd.run(plan));
      const found: readonly (readonly [string, FigureAccuracy, number])[] = [
        ['mean loss', Book.ExpectedLoss, loss.mean],
        ['share', Book.PrLoss, loss.positiveShare],
        ['loss quantile', Book.LossVar['0.9'], loss.quantiles[0]],
        ['loss tail', Book.LossCVar['0.9'], loss.tailMeans[0]],
        ['mean calls', Book.MarginCalls.Mean, calledLoans.mean],
        ['peak day tail', Book.PeakDay.CVar['0.9'], peakDay.tailMeans[0]],
        ['unsold of a loan', Loans['loan 3'].AvgLossPct, truthOfLoan.AvgLossPct],
        ['survival of a loan', Loans['loan 3'].AvgSurvivalRate, truthOfLoan.AvgSurvivalRate],
        ['loss of a loan', Loans['loan 3'].ExpectedLoss, truthOfLoan.ExpectedLoss],
      ];
      for (const [name, { low, high }, value] of found)
        hits[name] = (hits[name] ?? 0) + Number((low ?? Infinity) <= value && value <= (high ?? -Infinity));
    }
    // 95 %; five standard errors of the count are 7.7 %, and the truth has an error of its own. Quantiles of
    // counts and of atoms may contain them more often.
    for (const [name, count] of Object.entries(hits)) {
      expect(count / runs, name).toBeGreaterThan(0.87);
    }
    for (const name of ['mean loss', 'share', 'mean calls']) expect(hits[name] / runs, name).toBeLessThan(1);
  });
});
