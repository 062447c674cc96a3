/** The queue of one engine on a clock that the test moves: who runs, who waits, who is refused and with which words. */
import { describe, expect, it } from 'vitest';
import { createEngineQueue, type Place, type QueueRequest } from '#src/server/admission/engine-queue.js';
import { idle } from '../../support/idle.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const FAR = 1e6;
const START = 4;

function opened(maxQueue = 8, atOnce = 2) {
  const clock = new ManualClock();
  const queue = createEngineQueue(maxQueue, atOnce, clock);
  // Neither the clock nor what its runs have had is 0 when the first one starts.
  clock.advance(1000 * START);
  /** @param request its deadline in seconds after the start */
  const enter = (
    { deadline = FAR, ...request }: Partial<QueueRequest> = {},
    signal = new AbortController().signal,
  ) => {
    const asked: { place: Place | undefined; refusal: Record<string, unknown> | undefined } = {
      place: undefined,
      refusal: undefined,
    };
    const own = { kind: 'k', predictedSeconds: 10, caller: 'a', deadline: START + deadline };
    queue.enter({ ...own, ...request }, signal).then(
      place => {
        asked.place = place;
      },
      error => {
        asked.refusal = error;
      },
    );
    return asked;
  };
  const pass = async (seconds: number) => {
    clock.advance(1000 * seconds);
    await idle();
  };
  return { clock, queue, enter, pass };
}

describe('A queue', () => {
  it('runs so many at once, and then the next in turn', async () => {
    const { queue, enter } = opened();
    const all = [enter(), enter(), enter(), enter()];
    await idle();
    const running = () => all.map(({ place }) => place !== undefined);
    expect(running()).toEqual([true, true, false, false]);
    expect(queue.backlog).toEqual({ waiting: 2, seconds: 20 });
    all[1].place?.leave(true);
    await idle();
    expect(running()).toEqual([true, true, true, false]);
    expect(queue.backlog.waiting).toBe(1);
  });

  it('refuses what would be late alone, and with a quarter to spare takes the rest', async () => {
    const { enter } = opened();
    const refused = enter({ predictedSeconds: 4, deadline: 4.99 });
    const taken = enter({ predictedSeconds: 4, deadline: 5 });
    await idle();
    expect(refused.refusal).toMatchObject({
      reason: 'work-limit-exceeded',
      message:
        'The request would take about 4.0 seconds on this server, and it has 5.0 until its deadline: request less work, or ask for a job.',
      faults: [{ path: 'plan.paths', message: expect.stringContaining('would take about 4.0 seconds') }],
    });
    expect(taken.place).toBeDefined();
  });

  it('refuses what would be late behind the others, with the seconds until a place', async () => {
    const { enter, pass } = opened();
    enter();
    enter();
    await idle();
    const late = enter({ deadline: 49.9 });
    const inTime = enter({ deadline: 50, caller: 'b' });
    await idle();
    expect(late.refusal).toMatchObject({
      reason: 'queue-full',
      message:
        'Behind the requests ahead this one would take about 40.0 seconds, and it has 49.9 until its deadline; try again later.',
      retryAfterSeconds: 20,
    });
    expect([inTime.place, inTime.refusal]).toEqual([undefined, undefined]);
    // A second caller comes before the second request of the first one; both runs have had half of five seconds.
    await pass(5);
    const behind = enter({ deadline: 5 + 43, caller: 'c' });
    await idle();
    // A place is free after 15 seconds; the one turned away before has ten seconds of work, of which five are over.
    expect(behind.refusal).toMatchObject({
      message: expect.stringContaining('about 35.0 seconds'),
      retryAfterSeconds: 20,
    });
  });

  it('expects an overdue run to need as much again, and others of its kind as long as it', async () => {
    const { enter, pass } = opened();
    enter();
    enter();
    await pass(30);
    const same = enter({ deadline: 31 });
    const other = enter({ deadline: 43, kind: 'other' });
    await idle();
    // Each has had 15 seconds of the engine and is 5 overdue: a place is free after 10.
    expect(same.refusal).toMatchObject({ reason: 'work-limit-exceeded' });
    expect(other.refusal).toMatchObject({
      message: expect.stringContaining('about 30.0 seconds'),
      retryAfterSeconds: 10,
    });
    const long = enter({ deadline: 44 });
    await idle();
    expect(long.refusal).toMatchObject({ message: expect.stringContaining('about 40.0 seconds') });
  });

  it('names at most a minute to wait', async () => {
    const { enter } = opened();
    enter({ predictedSeconds: 100 });
    enter({ predictedSeconds: 100 });
    await idle();
    const refused = enter({ deadline: 130, predictedSeconds: 100 });
    await idle();
    expect(refused.refusal).toMatchObject({ reason: 'queue-full', retryAfterSeconds: 60 });
  });

  it('refuses a caller beyond its places, and makes room for others', async () => {
    const { enter } = opened(2);
    enter();
    enter();
    await idle();
    const [first, second] = [enter(), enter()];
    await idle();
    const third = enter();
    await idle();
    expect(third.refusal).toMatchObject({
      reason: 'queue-full',
      message: '2 requests are waiting already; try again later.',
      retryAfterSeconds: 40,
    });
    const other = enter({ caller: 'b' });
    await idle();
    expect([first.refusal, other.refusal]).toEqual([undefined, undefined]);
    expect(second.refusal).toMatchObject({ message: '2 requests are waiting already; try again later.' });
  });

  it('lets background work wait beyond its places and its deadline', async () => {
    const { queue, enter, pass } = opened(1);
    enter();
    enter();
    await idle();
    const background = [enter({ background: true, deadline: 0 }), enter({ background: true, deadline: 0 })];
    await pass(600);
    expect(background.map(({ refusal }) => refusal)).toEqual([undefined, undefined]);
    expect(queue.backlog.waiting).toBe(2);
    // It is not evicted either.
    const refused = enter({ caller: 'b' });
    await idle();
    expect(refused.refusal).toMatchObject({ reason: 'queue-full' });
  });

  it('refuses a waiting request as soon as overdue runs make it late', async () => {
    const { enter, pass } = opened();
    enter({ predictedSeconds: 1 });
    enter({ predictedSeconds: 1 });
    await idle();
    const waiting = enter({ predictedSeconds: 1, kind: 'other', deadline: 10 });
    await pass(5);
    expect(waiting.refusal).toBeUndefined();
    await pass(0.5);
    // Each run has had 2.75 seconds: 1.75 more are expected of both, then 2 beside another.
    expect(waiting.refusal).toMatchObject({
      reason: 'queue-full',
      message:
        'Behind the requests ahead this one would take about 5.5 seconds, and it has 4.5 until its deadline; try again later.',
      retryAfterSeconds: 3.5,
    });
  });

  it('refuses a request whose turn comes too late for a quarter to spare, and starts the next', async () => {
    const { enter, pass } = opened(8, 1);
    const run = enter({ kind: 'other' });
    await pass(0);
    const [late, next] = [enter({ deadline: 25 }), enter()];
    await pass(12.5);
    await pass(0.4);
    expect([late.refusal, next.place]).toEqual([undefined, undefined]);
    run.place?.leave(true);
    await pass(0);
    expect(late.refusal).toMatchObject({
      reason: 'queue-full',
      message:
        'Behind the requests ahead this one would take about 10.0 seconds, and it has 12.1 until its deadline; try again later.',
      retryAfterSeconds: 10,
    });
    expect(next.place).toBeDefined();
  });

  it.each([true, false])(
    'expects a request to share its engine evenly while others wait: %s',
    async othersWait => {
      const { enter, pass } = opened();
      const runs = [enter({ kind: 'other' }), enter({ kind: 'other' })];
      await pass(0);
      const waiting = enter({ deadline: 50 });
      await pass(0);
      if (othersWait) enter();
      // The runs are overdue by 2.7 seconds of the engine.
      await pass(25);
      await pass(0.4);
      expect(waiting.refusal).toBeUndefined();
      runs[0].place?.leave(true);
      await pass(0);
      // It needs 20 seconds beside others that follow each other, and 12.7 beside the other run alone.
      expect([waiting.place !== undefined, waiting.refusal !== undefined]).toEqual([!othersWait, othersWait]);
      if (othersWait) expect(waiting.refusal?.message).toContain('would take about 20.0 seconds');
    },
  );

  it('starts background work in its turn, also beyond its deadline', async () => {
    const { enter, pass } = opened(8, 1);
    const run = enter();
    await pass(0);
    const background = enter({ background: true, deadline: 0 });
    await pass(1);
    run.place?.leave(true);
    await pass(0);
    expect(background.place).toBeDefined();
  });

  it('looks at waiting requests each half second, and only while there are some', async () => {
    const { clock, enter } = opened();
    const runs = [enter(), enter()];
    await idle();
    expect(clock.pending).toBe(0);
    const waiting = enter();
    await idle();
    expect(clock.pending).toBe(1);
    runs[0].place?.leave(true);
    await idle();
    expect([waiting.place !== undefined, clock.pending]).toEqual([true, 0]);
    enter();
    await idle();
    expect(clock.pending).toBe(1);
  });

  it('keeps a place free where a run would miss its deadline beside another', async () => {
    for (const [deadline, waits] of [
      [12.5, true],
      [13.74, true],
      [13.75, false],
      // It is late alone, too: nothing is gained.
      [12.4, false],
    ] as const) {
      const { enter, pass } = opened();
      const run = enter({ deadline: deadline + 0.1 });
      await pass(0);
      expect(run.place).toBeDefined();
      const other = opened();
      const tight = other.enter({ deadline: Math.max(deadline, 12.5) });
      await idle();
      const next = other.enter({ predictedSeconds: 1, kind: 'short' });
      await idle();
      if (deadline < 12.5) continue;
      expect(next.place === undefined, `deadline ${deadline}`).toBe(waits);
      tight.place?.leave(true);
      await idle();
      expect(next.place).toBeDefined();
    }
  });

  it('takes a short request beside a long run where both meet their deadlines', async () => {
    for (const [deadline, taken] of [
      [2.5, true],
      [2.49, false],
    ] as const) {
      const { enter } = opened();
      enter();
      await idle();
      const short = enter({ predictedSeconds: 1, kind: 'short', deadline });
      await idle();
      expect([short.place !== undefined, short.refusal !== undefined], `deadline ${deadline}`).toEqual([
        taken,
        !taken,
      ]);
    }
  });

  it('starts a request at once that comes before one for which a place is spared', async () => {
    const { enter } = opened();
    enter({ deadline: 13 });
    await idle();
    const spared = enter({ predictedSeconds: 1, kind: 'short' });
    await idle();
    const before = enter({ predictedSeconds: 0.2, kind: 'shorter', caller: 'b' });
    await idle();
    expect([spared.place !== undefined, before.place !== undefined]).toEqual([false, true]);
  });

  it('counts a place that is spared as free', async () => {
    const { enter } = opened();
    enter({ deadline: 12.5 });
    await idle();
    const spared = enter({ predictedSeconds: 1, kind: 'short' });
    await idle();
    expect(spared.place).toBeUndefined();
    const late = enter({ predictedSeconds: 1, kind: 'short', deadline: 4.9 });
    await idle();
    expect(late.refusal).toMatchObject({
      message: expect.stringContaining('would take about 4.0 seconds'),
      retryAfterSeconds: 2,
    });
  });

  it('serves a caller that has run nothing first', async () => {
    const { enter } = opened();
    const runs = [enter({ caller: 'a' }), enter({ caller: 'b' })];
    await idle();
    const again = enter({ caller: 'a' });
    const first = enter({ caller: 'c' });
    await idle();
    runs[0].place?.leave(true);
    await idle();
    expect([again.place !== undefined, first.place !== undefined]).toEqual([false, true]);
  });

  it('starts nothing for a caller that is gone', async () => {
    const { enter } = opened(8, 1);
    const gone = enter({}, AbortSignal.abort(new Error('gone')));
    const next = enter();
    await idle();
    expect([gone.refusal, next.place !== undefined]).toEqual([new Error('gone'), true]);
  });

  it('does not spare background work', async () => {
    const { enter } = opened();
    enter({ deadline: 12.5, background: true });
    await idle();
    const next = enter({ predictedSeconds: 1, kind: 'short' });
    await idle();
    expect(next.place).toBeDefined();
  });

  it('learns from runs that finish how long their kind takes', async () => {
    const { queue, enter, pass } = opened();
    const run = enter();
    await pass(20);
    run.place?.leave(true);
    const runs = [enter(), enter()];
    await idle();
    enter();
    await idle();
    expect(queue.backlog.seconds).toBe(20);
    await pass(20);
    runs[0].place?.leave(false);
    runs[1].place?.leave(true);
    await idle();
    enter({ kind: 'k' });
    enter({ kind: 'k' });
    await idle();
    // The second finished after 10 seconds of the engine: a fifth of the way from 20.
    expect(queue.backlog.seconds).toBeCloseTo(18, 9);
  });

  it('forgets a waiting request that is aborted', async () => {
    const { queue, enter } = opened();
    enter();
    enter();
    await idle();
    const ending = new AbortController();
    const waiting = enter({}, ending.signal);
    await idle();
    ending.abort(new Error('gone'));
    await idle();
    expect([waiting.refusal, queue.backlog.waiting]).toEqual([new Error('gone'), 0]);
    const late = enter({}, AbortSignal.abort(new Error('late')));
    await idle();
    expect(late.refusal).toEqual(new Error('late'));
  });
});
