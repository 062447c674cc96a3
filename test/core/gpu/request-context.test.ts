/** Which adapters are accepted, and what is asked of their devices. */
import { expect, it } from 'vitest';
import { requestContext } from '#src/core/gpu/request-context.js';
import { openTestGpu } from '../../support/gpu.ts';

const LIMITS = {
  maxStorageBufferBindingSize: 2 ** 31,
  maxBufferSize: 2 ** 64,
  maxComputeWorkgroupStorageSize: 49_152,
};
const UNUSED_LIMITS = { maxTextureDimension2D: 32_768, maxComputeInvocationsPerWorkgroup: 1024 };

interface Facts {
  readonly description: string;
  readonly isFallbackAdapter?: boolean;
  readonly features?: readonly string[];
}

/** A host with one adapter, and what was asked of it. */
function hostOf({ description, isFallbackAdapter = false, features = [] }: Facts) {
  const asked: { options?: unknown; descriptor?: GPUDeviceDescriptor } = {};
  const adapter = {
    info: { vendor: 'a vendor', architecture: '', device: '', description, isFallbackAdapter },
    limits: { ...LIMITS, ...UNUSED_LIMITS },
    features: new Set(features),
    requestDevice: async (descriptor: GPUDeviceDescriptor) => {
      asked.descriptor = descriptor;
      const lost = new Promise<never>(() => {});
      return { lost, limits: descriptor.requiredLimits, addEventListener: () => {} } as unknown as GPUDevice;
    },
  } as unknown as GPUAdapter;
  const requestAdapter = async (options?: GPURequestAdapterOptions) => {
    asked.options = options;
    return adapter;
  };
  return { gpu: { requestAdapter }, asked };
}

it('A GPU is opened with all its limits that matter, as the most powerful of its host', async () => {
  const { gpu, asked } = hostOf({ description: 'NVIDIA H200', features: ['timestamp-query', 'subgroups'] });
  const { description, workgroupSize, parallelPaths } = await requestContext(gpu, { allowSoftware: false });
  expect(description).toEqual({ backend: 'gpu', device: 'NVIDIA H200', software: false });
  expect({ workgroupSize, parallelPaths }).toEqual({ workgroupSize: 128, parallelPaths: 2 ** 18 });
  expect(asked.options).toEqual({ powerPreference: 'high-performance' });
  expect(asked.descriptor).toEqual({
    label: 'risk-engine',
    requiredFeatures: ['timestamp-query'],
    requiredLimits: { ...LIMITS, maxBufferSize: 2 ** 32 - 4 },
  });
});

it('A GPU without time stamps is opened without a feature', async () => {
  const { gpu, asked } = hostOf({ description: 'a GPU' });
  await requestContext(gpu, { allowSoftware: false });
  expect(asked.descriptor?.requiredFeatures).toEqual([]);
});

it('A host without an adapter has no GPU', async () => {
  const gpu = { requestAdapter: async () => null };
  await expect(requestContext(gpu, { allowSoftware: true })).rejects.toMatchObject({
    reason: 'engine-unavailable',
    message: 'This host has no GPU that WebGPU can use.',
  });
});

it('A null adapter is refused, also where software is allowed', async () => {
  const { gpu, asked } = hostOf({ description: 'Null-backend adapter', isFallbackAdapter: true });
  await expect(requestContext(gpu, { allowSoftware: true })).rejects.toMatchObject({
    reason: 'engine-unavailable',
    message: 'This host offers a null adapter only, which computes nothing.',
  });
  expect(asked.descriptor).toBeUndefined();
});

for (const facts of [
  { description: 'SwiftShader Device' },
  { description: 'llvmpipe (LLVM 15.0.6, 256 bits)' },
  { description: 'Microsoft Basic Render Driver (WARP)' },
  { description: 'an adapter on the processor', isFallbackAdapter: true },
]) {
  it(`A software adapter is used only where it is allowed: ${facts.description}`, async () => {
    const { gpu } = hostOf(facts);
    await expect(requestContext(gpu, { allowSoftware: false })).rejects.toMatchObject({
      reason: 'engine-unavailable',
      message: `This host has a software adapter only (${facts.description}).`,
    });
    const { description, workgroupSize } = await requestContext(gpu, { allowSoftware: true });
    expect(description).toEqual({ backend: 'gpu', device: facts.description, software: true });
    expect(workgroupSize).toBe(32);
  });
}

it('An adapter without a description is named by what it has', async () => {
  const { gpu } = hostOf({ description: '', isFallbackAdapter: true });
  await expect(requestContext(gpu, { allowSoftware: false })).rejects.toThrow(
    'This host has a software adapter only (a vendor).',
  );
  expect((await requestContext(gpu, { allowSoftware: true })).description.device).toBe('a vendor');
});

it('No shader needs an optional feature: the device of tests has time stamps at most', async () => {
  const { device } = await openTestGpu();
  expect([...device.features].filter(name => name !== 'timestamp-query')).toEqual([
    'core-features-and-limits',
  ]);
});
