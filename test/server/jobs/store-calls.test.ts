/** What servers that share jobs ask of their store, and when, on a clock that the test moves. */
import { describe, expect, it } from 'vitest';
import type { Change, Entry } from '#src/fleet/store.js';
import type { JobView } from '#src/server/jobs/job.js';
import { readInfo } from '#src/server/jobs/job-records.js';
import { heldCalls } from '../../support/held-calls.ts';
import { idle } from '../../support/idle.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { memoryStore } from '../../support/memory-store.ts';
import { advance, heldWork, openServer, REPLY, RESUMER } from '../../support/shared-job-servers.ts';

const WEEK = 604_800;

/** A store that writes down what it is asked. */
function observedStore(clock: ManualClock) {
  const kept = memoryStore(() => clock.now());
  const changes: Change[] = [];
  const touched: (readonly [string, number])[] = [];
  const put: Entry[] = [];
  const forgotten: string[][] = [];
  const read: string[][] = [];
  const store = {
    ...kept,
    change: async (change: Change) => {
      changes.push(change);
      return kept.change(change);
    },
    touch: async (name: string, seconds: number) => {
      touched.push([name, seconds]);
      return kept.touch(name, seconds);
    },
    put: async (entry: Entry) => {
      put.push(entry);
      await kept.put(entry);
    },
    forget: async (names: readonly string[]) => {
      forgotten.push([...names]);
      await kept.forget(names);
    },
    get: async (names: readonly string[]) => {
      read.push([...names]);
      return kept.get(names);
    },
  };
  return { kept, store, changes, touched, put, forgotten, read };
}

function opened() {
  const clock = new ManualClock();
  const observed = observedStore(clock);
  const server = openServer(observed.store, clock);
  return { clock, observed, server };
}
const idOf = (view: JobView) => view.info.id;
const infoIn = async (store: ReturnType<typeof memoryStore>, id: string) =>
  readInfo((await store.get([`job:${id}`]))[0]);

describe('A server with a job', () => {
  it('renews the lease after a second and a half, and looks for cancels each quarter of a second', async () => {
    const { clock, observed, server } = opened();
    const id = idOf(await server.submit());
    await advance(clock, 1250);
    observed.changes.length = 0;
    observed.read.length = 0;
    clock.advance(249);
    await idle();
    expect([observed.changes, observed.read]).toEqual([[], []]);
    clock.advance(1);
    await idle();
    expect(observed.changes).toEqual([
      { held: { name: `job-holder:${id}`, bytes: expect.anything(), seconds: 6 } },
    ]);
    expect(observed.read).toEqual([[`job-cancel:${id}`]]);
  });

  it('lengthens its entries every hour', async () => {
    const { clock, observed, server } = opened();
    const id = idOf(await server.submit('k'));
    for (let hour = 1; hour <= 2; hour++) {
      clock.advance(3_600_000 - 1);
      await idle();
      expect(observed.touched, `hour ${hour}`).toHaveLength(4 * (hour - 1));
      clock.advance(1);
      await idle();
      expect(observed.touched.slice(-4), `hour ${hour}`).toEqual(
        [`job:${id}`, `job-question:${id}`, `job-place:${id}`, 'job-key:me:k'].map(name => [name, WEEK]),
      );
    }
  });

  it('keeps the end and the reply for as long as it is told', async () => {
    const { clock, observed, server } = opened();
    const id = idOf(await server.submit());
    server.begun[0].finish();
    await advance(clock, 1000);
    const end = observed.changes.find(({ put = [] }) => put.some(({ name }) => name === `job-reply:${id}`));
    expect(end?.put?.map(({ name, seconds }) => [name, seconds])).toEqual([
      [`job-reply:${id}`, 3600],
      [`job:${id}`, 3600],
    ]);
  });

  it('renews and looks no more when the job has ended', async () => {
    const { clock, observed, server } = opened();
    await server.submit();
    server.begun[0].finish();
    await advance(clock, 1000);
    observed.changes.length = 0;
    observed.read.length = 0;
    await advance(clock, 3000);
    expect(observed.changes).toEqual([]);
    expect(new Set(observed.read.flat())).toEqual(new Set());
  });
});

describe('A submission', () => {
  it('is tried three times while its key names a job that is being removed', async () => {
    const { observed, server } = opened();
    let tries = 0;
    observed.store.change = async () => {
      tries += 1;
      return 'taken';
    };
    await expect(server.submit('k')).rejects.toMatchObject({
      reason: 'engine-unavailable',
      retryAfterSeconds: 1,
    });
    expect(tries).toBe(3);
    await expect(server.submit()).rejects.toMatchObject({ reason: 'engine-unavailable' });
  });

  it('is refused with a key of another question, above the limit, and by a server that closes', async () => {
    const { server } = opened();
    const first = await server.submit('k');
    const other = server.jobs.submit({
      ...{ owner: 'me', operation: '/var', fingerprint: 'other', idempotencyKey: 'k', work: heldWork().work },
      question: { path: '/var', query: '', body: Uint8Array.of(1), moment: 0, requestId: 'r', caller: 'me' },
    });
    await expect(other).rejects.toMatchObject({ reason: 'invalid-request' });
    expect(idOf(await server.submit('k'))).toBe(idOf(first));
    await server.submit();
    await server.submit();
    await expect(server.submit()).rejects.toMatchObject({ reason: 'queue-full' });
    await server.jobs.close(1000);
    await expect(server.submit()).rejects.toThrow('This server is stopping');
  });

  it('needs the question from which another server restarts it', async () => {
    const { observed, server } = opened();
    const submitted = server.jobs.submit({
      ...{
        owner: 'me',
        operation: '/var',
        fingerprint: 'f',
        idempotencyKey: undefined,
        work: heldWork().work,
      },
    });
    await expect(submitted).rejects.toThrow('a shared job must have its question');
    expect(observed.changes).toEqual([]);
  });

  it('with a key whose job is gone is a new job', async () => {
    const { clock, observed, server } = opened();
    const id = idOf(await server.submit('k'));
    server.begun[0].finish();
    await advance(clock, 1000);
    await observed.kept.forget([`job:${id}`]);
    expect(idOf(await server.submit('k'))).not.toBe(id);
    expect(server.begun).toHaveLength(2);
  });
});

describe('A job in the store', () => {
  it('is new at its admission', async () => {
    const { observed, server } = opened();
    const id = idOf(await server.submit());
    expect(await infoIn(observed.kept, id)).toMatchObject({
      ...{
        state: 'queued',
        share: 0,
        reading: false,
        ended: 0,
        owner: 'me',
        operation: '/var',
        fingerprint: 'f',
      },
    });
  });

  it('whose lease another server has is ended at its next write', async () => {
    const { clock, observed, server } = opened();
    const id = idOf(await server.submit());
    await observed.kept.forget([`job-holder:${id}`]);
    await observed.kept.put({ name: `job-holder:${id}`, bytes: Buffer.from('other'), seconds: 60 });
    server.begun[0].report.started();
    clock.advance(500);
    await idle();
    expect(server.begun[0].signal.aborted).toBe(true);
    expect(server.lines.map(({ job }) => job)).toEqual([id]);
  });

  it('is left to others where its server closes before it is begun', async () => {
    const { observed, server } = opened();
    const { change } = observed.store;
    const { wait, end: answer } = heldCalls();
    observed.store.change = async asked => {
      const changed = await change(asked);
      await wait();
      return changed;
    };
    const submitted = server.submit();
    await idle();
    await server.jobs.close(1000);
    answer();
    const id = idOf(await submitted);
    expect(server.begun).toEqual([]);
    expect(await observed.kept.get([`job-holder:${id}`])).toEqual([undefined]);
    expect(await infoIn(observed.kept, id)).toMatchObject({ state: 'queued' });
  });
});

describe('A job that is removed', () => {
  it('is so when its end is in the store', async () => {
    const { observed, server } = opened();
    const view = await server.submit();
    const { change } = observed.store;
    const { wait, end: answer } = heldCalls();
    observed.store.change = async asked => {
      await wait();
      return change(asked);
    };
    let removed = false;
    const removing = server.jobs.remove(view).then(() => {
      removed = true;
    });
    await idle();
    expect(removed).toBe(false);
    answer();
    await removing;
    expect(await infoIn(observed.kept, idOf(view))).toMatchObject({ state: 'cancelled' });
  });

  it('while its server runs it is cancelled, stays, and is removed the second time', async () => {
    const { clock, observed, server } = opened();
    const view = await server.submit('k');
    const id = idOf(view);
    const removed = server.jobs.remove(view);
    expect(server.begun[0].signal.aborted).toBe(true);
    await advance(clock, 500);
    await removed;
    expect([await infoIn(observed.kept, id), observed.forgotten]).toEqual([
      expect.objectContaining({ state: 'cancelled' }),
      [],
    ]);
    await server.jobs.remove(view);
    expect(await server.jobs.list('me')).toEqual([]);
    expect(await observed.kept.get([`job:${id}`, 'job-key:me:k'])).toEqual([undefined, undefined]);
    observed.forgotten.length = 0;
    await server.jobs.remove(view);
    expect([observed.forgotten, observed.put]).toEqual([[], []]);
  });

  it('by another server is seen as cancelled at once, and its server ends the work', async () => {
    const { clock, observed, server } = opened();
    const id = idOf(await server.submit());
    await advance(clock, 1000);
    const other = openServer(observed.store, clock);
    const seen = (await other.jobs.find('me', id)) as JobView;
    await other.jobs.remove(seen);
    expect(observed.put).toEqual([{ name: `job-cancel:${id}`, bytes: Uint8Array.of(0), seconds: WEEK }]);
    expect((await other.jobs.find('me', id))?.info).toMatchObject({
      state: 'cancelled',
      finished: expect.any(Number),
    });
    expect(server.begun[0].signal.aborted).toBe(false);
    await advance(clock, 250);
    expect(server.begun[0].signal.aborted).toBe(true);
    await advance(clock, 1000);
    expect(await infoIn(observed.kept, id)).toMatchObject({ state: 'cancelled' });
    await other.jobs.remove(seen);
    expect(await server.jobs.find('me', id)).toBeUndefined();
  });

  it('leaves the key that another job has in the meantime', async () => {
    const { clock, observed, server } = opened();
    const view = await server.submit('k');
    server.begun[0].finish();
    await advance(clock, 1000);
    const taken = { name: 'job-key:me:k', bytes: Uint8Array.of(7), seconds: 60 };
    await observed.kept.put(taken);
    await server.jobs.remove(view);
    expect(await observed.kept.get([`job:${idOf(view)}`, `job-reply:${idOf(view)}`, taken.name])).toEqual([
      undefined,
      undefined,
      taken.bytes,
    ]);
  });
});

describe('A job that is found', () => {
  it('belongs to its owner, and has its reply once its end is in the store', async () => {
    const { clock, observed, server } = opened();
    const id = idOf(await server.submit());
    expect(await server.jobs.find('other', id)).toBeUndefined();
    expect(await server.jobs.list('other')).toEqual([]);
    const { change } = observed.store;
    const { wait, end: write } = heldCalls();
    observed.store.change = async asked => {
      await wait();
      return change(asked);
    };
    server.begun[0].report.progress(0.5);
    server.begun[0].finish();
    await idle();
    // It has ended here, and not in the store yet.
    expect((await server.jobs.find('me', id))?.info.state).toBe('queued');
    observed.store.change = change;
    write();
    await advance(clock, 1000);
    const found = await server.jobs.find('me', id);
    expect([found?.info.state, found?.info.share, await found?.reply()]).toEqual(['done', 1, REPLY]);
  });

  it('is shown, listed and removed without its reply, which may be long', async () => {
    const { clock, observed, server } = opened();
    const id = idOf(await server.submit());
    server.begun[0].finish();
    await advance(clock, 1000);
    observed.read.length = 0;
    const [view] = [await server.jobs.find('me', id), await server.jobs.list('me')];
    await server.jobs.remove(view as JobView);
    expect(observed.read.flat()).toContain(`job:${id}`);
    expect(observed.read.flat()).not.toContain(`job-reply:${id}`);
  });

  it('is listed with the latest first', async () => {
    const clock = new ManualClock();
    const store = memoryStore(() => clock.now());
    const server = openServer(store, clock);
    const ids = [];
    for (let k = 0; k < 3; k++) {
      ids.unshift(idOf(await server.submit()));
      // Times of jobs are those of the machine.
      await new Promise(resolve => setTimeout(resolve, 2));
    }
    expect((await server.jobs.list('me')).map(idOf)).toEqual(ids);
  });

  it('has been read, as others see, as soon as it is begun by the server that adopts it', async () => {
    const { clock, observed, server } = opened();
    const id = idOf(await server.submit());
    await server.jobs.close(1000);
    const work = heldWork();
    openServer(observed.store, clock, { ...RESUMER, resume: async () => work.work });
    clock.advance(1500);
    await idle();
    expect(work.begun).toHaveLength(1);
    expect(await infoIn(observed.kept, id)).toMatchObject({ reading: false });
  });
});

describe('A server that closes', () => {
  it('writes its jobs back once, ends its timers and logs nothing', async () => {
    const { clock, observed, server } = opened();
    const id = idOf(await server.submit());
    await server.jobs.close(1000);
    expect(observed.changes.at(-1)).toMatchObject({ forget: [`job-holder:${id}`] });
    expect(clock.pending).toBe(0);
    expect(server.lines).toEqual([]);
    expect((await server.jobs.find('me', id))?.info.state).toBe('queued');
  });

  it('without jobs logs nothing, though the store does not answer', async () => {
    const { clock, observed, server } = opened();
    observed.store.get = () => new Promise(() => {});
    await advance(clock, 250);
    let closed = false;
    void server.jobs.close(2000).then(() => {
      closed = true;
    });
    await advance(clock, 2000);
    expect([closed, server.lines]).toEqual([true, []]);
  });

  it('waits for a write that has begun before it writes a job back', async () => {
    const { clock, observed, server } = opened();
    await server.submit();
    const { change } = observed.store;
    const { wait, end: write } = heldCalls();
    const order: string[] = [];
    observed.store.change = async asked => {
      if (asked.put !== undefined && asked.forget === undefined) {
        order.push('state');
        await wait();
        order.push('written');
      } else order.push('back');
      return change(asked);
    };
    server.begun[0].report.started();
    await advance(clock, 500);
    const closing = server.jobs.close(60_000);
    await idle();
    expect(order).toEqual(['state']);
    write();
    await closing;
    expect(order).toEqual(['state', 'written', 'back']);
  });
});
