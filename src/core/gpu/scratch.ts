/**
 * Buffers of any size for the time of one run: values, figures, histograms.
 *
 * Gives: buffers by name, of at least the size asked for. One buffer per name is kept between runs, and only up to a
 * bound, so that repeated requests allocate nothing and a large one leaves nothing behind. Contents are not cleared.
 */
import { RiskError } from '../errors.ts';

/** Buffers of one run; `release` hands all of them back. */
export interface ScratchRun {
  /**
   * A buffer of at least `bytes` bytes, by name and usage. Taken again it is the same buffer where that is large enough:
   * what was there before must be of no more use.
   *
   * @throws RiskError `engine-failed` for more than the device can bind
   */
  take(name: string, bytes: number, usage: GPUBufferUsageFlags): GPUBuffer;
  release(): void;
}

export interface ScratchPool {
  open(): ScratchRun;
}

/** Largest buffer that is kept between runs. */
const KEPT_BYTES = 2 ** 27;
/** Sizes are rounded up to a power of two of at least this, so that similar runs share. */
const SMALLEST_BYTES = 2 ** 12;

export function createScratchPool(device: GPUDevice): ScratchPool {
  const kept = new Map<string, GPUBuffer>();
  const limit = largestBinding(device);

  const take = (name: string, bytes: number, usage: GPUBufferUsageFlags): GPUBuffer => {
    if (bytes > limit) {
      throw new RiskError(
        'engine-failed',
        `The GPU cannot hold ${bytes} bytes in one buffer; it takes ${limit}.`,
      );
    }
    const key = `${name} ${usage}`;
    const known = kept.get(key);
    if (known !== undefined && known.size >= bytes) {
      kept.delete(key);
      return known;
    }
    const rounded = 2 ** Math.ceil(Math.log2(Math.max(bytes, SMALLEST_BYTES)));
    const size = rounded > KEPT_BYTES ? Math.min(limit, 4 * Math.ceil(bytes / 4)) : Math.min(limit, rounded);
    return device.createBuffer({ label: name, size, usage });
  };
  const giveBack = (buffer: GPUBuffer) => {
    const key = `${buffer.label} ${buffer.usage}`;
    const known = kept.get(key);
    if (buffer.size > KEPT_BYTES || (known !== undefined && known.size >= buffer.size)) {
      buffer.destroy();
    } else {
      known?.destroy();
      kept.set(key, buffer);
    }
  };
  return {
    open() {
      const taken = new Map<string, GPUBuffer>();
      return {
        take(name, bytes, usage) {
          const key = `${name} ${usage}`;
          const own = taken.get(key);
          if (own !== undefined && own.size >= bytes) return own;
          own?.destroy();
          taken.delete(key);
          const buffer = take(name, bytes, usage);
          taken.set(key, buffer);
          return buffer;
        },
        release() {
          for (const buffer of taken.values()) giveBack(buffer);
          taken.clear();
        },
      };
    },
  };
}

/** Bytes of the largest buffer that a shader can bind whole. */
export function largestBinding({ limits }: GPUDevice): number {
  return Math.min(limits.maxStorageBufferBindingSize, limits.maxBufferSize);
}
