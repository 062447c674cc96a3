/** What the queues of a fleet ask of BullMQ, and what they make of its events. */
import { Queue, QueueEvents, Worker } from 'bullmq';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { connectQueues } from '#src/fleet/queues.js';
import { eventually } from '../support/eventually.ts';
import { dropFleet, newFleetName, REDIS } from '../support/fleet.ts';

/** Options of a queue, a worker or a listener, as BullMQ has them. */
interface Options {
  readonly prefix: string;
  readonly connection: Readonly<Record<string, unknown>>;
}

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  for (const close of closing.splice(0).reverse()) await close();
});

/** The queues of a fleet of its own, and the objects of BullMQ that they open. */
function opened(name: string) {
  const spies = [Queue, QueueEvents, Worker].map(made => vi.spyOn(made.prototype, 'on'));
  const made = (k: number) => spies[k].mock.contexts[0] as unknown as { readonly opts: Options };
  const warnings: object[] = [];
  const queues = connectQueues(REDIS.url, name, (details, meaning) => warnings.push({ ...details, meaning }));
  return { queues, warnings, made };
}

describe.skipIf(!REDIS.present)('The queues of a fleet', () => {
  it('have its times, and connect again each half second', async () => {
    const name = newFleetName();
    const { queues, warnings, made } = opened(name);
    const queue = queues.open('parts', () => {});
    const taker = queues.take('parts', 3, async () => {});
    closing.push(
      () => queue.close(),
      () => taker.close(),
    );
    for (const k of [0, 1, 2]) {
      const { prefix, connection } = made(k).opts;
      expect(prefix).toBe(name);
      expect(connection).toMatchObject({ url: REDIS.url, maxRetriesPerRequest: null, socketTimeout: 30_000 });
      expect((connection.retryStrategy as () => number)()).toBe(500);
    }
    expect(made(2).opts).toMatchObject({
      ...{ concurrency: 3, lockDuration: 10_000, stalledInterval: 3000, maxStalledCount: 10 },
      runRetryDelay: 500,
    });
    const error = new Error('Missing key for job 7. moveToFinished');
    for (const k of [0, 1, 2]) (made(k) as unknown as Queue).emit('error', error);
    const warning = { err: error, meaning: expect.stringContaining('has lost a part') };
    expect(warnings).toEqual([warning, warning, warning]);
  });

  it('say whether a receiver has a part', async () => {
    const name = newFleetName();
    closing.push(() => dropFleet(name));
    const { queues } = opened(name);
    const queue = queues.open('parts');
    closing.push(() => queue.close());
    await queue.add([{ id: 'part', data: { plan: 'p' } }]);
    expect(await queue.isWorkedOn()).toBe(false);
    let finish = () => {};
    await new Promise<void>(begun => {
      const taker = queues.take('parts', 1, async () => {
        begun();
        await new Promise<void>(resolve => {
          finish = resolve;
        });
      });
      closing.push(() => taker.close());
    });
    expect(await queue.isWorkedOn()).toBe(true);
    finish();
    await eventually(async () => !(await queue.isWorkedOn()));
  });

  it('add parts that are tried five times, half a second apart, and report their ends', async () => {
    const name = newFleetName();
    closing.push(() => dropFleet(name));
    const { queues, made } = opened(name);
    const ended: string[] = [];
    const queue = queues.open('parts', id => ended.push(id));
    closing.push(() => queue.close());
    await queue.add([{ id: 'part', data: { plan: 'p' } }]);
    const job = await (made(0) as unknown as Queue).getJob('part');
    expect(job).toMatchObject({ name: 'part', data: { plan: 'p' } });
    expect(job?.opts).toMatchObject({
      attempts: 5,
      backoff: { type: 'fixed', delay: 500 },
      removeOnComplete: true,
      removeOnFail: { age: 3600 },
    });
    expect(await queue.failure('part')).toBeUndefined();
    expect(await queue.failure('another')).toBeUndefined();
    await queue.remove('part');
    expect(await (made(0) as unknown as Queue).getJob('part')).toBeUndefined();
    await queue.remove('part');
    const events = made(1) as unknown as QueueEvents;
    events.emit('completed', { jobId: 'a', returnvalue: '' }, 'e');
    events.emit('failed', { jobId: 'b', failedReason: '' }, 'e');
    expect(ended).toEqual(['a', 'b']);
  });

  it('name the reason of a failed part, and are closed with all that they opened', async () => {
    const name = newFleetName();
    closing.push(() => dropFleet(name));
    const { queues, made } = opened(name);
    const queue = queues.open('parts', () => {});
    for (const [failed, failedReason, reason] of [
      [true, 'it stalled', 'it stalled'],
      [true, '', 'it was given up'],
      [false, 'it stalled', undefined],
    ] as const) {
      const job = { isFailed: async () => failed, failedReason };
      vi.spyOn(Queue.prototype, 'getJob').mockResolvedValueOnce(job as never);
      expect(await queue.failure('part')).toBe(reason);
    }
    const [sending, events] = [made(0), made(1)] as unknown as Queue[];
    expect([sending.closing, events.closing]).toEqual([undefined, undefined]);
    await queue.close();
    expect([sending.closing, events.closing]).toEqual([expect.any(Promise), expect.any(Promise)]);
  });
});
