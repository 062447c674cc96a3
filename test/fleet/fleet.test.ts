/**
 * A server of a fleet, on a store in memory, queues that a test inspects, and a clock that it moves: what is sent,
 * what is read, and what stays behind.
 */
import { describe, expect, it } from 'vitest';
import type { Part, PartAnswer } from '#src/engine/parts.js';
import { openFleet, type PartsRun } from '#src/fleet/fleet.js';
import { pack, packAnnouncement, packReply } from '#src/fleet/fleet-messages.js';
import { leaseName, replyName, WORKERS, workerName } from '#src/fleet/names.js';
import type { QueuedJob, Queues } from '#src/fleet/queues.js';
import { createLogger } from '#src/host/log.js';
import { fleetPlan } from '../support/fleet-plans.ts';
import { collectLog } from '../support/log-lines.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { memoryStore } from '../support/memory-store.ts';

const PARTS: readonly Part[] = [0, 4].map(first => ({ kind: 'chunks', range: { first, count: 4 } }));
const answerOf = (index: number) => ({ words: Uint32Array.of(10 + index) }) as unknown as PartAnswer;
/** More rounds of a run than any of these takes; a round is a wait for events. */
const MAX_ROUNDS = 200;
const ROUND_MILLISECONDS = 250;

/** A queue that keeps what is put into it, and tells of the end of a job when the test says so. */
function openQueue() {
  const added: QueuedJob[] = [];
  const removed: string[] = [];
  let onEnd: (id: string) => void = () => {};
  const queues: Queues = {
    open(_, told) {
      onEnd = told ?? onEnd;
      return {
        add: async jobs => void added.push(...jobs),
        failure: async () => undefined,
        isWorkedOn: async () => true,
        remove: async id => void removed.push(id),
        close: async () => {},
      };
    },
    take: () => {
      throw new Error('a server takes no jobs');
    },
  };
  return { queues, added, removed, tellEnd: (id: string) => onEnd(id) };
}

async function openServer({ workers = [['reference', '1']] as readonly (readonly [string, string])[] } = {}) {
  const clock = new ManualClock();
  const store = memoryStore(() => clock.now());
  for (const [i, [engine, version]] of workers.entries()) {
    const announcement = { id: `${i}`, host: 'a', version, engines: { [engine]: 4 }, busy: 0 };
    await store.put({
      name: workerName(`${i}`),
      bytes: packAnnouncement(announcement),
      seconds: 3600,
      list: WORKERS,
    });
  }
  const queue = openQueue();
  const { queues } = queue;
  const { log, lines } = collectLog();
  const fleet = await openFleet({ store, queues, version: '1', clock, log });
  const answers: [number, PartAnswer][] = [];
  const done = new Set<number>();
  /** The two parts; whoever answers or does one a second time fails the run. */
  const run: PartsRun = {
    engine: 'reference',
    plan: fleetPlan('loan', 8),
    parts: PARTS,
    run: 'run',
    signal: undefined,
    onAnswer(index, answer) {
      if (answers.some(([known]) => known === index)) throw new Error(`part ${index} was answered twice`);
      answers.push([index, answer]);
    },
    async runHere(part) {
      const index = PARTS.indexOf(part);
      if (done.has(index)) throw new Error(`part ${index} was done here twice`);
      done.add(index);
      return answerOf(index);
    },
  };
  /** Moves the clock until the run has ended, and gives what came of it. */
  const settle = async (running: Promise<void>): Promise<unknown> => {
    let end: { readonly with: unknown } | undefined;
    running.then(
      () => {
        end = { with: 'answers' };
      },
      error => {
        end = { with: error };
      },
    );
    for (let round = 0; end === undefined; round++) {
      if (round === MAX_ROUNDS) throw new Error(`the run did not end within ${MAX_ROUNDS} rounds`);
      await nextTurn();
      clock.advance(ROUND_MILLISECONDS);
    }
    return (end as { readonly with: unknown }).with;
  };
  const reply = (id: string, index: number) =>
    store.put({ name: replyName(id), bytes: packReply({ answer: answerOf(index) }), seconds: 3600 });
  return { clock, store, fleet, lines, run, settle, reply, answers, done, ...queue };
}

/** What the store may return in place of an announcement or an answer. */
const UNREADABLE: readonly (readonly [string, Uint8Array])[] = [
  ['null', pack(null)],
  ['no message', Uint8Array.of(0xc1)],
  ['nothing', new Uint8Array(0)],
  ['a text', pack('text')],
  ['no members', pack({})],
  ['an announcement without engines', pack({ id: 'a', host: 'a', version: '1', busy: 0 })],
  [
    'engines that are no numbers',
    pack({ id: 'a', host: 'a', version: '1', busy: 0, engines: { reference: 'x' } }),
  ],
  ['an answer that is null', pack({ answer: null })],
  ['words that are no words', pack({ answer: { words: [1, 2] } })],
  ['a failure for no reason', pack({ failure: { reason: 'other', message: '' } })],
];

const nextTurn = () => new Promise<void>(resolve => setImmediate(resolve));

/** Lets everything run that waits for no clock. */
async function idle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await nextTurn();
}

describe('A server of a fleet', () => {
  it('counts the threads of the workers of its own version', async () => {
    const { fleet } = await openServer({
      workers: [
        ['reference', '1'],
        ['reference', '2'],
        ['simd', '1'],
        ['reference', '1'],
      ],
    });
    expect(fleet.workers.length).toBe(4);
    expect(fleet.threadsFor('reference')).toBe(8);
    expect(fleet.threadsFor('gpu')).toBe(0);
    await fleet.close();
  });

  it('gives workers no runs while the store does not answer', async () => {
    const { clock, store, fleet, lines } = await openServer();
    const list = store.list;
    let answer = () => {};
    const silent = new Promise<void>(resolve => {
      answer = resolve;
    });
    store.list = async name => {
      await silent;
      return list(name);
    };
    clock.advance(5_000);
    await idle();
    expect([fleet.isAnswering, fleet.threadsFor('reference')]).toEqual([true, 4]);
    clock.advance(1_000);
    await idle();
    expect([fleet.isAnswering, fleet.threadsFor('reference')]).toEqual([false, 0]);
    answer();
    await idle();
    expect([fleet.isAnswering, fleet.threadsFor('reference')]).toEqual([true, 4]);
    expect(lines.map(({ msg }) => msg)).toEqual([
      'the store of the fleet is silent for five seconds; this server computes alone',
      'the store of the fleet answers again',
    ]);
    await fleet.close();
  });

  it('returns each answer once, and leaves nothing in the store', async () => {
    const { fleet, run, settle, reply, added, answers, tellEnd, store } = await openServer();
    const running = fleet.runParts(run);
    await idle();
    expect(added.length).toBe(2);
    for (const [i, { id }] of added.entries()) await reply(id, i);
    // One end is told, and told twice; the other is found by looking.
    tellEnd(added[1].id);
    tellEnd(added[1].id);
    expect(await settle(running)).toBe('answers');
    expect(answers.sort(([a], [b]) => a - b)).toEqual([0, 1].map(i => [i, answerOf(i)]));
    const names = [leaseName('run'), ...added.map(({ id }) => replyName(id))];
    expect(await store.get(names)).toEqual(names.map(() => undefined));
    await fleet.close();
  });

  it('reads the answers that an earlier server has left before it sends parts', async () => {
    const first = await openServer();
    const before = first.fleet.runParts(first.run);
    await idle();
    const { added } = first;
    for (const [i, { id }] of added.entries()) await first.reply(id, i);
    // It leaves as it is: what it found belongs to whoever takes the run up.
    await first.fleet.close();
    await expect(before).rejects.toMatchObject({ reason: 'engine-unavailable' });

    const clock = new ManualClock();
    const second = openQueue();
    const log = createLogger('silent');
    const { store } = first;
    const fleet = await openFleet({ store, queues: second.queues, version: '1', clock, log });
    expect(await first.settle(fleet.runParts(first.run))).toBe('answers');
    expect(first.answers.map(([index]) => index).sort()).toEqual([0, 1]);
    expect(second.added).toEqual([]);
    await fleet.close();
  });

  it('refuses with the reason of a part that failed', async () => {
    const { fleet, run, settle, added, store, tellEnd } = await openServer();
    const running = fleet.runParts(run);
    await idle();
    const failure = { reason: 'engine-failed' as const, message: 'The kernel broke.' };
    await store.put({ name: replyName(added[0].id), bytes: packReply({ failure }), seconds: 3600 });
    tellEnd(added[0].id);
    expect(await settle(running)).toMatchObject({ reason: 'engine-failed', message: 'The kernel broke.' });
    await fleet.close();
  });

  it('computes every part itself, once, while there is no worker', async () => {
    const { fleet, run, settle, added, removed, answers, done } = await openServer({ workers: [] });
    expect(await settle(fleet.runParts(run))).toBe('answers');
    expect([...done]).toEqual([0, 1]);
    expect(answers).toEqual([0, 1].map(i => [i, answerOf(i)]));
    // A worker that comes later does not do them again.
    expect(removed).toEqual(added.map(({ id }) => id));
    await fleet.close();
  });

  it('adds parts without an answer to the queue again', async () => {
    const { clock, fleet, run, settle, reply, added } = await openServer();
    const running = fleet.runParts(run);
    await idle();
    for (let waited = 0; waited < 3000; waited += ROUND_MILLISECONDS) {
      clock.advance(ROUND_MILLISECONDS);
      await idle();
    }
    const ids = added.map(({ id }) => id);
    expect(ids).toEqual([...ids.slice(0, 2), ...ids.slice(0, 2)]);
    await Promise.all([reply(ids[0], 0), reply(ids[1], 1)]);
    expect(await settle(running)).toBe('answers');
    await fleet.close();
  });

  it('leaves no lease where its run ends while a renewal waits for the store', async () => {
    const { clock, fleet, run, settle, reply, added, store } = await openServer();
    const lease = leaseName('run');
    const running = fleet.runParts(run);
    await idle();
    let letThrough = () => {};
    const { put } = store;
    store.put = async entry => {
      if (entry.name === lease)
        await new Promise<void>(resolve => {
          letThrough = resolve;
        });
      await put(entry);
    };
    clock.advance(2000);
    for (const [i, { id }] of added.entries()) await reply(id, i);
    expect(await settle(running)).toBe('answers');
    expect(await store.get([lease])).toEqual([undefined]);
    letThrough();
    await idle();
    expect(await store.get([lease])).toEqual([undefined]);
    await fleet.close();
  });

  it.each(UNREADABLE)(
    'computes the part whose answer in the store cannot be read, once: %s',
    async (_, bytes) => {
      const { fleet, run, settle, reply, added, answers, done, store } = await openServer();
      const running = fleet.runParts(run);
      await idle();
      await store.put({ name: replyName(added[0].id), bytes, seconds: 3600 });
      await reply(added[1].id, 1);
      expect(await settle(running)).toBe('answers');
      expect([...done]).toEqual([0]);
      expect(answers.sort(([a], [b]) => a - b)).toEqual([0, 1].map(i => [i, answerOf(i)]));
      await fleet.close();
    },
  );

  it('omits workers whose announcement cannot be read, and continues with the others', async () => {
    const { clock, fleet, store } = await openServer();
    for (const [i, [, bytes]] of UNREADABLE.entries())
      await store.put({ name: workerName(`unreadable ${i}`), bytes, seconds: 3600, list: WORKERS });
    clock.advance(1000);
    await idle();
    expect((await store.list(WORKERS)).length).toBe(UNREADABLE.length + 1);
    expect(fleet.workers.map(({ id }) => id)).toEqual(['0']);
    expect(fleet.threadsFor('reference')).toBe(4);
    await fleet.close();
  });
});
