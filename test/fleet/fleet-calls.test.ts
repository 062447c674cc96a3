/** What a server of a fleet asks of its store and its queue, and when, on a clock that the test moves. */
import { describe, expect, it } from 'vitest';
import type { Part } from '#src/engine/parts.js';
import type { PartsRun } from '#src/fleet/fleet.js';
import { packPart, packReply, unpackPart } from '#src/fleet/fleet-messages.js';
import { replyName, WORKERS } from '#src/fleet/names.js';
import { StoreRefused } from '#src/fleet/store-errors.js';
import { answerOf, chunksPart, openFleetWithCalls } from '../support/fleet-calls.ts';
import { fleetPlan } from '../support/fleet-plans.ts';
import { heldCalls } from '../support/held-calls.ts';
import { idle } from '../support/idle.ts';

describe('A server of a fleet', () => {
  it('looks for workers every second, one look at a time', async () => {
    const { calls, state, fleet, lines, pass } = await openFleetWithCalls();
    expect(calls.list).toBe(1);
    await pass(999);
    expect(calls.list).toBe(1);
    await pass(1);
    expect(calls.list).toBe(2);
    state.listFails = true;
    await pass(1000);
    expect(fleet.workers).toHaveLength(1);
    expect(lines.map(({ msg }) => msg)).toEqual(['the list of workers of the fleet could not be read']);
    state.listFails = false;
    await pass(1000);
    expect(calls.list).toBe(4);
    await fleet.close();
    await pass(5000);
    expect(calls.list).toBe(4);
  });

  it('gives no parts to workers while the store has not answered for some seconds', async () => {
    const { state, fleet, lines, pass } = await openFleetWithCalls();
    state.listFails = true;
    await pass(5000);
    const seen = () => [fleet.isAnswering, fleet.threadsFor('reference'), fleet.ownWorkers];
    expect(seen()).toEqual([true, 4, 1]);
    await pass(1);
    expect(seen()).toEqual([false, 0, undefined]);
    await pass(1000);
    await pass(1000);
    const silent = 'the store of the fleet is silent for five seconds; this server computes alone';
    expect(lines.filter(({ msg }) => msg === silent)).toHaveLength(1);
    state.listFails = false;
    await pass(1000);
    expect(seen()).toEqual([true, 4, 1]);
    expect(lines.at(-1)).toMatchObject({ msg: 'the store of the fleet answers again' });
  });

  it('finds within a second that the store refuses writes while it answers reads, and that it takes them again', async () => {
    const { state, fleet, lines, pass } = await openFleetWithCalls();
    const seen = () => [fleet.isAnswering, fleet.takesWrites, fleet.ownWorkers];
    expect(seen()).toEqual([true, true, 1]);
    state.putFails = true;
    await pass(1000);
    await pass(1000);
    expect(seen()).toEqual([true, false, 1]);
    state.putFails = false;
    await pass(1000);
    expect(seen()).toEqual([true, true, 1]);
    expect(lines.map(({ msg }) => msg)).toEqual([
      'the store of the fleet refuses writes',
      'the store of the fleet takes writes again',
    ]);
  });

  it('does not take a stall of its own loop for a store that is away', async () => {
    const { clock, fleet, lines } = await openFleetWithCalls();
    clock.stall(60_000);
    expect(await fleet.ask(async () => 7)).toBe(7);
    await idle();
    expect([fleet.isAnswering, fleet.ownWorkers, lines]).toEqual([true, 1, []]);
  });

  it('waits for a look that the store does not answer', async () => {
    const { store, calls, fleet, pass } = await openFleetWithCalls();
    expect(fleet.store).toBe(store);
    const { list } = store;
    const { wait, end: answer } = heldCalls();
    store.list = async name => {
      const found = await list(name);
      await wait();
      return found;
    };
    await pass(1000);
    await pass(3000);
    expect(calls.list).toBe(2);
    answer();
    await pass(0);
    await pass(1000);
    expect(calls.list).toBe(3);
  });

  it('says at its start, too, that it cannot read an announcement', async () => {
    const { lines } = await openFleetWithCalls({ spoiled: true });
    expect(lines.map(({ entries }) => entries)).toEqual([1]);
  });

  it('says once how many announcements it cannot read, and again where their number changes', async () => {
    const { kept, fleet, lines, pass } = await openFleetWithCalls();
    const spoil = (name: string) =>
      kept.put({ name, bytes: Uint8Array.of(0xc1), seconds: 3600, list: WORKERS });
    const counts = () => lines.map(({ entries }) => entries);
    await spoil('worker:x');
    await pass(1000);
    await pass(1000);
    expect(counts()).toEqual([1]);
    await spoil('worker:y');
    await pass(1000);
    expect(counts()).toEqual([1, 2]);
    await kept.forget(['worker:x', 'worker:y']);
    await pass(1000);
    await spoil('worker:x');
    await pass(1000);
    expect(counts()).toEqual([1, 2, 1]);
    expect(fleet.threadsFor('reference')).toBe(4);
  });

  it('waits for a second at most for a queue that does not close', async () => {
    const { calls, state, fleet, run, pass } = await openFleetWithCalls();
    state.closes = false;
    run([chunksPart(0)]);
    await idle();
    void fleet.close();
    await idle();
    await pass(999);
    expect(calls.closed).toEqual(['queue']);
    await pass(1);
    expect(calls.closed).toEqual(['queue', 'store']);
  });

  it('closes its queues and its store once', async () => {
    const { calls, fleet, run } = await openFleetWithCalls();
    const end = run([chunksPart(0)]);
    await idle();
    await Promise.all([fleet.close(), fleet.close()]);
    await idle();
    expect(calls.closed).toEqual(['queue', 'store']);
    expect(end.error).toMatchObject({ reason: 'engine-unavailable', message: 'This server is stopping.' });
    // The answers and the lease stay for the server that adopts the run.
    expect(
      calls.forget.flat().filter(name => name.startsWith('reply:') || name.startsWith('lease:')),
    ).toEqual([]);
    expect(run([chunksPart(0)]).state).toBe('runs');
  });
});

describe('A run in parts', () => {
  it('has a lease of ten seconds, renewed every two until its end', async () => {
    const { calls, run, pass, reply, ids } = await openFleetWithCalls();
    const end = run([chunksPart(0)]);
    await idle();
    const leases = () =>
      calls.put
        .filter(({ name }) => name === 'lease:run')
        .map(({ seconds, bytes }) => [seconds, bytes.length]);
    expect(leases()).toEqual([[10, 1]]);
    await pass(1999);
    expect(leases()).toHaveLength(1);
    await pass(1);
    expect(leases()).toEqual([
      [10, 1],
      [10, 1],
    ]);
    await reply(ids()[0]);
    await pass(1000);
    await pass(250);
    expect(end.state).toBe('answered');
    await pass(10_000);
    expect(leases().length).toBeLessThanOrEqual(3);
    expect(calls.forget.at(-1)).toEqual(['lease:run', `reply:${ids()[0]}`, `part:${ids()[0]}`]);
  });

  it('has the same names for the same parts only: not for another cut, plan, engine or version', async () => {
    const names = async (change: Partial<PartsRun> = {}, version = '1') => {
      const { run, ids } = await openFleetWithCalls({ version });
      run([chunksPart(0), chunksPart(1)], change);
      await idle();
      return ids();
    };
    const first = await names();
    expect(await names()).toEqual(first);
    const whole: Part = { kind: 'chunks', range: { first: 0, count: 8 } };
    const others = [
      await names({ parts: [whole] }),
      await names({ parts: [chunksPart(0), { kind: 'chunks', range: { first: 4, count: 3 } }] }),
      await names({ plan: fleetPlan('loan', 16) }),
      await names({ engine: 'simd' }),
      await names({}, '2'),
    ].flat();
    expect(others).toHaveLength(9);
    expect(others.filter(name => first.includes(name))).toEqual([]);
  });

  it('names its parts by run, plan and place, and stores its plan for an hour', async () => {
    const { calls, run, ids } = await openFleetWithCalls();
    run([chunksPart(0), chunksPart(1)]);
    await idle();
    const [plan] = calls.put.filter(({ name }) => name.startsWith('plan:'));
    expect(plan.name).toMatch(/^plan:[0-9a-f]{32}$/);
    expect(plan.seconds).toBe(3600);
    const [, hash] = /^run\.([0-9a-f]{12})\./.exec(ids()[0]) ?? [];
    expect(ids()).toEqual([0, 1].map(k => `run.${hash}.chunks.${k}`));
    expect(calls.opened).toEqual(['parts-reference-1']);
    const [{ data }] = calls.added[0];
    expect([data.plan, data.lease]).toEqual([plan.name, 'lease:run']);
    expect(unpackPart(Buffer.from(data.part, 'base64'))).toEqual(chunksPart(0));
    calls.put.length = 0;
    run([chunksPart(0)], { run: 'next' });
    await idle();
    expect(calls.touch.at(-1)).toEqual([plan.name, 3600]);
    expect(calls.put.map(({ name }) => name)).toEqual(['lease:next']);
    expect(calls.opened).toHaveLength(1);
  });

  it('sends parts of up to 512 bytes with the queue, and larger ones with the store', async () => {
    const { calls, run } = await openFleetWithCalls();
    /** A part whose message has so many bytes. */
    const partOf = (bytes: number): Part => {
      for (let paths = 0; paths < 60; paths++)
        for (const level of [1, 200, 70_000, 0.5])
          for (const above of [1, 200, 70_000, 0.5])
            for (const at of [1, 200, 70_000, 0.5]) {
              const part: Part = {
                ...{ kind: 'book-tails', paths: new Uint32Array(paths), loss: new Float64Array(paths) },
                lossTails: [{ level, above, at }],
              };
              if (packPart(part).byteLength === bytes) return part;
            }
      throw new Error(`there is no part of ${bytes} bytes`);
    };
    run([partOf(512), partOf(513)]);
    await idle();
    const [small, large] = calls.added[0];
    expect([small.data.part !== undefined, large.data.part]).toEqual([true, undefined]);
    expect(calls.put.filter(({ name }) => name.startsWith('part:'))).toEqual([
      { name: `part:${large.id}`, bytes: packPart(partOf(513)), seconds: 3600 },
    ]);
  });

  it('adds 500 parts and reads 64 answers at a time', async () => {
    const { calls, run } = await openFleetWithCalls();
    run(Array.from({ length: 501 }, (_, k) => chunksPart(k)));
    await idle();
    expect(calls.added.map(jobs => jobs.length)).toEqual([500, 1]);
    const reads = calls.get.filter(([first]) => first?.startsWith('reply:')).map(names => names.length);
    expect(reads).toEqual([64, 64, 64, 64, 64, 64, 64, 53]);
  });

  it('reads an answer as soon as its end is told, and all of them after a second without', async () => {
    const { clock, calls, run, pass, reply, ids, answers, tellEnd } = await openFleetWithCalls();
    run([chunksPart(0), chunksPart(1)]);
    await idle();
    const reads = () => calls.get.filter(([first]) => first?.startsWith('reply:'));
    const [first, second] = ids();
    const before = reads().length;
    await pass(750);
    expect(reads()).toHaveLength(before);
    await pass(250);
    expect(reads().at(-1)).toEqual([`reply:${first}`, `reply:${second}`]);
    await pass(500);
    const timers = clock.pending;
    await reply(second);
    tellEnd(second);
    await idle();
    // The wait that the end was told in has no timer any more.
    expect([answers, clock.pending]).toEqual([[1], timers]);
    expect(reads().at(-1)).toEqual([`reply:${second}`]);
    // A second after the answer.
    const after = reads().length;
    await pass(750);
    expect(reads()).toHaveLength(after);
    await pass(250);
    expect(reads().at(-1)).toEqual([`reply:${first}`]);
  });

  it('reads nothing where nothing is told, and adds full lots once', async () => {
    const { calls, run, pass } = await openFleetWithCalls();
    run(Array.from({ length: 500 }, (_, k) => chunksPart(k)));
    await idle();
    await pass(250);
    expect(calls.added.map(jobs => jobs.length)).toEqual([500]);
    const lots = await openFleetWithCalls();
    lots.run(Array.from({ length: 64 }, (_, k) => chunksPart(k)));
    await idle();
    await lots.pass(250);
    expect(lots.calls.get.map(names => names.length)).toEqual([1, 64]);
  });

  it('counts three seconds from its last answer', async () => {
    const { run, pass, reply, ids, tellEnd } = await openFleetWithCalls();
    run([chunksPart(0), chunksPart(1)]);
    await idle();
    for (let passed = 0; passed < 2000; passed += 250) await pass(250);
    await reply(ids()[0]);
    tellEnd(ids()[0]);
    await idle();
    for (let passed = 0; passed < 2750; passed += 250) await pass(250);
    expect(ids()).toHaveLength(2);
    await pass(250);
    expect(ids()).toHaveLength(3);
  });

  it('computes a part whose answer it cannot read, says so, and goes on from there', async () => {
    const { kept, calls, lines, answers, run, pass, ids, tellEnd } = await openFleetWithCalls();
    run([chunksPart(0), chunksPart(1)]);
    await idle();
    await pass(1000);
    await pass(500);
    await kept.put({ name: replyName(ids()[0]), bytes: Uint8Array.of(0xc1), seconds: 60 });
    tellEnd(ids()[0]);
    await idle();
    expect([answers, calls.removed]).toEqual([[0], [ids()[0]]]);
    expect(lines).toEqual([
      expect.objectContaining({
        part: ids()[0],
        msg: 'the answer to a part cannot be read from the store; this server computes the part',
      }),
    ]);
    const before = calls.get.length;
    const reads = () => calls.get.slice(before).filter(([first]) => first?.startsWith('reply:'));
    await pass(750);
    expect(reads()).toEqual([]);
    await pass(250);
    expect(reads()).toEqual([[replyName(ids()[1])]]);
  });

  it('ends when its entries are removed, and a cancelled one at once', async () => {
    const { store, run, reply, ids, tellEnd } = await openFleetWithCalls();
    const end = run([chunksPart(0)]);
    await idle();
    const { forget } = store;
    const { wait, end: answer } = heldCalls();
    store.forget = async names => {
      if (names.includes('lease:run')) await wait();
      await forget(names);
    };
    await reply(ids()[0]);
    tellEnd(ids()[0]);
    await idle();
    expect(end.state).toBe('runs');
    answer();
    await idle();
    expect(end.state).toBe('answered');
    const gone = new AbortController();
    const cancelled = run([chunksPart(0)], { signal: gone.signal });
    await idle();
    gone.abort(new Error('gone'));
    await idle();
    expect(cancelled.state).toBe('failed');
  });

  it('adds missing parts again after three seconds without an answer', async () => {
    const { run, pass, ids } = await openFleetWithCalls();
    run([chunksPart(0)]);
    await idle();
    for (let passed = 0; passed < 2750; passed += 250) await pass(250);
    expect(ids()).toHaveLength(1);
    await pass(250);
    expect(ids()).toHaveLength(2);
  });

  it('is refused where the queue has given a part up', async () => {
    const { state, lines, run, pass } = await openFleetWithCalls();
    const end = run([chunksPart(0)]);
    await idle();
    state.failure = 'stalled';
    for (let passed = 0; passed < 3000; passed += 250) await pass(250);
    expect(end.error).toMatchObject({
      reason: 'engine-failed',
      message: 'A part of the work failed on every worker that tried it.',
    });
    expect(lines.at(-1)).toMatchObject({
      why: 'stalled',
      msg: 'a part failed on every worker that tried it; its run is answered 500',
    });
  });

  it('computes its parts itself while the queue does not take them, and adds the others after three seconds', async () => {
    const { calls, state, answers, lines, run, pass, slowly } = await openFleetWithCalls();
    state.addFails = true;
    run(
      Array.from({ length: 20 }, (_, k) => chunksPart(k)),
      { runHere: slowly },
    );
    await idle();
    expect(lines.map(({ msg }) => msg)).toEqual(['parts could not be added to the queue']);
    await pass(250);
    await pass(250);
    expect(answers).toEqual([0]);
    state.addFails = false;
    for (let passed = 500; passed < 3000; passed += 250) {
      expect(calls.added).toEqual([]);
      await pass(250);
    }
    expect(answers).toHaveLength(11);
    expect(calls.added.flat()).toHaveLength(9);
    for (let passed = 0; passed < 2000; passed += 250) await pass(250);
    expect(answers).toHaveLength(11);
  });

  it('computes its parts itself while the store does not take its lease', async () => {
    const { store, calls, answers, lines, run, pass } = await openFleetWithCalls();
    store.put = async () => {
      throw new Error('full');
    };
    const end = run([chunksPart(0), chunksPart(1)]);
    await idle();
    await pass(250);
    expect([answers, end.state, calls.added]).toEqual([[0, 1], 'answered', []]);
    expect(lines.map(({ msg }) => msg)).toEqual(['parts could not be added to the queue']);
  });

  it('computes the rest of a run itself while the store refuses this server, as after a change of its password', async () => {
    const { store, answers, lines, run, reply, ids, tellEnd, pass } = await openFleetWithCalls();
    const end = run([chunksPart(0), chunksPart(1), chunksPart(2)]);
    await idle();
    await reply(ids()[0]);
    tellEnd(ids()[0]);
    await idle();
    expect(answers).toEqual([0]);
    const refuse = () => Promise.reject(new StoreRefused(new Error('WRONGPASS invalid password')));
    Object.assign(store, { put: refuse, get: refuse, touch: refuse, forget: refuse, list: refuse });
    tellEnd(ids()[1]);
    for (let passed = 0; passed <= 3500; passed += 250) await pass(250);
    expect([answers, end]).toEqual([[0, 1, 2], { state: 'answered', error: undefined }]);
    expect(lines.map(({ msg }) => msg)).toContain(
      'the store of the fleet rejects the authentication of this process; restart it with the new REDIS_URL',
    );
  });

  it('leaves answers of up to 64 KiB in the store until its end, and removes larger ones at once', async () => {
    const { calls, run, reply, ids, tellEnd } = await openFleetWithCalls();
    run([chunksPart(0), chunksPart(1), chunksPart(2)]);
    await idle();
    const [small, large] = ids();
    const words = (bytes: number) => {
      for (let count = bytes / 4 - 20; count < bytes / 4; count++)
        if (packReply({ answer: answerOf(count) }).byteLength > bytes) return count;
      throw new Error(`there is no answer of ${bytes} bytes`);
    };
    await reply(small, words(2 ** 16) - 1);
    await reply(large, words(2 ** 16));
    tellEnd(small);
    tellEnd(large);
    await idle();
    expect(calls.forget.flat()).toEqual([replyName(large)]);
  });

  it('takes one answer of more than 64 KiB in a turn of the event loop', async () => {
    const { run, reply, ids, tellEnd } = await openFleetWithCalls();
    let turn = 0;
    const turns: number[] = [];
    run([chunksPart(0), chunksPart(1), chunksPart(2)], { onAnswer: () => void turns.push(turn) });
    await idle();
    for (const id of ids()) await reply(id, 2 ** 16);
    for (const id of ids()) tellEnd(id);
    for (; turn < 30; turn++) await idle(1);
    expect(turns).toHaveLength(3);
    expect(new Set(turns).size).toBe(3);
  });

  it('computes one part after another itself while there is no worker, after one pause', async () => {
    const { calls, answers, run, pass, ids } = await openFleetWithCalls({ threads: 0 });
    const end = run([chunksPart(0), chunksPart(1), chunksPart(2)]);
    await idle();
    await pass(249);
    expect(answers).toEqual([]);
    await pass(1);
    expect([answers, end.state]).toEqual([[0, 1, 2], 'answered']);
    expect(calls.removed).toEqual(ids());
    // Each of them is an answer: parts are not added again meanwhile.
    const long = await openFleetWithCalls({ threads: 0 });
    long.run(
      Array.from({ length: 16 }, (_, k) => chunksPart(k)),
      { runHere: long.slowly },
    );
    await idle();
    for (let passed = 0; passed < 4000; passed += 250) await long.pass(250);
    expect([long.answers.length, long.calls.added.length]).toEqual([15, 1]);
  });

  it('waits for a worker that comes while it computes parts itself', async () => {
    const server = await openFleetWithCalls({ threads: 0 });
    const { answers, run, pass, slowly, addWorker, reply, ids, tellEnd } = server;
    const end = run(
      Array.from({ length: 6 }, (_, k) => chunksPart(k)),
      { runHere: slowly },
    );
    await idle();
    await pass(250);
    await addWorker(4);
    // The server looks for workers at 1000 ms, when it has computed three parts.
    for (let passed = 250; passed < 2500; passed += 250) await pass(250);
    expect([answers, end.state]).toEqual([[0, 1, 2], 'runs']);
    for (const id of ids().slice(3)) {
      await reply(id);
      tellEnd(id);
    }
    await idle();
    expect([answers, end.state]).toEqual([[0, 1, 2, 3, 4, 5], 'answered']);
  });

  it('whose caller is gone removes its entries, without waiting for the store', async () => {
    const { kept, calls, run, ids } = await openFleetWithCalls();
    const gone = new AbortController();
    const end = run([chunksPart(0)], { signal: gone.signal });
    await idle();
    gone.abort(new Error('gone'));
    await idle();
    expect([end.state, end.error]).toEqual(['failed', new Error('gone')]);
    expect(calls.forget.filter(names => names.length > 0)).toEqual([
      ['lease:run', `reply:${ids()[0]}`, `part:${ids()[0]}`],
    ]);
    expect(await kept.get(['lease:run'])).toEqual([undefined]);
    calls.put.length = 0;
    const late = run([chunksPart(0)], { signal: AbortSignal.abort(new Error('late')) });
    await idle();
    expect(calls.put).toEqual([]);
    expect(late.error).toEqual(new Error('late'));
  });
});
