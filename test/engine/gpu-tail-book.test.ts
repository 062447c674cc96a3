/**
 * Books on the GPU on paths that have weights: against the reference path by path, and however a run is cut.
 *
 * @module-tag slow
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UNITS_PER_LOAN_VALUE } from '#src/core/book/book-sums.js';
import type { Engine } from '#src/core/engine.js';
import type { DispatchOptions } from '#src/core/gpu/session.js';
import { BOOK_COLUMNS, type BookLoanSums, type BookOutcome } from '#src/core/plan/product/book.js';
import { openReferenceEngine } from '#src/engine/threads/reference-engine.js';
import { openTestGpuEngine } from '../support/gpu.ts';
import { type ShiftedBook, shiftedBook } from '../support/shifted-books.ts';

const cpu = openReferenceEngine({ threads: 2 });
let gpu: Engine;
beforeAll(async () => {
  gpu = await openTestGpuEngine();
});
afterAll(() => cpu.close());

const totalOf = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0);

/** A weight carries the rounding of the log prices at the end of a path, times the slope of its exponent (docs/decisions/tail-sampling.md). */
const WEIGHT_ERROR = 2e-5;
const SETS = ['once', 'odd', 'twice'] as const;

/** Both outcomes; every book here is lost on some paths. */
async function outcomesOf(plan: ShiftedBook): Promise<[onGpu: BookOutcome, onCpu: BookOutcome]> {
  const [onGpu, onCpu] = await Promise.all([gpu.run(plan), cpu.run(plan)]);
  expect(totalOf(onCpu.columns.loss)).toBeGreaterThan(0);
  return [onGpu, onCpu];
}

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
      // A share x is right to some 2e-6 of the loan value, its square to 2 x as much.
      // A path is rounded to half a unit of 2^-40 before it takes a squared weight of 4 at most, and to another half after it.
      const squared = 4 * Math.sqrt(b * paths) * 2e-6 + WEIGHT_ERROR * b + 2.5 * paths * 2 ** -40;
      expect(Math.abs(a - b), `squares of ${name} of ${k}`).toBeLessThan(squared);
    }
  }
}

/** Assets are four: loans of a pair, of baskets, and of baskets that hold almost the same. */
describe.each([
  ['baskets of their own', 16, 16, 3],
  ['shared baskets', 24, 2, 5],
])('A book of loans with %s on shifted paths', (_, loans, baskets, seed) => {
  const plan = shiftedBook(seed, 1501, loans, baskets);

  it('has the weights of the reference', async () => {
    const [onGpu, onCpu] = (await outcomesOf(plan)).map(({ columns }) => columns.weight);
    if (onGpu === undefined || onCpu === undefined) throw new Error('no weights');
    expect(onGpu.length).toBe(plan.paths);
    for (const [p, weight] of onCpu.entries())
      expect(Math.abs(onGpu[p] / weight - 1), `path ${p} of weight ${weight}`).toBeLessThan(WEIGHT_ERROR);
    // Weights differ.
    expect(Math.min(...onCpu)).toBeLessThan(0.5);
    expect(Math.max(...onCpu)).toBeGreaterThan(1.5);
  });

  it('has the sums of the reference, plain and under every kind of weights', async () => {
    const [onGpu, onCpu] = await outcomesOf(plan);
    if (onGpu.weighted === undefined || onCpu.weighted === undefined) throw new Error('no weights');
    expectSums(onGpu.loans, onCpu.loans, 1, plan);
    for (const set of SETS) {
      const [got, wanted] = [onGpu.weighted.weights[set], onCpu.weighted.weights[set]];
      expect(Math.abs(got / wanted - 1), set).toBeLessThan(WEIGHT_ERROR);
      expectSums(onGpu.weighted[set], onCpu.weighted[set], 4, plan);
    }
    // Sums of odd paths are a part of all.
    const calls = totalOf(onGpu.weighted.once.marginCalls);
    expect(totalOf(onGpu.weighted.odd.marginCalls)).toBeLessThan(calls);
    expect(totalOf(onGpu.weighted.odd.marginCalls)).toBeGreaterThan(0.1 * calls);
  });

  it('has the figures of the reference, and contributions that add up to the tail mean', async () => {
    const [onGpu, onCpu] = await outcomesOf(plan);
    const value = totalOf(plan.product.loanValue);
    for (const name of BOOK_COLUMNS) {
      const scale = name === 'calledLoans' || name === 'forcedSales' ? loans : value;
      const flat = ({ summaries }: BookOutcome) => {
        const { mean, quantiles, tailMeans } = summaries[name];
        return [mean, ...quantiles, ...tailMeans];
      };
      const wanted = flat(onCpu);
      flat(onGpu).forEach((figure, i) => {
        expect(Math.abs(figure - wanted[i]), `${name}, figure ${i}`).toBeLessThan(1e-4 * scale);
      });
    }
    onCpu.tails.forEach(({ contributions, peakDayByAsset }, q) => {
      const { contributions: parts, peakDayByAsset: sold } = onGpu.tails[q];
      contributions.forEach((wanted, k) => {
        expect(Math.abs(parts[k] - wanted), `contribution of ${k}`).toBeLessThan(1e-4 * value);
      });
      peakDayByAsset.forEach((wanted, a) => {
        expect(Math.abs(sold[a] - wanted), `asset ${a}`).toBeLessThan(1e-3 * value);
      });
      // Losses are multiplied by weights in single precision.
      const { loss, peakDay } = onGpu.summaries;
      expect(Math.abs(totalOf(parts) / loss.tailMeans[q] - 1)).toBeLessThan(1e-6);
      expect(Math.abs(totalOf(sold) / peakDay.tailMeans[q] - 1)).toBeLessThan(1e-9);
    });
  });

  it('gives the same outcome however its run is cut', async () => {
    const cut = { ...plan, paths: 300 };
    const outcome = await gpu.run(cut);
    const dispatches: DispatchOptions[] = [
      { workgroupSize: 8 },
      // An odd number of paths, prices in pieces, then eight loans at a time.
      { sliceMilliseconds: 1e-6, maxPaths: 99, parallelPaths: 99 },
      { valueBytes: 2 ** 16 },
    ];
    for (const dispatch of dispatches) {
      const engine = await openTestGpuEngine(dispatch);
      expect(await engine.run(cut), JSON.stringify(dispatch)).toEqual(outcome);
    }
    expect(await gpu.trace(cut)).toEqual({ ...outcome.columns });
  });
});
