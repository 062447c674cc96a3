/** Writes of a changing state on a clock that the test moves: when, how often, and after failures. */
import { describe, expect, it } from 'vitest';
import { StateWriter } from '#src/server/jobs/state-writer.js';
import { heldCalls } from '../../support/held-calls.ts';
import { idle, pass as passTime } from '../../support/idle.ts';
import { collectLog } from '../../support/log-lines.ts';
import { ManualClock } from '../../support/manual-clock.ts';

function opened() {
  const clock = new ManualClock();
  const { log, lines } = collectLog();
  const state = { writes: [] as number[], fails: false, held: undefined as Promise<void> | undefined };
  const write = async () => {
    state.writes.push(clock.now());
    if (state.fails) throw new Error('away');
    await state.held;
  };
  const writer = new StateWriter({ write, clock, warn: (details, meaning) => log.warn(details, meaning) });
  const pass = (milliseconds: number) => passTime(clock, milliseconds);
  return { clock, lines, state, writer, pass };
}

/** Whether a promise has been fulfilled. */
function watched(promise: Promise<unknown>) {
  const seen = { done: false };
  void promise.then(() => {
    seen.done = true;
  });
  return seen;
}

describe('A state', () => {
  it('is written half a second after a change, together with later ones', async () => {
    const { state, writer, pass } = opened();
    writer.note(false);
    await pass(499);
    writer.note(false);
    expect(state.writes).toEqual([]);
    await pass(1);
    expect(state.writes).toEqual([500]);
    await pass(5000);
    expect(state.writes).toEqual([500]);
    writer.note(false);
    await pass(500);
    expect(state.writes).toEqual([500, 6000]);
  });

  it('is written at once where that is urgent, also during the pause', async () => {
    const { state, writer, pass } = opened();
    writer.note(true);
    await idle();
    expect(state.writes).toEqual([0]);
    writer.note(false);
    await pass(100);
    writer.note(true);
    writer.note(true);
    await idle();
    expect(state.writes).toEqual([0, 100]);
    await pass(5000);
    expect(state.writes).toEqual([0, 100]);
  });

  it('that changes during a write is written again', async () => {
    const { state, writer, pass } = opened();
    const { wait, end } = heldCalls();
    state.held = wait();
    writer.note(true);
    await idle();
    writer.note(false);
    const settled = watched(writer.settled);
    await pass(2000);
    expect([state.writes, settled.done]).toEqual([[0], false]);
    end();
    await pass(0);
    await pass(500);
    expect(state.writes).toEqual([0, 2500]);
    await idle();
    expect(settled.done).toBe(true);
  });
});

describe('A failed write', () => {
  it('is repeated after a growing pause, from a quarter of a second to five', async () => {
    const { lines, state, writer, pass } = opened();
    state.fails = true;
    writer.note(true);
    await idle();
    const pauses = [250, 500, 1000, 2000, 4000, 5000, 5000];
    for (const [k, pause] of pauses.entries()) {
      await pass(pause - 1);
      expect(state.writes, `before pause ${k} is over`).toHaveLength(k + 1);
      await pass(1);
      expect(state.writes, `after pause ${k}`).toHaveLength(k + 2);
    }
    expect(lines.map(({ milliseconds }) => milliseconds)).toEqual([...pauses, 5000]);
    // Changes during a write that succeeds are written in the same run.
    state.fails = false;
    const { wait, end } = heldCalls();
    state.held = wait();
    await pass(5000);
    writer.note(true);
    state.fails = true;
    end();
    await idle();
    expect(lines.at(-1)).toMatchObject({
      milliseconds: 250,
      msg: 'the state of a job could not be written to the store; it is written again after a pause',
    });
  });

  it('that was not urgent waits for both pauses', async () => {
    const { state, writer, pass } = opened();
    state.fails = true;
    writer.note(false);
    await pass(500);
    expect(state.writes).toEqual([500]);
    await pass(250);
    await pass(499);
    expect(state.writes).toEqual([500]);
    await pass(1);
    expect(state.writes).toEqual([500, 1250]);
  });

  it('is repeated at once where a change becomes urgent', async () => {
    const { state, writer, pass } = opened();
    state.fails = true;
    writer.note(false);
    await pass(500);
    state.fails = false;
    writer.note(true);
    await idle();
    expect(state.writes).toEqual([500, 500]);
  });
});

describe('An attempt', () => {
  it.each([false, true])('is over when the write has ended; it fails: %s', async fails => {
    const { clock, state, writer } = opened();
    state.fails = fails;
    const tried = watched(writer.tried(1000));
    expect(tried.done).toBe(false);
    await idle();
    expect([tried.done, state.writes]).toEqual([true, [0]]);
    // Its time limit is no longer set.
    expect(clock.pending).toBe(fails ? 1 : 0);
  });

  it('is over after its time limit, or at the end', async () => {
    const { state, writer, pass } = opened();
    state.held = new Promise(() => {});
    const [short, long] = [watched(writer.tried(1000)), watched(writer.tried(5000))];
    await pass(999);
    expect(short.done).toBe(false);
    await pass(1);
    expect([short.done, long.done]).toEqual([true, false]);
    writer.end();
    await idle();
    expect(long.done).toBe(true);
    const late = watched(writer.tried(1000));
    await idle();
    expect(late.done).toBe(true);
  });

  it('waits for the write after it, not for one that has begun', async () => {
    const { state, writer, pass } = opened();
    const { wait, end } = heldCalls();
    state.held = wait();
    writer.note(true);
    await idle();
    const tried = watched(writer.tried(60_000));
    state.held = undefined;
    await idle();
    expect(tried.done).toBe(false);
    end();
    await pass(0);
    expect([tried.done, state.writes.length]).toEqual([true, 2]);
  });
});

describe('The end', () => {
  it('ends all writes', async () => {
    const { clock, state, writer, pass } = opened();
    const ended = watched(writer.ended);
    writer.note(false);
    await idle();
    expect(ended.done).toBe(false);
    writer.end();
    await idle();
    expect([ended.done, clock.pending]).toEqual([true, 0]);
    writer.note(true);
    await pass(60_000);
    expect(state.writes).toEqual([]);
    await writer.settled;
  });

  it('during a failing write repeats nothing, and logs nothing', async () => {
    const { lines, state, writer, pass } = opened();
    let fail = () => {};
    state.held = new Promise((_, reject) => {
      fail = () => reject(new Error('away'));
    });
    writer.note(true);
    await idle();
    writer.end();
    fail();
    await pass(60_000);
    expect([state.writes, lines]).toEqual([[0], []]);
  });
});
