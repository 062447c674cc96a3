/** An open WebGPU device (of Node or a browser): its description, its first asynchronous error, and sizes of its work. */
import type { EngineDescription } from '../engine.ts';
import { RiskError } from '../errors.ts';

/** An open device with its description and its first error. */
export interface GpuContext {
  readonly device: GPUDevice;
  readonly description: EngineDescription;
  /** Invocations per workgroup of the simulation kernels, at most 256 (see shaders/kernel/sums.wgsl). */
  readonly workgroupSize: number;
  /** A dispatch of fewer paths leaves processors of the device idle. */
  readonly parallelPaths: number;
  /** Resolves with the reason once the device is lost or an uncaptured error has left its state unknown. */
  readonly failure: Promise<RiskError>;
  /** @throws RiskError `engine-unavailable` once the device is lost, `engine-failed` after an uncaptured error. */
  check(): void;
  /** Destroys the device; `failure` stays pending. */
  close(): void;
}

/** Facts about the adapter of a device. */
export interface AdapterFacts {
  readonly info: GPUAdapterInfo;
  /** True for an adapter that runs on the CPU. */
  readonly software: boolean;
}

/**
 * Creates the context of a device and listens for its errors from now on: most calls on a lost device report none.
 *
 * @param device a device without another error listener
 */
export function createGpuContext(device: GPUDevice, { info, software }: AdapterFacts): GpuContext {
  let failed: RiskError | undefined;
  let closed = false;
  let announce: (error: RiskError) => void = () => {};
  const failure = new Promise<RiskError>(resolve => {
    announce = resolve;
  });
  const fail = (error: RiskError) => {
    if (failed !== undefined || closed) return;
    failed = error;
    announce(error);
  };
  device.addEventListener('uncapturederror', event => {
    fail(new RiskError('engine-failed', 'The GPU refused an operation.', { cause: event.error }));
  });
  void device.lost.then(({ reason, message }) => {
    const cause = new Error(`Device lost (${reason}): ${message}`);
    fail(new RiskError('engine-unavailable', 'The GPU was lost.', { cause, retryAfterSeconds: 5 }));
  });

  return {
    device,
    description: { backend: 'gpu', device: deviceLine(info), software },
    // Measured on SwiftShader: pipelines compile five times faster at 32 than at 256, and run no slower.
    workgroupSize: software ? 32 : 128,
    parallelPaths: software ? 256 : 1 << 18,
    failure,
    check() {
      if (failed !== undefined) throw failed;
      if (closed) throw new RiskError('engine-unavailable', 'The GPU engine is closed.');
    },
    close() {
      closed = true;
      device.destroy();
    },
  };
}

/** Adapter and driver in one line of printable ASCII, for headers and banners. */
function deviceLine(info: GPUAdapterInfo): string {
  const parts = [info.device, info.description].filter(part => part !== '');
  const line = parts.length > 0 ? parts.join(', ') : `${info.vendor} ${info.architecture}`;
  return line.replace(/[^\x20-\x7e]/g, '?').trim();
}
