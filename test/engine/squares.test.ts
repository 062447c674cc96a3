/** The sums of standard errors on every engine, against its records path by path; they merge exactly. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Engine, PathRecords } from '#src/core/engine.js';
import { quantileRanks } from '#src/core/stats/intervals.js';
import { tailRank } from '#src/core/stats/quantile.js';
import { ENGINES } from '../support/engines.ts';
import { endSums } from '../support/flags.ts';
import { randomCappedPlan, randomLoanPlan, randomValueAtRiskPlan } from '../support/random-plans.ts';

const PATHS = 3000;
const SEEDS = [1, 2, 3, 5];
/** Fewer on the GPU, whose software driver compiles a kernel for most of them. */
const seedsOf = (name: string) => (name === 'gpu' ? SEEDS.slice(0, 2) : SEEDS);
const engines: Record<string, Engine> = {};

beforeAll(async () => {
  for (const { name, open } of ENGINES) engines[name] = await open();
});

const total = (values: Float64Array, of: (value: number) => number) =>
  values.reduce((sum, value) => sum + of(value), 0);

/** Within a share of the expected sum, and of the rounding of a unit per path. */
function expectSum(got: number, expected: number, relative: number, unit: number, told: string) {
  expect(Math.abs(got - expected), `${told}: ${got} for ${expected}`).toBeLessThanOrEqual(
    relative * Math.abs(expected) + unit * PATHS,
  );
}

describe.each(ENGINES)('the $name engine', ({ name, tags }) => {
  it('sums the squares of losses and of the steps after a loan ended', { tags }, async () => {
    let losses = 0;
    for (const seed of seedsOf(name)) {
      const plan = randomLoanPlan(seed, 'gbm', PATHS);
      const engine = engines[name];
      const [outcome, records] = [await engine.run(plan), await engine.trace(plan)];
      const { nominalRatio } = plan.product;
      const loss = (ratio: number) => Math.max(0, 1 - nominalRatio * ratio);
      const told = JSON.stringify({ seed, ...plan.product });
      losses += outcome.losses;
      expect(outcome, told).toMatchObject(endSums(plan.product, records));
      expectSum(
        outcome.losses,
        total(records.finalRatio, ratio => (loss(ratio) > 0 ? 1 : 0)),
        0,
        1e-3,
        told,
      );
      // Losses are rounded to 2^-24 on the device before they are squared.
      expectSum(
        outcome.lossSquares,
        total(records.finalRatio, ratio => loss(ratio) ** 2),
        3e-6,
        2e-13,
        told,
      );
    }
    expect(losses, 'paths with a loss').toBeGreaterThan(30);
  });

  it('sums the squares of amounts called and sold, and of the number of calls', {
    tags: ['slow'],
  }, async () => {
    let sold = 0;
    for (const seed of seedsOf(name)) {
      const plan = randomCappedPlan(seed, 'gbm', PATHS);
      const [outcome, records] = [await engines[name].run(plan), await engines[name].trace(plan)];
      const told = JSON.stringify({ seed, ...plan.product });
      sold += outcome.sellers;
      expectSum(
        outcome.callAmountSquares,
        total(records.callAmount, a => a * a),
        1e-6,
        1e-12,
        told,
      );
      expectSum(
        outcome.soldAmountSquares,
        total(records.soldAmount, a => a * a),
        1e-6,
        1e-12,
        told,
      );
      // Cauchy and Schwarz, and whole numbers of calls: neither sum can be far off unnoticed.
      expect(outcome.callSquares, told).toBeGreaterThanOrEqual(outcome.calls);
      expect(Number.isInteger(outcome.callSquares), told).toBe(true);
      expect(outcome.callProducts ** 2, told).toBeLessThanOrEqual(
        outcome.callSquares * outcome.callAmountSquares * (1 + 1e-6) + 1e-12,
      );
      expect(outcome.callProducts, told).toBeGreaterThanOrEqual(outcome.callAmount * (1 - 1e-6) - 1e-9);
    }
    expect(sold, 'paths that sold').toBeGreaterThan(30);
  });
});

// The kernel leaves value at risk to the reference.
describe.each(ENGINES.filter(({ name }) => name !== 'simd'))(
  'value at risk by the $name engine',
  ({ name, tags }) => {
    it('squares the shortfalls of a tail, and finds its level and the ends of its interval', {
      tags,
    }, async () => {
      for (const seed of seedsOf(name)) {
        const plain = randomValueAtRiskPlan(seed, PATHS);
        const plan = { ...plain, product: { ...plain.product, intervalLevel: 0.9 } };
        const outcome = await engines[name].run(plan);
        const records = await engines[name].trace(plan);
        const told = JSON.stringify({ seed, ...plan.product });
        expect((await engines[name].run(plain)).horizons[0].collateral[0].low, told).toBeUndefined();
        outcome.horizons.forEach((horizon, k) => {
          const values = valuesOf(records, k, plan.product);
          for (const key of ['collateral', 'loan', 'netExposure'] as const) {
            const sorted = values[key].toSorted();
            const size = Math.max(Math.abs(sorted[0]), Math.abs(sorted[PATHS - 1]));
            plan.product.quantiles.forEach((q, i) => {
              const tail = horizon[key][i];
              const where = `${key} ${k}, q ${q}; ${told}`;
              const ranks = quantileRanks(PATHS, 1 - q, 0.9);
              for (const end of ['low', 'high'] as const) {
                const rank = ranks[end];
                const expected = rank === undefined ? undefined : sorted[rank];
                const got = tail[end];
                expect(got === undefined, where).toBe(expected === undefined);
                if (got !== undefined && expected !== undefined)
                  expect(Math.abs(got - expected), `${end} of ${where}`).toBeLessThanOrEqual(3e-7 * size);
              }
              const shortfalls = sorted.map(value => Math.max(0, tail.level - value));
              const squares = total(shortfalls, s => s * s);
              // Squares of gains are taken to 2^-23 of the largest, and the start is taken out of them.
              expectSum(tail.shortfallSquares, squares, 2e-5, 2e-6 * size * size * (1 - q), where);
              // The device has no cubes.
              if (name === 'gpu') expect(tail.shortfallCubes, where).toBeUndefined();
              else
                expectSum(
                  tail.shortfallCubes ?? Number.NaN,
                  total(shortfalls, s => s ** 3),
                  2e-5,
                  2e-6 * size ** 3 * (1 - q),
                  where,
                );
              const level = sorted[PATHS - tailRank(PATHS, q)];
              expect(Math.abs(tail.level - level), where).toBeLessThanOrEqual(3e-7 * size);
            });
          }
        });
      }
    });
  },
);

function valuesOf(
  records: PathRecords,
  k: number,
  { collateralValue, loanValue }: { collateralValue: number; loanValue: number },
) {
  const collateral = records[`collateral.${k}`].map(value => collateralValue * value);
  const loan = records[`loan.${k}`].map(value => loanValue * value);
  return { collateral, loan, netExposure: collateral.map((value, p) => value - loan[p]) };
}

it('the GPU and the reference have the same sums of calls', { tags: ['slow'] }, async () => {
  for (const seed of seedsOf('gpu')) {
    const plan = randomCappedPlan(seed, 'garch', PATHS);
    const [gpu, reference] = [await engines.gpu.run(plan), await engines.reference.run(plan)];
    const told = JSON.stringify({ seed, ...plan.product });
    // A path in 50,000 may lie within rounding of a threshold.
    expectSum(gpu.callSquares, reference.callSquares, 2e-3, 0, told);
    expectSum(gpu.callProducts, reference.callProducts, 2e-3, 1e-9, told);
    expectSum(gpu.callAmountSquares, reference.callAmountSquares, 2e-3, 1e-9, told);
    expectSum(gpu.soldAmountSquares, reference.soldAmountSquares, 2e-3, 1e-9, told);
  }
});
