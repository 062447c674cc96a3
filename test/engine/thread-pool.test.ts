/** The threads of the processor: what an abort costs those who share them. */
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openThreadPool, type ThreadPool } from '#src/engine/cpu/thread-pool.js';

const WORKER = new URL('./workers/sleeper.mjs', import.meta.url);
const THREADS = 2;

let pool: ThreadPool;
beforeEach(() => {
  pool = openThreadPool(THREADS);
});
afterEach(() => pool.close());

/** `count` tasks of so many milliseconds each, and how many of them were begun and have ended. */
function sleepers(count: number, milliseconds: number, fail = false) {
  const begun = new Int32Array(new SharedArrayBuffer(4));
  const ended = new Int32Array(new SharedArrayBuffer(4));
  return { tasks: Array.from({ length: count }, () => ({ milliseconds, begun, ended, fail })), begun, ended };
}

/** Waits until so many were begun: the first task of a thread loads its module. */
async function untilBegun(begun: Int32Array, count: number): Promise<void> {
  while (Atomics.load(begun, 0) < count) await pause(1);
}

async function threadIds(): Promise<Set<unknown>> {
  return new Set(await pool.runAll(WORKER, sleepers(8, 5).tasks, undefined));
}

describe('the threads of the processor', () => {
  it('outlive an abort: the same ones go on', async () => {
    const before = await threadIds();
    expect(before.size).toBe(THREADS);
    for (let i = 0; i < 3; i++) {
      const { tasks, begun } = sleepers(8, 20);
      const abort = new AbortController();
      const run = pool.begin(WORKER, tasks, abort.signal);
      await untilBegun(begun, THREADS);
      abort.abort(new Error('enough'));
      await expect(run.answers).rejects.toThrow('enough');
      await run.ended;
    }
    expect(await threadIds()).toEqual(before);
  });

  it('answer an abort at once, and say later when the last task under way has ended', async () => {
    await threadIds();
    const { tasks, begun, ended } = sleepers(10, 300);
    const abort = new AbortController();
    const run = pool.begin(WORKER, tasks, abort.signal);
    await untilBegun(begun, THREADS);
    const aborted = performance.now();
    abort.abort(new Error('enough'));
    await expect(run.answers).rejects.toThrow('enough');
    // A task takes 300: an answer in half of that did not wait for one.
    expect(performance.now() - aborted).toBeLessThan(150);
    expect(Atomics.load(ended, 0)).toBe(0);
    await run.ended;
    expect(Atomics.load(ended, 0)).toBe(THREADS);
    expect(Atomics.load(begun, 0), 'tasks begun after the abort').toBe(THREADS);
  });

  it('begin nothing of a run that was aborted while it waited for them', async () => {
    const first = sleepers(THREADS, 100);
    const running = pool.runAll(WORKER, first.tasks, undefined);
    const second = sleepers(4, 1);
    const abort = new AbortController();
    const run = pool.begin(WORKER, second.tasks, abort.signal);
    abort.abort(new Error('enough'));
    await expect(run.answers).rejects.toThrow('enough');
    await running;
    await run.ended;
    expect(Atomics.load(second.begun, 0)).toBe(0);
    await expect(pool.runAll(WORKER, second.tasks, AbortSignal.abort(new Error('no')))).rejects.toThrow('no');
    expect(Atomics.load(second.begun, 0)).toBe(0);
  });

  it('take turns between runs, task by task', async () => {
    await threadIds();
    const long = sleepers(40, 20);
    const running = pool.runAll(WORKER, long.tasks, undefined);
    await pool.runAll(WORKER, sleepers(2, 1).tasks, undefined);
    expect(Atomics.load(long.ended, 0)).toBeLessThan(10);
    await running;
  });

  it('stop a run whose task has failed, and serve on', async () => {
    const { tasks, begun } = sleepers(20, 5, true);
    const run = pool.begin(WORKER, tasks, undefined);
    await expect(run.answers).rejects.toThrow('a task has failed');
    await run.ended;
    expect(Atomics.load(begun, 0)).toBeLessThanOrEqual(THREADS);
    expect((await threadIds()).size).toBe(THREADS);
  });

  it('are closed after the running work, aborted work included', async () => {
    const whole = sleepers(6, 20);
    const aborted = sleepers(6, 100);
    const abort = new AbortController();
    const gone = pool.runAll(WORKER, aborted.tasks, abort.signal);
    const running = pool.runAll(WORKER, whole.tasks, undefined);
    await untilBegun(aborted.begun, 1);
    const closed = pool.close();
    abort.abort(new Error('enough'));
    await expect(gone).rejects.toThrow('enough');
    await closed;
    expect(await running).toHaveLength(6);
    expect(Atomics.load(aborted.ended, 0)).toBe(Atomics.load(aborted.begun, 0));
  });
});
