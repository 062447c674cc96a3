/** Jobs whose servers end or stop, in a store that several servers share, on a clock that the test moves. */
import { describe, expect, it } from 'vitest';
import type { FleetStore } from '#src/fleet/store.js';
import type { JobWork } from '#src/server/jobs/job.js';
import { idle } from '../../support/idle.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { memoryStore } from '../../support/memory-store.ts';
import {
  advance,
  fillingStore,
  heldWork,
  ofServer,
  openServer,
  REPLY,
  RESUMER,
} from '../../support/shared-job-servers.ts';

/** Longer than a lease and the time between two looks at it. */
const TAKEN_UP_MS = 9_000;

/**
 * Servers that take a job up, one after another, each killed at a moment.
 *
 * @param last what a server does with the job before it is killed
 */
async function killOneByOne(kills: number, last: (begun: ReturnType<typeof heldWork>['begun']) => unknown) {
  const clock = new ManualClock();
  const store = memoryStore(() => clock.now());
  const first = ofServer(store);
  const { id } = (await openServer(first.store, clock).submit()).info;
  first.kill();
  let begun = 0;
  for (let round = 0; round < kills; round++) {
    const server = ofServer(store);
    const work = heldWork();
    openServer(server.store, clock, { ...RESUMER, resume: async () => work.work });
    await advance(clock, TAKEN_UP_MS);
    begun += work.begun.length;
    await last(work.begun);
    server.kill();
  }
  const { jobs } = openServer(store, clock, RESUMER);
  await advance(clock, TAKEN_UP_MS);
  return { begun, view: await jobs.find('me', id) };
}

const ENDED = '10 servers ended while they read or ran the job; it is not begun again.';

describe('A job of a server that ends', () => {
  it('fails with the reason when ten servers ended while they ran it', async () => {
    const run = (kills: number) => killOneByOne(kills, begun => begun[0]?.report.started());
    expect((await run(9)).view?.info.state).toBe('queued');
    const { begun, view } = await run(12);
    expect([begun, view?.info.state, (await view?.reply())?.body]).toEqual([10, 'failed', ENDED]);
  });

  it('is restarted, however many servers ended, if it waited on each of them', async () => {
    const { begun, view } = await killOneByOne(25, () => {});
    expect([begun, view?.info.state]).toEqual([25, 'queued']);
  });

  it('fails with the reason when ten servers ended while they read its question', async () => {
    const clock = new ManualClock();
    const store = memoryStore(() => clock.now());
    const first = ofServer(store);
    const { id } = (await openServer(first.store, clock).submit()).info;
    first.kill();
    let readings = 0;
    for (let kill = 0; kill < 12; kill++) {
      const server = ofServer(store);
      const resume = () => {
        readings += 1;
        return new Promise<never>(() => {});
      };
      openServer(server.store, clock, { ...RESUMER, resume });
      await advance(clock, TAKEN_UP_MS);
      server.kill();
    }
    const last = openServer(store, clock, RESUMER);
    await advance(clock, TAKEN_UP_MS);
    const view = await last.jobs.find('me', id);
    expect([readings, view?.info.state, (await view?.reply())?.body]).toEqual([10, 'failed', ENDED]);
  });

  it('is in the store as running before it runs', async () => {
    const clock = new ManualClock();
    const store = memoryStore(() => clock.now());
    const [one, other] = [openServer(store, clock), openServer(store, clock)];
    const { id } = (await one.submit()).info;
    await one.begun[0].report.started();
    expect((await other.jobs.find('me', id))?.info.state).toBe('running');
  });

  it('runs a second later where the store does not answer', async () => {
    const clock = new ManualClock();
    const { store, kill } = ofServer(memoryStore(() => clock.now()));
    const server = openServer(store, clock);
    await server.submit();
    kill();
    let started = false;
    void Promise.resolve(server.begun[0].report.started()).then(() => {
      started = true;
    });
    await idle();
    await advance(clock, 750);
    expect(started).toBe(false);
    await advance(clock, 250);
    expect(started).toBe(true);
  });
});

describe('A server that stops in order', () => {
  it.each([12, 25])(
    'writes its jobs back as waiting, and %i such stops do not count as ends',
    async stops => {
      const clock = new ManualClock();
      const store = memoryStore(() => clock.now());
      const first = openServer(store, clock);
      const { id } = (await first.submit()).info;
      await first.begun[0].report.started();
      await first.jobs.close(1000);
      expect(first.begun[0].signal.aborted).toBe(true);
      for (let stop = 0; stop < stops; stop++) {
        const work = heldWork();
        const server = openServer(store, clock, { ...RESUMER, resume: async () => work.work });
        // No lease is left that the next server would wait for.
        await advance(clock, 2000);
        expect(work.begun).toHaveLength(1);
        await work.begun[0].report.started();
        work.begun[0].report.progress(0.5);
        expect((await server.jobs.find('me', id))?.info.state).toBe('running');
        await server.jobs.close(1000);
        const [view] = await openServer(store, clock).jobs.list('me');
        expect([view.info.state, view.info.share, view.info.started]).toEqual(['queued', 0, undefined]);
      }
    },
  );

  it('writes the end of a job that the store refused before', async () => {
    const clock = new ManualClock();
    const { state, store } = fillingStore(clock);
    const server = openServer(store, clock);
    const { id } = (await server.submit()).info;
    state.full = true;
    server.begun[0].finish();
    await advance(clock, 1000);
    state.full = false;
    await server.jobs.close(1000);
    expect(await (await openServer(store, clock).jobs.find('me', id))?.reply()).toEqual(REPLY);
  });

  it.each([
    [2000, 2000],
    [60_000, 6000],
  ])('given %i ms, waits %i ms for a store that does not answer', async (longest, waits) => {
    const clock = new ManualClock();
    const { store, kill } = ofServer(memoryStore(() => clock.now()));
    const server = openServer(store, clock, RESUMER);
    await server.submit();
    await advance(clock, 1000);
    kill();
    let closed = false;
    void server.jobs.close(longest).then(() => {
      closed = true;
    });
    await advance(clock, waits - 250);
    expect(closed).toBe(false);
    await advance(clock, 250);
    expect(closed).toBe(true);
    expect(server.lines.at(-1)).toMatchObject({
      jobs: 1,
      msg: expect.stringMatching(/^the store does not answer while this server stops; /),
    });
  });

  it('aborts the reading of a question, and another server adopts the job', async () => {
    const clock = new ManualClock();
    const store = memoryStore(() => clock.now());
    const first = openServer(store, clock);
    const { id } = (await first.submit()).info;
    await first.jobs.close(1000);
    let reading: AbortSignal | undefined;
    const resume = (_question: unknown, signal: AbortSignal) => {
      reading = signal;
      return new Promise<JobWork>(resolve =>
        signal.addEventListener('abort', () => resolve(heldWork().work)),
      );
    };
    const stopping = openServer(store, clock, { ...RESUMER, resume });
    await advance(clock, 2000);
    expect(reading?.aborted).toBe(false);
    await stopping.jobs.close(1000);
    expect(reading?.aborted).toBe(true);
    expect((await store.get([`job-holder:${id}`]))[0]).toBeUndefined();
    const work = heldWork();
    openServer(store, clock, { ...RESUMER, resume: async () => work.work });
    await advance(clock, 2000);
    expect(work.begun).toHaveLength(1);
  });
});

describe('A server that reads the question of a job for longer than a lease', () => {
  /** Reads until `finish`. */
  function slowReader(store: FleetStore, clock: ManualClock) {
    const work = heldWork();
    const signals: AbortSignal[] = [];
    let finish = () => {};
    const resume = (_question: unknown, signal: AbortSignal) => {
      signals.push(signal);
      return new Promise<JobWork>(resolve => {
        finish = () => resolve(work.work);
      });
    };
    const server = openServer(store, clock, { ...RESUMER, resume });
    return { ...server, signals, begun: work.begun, finish: () => finish() };
  }

  it('has the job all the time, and starts it once', async () => {
    const clock = new ManualClock();
    const store = memoryStore(() => clock.now());
    const first = openServer(store, clock);
    await first.submit();
    await first.jobs.close(1000);
    const slow = slowReader(store, clock);
    await advance(clock, 2000);
    const other = slowReader(store, clock);
    await advance(clock, 30_000);
    expect([slow.signals.length, other.signals.length]).toEqual([1, 0]);
    slow.finish();
    await advance(clock, 30_000);
    expect([slow.begun.length, other.signals.length]).toEqual([1, 0]);
  });

  it('does not start it if another server has adopted it in the meantime', async () => {
    const clock = new ManualClock();
    const store = memoryStore(() => clock.now());
    const first = openServer(store, clock);
    const { id } = (await first.submit()).info;
    await first.jobs.close(1000);
    const slow = slowReader(store, clock);
    await advance(clock, 2000);
    await store.forget([`job-holder:${id}`]);
    await store.put({ name: `job-holder:${id}`, bytes: Buffer.from('other'), seconds: 60 });
    await advance(clock, 2000);
    expect(slow.signals[0].aborted).toBe(true);
    slow.finish();
    await advance(clock, 2000);
    expect(slow.begun).toEqual([]);
  });
});
