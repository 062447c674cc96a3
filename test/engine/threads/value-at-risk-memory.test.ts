/**
 * Value at risk on the CPU: the memory of its values, and who may touch it when.
 *
 * @module-tag slow
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Engine } from '#src/core/engine.js';
import type { HorizonBatch } from '#src/core/product/value-at-risk.js';
import { openReferenceEngine, referenceEngineOn } from '#src/engine/threads/reference-engine.js';
import { openThreadPool, type ThreadPool } from '#src/engine/threads/thread-pool.js';
import { randomValueAtRiskPlan } from '../../support/random-plans.ts';

/** Some tens of megabytes of values. */
const plan = randomValueAtRiskPlan(7, 600_000);
const BYTES = plan.paths * plan.product.horizonYears.length * 24;

let pool: ThreadPool;
let engine: Engine;
beforeEach(() => {
  pool = openThreadPool(2);
  engine = referenceEngineOn(pool);
});
afterEach(() => engine.close());

describe('value at risk on the CPU', () => {
  it('does not grow the memory with every run', async () => {
    await engine.run(plan);
    const before = process.memoryUsage().rss;
    for (let i = 0; i < 6; i++) await engine.run(plan);
    const grown = process.memoryUsage().rss - before;
    // Six runs hold six times their values where each has memory of its own; garbage of other kinds is far below one.
    expect(grown, `grown by ${grown} bytes`).toBeLessThan(BYTES);
  });

  it('has the figures of a fresh engine in memory that others have used, also concurrently', async () => {
    const other = randomValueAtRiskPlan(8, 100_000);
    const fresh = openReferenceEngine({ threads: 1 });
    const expected = [await fresh.run(plan), await fresh.run(other)];
    await fresh.close();
    for (let i = 0; i < 2; i++) {
      expect(await Promise.all([engine.run(plan), engine.run(other)])).toEqual(expected);
    }
  });

  it('reuses the memory of an aborted run when the last thread has finished with it, and not before', async () => {
    let leave = () => {};
    const left = new Promise<void>(resolve => {
      leave = resolve;
    });
    const places: number[] = [];
    /** The threads of the test, of which one stays at work on the first run until `leave`. */
    const slow: ThreadPool = {
      ...pick(pool),
      begin(worker, tasks, signal) {
        const { values } = (tasks[0] as { batch?: HorizonBatch }).batch ?? {};
        if (values !== undefined) places.push(values.byteOffset);
        const run = pool.begin(worker, tasks, signal);
        return places.length === 1 ? { ...run, ended: run.ended.then(() => left) } : run;
      },
    };
    const shared = referenceEngineOn(slow);
    const abort = new AbortController();
    const aborted = shared.run(plan, { signal: abort.signal });
    await new Promise(setImmediate);
    abort.abort(new Error('enough'));
    await expect(aborted).rejects.toThrow('enough');
    const expected = await engine.run(plan);
    expect(await shared.run(plan)).toEqual(expected);
    leave();
    await new Promise(setImmediate);
    expect(await shared.run(plan)).toEqual(expected);
    expect(places).toEqual([0, BYTES, 0]);
  });
});

function pick(pool: ThreadPool): Omit<ThreadPool, 'begin'> {
  const { threads, device, kernel } = pool;
  const longestSliceSeconds = () => pool.longestSliceSeconds();
  const beginLong = pool.beginLong.bind(pool);
  return { threads, device, kernel, longestSliceSeconds, beginLong, close: () => pool.close() };
}
