/** A worker module for tests of the threads: a task whose slices never end the work, or one that ends at once. */

/** @param {{ begun: Int32Array, ends: boolean }} task `begun[0]` counts its slices */
export default function work(task) {
  Atomics.add(task.begun, 0, 1);
  return task.ends ? 'ended' : { unfinished: task };
}
