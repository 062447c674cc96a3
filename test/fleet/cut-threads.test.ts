/** The number of threads by which a run is cut: that of the server that began it. */
import { describe, expect, it } from 'vitest';
import { weighedWork } from '#src/core/plan/work.js';
import type { PartAnswer, PartEngine } from '#src/engine/parts.js';
import { cutThreads } from '#src/fleet/cut-threads.js';
import type { Fleet, PartsRun } from '#src/fleet/fleet.js';
import { createSpreader } from '#src/fleet/spread-engine.js';
import { fleetPlan } from '../support/fleet-plans.ts';
import { memoryStore } from '../support/memory-store.ts';

/** A server of a fleet with so many threads of workers. */
const server = (threads: number, store = memoryStore()) => ({
  store,
  threadsFor: () => threads,
  ask: <T>(call: () => Promise<T>) => call(),
});

describe('A run is cut by', () => {
  it('the threads of the server that began it, whatever the one that adopts it has', async () => {
    const store = memoryStore();
    expect(await cutThreads(server(4, store), 'simd', 'job')).toBe(4);
    for (const threads of [1, 4, 100])
      expect(await cutThreads(server(threads, store), 'simd', 'job')).toBe(4);
    // Another run, and another engine.
    expect(await cutThreads(server(7, store), 'simd', 'other')).toBe(7);
    expect(await cutThreads(server(7, store), 'reference', 'job')).toBe(7);
  });

  it('one thread where there is no worker any more', async () => {
    expect(await cutThreads(server(0), 'simd', 'job')).toBe(1);
  });

  it('the threads of its server where no other can adopt it, without a call of the store', async () => {
    const away = { ...server(3), ask: () => Promise.reject(new Error('not to be called')) };
    expect(await cutThreads(away, 'simd', undefined)).toBe(3);
  });

  it.each(['', '0', '-1', '1.5', '1e9', '12345678901'])(
    'the threads of its server where the store has %j',
    async text => {
      const store = memoryStore();
      await store.put({ name: 'threads:job:simd', bytes: Buffer.from(text), seconds: 60 });
      expect(await cutThreads(server(3, store), 'simd', 'job')).toBe(3);
    },
  );

  it('the threads of its server where the store does not answer', async () => {
    const away = { ...server(3), ask: () => Promise.reject(new Error('away')) };
    expect(await cutThreads(away, 'simd', 'job')).toBe(3);
  });

  it('the threads of its first server for an hour after the last run of its name', async () => {
    let now = 0;
    const store = memoryStore(() => now);
    await cutThreads(server(2, store), 'simd', 'job');
    for (const minutes of [50, 100]) {
      now = minutes * 60_000;
      expect(await cutThreads(server(5, store), 'simd', 'job')).toBe(2);
    }
    now = 161 * 60_000;
    expect(await cutThreads(server(5, store), 'simd', 'job')).toBe(5);
  });
});

describe('A server that adopts a run', () => {
  it('asks for the parts that the first server asked for', async () => {
    const plan = fleetPlan('loan', 1000);
    const store = memoryStore();
    const local = {
      ...{ description: { backend: 'cpu', device: 'a processor', software: false }, supports: () => true },
      chunks: () => Array.from({ length: 100 }, (_, k) => ({ first: 10 * k, count: 10 })),
      mergeChunks: (_: unknown, answers: unknown) => answers,
    } as unknown as PartEngine & Parameters<ReturnType<typeof createSpreader>['spread']>[2];
    const partSize = { least: 1, most: weighedWork(plan) };
    const partsOf = async (threads: number) => {
      const runs: PartsRun[] = [];
      const runParts = async (run: PartsRun) => {
        runs.push(run);
        for (const k of run.parts.keys()) run.onAnswer(k, [{ kind: 'loan' }] as unknown as PartAnswer);
      };
      const fleet = { ...server(threads, store), runParts } as unknown as Fleet;
      await createSpreader(fleet, { leastWork: 1, partSize })
        .spread(plan, 'reference', local)
        ?.run(plan, { scope: 'job' });
      return runs[0].parts;
    };
    const first = await partsOf(2);
    expect(first).toHaveLength(15);
    for (const threads of [1, 3, 50]) expect(await partsOf(threads)).toEqual(first);
  });
});
