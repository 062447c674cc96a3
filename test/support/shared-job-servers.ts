/** Servers that share jobs in a store, on a clock that the test moves. */
import type { Fleet } from '#src/fleet/fleet.js';
import type { Change, FleetStore } from '#src/fleet/store.js';
import type { JobReply, JobReport } from '#src/server/jobs/job.js';
import type { JobResumer, Jobs } from '#src/server/jobs/jobs.js';
import { createSharedJobs } from '#src/server/jobs/shared-jobs.js';
import { pass } from './idle.ts';
import { collectLog } from './log-lines.ts';
import type { ManualClock } from './manual-clock.ts';
import { memoryStore } from './memory-store.ts';

const QUESTION = {
  ...{ path: '/var', query: '', seed: '0', compute: 'cpu', body: Uint8Array.of(1) },
  ...{ moment: 0, requestId: 'r', caller: 'me' },
};
export const REPLY: JobReply = { status: 200, headers: { 'x-seed': '0' }, body: '{}' };

/** Work that the test ends. */
export function heldWork() {
  const begun: { report: JobReport; signal: AbortSignal; finish: (reply?: JobReply) => void }[] = [];
  const work = (signal: AbortSignal, report: JobReport) =>
    new Promise<JobReply>((resolve, reject) => {
      begun.push({ report, signal, finish: (reply = REPLY) => resolve(reply) });
      signal.addEventListener('abort', () => reject(signal.reason));
    });
  return { begun, work };
}

export const RESUMER: JobResumer = {
  resume: async () => heldWork().work,
  fail: (_id, _operation, why) => async () => ({ status: 500, headers: {}, body: why }),
};

export function openServer(
  store: FleetStore,
  clock: ManualClock,
  resumer?: JobResumer,
  ask: Fleet['ask'] = call => call(),
) {
  const { log, lines } = collectLog();
  const jobs: Jobs = createSharedJobs({ maxJobs: 3, store, ask, retentionHours: 1, clock, log });
  if (resumer !== undefined) jobs.startAdoption?.(resumer);
  const held = heldWork();
  const submit = (idempotencyKey?: string, signal?: AbortSignal) =>
    jobs.submit({
      ...{ owner: 'me', operation: '/var', fingerprint: 'f', idempotencyKey },
      ...{ work: held.work, question: QUESTION },
      ...(signal === undefined ? {} : { signal }),
    });
  return { jobs, lines, begun: held.begun, submit };
}

/** Moves the clock in steps, with time for the store in between. */
export async function advance(clock: ManualClock, milliseconds: number): Promise<void> {
  for (let passed = 0; passed < milliseconds; passed += 250) await pass(clock, 250);
}

/** A store that refuses writes of bytes while `full`, as Redis does at its limit of memory. */
export function fillingStore(clock: ManualClock) {
  const store = memoryStore(() => clock.now());
  const state = { full: false, refused: 0 };
  const change = async (asked: Change) => {
    if (state.full && asked.put !== undefined) {
      state.refused += 1;
      throw new Error('OOM command not allowed');
    }
    return store.change(asked);
  };
  return { state, store: { ...store, change } };
}

/** A store as one server has it: once that is killed, nothing more of it arrives. */
export function ofServer(store: FleetStore) {
  const server = { killed: false };
  const answering =
    <A extends unknown[], R>(call: (...asked: A) => Promise<R>) =>
    (...asked: A): Promise<R> =>
      server.killed ? new Promise(() => {}) : call(...asked);
  const { put, change, get, touch, forget, list, close } = store;
  return {
    store: {
      ...{ put: answering(put), change: answering(change), get: answering(get), touch: answering(touch) },
      ...{ forget: answering(forget), list: answering(list), close },
    },
    kill: () => {
      server.killed = true;
    },
  };
}
