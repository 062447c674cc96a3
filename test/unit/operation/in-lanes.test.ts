import { expect, it } from 'vitest';
import { inLanes } from '#src/operation/in-lanes.js';

const never = new AbortController().signal;

it('gives results in the order of the items, with no more lanes at work than asked for', async () => {
  let working = 0;
  let most = 0;
  const results = await inLanes([5, 1, 4, 2, 3], 2, never, async (item, rank) => {
    most = Math.max(most, ++working);
    for (let turn = 0; turn < item; turn++) await Promise.resolve();
    working--;
    return `${rank}:${item}`;
  });
  expect(results).toEqual(['0:5', '1:1', '2:4', '3:2', '4:3']);
  expect(most).toBe(2);
});

it('ends the others at the first failure, and throws that one', async () => {
  const begun: number[] = [];
  const ended: unknown[] = [];
  const failure = new Error('the second fails');
  const running = inLanes([0, 1, 2, 3], 2, never, (item, _, signal) => {
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

it("hands on the caller's signal", async () => {
  const caller = new AbortController();
  const reason = new Error('the caller has gone');
  const running = inLanes([0], 1, caller.signal, (_item, _rank, signal) => {
    caller.abort(reason);
    signal.throwIfAborted();
    return Promise.resolve();
  });
  await expect(running).rejects.toBe(reason);
});
