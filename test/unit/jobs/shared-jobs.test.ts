/** Jobs in a store that refuses writes or loses leases, on a clock that the test moves. */
import { describe, expect, it } from 'vitest';
import type { Change, FleetStore } from '#src/fleet/store.js';
import type { JobReply, JobReport } from '#src/jobs/job.js';
import type { Jobs, Resumption } from '#src/jobs/job-store.js';
import { createSharedJobs } from '#src/jobs/shared-jobs.js';
import { collectLog } from '../../support/log-lines.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { memoryStore } from '../../support/memory-store.ts';

const QUESTION = {
  ...{ path: '/var', query: '', seed: '0', compute: 'cpu', body: Uint8Array.of(1) },
  ...{ moment: 0, requestId: 'r', caller: 'me' },
};
const REPLY: JobReply = { status: 200, headers: { 'x-seed': '0' }, body: '{}' };

/** Work that the test ends. */
function heldWork() {
  const begun: { report: JobReport; signal: AbortSignal; finish: (reply?: JobReply) => void }[] = [];
  const work = (signal: AbortSignal, report: JobReport) =>
    new Promise<JobReply>((resolve, reject) => {
      begun.push({ report, signal, finish: (reply = REPLY) => resolve(reply) });
      signal.addEventListener('abort', () => reject(signal.reason));
    });
  return { begun, work };
}

const RESUMPTION: Resumption = {
  resume: async () => heldWork().work,
  fail: (_id, _operation, why) => async () => ({ status: 500, headers: {}, body: why }),
};

async function idle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
}

function openServer(store: FleetStore, clock: ManualClock, resumption?: Resumption) {
  const { log, lines } = collectLog();
  const jobs: Jobs = createSharedJobs({ maxJobs: 3, store, retentionHours: 1, clock, log });
  if (resumption !== undefined) jobs.takeUp?.(resumption);
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
async function advance(clock: ManualClock, milliseconds: number): Promise<void> {
  for (let passed = 0; passed < milliseconds; passed += 250) {
    clock.advance(250);
    await idle();
  }
}

/** A store that refuses writes of bytes while `full`, as Redis does at its limit of memory. */
function fillingStore(clock: ManualClock) {
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

describe('The state of a job in a store that refuses writes for a while', () => {
  it.each([1, 4, 60, 600])('is written once the store takes it again, after %i seconds', async seconds => {
    const clock = new ManualClock();
    const { state, store } = fillingStore(clock);
    const [one, other] = [openServer(store, clock), openServer(store, clock, RESUMPTION)];
    const { id } = await one.submit();
    await advance(clock, 1000);
    one.begun[0].report.started();
    one.begun[0].report.progress(0.25);
    await advance(clock, 1000);
    state.full = true;
    one.begun[0].report.progress(0.5);
    await advance(clock, 1000);
    one.begun[0].finish();
    await advance(clock, 1000 * seconds);
    expect((await other.jobs.find('me', id))?.state).toBe('running');
    // At least one attempt, and not more than one each 250 ms at first and each 5 s later on.
    expect(state.refused).toBeGreaterThan(0);
    expect(state.refused).toBeLessThan(10 + seconds / 4);
    state.full = false;
    await advance(clock, 5000);
    for (const { jobs } of [one, other]) {
      const view = await jobs.find('me', id);
      expect([view?.state, view?.share, view?.reply]).toEqual(['done', 1, REPLY]);
    }
    expect(await store.list('job-places:me')).toEqual([]);
  });

  it('is not written in another order than it had', async () => {
    const clock = new ManualClock();
    const { state, store } = fillingStore(clock);
    const server = openServer(store, clock);
    const written: string[] = [];
    const { change } = store;
    store.change = async asked => {
      const changed = await change(asked);
      const [view] = asked.put === undefined ? [] : await server.jobs.list('me');
      if (view !== undefined) written.push(view.state);
      return changed;
    };
    await server.submit();
    await advance(clock, 500);
    state.full = true;
    server.begun[0].report.started();
    await advance(clock, 2000);
    server.begun[0].finish();
    await advance(clock, 2000);
    state.full = false;
    await advance(clock, 5000);
    expect(written).toEqual(['queued', 'done']);
  });
});

describe('A submission', () => {
  it('begins nothing where the store refuses it', async () => {
    const clock = new ManualClock();
    const { state, store } = fillingStore(clock);
    const server = openServer(store, clock);
    state.full = true;
    await expect(server.submit()).rejects.toThrow('OOM');
    await idle();
    expect(server.begun).toEqual([]);
    expect(await server.jobs.list('me')).toEqual([]);
  });

  it('is in the store, with its question, before anything of it begins', async () => {
    const clock = new ManualClock();
    const store = memoryStore(() => clock.now());
    const server = openServer(store, clock);
    const { change } = store;
    const begunAtWrite: number[] = [];
    store.change = async asked => {
      begunAtWrite.push(server.begun.length);
      return change(asked);
    };
    const { id } = await server.submit();
    expect(begunAtWrite[0]).toBe(0);
    expect((await store.get([`job-question:${id}`]))[0]).toBeDefined();
    expect(server.begun).toHaveLength(1);
  });

  it.each([
    ['without a key leaves nothing', undefined, 0],
    ['with a key is there for the retry', 'k', 1],
  ])('that nobody waits for any more when the store answers: %s', async (_, key, left) => {
    const clock = new ManualClock();
    const store = memoryStore(() => clock.now());
    const server = openServer(store, clock);
    const submitted = server.submit(key, AbortSignal.abort(new Error('too late')));
    if (left === 0) await expect(submitted).rejects.toThrow('too late');
    else await submitted;
    expect(server.begun).toHaveLength(left);
    expect(await server.jobs.list('me')).toHaveLength(left);
  });

  it('whose answer from the store was lost is made again, and is one job', async () => {
    const clock = new ManualClock();
    const store = memoryStore(() => clock.now());
    const { change } = store;
    store.change = async asked => {
      // What a client does that has written, and lost its connection before the answer.
      await change(asked);
      return change(asked);
    };
    const server = openServer(store, clock);
    for (const key of [undefined, 'k']) await server.submit(key);
    expect(server.begun).toHaveLength(2);
    expect(await server.jobs.list('me')).toHaveLength(2);
  });
});

describe('A server whose leases have ended, as of one that stood still', () => {
  it('ends its work, writes nothing more, and shows what the other writes', async () => {
    const clock = new ManualClock();
    const store = memoryStore(() => clock.now());
    const slow = openServer(store, clock);
    const view = await slow.submit();
    await advance(clock, 500);
    const otherWork = heldWork();
    const other = openServer(store, clock, { ...RESUMPTION, resume: async () => otherWork.work });
    // The first server does not come to renew, the second one does.
    await store.forget([`job-holder:${view.id}`]);
    await store.put(`job-holder:${view.id}`, Buffer.from('other'), 3);
    await advance(clock, 2000);
    expect(slow.begun[0].signal.aborted).toBe(true);
    expect(slow.lines.map(line => line.msg)).toContain(
      'another server has taken up a job whose lease could not be renewed in time; it is ended here',
    );
    await advance(clock, 5000);
    expect(otherWork.begun).toHaveLength(1);
    otherWork.begun[0].report.started();
    await advance(clock, 1000);
    expect((await slow.jobs.find('me', view.id))?.state).toBe('running');
    otherWork.begun[0].finish();
    await advance(clock, 1000);
    for (const { jobs } of [slow, other]) expect((await jobs.find('me', view.id))?.state).toBe('done');
  });
});

describe('A job that ends each server that runs it', () => {
  it('fails with the reason when it was begun again ten times', async () => {
    const clock = new ManualClock();
    const store = memoryStore(() => clock.now());
    const first = openServer(store, clock);
    const { id } = await first.submit();
    await first.jobs.close();
    let resumed = 0;
    const resume = async () => {
      resumed += 1;
      return heldWork().work;
    };
    for (let kill = 0; kill < 12; kill++) {
      const server = openServer(store, clock, { ...RESUMPTION, resume });
      await advance(clock, 3000);
      await server.jobs.close();
    }
    const view = await openServer(store, clock).jobs.find('me', id);
    expect([resumed, view?.state, view?.reply?.body]).toEqual([
      10,
      'failed',
      'The job was begun again 10 times, and each server ended before it did; it is not begun again.',
    ]);
  });
});

describe('A job that waits for longer than an unfinished one is kept without its server', () => {
  it('is found as long as its server is there', async () => {
    const clock = new ManualClock();
    const store = memoryStore(() => clock.now());
    const server = openServer(store, clock);
    const { id } = await server.submit('k');
    for (let hour = 0; hour < 10 * 24; hour++) {
      clock.advance(3_600_000);
      await idle();
    }
    expect((await server.jobs.find('me', id))?.state).toBe('queued');
    expect((await server.submit('k')).id).toBe(id);
    expect(await store.list('job-places:me')).toHaveLength(1);
  });
});
