/**
 * Opens a WebGPU device under Node, through Dawn. The only file that imports `webgpu`.
 *
 * Gives: a context, or a RiskError that says why there is none. Never takes Dawn's null backend, which accepts work
 * and does nothing, and a software adapter only where that is asked for.
 */
import { RiskError } from '../../errors.ts';
import { createGpuContext, type GpuContext } from './gpu-context.ts';

export interface OpenDeviceOptions {
  /** Whether an adapter that runs on the processor will do. */
  readonly allowSoftware: boolean;
  /** Time stamps in nanoseconds instead of steps of 65,536: for measuring. */
  readonly exactTimestamps?: boolean;
}

/** Optional features that the engine uses where they are offered. */
const WANTED_FEATURES: readonly GPUFeatureName[] = ['timestamp-query', 'subgroups'];

/** Dawn crashes when its instance is collected while a device is in use: held for the life of the process. */
const heldInstances: GPU[] = [];

/**
 * Opens the most powerful adapter of this host with all its limits.
 *
 * @throws RiskError `engine-unavailable` when there is no adapter that will do
 */
export async function openDevice({ allowSoftware, exactTimestamps }: OpenDeviceOptions): Promise<GpuContext> {
  const { create, globals } = await import('webgpu');
  // The constants (GPUBufferUsage and the like) are globals, as in a browser.
  Object.assign(globalThis, globals);
  const instance = create(exactTimestamps ? ['disable-dawn-features=timestamp_quantization'] : []);
  heldInstances.push(instance);

  const adapter = await instance.requestAdapter({ powerPreference: 'high-performance' });
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
    throw new RiskError('engine-unavailable', `This host has a software adapter only (${info.description}).`);
  }
  const device = await adapter.requestDevice({
    label: 'risk-engine',
    requiredFeatures: WANTED_FEATURES.filter(feature => adapter.features.has(feature)),
    requiredLimits: {
      maxStorageBufferBindingSize: limits.maxStorageBufferBindingSize,
      maxBufferSize: limits.maxBufferSize,
      maxComputeWorkgroupStorageSize: limits.maxComputeWorkgroupStorageSize,
      maxComputeInvocationsPerWorkgroup: limits.maxComputeInvocationsPerWorkgroup,
      maxComputeWorkgroupSizeX: limits.maxComputeWorkgroupSizeX,
      maxStorageBuffersPerShaderStage: limits.maxStorageBuffersPerShaderStage,
    },
  });
  return createGpuContext(device, { info, software });
}
