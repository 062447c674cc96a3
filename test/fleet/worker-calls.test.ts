/** What a worker asks of its store and its queues, and when, on a clock that the test moves. */
import { describe, expect, it } from 'vitest';
import type { EngineKind } from '#src/core/engine.js';
import type { PartAnswer, PartEngine } from '#src/engine/parts.js';
import { packPart, packPlan, unpackAnnouncement, unpackReply } from '#src/fleet/fleet-messages.js';
import { startWorker } from '#src/fleet/fleet-worker.js';
import type { QueuedJob, Queues } from '#src/fleet/queues.js';
import { fleetPlan } from '../support/fleet-plans.ts';
import { heldCalls } from '../support/held-calls.ts';
import { idle, pass as passTime } from '../support/idle.ts';
import { collectLog } from '../support/log-lines.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { recordedStore } from '../support/recorded-store.ts';

const ANSWER = { words: Uint32Array.of(1) } as unknown as PartAnswer;

async function opened({ closesAtOnce = true } = {}) {
  const clock = new ManualClock();
  const { kept, store, calls: recorded } = recordedStore(() => clock.now());
  const calls = Object.assign(recorded, { taken: [] as (string | number)[][] });
  let work: (job: QueuedJob) => Promise<void> = async () => {};
  const queues: Queues = {
    open: () => {
      throw new Error('a worker puts nothing into a queue');
    },
    take(name, atOnce, given) {
      calls.taken.push([name, atOnce]);
      work = given;
      return {
        close: async () => {
          calls.closed.push('taker');
          if (!closesAtOnce) await new Promise(() => {});
        },
      };
    },
  };
  const held: (() => void)[] = [];
  const state = { holds: false };
  const engine = {
    chunks: () => undefined,
    async runPart() {
      if (state.holds) await new Promise<void>(resolve => held.push(resolve));
      return ANSWER;
    },
    mergeChunks: () => {
      throw new Error('nothing is merged');
    },
  } as unknown as PartEngine;
  const { log, lines } = collectLog();
  const worker = await startWorker({
    ...{ store, queues, threads: 4, version: '1', clock, log },
    engines: new Map<EngineKind, PartEngine>([['reference', engine]]),
  });
  await kept.put({ name: 'lease:run', bytes: Uint8Array.of(1), seconds: 1e6 });
  const bytes = packPlan(fleetPlan('loan', 8));
  const addPlan = (name: string) => kept.put({ name, bytes, seconds: 1e6 });
  await addPlan('plan:1');
  const part = packPart({ kind: 'chunks', range: { first: 0, count: 4 } });
  const job = (id: string, plan = 'plan:1', inline = true): QueuedJob => ({
    id,
    data: { plan, lease: 'lease:run', ...(inline && { part: Buffer.from(part).toString('base64') }) },
  });
  const pass = (milliseconds: number) => passTime(clock, milliseconds);
  const replyOf = async (id: string) => {
    const [bytes] = await kept.get([`reply:${id}`]);
    return bytes && unpackReply(bytes, 'chunks');
  };
  return {
    clock,
    kept,
    store,
    calls,
    worker,
    lines,
    state,
    held,
    part,
    job,
    addPlan,
    pass,
    replyOf,
    take: (sent: QueuedJob) => work(sent),
  };
}

describe('A worker', () => {
  it('announces itself for four seconds, every second, with what it computes', async () => {
    const { calls, worker, state, held, job, pass, take } = await opened();
    const announced = () =>
      calls.put
        .filter(({ name }) => name === `worker:${worker.id}`)
        .map(({ bytes, seconds, list }) => ({ ...unpackAnnouncement(bytes), seconds, list }));
    const first = {
      ...{ id: worker.id, host: expect.any(String), version: '1', engines: { reference: 4 }, busy: 0 },
      ...{ seconds: 4, list: 'workers' },
    };
    expect(announced()).toEqual([first]);
    expect(calls.taken).toEqual([['parts-reference-1', 2]]);
    state.holds = true;
    const [one, other] = [take(job('a')), take(job('b'))];
    await pass(999);
    expect(announced()).toHaveLength(1);
    await pass(1);
    expect(announced().at(-1)).toEqual({ ...first, busy: 2 });
    for (const finish of held) finish();
    await Promise.all([one, other]);
    await pass(1000);
    expect(announced().at(-1)).toEqual({ ...first, busy: 0 });
    await worker.close();
    await pass(5000);
    expect(announced()).toHaveLength(3);
  });

  it('keeps an answer for an hour, and reads a part of the store where the queue has none', async () => {
    const { kept, calls, part, job, take, replyOf, worker } = await opened();
    await take(job('a'));
    expect(calls.put.at(-1)).toMatchObject({ name: 'reply:a', seconds: 3600 });
    await take(job('b', 'plan:1', false));
    expect(await replyOf('b')).toBeUndefined();
    await kept.put({ name: 'part:b', bytes: part, seconds: 60 });
    await take(job('b', 'plan:1', false));
    expect(await replyOf('b')).toEqual({ answer: ANSWER });
    await worker.close();
  });

  it('looks at the leases of its runs five times a second, while it has some, one look at a time', async () => {
    const { store, calls, state, held, job, pass, take, worker } = await opened();
    const looks = () => calls.get.filter(names => names.length === 1 && names[0] === 'lease:run').length;
    await pass(1000);
    expect(looks()).toBe(0);
    state.holds = true;
    const working = [take(job('a')), take(job('b'))];
    await idle();
    await pass(199);
    expect(looks()).toBe(0);
    await pass(1);
    expect(looks()).toBe(1);
    const { wait, end: answer } = heldCalls();
    const { get } = store;
    store.get = async names => {
      await wait();
      return get(names);
    };
    await pass(1000);
    answer();
    await idle();
    expect(looks()).toBe(2);
    // A store that does not answer says nothing of the run.
    store.get = () => Promise.reject(new Error('away'));
    await pass(200);
    store.get = get;
    await pass(200);
    expect(looks()).toBe(3);
    held[0]();
    await working[0];
    await pass(200);
    expect(looks()).toBe(4);
    held[1]();
    await working[1];
    await pass(1000);
    expect(looks()).toBe(4);
    await worker.close();
  });

  it('says that the store answers again, after more than four seconds without an announcement', async () => {
    const { store, lines, pass, worker } = await opened();
    const { put } = store;
    const told = () => lines.filter(({ msg }) => msg === 'the store of the fleet answers again').length;
    const away = () => {
      store.put = () => Promise.reject(new Error('away'));
    };
    away();
    for (let second = 1; second <= 3; second++) await pass(1000);
    store.put = put;
    await pass(1000);
    expect(told()).toBe(0);
    away();
    for (let second = 1; second <= 4; second++) await pass(1000);
    store.put = put;
    await pass(1000);
    await pass(1000);
    expect(told()).toBe(1);
    const { wait, end: answer } = heldCalls();
    away();
    for (let second = 1; second <= 3; second++) await pass(1000);
    store.put = async entry => {
      await wait();
      await put(entry);
    };
    await pass(1000);
    store.put = put;
    await pass(2);
    answer();
    await pass(0);
    expect(told()).toBe(2);
    await worker.close();
  });

  it('drops an entry of the queue that is no part, and says so', async () => {
    const { lines, take, worker } = await opened();
    await take({ id: 'a', data: {} });
    expect(lines).toEqual([
      expect.objectContaining({
        part: 'a',
        msg: 'a part in the queue cannot be read; its server adds it again, or computes it',
      }),
    ]);
    await worker.close();
  });

  it('keeps the last four plans', async () => {
    const { calls, job, addPlan, take, worker } = await opened();
    const plans = ['plan:1', 'plan:2', 'plan:3', 'plan:4', 'plan:5'];
    for (const plan of plans) await addPlan(plan);
    let parts = 0;
    const reads = async (plan: string) => {
      const before = calls.get.length;
      parts += 1;
      await take(job(`p${parts}`, plan));
      return calls.get.slice(before).some(([name]) => name === plan);
    };
    for (const plan of plans.slice(0, 4)) expect(await reads(plan), plan).toBe(true);
    for (const plan of plans.slice(0, 4)) expect(await reads(plan), `${plan} again`).toBe(false);
    expect(await reads('plan:1')).toBe(false);
    expect(await reads('plan:5')).toBe(true);
    // The one that was asked for longest ago is gone.
    for (const plan of ['plan:1', 'plan:3', 'plan:4', 'plan:5']) expect(await reads(plan), plan).toBe(false);
    expect(await reads('plan:2')).toBe(true);
    await worker.close();
  });

  it('asks again for a plan that was missing, or could not be read from a store that did not answer', async () => {
    const { store, job, addPlan, take, replyOf, worker } = await opened();
    await take(job('a', 'plan:9'));
    expect(await replyOf('a')).toBeUndefined();
    const { get } = store;
    store.get = async names => {
      if (names[0] === 'plan:9') throw new Error('away');
      return get(names);
    };
    await take(job('b', 'plan:9'));
    expect(await replyOf('b')).toMatchObject({ failure: { reason: 'engine-failed' } });
    store.get = get;
    await addPlan('plan:9');
    await take(job('a', 'plan:9'));
    expect(await replyOf('a')).toEqual({ answer: ANSWER });
    await worker.close();
  });

  it('closes after its parts, its store last', async () => {
    const { clock, kept, calls, lines, worker } = await opened();
    await worker.close();
    expect(await kept.get([`worker:${worker.id}`])).toEqual([undefined]);
    expect([calls.closed, clock.pending, lines]).toEqual([['taker', 'store'], 0, []]);
  });

  it.each([
    ['nothing', false, 1000],
    ['the answer of the store', true, 10_000],
  ])('that waits for %s closes after %s, %i ms, where its queue does not', async (_, waits, milliseconds) => {
    const { store, calls, lines, worker, job, pass, take } = await opened({ closesAtOnce: false });
    const { put } = store;
    if (waits) {
      store.put = entry => (entry.name === 'reply:a' ? new Promise(() => {}) : put(entry));
      void take(job('a'));
      await idle();
    }
    void worker.close();
    await idle();
    await pass(milliseconds - 1);
    expect(calls.closed).toEqual(['taker']);
    await pass(1);
    expect(calls.closed).toEqual(['taker', 'store']);
    expect(lines.map(({ msg }) => msg)).toEqual([
      'the store does not answer while this worker stops; other workers compute its parts',
    ]);
  });

  it('waits for a part that it computes as long as it takes', async () => {
    const { calls, lines, state, held, worker, job, pass, take } = await opened({ closesAtOnce: false });
    state.holds = true;
    const working = take(job('a'));
    await idle();
    void worker.close();
    await idle();
    await pass(60_000);
    expect([calls.closed, lines]).toEqual([['taker'], []]);
    held[0]();
    await working;
    await idle();
    await pass(10_000);
    expect(calls.closed).toEqual(['taker', 'store']);
  });
});
