/**
 * Small runs that are ready in the same turn of the event loop go to the queue in one submission.
 *
 * Takes: the command buffers of runs that need one each. Gives: one submission of them. A run of a few thousand paths
 * occupies a small part of a GPU; runs in one submission, with buffers of their own, run at the same time, and the
 * driver is called once. Must not know: plans, what a command buffer does.
 */
export class SubmissionBatch {
  private readonly queue: GPUQueue;
  private readonly afterThisTurn: (callback: () => void) => void;
  private commands: GPUCommandBuffer[] = [];
  private flushed: Promise<number> | undefined;

  /** @param afterThisTurn calls back once the present turn of the event loop is over */
  constructor(queue: GPUQueue, afterThisTurn: (callback: () => void) => void) {
    this.queue = queue;
    this.afterThisTurn = afterThisTurn;
  }

  /**
   * Submits commands together with those of other runs in this turn of the event loop.
   *
   * @returns once they are submitted, the number of command buffers in the submission
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
