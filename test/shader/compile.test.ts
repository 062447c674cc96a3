import { describe, expect, it } from 'vitest';
import { allKernels, type Kernel } from '#src/engine/gpu/kernels.js';
import { createPipelineCache } from '#src/engine/gpu/pipelines.js';
import { readShader } from '#src/engine/gpu/read-shader.js';
import { openTestGpu } from '../support/gpu.ts';

/** What a failing compilation says, causes included. */
async function messageOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => new Error('compiled'),
    reason => reason as Error,
  );
  return `${error.message} ${error.cause instanceof Error ? error.cause.message : ''}`;
}

const overrides = { workgroup_size: 32, assets: 2, trace: 0 };

/** Overrides under which a kernel is used. */
function variantsOf({ name, shared }: Kernel) {
  const { workgroup_size } = overrides;
  if (shared === 'none') return [{ workgroup_size }];
  const assetCounts = name.startsWith('perpetual') ? [1] : [1, 2, 32];
  return assetCounts.map(assets => ({ ...overrides, assets, trace: 1 }));
}

describe('kernels', () => {
  for (const kernel of allKernels()) {
    it(`compiles ${kernel.name}`, async () => {
      const cache = createPipelineCache(await openTestGpu(), readShader);
      for (const variant of variantsOf(kernel)) {
        const { pipeline } = await cache.get(kernel, variant);
        expect(pipeline.label).toBe(kernel.name);
      }
      (await openTestGpu()).check();
    });
  }

  it('are compiled once for the same text and overrides', async () => {
    const cache = createPipelineCache(await openTestGpu(), readShader);
    const [kernel] = allKernels();
    const [first, again, other] = await Promise.all([
      cache.get(kernel, overrides),
      cache.get(kernel, overrides),
      cache.get(kernel, { ...overrides, trace: 1 }),
    ]);
    expect(again.pipeline).toBe(first.pipeline);
    expect(other.pipeline).not.toBe(first.pipeline);
  });

  it('report an error by file and line', async () => {
    const [kernel] = allKernels();
    const broken: Kernel = { ...kernel, files: [...kernel.files, 'broken.wgsl'] };
    const load = (name: string) =>
      name === 'broken.wgsl'
        ? Promise.resolve('// Line one.\nenable f16;\nfn broken() -> u32 { return 1.5; }')
        : readShader(name);
    const context = await openTestGpu();
    const { device } = context;
    // Whether f16 is offered does not matter: the directive is moved to the top, and the fault keeps its line.
    const load16 = device.features.has('shader-f16')
      ? load
      : async (name: string) => (await load(name)).replace('enable f16;', '');
    const message = await messageOf(createPipelineCache(context, load16).get(broken, overrides));
    expect(message).toContain('broken.wgsl:3:');
  });

  it('refuse a missing and an unknown override by name', async () => {
    const cache = createPipelineCache(await openTestGpu(), readShader);
    const [kernel] = allKernels();
    const { assets: _, ...missing } = overrides;
    expect(await messageOf(cache.get(kernel, missing))).toContain('assets');
    expect(await messageOf(cache.get(kernel, { ...overrides, unheard_of: 1 }))).toContain('unheard_of');
  });
});
