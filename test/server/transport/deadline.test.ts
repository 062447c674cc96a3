/** The end of a request: its deadline, or that of its connection. */
import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { createReadiness } from '#src/server/health/probes.js';
import type { Context } from '#src/server/transport/context.js';
import { CallerGone, runDeadline, withDeadline } from '#src/server/transport/deadline.js';
import { ManualClock } from '../../support/manual-clock.ts';

const LATE = { reason: 'deadline-exceeded', message: 'The request was not finished within 20 seconds.' };

describe('The deadline of a request', () => {
  function begun() {
    const clock = new ManualClock();
    clock.advance(1500);
    const res = new EventEmitter();
    const ctx = { req: { socket: {} }, res, state: {} } as unknown as Context;
    let finish = () => {};
    const done = withDeadline(() => 20, clock)(
      ctx,
      () =>
        new Promise<void>(resolve => {
          finish = resolve;
        }),
    );
    return { clock, res, state: ctx.state, done, finish: () => finish() };
  }

  it('is so many seconds after its arrival', () => {
    const { clock, state } = begun();
    expect(state.deadline).toBe(21.5);
    clock.advance(19_999);
    expect(state.signal.aborted).toBe(false);
    clock.advance(1);
    expect(state.signal.reason).toMatchObject(LATE);
  });

  it('comes with the end of its connection', () => {
    const { res, state } = begun();
    res.emit('close');
    expect(state.signal.reason).toBeInstanceOf(CallerGone);
  });

  it('ends with its answer', async () => {
    const { clock, res, state, done, finish } = begun();
    finish();
    await done;
    expect([clock.pending, res.listenerCount('close')]).toEqual([0, 0]);
    clock.advance(60_000);
    res.emit('close');
    expect(state.signal.aborted).toBe(false);
  });
});

describe('The deadline of a question in the background', () => {
  it('begins with its run, and ends with it', () => {
    const clock = new ManualClock();
    const time = runDeadline(new AbortController().signal, 20, clock);
    time.stop();
    clock.advance(60_000);
    expect(time.signal.aborted).toBe(false);
    time.start();
    clock.advance(19_999);
    expect(time.signal.aborted).toBe(false);
    clock.advance(1);
    expect(time.signal.reason).toMatchObject(LATE);
    const other = runDeadline(new AbortController().signal, 20, clock);
    other.start();
    other.stop();
    clock.advance(60_000);
    expect([other.signal.aborted, clock.pending]).toEqual([false, 0]);
  });

  it('comes with that of its caller', () => {
    const caller = new AbortController();
    const time = runDeadline(caller.signal, 20, new ManualClock());
    caller.abort(new Error('gone'));
    expect(time.signal.reason).toEqual(new Error('gone'));
  });
});

describe('A server', () => {
  const obstacles = (gpuState: string, gpuRequired: boolean, age: number, maxDataAgeDays?: number) =>
    createReadiness({
      ...{ gpuRequired, maxDataAgeDays, dataAges: { latest: () => age } },
      engines: { gpuState } as never,
    }).obstacles();

  it.each<[Parameters<typeof obstacles>, readonly string[]]>([
    [['ready', true, 0, 1], []],
    [['failed', false, 0], []],
    [['failed', true, 0], ['gpu failed']],
    [['none', true, 1e9], ['gpu none']],
    [['ready', false, 86_400, 1], []],
    [['ready', false, 86_401, 1], ['market data too old']],
    [['ready', false, 172_800, 2], []],
    [
      ['failed', true, 1e9, 1],
      ['gpu failed', 'market data too old'],
    ],
  ])('with a GPU and data of %j has the obstacles %j', (terms, found) => {
    expect(obstacles(...terms)).toEqual(found);
  });

  it('that drains is not ready', () => {
    const readiness = createReadiness({
      ...{ gpuRequired: false, maxDataAgeDays: undefined, dataAges: { latest: () => 0 } },
      engines: { gpuState: 'none' },
    });
    expect([readiness.draining, readiness.obstacles()]).toEqual([false, []]);
    readiness.beginDraining();
    expect([readiness.draining, readiness.obstacles()]).toEqual([true, ['draining']]);
  });
});
