import { describe, expect, it } from 'vitest';
import { abortable, mapConcurrently, onAbort, Semaphore, sleep, unlessAborted } from '#src/core/async.js';

const turn = () => new Promise(resolve => setImmediate(resolve));
const reason = new Error('not wanted');

/** A signal that counts its listeners. */
function watchedSignal() {
  const controller = new AbortController();
  const { signal } = controller;
  let listeners = 0;
  const { addEventListener, removeEventListener } = AbortSignal.prototype;
  Object.assign(signal, {
    addEventListener: (...args: Parameters<typeof addEventListener>) => {
      listeners += 1;
      addEventListener.apply(signal, args);
    },
    removeEventListener: (...args: Parameters<typeof removeEventListener>) => {
      listeners -= 1;
      removeEventListener.apply(signal, args);
    },
  });
  return { controller, signal, listeners: () => listeners };
}

describe('onAbort', () => {
  it('calls the action once, immediately for an aborted signal, and never after its removal', () => {
    const calls: string[] = [];
    const { controller, signal } = watchedSignal();
    onAbort(signal, () => calls.push('first'));
    const forget = onAbort(signal, () => calls.push('forgotten'));
    forget();
    controller.abort(reason);
    onAbort(signal, () => calls.push('late'));
    expect(calls).toEqual(['first', 'late']);
  });
});

describe('unlessAborted', () => {
  it('returns the outcome of the work and removes its listener', async () => {
    const { signal, listeners } = watchedSignal();
    await expect(unlessAborted(Promise.resolve(3), signal)).resolves.toBe(3);
    await expect(unlessAborted(Promise.reject(reason), signal)).rejects.toBe(reason);
    expect(listeners()).toBe(0);
  });

  it('calls stop and rejects with the reason as soon as the signal is aborted', async () => {
    const { controller, signal } = watchedSignal();
    let stopped = 0;
    const waited = unlessAborted(new Promise(() => {}), signal, () => stopped++);
    controller.abort(reason);
    await expect(waited).rejects.toBe(reason);
    expect(stopped).toBe(1);
  });

  it('leaves no unhandled rejection when the signal was aborted before', async () => {
    await expect(unlessAborted(Promise.reject(new Error('late')), AbortSignal.abort(reason))).rejects.toBe(
      reason,
    );
    await turn();
  });
});

describe('abortable', () => {
  it('does not begin for an aborted signal', async () => {
    let begun = false;
    const promise = abortable(AbortSignal.abort(reason), () => {
      begun = true;
      return () => {};
    });
    await expect(promise).rejects.toBe(reason);
    expect(begun).toBe(false);
  });

  it('calls the stop function on an abort, but not once it is settled', async () => {
    const stopped: string[] = [];
    const begin = (name: string, settle: boolean) => {
      const { controller, signal, listeners } = watchedSignal();
      const promise = abortable<string>(signal, resolve => {
        if (settle) resolve(name);
        return () => stopped.push(name);
      });
      controller.abort(reason);
      return { promise, listeners };
    };
    const settled = begin('settled', true);
    await expect(settled.promise).resolves.toBe('settled');
    expect(settled.listeners()).toBe(0);
    await expect(begin('pending', false).promise).rejects.toBe(reason);
    expect(stopped).toEqual(['pending']);
  });

  it('returns a value that was passed on before an abort in the same turn', async () => {
    const { controller, signal } = watchedSignal();
    let handOver: (value: string) => void = () => {};
    const promise = abortable<string>(signal, resolve => {
      handOver = resolve;
      return () => {};
    });
    handOver('kept');
    controller.abort(reason);
    await expect(promise).resolves.toBe('kept');
  });
});

describe('sleep', () => {
  it('ends with the signal, without an error', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const slept = sleep(2 ** 30, signal);
    controller.abort(reason);
    await slept;
    await sleep(2 ** 30, signal);
    await sleep(1, undefined);
    expect(signal.aborted).toBe(true);
  });
});

describe('Semaphore', () => {
  it('grants its permits in the order of the requests', async () => {
    const semaphore = new Semaphore(1);
    const order: number[] = [];
    await semaphore.take();
    for (const i of [1, 2, 3]) void semaphore.take().then(() => order.push(i));
    semaphore.give();
    expect(semaphore.tryTake()).toBe(false);
    await turn();
    expect(order).toEqual([1]);
    semaphore.give();
    semaphore.give();
    await turn();
    expect(order).toEqual([1, 2, 3]);
    semaphore.give();
    expect([semaphore.tryTake(), semaphore.tryTake()]).toEqual([true, false]);
  });

  it('reserves no permit for a request that is aborted while it waits', async () => {
    const semaphore = new Semaphore(1);
    await semaphore.take();
    const controller = new AbortController();
    const given = semaphore.take(controller.signal);
    const next = semaphore.take();
    controller.abort(reason);
    await expect(given).rejects.toBe(reason);
    semaphore.give();
    await next;
    await expect(semaphore.take(controller.signal)).rejects.toBe(reason);
  });
});

describe('mapConcurrently', () => {
  it('returns results in the order of the items and runs no more tasks at a time than allowed', async () => {
    let working = 0;
    let most = 0;
    const results = await mapConcurrently([5, 1, 4, 2, 3], 2, undefined, async (item, rank) => {
      most = Math.max(most, ++working);
      for (let turn = 0; turn < item; turn++) await Promise.resolve();
      working--;
      return `${rank}:${item}`;
    });
    expect(results).toEqual(['0:5', '1:1', '2:4', '3:2', '4:3']);
    expect(most).toBe(2);
  });

  it('aborts the other tasks at the first failure, and throws it', async () => {
    const begun: number[] = [];
    const ended: unknown[] = [];
    const failure = new Error('the second fails');
    const running = mapConcurrently([0, 1, 2, 3], 2, undefined, (item, _, signal) => {
      begun.push(item);
      if (item === 1) return Promise.reject(failure);
      return new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => {
          ended.push(signal.reason);
          reject(signal.reason);
        }),
      );
    });
    await expect(running).rejects.toBe(failure);
    expect(begun).toEqual([0, 1]);
    expect(ended).toEqual([failure]);
  });

  it("passes the caller's signal to the tasks", async () => {
    const caller = new AbortController();
    const running = mapConcurrently([0], 1, caller.signal, (_item, _rank, signal) => {
      caller.abort(reason);
      signal.throwIfAborted();
      return Promise.resolve();
    });
    await expect(running).rejects.toBe(reason);
  });
});
