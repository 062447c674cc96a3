/** The threads of the CPU: what an abort costs those who share them. */
import { cpus } from 'node:os';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openThreadPool, type ThreadPool } from '#src/engine/threads/thread-pool.js';
import { eventually } from '../../support/eventually.ts';

const WORKER = new URL('../../support/gated-worker.mjs', import.meta.url);
const THREADS = 2;

interface Answer {
  readonly thread: number;
}

let pool: ThreadPool;
beforeEach(() => {
  pool = openThreadPool(THREADS);
});
afterEach(() => pool.close());

const counter = () => new Int32Array(new SharedArrayBuffer(4));

/** `count` tasks that end once the gate is open, and how many of them were begun and have ended. */
function gatedTasks(count: number, { fail = false } = {}) {
  const gate = counter();
  const begun = counter();
  const ended = counter();
  return {
    tasks: Array.from({ length: count }, () => ({ gate, begun, ended, fail })),
    open: () => {
      Atomics.store(gate, 0, 1);
      Atomics.notify(gate, 0);
    },
    begun: () => Atomics.load(begun, 0),
    ended: () => Atomics.load(ended, 0),
  };
}

const untilAtWork = ({ begun }: { begun(): number }) => eventually(() => begun() === THREADS);

/** The threads, each of which does a task at the same time as the others. */
async function threadIds(): Promise<Set<number>> {
  const tasks = gatedTasks(4 * THREADS);
  const answers = pool.begin(WORKER, tasks.tasks, undefined).answers as Promise<Answer[]>;
  await untilAtWork(tasks);
  tasks.open();
  return new Set((await answers).map(({ thread }) => thread));
}

describe('the threads of the CPU', () => {
  it('are named by their processor and number', () => {
    expect(pool.device).toBe(`${cpus()[0].model.trim()}, 2 threads`);
  });

  it('continue after an abort: they are the same threads', async () => {
    const before = await threadIds();
    expect(before.size).toBe(THREADS);
    for (let i = 0; i < 3; i++) {
      const tasks = gatedTasks(8);
      const abort = new AbortController();
      const run = pool.begin(WORKER, tasks.tasks, abort.signal);
      await untilAtWork(tasks);
      abort.abort(new Error('enough'));
      await expect(run.answers).rejects.toThrow('enough');
      tasks.open();
      await run.ended;
    }
    expect(await threadIds()).toEqual(before);
  });

  it('answer an abort at once, and report later when the last running task has ended', async () => {
    const tasks = gatedTasks(10);
    const abort = new AbortController();
    const run = pool.begin(WORKER, tasks.tasks, abort.signal);
    await untilAtWork(tasks);
    abort.abort(new Error('enough'));
    let over = false;
    void run.ended.then(() => {
      over = true;
    });
    // The tasks under way cannot end before the gate is open.
    await expect(run.answers).rejects.toThrow('enough');
    await new Promise(setImmediate);
    expect([tasks.ended(), over]).toEqual([0, false]);
    tasks.open();
    await run.ended;
    expect(tasks.ended()).toBe(THREADS);
    expect(tasks.begun(), 'tasks begun after the abort').toBe(THREADS);
  });

  it('do not start a run that was aborted while it waited for them', async () => {
    const first = gatedTasks(THREADS);
    const running = pool.begin(WORKER, first.tasks, undefined).answers;
    const second = gatedTasks(4);
    second.open();
    const abort = new AbortController();
    const run = pool.begin(WORKER, second.tasks, abort.signal);
    abort.abort(new Error('enough'));
    await expect(run.answers).rejects.toThrow('enough');
    first.open();
    await running;
    await run.ended;
    expect(second.begun()).toBe(0);
    const refused = pool.begin(WORKER, second.tasks, AbortSignal.abort(new Error('no')));
    await expect(refused.answers).rejects.toThrow('no');
    expect(second.begun()).toBe(0);
  });

  it('alternate between runs, task by task', async () => {
    // A task is copied when a thread is handed it; when the thread begins it depends on what else the machine does.
    const handedOut: string[] = [];
    const noted = (name: string, { tasks }: ReturnType<typeof gatedTasks>) =>
      tasks.map(task => ({
        ...task,
        get name() {
          handedOut.push(name);
          return name;
        },
      }));
    const long = gatedTasks(40);
    const running = pool.begin(WORKER, noted('long', long), undefined).answers;
    await untilAtWork(long);
    const short = gatedTasks(THREADS);
    short.open();
    const answers = pool.begin(WORKER, noted('short', short), undefined).answers;
    long.open();
    await Promise.all([answers, running]);
    // The long run has a task under way on each thread, and has asked for one more place for each.
    expect(handedOut).toHaveLength(40 + THREADS);
    expect(handedOut.lastIndexOf('short'), handedOut.join(' ')).toBeLessThan(3 * THREADS);
  });

  it('are free while long tasks run, which have threads of their own', async () => {
    const long = gatedTasks(THREADS);
    const running = pool.beginLong(WORKER, long.tasks, undefined);
    await untilAtWork(long);
    const free = await threadIds();
    expect(free.size).toBe(THREADS);
    long.open();
    const answers = (await running.answers) as Answer[];
    expect(answers.filter(({ thread }) => free.has(thread))).toEqual([]);
    await running.ended;
  });

  it('stop a run whose task has failed, and serve others', async () => {
    const tasks = gatedTasks(20, { fail: true });
    const run = pool.begin(WORKER, tasks.tasks, undefined);
    await untilAtWork(tasks);
    tasks.open();
    await expect(run.answers).rejects.toThrow('a task has failed');
    await run.ended;
    expect(tasks.begun()).toBeLessThanOrEqual(THREADS);
    expect((await threadIds()).size).toBe(THREADS);
  });

  it('are closed after the running work, aborted work included', async () => {
    const aborted = gatedTasks(6);
    const whole = gatedTasks(6);
    whole.open();
    const abort = new AbortController();
    const gone = pool.begin(WORKER, aborted.tasks, abort.signal).answers;
    const running = pool.begin(WORKER, whole.tasks, undefined).answers;
    await untilAtWork(aborted);
    const closed = pool.close();
    abort.abort(new Error('enough'));
    await expect(gone).rejects.toThrow('enough');
    aborted.open();
    await closed;
    expect(await running).toHaveLength(6);
    expect(aborted.ended()).toBe(aborted.begun());
  });
});
