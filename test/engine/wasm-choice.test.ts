/** When the processor answers by the kernel and when by the reference. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ComputeChoice, type EngineSet, openEngines } from '#src/engine/open-engine.js';
import { createLogger } from '#src/log.js';
import { expectedLogFall } from '#src/plan/price-range.js';
import type { LoanProduct, SimulationPlan } from '#src/plan/simulation-plan.js';
import { randomLoanPlan, randomPerpetualPlan } from '../support/random-plans.ts';

let engines: EngineSet;
beforeAll(async () => {
  engines = await openEngines({
    compute: 'cpu',
    softwareGpu: false,
    threads: 2,
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

describe('on a host without a GPU', () => {
  it('auto takes the kernel for a loan under GBM, cpu the reference', async () => {
    const plan = randomLoanPlan(4, 'gbm', 100);
    expect(await deviceOf(plan, 'auto')).toMatch(KERNEL);
    expect(await deviceOf(plan, 'cpu')).toMatch(/, 2 threads$/);
  });

  it('auto takes the reference for what the kernel has not', async () => {
    for (const plan of [randomLoanPlan(4, 'garch', 100), randomPerpetualPlan(4, 'gbm', 100)]) {
      expect(await deviceOf(plan, 'auto'), plan.scenarios.kind).toMatch(/, 2 threads$/);
    }
  });

  it('auto takes the reference for volatilities beyond single precision', async () => {
    expect(await deviceOf(wildLoan(75), 'auto')).toMatch(KERNEL);
    expect(await deviceOf(wildLoan(90), 'auto')).toMatch(/, 2 threads$/);
  });
});
