/**
 * One submission of the command buffers of small runs that are ready in the same turn of the event loop. A run of a few thousand paths
 * occupies a small part of a GPU: runs in one submission run at the same time, and the driver is called once.
 */
export class SubmissionBatch {
  private readonly queue: GPUQueue;
  private readonly afterThisTurn: (callback: () => void) => void;
  private commands: GPUCommandBuffer[] = [];
  private flushed: Promise<number> | undefined;

  /** @param afterThisTurn calls back at the end of the current turn of the event loop */
  constructor(queue: GPUQueue, afterThisTurn: (callback: () => void) => void) {
    this.queue = queue;
    this.afterThisTurn = afterThisTurn;
  }

  /**
   * Submits commands together with other runs' commands of this turn of the event loop.
   *
   * @returns the number of command buffers in the submission, once submitted
   */
  submit(commands: GPUCommandBuffer): Promise<number> {
    this.commands.push(commands);
    this.flushed ??= new Promise((resolve, reject) => {
      this.afterThisTurn(() => {
        const together = this.commands;
        this.commands = [];
        this.flushed = undefined;
        try {
          this.queue.submit(together);
          resolve(together.length);
        } catch (error) {
          reject(error);
        }
      });
    });
    return this.flushed;
  }
}
