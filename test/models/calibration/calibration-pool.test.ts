import { describe, expect, it } from 'vitest';
import { calibrateInThread } from '#src/models/calibration/calibration-pool.js';
import { simulateGarch } from '../../support/simulated-garch.ts';

const returns = (length: number, seed: number) =>
  simulateGarch({ mu: 0, omega: 1e-5, alpha: 0.1, beta: 0.85 }, length, seed);

/** Some seconds of fitting: it is still running when the test aborts it in its next turn. */
const long = {
  symbols: Array.from({ length: 32 }, (_, i) => `A${i}`),
  returns: Array.from({ length: 32 }, (_, i) => returns(3650, i + 1)),
};
const asker = (signal = new AbortController().signal, caller = 'desk') => ({ caller, signal });
const short = { symbols: ['B'], returns: [returns(100, 99)] };

describe('Calibrations in a thread', () => {
  it('run the waiting task when the one before it is aborted', async () => {
    // A warm thread, so that the long fit begins at once.
    await calibrateInThread('garch', short, asker());
    const gone = new AbortController();
    const running = calibrateInThread('garch', long, asker(gone.signal));
    const waiting = calibrateInThread('garch', short, asker());
    // The long fit has been sent to the thread by then, and the short one waits.
    setImmediate(() => gone.abort(new Error('the caller has gone')));
    await expect(running).rejects.toThrow('the caller has gone');
    await expect(waiting).resolves.toMatchObject({ symbols: ['B'] });
  });

  it('of one caller occupy one thread only', async () => {
    const gone = new AbortController();
    const greedy = Array.from({ length: 3 }, () =>
      calibrateInThread('garch', long, asker(gone.signal, 'greedy')),
    );
    const settled = Promise.allSettled(greedy);
    const first = await Promise.race([
      calibrateInThread('garch', short, asker(undefined, 'modest')),
      ...greedy.map(each => each.then(() => 'greedy')),
    ]);
    gone.abort(new Error('the caller has gone'));
    expect(first).toMatchObject({ symbols: ['B'] });
    expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  });

  it('have no effect when their results arrive after their abort', { tags: ['slow'] }, async () => {
    const uncaught: unknown[] = [];
    const listener = (error: unknown) => uncaught.push(error);
    process.on('uncaughtException', listener);
    try {
      const gone = new AbortController();
      const days = [returns(31, 1).map(Math.exp)];
      const window = { symbols: ['A'], days, hours: undefined, volatilityShock: 0, seed: 1 };
      const tasks = Array.from({ length: 9 }, () =>
        calibrateInThread('bootstrap', window, asker(gone.signal)),
      );
      const settled = Promise.allSettled(tasks);
      await tasks[0];
      // This thread stands still while the other one answers, so that a result waits where the abort comes first.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
      gone.abort(new Error('the caller has gone'));
      await settled;
      await calibrateInThread('garch', short, asker());
      expect(uncaught).toEqual([]);
    } finally {
      process.off('uncaughtException', listener);
    }
  });
});
