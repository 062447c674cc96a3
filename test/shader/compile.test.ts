/**
 * Every kernel compiles under every override it is used with, and faults are told by file and line.
 *
 * A device without a backend validates all of them in seconds. The software driver takes seconds to make machine code of
 * one: it does so for those that tests of engines and of shaders run (together they use every file of shaders/).
 */
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { BOOK_KERNELS } from '#src/core/gpu/book/kernels.js';
import type { GpuContext } from '#src/core/gpu/gpu-context.js';
import type { Kernel, SimulationKernel } from '#src/core/gpu/kernels.js';
import { ORDER_KERNELS } from '#src/core/gpu/order/kernels.js';
import { createPipelineCache } from '#src/core/gpu/pipelines.js';
import { simulationKernels } from '#src/core/gpu/products.js';
import { workgroupSizeOf } from '#src/core/gpu/session.js';
import { readShader } from '#src/engine/gpu-process/read-shader.js';
import { openNullGpu } from '../support/gpu.ts';

/** Messages of a failing compilation, causes included. */
async function messageOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => new Error('compiled'),
    reason => reason as Error,
  );
  return `${error.message} ${error.cause instanceof Error ? error.cause.message : ''}`;
}

const KERNELS: readonly Kernel[] = [...simulationKernels(), ...ORDER_KERNELS, ...BOOK_KERNELS];
const overrides = { workgroup_size: 32, assets: 2, trace: 0 };
/** Invocations per workgroup on a GPU, where an adapter has no more workgroup memory than WebGPU promises (core/gpu/gpu-context.ts). */
const ON_A_GPU = 128;

function kernelNamed(wanted: string): Kernel {
  const kernel = KERNELS.find(({ name }) => name === wanted);
  if (kernel === undefined) throw new Error(`no kernel ${wanted}`);
  return kernel;
}

/** Overrides under which a kernel is used on the software driver. */
function variantsOf(kernel: Kernel): readonly Record<string, number>[] {
  const { workgroup_size } = overrides;
  if (kernel.shared === 'none') return [{ workgroup_size }];
  // Numbers of an account are in workgroup memory: of many assets in smaller workgroups.
  const most = kernel.name.startsWith('account') ? 8 : 32;
  const assets = kernel.name.startsWith('perpetual') ? [1] : [2, 1, most];
  const own = 'program' in kernel ? (kernel as SimulationKernel).program.overrides : {};
  return assets.flatMap(count => [0, 1].map(trace => ({ ...overrides, ...own, assets: count, trace })));
}

/** The first of them with the workgroups of a GPU. */
function variantOnGpu(kernel: Kernel, context: GpuContext): Record<string, number> {
  const [usual] = variantsOf(kernel);
  const choice = { context, dispatch: { workgroupSize: ON_A_GPU } };
  const workgroup_size = 'program' in kernel ? workgroupSizeOf(choice, kernel as SimulationKernel) : ON_A_GPU;
  return { ...usual, workgroup_size };
}

describe('kernels', () => {
  for (const kernel of KERNELS) {
    const [usual, ...others] = variantsOf(kernel);
    const expectValid = async (variants: readonly Record<string, number>[]) => {
      const context = await openNullGpu();
      const cache = createPipelineCache(context, readShader);
      for (const variant of variants) {
        const { pipeline } = await cache.get(kernel, variant);
        expect(pipeline.label).toBe(kernel.name);
      }
      context.check();
    };
    it(`are valid: ${kernel.name}`, () => expectValid([usual]));
    it(`are valid in the workgroups of a GPU: ${kernel.name}`, { tags: ['slow'] }, async () =>
      expectValid([variantOnGpu(kernel, await openNullGpu())]),
    );
    if (others.length > 0)
      it(`are valid under the other overrides: ${kernel.name}`, { tags: ['slow'] }, () =>
        expectValid(others),
      );
  }

  it('use every file of shaders/', () => {
    const used = new Set(KERNELS.flatMap(({ files }) => files));
    const folder = fileURLToPath(new URL('../../shaders/', import.meta.url));
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    expect([...used].sort()).toEqual(files.filter(file => file.endsWith('.wgsl')).sort());
  });

  it('are compiled once for the same text and overrides', async () => {
    const cache = createPipelineCache(await openNullGpu(), readShader);
    const [kernel] = KERNELS;
    const [first, again, other] = await Promise.all([
      cache.get(kernel, overrides),
      cache.get(kernel, overrides),
      cache.get(kernel, { ...overrides, trace: 1 }),
    ]);
    expect(again.pipeline).toBe(first.pipeline);
    expect(other.pipeline).not.toBe(first.pipeline);
  });

  it('do not keep an aborted run that waits for them', async () => {
    const cache = createPipelineCache(await openNullGpu(), () => new Promise(() => {}));
    const abort = new AbortController();
    const compiled = cache.get(KERNELS[0], overrides, abort.signal);
    abort.abort(new Error('not wanted any more'));
    await expect(compiled).rejects.toThrow('not wanted any more');
  });

  it('report an error by file and line', async () => {
    const [kernel] = KERNELS;
    const broken: Kernel = { ...kernel, files: [...kernel.files, 'broken.wgsl'] };
    const load = (name: string) =>
      name === 'broken.wgsl'
        ? Promise.resolve('// Line one.\nenable f16;\nfn broken() -> u32 { return 1.5; }')
        : readShader(name);
    const context = await openNullGpu();
    const { device } = context;
    // With or without f16: the directive is moved to the top, and the line of the fault is unchanged.
    const load16 = device.features.has('shader-f16')
      ? load
      : async (name: string) => (await load(name)).replace('enable f16;', '');
    const message = await messageOf(createPipelineCache(context, load16).get(broken, overrides));
    expect(message).toContain('broken.wgsl:3:');
  });

  it('refuse a missing and an unknown override by name', async () => {
    const cache = createPipelineCache(await openNullGpu(), readShader);
    // A pair under GBM is stepped without a look at the number of assets: its kernel would miss nothing.
    const kernel = kernelNamed('loan gbm ratio');
    const { assets: _, ...missing } = overrides;
    expect(await messageOf(cache.get(kernel, missing))).toContain('assets');
    expect(await messageOf(cache.get(kernel, { ...overrides, unheard_of: 1 }))).toContain('unheard_of');
  });
});
