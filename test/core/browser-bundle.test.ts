/**
 * The core in a page: one bundle, run in a JavaScript context without the globals of Node.
 *
 * The context has only what a page has and the core uses: WebGPU with its constants, timers, a clock.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createContext, runInContext } from 'node:vm';
import { build } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import type * as Core from '#src/core/index.js';
import { encodePlan } from '#src/core/plan/codec.js';
import type { LoanProduct, SimulationPlan } from '#src/core/plan/simulation-plan.js';
import { readShader } from '#src/engine/gpu-process/read-shader.js';
import { sharedReference } from '../support/threads.ts';

const entry = fileURLToPath(new URL('../../dist/core/index.js', import.meta.url));
const kernel = fileURLToPath(new URL('../../dist/engine/wasm/kernel.wasm', import.meta.url));

/** W1: one volatile collateral against one calm loan asset, hourly over thirty days. */
const W1: SimulationPlan<LoanProduct> = {
  seed: 2026,
  paths: 8_000,
  scenarios: {
    kind: 'gbm',
    assets: 2,
    annualVolatility: Float64Array.of(0.8, 0.1),
    factor: Float64Array.of(0.8, 0, 0.1 * 0.3, 0.1 * Math.sqrt(1 - 0.3 ** 2)),
  },
  product: {
    kind: 'loan',
    portfolio: { collateralWeights: Float64Array.of(1, 0), loanWeights: Float64Array.of(0, 1) },
    steps: 720,
    topUpSteps: 720,
    nominalRatio: 1.5,
    marginCallRatio: 1.3,
    liquidationRatio: 1.1,
    recoveryRatio: 1.5,
  },
};
const W1_TEXT = JSON.stringify(encodePlan(W1));
/** By density recursion (test/support/closed-forms/first-passage.ts). */
const EXACT = { PrMarginCall: 0.545359, PrLiquidation: 0.184137, PrUnderwater: 0.080363 };

let core: typeof Core;
let text: string;
let context: Record<string, unknown>;

beforeAll(async () => {
  const { outputFiles, warnings } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'core',
    platform: 'browser',
    target: 'es2022',
    logLevel: 'silent',
  });
  expect(warnings).toEqual([]);
  text = outputFiles[0].text;
  const { create, globals } = await import('webgpu');
  const { GPUBufferUsage, GPUMapMode, GPUShaderStage } = globals as Record<string, unknown>;
  context = {
    navigator: { gpu: create([]) },
    GPUBufferUsage,
    GPUMapMode,
    GPUShaderStage,
    setTimeout,
    clearTimeout,
    performance: { now: () => performance.now() },
  };
  createContext(context);
  runInContext(text, context);
  core = context.core as typeof Core;
});

/** Runs an expression in the context. */
const inContext = <T>(expression: string): T => runInContext(expression, context) as T;

/** The figures of W1 from the plan's JSON. */
async function figuresBy(engine: Core.Engine): Promise<Record<string, number>> {
  const plan = core.decodePlan(JSON.parse(W1_TEXT)) as SimulationPlan<LoanProduct>;
  expect(engine.supports(plan)).toBe(true);
  return core.loanFigures(await engine.run(plan), plan.product);
}

/** Each figure is within five standard errors of the exact one, and within one path of the reference's. */
async function expectW1(figures: Record<string, number>): Promise<void> {
  const reference = sharedReference(1);
  const outcome = await reference.run(W1);
  const expected: Record<string, number> = core.loanFigures(outcome, W1.product);
  for (const [name, exact] of Object.entries(EXACT)) {
    const error = Math.sqrt((exact * (1 - exact)) / W1.paths);
    expect(Math.abs(figures[name] - exact), name).toBeLessThan(5 * error);
    expect(Math.abs(figures[name] - expected[name]), name).toBeLessThanOrEqual(1 / W1.paths);
  }
  expect(Math.abs(figures.WorstCaseCCR / expected.WorstCaseCCR - 1)).toBeLessThan(1e-5);
  expect(Math.abs(figures.AvgLossPct - expected.AvgLossPct)).toBeLessThan(1e-4);
}

describe('The core in a page', () => {
  it('needs no global of Node', () => {
    for (const name of ['process', 'Buffer', 'require', 'setImmediate', 'global', 'module'])
      expect(inContext(`typeof ${name}`), name).toBe('undefined');
    expect(text).not.toMatch(/from\s*["']node:|require\(/);
  });

  it('computes W1 on the GPU', async () => {
    const gpu = inContext<{ gpu: GPU }>('navigator').gpu;
    const device = await core.requestContext(gpu, { allowSoftware: true });
    const engine = core.createGpuEngine(device, { loadShader: readShader });
    await expectW1(await figuresBy(engine));
    await engine.close();
  });

  it('computes W1 and its records by the SIMD kernel', async () => {
    const engine = core.createSimdEngine(readFileSync(kernel));
    await expectW1(await figuresBy(engine));
    const records = await engine.trace(core.decodePlan(JSON.parse(W1_TEXT)));
    expect(records.flags.length).toBe(W1.paths);
    const abort = new AbortController();
    const plan = core.decodePlan(JSON.parse(W1_TEXT));
    const aborted = engine.run({ ...plan, paths: 100_000 }, { signal: abort.signal });
    // The first chunk is done; the others are not begun.
    abort.abort(new Error('no longer wanted'));
    await expect(aborted).rejects.toThrow('no longer wanted');
    await engine.close();
    await expect(figuresBy(engine)).rejects.toThrow('closed');
  });
});
