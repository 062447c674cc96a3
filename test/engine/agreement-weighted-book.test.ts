/** Books on paths that have weights, of which every second is shifted: every engine in single precision against the reference. */
import { beforeAll, describe, expect, it } from 'vitest';
import { UNITS_PER_LOAN_VALUE } from '#src/core/book/book-sums.js';
import type { Engine } from '#src/core/engine.js';
import type { BookLoanSums, BookOutcome } from '#src/core/plan/product/book.js';
import { simdSupports } from '#src/core/simd/products.js';
import { withThresholds } from '../support/any-terms.ts';
import { expectSummaries, totalOf } from '../support/book-parity.ts';
import { engineCases, SINGLE_ENGINES } from '../support/engines.ts';
import { Dice } from '../support/random-plans.ts';
import { type ShiftedBook, shiftedBook } from '../support/shifted-books.ts';
import { sharedReference } from '../support/threads.ts';

const reference = sharedReference(2);

/** A weight carries the rounding of the log prices at the end of a path, times the slope of its exponent (docs/decisions/tail-sampling.md). */
const WEIGHT_ERROR = 2e-5;
const SETS = ['once', 'odd', 'twice'] as const;

/** Loans on four assets: on a pair, on baskets, and on almost equal baskets. */
const BOOKS = [
  { name: 'baskets of their own', loans: 16, baskets: 16, seed: 3 },
  { name: 'shared baskets', loans: 24, baskets: 2, seed: 5 },
  { name: 'thresholds by asset', loans: 16, baskets: 16, seed: 3, byAsset: true },
];

function expectSums(got: BookLoanSums, wanted: BookLoanSums, most: number, { product, paths }: ShiftedBook) {
  for (let k = 0; k < product.loanValue.length; k++) {
    // One path within rounding of a threshold, with the largest weight that there is; and the error of the weights.
    for (const name of ['marginCalls', 'liquidations', 'closeouts', 'underwater'] as const)
      expect(Math.abs(got[name][k] - wanted[name][k]), `${name} of ${k}`).toBeLessThanOrEqual(
        most + WEIGHT_ERROR * (1 + wanted[name][k]),
      );
    const steps = Math.abs(got.missedSteps[k] - wanted.missedSteps[k]);
    expect(steps, `missed steps of ${k}`).toBeLessThanOrEqual(
      (most + WEIGHT_ERROR * wanted.marginCalls[k]) * product.steps + 1,
    );
    const room = ((most + WEIGHT_ERROR * wanted.marginCalls[k]) * product.steps + 1) * product.steps;
    const squares = Math.abs(Number(got.squares?.missedSteps[k]) - Number(wanted.squares?.missedSteps[k]));
    expect(squares, `squares of missed steps of ${k}`).toBeLessThanOrEqual(room);
    for (const name of ['unsoldUnits', 'lossUnits'] as const) {
      const difference = Math.abs(got[name][k] - wanted[name][k]) / UNITS_PER_LOAN_VALUE;
      expect(difference, `${name} of ${k}`).toBeLessThan(1e-5 * paths);
    }
    for (const name of ['unsold', 'loss'] as const) {
      const [a, b] = [Number(got.squares?.[name][k]), Number(wanted.squares?.[name][k])];
      // A path is rounded to half a unit of 2^-40 before its squared weight of 4 at most, and to another half after it.
      const squared = 4 * Math.sqrt(b * paths) * 2e-6 + WEIGHT_ERROR * b + 2.5 * paths * 2 ** -40;
      expect(Math.abs(a - b), `squares of ${name} of ${k}`).toBeLessThan(squared);
    }
  }
}

for (const { engine } of engineCases(SINGLE_ENGINES, 'book', ['gbm-shifted']))
  describe.each(BOOKS)(
    `A book of loans with $name on shifted paths on ${engine.name}`,
    { tags: engine.tags },
    ({ loans, baskets, seed, byAsset = false }) => {
      const plain = shiftedBook(seed, 1501, loans, baskets);
      const plan = byAsset ? { ...plain, product: withThresholds(new Dice(3), plain.product, 4) } : plain;
      let single: Engine;
      let got: BookOutcome;
      let wanted: BookOutcome;
      beforeAll(async () => {
        single = await engine.open();
        [got, wanted] = await Promise.all([single.run(plan), reference.run(plan)]);
      });

      it('has the weights of the reference', () => {
        const [weights, expected] = [got.columns.weight, wanted.columns.weight];
        if (weights === undefined || expected === undefined) throw new Error('no weights');
        expect(weights.length).toBe(plan.paths);
        for (const [p, weight] of expected.entries())
          expect(Math.abs(weights[p] / weight - 1), `path ${p} of weight ${weight}`).toBeLessThan(
            WEIGHT_ERROR,
          );
        // Weights differ.
        expect(Math.min(...expected)).toBeLessThan(0.5);
        expect(Math.max(...expected)).toBeGreaterThan(1.5);
      });

      it('has the sums of the reference, plain and under each set of weights', () => {
        if (got.weighted === undefined || wanted.weighted === undefined) throw new Error('no weights');
        expect(totalOf(wanted.columns.loss)).toBeGreaterThan(0);
        expectSums(got.loans, wanted.loans, 1, plan);
        for (const set of SETS) {
          const [weights, expected] = [got.weighted.weights[set], wanted.weighted.weights[set]];
          expect(Math.abs(weights / expected - 1), set).toBeLessThan(WEIGHT_ERROR);
          expectSums(got.weighted[set], wanted.weighted[set], 4, plan);
        }
        // Sums of odd paths are a part of all.
        const calls = totalOf(got.weighted.once.marginCalls);
        expect(totalOf(got.weighted.odd.marginCalls)).toBeLessThan(calls);
        expect(totalOf(got.weighted.odd.marginCalls)).toBeGreaterThan(0.1 * calls);
      });

      it('has the figures of the reference, and contributions that add up to the tail mean', () => {
        const value = totalOf(plan.product.loanValue);
        expectSummaries(got, wanted, plan);
        wanted.tails.forEach(({ contributions, peakDayByAsset }, q) => {
          const { contributions: parts, peakDayByAsset: sold } = got.tails[q];
          contributions.forEach((expected, k) => {
            expect(Math.abs(parts[k] - expected), `contribution of ${k}`).toBeLessThan(1e-4 * value);
          });
          peakDayByAsset.forEach((expected, a) => {
            expect(Math.abs(sold[a] - expected), `asset ${a}`).toBeLessThan(1e-3 * value);
          });
          // Losses are multiplied by weights in single precision.
          const { loss, peakDay } = got.summaries;
          expect(Math.abs(totalOf(parts) / loss.tailMeans[q] - 1)).toBeLessThan(1e-6);
          expect(Math.abs(totalOf(sold) / peakDay.tailMeans[q] - 1)).toBeLessThan(1e-9);
        });
      });

      // The software driver would take a minute.
      if (engine.name === 'gpu' || byAsset) return;

      it('has the figures of double precision on many paths', { tags: ['slow'] }, async () => {
        const [few, shared] = [loans > 16 ? 24 : 8, loans > 16 ? 2 : 8];
        const seeds = [9, 10, 11, 12, 13, 14];
        const many = seeds.map(each => shiftedBook(each, 4001, few, shared)).find(simdSupports);
        if (many === undefined) throw new Error('no book for single precision');
        const [exact, tested] = await Promise.all([reference.run(many), single.run(many)]);
        const near = (pick: (outcome: BookOutcome) => number, least: number) => {
          const [a, b] = [pick(exact), pick(tested)];
          expect(Math.abs(a - b)).toBeLessThan(2e-3 * (least + Math.abs(a)));
        };
        near(({ weighted }) => Number(weighted?.weights.odd), 0);
        near(({ weighted }) => Number(weighted?.weights.twice), 0);
        for (let k = 0; k < few; k++) {
          near(({ weighted }) => Number(weighted?.once.marginCalls[k]), 500);
          near(({ weighted }) => Number(weighted?.twice.underwater[k]), 500);
          near(({ weighted }) => Number(weighted?.once.lossUnits[k]) / UNITS_PER_LOAN_VALUE, 10);
        }
        for (const column of ['loss', 'sold'] as const) {
          near(({ summaries }) => summaries[column].mean, 1);
          near(({ summaries }) => summaries[column].tailMeans[1], 1);
        }
      });
    },
  );
