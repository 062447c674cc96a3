/** Brings words of a buffer from the device to the host. */
import type { ScratchRun } from './scratch.ts';

/**
 * A copy of `bytes` bytes of a buffer that can be copied from, as they are after everything submitted so far.
 *
 * @param scratch lends the mappable buffer between
 * @param offset in bytes, a multiple of 4
 */
export async function readBuffer(
  device: GPUDevice,
  scratch: ScratchRun,
  buffer: GPUBuffer,
  bytes: number,
  offset = 0,
): Promise<Uint32Array<ArrayBuffer>> {
  const readback = scratch.take('readback', bytes, GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST);
  const encoder = device.createCommandEncoder({ label: 'readback' });
  encoder.copyBufferToBuffer(buffer, offset, readback, 0, bytes);
  device.queue.submit([encoder.finish()]);
  await readback.mapAsync(GPUMapMode.READ, 0, bytes);
  return mappedWords(readback, bytes);
}

/** A copy of the first `bytes` bytes of a mapped buffer, which is unmapped. */
export function mappedWords(buffer: GPUBuffer, bytes: number): Uint32Array<ArrayBuffer> {
  const words = new Uint32Array(buffer.getMappedRange(0, bytes).slice(0));
  buffer.unmap();
  return words;
}
