/** The memory that value at risk borrows: who gets which part of it, and when. */
import { describe, expect, it } from 'vitest';
import { ValueMemory, type ValueRange } from '#src/engine/threads/value-memory.js';

const LENGTH = 6400;
/** The most that counts as small in a block of that length. */
const SMALL = 100;

/** The place of a range in its block, in doubles. */
const placeOf = ({ values }: ValueRange) => values.byteOffset / 8;

/** Whether a promise is settled by now. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  const pending = Symbol('pending');
  const turn = new Promise(resolve => setImmediate(() => resolve(pending)));
  return (await Promise.race([promise, turn])) !== pending;
}

describe('the memory for values', () => {
  it('assigns the same place to consecutive runs', async () => {
    const memory = new ValueMemory(LENGTH);
    const buffers = new Set<ArrayBufferLike>();
    for (const length of [3000, 1000, 5000, 3000]) {
      const range = await memory.take(length);
      expect(range.values).toHaveLength(length);
      expect(placeOf(range), `${length} doubles`).toBe(0);
      buffers.add(range.values.buffer);
      range.release();
    }
    expect(buffers.size).toBe(1);
  });

  it('assigns ranges that do not overlap, large ones from the beginning and small ones from the end', async () => {
    const memory = new ValueMemory(LENGTH);
    const large = await memory.take(3000);
    const small = await memory.take(SMALL);
    const second = await memory.take(3000);
    const smaller = await memory.take(SMALL / 2);
    expect([large, second, smaller, small].map(placeOf)).toEqual([0, 3000, 6250, 6300]);
    large.release();
    expect(placeOf(await memory.take(2000))).toBe(0);
  });

  it('lets a run wait for its memory in the order of requests, and small ones pass', async () => {
    const memory = new ValueMemory(LENGTH);
    const first = await memory.take(4000);
    const second = memory.take(5000);
    const third = memory.take(SMALL + 1);
    expect(await isSettled(second)).toBe(false);
    // There is room for the third, but it would keep the second waiting.
    expect(await isSettled(third)).toBe(false);
    expect(placeOf(await memory.take(SMALL))).toBe(LENGTH - SMALL);
    first.release();
    expect(placeOf(await second)).toBe(0);
    expect(placeOf(await third)).toBe(5000);
  });

  it('frees a range once only', async () => {
    const memory = new ValueMemory(LENGTH);
    const first = await memory.take(LENGTH);
    first.release();
    const second = await memory.take(LENGTH);
    first.release();
    const third = memory.take(LENGTH);
    expect(await isSettled(third)).toBe(false);
    second.release();
    await third;
  });

  it('assigns more than the block to a run that is alone, and nothing to others until it ends', async () => {
    const memory = new ValueMemory(LENGTH);
    const first = await memory.take(1000);
    const huge = memory.take(2 * LENGTH);
    expect(await isSettled(huge)).toBe(false);
    first.release();
    const { values, release } = await huge;
    expect(values).toHaveLength(2 * LENGTH);
    const small = memory.take(1);
    expect(await isSettled(small)).toBe(false);
    release();
    expect((await small).values.buffer).not.toBe(values.buffer);
  });

  it('skips a run that is aborted while it waits', async () => {
    const memory = new ValueMemory(LENGTH);
    const first = await memory.take(4000);
    const abort = new AbortController();
    const second = memory.take(5000, abort.signal);
    const third = memory.take(500);
    abort.abort(new Error('enough'));
    await expect(second).rejects.toThrow('enough');
    expect(placeOf(await third)).toBe(4000);
    await expect(memory.take(1, AbortSignal.abort(new Error('no')))).rejects.toThrow('no');
    first.release();
    expect(placeOf(await memory.take(4000))).toBe(0);
  });
});
