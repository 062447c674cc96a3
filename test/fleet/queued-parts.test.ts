/** A run whose queue does not answer, or whose parts no worker takes: the server computes them, on a clock that the test moves. */
import { describe, expect, it } from 'vitest';
import { chunksPart, openFleetWithCalls } from '../support/fleet-calls.ts';
import { heldCalls } from '../support/held-calls.ts';
import { idle } from '../support/idle.ts';

async function opened() {
  const server = await openFleetWithCalls();
  return {
    ...server,
    begin: (parts: number) =>
      server.run(
        Array.from({ length: parts }, (_, k) => chunksPart(k)),
        { runHere: server.slowly },
      ),
    /** In the steps of the timers. */
    async wait(milliseconds: number) {
      for (let passed = 0; passed < milliseconds; passed += 250) await server.pass(250);
    },
  };
}

describe('A run whose queue does not answer', () => {
  it('is computed by the server after seven seconds, with a warning', async () => {
    const { queue, calls, answers, lines, begin, wait } = await opened();
    const { wait: never } = heldCalls();
    queue.add = never;
    const end = begin(3);
    await idle();
    await wait(6750);
    expect([answers, lines]).toEqual([[], []]);
    await wait(1250);
    expect([answers, end.state]).toEqual([[0, 1, 2], 'answered']);
    expect(lines).toMatchObject([
      {
        msg: 'parts could not be added to the queue',
        err: { message: 'the queue has not answered for 7 seconds' },
      },
    ]);
    expect(calls.removed).toHaveLength(3);
  });

  it('has one call of the queue at a time, and gives parts to workers when that has ended', async () => {
    const { queue, answers, begin, wait, reply, ids, tellEnd } = await opened();
    const { add } = queue;
    const { wait: held, end: answer } = heldCalls();
    let adds = 0;
    queue.add = async jobs => {
      adds += 1;
      await held();
      await add(jobs);
    };
    const end = begin(40);
    await idle();
    await wait(12_000);
    // Four in a second from then on, without another wait for the queue.
    expect([adds, answers.length]).toEqual([1, 19]);
    queue.add = add;
    answer();
    await wait(3000);
    // The queue has the others: the server waits for workers.
    const computed = answers.length;
    await wait(2000);
    expect([answers.length, end.state]).toEqual([computed, 'runs']);
    for (const id of new Set(ids())) {
      await reply(id);
      tellEnd(id);
    }
    await idle();
    expect([answers.length, end.state]).toEqual([40, 'answered']);
  });

  it('goes on where the queue stops to answer in the middle of it', async () => {
    const { queue, answers, begin, wait } = await opened();
    const end = begin(2);
    await idle();
    const { wait: never } = heldCalls();
    queue.add = never;
    queue.failure = async () => {
      await never();
      return undefined;
    };
    queue.isWorkedOn = async () => {
      await never();
      return true;
    };
    // Three seconds without an answer, seven for each of the two calls, and a pause.
    await wait(3000 + 7000 + 7000);
    expect(answers).toEqual([]);
    await wait(1000);
    expect([answers, end.state]).toEqual([[0, 1], 'answered']);
  });
});

describe('A run whose parts no worker takes', () => {
  it('is computed by the server after three seconds', async () => {
    const { state, answers, begin, wait } = await opened();
    state.isWorkedOn = false;
    const end = begin(3);
    await idle();
    await wait(3250);
    expect(answers).toEqual([]);
    await wait(1000);
    expect([answers, end.state]).toEqual([[0, 1, 2], 'answered']);
  });

  it('waits for workers again once they take parts', async () => {
    const { state, answers, begin, wait } = await opened();
    state.isWorkedOn = false;
    const end = begin(40);
    await idle();
    await wait(4000);
    expect(answers.length).toBeGreaterThan(0);
    state.isWorkedOn = true;
    await wait(3000);
    const computed = answers.length;
    await wait(2750);
    expect([answers.length, end.state]).toEqual([computed, 'runs']);
  });

  it('waits where the queue cannot say whether they are taken', async () => {
    const { queue, answers, begin, wait } = await opened();
    queue.isWorkedOn = () => Promise.reject(new Error('refused'));
    const end = begin(2);
    await idle();
    await wait(6000);
    expect([answers, end.state]).toEqual([[], 'runs']);
  });
});
