/** A device that is lost while it works. */
import { describe, expect, it } from 'vitest';
import { createGpuEngine } from '#src/engine/gpu/gpu-engine.js';
import { openDevice } from '#src/engine/gpu/open-device.js';
import { readShader } from '#src/engine/gpu/read-shader.js';
import { loanPlan } from '../shader/plans.ts';

/** Seconds of work on any device. */
const plan = loanPlan({ model: 'gbm', assets: 2, paths: 10_000_000, steps: 87_600 });

describe('a lost device', () => {
  it('refuses the running work and all that follows, and says why', async () => {
    const context = await openDevice({ allowSoftware: true });
    const engine = createGpuEngine(context, readShader);
    const work = engine.run(plan);
    setTimeout(() => context.device.destroy(), 300);
    await expect(work).rejects.toMatchObject({ reason: 'engine-unavailable' });
    expect(await context.failure).toMatchObject({ reason: 'engine-unavailable' });
    await expect(engine.run(plan)).rejects.toMatchObject({ reason: 'engine-unavailable' });
    await expect(engine.trace({ ...plan, paths: 10 })).rejects.toMatchObject({
      reason: 'engine-unavailable',
    });
  });

  it('is not told of when the engine itself was closed', async () => {
    const context = await openDevice({ allowSoftware: true });
    const engine = createGpuEngine(context, readShader);
    await engine.close();
    await expect(engine.run(plan)).rejects.toMatchObject({ reason: 'engine-unavailable' });
    const failure = context.failure.then(() => 'told');
    const later = new Promise(resolve => setTimeout(() => resolve('not told'), 100));
    expect(await Promise.race([failure, later])).toBe('not told');
  });
});
