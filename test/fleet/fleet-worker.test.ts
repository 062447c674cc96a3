/** What a worker takes: parts of the engines that it has at the moment, and those of no others. */
import { describe, expect, it } from 'vitest';
import type { EngineKind } from '#src/core/engine.js';
import { RiskError } from '#src/core/errors.js';
import type { PartEngine } from '#src/engine/parts.js';
import { pack, packPart, packPlan, unpackAnnouncement, unpackReply } from '#src/fleet/fleet-messages.js';
import { startWorker } from '#src/fleet/fleet-worker.js';
import { engineName, leaseName, partQueue, planName, replyName, WORKERS } from '#src/fleet/names.js';
import type { QueuedJob, Queues } from '#src/fleet/queues.js';
import { StoreRefused } from '#src/fleet/store-errors.js';
import { fleetPlan } from '../support/fleet-plans.ts';
import { heldCalls } from '../support/held-calls.ts';
import { collectLog } from '../support/log-lines.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { memoryStore } from '../support/memory-store.ts';

const GPU = 'A device, its driver';

/** An engine that can be away; its answers tell the range. */
class FakeGpu implements PartEngine {
  readonly figuresOf = GPU;
  available = true;
  /** Loses its device at the next part. */
  failing = false;
  /** Whether it knows at once that it is away. */
  knows = true;
  chunks = () => undefined;
  async runPart(..._: Parameters<PartEngine['runPart']>): Promise<never> {
    if (this.failing) {
      this.available = !this.knows;
      throw new RiskError('engine-unavailable', 'The GPU was lost while it worked.');
    }
    return { words: Uint32Array.of(1, 2, 3) } as never;
  }
  mergeChunks(): never {
    throw new Error('nothing is merged');
  }
}

/** Queues whose takers can be seen, and handed a job. */
function fakeQueues() {
  const takers = new Map<string, (job: QueuedJob) => Promise<void>>();
  const queues: Queues = {
    open: () => {
      throw new Error('a worker puts nothing into a queue');
    },
    take(name, _, work) {
      takers.set(name, work);
      return {
        close: async () => {
          takers.delete(name);
        },
      };
    },
  };
  return { queues, takers };
}

async function workerWith(gpu: FakeGpu) {
  const clock = new ManualClock();
  const store = memoryStore();
  const { log, lines } = collectLog();
  const { queues, takers } = fakeQueues();
  const worker = await startWorker({
    store,
    queues,
    engines: new Map<EngineKind, PartEngine>([
      [
        'reference',
        { chunks: gpu.chunks, runPart: (...part) => gpu.runPart(...part), mergeChunks: gpu.mergeChunks },
      ],
      ['gpu', gpu],
    ]),
    threads: 4,
    version: '1',
    clock,
    log,
  });
  const plan = fleetPlan('loan', 8);
  await store.put({ name: planName('plan'), bytes: packPlan(plan), seconds: 60 });
  await store.put({ name: leaseName('run'), bytes: Uint8Array.of(1), seconds: 60 });
  const part = packPart({ kind: 'chunks', range: { first: 4, count: 4 } });
  const data = {
    plan: planName('plan'),
    lease: leaseName('run'),
    part: Buffer.from(part).toString('base64'),
  };
  const announced = async () => {
    const [bytes] = await store.get(await store.list(WORKERS));
    return bytes && unpackAnnouncement(bytes)?.engines;
  };
  return { clock, store, lines, takers, worker, job: { id: 'part', data }, announced };
}

const DOUBLE = partQueue('reference', '1');
const OF_GPU = partQueue(engineName('gpu', { figuresOf: GPU }), '1');

const nextTurn = () => new Promise<void>(resolve => setImmediate(resolve));

describe('A worker', () => {
  it('offers its GPU as one thread, under the name of its device', async () => {
    const { takers, announced, worker } = await workerWith(new FakeGpu());
    expect([...takers.keys()]).toEqual([DOUBLE, OF_GPU]);
    expect(await announced()).toEqual({ reference: 4, [engineName('gpu', { figuresOf: GPU })]: 1 });
    expect(engineName('gpu', { figuresOf: 'Another' })).not.toBe(engineName('gpu', { figuresOf: GPU }));
    await worker.close();
    expect(takers.size).toBe(0);
  });

  it('reports a store that refuses its announcement, and one that answers again', async () => {
    const { clock, store, lines, worker } = await workerWith(new FakeGpu());
    const put = store.put;
    store.put = () => Promise.reject(new Error('OOM'));
    for (let second = 0; second < 6; second++) clock.advance(1000);
    await nextTurn();
    store.put = put;
    clock.advance(1000);
    await nextTurn();
    expect(lines.map(({ level, msg }) => [level, msg])).toEqual([
      [40, 'this worker cannot be announced; it gets no parts'],
      [30, 'the store of the fleet answers again'],
    ]);
    await worker.close();
  });

  it('returns a part whose device is lost, and accepts parts again when the device is back', async () => {
    const gpu = new FakeGpu();
    const { clock, store, takers, worker, job, announced } = await workerWith(gpu);
    gpu.failing = true;
    await expect(takers.get(OF_GPU)?.(job)).rejects.toMatchObject({ reason: 'engine-unavailable' });
    // Nothing is answered, so that another does the part; and this worker takes no more of its kind.
    expect(await store.get([replyName('part')])).toEqual([undefined]);
    expect([...takers.keys()]).toEqual([DOUBLE]);
    clock.advance(1000);
    expect(await announced()).toEqual({ reference: 4 });
    gpu.failing = false;
    gpu.available = true;
    clock.advance(1000);
    expect([...takers.keys()]).toEqual([DOUBLE, OF_GPU]);
    await takers.get(OF_GPU)?.(job);
    const [reply] = await store.get([replyName('part')]);
    expect(reply && unpackReply(reply, 'chunks')).toEqual({ answer: { words: Uint32Array.of(1, 2, 3) } });
    await worker.close();
  });

  it('accepts no part for a lost device until the next check, even before its process reports the loss', async () => {
    const gpu = new FakeGpu();
    const { clock, takers, worker, job } = await workerWith(gpu);
    gpu.failing = true;
    gpu.knows = false;
    await expect(takers.get(OF_GPU)?.(job)).rejects.toMatchObject({ reason: 'engine-unavailable' });
    expect([...takers.keys()]).toEqual([DOUBLE]);
    clock.advance(1000);
    expect([...takers.keys()]).toEqual([DOUBLE, OF_GPU]);
    await worker.close();
  });

  it('answers with the reason of a failure that another worker would have, too', async () => {
    const gpu = new FakeGpu();
    gpu.runPart = () => Promise.reject(new RiskError('engine-failed', 'The kernel broke.'));
    const { store, takers, worker, job } = await workerWith(gpu);
    await takers.get(OF_GPU)?.(job);
    const [reply] = await store.get([replyName('part')]);
    expect(reply && unpackReply(reply, 'chunks')).toMatchObject({ failure: { reason: 'engine-failed' } });
    await worker.close();
  });

  it('drops a part whose run has ended, and does not answer a part twice', async () => {
    const { store, takers, worker, job } = await workerWith(new FakeGpu());
    await store.forget([leaseName('run')]);
    await takers.get(OF_GPU)?.(job);
    expect(await store.get([replyName('part')])).toEqual([undefined]);
    await store.put({ name: leaseName('run'), bytes: Uint8Array.of(1), seconds: 60 });
    const before = Uint8Array.of(7);
    await store.put({ name: replyName('part'), bytes: before, seconds: 60 });
    await takers.get(OF_GPU)?.(job);
    expect(await store.get([replyName('part')])).toEqual([before]);
    await worker.close();
  });

  it('aborts a part whose run ends, and does not answer', async () => {
    const gpu = new FakeGpu();
    const { clock, store, takers, worker, job } = await workerWith(gpu);
    const begun = new Promise<void>(begin => {
      gpu.runPart = (_plan, _part, { signal } = {}) =>
        new Promise((_, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason));
          begin();
        });
    });
    const taken = takers.get(OF_GPU)?.(job);
    await begun;
    await store.forget([leaseName('run')]);
    clock.advance(1000);
    await taken;
    expect(await store.get([replyName('part')])).toEqual([undefined]);
    // The part did not fail: its engine goes on taking parts.
    expect([...takers.keys()]).toEqual([DOUBLE, OF_GPU]);
    await worker.close();
  });

  it('looks whether the runs of its parts go on, one look at a time', async () => {
    const gpu = new FakeGpu();
    const { clock, store, takers, worker, job } = await workerWith(gpu);
    const { wait, end } = heldCalls();
    let finish = () => {};
    const begun = new Promise<void>(begin => {
      gpu.runPart = () =>
        new Promise((_, reject) => {
          finish = () => reject(new RiskError('engine-failed', 'The kernel broke.'));
          begin();
        });
    });
    const taken = takers.get(OF_GPU)?.(job);
    await begun;
    const { get } = store;
    let looks = 0;
    store.get = async names => {
      looks += 1;
      await wait();
      return get(names);
    };
    for (let k = 0; k < 3; k++) clock.advance(200);
    await nextTurn();
    expect(looks).toBe(1);
    end();
    await nextTurn();
    clock.advance(200);
    await nextTurn();
    expect(looks).toBe(2);
    end();
    finish();
    await taken;
    // Without a part there is nothing to look for.
    clock.advance(200);
    await nextTurn();
    expect(looks).toBe(2);
    await worker.close();
  });

  it('that is closing offers no engine again', async () => {
    const gpu = new FakeGpu();
    gpu.available = false;
    const { clock, takers, worker } = await workerWith(gpu);
    expect([...takers.keys()]).toEqual([DOUBLE]);
    await worker.close();
    gpu.available = true;
    clock.advance(1000);
    expect(takers.size).toBe(0);
  });

  it.each([
    ['no members', {}],
    ['a plan that is no text', { plan: 1, lease: leaseName('run') }],
    ['a part that is not base64', { plan: planName('plan'), lease: leaseName('run'), part: '*' }],
  ])('drops entries of the queue that are not parts: %s', async (_, data) => {
    const { store, takers, worker } = await workerWith(new FakeGpu());
    await takers.get(DOUBLE)?.({ id: 'part', data: data as unknown as QueuedJob['data'] });
    expect(await store.get([replyName('part')])).toEqual([undefined]);
    await worker.close();
  });

  it('answers that a part cannot be read, and continues with the next', async () => {
    const { store, takers, worker, job } = await workerWith(new FakeGpu());
    const data = { ...job.data, part: Buffer.from(pack(null)).toString('base64') };
    await takers.get(DOUBLE)?.({ id: 'unreadable', data });
    await takers.get(DOUBLE)?.(job);
    const [unreadable, good] = await store.get([replyName('unreadable'), replyName('part')]);
    expect(unreadable && unpackReply(unreadable, 'chunks')).toMatchObject({
      failure: { reason: 'engine-failed', message: 'A part of the work cannot be read from the store.' },
    });
    expect(good && unpackReply(good, 'chunks')).toHaveProperty('answer');
    await worker.close();
  });

  it('removes a plan that cannot be read, so that its server adds it again', async () => {
    const { store, takers, worker, job } = await workerWith(new FakeGpu());
    const [plan] = await store.get([planName('plan')]);
    for (const bytes of [pack(null), Uint8Array.of(0xc1)]) {
      await store.put({ name: planName('plan'), bytes, seconds: 60 });
      await takers.get(DOUBLE)?.(job);
      expect(await store.get([planName('plan'), replyName('part')])).toEqual([undefined, undefined]);
    }
    await store.put({ name: planName('plan'), bytes: plan as Uint8Array, seconds: 60 });
    await takers.get(DOUBLE)?.(job);
    const [reply] = await store.get([replyName('part')]);
    expect(reply && unpackReply(reply, 'chunks')).toHaveProperty('answer');
    await worker.close();
  });

  it('still offers its engine if the store refuses an answer, and returns the part to the queue', async () => {
    const { store, takers, worker, job } = await workerWith(new FakeGpu());
    store.put = () => Promise.reject(new StoreRefused(new Error('OOM command not allowed')));
    await expect(takers.get(OF_GPU)?.(job)).rejects.toThrow('has no memory left');
    expect([...takers.keys()]).toEqual([DOUBLE, OF_GPU]);
    await worker.close();
  });
});
