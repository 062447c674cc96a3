/**
 * Buffers of any size for the time of one run: values, figures, histograms.
 *
 * Between runs the pool stores one buffer of each name, up to a size: repeated requests allocate nothing, and the memory of a large one is
 * released. Contents are not cleared.
 */
import { RiskError } from '../errors.ts';
import { largestBinding, mappedWords, refuseBeyondBinding } from './buffers.ts';
import { SLICES_IN_FLIGHT } from './slices.ts';

/** Words that the host uploads. */
export type Words = Uint32Array<ArrayBuffer> | Float32Array<ArrayBuffer>;

/** The device has no memory left for a buffer. Only the run that asked for it fails. */
export class OutOfDeviceMemory extends RiskError {
  constructor(bytes: number, cause: GPUError) {
    super('engine-failed', `The GPU has no memory left for ${bytes} bytes.`, { cause });
  }
}

/** Buffers of one run. */
export interface ScratchRun {
  /**
   * A buffer of at least `bytes` bytes, by name and usage. A second call returns the same buffer, or destroys it if it is too small.
   *
   * @throws RiskError `engine-failed` for more than the device can bind
   * @throws OutOfDeviceMemory
   */
  take(name: string, bytes: number, usage: GPUBufferUsageFlags): Promise<GPUBuffer>;
  /**
   * A storage buffer that begins with these words.
   *
   * @param usage flags beside STORAGE and COPY_DST
   * @throws RiskError as `take`
   */
  upload(name: string, words: Words, usage?: GPUBufferUsageFlags): Promise<GPUBuffer>;
  /** The fences of a run of slices (dispatcher.ts). */
  fences(name: string): Promise<GPUBuffer[]>;
  /**
   * A copy of `bytes` bytes of a buffer with COPY_SRC after all commands submitted so far.
   *
   * @param offset in bytes, a multiple of 4
   */
  read(buffer: GPUBuffer, bytes: number, offset?: number): Promise<Uint32Array<ArrayBuffer>>;
}

/** Largest buffer that the pool stores between runs. */
const POOLED_BYTES = 2 ** 27;
/** Least size; sizes are rounded up to powers of two, so that similar runs share buffers. */
const SMALLEST_BYTES = 2 ** 12;

export function createScratchPool(device: GPUDevice) {
  const pool = new PooledBuffers(device);
  return {
    /** Lends buffers for the time of `use`. */
    async lend<T>(use: (scratch: ScratchRun) => Promise<T>): Promise<T> {
      const taken = new Map<string, GPUBuffer>();
      const take: ScratchRun['take'] = async (name, bytes, usage) => {
        const key = `${name} ${usage}`;
        const own = taken.get(key);
        if (own !== undefined && own.size >= bytes) return own;
        own?.destroy();
        taken.delete(key);
        const buffer = await pool.take(name, bytes, usage);
        taken.set(key, buffer);
        return buffer;
      };
      try {
        return await use(scratchRun(device, take));
      } finally {
        for (const buffer of taken.values()) pool.store(buffer);
      }
    },
  };
}

function scratchRun(device: GPUDevice, take: ScratchRun['take']): ScratchRun {
  const { STORAGE, COPY_DST, MAP_READ } = GPUBufferUsage;
  const { queue } = device;
  return {
    take,
    async upload(name, words, usage = 0) {
      const buffer = await take(name, words.byteLength, STORAGE | COPY_DST | usage);
      queue.writeBuffer(buffer, 0, words);
      return buffer;
    },
    fences: name =>
      Promise.all(
        Array.from({ length: SLICES_IN_FLIGHT }, (_, i) =>
          take(`${name}.fence.${i}`, 4, MAP_READ | COPY_DST),
        ),
      ),
    async read(buffer, bytes, offset = 0) {
      const readback = await take('readback', bytes, MAP_READ | COPY_DST);
      const encoder = device.createCommandEncoder({ label: 'readback' });
      encoder.copyBufferToBuffer(buffer, offset, readback, 0, bytes);
      queue.submit([encoder.finish()]);
      await readback.mapAsync(GPUMapMode.READ, 0, bytes);
      return mappedWords(readback, bytes);
    },
  };
}

/** The buffers that no run uses, one for each name and usage. */
class PooledBuffers {
  private readonly buffers = new Map<string, GPUBuffer>();
  private readonly device: GPUDevice;

  constructor(device: GPUDevice) {
    this.device = device;
  }

  async take(name: string, bytes: number, usage: GPUBufferUsageFlags): Promise<GPUBuffer> {
    refuseBeyondBinding(this.device, bytes);
    const key = `${name} ${usage}`;
    const known = this.buffers.get(key);
    if (known !== undefined && known.size >= bytes) {
      this.buffers.delete(key);
      return known;
    }
    const rounded = 2 ** Math.ceil(Math.log2(Math.max(bytes, SMALLEST_BYTES)));
    const wanted = rounded > POOLED_BYTES ? 4 * Math.ceil(bytes / 4) : rounded;
    const size = Math.min(largestBinding(this.device), wanted);
    // Error scopes are a stack of the device: popped in the same turn of the event loop.
    this.device.pushErrorScope('out-of-memory');
    const buffer = this.device.createBuffer({ label: name, size, usage });
    const refusal = await this.device.popErrorScope();
    if (refusal === null) return buffer;
    for (const unused of [buffer, ...this.buffers.values()]) unused.destroy();
    this.buffers.clear();
    throw new OutOfDeviceMemory(size, refusal);
  }

  store(buffer: GPUBuffer): void {
    const key = `${buffer.label} ${buffer.usage}`;
    const known = this.buffers.get(key);
    if (buffer.size > POOLED_BYTES || (known !== undefined && known.size >= buffer.size)) {
      buffer.destroy();
    } else {
      known?.destroy();
      this.buffers.set(key, buffer);
    }
  }
}
