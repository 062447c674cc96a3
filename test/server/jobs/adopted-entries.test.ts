/** What a server does with each kind of entry of a job without a server. */
import { describe, expect, it } from 'vitest';
import type { Change, Entry } from '#src/fleet/store.js';
import { Adoption } from '#src/server/jobs/adoption.js';
import type { JobWork } from '#src/server/jobs/job.js';
import { type JobInfo, packed, readInfo, readQuestion } from '#src/server/jobs/job-records.js';
import type { RefusedQuestion } from '#src/server/jobs/jobs.js';
import { idle } from '../../support/idle.ts';
import { collectLog } from '../../support/log-lines.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { memoryStore } from '../../support/memory-store.ts';

const QUESTION = {
  ...{ path: '/var', query: '', seed: '0', compute: 'cpu', body: Uint8Array.of(1) },
  ...{ moment: 0, requestId: 'r', caller: 'me' },
};
const INFO: JobInfo = {
  ...{ id: 'a', owner: 'me', operation: '/var', fingerprint: 'f', created: 1, seen: 1 },
  ...{ state: 'queued', share: 0, reading: false, ended: 0 },
};
const LEASE = { name: 'job-holder:a', bytes: Buffer.from('this server'), seconds: 6 };
const report = { id: 'a', started: () => {}, progress: () => {} };

/** A store with the entries of one job, and a server that looks for jobs without a server. */
async function looking(entries: Readonly<Record<string, Uint8Array>>, terms: { runs?: boolean } = {}) {
  const kept = memoryStore();
  for (const [name, bytes] of Object.entries(entries)) await kept.put({ name, bytes, seconds: 60 });
  const changes: Change[] = [];
  const forgotten: string[][] = [];
  const store = {
    ...kept,
    list: async () => ['job-question:a'],
    change: async (change: Change) => {
      changes.push(change);
      return kept.change(change);
    },
    forget: async (names: readonly string[]) => {
      forgotten.push([...names]);
      await kept.forget(names);
    },
  };
  const begun: { info: JobInfo; work: JobWork }[] = [];
  const asked: {
    question: unknown;
    signal: AbortSignal;
    finish: () => void;
    refuse: (refusal: RefusedQuestion['refusal']) => void;
  }[] = [];
  const { log, lines } = collectLog();
  const clock = new ManualClock();
  const adoption = new Adoption({
    ...{ store, clock, log, lease: () => LEASE as Entry, runs: () => terms.runs === true },
    begin: async (info, work) => void begun.push({ info, work }),
    resumer: {
      resume: (question, signal) =>
        new Promise<JobWork | RefusedQuestion>(resolve =>
          asked.push({
            ...{ question, signal },
            finish: () => resolve(async () => ({ status: 200, headers: {}, body: 'resumed' })),
            refuse: refusal =>
              resolve({ refusal, work: async () => ({ status: 422, headers: {}, body: 'refused' }) }),
          }),
        ),
      fail: (id, operation, why) => async () => ({
        status: 500,
        headers: {},
        body: `${id} ${operation} ${why}`,
      }),
    },
  });
  const replyOf = () => begun[0].work(new AbortController().signal, report);
  return { clock, kept, store, changes, forgotten, begun, asked, lines, adoption, replyOf };
}

const entriesOf = (info: object | undefined, question: Uint8Array | undefined = packed(QUESTION)) => ({
  ...(info !== undefined && { 'job:a': packed({ ...INFO, ...info } as JobInfo) }),
  ...(question !== undefined && { 'job-question:a': question }),
});
const UNFINISHED = ['job-holder:a', 'job-question:a', 'job-place:a', 'job-cancel:a'];

describe('A server that looks for jobs without a server', () => {
  it('reads the question of one, and begins it as waiting', async () => {
    const server = await looking(entriesOf({ state: 'queued', share: 0.5 }));
    const look = server.adoption.look();
    await idle();
    expect(server.asked.map(({ question }) => question)).toEqual([QUESTION]);
    expect([...server.adoption.reading]).toEqual(['a']);
    expect(readInfo((await server.kept.get(['job:a']))[0])).toMatchObject({ state: 'queued', reading: true });
    expect(server.lines).toEqual([
      expect.objectContaining({
        ...{ job: 'a', operation: '/var', ended: 0 },
        msg: 'this server adopts a job whose server has ended',
      }),
    ]);
    server.asked[0].finish();
    await look;
    expect(server.begun.map(({ info }) => info)).toEqual([
      { ...INFO, share: 0, started: undefined, finished: undefined, seen: expect.any(Number) },
    ]);
    expect(await server.replyOf()).toMatchObject({ body: 'resumed' });
    expect([...server.adoption.reading]).toEqual([]);
    expect((await server.kept.get(['job-holder:a']))[0]).toEqual(Uint8Array.from(LEASE.bytes));
  });

  it.each([
    ['runs itself', { runs: true }, {}],
    ['has another server', {}, { 'job-holder:a': Uint8Array.of(7) }],
  ])('changes nothing of one that %s', async (_, terms, more) => {
    const server = await looking({ ...entriesOf({}), ...more }, terms);
    await server.adoption.look();
    expect([server.changes, server.forgotten, server.begun]).toEqual([[], [], []]);
  });

  it('changes nothing once it is closed', async () => {
    const server = await looking(entriesOf({}));
    server.adoption.close();
    await server.adoption.look();
    expect([server.changes, server.begun]).toEqual([[], []]);
  });

  it.each<[string, Readonly<Record<string, Uint8Array>>, readonly string[]]>([
    [
      'whose record is missing, with a line in the log',
      entriesOf(undefined),
      ['the store has lost the record of a job; its question is removed'],
    ],
    ['whose record and question are gone', {}, []],
    ['that is done', entriesOf({ state: 'done' }), []],
    ['that has failed', entriesOf({ state: 'failed' }), []],
    ['that is cancelled', entriesOf({ state: 'cancelled' }), []],
  ])('removes what is left of a job %s', async (_, entries, logged) => {
    const server = await looking(entries);
    await server.adoption.look();
    expect(server.forgotten).toEqual([UNFINISHED]);
    expect([server.begun, server.asked]).toEqual([[], []]);
    expect(server.lines.map(({ msg }) => msg)).toEqual(logged);
  });

  it('begins one with a request to cancel with work that only ends', async () => {
    const server = await looking({ ...entriesOf({}), 'job-cancel:a': Uint8Array.of(1) });
    await server.adoption.look();
    expect(server.asked).toEqual([]);
    await expect(server.replyOf()).rejects.toThrow('The job was cancelled.');
  });

  it('fails one whose question is gone', async () => {
    const server = await looking({ 'job:a': packed(INFO) });
    await server.adoption.look();
    expect(server.asked).toEqual([]);
    const why = 'The server of this job has ended, and its question is no longer in the store of the fleet.';
    expect(await server.replyOf()).toMatchObject({ body: `a /var ${why}` });
  });

  it.each([
    [{ state: 'queued', ended: 9 }, 9],
    [{ state: 'running', ended: 8, started: 5 }, 9],
    [{ state: 'queued', reading: true, ended: 8 }, 9],
  ])('reads the question of %j, during which %d servers ended', async (info, ended) => {
    const server = await looking(entriesOf(info));
    const look = server.adoption.look();
    await idle();
    server.asked[0].finish();
    await look;
    expect(server.begun[0].info).toMatchObject({
      ended,
      state: 'queued',
      started: undefined,
      reading: false,
    });
  });

  it.each([
    { state: 'running', ended: 9 },
    { state: 'queued', ended: 10 },
    { reading: true, ended: 9 },
  ])('fails %j, during which ten servers ended', async info => {
    const server = await looking(entriesOf(info));
    await server.adoption.look();
    expect(server.asked).toEqual([]);
    expect(await server.replyOf()).toMatchObject({
      body: 'a /var 10 servers ended while they read or ran the job; it is not begun again.',
    });
  });

  it('reads no question whose lease it has lost in the meantime', async () => {
    const server = await looking(entriesOf({}));
    const { get } = server.store;
    server.store.get = async names => {
      const found = await get(names);
      if (names.includes('job:a')) {
        await server.kept.forget(['job-holder:a']);
        await server.kept.put({ name: 'job-holder:a', bytes: Uint8Array.of(7), seconds: 60 });
      }
      return found;
    };
    await server.adoption.look();
    expect([server.asked, server.begun, server.lines]).toEqual([[], [], []]);
    expect([...server.adoption.reading]).toEqual([]);
  });

  it('aborts the reading of one that another server has, once', async () => {
    const server = await looking(entriesOf({}));
    const look = server.adoption.look();
    await idle();
    expect(server.adoption.lose('b')).toBe(false);
    expect(server.adoption.lose('a')).toBe(true);
    expect(server.asked[0].signal.reason).toEqual(new Error('Another server has the job.'));
    expect(server.adoption.lose('a')).toBe(false);
    server.asked[0].finish();
    await look;
    expect(server.begun).toEqual([]);
  });

  it('writes one back as waiting if it closes while it reads the question', async () => {
    const server = await looking(entriesOf({ ended: 3, state: 'running' }));
    const look = server.adoption.look();
    await idle();
    server.adoption.close();
    expect(server.asked[0].signal.reason).toEqual(new Error('The server is stopping.'));
    server.asked[0].finish();
    await look;
    expect(server.begun).toEqual([]);
    const [info, holder] = await server.kept.get(['job:a', 'job-holder:a']);
    expect(readInfo(info)).toMatchObject({ state: 'queued', reading: false, ended: 4 });
    expect(holder).toBeUndefined();
  });
});

const LEFT =
  'this server refuses a job that another one accepted; it is left to other servers for ten minutes';
const MINUTE_MS = 60_000;

describe('A job that this server refuses, and another one accepted', () => {
  /** Looks, and refuses the question if it is asked for. @returns whether it was */
  async function lookAndRefuse({ adoption, asked }: Awaited<ReturnType<typeof looking>>): Promise<boolean> {
    const before = asked.length;
    const look = adoption.look();
    await idle();
    asked[before]?.refuse({ reason: 'invalid-request', paths: ['params.new'] });
    await look;
    return asked.length > before;
  }

  it('is left to other servers at once, as it was, with a line in the log', async () => {
    const server = await looking(entriesOf({ state: 'queued', ended: 3 }));
    expect(await lookAndRefuse(server)).toBe(true);
    expect(server.begun).toEqual([]);
    const [info, question, holder] = await server.kept.get(['job:a', 'job-question:a', 'job-holder:a']);
    expect(readInfo(info)).toMatchObject({ state: 'queued', reading: false, ended: 3 });
    expect(readQuestion(question)).toMatchObject({ path: '/var', requestId: 'r' });
    expect(holder).toBeUndefined();
    expect(server.lines.at(-1)).toMatchObject({
      ...{ level: 40, job: 'a', reason: 'invalid-request', paths: ['params.new'], msg: LEFT },
    });
  });

  it('is asked for again every minute, and fails with the refusal after ten', async () => {
    const server = await looking(entriesOf({}));
    for (let minute = 0; minute < 10; minute++) {
      expect([minute, await lookAndRefuse(server)]).toEqual([minute, true]);
      server.clock.advance(MINUTE_MS - 1);
      expect([minute, await lookAndRefuse(server)]).toEqual([minute, false]);
      server.clock.advance(1);
    }
    expect(server.begun).toEqual([]);
    expect(server.lines.filter(({ msg }) => msg === LEFT)).toHaveLength(1);
    expect(await lookAndRefuse(server)).toBe(true);
    expect(await server.replyOf()).toMatchObject({ status: 422, body: 'refused' });
  });

  it('runs if this server accepts it at a later attempt', async () => {
    const server = await looking(entriesOf({}));
    await lookAndRefuse(server);
    server.clock.advance(MINUTE_MS);
    const look = server.adoption.look();
    await idle();
    server.asked[1].finish();
    await look;
    expect(await server.replyOf()).toMatchObject({ body: 'resumed' });
  });

  it('is not left again by the time of an earlier job of the same id', async () => {
    const server = await looking(entriesOf({}));
    await lookAndRefuse(server);
    const { list } = server.store;
    server.store.list = async () => [];
    await server.adoption.look();
    server.store.list = list;
    expect(await lookAndRefuse(server)).toBe(true);
    expect(server.lines.filter(({ msg }) => msg === LEFT)).toHaveLength(2);
  });

  it.each([
    ['cannot be read', Uint8Array.of(0xc1)],
    ['has a member that this server does not know', packed({ ...QUESTION, more: 1 } as typeof QUESTION)],
  ])('is left where its question %s, and fails with the reason after ten minutes', async (_, question) => {
    const server = await looking({ 'job:a': packed(INFO), 'job-question:a': question });
    await server.adoption.look();
    expect([server.asked, server.begun]).toEqual([[], []]);
    expect((await server.kept.get(['job-holder:a', 'job-question:a']))[0]).toBeUndefined();
    const why =
      'The server of this job has ended, and its question in the store of the fleet cannot be read.';
    expect(server.lines.at(-1)).toMatchObject({ level: 40, job: 'a', reason: why, msg: LEFT });
    server.clock.advance(10 * MINUTE_MS);
    await server.adoption.look();
    expect(await server.replyOf()).toMatchObject({ body: `a /var ${why}` });
  });

  it('is left for good where its record cannot be read: another version may read it', async () => {
    const record = packed({ ...INFO, state: 'paused' } as unknown as JobInfo);
    const server = await looking({ 'job:a': record, 'job-question:a': packed(QUESTION) });
    for (let minute = 0; minute < 20; minute++) {
      await server.adoption.look();
      server.clock.advance(MINUTE_MS);
    }
    expect([server.asked, server.begun, server.forgotten]).toEqual([[], [], []]);
    const [info, question, holder] = await server.kept.get(['job:a', 'job-question:a', 'job-holder:a']);
    expect(Buffer.from(info ?? []).equals(record)).toBe(true);
    expect(readQuestion(question)).toBeDefined();
    expect(holder).toBeUndefined();
    expect(server.lines.map(({ msg }) => msg)).toEqual([LEFT]);
  });
});
