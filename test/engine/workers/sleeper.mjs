/** A worker module for tests of the threads: sleeps, counts itself in shared memory, and tells its thread. */
import { threadId } from 'node:worker_threads';

/**
 * @param {{ milliseconds: number, begun: Int32Array, ended: Int32Array, fail?: boolean }} task
 */
export default function work({ milliseconds, begun, ended, fail }) {
  Atomics.add(begun, 0, 1);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
  Atomics.add(ended, 0, 1);
  if (fail) throw new Error('a task has failed');
  return threadId;
}
