import { expect, it } from 'vitest';
import { CHECK_MS, StoreAway, StoreWatch } from '#src/fleet/store-watch.js';
import { heldCalls } from '../support/held-calls.ts';
import { idle } from '../support/idle.ts';
import { ManualClock } from '../support/manual-clock.ts';

/** A watch that is checked as a server checks it. */
function watched() {
  const clock = new ManualClock();
  const watch = new StoreWatch(clock);
  clock.every(CHECK_MS, () => watch.check());
  return { clock, watch };
}

it('A store counts as away once its last answer is more than five seconds old', () => {
  const { clock, watch } = watched();
  clock.advance(5000);
  expect(watch.isAnswering).toBe(true);
  clock.advance(1);
  expect(watch.isAnswering).toBe(false);
  watch.note();
  expect(watch.isAnswering).toBe(true);
  clock.advance(5000);
  expect(watch.isAnswering).toBe(true);
});

it('A store counts as away five seconds after its last answer, whenever that came between two checks', () => {
  for (const after of [0, 1, 400, 999, 1000]) {
    const { clock, watch } = watched();
    clock.advance(after);
    watch.note();
    clock.advance(5000);
    expect(watch.isAnswering, `${after} ms`).toBe(true);
    clock.advance(1);
    expect(watch.isAnswering, `${after} ms`).toBe(false);
  }
});

it('A stall of the own event loop counts as two seconds of silence, before and after the next check', () => {
  const { clock, watch } = watched();
  clock.advance(2500);
  // What runs first after the stall may come before the check.
  let before: boolean | undefined;
  clock.after(1, () => {
    before = watch.isAnswering;
  });
  clock.stall(60_000);
  expect([before, watch.isAnswering]).toEqual([true, true]);
  // The answers that came during the stall are read now.
  watch.note();
  clock.advance(5000);
  expect(watch.isAnswering).toBe(true);
  clock.advance(1);
  expect(watch.isAnswering).toBe(false);
});

it('A store that is away is found after a stall, too, and by a loop that stalls again and again', () => {
  const once = watched();
  once.clock.stall(60_000);
  once.clock.advance(3000);
  expect(once.watch.isAnswering).toBe(true);
  once.clock.advance(1);
  expect(once.watch.isAnswering).toBe(false);
  const often = watched();
  for (let stalls = 0; stalls < 2; stalls++) often.clock.stall(3000);
  expect(often.watch.isAnswering).toBe(true);
  often.clock.stall(3000);
  expect(often.watch.isAnswering).toBe(false);
});

it('A call has the result of the store, and is not made while that is away', async () => {
  const { clock, watch } = watched();
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
  const { clock, watch } = watched();
  const { wait, end } = heldCalls();
  const seen: unknown[] = [];
  watch.ask(wait).then(
    () => seen.push('answered'),
    error => seen.push(error),
  );
  clock.advance(5000);
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
