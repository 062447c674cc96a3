/** Sizes of buffers, and words of mapped ones. */
import { RiskError } from '../errors.ts';

/** Bytes of the largest buffer that a shader can bind whole. */
export function largestBinding({ limits }: GPUDevice): number {
  return Math.min(limits.maxStorageBufferBindingSize, limits.maxBufferSize);
}

/** @throws RiskError `engine-failed` for more bytes than the device can bind */
export function refuseBeyondBinding(device: GPUDevice, bytes: number): void {
  const limit = largestBinding(device);
  if (bytes > limit) {
    throw new RiskError(
      'engine-failed',
      `The GPU cannot hold ${bytes} bytes in one buffer; it takes ${limit}.`,
    );
  }
}

/** A copy of the first `bytes` bytes of a mapped buffer, which is unmapped. */
export function mappedWords(buffer: GPUBuffer, bytes: number): Uint32Array<ArrayBuffer> {
  const words = new Uint32Array(buffer.getMappedRange(0, bytes).slice(0));
  buffer.unmap();
  return words;
}
