/** A worker module for tests of the threads: counts itself in shared memory, waits at a gate, and tells its thread. */
import { threadId } from 'node:worker_threads';

/**
 * @param {{ gate: Int32Array, begun: Int32Array, ended: Int32Array, fail?: boolean }} task `gate[0]` is 1 once it is open
 * @returns the thread
 */
export default function work({ gate, begun, ended, fail }) {
  Atomics.add(begun, 0, 1);
  Atomics.wait(gate, 0, 0);
  Atomics.add(ended, 0, 1);
  if (fail) throw new Error('a task has failed');
  return { thread: threadId };
}
