/** Loans on GBM of which every second path is shifted: against a plain one, between engines, and against known laws. */

import { describe, expect, it } from 'vitest';
import { weightedLoanFigures, weightedSums } from '#src/core/figures/loan.js';
import { shiftOf } from '#src/core/plan/model/gbm-shifted.js';
import type {
  GbmScenarios,
  GbmShiftedScenarios,
  LoanProduct,
  SimulationPlan,
} from '#src/core/plan/simulation-plan.js';
import { basketsOnPath, weightOfPath } from '#src/core/rules/models.js';
import { runSimdRange, simdSupports } from '#src/core/simd/products.js';
import type { WeightedMean } from '#src/core/stats/weighted.js';
import { openNativeKernel } from '#src/engine/native/native-kernels.js';
import { loadKernel } from '#src/engine/wasm/read-kernel.js';
import { shiftedScenarios } from '#src/models/calibration/shifted-scenarios.js';
import { firstPassageExact } from '../support/closed-forms/first-passage.ts';
import { logRatio } from '../support/closed-forms/log-ratio.ts';
import { gbmPair } from '../support/gbm.ts';
import { NATIVE_HERE } from '../support/native-kernels.ts';
import { randomLoanPlan, randomUnderWayPlan } from '../support/random-plans.ts';
import { sharedReference, sharedSimd } from '../support/threads.ts';

type LoanPlan = SimulationPlan<LoanProduct>;
type ShiftedPlan = LoanPlan & { readonly scenarios: GbmShiftedScenarios };

const reference = sharedReference(2);
const fast = sharedSimd(2);

/** The plan with every second path shifted. */
function shifted(plan: LoanPlan): ShiftedPlan {
  const { portfolio, steps } = plan.product;
  const exposed = { collateral: portfolio.collateralWeights, debt: portfolio.loanWeights };
  return { ...plan, scenarios: shiftedScenarios(plan.scenarios as GbmScenarios, exposed, steps, plan.seed) };
}

/** Weights and the sums of two quantities, path by path. */
function plainSums({ seed, scenarios, product, paths }: ShiftedPlan) {
  const sums = { weights: 0, weightSquares: 0, underwater: 0, loss: 0, lossOdd: 0, lossTwice: 0 };
  for (let p = 0; p < paths; p++) {
    const { collateral, loan } = basketsOnPath({ seed, scenarios, product }, p, product.steps);
    const ratios = collateral.map((value, t) => (product.nominalRatio * value) / loan[t]).slice(1);
    const weight = weightOfPath(seed, scenarios, p);
    const loss = Math.max(0, 1 - ratios[ratios.length - 1]);
    sums.weights += weight;
    sums.weightSquares += weight * weight;
    if (ratios.some(ratio => ratio < 1)) sums.underwater += weight;
    sums.loss += weight * loss;
    if (p % 2 === 1) sums.lossOdd += weight * loss;
    sums.lossTwice += weight * weight * loss;
  }
  return sums;
}

const SEEDS = [1, 2, 3, 4];

describe('Shifted paths by the reference', () => {
  it.each(SEEDS)(
    'have the weights and the prices of a plain loop over the normals, for plan %i',
    async seed => {
      const plan = shifted(randomLoanPlan(seed, 'gbm', 40));
      const { weighted } = await reference.run(plan);
      if (weighted === undefined) throw new Error('no weights');
      const sums = weightedSums(weighted);
      const plain = plainSums(plan);
      expect(sums.paths.once).toBeCloseTo(plain.weights, 8);
      expect(sums.paths.twice).toBeCloseTo(plain.weightSquares, 8);
      expect(sums.underwater.once).toBeCloseTo(plain.underwater, 8);
      expect(sums.loss.once).toBeCloseTo(plain.loss, 8);
      expect(sums.loss.odd).toBeCloseTo(plain.lossOdd, 8);
      expect(sums.loss.twice).toBeCloseTo(plain.lossTwice, 8);
    },
  );

  it('have weights by an exponent that is linear in the log prices', () => {
    const { weightOf, exponent } = shiftOf(shifted(randomLoanPlan(5, 'gbm', 1)).scenarios);
    for (const logReturn of [-0.4, -0.05, 0, 0.2]) {
      const weight = 2 / (1 + Math.exp(exponent.start + exponent.slope * logReturn));
      expect(weight).toBeCloseTo(weightOf(logReturn), 12);
    }
    expect(exponent.slope).not.toBe(0);
  });

  it('have unchanged paths of even number', async () => {
    const plain = randomLoanPlan(5, 'gbm', 20);
    const [even, all] = await Promise.all([reference.trace(plain), reference.trace(shifted(plain))]);
    const odd: boolean[] = [];
    for (let p = 0; p < 20; p++) {
      if (p % 2 === 0) expect(all.finalRatio[p]).toBe(even.finalRatio[p]);
      else odd.push(all.finalRatio[p] < even.finalRatio[p]);
    }
    expect(odd.every(Boolean)).toBe(true);
  });

  it('weigh 1, without a shift, where collateral and debt are the same', async () => {
    const plan = randomLoanPlan(3, 'gbm', 50);
    const { collateralWeights } = plan.product.portfolio;
    const same = shifted({
      ...plan,
      product: { ...plan.product, portfolio: { collateralWeights, loanWeights: collateralWeights } },
    });
    expect(same.scenarios.distance).toBe(0);
    expect([...shiftOf(same.scenarios).perStep].every(each => each === 0)).toBe(true);
    const { weighted } = await reference.run(same);
    expect(weightedSums(weighted ?? new Float64Array(0)).paths).toEqual({ once: 50, odd: 25, twice: 50 });
  });

  it('have the same sums in whole and in parts', async () => {
    const plan = shifted(randomLoanPlan(4, 'gbm', 3_000));
    for (const engine of [reference, fast]) {
      const chunks = engine.chunks(plan) ?? [];
      expect(chunks.length).toBeGreaterThan(2);
      const parts = [chunks.slice(0, 2), chunks.slice(2)].map(some => ({
        kind: 'chunks' as const,
        range: { first: some[0].first, count: some.reduce((sum, { count }) => sum + count, 0) },
      }));
      const answers = await Promise.all(parts.map(part => engine.runPart(plan, part)));
      expect(engine.mergeChunks(plan, answers)).toEqual(await engine.run(plan));
    }
  });
});

describe('Shifted paths by the SIMD kernel', () => {
  it.each(SEEDS)('have the sums of the reference, for plan %i', async seed => {
    const plans = [randomLoanPlan(seed, 'gbm', 3001), randomUnderWayPlan(seed, 'gbm', 501)].map(shifted);
    for (const plan of plans.filter(simdSupports)) {
      const [one, other] = await Promise.all([reference.run(plan), fast.run(plan)]);
      if (one.weighted === undefined || other.weighted === undefined) throw new Error('no weights');
      // A path or two on the other side of a threshold.
      for (const [i, sum] of one.weighted.entries()) {
        const error = Math.abs(other.weighted[i] - sum) / (4 + Math.abs(sum));
        expect(error, `sum ${i}`).toBeLessThan(2e-3);
      }
    }
  });

  it('are the same wherever a range of paths begins, and at every width', () => {
    const kernels = [loadKernel(), ...NATIVE_HERE.map(name => openNativeKernel(name))];
    for (const plan of [randomLoanPlan(2, 'gbm', 100), randomLoanPlan(4, 'gbm', 100)].map(shifted)) {
      const whole = runSimdRange(kernels[0], plan, { first: 0, count: 64 });
      for (const kernel of kernels) {
        const sums = [0, 1, 8, 21, 22, 63].map((first, i, all) =>
          runSimdRange(kernel, plan, { first, count: (all[i + 1] ?? 64) - first }),
        );
        const total = sums.reduce((sum, { weighted }) => sum + Number(weighted?.[0]), 0);
        expect(total).toBeCloseTo(Number(whole.weighted?.[0]), 9);
        expect(sums.reduce((sum, { marginCalls }) => sum + marginCalls, 0)).toBe(whole.marginCalls);
      }
    }
  });
});

/** Five coins against a dollar: assets 0 to 5, the last without volatility. */
function fiveCoins(seed: number, paths: number, nominalRatio: number, liquidationRatio = 1.1): LoanPlan {
  const n = 6;
  const annualVolatility = Float64Array.of(0.5, 0.6, 0.7, 0.8, 0.9, 0);
  const factor = new Float64Array(n * n);
  // A common factor of correlation 0.6, in the order of assets.
  for (let i = 0; i < 5; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = i === j ? 1 : 0.6;
      for (let k = 0; k < j; k++) sum -= factor[i * n + k] * factor[j * n + k];
      factor[i * n + j] = i === j ? Math.sqrt(sum) : sum / factor[j * n + j];
    }
  }
  for (let i = 0; i < 5; i++) for (let j = 0; j <= i; j++) factor[i * n + j] *= annualVolatility[i];
  return {
    seed,
    paths,
    scenarios: { kind: 'gbm', assets: n, annualVolatility, factor },
    product: {
      kind: 'loan',
      portfolio: {
        collateralWeights: Float64Array.of(0.2, 0.2, 0.2, 0.2, 0.2, 0),
        loanWeights: Float64Array.of(0, 0, 0, 0, 0, 1),
      },
      steps: 720,
      topUpSteps: 24,
      nominalRatio,
      marginCallRatio: 1.3,
      liquidationRatio,
      recoveryRatio: 1.4,
    },
  };
}

async function figuresOf(plan: LoanPlan): Promise<Readonly<Record<string, WeightedMean>>> {
  const figures = weightedLoanFigures(await fast.run(plan), plan.product);
  if (figures === undefined) throw new Error('no weights');
  return figures;
}

describe('Figures of shifted paths', () => {
  it('have a share of some 1e-4 of a basket of five assets to a tenth of itself from 20,000 paths', async () => {
    const { PrUnderwater } = await figuresOf(shifted(fiveCoins(1, 20_000, 1.9)));
    expect(PrUnderwater.mean).toBeGreaterThan(0.5e-4);
    expect(PrUnderwater.mean).toBeLessThan(2e-4);
    expect(Number(PrUnderwater.standardError)).toBeLessThan(0.1 * PrUnderwater.mean);
    expect(Number(PrUnderwater.effective)).toBeGreaterThan(100 * 20_000);
  });

  for (const { paths, tags } of [
    { paths: 40_000, tags: [] },
    { paths: 400_000, tags: ['slow'] },
  ])
    it(`agree with those of ${paths} plain paths`, { tags }, async () => {
      const plan = fiveCoins(3, paths, 1.5, 1.25);
      const figures = await figuresOf(shifted({ ...plan, paths: paths / 10 }));
      const plain = await fast.run({ ...plan, seed: 4 });
      for (const [name, hits] of [
        ['PrUnderwater', plain.underwater],
        ['PrMarginCall', plain.marginCalls],
        ['PrCloseout', plain.closeouts],
        ['PrLiquidation', plain.liquidations],
      ] as const) {
        const p = hits / plan.paths;
        const error = Math.hypot(Number(figures[name].standardError), Math.sqrt((p * (1 - p)) / plan.paths));
        expect(Math.abs(figures[name].mean - p) / error, name).toBeLessThan(3.5);
      }
    });

  it('differ from the known distribution of a pair by their stated error, over 50 seeds', {
    tags: ['slow'],
  }, async () => {
    const sigma = 0.9;
    const N = 1.7;
    const squares: number[] = [];
    const law = (ratio: number) =>
      firstPassageExact(logRatio(sigma, 0, 0), Math.log(ratio / N), 168 / 8760, 168);
    const known = { PrUnderwater: law(1), PrMarginCall: law(1.3) };
    for (let seed = 0; seed < 50; seed++) {
      const figures = await figuresOf(
        shifted({
          seed,
          paths: 4000,
          scenarios: gbmPair(sigma, 0, 0),
          product: {
            kind: 'loan',
            portfolio: { collateralWeights: Float64Array.of(1, 0), loanWeights: Float64Array.of(0, 1) },
            steps: 168,
            topUpSteps: 24,
            nominalRatio: N,
            marginCallRatio: 1.3,
            liquidationRatio: 1.1,
            recoveryRatio: 1.4,
          },
        }),
      );
      for (const [name, value] of Object.entries(known)) {
        const { mean, standardError } = figures[name];
        squares.push(((mean - value) / Number(standardError)) ** 2);
      }
    }
    const spread = squares.reduce((sum, each) => sum + each, 0) / squares.length;
    expect(Math.max(...squares)).toBeLessThan(4 ** 2);
    // The mean square of 100 standard normals lies within.
    expect(spread).toBeGreaterThan(0.65);
    expect(spread).toBeLessThan(1.45);
  });
});
