/**
 * When the CPU answers by the kernel and when by the reference.
 *
 * @module-tag slow
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RiskError } from '#src/core/errors.js';
import { expectedLogFall } from '#src/core/plan/price-range.js';
import { positionTerms } from '#src/core/plan/product/perpetual.js';
import type { LoanProduct, SimulationPlan } from '#src/core/plan/simulation-plan.js';
import { ratioAccuracy } from '#src/core/plan/single-precision.js';
import type { ComputeChoice, EngineSet } from '#src/engine/engine-set.js';
import { openEngines } from '#src/engine/open-engine.js';
import { createLogger } from '#src/host/log.js';
import { randomLoanPlan, randomPerpetualPlan } from '../support/random-plans.ts';

let engines: EngineSet;
beforeAll(async () => {
  engines = await openEngines({
    compute: 'cpu',
    softwareGpu: false,
    threads: 2,
    native: '0',
    limits: { cpu: 1e9, gpu: 1e9 },
    log: createLogger('silent'),
  });
});
afterAll(() => engines.close());

const KERNEL = /, 2 threads, WebAssembly SIMD \(single precision\)$/;

async function deviceOf(plan: SimulationPlan, choice: ComputeChoice): Promise<string> {
  const { engine } = await engines.use(plan, choice, each => each.run(plan));
  expect(engine).toMatchObject({ backend: 'cpu', software: false });
  return engine.device;
}

/** What a request for the GPU is told. */
async function refusalOf(plan: SimulationPlan): Promise<string> {
  const error: unknown = await engines.use(plan, 'gpu', each => each.run(plan)).catch((e: unknown) => e);
  if (!(error instanceof RiskError)) throw new Error(`it was not refused: ${error}`);
  return [error.message, ...error.faults.map(({ message }) => message)].join(' ');
}

/** A loan under GBM that needs a range of `logFall`, in natural logarithms: a single has 87. */
function wildLoan(logFall: number): SimulationPlan<LoanProduct> {
  const plan = randomLoanPlan(4, 'gbm', 100);
  const { scenarios } = plan;
  if (scenarios.kind !== 'gbm') throw new Error('a GBM plan was asked for');
  const multiplied = (k: number): SimulationPlan<LoanProduct> => ({
    ...plan,
    scenarios: {
      ...scenarios,
      annualVolatility: scenarios.annualVolatility.map(sigma => sigma * k),
      factor: scenarios.factor.map(entry => entry * k),
    },
  });
  let k = 1;
  while (expectedLogFall(multiplied(k)) < logFall) k *= 1.01;
  return multiplied(k);
}

/** A basket that is one asset but for a share of another, against that asset. */
function tightLoan(share: number): SimulationPlan<LoanProduct> {
  const annualVolatility = Float64Array.of(0.6, 0.7);
  const factor = Float64Array.of(0.6, 0, 0.35, 0.7 * Math.sqrt(0.75));
  const plan = randomLoanPlan(4, 'gbm', 100_000);
  const { product } = plan;
  const portfolio = {
    collateralWeights: Float64Array.of(1 - share, share),
    loanWeights: Float64Array.of(1, 0),
  };
  const term = { ...product, portfolio, steps: 720, topUpSteps: 24 };
  const scenarios = { kind: 'gbm', assets: 2, annualVolatility, factor } as const;
  const { spread } = ratioAccuracy({ ...plan, scenarios, product: term })!;
  // Thresholds in the middle of what the ratio does: the worst place for them.
  const nominalRatio = 1 + 0.3 * spread;
  const ratios = { nominalRatio, marginCallRatio: 1, liquidationRatio: 1 - spread / 2 };
  return { ...plan, scenarios, product: { ...term, ...ratios, recoveryRatio: nominalRatio } };
}

describe('on a host without a GPU', () => {
  it('reports that there is none', () => expect(engines.gpuState).toBe('none'));

  it('auto selects the kernel for a loan under GBM, cpu the reference', async () => {
    const plan = tightLoan(0.5);
    expect(await deviceOf(plan, 'auto')).toMatch(KERNEL);
    expect(await deviceOf(plan, 'cpu')).toMatch(/, 2 threads$/);
  });

  it('auto selects the kernel for other models and products', async () => {
    for (const plan of [randomLoanPlan(4, 'garch', 100), randomPerpetualPlan(4, 'gbm', 100)]) {
      expect(await deviceOf(plan, 'auto'), plan.scenarios.kind).toMatch(KERNEL);
    }
  });

  it('auto selects the reference for windows of history, which the kernel does not support', async () => {
    expect(await deviceOf(randomLoanPlan(4, 'historical', 100), 'auto')).toMatch(/, 2 threads$/);
  });

  it('auto selects the reference for volatilities beyond single precision', async () => {
    expect(await deviceOf(wildLoan(75), 'auto')).toMatch(KERNEL);
    expect(await deviceOf(wildLoan(90), 'auto')).toMatch(/, 2 threads$/);
  });

  it('auto selects the reference for baskets that hardly move against each other', async () => {
    expect(await deviceOf(tightLoan(0.12), 'auto')).toMatch(KERNEL);
    expect(await deviceOf(tightLoan(0.11), 'auto')).toMatch(/, 2 threads$/);
  });

  it('auto selects the reference for a position of more than 1,000 times its equity, and gpu refuses it', async () => {
    const plan = randomPerpetualPlan(4, 'gbm', 100);
    const { product } = plan;
    const { exposure } = positionTerms(product);
    const leveraged = (times: number) => {
      const scale = Math.abs(exposure) / times;
      const terms = {
        initialMargin: product.initialMargin * scale,
        unrealizedPnl: product.unrealizedPnl * scale,
      };
      return { ...plan, product: { ...product, ...terms, settlements: new Uint32Array(product.steps) } };
    };
    expect(await deviceOf(leveraged(900), 'auto')).toMatch(KERNEL);
    expect(await deviceOf(leveraged(1100), 'auto')).toMatch(/, 2 threads$/);
    expect(await refusalOf(leveraged(1100))).toContain('single precision holds 1e-20 to 1000 times');
  });

  it('gpu refuses a capped sale where single precision is too coarse for its proceeds', async () => {
    const capped = (share: number): SimulationPlan => {
      const plan = tightLoan(share);
      return { ...plan, product: { ...plan.product, kind: 'capped-loan', capacityPerStep: 0.05 } };
    };
    const spreadOf = (share: number) => ratioAccuracy(capped(share))!.spread;
    expect(spreadOf(0.003)).toBeLessThan(0.001);
    expect(await refusalOf(capped(0.003))).toContain(
      'does not tell what a sale brings: x-compute must be auto or cpu',
    );
    // What is left to say is that there is no GPU here.
    expect(spreadOf(0.01)).toBeGreaterThan(0.001);
    expect(await refusalOf(capped(0.01))).toContain('This server has no GPU');
    expect(await refusalOf(tightLoan(0.003))).toContain('This server has no GPU');
  });

  it('flags differ in at most a few paths in a million at the limit of the kernel', async () => {
    const plan = tightLoan(0.12);
    const figures = ['marginCalls', 'liquidations', 'closeouts', 'underwater'] as const;
    const reference = await engines.reference.run(plan);
    const { value } = await engines.use(plan, 'auto', each => each.run(plan));
    for (const figure of figures) {
      // Seen with 400,000 paths: 5 in a million. 2e-5 is the bound between the engines everywhere in these tests.
      const difference = Math.abs(value[figure] - reference[figure]) / plan.paths;
      expect(difference, figure).toBeLessThanOrEqual(2e-5);
      expect(reference[figure], figure).toBeGreaterThan(100);
    }
  });
});
