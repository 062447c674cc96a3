/**
 * Opens a WebGPU device under Node, through Dawn. The only file that imports `webgpu`.
 *
 * Gives: a context, or a RiskError with the reason (core/gpu/request-context.ts).
 */
import { RiskError } from '../../core/errors.ts';
import type { GpuContext } from '../../core/gpu/gpu-context.ts';
import { type RequestContextOptions, requestContext } from '../../core/gpu/request-context.ts';
import { isMissingPackage } from '../../host/missing-package.ts';
import { type Polls, pauseBetweenPolls } from './polls.ts';

export interface OpenDeviceOptions extends RequestContextOptions {
  /** Time stamps in nanoseconds instead of steps of 65,536: for measuring. */
  readonly exactTimestamps?: boolean;
  /** Prints the kernels as a driver without workarounds gets them: for looking at machine code. */
  readonly dumpShaders?: boolean;
}

/** -x and |x| as operations on bits: what Dawn writes for a fault of AMD's compiler in Mesa before 25.3. */
const WORKAROUNDS_FOR_AMD = ['spirv_polyfill_float_negation', 'spirv_polyfill_float_abs'];

/** Those of the binding in this process. */
let polls: Polls | undefined;

/** Instances of Dawn, which crashes when one is collected while a device is in use. */
const instances: GPU[] = [];

/**
 * Opens the most powerful adapter of this host.
 *
 * @throws RiskError `engine-unavailable` when there is no suitable adapter, or no package `webgpu`
 */
export async function openDevice({
  allowSoftware,
  exactTimestamps,
  dumpShaders,
}: OpenDeviceOptions): Promise<GpuContext> {
  const { create, globals } = await import('webgpu').catch((error: unknown) => {
    if (!isMissingPackage(error, 'webgpu')) throw error;
    throw new RiskError(
      'engine-unavailable',
      'The package webgpu is not installed here; the image for the CPU leaves it out.',
    );
  });
  // The constants (GPUBufferUsage and the like) are globals, as in a browser.
  Object.assign(globalThis, globals);
  polls ??= pauseBetweenPolls({
    host: globalThis,
    device: GPUDevice.prototype,
    now: () => performance.now(),
  });
  const off = [
    ...(exactTimestamps ? ['timestamp_quantization'] : []),
    ...(dumpShaders ? WORKAROUNDS_FOR_AMD : []),
  ];
  const instance = create([
    ...(off.length > 0 ? [`disable-dawn-features=${off.join(',')}`] : []),
    ...(dumpShaders ? ['enable-dawn-features=dump_shaders'] : []),
  ]);
  instances.push(instance);
  const context = await requestContext(instance, { allowSoftware });
  polls.pauseAlways = context.description.software;
  return context;
}
