import { describe, expect, it } from 'vitest';
import { BOOK_KERNELS } from '#src/core/gpu/book/kernels.js';
import type { Kernel } from '#src/core/gpu/kernels.js';
import { ORDER_KERNELS } from '#src/core/gpu/order/kernels.js';
import { createPipelineCache } from '#src/core/gpu/pipelines.js';
import { simulationKernels } from '#src/core/gpu/products.js';
import { readShader } from '#src/engine/gpu-process/read-shader.js';
import { openTestGpu } from '../support/gpu.ts';

/** What a failing compilation says, causes included. */
async function messageOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => new Error('compiled'),
    reason => reason as Error,
  );
  return `${error.message} ${error.cause instanceof Error ? error.cause.message : ''}`;
}

const KERNELS: readonly Kernel[] = [...simulationKernels(), ...ORDER_KERNELS, ...BOOK_KERNELS];
const overrides = { workgroup_size: 32, assets: 2, trace: 0 };

function kernelNamed(wanted: string): Kernel {
  const kernel = KERNELS.find(({ name }) => name === wanted);
  if (kernel === undefined) throw new Error(`no kernel ${wanted}`);
  return kernel;
}

/** Overrides under which a kernel is used, by the run that compiles it: two assets always, one and many in the full run. */
function variantsOf({ name, shared }: Kernel) {
  const { workgroup_size } = overrides;
  const withAssets = (assets: number) => ({ ...overrides, assets, trace: 1 });
  if (shared === 'none') return { quick: [{ workgroup_size }], full: [] };
  if (name.startsWith('perpetual')) return { quick: [withAssets(1)], full: [] };
  return { quick: [withAssets(2)], full: [withAssets(1), withAssets(32)] };
}

async function expectCompiles(kernel: Kernel, variants: readonly Record<string, number>[]): Promise<void> {
  const context = await openTestGpu();
  const cache = createPipelineCache(context, readShader);
  for (const variant of variants) {
    const { pipeline } = await cache.get(kernel, variant);
    expect(pipeline.label).toBe(kernel.name);
  }
  context.check();
}

describe('kernels', () => {
  for (const kernel of KERNELS) {
    const { quick, full } = variantsOf(kernel);
    it(`compiles ${kernel.name}`, () => expectCompiles(kernel, quick));
    if (full.length > 0)
      it(`compiles ${kernel.name} for one asset and for many`, { tags: ['slow'] }, () =>
        expectCompiles(kernel, full),
      );
  }

  it('are compiled once for the same text and overrides', async () => {
    const cache = createPipelineCache(await openTestGpu(), readShader);
    const [kernel] = KERNELS;
    const [first, again, other] = await Promise.all([
      cache.get(kernel, overrides),
      cache.get(kernel, overrides),
      cache.get(kernel, { ...overrides, trace: 1 }),
    ]);
    expect(again.pipeline).toBe(first.pipeline);
    expect(other.pipeline).not.toBe(first.pipeline);
  });

  it('report an error by file and line', async () => {
    const [kernel] = KERNELS;
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
    // A pair under GBM is stepped without a look at the number of assets: its kernel would miss nothing.
    const kernel = kernelNamed('loan gbm ratio');
    const { assets: _, ...missing } = overrides;
    expect(await messageOf(cache.get(kernel, missing))).toContain('assets');
    expect(await messageOf(cache.get(kernel, { ...overrides, unheard_of: 1 }))).toContain('unheard_of');
  });
});
