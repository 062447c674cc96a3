/** The clock of the process, on which the supervision of the GPU process relies. */
import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { processClock } from '#src/core/clock.js';

it('The process clock drops periodic calls that were due while the process stood still', async () => {
  let calls = 0;
  const stop = processClock.every(1, () => {
    calls += 1;
  });
  // As when the machine is suspended: some 200 periods in one.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
  // A turn of the event loop calls a timer once at most.
  for (let turns = 1; turns <= 5; turns++) {
    await turn();
    expect(calls, `calls after ${turns} turns`).toBeLessThanOrEqual(turns);
  }
  const before = calls;
  while (calls === before) await turn();
  stop();
});

it('The process clock never decreases', () => {
  let last = processClock.now();
  for (let i = 0; i < 1000; i++) {
    const now = processClock.now();
    expect(now).toBeGreaterThanOrEqual(last);
    last = now;
  }
});

it('The process clock calls an action once after its delay, and a cancelled one never', async () => {
  const called: string[] = [];
  const cancel = processClock.after(1, () => void called.push('cancelled'));
  await new Promise<void>(resolve => {
    processClock.after(2, () => {
      called.push('kept');
      resolve();
    });
    cancel();
  });
  expect(called).toEqual(['kept']);
});
