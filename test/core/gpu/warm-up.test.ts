/** Kernels that are compiled before anybody asks are those that are asked for. */
import { describe, expect, it, vi } from 'vitest';
import { usualPlans, warmUp } from '#src/core/gpu/warm-up.js';
import { openFreshTestGpuEngine, openTestGpu } from '../../support/gpu.ts';
import { loanPlan } from '../../support/shader-plans.ts';

describe('The warm-up of a GPU engine', () => {
  it('leaves no kernel of the usual requests to compile', { tags: ['slow'] }, async () => {
    const { device } = await openTestGpu();
    const engine = await openFreshTestGpuEngine();
    const compile = vi.spyOn(device, 'createComputePipelineAsync');
    try {
      await warmUp(engine);
      const compiled = compile.mock.calls.length;
      expect(compiled).toBeGreaterThan(usualPlans().length / 2);
      for (const assets of [2, 4])
        await engine.run(loanPlan({ model: 'gbm', assets, paths: 300, steps: 50 }));
      expect(compile.mock.calls.length).toBe(compiled);
    } finally {
      compile.mockRestore();
    }
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
