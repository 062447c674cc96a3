/**
 * Buffers of any size for the time of one run: values, figures, histograms.
 *
 * Between runs the pool stores one buffer of each name, up to a size: repeated requests allocate nothing, and the memory of a large one is
 * released. Contents are not cleared.
 */
import { largestBinding, mappedWords, refuseBeyondBinding } from './buffers.ts';
import { SLICES_IN_FLIGHT } from './slices.ts';

/** Words that the host uploads. */
export type Words = Uint32Array<ArrayBuffer> | Float32Array<ArrayBuffer>;

/** Buffers of one run. */
export interface ScratchRun {
  /**
   * A buffer of at least `bytes` bytes, by name and usage. A second call returns the same buffer, or destroys it if it is too small.
   *
   * @throws RiskError `engine-failed` for more than the device can bind
   */
  take(name: string, bytes: number, usage: GPUBufferUsageFlags): GPUBuffer;
  /**
   * A storage buffer that begins with these words.
   *
   * @param usage flags beside STORAGE and COPY_DST
   * @throws RiskError as `take`
   */
  upload(name: string, words: Words, usage?: GPUBufferUsageFlags): GPUBuffer;
  /** The fences of a run of slices (dispatcher.ts). */
  fences(name: string): GPUBuffer[];
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
      const take: ScratchRun['take'] = (name, bytes, usage) => {
        const key = `${name} ${usage}`;
        const own = taken.get(key);
        if (own !== undefined && own.size >= bytes) return own;
        own?.destroy();
        taken.delete(key);
        const buffer = pool.take(name, bytes, usage);
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
    upload(name, words, usage = 0) {
      const buffer = take(name, words.byteLength, STORAGE | COPY_DST | usage);
      queue.writeBuffer(buffer, 0, words);
      return buffer;
    },
    fences: name =>
      Array.from({ length: SLICES_IN_FLIGHT }, (_, i) => take(`${name}.fence.${i}`, 4, MAP_READ | COPY_DST)),
    async read(buffer, bytes, offset = 0) {
      const readback = take('readback', bytes, MAP_READ | COPY_DST);
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

  take(name: string, bytes: number, usage: GPUBufferUsageFlags): GPUBuffer {
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
    return this.device.createBuffer({ label: name, size, usage });
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
