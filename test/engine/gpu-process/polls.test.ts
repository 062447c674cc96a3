/** Pauses between the polls of Dawn's binding. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Polling, type Polls, pauseBetweenPolls } from '#src/engine/gpu-process/polls.js';
import { openTestGpu } from '../../support/gpu.ts';

/** A compilation that the test ends. */
interface Compilation {
  readonly resolve: (pipeline: GPUComputePipeline) => void;
  readonly reject: (error: Error) => void;
}

const PIPELINE = { label: 'loan gbm' } as GPUComputePipeline;
const DESCRIPTOR = { label: 'loan gbm' } as GPUComputePipelineDescriptor;

describe('Polls of the binding', () => {
  let host: Polling['host'];
  let device: Polling['device'];
  let polls: Polls;
  let compilations: Compilation[];
  let milliseconds: number;
  const immediately = vi.fn();
  const later = vi.fn();
  const compile = () => device.createComputePipelineAsync.call(device as GPUDevice, DESCRIPTOR);

  /** As the binding makes it: a function of native code with a prototype. It asks for another poll `times` times. */
  const poll = Object.assign(
    () => {
      if (times-- > 0) host.setImmediate(poll);
    },
    { prototype: {} },
  );
  let times: number;

  /** The pauses between polls that are a quarter of a millisecond apart, of a new wait of so many polls. */
  const pausesOf = (count: number): string[] => {
    times = count;
    const kinds: string[] = [];
    host.setImmediate(poll);
    for (;;) {
      const isLater = later.mock.calls.length > 0;
      const { calls } = isLater ? later.mock : immediately.mock;
      if (calls.length === 0) return kinds;
      const [action, ...given] = calls[0] as [() => void, ...unknown[]];
      kinds.push(isLater ? `pause of ${given[0]}` : 'none');
      immediately.mockClear();
      later.mockClear();
      milliseconds += 0.25;
      action();
    }
  };

  beforeEach(() => {
    compilations = [];
    milliseconds = 1000;
    const asText = Function.prototype.toString;
    vi.spyOn(Function.prototype, 'toString').mockImplementation(function (this: unknown) {
      return this === poll ? 'function () { [native code] }' : asText.call(this);
    });
    host = { setImmediate: immediately as never, setTimeout: later as never };
    device = {
      createComputePipelineAsync: vi.fn(
        () => new Promise<GPUComputePipeline>((resolve, reject) => compilations.push({ resolve, reject })),
      ),
    };
    polls = pauseBetweenPolls({ host, device, now: () => milliseconds });
  });

  afterEach(() => {
    vi.restoreAllMocks();
    immediately.mockReset();
    later.mockReset();
  });

  it('have no pauses on hardware without a compilation', () => {
    expect(pausesOf(6)).toEqual(Array(7).fill('none'));
  });

  const FOUR_AT_ONCE = ['none', 'none', 'none', 'none'];
  it('have pauses of a millisecond after the first one while a kernel compiles, in each wait anew', () => {
    void compile();
    for (const _ of [1, 2]) expect(pausesOf(5)).toEqual([...FOUR_AT_ONCE, 'pause of 1', 'pause of 1']);
  });

  it('have none after the last compilation, ended or failed', async () => {
    const first = compile();
    const second = compile();
    compilations[0].resolve(PIPELINE);
    expect(await first).toBe(PIPELINE);
    expect(pausesOf(4)).toContain('pause of 1');
    compilations[1].reject(new Error('not valid'));
    await expect(second).rejects.toThrow('not valid');
    expect(pausesOf(4)).toEqual(Array(5).fill('none'));
  });

  it('have pauses in every wait of a software driver', () => {
    polls.pauseAlways = true;
    expect(pausesOf(5)).toEqual([...FOUR_AT_ONCE, 'pause of 1', 'pause of 1']);
  });

  it('are apart from other calls, which stay immediate with their arguments', () => {
    polls.pauseAlways = true;
    void pausesOf(5);
    const action = (_count: number, _name: string) => {};
    host.setImmediate(action, 1, 'two');
    expect(immediately).toHaveBeenLastCalledWith(action, 1, 'two');
    void new Promise(host.setImmediate);
    expect(immediately).toHaveBeenCalledTimes(2);
    expect(later).not.toHaveBeenCalled();
  });

  it('are recognised as the binding makes them', async () => {
    const { device: own } = await openTestGpu();
    // With its end no poll is due that was asked for before the spy.
    await own.queue.onSubmittedWorkDone();
    const calls = vi.spyOn(globalThis, 'setImmediate');
    await own.queue.onSubmittedWorkDone();
    const actions = calls.mock.calls.map(([action]) => action);
    expect(actions.length).toBeGreaterThan(0);
    vi.restoreAllMocks();
    expect(actions.every(action => 'prototype' in action && /native code/.test(`${action}`))).toBe(true);
  });
});
