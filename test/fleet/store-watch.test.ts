import { expect, it } from 'vitest';
import { StoreAway, StoreWatch } from '#src/fleet/store-watch.js';
import { heldCalls } from '../support/held-calls.ts';
import { idle } from '../support/idle.ts';
import { ManualClock } from '../support/manual-clock.ts';

it('A store counts as away once its last answer is more than five seconds old', () => {
  const clock = new ManualClock();
  const watch = new StoreWatch(clock);
  clock.advance(5000);
  expect(watch.isAnswering).toBe(true);
  clock.advance(1);
  expect(watch.isAnswering).toBe(false);
  watch.note();
  expect(watch.isAnswering).toBe(true);
  clock.advance(5000);
  expect(watch.isAnswering).toBe(true);
});

it('A call has the result of the store, and is not made while that is away', async () => {
  const clock = new ManualClock();
  const watch = new StoreWatch(clock);
  expect(await watch.ask(async () => 7)).toBe(7);
  await expect(watch.ask(() => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
  clock.advance(5001);
  let calls = 0;
  await expect(watch.ask(async () => calls++)).rejects.toMatchObject({
    reason: 'engine-unavailable',
    retryAfterSeconds: 5,
    message: 'The store of the fleet does not answer; try again later.',
  });
  expect(calls).toBe(0);
});

it('A call in progress ends when the store counts as away, and its late result has no effect', async () => {
  const clock = new ManualClock();
  const watch = new StoreWatch(clock);
  const { wait, end } = heldCalls();
  const seen: unknown[] = [];
  watch.ask(wait).then(
    () => seen.push('answered'),
    error => seen.push(error),
  );
  clock.advance(5000);
  watch.check();
  await idle();
  expect(seen).toEqual([]);
  clock.advance(1);
  watch.check();
  await idle();
  expect(seen).toEqual([new StoreAway()]);
  watch.check();
  end();
  await idle();
  expect(seen).toHaveLength(1);
});
