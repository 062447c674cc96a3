/** A server of a fleet whose store and queue record every call, on a clock that the test moves. */
import type { Part, PartAnswer } from '#src/engine/parts.js';
import { openFleet, type PartsRun } from '#src/fleet/fleet.js';
import { packAnnouncement, packReply } from '#src/fleet/fleet-messages.js';
import { replyName, WORKERS, workerName } from '#src/fleet/names.js';
import type { JobQueue, QueuedJob, Queues } from '#src/fleet/queues.js';
import { fleetPlan } from './fleet-plans.ts';
import { pass as passTime } from './idle.ts';
import { collectLog } from './log-lines.ts';
import { ManualClock } from './manual-clock.ts';
import { recordedStore } from './recorded-store.ts';

export const chunksPart = (k: number): Part => ({ kind: 'chunks', range: { first: 4 * k, count: 4 } });
export const answerOf = (words = 1) => ({ words: new Uint32Array(words) }) as unknown as PartAnswer;

export async function openFleetWithCalls({ threads = 4, spoiled = false, version = '1' } = {}) {
  const clock = new ManualClock();
  // No time is 0.
  clock.advance(10_000);
  const { kept, store, calls: recorded } = recordedStore(() => clock.now());
  const addWorker = (count: number) =>
    kept.put({
      ...{ name: workerName('w'), seconds: 3600, list: WORKERS },
      bytes: packAnnouncement({ id: 'w', host: 'h', version: '1', engines: { reference: count }, busy: 0 }),
    });
  if (threads > 0) await addWorker(threads);
  if (spoiled)
    await kept.put({ name: workerName('x'), bytes: Uint8Array.of(0xc1), seconds: 3600, list: WORKERS });
  const calls = Object.assign(recorded, {
    added: [] as (readonly QueuedJob[])[],
    removed: [] as string[],
    opened: [] as string[],
  });
  const state = {
    failure: undefined as string | undefined,
    listFails: false,
    putFails: false,
    addFails: false,
    closes: true,
    isWorkedOn: true,
  };
  const { list, put } = store;
  store.put = async entry => {
    if (state.putFails) throw new Error('OOM command not allowed');
    await put(entry);
  };
  store.list = async name => {
    const found = await list(name);
    if (state.listFails) throw new Error('away');
    return found;
  };
  let onEnd: (id: string) => void = () => {};
  const queue: JobQueue = {
    add: async jobs => {
      if (state.addFails) throw new Error('full');
      calls.added.push(jobs);
    },
    failure: async () => state.failure,
    isWorkedOn: async () => state.isWorkedOn,
    remove: async id => void calls.removed.push(id),
    close: async () => {
      calls.closed.push('queue');
      if (!state.closes) await new Promise(() => {});
    },
  };
  const queues: Queues = {
    open(name, told) {
      calls.opened.push(name);
      onEnd = told ?? onEnd;
      return queue;
    },
    take: () => {
      throw new Error('a server takes no jobs');
    },
  };
  const { log, lines } = collectLog();
  const fleet = await openFleet({ store, queues, version, clock, log });
  const answers: number[] = [];
  const run = (parts: readonly Part[], change: Partial<PartsRun> = {}) => {
    const end: { state: string; error: unknown } = { state: 'runs', error: undefined };
    fleet
      .runParts({
        ...{ engine: 'reference', plan: fleetPlan('loan', 8), parts, run: 'run', signal: undefined },
        onAnswer: index => void answers.push(index),
        runHere: async () => answerOf(),
        ...change,
      })
      .then(
        () => {
          end.state = 'answered';
        },
        error => {
          end.state = 'failed';
          end.error = error;
        },
      );
    return end;
  };
  /** Computes a part in 250 ms. */
  const slowly = () => new Promise<PartAnswer>(resolve => clock.after(250, () => resolve(answerOf())));
  const pass = (milliseconds: number) => passTime(clock, milliseconds);
  const reply = (id: string, words = 1) =>
    kept.put({ name: replyName(id), bytes: packReply({ answer: answerOf(words) }), seconds: 3600 });
  const ids = () => calls.added.flat().map(({ id }) => id);
  return {
    clock,
    kept,
    store,
    queue,
    calls,
    state,
    fleet,
    lines,
    answers,
    run,
    pass,
    reply,
    ids,
    addWorker,
    slowly,
    tellEnd: (id: string) => onEnd(id),
  };
}
