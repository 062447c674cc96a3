/** Brings words of a buffer from the device to the host. */
import type { ScratchRun } from './scratch.ts';

/**
 * A copy of the first `bytes` bytes of a buffer that can be copied from, as they are after everything submitted so far.
 *
 * @param scratch lends the mappable buffer between
 */
export async function readBuffer(
  device: GPUDevice,
  scratch: ScratchRun,
  buffer: GPUBuffer,
  bytes: number,
): Promise<Uint32Array<ArrayBuffer>> {
  const readback = scratch.take('readback', bytes, GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST);
  const encoder = device.createCommandEncoder({ label: 'readback' });
  encoder.copyBufferToBuffer(buffer, 0, readback, 0, bytes);
  device.queue.submit([encoder.finish()]);
  await readback.mapAsync(GPUMapMode.READ, 0, bytes);
  const words = new Uint32Array(readback.getMappedRange(0, bytes).slice(0));
  readback.unmap();
  return words;
}
