/** Books on GBM of which every second path is shifted: against the plain program, in parts, and on every processor engine. */
import { afterAll, describe, expect, it } from 'vitest';
import { UNITS_PER_LOAN_VALUE } from '#src/core/book/book-sums.js';
import type { BookOutcome } from '#src/core/plan/product/book.js';
import { simdSupports } from '#src/core/simd/products.js';
import { openReferenceEngine } from '#src/engine/threads/reference-engine.js';
import { openSimdThreads } from '#src/engine/threads/simd-engine.js';
import { openThreadPool } from '#src/engine/threads/thread-pool.js';
import { plainBookPath } from '../support/plain/book.ts';
import { plainPrices, plainWeight } from '../support/plain/paths.ts';
import { randomLendingBook } from '../support/random-lending.ts';
import { shiftedBook } from '../support/shifted-books.ts';

const one = openReferenceEngine({ threads: 1 });
const three = openReferenceEngine({ threads: 3 });
const fast = openSimdThreads(openThreadPool(2));
afterAll(() => Promise.all([one.close(), three.close(), fast.close()]));

/** Loans with baskets of their own; loans that share them. */
const SHAPES = [
  ['baskets of their own', 8, 8],
  ['shared baskets', 24, 2],
] as const;

interface Weighted {
  readonly weight: number;
  readonly value: number;
}
/** The first value in rising order that the weights of it and all lower ones make a share of the whole. */
function plainQuantile(paths: readonly Weighted[], share: number): number {
  const sorted = [...paths].sort((a, b) => a.value - b.value);
  const total = paths.reduce((sum, { weight }) => sum + weight, 0);
  let reached = 0;
  for (const { weight, value } of sorted) {
    reached += weight;
    if (reached >= share * total * (1 - 1e-12)) return value;
  }
  return Number.NaN;
}

/** Mean of the heaviest 1 - q: of the path at its edge only what is missing. */
function plainTailMean(paths: readonly Weighted[], share: number): number {
  const falling = [...paths].sort((a, b) => b.value - a.value);
  const wanted = (1 - share) * paths.reduce((sum, { weight }) => sum + weight, 0);
  let left = wanted;
  let sum = 0;
  for (const { weight, value } of falling) {
    const taken = Math.min(left, weight);
    sum += taken * value;
    left -= taken;
  }
  return sum / wanted;
}

describe.each(SHAPES)('A book of loans with %s on shifted paths', (_, loans, baskets) => {
  it('has the weighted sums of the plain program', async () => {
    const plan = shiftedBook(5, 60, loans, baskets);
    const { product, seed, scenarios } = plan;
    const paths = Array.from({ length: plan.paths }, (__, p) => ({
      weight: plainWeight(seed, scenarios, p),
      ...plainBookPath(product, plainPrices(plan, p, product.steps)),
    }));
    const outcome = await three.run(plan);
    const { weighted, columns, summaries } = outcome;
    if (weighted === undefined || columns.weight === undefined) throw new Error('no weights');
    const sum = (of: (path: (typeof paths)[number]) => number) =>
      paths.reduce((total, path) => total + of(path), 0);
    expect(weighted.weights.once).toBeCloseTo(
      sum(({ weight }) => weight),
      9,
    );
    expect(weighted.weights.twice).toBeCloseTo(
      sum(({ weight }) => weight * weight),
      9,
    );
    for (let k = 0; k < loans; k++) {
      for (const [sums, factor] of [
        [outcome.loans, () => 1],
        [weighted.once, (weight: number) => weight],
        [weighted.odd, (weight: number, p: number) => (p % 2 === 1 ? weight : 0)],
        [weighted.twice, (weight: number) => weight * weight],
      ] as const) {
        const under = (of: (loan: (typeof paths)[number]['loans'][number]) => number) =>
          paths.reduce((total, path, p) => total + factor(path.weight, p) * of(path.loans[k]), 0);
        expect(sums.marginCalls[k]).toBeCloseTo(
          under(loan => Number(loan.marginCall)),
          6,
        );
        expect(sums.liquidations[k]).toBeCloseTo(
          under(loan => Number(loan.liquidation)),
          6,
        );
        expect(sums.closeouts[k]).toBeCloseTo(
          under(loan => Number(loan.closeout)),
          6,
        );
        expect(sums.underwater[k]).toBeCloseTo(
          under(loan => Number(loan.underwater)),
          6,
        );
        expect(sums.missedSteps[k]).toBeCloseTo(
          under(loan => product.termSteps[k] - loan.endStep),
          1,
        );
        expect(sums.unsoldUnits[k] / UNITS_PER_LOAN_VALUE).toBeCloseTo(
          under(loan => loan.unsoldFraction),
          6,
        );
        expect(sums.lossUnits[k] / UNITS_PER_LOAN_VALUE).toBeCloseTo(
          under(loan => loan.loss / product.loanValue[k]),
          6,
        );
        expect(sums.squares?.loss[k]).toBeCloseTo(
          under(loan => (loan.loss / product.loanValue[k]) ** 2),
          6,
        );
      }
    }
    for (const column of ['loss', 'unsold', 'sold', 'peakDay', 'calledLoans'] as const) {
      const values = paths.map(path => ({ weight: path.weight, value: path[column] }));
      const scale = Math.max(1, ...values.map(({ value }) => value));
      const { mean, quantiles, tailMeans } = summaries[column] ?? { mean: 0, quantiles: [], tailMeans: [] };
      expect(mean / scale).toBeCloseTo(
        sum(path => path.weight * path[column]) / weighted.weights.once / scale,
        8,
      );
      product.quantiles.forEach((q, i) => {
        expect(quantiles[i] / scale).toBeCloseTo(plainQuantile(values, q) / scale, 8);
        expect(tailMeans[i] / scale).toBeCloseTo(plainTailMean(values, q) / scale, 8);
      });
    }
    outcome.tails.forEach(({ contributions }, i) => {
      const total = contributions.reduce((all, each) => all + each, 0);
      expect(total / summaries.loss.tailMeans[i]).toBeCloseTo(1, 6);
    });
  });

  it('is the same for any number of threads, and in parts', async () => {
    const plan = shiftedBook(7, 301, loans, baskets);
    const [alone, together] = await Promise.all([one.run(plan), three.run(plan)]);
    expect(together).toEqual(alone);
    const engine = three;
    const merged = await engine.mergeBook(
      plan,
      () => ({
        async paths() {
          const ranges = [
            { first: 0, count: 101 },
            { first: 101, count: 200 },
          ];
          const parts = await Promise.all(
            ranges.map(range => engine.runPart(plan, { kind: 'book-paths', range })),
          );
          const width = parts[0].columns.length / ranges[0].count;
          const columns = new Float64Array(new SharedArrayBuffer(8 * width * plan.paths));
          parts.forEach((part, i) => {
            const { first, count } = ranges[i];
            for (let c = 0; c < width; c++)
              columns.set(part.columns.subarray(c * count, (c + 1) * count), c * plan.paths + first);
          });
          const all = new Float64Array(new SharedArrayBuffer(8 * 2 * parts[0].sums.length));
          parts.forEach((part, i) => {
            all.set(part.sums, i * part.sums.length);
          });
          return {
            range: { first: 0, count: plan.paths },
            columns: columns.buffer,
            sums: all.buffer,
          };
        },
        async tails(tails) {
          const part = await engine.runPart(plan, { kind: 'book-tails', ...tails });
          const contributions = new Float64Array(new SharedArrayBuffer(8 * part.contributions.length));
          contributions.set(part.contributions);
          const peakRows = new Float64Array(new SharedArrayBuffer(8 * part.peakRows.length));
          peakRows.set(part.peakRows);
          return { contributions: contributions.buffer, peakRows: peakRows.buffer };
        },
      }),
      {},
    );
    expect(merged).toEqual(alone);
  });

  it('has the figures of double precision by the SIMD kernel', async () => {
    const seeds = [9, 10, 11, 12, 13, 14];
    const plan = seeds.map(seed => shiftedBook(seed, 4001, loans, baskets)).find(simdSupports);
    if (plan === undefined) throw new Error('no book for single precision');
    const [exact, single] = await Promise.all([three.run(plan), fast.run(plan)]);
    const near = (pick: (outcome: BookOutcome) => number, least: number) => {
      const [a, b] = [pick(exact), pick(single)];
      expect(Math.abs(a - b)).toBeLessThan(2e-3 * (least + Math.abs(a)));
    };
    near(({ weighted }) => Number(weighted?.weights.odd), 0);
    near(({ weighted }) => Number(weighted?.weights.twice), 0);
    for (let k = 0; k < loans; k++) {
      near(({ weighted }) => Number(weighted?.once.marginCalls[k]), 500);
      near(({ weighted }) => Number(weighted?.twice.underwater[k]), 500);
      near(({ weighted }) => Number(weighted?.once.lossUnits[k]) / UNITS_PER_LOAN_VALUE, 10);
    }
    for (const column of ['loss', 'sold'] as const) {
      near(({ summaries }) => summaries[column].mean, 1);
      near(({ summaries }) => summaries[column].tailMeans[1], 1);
    }
  });
});

it('Terms of real loans keep their figures under weights', async () => {
  const plan = shiftedBook(3, 2000, 10, 5, randomLendingBook);
  const outcome = await three.run(plan);
  const { weighted, columns } = outcome;
  if (weighted?.once.lending === undefined || columns.weight === undefined) throw new Error('no terms');
  expect(columns.toppedUp?.some(usd => usd > 0)).toBe(true);
  expect(Math.max(...weighted.once.lending.sold)).toBeGreaterThan(0);
  // Weights have mean 1, so that sums under them are of the size of those of plain paths.
  const plainly = await three.run({
    ...plan,
    seed: 77,
    paths: 4000,
    scenarios: { ...plan.scenarios, distance: 0 },
  });
  const share = ({ loans, paths }: BookOutcome, k: number) => Number(loans.lending?.salePaths[k]) / paths;
  plan.product.loanValue.forEach((_, k) => {
    const p = share(plainly, k);
    const found = Number(weighted.once.lending?.salePaths[k]) / weighted.weights.once;
    expect(Math.abs(found - p)).toBeLessThan(5 * Math.sqrt((p * (1 - p)) / 1000) + 1e-9);
  });
});
