/** Admission under more load than an engine can bear, on a simulated clock. */
import { describe, expect, it } from 'vitest';
import { RiskError } from '#src/core/errors.js';
import { createAdmission } from '#src/server/admission/admission.js';
import { ManualClock } from '../../support/manual-clock.ts';
import { simulateService } from '../../support/shared-engine.ts';

/** Predicted seconds of the least request that is large. */
const LARGE_SECONDS = 0.1;
const SECONDS = 60;

/** A queue, a clock and runs that a test ends by hand. */
function openAdmission() {
  const clock = new ManualClock();
  const admission = createAdmission(32, clock);
  const send = (
    seconds: number,
    {
      kind = 'loan',
      caller = 'anyone',
      predictedSeconds = LARGE_SECONDS,
      signal = new AbortController().signal,
    } = {},
  ) => {
    const deadline = clock.now() / 1000 + seconds;
    const entrant = {
      engine: 'cpu',
      kind,
      caller,
      predictedSeconds,
      deadline,
    } as const;
    const run: { started: boolean; finish: () => void; fail: () => void } = {
      started: false,
      finish: () => {},
      fail: () => {},
    };
    const outcome = admission
      .run(entrant, signal, () => {
        run.started = true;
        return new Promise<string>((resolve, reject) => {
          run.finish = () => resolve('answered');
          run.fail = () => reject(new Error('failed'));
        });
      })
      .catch((error: unknown) => (error instanceof RiskError ? error : String(error)));
    return { run, outcome };
  };
  const pass = async (seconds: number) => {
    clock.advance(seconds * 1000);
    await new Promise(setImmediate);
  };
  /** Makes the queue learn that a run takes so long with the engine for itself. */
  const learn = async (seconds: number) => {
    const { run, outcome } = send(1000);
    await pass(seconds);
    run.finish();
    await outcome;
  };
  return { send, pass, learn };
}

describe('Under overload', () => {
  const service = {
    seconds: SECONDS,
    timeout: 2,
    // From 0.22 to 0.32 seconds, as on a machine that does other things.
    secondsOf: (i: number) => 0.27 + 0.05 * Math.sin(i * 12.9898),
  };
  const pauses = {
    'as long as Retry-After says': (error: RiskError) => Math.max(1, Math.ceil(error.retryAfterSeconds ?? 5)),
    'a twentieth of a second': () => 0.05,
  };

  for (const { wait, tags } of [
    { wait: 'as long as Retry-After says' as const, tags: [] },
    { wait: 'a twentieth of a second' as const, tags: ['slow'] },
  ])
    it(`the server answers as many requests as without it, where the refused ones wait ${wait}`, {
      tags,
    }, async () => {
      const pause = pauses[wait];
      const { answered: without } = await simulateService({ ...service, callers: 2, pause });
      // The engine does one in 0.27 s.
      expect(without).toBeGreaterThan(0.98 * (SECONDS / 0.27));
      for (const callers of [8, 16, 24]) {
        const outcome = await simulateService({ ...service, callers, pause });
        const told = `${callers} callers: ${JSON.stringify(outcome)}`;
        // Callers that wait whole seconds leave the engine idle now and then.
        expect(outcome.answered, told).toBeGreaterThan(0.9 * without);
        expect(outcome.wasted, told).toBeLessThan(0.02 * SECONDS);
        expect(outcome.refused, told).toBeGreaterThan(0);
      }
    });
});

describe('A request', () => {
  it('is refused on arrival, with Retry-After, where it would not finish in time', async () => {
    const { send, pass, learn } = openAdmission();
    await learn(1);
    const running = [send(10), send(10)];
    const waiting = send(10);
    await pass(0);
    // A place is free after 2 seconds, and shared with another run this one takes 2.
    const refused = await send(4).outcome;
    expect(refused).toMatchObject({ reason: 'queue-full', retryAfterSeconds: 2 });
    const inTime = send(10);
    for (const { run } of running) run.finish();
    await pass(0);
    expect([waiting.run.started, inTime.run.started]).toEqual([true, true]);
  });

  it('is refused while it waits as soon as the runs before it take too long', async () => {
    const { send, pass, learn } = openAdmission();
    await learn(1);
    const running = [send(1000), send(1000)];
    let settled = false;
    const waiting = send(8);
    void waiting.outcome.then(() => {
      settled = true;
    });
    // Two seconds for the two, two for itself. After 3 they are overdue by half a second each, and nothing says that it is quicker.
    await pass(3);
    expect(settled).toBe(false);
    await pass(0.5);
    expect(settled).toBe(true);
    expect(await waiting.outcome).toMatchObject({ reason: 'queue-full', retryAfterSeconds: 1.5 });
    for (const { run } of running) run.finish();
    await pass(0);
    expect(waiting.run.started).toBe(false);
  });

  it('is refused while it waits where requests of another caller come before it', async () => {
    const { send, pass, learn } = openAdmission();
    await learn(1);
    for (let i = 0; i < 5; i++) send(1000, { caller: 'greedy' });
    // Places are free after 2, 4 and 6 seconds, and it takes 2.
    const last = send(7.6, { caller: 'greedy' });
    await pass(0);
    const modest = [send(1000, { caller: 'modest' }), send(1000, { caller: 'modest' })];
    expect(await last.outcome).toMatchObject({ reason: 'queue-full' });
    expect([last, ...modest].map(({ run }) => run.started)).toEqual([false, false, false]);
  });

  it('is large by its predicted seconds, including those of the fit', async () => {
    const { send, pass } = openAdmission();
    const just = [1, 2, 3].map(() => send(1000, { predictedSeconds: 0.1 }));
    const under = [1, 2, 3].map(() => send(1000, { predictedSeconds: 0.099 }));
    await pass(0);
    expect(just.map(({ run }) => run.started)).toEqual([true, true, false]);
    expect(under.map(({ run }) => run.started)).toEqual([true, true, true]);
  });

  it('is refused instead of started where its turn comes too late, and the next one starts', async () => {
    const { send, pass, learn } = openAdmission();
    await learn(0.5);
    const running = [send(100), send(100)];
    const tooLate = send(3);
    const next = send(100);
    // The two take longer than expected.
    await pass(2.5);
    running[0].run.finish();
    await pass(0);
    expect(await tooLate.outcome).toMatchObject({ reason: 'queue-full' });
    expect([tooLate.run.started, next.run.started]).toEqual([false, true]);
  });

  it('is refused as too much work where it would be late alone, until the correction of its kind has faded', async () => {
    const { send, pass, learn } = openAdmission();
    await learn(50);
    expect(await send(1).outcome).toMatchObject({ reason: 'work-limit-exceeded' });
    // Each refusal trusts what was learned a little less, since no run can prove it wrong.
    let refusals = 1;
    for (; refusals < 200; refusals++) {
      const next = send(1);
      await pass(0);
      if (next.run.started) break;
    }
    expect(refusals).toBeGreaterThan(20);
    expect(refusals).toBeLessThan(200);
  });

  it('waits where it would make a running one late', async () => {
    const { send, pass, learn } = openAdmission();
    await learn(1);
    const first = send(1.5);
    const second = send(10);
    await pass(0);
    expect([first.run.started, second.run.started]).toEqual([true, false]);
    await pass(1);
    first.run.finish();
    await pass(0);
    expect(second.run.started).toBe(true);
  });

  it('of a kind without finished runs may wait', async () => {
    const { send, pass, learn } = openAdmission();
    await learn(50);
    // Their place is thought to be free after 100 seconds.
    const running = [send(200), send(200)];
    const other = send(130, { kind: 'another' });
    await pass(50);
    running[0].run.finish();
    await pass(0);
    expect(other.run.started).toBe(true);
  });
});

describe('Callers', () => {
  it('have equal shares: one request comes before the rest of thirty', async () => {
    const { send, pass, learn } = openAdmission();
    await learn(0.1);
    const greedy = Array.from({ length: 30 }, () => send(1000, { caller: 'greedy' }));
    const modest = send(1000, { caller: 'modest' });
    await pass(0.2);
    greedy[0].run.finish();
    await pass(0);
    expect([modest.run.started, greedy[2].run.started]).toEqual([true, false]);
  });

  it('stay in a full queue, from which the last request of the caller with the most requests is evicted', async () => {
    const { send, pass, learn } = openAdmission();
    await learn(0.1);
    const greedy = Array.from({ length: 34 }, () => send(1000, { caller: 'greedy' }));
    await pass(0);
    expect(await send(1000, { caller: 'greedy' }).outcome).toMatchObject({ reason: 'queue-full' });
    const modest = send(1000, { caller: 'modest' });
    expect(await greedy[33].outcome).toMatchObject({ reason: 'queue-full' });
    greedy[0].run.finish();
    await pass(0);
    expect(modest.run.started).toBe(true);
  });

  it('are not charged for requests that did not start', async () => {
    const { send, pass, learn } = openAdmission();
    await learn(0.1);
    const running = [send(1000, { caller: 'greedy' }), send(1000, { caller: 'greedy' })];
    const leaving = Array.from({ length: 30 }, () => new AbortController());
    const gone = leaving.map(({ signal }) => send(1000, { caller: 'greedy', signal }));
    await pass(0);
    for (const caller of leaving) caller.abort(new Error('left'));
    await Promise.all(gone.map(({ outcome }) => outcome));
    const waiting = ['modest', 'modest', 'modest', 'greedy', 'greedy', 'greedy'].map(caller => ({
      caller,
      ...send(1000, { caller }),
    }));
    const order: string[] = [];
    const live = running.map(({ run }) => run);
    while (waiting.length > 0) {
      live.shift()?.finish();
      await pass(0.1);
      const [begun] = waiting.splice(
        waiting.findIndex(({ run }) => run.started),
        1,
      );
      live.push(begun.run);
      order.push(begun.caller);
    }
    // The two that run are paid for.
    expect(order).toEqual(['modest', 'modest', 'greedy', 'modest', 'greedy', 'greedy']);
  });

  it('that were alone are not charged for that when others arrive', async () => {
    const { send, pass, learn } = openAdmission();
    for (let i = 0; i < 10; i++) await learn(1);
    const running = [send(1000), send(1000)];
    const early = send(1000);
    const late = send(1000, { caller: 'newcomer' });
    const later = send(1000, { caller: 'newcomer' });
    await pass(1);
    for (const { run } of running) run.finish();
    await pass(0);
    expect([early.run.started, late.run.started, later.run.started]).toEqual([true, true, false]);
  });
});

describe('The expected time of runs', () => {
  /** Whether a request with so many seconds is let into the queue behind two that have just begun. */
  async function waits({ send, pass }: ReturnType<typeof openAdmission>, seconds: number): Promise<boolean> {
    const running = [send(1000), send(1000)];
    await pass(0);
    const leaving = new AbortController();
    const { outcome } = send(seconds, { signal: leaving.signal });
    leaving.abort(new Error('left'));
    const end = await outcome;
    for (const { run } of running) run.fail();
    await pass(0);
    return !(end instanceof RiskError);
  }

  it('does not fall with runs that were aborted or failed early', async () => {
    const admission = openAdmission();
    await admission.learn(1);
    expect([await waits(admission, 4.9), await waits(admission, 5.1)]).toEqual([false, true]);
    for (let i = 0; i < 20; i++) {
      const { run, outcome } = admission.send(100);
      await admission.pass(0.01);
      run.fail();
      await outcome;
    }
    expect([await waits(admission, 4.9), await waits(admission, 5.1)]).toEqual([false, true]);
  });

  it('rises with a run that was aborted after more than that time', async () => {
    const admission = openAdmission();
    await admission.learn(1);
    const { run, outcome } = admission.send(100);
    await admission.pass(11);
    run.fail();
    await outcome;
    // A fifth of the way from 1 to at least 11 seconds.
    expect([await waits(admission, 14.9), await waits(admission, 15.1)]).toEqual([false, true]);
  });
});
