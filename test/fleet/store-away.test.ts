/** A run in parts while the store of the fleet goes away: the server computes the rest, and each part counts once. */
import { describe, expect, it } from 'vitest';
import type { PartAnswer } from '#src/engine/parts.js';
import { answerOf, chunksPart, openFleetWithCalls } from '../support/fleet-calls.ts';
import { idle } from '../support/idle.ts';

/** A server whose store can go away: calls then wait until it is back. */
async function opened() {
  const server = await openFleetWithCalls();
  const { store } = server;
  let away: Promise<void> | undefined;
  let back = () => {};
  const whenBack =
    <A extends unknown[], R>(call: (...asked: A) => Promise<R>) =>
    async (...asked: A): Promise<R> => {
      await away;
      return call(...asked);
    };
  store.put = whenBack(store.put);
  store.get = whenBack(store.get);
  store.forget = whenBack(store.forget);
  store.touch = whenBack(store.touch);
  store.list = whenBack(store.list);
  return {
    ...server,
    leave() {
      away = new Promise(resolve => {
        back = resolve;
      });
    },
    async comeBack() {
      away = undefined;
      back();
      await idle();
    },
    /** In the steps of the timers. */
    async wait(milliseconds: number) {
      for (let passed = 0; passed < milliseconds; passed += 250) await server.pass(250);
    },
  };
}

describe('A run whose store goes away', () => {
  it('is computed by the server once the store has been silent for five seconds', async () => {
    const { run, ids, reply, tellEnd, leave, wait, answers, calls, comeBack } = await opened();
    const end = run([chunksPart(0), chunksPart(1), chunksPart(2)]);
    await idle();
    await reply(ids()[1]);
    tellEnd(ids()[1]);
    await idle();
    expect(answers).toEqual([1]);
    leave();
    await wait(5000);
    expect([answers, end.state]).toEqual([[1], 'runs']);
    await wait(1000);
    expect([answers, end.state]).toEqual([[1, 0, 2], 'answered']);
    await comeBack();
    expect(calls.forget.flat()).toContain('lease:run');
    expect(answers).toHaveLength(3);
  });

  it('goes on with the workers when the store answers again', async () => {
    const { run, ids, reply, leave, comeBack, wait, pass, answers } = await opened();
    const computed: ((answer: PartAnswer) => void)[] = [];
    const runHere = () => new Promise<PartAnswer>(resolve => computed.push(resolve));
    const end = run([chunksPart(0), chunksPart(1)], { runHere });
    await idle();
    leave();
    await wait(6000);
    expect(computed).toHaveLength(1);
    await comeBack();
    await pass(1000);
    computed[0](answerOf());
    await idle();
    // The store may be empty: the part is added again at once.
    expect(ids()).toHaveLength(3);
    expect(ids()[2]).toBe(ids()[1]);
    await reply(ids()[1]);
    await wait(1000);
    expect([answers, end.state, computed.length]).toEqual([[0, 1], 'answered', 1]);
  });

  it('counts a part once that a worker has computed meanwhile', async () => {
    const { run, ids, reply, tellEnd, leave, comeBack, wait, answers } = await opened();
    const end = run([chunksPart(0), chunksPart(1)]);
    await idle();
    leave();
    tellEnd(ids()[0]);
    await idle();
    await wait(6000);
    expect(end.state).toBe('answered');
    await reply(ids()[0]);
    await comeBack();
    expect(answers).toEqual([0, 1]);
  });

  it('ends with the server, and with its caller', async () => {
    const { run, leave, wait, fleet } = await opened();
    const never = () => new Promise<PartAnswer>(() => {});
    const gone = new AbortController();
    const runHere = () =>
      new Promise<PartAnswer>((_, reject) =>
        gone.signal.addEventListener('abort', () => reject(gone.signal.reason)),
      );
    const cancelled = run([chunksPart(0)], { runHere, signal: gone.signal });
    const stopped = run([chunksPart(0)], { run: 'other' });
    const busy = run([chunksPart(0)], { run: 'busy', runHere: never });
    await idle();
    leave();
    await wait(1000);
    void fleet.close();
    await idle();
    expect(stopped.error).toMatchObject({ message: 'This server is stopping.' });
    expect(busy.state).toBe('failed');
    gone.abort(new Error('gone'));
    await idle();
    expect(cancelled.state).toBe('failed');
  });
});
