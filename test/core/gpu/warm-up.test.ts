/** Kernels that are compiled before anybody asks are those that are asked for. */
import { describe, expect, it, vi } from 'vitest';
import { createGpuEngine } from '#src/core/gpu/gpu-engine.js';
import { usualPlans, warmUp } from '#src/core/gpu/warm-up.js';
import { nodeHost } from '#src/engine/gpu-process/read-shader.js';
import { openFreshNullGpu } from '../../support/gpu.ts';
import { loanPlan } from '../../support/shader-plans.ts';

/** An engine on a device of its own that computes nothing, and how many kernels it has compiled. */
async function counted() {
  const context = await openFreshNullGpu();
  const compile = vi.spyOn(context.device, 'createComputePipelineAsync');
  return { engine: createGpuEngine(context, nodeHost), compiled: () => compile.mock.calls.length };
}

describe('The warm-up of a GPU engine', () => {
  it('leaves no kernel of the usual requests to compile', async () => {
    const { engine, compiled } = await counted();
    await warmUp(engine);
    expect(compiled()).toBeGreaterThan(usualPlans().length / 2);
    const after = compiled();
    const cold = await counted();
    for (const assets of [2, 4]) {
      const before = cold.compiled();
      const plan = loanPlan({ model: 'gbm', assets, paths: 300, steps: 50 });
      // What a run has compiled counts, not how it ends.
      for (const each of [engine, cold.engine]) await each.run(plan).catch(() => {});
      expect(cold.compiled()).toBeGreaterThan(before);
    }
    expect(compiled()).toBe(after);
  });

  it('continues after a kernel that fails', async () => {
    const asked: unknown[] = [];
    await warmUp({
      run: async plan => {
        asked.push(plan);
        throw new Error('this driver cannot compile it');
      },
    });
    expect(asked).toEqual(usualPlans());
  });
});
