/** Jobs in a store that refuses writes or loses leases, on a clock that the test moves. */
import { describe, expect, it } from 'vitest';
import { heldCalls } from '../../support/held-calls.ts';
import { idle } from '../../support/idle.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { memoryStore } from '../../support/memory-store.ts';
import {
  advance,
  fillingStore,
  heldWork,
  openServer,
  REPLY,
  RESUMER,
} from '../../support/shared-job-servers.ts';

describe('The state of a job in a store that temporarily refuses writes', () => {
  it.each([1, 4, 60, 600])(
    'is written once the store accepts writes again, after %i seconds',
    async seconds => {
      const clock = new ManualClock();
      const { state, store } = fillingStore(clock);
      const [one, other] = [openServer(store, clock), openServer(store, clock, RESUMER)];
      const { id } = (await one.submit()).info;
      await advance(clock, 1000);
      one.begun[0].report.started();
      one.begun[0].report.progress(0.25);
      await advance(clock, 1000);
      state.full = true;
      one.begun[0].report.progress(0.5);
      await advance(clock, 1000);
      one.begun[0].finish();
      await advance(clock, 1000 * seconds);
      expect((await other.jobs.find('me', id))?.info.state).toBe('running');
      // At least one attempt, and not more than one each 250 ms at first and each 5 s later on.
      expect(state.refused).toBeGreaterThan(0);
      expect(state.refused).toBeLessThan(10 + seconds / 4);
      state.full = false;
      await advance(clock, 5000);
      for (const { jobs } of [one, other]) {
        const view = await jobs.find('me', id);
        expect([view?.info.state, view?.info.share, await view?.reply()]).toEqual(['done', 1, REPLY]);
      }
      expect(await store.list('job-places:me')).toEqual([]);
    },
  );

  it('is logged once a minute for all jobs, with the number of failures between', async () => {
    const clock = new ManualClock();
    const { state, store } = fillingStore(clock);
    const { submit, begun, lines } = openServer(store, clock);
    const { id } = (await submit()).info;
    await submit();
    state.full = true;
    for (const { report } of begun) void report.started();
    await advance(clock, 59_000);
    const MSG = 'the state of a job could not be written to the store; it is written again after a pause';
    const told = () => lines.filter(({ msg }) => msg === MSG);
    expect(told()).toMatchObject([{ level: 40, job: id, milliseconds: 250 }]);
    const { refused } = state;
    await advance(clock, 10_000);
    expect(told()).toHaveLength(2);
    expect(told()[1].left_out).toBeGreaterThanOrEqual(refused - 1);
  });

  it('is written in the order of its changes', async () => {
    const clock = new ManualClock();
    const { state, store } = fillingStore(clock);
    const server = openServer(store, clock);
    const written: string[] = [];
    const { change } = store;
    store.change = async asked => {
      const changed = await change(asked);
      const [view] = asked.put === undefined ? [] : await server.jobs.list('me');
      if (view !== undefined) written.push(view.info.state);
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

describe('The progress of a job', () => {
  it('is written at most twice in a second, also after its start, which is written at once', async () => {
    const clock = new ManualClock();
    const store = memoryStore(() => clock.now());
    const server = openServer(store, clock);
    let writes = 0;
    const { change } = store;
    store.change = async asked => {
      if (asked.put !== undefined) writes += 1;
      return change(asked);
    };
    await server.submit();
    writes = 0;
    await server.begun[0].report.started();
    expect(writes).toBe(1);
    for (let percent = 1; percent <= 40; percent++) {
      server.begun[0].report.progress(percent / 100);
      clock.advance(50);
      await idle();
    }
    expect(writes).toBeGreaterThan(3);
    expect(writes).toBeLessThanOrEqual(6);
  });
});

describe('A submission', () => {
  it('starts nothing if the store refuses it', async () => {
    const clock = new ManualClock();
    const { state, store } = fillingStore(clock);
    const server = openServer(store, clock);
    state.full = true;
    await expect(server.submit()).rejects.toThrow('OOM');
    await idle();
    expect(server.begun).toEqual([]);
    expect(await server.jobs.list('me')).toEqual([]);
  });

  it('is in the store, with its question, before it starts', async () => {
    const clock = new ManualClock();
    const store = memoryStore(() => clock.now());
    const server = openServer(store, clock);
    const { change } = store;
    const begunAtWrite: number[] = [];
    store.change = async asked => {
      begunAtWrite.push(server.begun.length);
      return change(asked);
    };
    const { id } = (await server.submit()).info;
    expect(begunAtWrite[0]).toBe(0);
    expect((await store.get([`job-question:${id}`]))[0]).toBeDefined();
    expect(server.begun).toHaveLength(1);
  });

  it.each([
    ['without a key leaves nothing', undefined, 0],
    ['with a key is there for the retry', 'k', 1],
  ])('whose client has disconnected before the store answers: %s', async (_, key, left) => {
    const clock = new ManualClock();
    const store = memoryStore(() => clock.now());
    const server = openServer(store, clock);
    const submitted = server.submit(key, AbortSignal.abort(new Error('too late')));
    if (left === 0) await expect(submitted).rejects.toThrow('too late');
    else await submitted;
    expect(server.begun).toHaveLength(left);
    expect(await server.jobs.list('me')).toHaveLength(left);
  });

  it('whose answer from the store was lost is repeated, and is one job', async () => {
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

describe('A server whose leases have expired during a suspension', () => {
  it('ends its work, writes nothing more, and shows the writes of the other server', async () => {
    const clock = new ManualClock();
    const store = memoryStore(() => clock.now());
    const slow = openServer(store, clock);
    const view = await slow.submit();
    await advance(clock, 500);
    const otherWork = heldWork();
    const other = openServer(store, clock, { ...RESUMER, resume: async () => otherWork.work });
    // The first server does not come to renew, the second one does.
    await store.forget([`job-holder:${view.info.id}`]);
    await store.put({ name: `job-holder:${view.info.id}`, bytes: Buffer.from('other'), seconds: 3 });
    await advance(clock, 2000);
    expect(slow.begun[0].signal.aborted).toBe(true);
    expect(slow.lines.map(line => line.msg)).toContain(
      'another server has adopted a job whose lease this one could not renew in time; this server ends its work on it',
    );
    await advance(clock, 5000);
    expect(otherWork.begun).toHaveLength(1);
    otherWork.begun[0].report.started();
    await advance(clock, 1000);
    expect((await slow.jobs.find('me', view.info.id))?.info.state).toBe('running');
    otherWork.begun[0].finish();
    await advance(clock, 1000);
    for (const { jobs } of [slow, other])
      expect((await jobs.find('me', view.info.id))?.info.state).toBe('done');
  });
});

describe('A job that waits for longer than unfinished jobs are stored without a server', () => {
  it('is found while its server runs', async () => {
    const clock = new ManualClock();
    const store = memoryStore(() => clock.now());
    const server = openServer(store, clock);
    const { id } = (await server.submit('k')).info;
    for (let hour = 0; hour < 10 * 24; hour++) {
      clock.advance(3_600_000);
      await idle();
    }
    expect((await server.jobs.find('me', id))?.info.state).toBe('queued');
    expect((await server.submit('k')).info.id).toBe(id);
    expect(await store.list('job-places:me')).toHaveLength(1);
  });
});

describe('The renewal of leases', () => {
  const WARNING = 'leases, cancels or adoptions of shared jobs failed; they are retried';
  const warningsOf = (server: ReturnType<typeof openServer>) =>
    server.lines.filter(({ msg }) => msg === WARNING).length;

  it('logs its failures once a minute, and nothing while the store answers', async () => {
    const clock = new ManualClock();
    const store = memoryStore(() => clock.now());
    const server = openServer(store, clock);
    await server.submit();
    await advance(clock, 6000);
    expect(warningsOf(server)).toBe(0);
    const { change } = store;
    store.change = () => Promise.reject(new Error('connection lost'));
    await advance(clock, 63_000);
    store.change = change;
    expect(warningsOf(server)).toBe(2);
    expect(server.lines.map(({ err }) => (err as Error | undefined)?.message)).toContain('connection lost');
    await advance(clock, 6000);
    expect(warningsOf(server)).toBe(2);
  });

  it('is awaited by the server that closes', async () => {
    const clock = new ManualClock();
    const store = memoryStore(() => clock.now());
    const server = openServer(store, clock);
    await server.submit();
    const { wait, end: answer } = heldCalls();
    const { get } = store;
    store.get = async names => {
      await wait();
      return get(names);
    };
    await advance(clock, 250);
    store.get = get;
    let closed = false;
    const closing = server.jobs.close(60_000).then(() => {
      closed = true;
    });
    await idle();
    expect(closed, 'closes while it reads cancels').toBe(false);
    answer();
    await closing;
  });
});
