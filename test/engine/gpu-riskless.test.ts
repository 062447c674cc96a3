/**
 * Baskets that hold almost the same on the GPU: C/L hardly moves, or not at all, and single precision still tells on which
 * side of a threshold a path is.
 *
 * @module-tag slow
 */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '#src/core/engine.js';
import type {
  CappedLoanProduct,
  LoanProduct,
  OriginationProduct,
  Portfolio,
  SimulationPlan,
} from '#src/core/plan/simulation-plan.js';
import { isNearlyRiskless, ratioAccuracy } from '#src/core/plan/single-precision.js';
import { openTestGpuEngine } from '../support/gpu.ts';
import { differingFlags } from '../support/parity.ts';
import { sharedReference } from '../support/threads.ts';

const cpu = sharedReference(2);
let gpu: Engine;
beforeAll(async () => {
  gpu = await openTestGpuEngine();
});

/** C/L followed as itself, instead of C/L - 1, ends otherwise on some 150 of these paths at a spread of 0.003 %. */
const PATHS = 6250;
const STEPS = 240;
/** What docs/methodology.md states. */
const LARGEST_DIFFERING_SHARE = 4e-5;

const scenarios = {
  kind: 'gbm',
  assets: 3,
  annualVolatility: Float64Array.of(0.6, 0.7, 0.9),
  factor: Float64Array.of(0.6, 0, 0, 0.35, 0.7 * Math.sqrt(0.75), 0, 0.45, 0.27, 0.9 * Math.sqrt(0.66)),
} as const;

/** Collateral against loan: the second takes over a share from the first. */
const SHAPES: Readonly<Record<string, (share: number) => Portfolio>> = {
  'one asset and a little of another against it': share => ({
    collateralWeights: Float64Array.of(1 - share, share, 0),
    loanWeights: Float64Array.of(1, 0, 0),
  }),
  'the same three assets on both sides': share => ({
    collateralWeights: Float64Array.of(0.5 - share, 0.3 + share, 0.2),
    loanWeights: Float64Array.of(0.5, 0.3, 0.2),
  }),
};

/** A loan with thresholds in the middle of the range of the ratio: the worst case. */
function loanOf(portfolio: Portfolio, spread: number): SimulationPlan<LoanProduct> {
  const nominalRatio = 1 + 0.3 * spread;
  return {
    seed: 7,
    paths: PATHS,
    scenarios,
    product: {
      kind: 'loan',
      portfolio,
      steps: STEPS,
      topUpSteps: 24,
      nominalRatio,
      marginCallRatio: 1,
      liquidationRatio: 1 - spread / 2,
      recoveryRatio: nominalRatio,
    },
  };
}

/** The loan whose ln(C/L) has a standard deviation of `spread` at the end. */
function nearlyRiskless(shape: string, spread: number): SimulationPlan<LoanProduct> {
  const trial = 0.01;
  const ofTrial = ratioAccuracy(loanOf(SHAPES[shape](trial), spread))!.spread;
  // To first order the spread is proportional to the share.
  const plan = loanOf(SHAPES[shape]((trial * spread) / ofTrial), spread);
  expect(isNearlyRiskless(plan), shape).toBe(true);
  return plan;
}

const ROWS = Object.keys(SHAPES).flatMap(shape => [3e-5, 1e-7].map(spread => ({ shape, spread })));

describe.each(ROWS)('$shape, a spread of $spread', ({ shape, spread }) => {
  const plan = nearlyRiskless(shape, spread);

  it('has loans with interest and answered calls that end alike on both engines', async () => {
    const { product } = plan;
    const answers = {
      share: 0.6,
      delaySteps: 6,
      startStep: 0,
      toRatio: product.nominalRatio * (1 + spread / 5),
      nameHigh: 5,
      nameLow: 6,
    };
    const grown = { ...plan, product: { ...product, debtGrowth: 1 + spread / 5, answers } };
    const [onGpu, onCpu] = await Promise.all([gpu.trace(grown), cpu.trace(grown)]);
    const ends = [...onCpu.endStep.keys()].filter(p => onGpu.endStep[p] !== onCpu.endStep[p]);
    const amounts = [...onCpu.topUpAmount.keys()].filter(
      p => Math.abs(onGpu.topUpAmount[p] - onCpu.topUpAmount[p]) > 1e-3 * spread,
    );
    expect(onCpu.topUpAmount.filter(amount => amount > 0).length).toBeGreaterThan(PATHS / 10);
    const differing = new Set([...differingFlags(onGpu, onCpu), ...ends, ...amounts]).size;
    // An answered loan is compared with its thresholds also after the answer.
    expect(differing).toBeLessThanOrEqual(2 * LARGEST_DIFFERING_SHARE * PATHS);
  });

  it('has loans that end alike on both engines', async () => {
    const [onGpu, onCpu] = await Promise.all([gpu.trace(plan), cpu.trace(plan)]);
    const ends = [...onCpu.endStep.keys()].filter(p => onGpu.endStep[p] !== onCpu.endStep[p]);
    const differing = new Set([...differingFlags(onGpu, onCpu), ...ends]).size;
    const told = JSON.stringify({ shape, spread, differing, product: plan.product });
    expect(differing, told).toBeLessThanOrEqual(LARGEST_DIFFERING_SHARE * PATHS);
    // Every state occurs, or the equality would be trivial.
    for (const flag of [1, 2, 4, 8])
      expect(onCpu.flags.filter(flags => flags & flag).length, `flag ${flag}; ${told}`).toBeGreaterThan(50);
  });

  it.each(['path-minimum', 'liquidation', 'closeout'] as const)(
    'has the same origination candidates by %s',
    async score => {
      const { portfolio, steps, topUpSteps } = plan.product;
      const thresholds = (from: number) =>
        Float64Array.from({ length: 65 }, (_, k) => 1 + spread * (from - k / 32));
      const origination: SimulationPlan<OriginationProduct> = {
        ...plan,
        paths: 3125,
        product: {
          kind: 'origination',
          score,
          portfolio,
          steps,
          topUpSteps,
          liquidationThreshold: thresholds(-0.2),
          marginCallThreshold: thresholds(-0.1),
        },
      };
      const [onGpu, onCpu] = await Promise.all([gpu.run(origination), cpu.run(origination)]);
      const differences = onCpu.counts.map((count, k) => Math.abs(count - onGpu.counts[k]));
      const told = JSON.stringify({
        shape,
        spread,
        score,
        onGpu: [...onGpu.counts],
        onCpu: [...onCpu.counts],
      });
      expect(Math.max(...differences), told).toBeLessThanOrEqual(LARGEST_DIFFERING_SHARE * origination.paths);
      expect(Math.max(...onCpu.counts) - Math.min(...onCpu.counts), told).toBeGreaterThan(100);
    },
  );
});

describe.each(Object.keys(SHAPES))('a capped loan, %s', shape => {
  // Sold amounts are computed from C and L themselves, in single precision: their bound ends at this spread.
  const plan = nearlyRiskless(shape, 1e-3);

  it('ends alike on both engines', async () => {
    const capped: SimulationPlan<CappedLoanProduct> = {
      ...plan,
      paths: 4 * PATHS,
      product: { ...plan.product, kind: 'capped-loan', capacityPerStep: 0.05 },
    };
    const [onGpu, onCpu] = await Promise.all([gpu.trace(capped), cpu.trace(capped)]);
    const differing = differingFlags(onGpu, onCpu).length;
    const told = JSON.stringify({ shape, differing, product: capped.product });
    expect(differing, told).toBeLessThanOrEqual(LARGEST_DIFFERING_SHARE * capped.paths);
  });
});

describe('Equal baskets', () => {
  it.each(Object.keys(SHAPES))('have a ratio of exactly one: %s', async shape => {
    // Any fall or rise at all would show: the thresholds touch the ratio from both sides.
    const plan = { ...loanOf(SHAPES[shape](0), 0), paths: 2000 };
    const touching = {
      ...plan,
      product: { ...plan.product, nominalRatio: 1 + 1e-12, marginCallRatio: 1, liquidationRatio: 1 - 1e-12 },
    };
    const [onGpu, onCpu] = await Promise.all([gpu.trace(touching), cpu.trace(touching)]);
    for (const records of [onGpu, onCpu]) {
      expect(new Set(records.minimumRatio)).toEqual(new Set([1]));
      expect(new Set(records.finalRatio)).toEqual(new Set([1]));
      expect(new Set(records.endStep)).toEqual(new Set([STEPS]));
      expect(new Set(records.flags)).toEqual(new Set([0]));
    }
  });
});
