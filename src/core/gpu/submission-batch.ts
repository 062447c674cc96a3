/**
 * One submission of the small runs that are ready in the same turn of the event loop. A run of a few thousand paths occupies a small part
 * of a GPU: runs in one pass run at the same time, and the driver is called once.
 */
import { type DeviceWork, encodeTogether } from './compute-pass.ts';

export class SubmissionBatch {
  private readonly device: GPUDevice;
  private readonly afterThisTurn: (callback: () => void) => void;
  private works: DeviceWork[] = [];
  private flushed: Promise<number> | undefined;

  /** @param afterThisTurn calls back at the end of the current turn of the event loop */
  constructor(device: GPUDevice, afterThisTurn: (callback: () => void) => void) {
    this.device = device;
    this.afterThisTurn = afterThisTurn;
  }

  /**
   * Submits work together with that of other runs of this turn of the event loop.
   *
   * @returns the number of works in the submission, once submitted
   */
  submit(work: DeviceWork): Promise<number> {
    this.works.push(work);
    this.flushed ??= new Promise((resolve, reject) => {
      this.afterThisTurn(() => {
        const together = this.works;
        this.works = [];
        this.flushed = undefined;
        try {
          this.device.queue.submit([encodeTogether(this.device, together)]);
          resolve(together.length);
        } catch (error) {
          reject(error);
        }
      });
    });
    return this.flushed;
  }
}
