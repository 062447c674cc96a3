/** Opens a GPU in any host with WebGPU. A null adapter, which computes nothing, is refused, and by default a software adapter. */
import { RiskError } from '../errors.ts';
import { createGpuContext, type GpuContext } from './gpu-context.ts';

export interface RequestContextOptions {
  /** Whether an adapter that runs on the CPU is accepted. */
  readonly allowSoftware: boolean;
}

/** An optional feature, for the time stamps of measurements. No shader needs one. */
const TIME_STAMPS: GPUFeatureName = 'timestamp-query';

/** Bytes of the largest buffer that is asked for: sizes in shaders have 32 bits, and a driver may report 2^64 - 1, which no double holds. */
const LARGEST_BUFFER = 2 ** 32 - 4;

/**
 * Opens the most powerful adapter. Beyond the default limits of WebGPU, kernels use larger buffers and more workgroup memory only.
 *
 * @param gpu `navigator.gpu`, or the object of a WebGPU implementation; the constants of WebGPU must be globals
 * @throws RiskError `engine-unavailable` when there is no suitable adapter
 */
export async function requestContext(
  gpu: Pick<GPU, 'requestAdapter'>,
  { allowSoftware }: RequestContextOptions,
): Promise<GpuContext> {
  const adapter = await gpu.requestAdapter({ powerPreference: 'high-performance' });
  if (adapter === null) {
    throw new RiskError('engine-unavailable', 'This host has no GPU that WebGPU can use.');
  }
  const { info, limits } = adapter;
  const names = `${info.vendor} ${info.architecture} ${info.device} ${info.description}`.toLowerCase();
  if (names.includes('null-backend')) {
    throw new RiskError(
      'engine-unavailable',
      'This host offers a null adapter only, which computes nothing.',
    );
  }
  const software = info.isFallbackAdapter || /swiftshader|llvmpipe|lavapipe|software|warp/.test(names);
  if (software && !allowSoftware) {
    const name = info.description || info.device || info.architecture || info.vendor;
    throw new RiskError(
      'engine-unavailable',
      `This host has a software adapter only${name === '' ? '' : ` (${name})`}.`,
    );
  }
  const device = await adapter.requestDevice({
    label: 'risk-engine',
    requiredFeatures: adapter.features.has(TIME_STAMPS) ? [TIME_STAMPS] : [],
    requiredLimits: {
      maxStorageBufferBindingSize: Math.min(limits.maxStorageBufferBindingSize, LARGEST_BUFFER),
      maxBufferSize: Math.min(limits.maxBufferSize, LARGEST_BUFFER),
      maxComputeWorkgroupStorageSize: limits.maxComputeWorkgroupStorageSize,
    },
  });
  return createGpuContext(device, { info, software });
}
