/** Admission under more load than an engine can bear, on a simulated clock. */
import { describe, expect, it } from 'vitest';
import { RiskError } from '#src/errors.js';
import { createAdmission } from '#src/http/admission.js';
import { simulateService } from '../support/shared-engine.ts';

const LARGE_WORK = 8.6e7;
const SECONDS = 60;

/** A queue, a clock and runs that a test ends by hand. */
function openAdmission() {
  let now = 0;
  const admission = createAdmission(32, () => now);
  const send = (seconds: number, { kind = 'loan', signal = new AbortController().signal } = {}) => {
    const entrant = { engine: 'cpu', kind, work: LARGE_WORK, deadline: now + seconds } as const;
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
    now += seconds;
    await new Promise(setImmediate);
  };
  /** Teaches the lane that a run takes so long with the engine for itself. */
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
    work: LARGE_WORK,
    // From 0.22 to 0.32 seconds, as on a machine that does other things.
    secondsOf: (i: number) => 0.27 + 0.05 * Math.sin(i * 12.9898),
  };
  const pauses = {
    'as long as Retry-After says': (error: RiskError) => Math.max(1, Math.ceil(error.retryAfterSeconds ?? 5)),
    'a twentieth of a second': () => 0.05,
  };

  it.each(Object.entries(pauses))(
    'as many are answered as without it, where those refused wait %s',
    async (_, pause) => {
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
    },
  );
});

describe('A request', () => {
  it('that would not be finished in time is refused on arrival, and told when to come again', async () => {
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

  it('whose turn comes too late is refused instead of started, and the next is', async () => {
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

  it('is started where a place is free, however long it is thought to take', async () => {
    const { send, pass, learn } = openAdmission();
    await learn(50);
    const hopeful = send(1);
    await pass(0);
    expect(hopeful.run.started).toBe(true);
  });

  it('of a kind that is not known yet may wait', async () => {
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

describe('The time that runs are expected to take', () => {
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

  it('does not fall with runs that were broken off or failed early', async () => {
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

  it('rises with a run that was broken off after longer than that', async () => {
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
