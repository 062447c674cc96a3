/** A device that is lost while it works. */
import { describe, expect, it } from 'vitest';
import { createGpuEngine } from '#src/core/gpu/gpu-engine.js';
import { openDevice } from '#src/engine/gpu-process/open-device.js';
import { nodeHost } from '#src/engine/gpu-process/read-shader.js';
import { loanPlan } from '../../support/shader-plans.ts';

const small = loanPlan({ model: 'gbm', assets: 2, paths: 100, steps: 24 });
/** Days of work on a software device, minutes on any. */
const plan = loanPlan({ model: 'gbm', assets: 2, paths: 10_000_000, steps: 87_600 });

describe('a lost device', () => {
  it('rejects the running work and all later work with the reason', async () => {
    const context = await openDevice({ allowSoftware: true });
    const engine = createGpuEngine(context, nodeHost);
    const work = expect(engine.run(plan)).rejects.toMatchObject({ reason: 'engine-unavailable' });
    // The two take turns: with the answer of the small one the large one is under way.
    await engine.run(small);
    context.device.destroy();
    await work;
    expect(await context.failure).toMatchObject({ reason: 'engine-unavailable' });
    await expect(engine.run(plan)).rejects.toMatchObject({ reason: 'engine-unavailable' });
    await expect(engine.trace({ ...plan, paths: 10 })).rejects.toMatchObject({
      reason: 'engine-unavailable',
    });
  });

  it('is not reported when the engine was closed', async () => {
    const context = await openDevice({ allowSoftware: true });
    const engine = createGpuEngine(context, nodeHost);
    await engine.close();
    await expect(engine.run(plan)).rejects.toMatchObject({ reason: 'engine-unavailable' });
    let told = false;
    void context.failure.then(() => {
      told = true;
    });
    await context.device.lost;
    await new Promise(setImmediate);
    expect(told).toBe(false);
  });
});
