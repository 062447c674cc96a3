/** The WebAssembly engine against the double-precision reference, path by path and in its figures. */
import { afterAll, describe, expect, it } from 'vitest';
import type { LoanOutcome } from '#src/core/engine.js';
import type {
  CappedLoanProduct,
  LoanProduct,
  OriginationProduct,
  SimulationPlan,
} from '#src/core/plan/simulation-plan.js';
import { cpuEngineOn } from '#src/engine/threads/cpu-engine.js';
import { openThreadPool } from '#src/engine/threads/thread-pool.js';
import { openWasmEngine } from '#src/engine/wasm/wasm-engine.js';
import {
  differingFlags,
  expectWithinContract,
  largestDifference,
  logRatioTolerance,
} from '../support/parity.ts';
import { randomCappedPlan, randomLoanPlan } from '../support/random-plans.ts';

const pool = openThreadPool(2);
const reference = cpuEngineOn(pool);
const fast = openWasmEngine(pool);
afterAll(() => pool.close());

const PATHS = 4000;
/** Paths that may differ in a flag or an end: a few in a million lie within rounding of a threshold. */
const LARGEST_DIFFERING_SHARE = 2e-5;
const seedsFrom = (first: number, count: number) => Array.from({ length: count }, (_, i) => first + i);

function allowed(paths: number): number {
  return Math.ceil(LARGEST_DIFFERING_SHARE * paths);
}

describe('a loan by the kernel', () => {
  const seeds = seedsFrom(200, 40);

  it('takes the path that the reference takes', async () => {
    const shapes = new Set<string>();
    let differing = 0;
    for (const seed of seeds) {
      const plan = randomLoanPlan(seed, 'gbm', PATHS);
      shapes.add(plan.scenarios.assets > 2 ? 'basket' : 'pair');
      const [byKernel, byReference] = await Promise.all([fast.trace(plan), reference.trace(plan)]);
      const finals = byReference.finalRatio.map(Math.log);
      const spread = Math.sqrt(finals.reduce((sum, x) => sum + x * x, 0) / PATHS);
      const bound = logRatioTolerance(spread, plan.product.steps);
      const told = JSON.stringify({ seed, spread, ...plan.product });
      for (const field of ['minimumRatio', 'finalRatio'] as const) {
        const difference = largestDifference(byKernel[field], byReference[field], Math.log);
        expect(difference, `${field}; ${told}`).toBeLessThan(bound);
      }
      const flags = differingFlags(byKernel, byReference);
      const ends = [...byReference.endStep.keys()].filter(
        p => byKernel.endStep[p] !== byReference.endStep[p],
      );
      differing += new Set([...flags, ...ends]).size;
    }
    expect(shapes).toEqual(new Set(['pair', 'basket']));
    const paths = PATHS * seeds.length;
    expect(differing, `${differing} of ${paths} paths differ`).toBeLessThanOrEqual(allowed(paths));
  });

  it('has the figures of the reference', async () => {
    for (const seed of seeds.slice(0, 12)) {
      const plan = randomLoanPlan(seed, 'gbm', 3 * PATHS);
      const [byKernel, byReference] = await Promise.all([fast.run(plan), reference.run(plan)]);
      const told = JSON.stringify({ seed, ...plan.product });
      for (const count of ['marginCalls', 'liquidations', 'closeouts', 'underwater'] as const) {
        expect(Math.abs(byKernel[count] - byReference[count]), `${count}; ${told}`).toBeLessThanOrEqual(1);
      }
      const lossPerPath = (outcome: LoanOutcome) => outcome.loss / plan.paths;
      const survival = (outcome: LoanOutcome) => outcome.openSteps / plan.paths / plan.product.steps;
      expectWithinContract(lossPerPath(byKernel), lossPerPath(byReference), 1, `loss; ${told}`);
      expectWithinContract(survival(byKernel), survival(byReference), 1, `survival; ${told}`);
      expectWithinContract(byKernel.worstCcr, byReference.worstCcr, 0, `worst CCR; ${told}`);
    }
  });

  it('sums what its paths say', async () => {
    const states = { marginCalls: 1, liquidations: 2, closeouts: 4, underwater: 8 } as const;
    const seen = { marginCalls: 0, liquidations: 0, closeouts: 0, underwater: 0 };
    for (const seed of seeds.slice(0, 12)) {
      const plan = randomLoanPlan(seed, 'gbm', 2 * PATHS + 3);
      const [outcome, records] = await Promise.all([fast.run(plan), fast.trace(plan)]);
      const told = JSON.stringify({ seed, ...plan.product });
      const { nominalRatio } = plan.product;
      for (const [name, flag] of Object.entries(states) as [keyof typeof states, number][]) {
        const count = records.flags.filter(flags => flags & flag).length;
        seen[name] += count;
        expect(outcome[name], `${name}; ${told}`).toBe(count);
      }
      expect(outcome.openSteps, told).toBe(records.endStep.reduce((a, b) => a + b, 0));
      expect(outcome.worstCcr, told).toBe(
        nominalRatio * records.minimumRatio.reduce((a, b) => Math.min(a, b)),
      );
      const loss = records.finalRatio.reduce((sum, ratio) => sum + Math.max(0, 1 - nominalRatio * ratio), 0);
      // The chunks of a run are added up one by one: the order of a sum of doubles.
      expect(Math.abs(outcome.loss - loss), told).toBeLessThan(1e-9);
    }
    // Every state is there, so that the equalities above say something.
    expect(Math.min(...Object.values(seen)), JSON.stringify(seen)).toBeGreaterThan(100);
  });
});

describe('a capped loan on paths of the kernel', () => {
  const seeds = seedsFrom(240, 12);

  it('takes the path that the reference takes', async () => {
    let differing = 0;
    for (const seed of seeds) {
      const plan = randomCappedPlan(seed, 'gbm', PATHS);
      const [byKernel, byReference] = await Promise.all([fast.trace(plan), reference.trace(plan)]);
      const told = JSON.stringify({ seed, ...plan.product });
      const differ = new Set(differingFlags(byKernel, byReference));
      differing += differ.size;
      for (const field of ['worstCcr', 'soldAmount', 'callAmount'] as const) {
        for (let p = 0; p < PATHS; p++) {
          if (differ.has(p)) continue;
          expectWithinContract(
            byKernel[field][p],
            byReference[field][p],
            1,
            `${field} of path ${p}; ${told}`,
          );
        }
      }
    }
    const paths = PATHS * seeds.length;
    expect(differing, `${differing} of ${paths} paths differ`).toBeLessThanOrEqual(allowed(paths));
  });

  it('is the loan without a cap where capacity is unlimited, and untouched where there is none', async () => {
    for (const seed of seeds) {
      const plan = randomLoanPlan(seed, 'gbm', PATHS);
      const capped = (capacityPerStep: number): SimulationPlan<CappedLoanProduct> => ({
        ...plan,
        product: { ...plan.product, kind: 'capped-loan', capacityPerStep },
      });
      const loan = await fast.run(plan);
      const { marginCalls, liquidations, closeouts, underwater, worstCcr } = loan;
      const told = JSON.stringify({ seed, ...plan.product });
      expect(await fast.run(capped(Number.POSITIVE_INFINITY)), told).toMatchObject({
        marginCalls,
        liquidations,
        closeouts,
      });
      const none = { underwater, worstCcr, sellers: 0, soldAmount: 0 };
      expect(await fast.run(capped(0)), told).toMatchObject(none);
    }
  });
});

describe('an origination scan on paths of the kernel', () => {
  const CANDIDATES = 300;
  const SCORES: readonly OriginationProduct['score'][] = ['path-minimum', 'liquidation', 'closeout'];

  function setUp(seed: number) {
    const loan = randomLoanPlan(seed, 'gbm', PATHS);
    const L = loan.product.liquidationRatio;
    const ratios = Float64Array.from({ length: CANDIDATES }, (_, k) => L * (1.0005 + 0.0012 * k));
    const M = (n: number) => (L + n) / 2;
    const scan = (score: OriginationProduct['score']): SimulationPlan<OriginationProduct> => ({
      ...loan,
      product: {
        kind: 'origination',
        portfolio: loan.product.portfolio,
        steps: loan.product.steps,
        topUpSteps: loan.product.topUpSteps,
        score,
        liquidationThreshold: ratios.map(n => (score === 'path-minimum' ? M(n) : L) / n),
        marginCallThreshold: score === 'path-minimum' ? new Float64Array(0) : ratios.map(n => M(n) / n),
      },
    });
    const loanAt = (k: number): SimulationPlan<LoanProduct> => ({
      ...loan,
      product: {
        ...loan.product,
        nominalRatio: ratios[k],
        marginCallRatio: M(ratios[k]),
        recoveryRatio: ratios[k],
      },
    });
    return { scan, loanAt, told: JSON.stringify({ seed, ...loan.product }) };
  }

  it('counts what the loan of each candidate counts, exactly', async () => {
    for (const seed of seedsFrom(260, 8)) {
      const { scan, loanAt, told } = setUp(seed);
      const [minimum, liquidation, closeout] = await Promise.all(SCORES.map(score => fast.run(scan(score))));
      for (const k of [0, 3, 17, 60, 150, CANDIDATES - 1]) {
        const loan = await fast.run(loanAt(k));
        const counts = [minimum.counts[k], liquidation.counts[k], closeout.counts[k]];
        const loans = [loan.marginCalls, loan.liquidations, loan.closeouts];
        expect(counts, `candidate ${k}; ${told}`).toEqual(loans);
      }
    }
  });

  it('counts what the reference counts, but for a path or two within rounding', async () => {
    for (const seed of seedsFrom(268, 4)) {
      const { scan, told } = setUp(seed);
      for (const score of SCORES) {
        const [byKernel, byReference] = [await fast.run(scan(score)), await reference.run(scan(score))];
        const differences = byKernel.counts.map((count, k) => Math.abs(count - byReference.counts[k]));
        // Each candidate has its own thresholds, so some candidate meets some path within rounding now and then.
        expect(Math.max(...differences), `${score}; ${told}`).toBeLessThanOrEqual(2);
        expect(differences.filter(d => d > 0).length, `${score}; ${told}`).toBeLessThan(CANDIDATES / 20);
        expect(Math.abs(Math.log(byKernel.worstRatio / byReference.worstRatio)), told).toBeLessThan(1e-5);
      }
    }
  });
});
