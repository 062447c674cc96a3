/** Slices: every product under every model on both engines of the processor is cut by the clock, with the outcome of one piece. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Engine } from '#src/core/engine.js';
import { MODEL_KINDS, MODELS } from '#src/core/plan/models.js';
import type { ProductKind } from '#src/core/plan/product/kinds.js';
import { mergeOf, PRODUCTS, type Product } from '#src/core/plan/products.js';
import type { SimulationPlan } from '#src/core/plan/simulation-plan.js';
import { REFERENCE_PATHS } from '#src/core/reference/products.js';
import { kernelPaths } from '#src/core/simd/products.js';
import { referenceEngineOn } from '#src/engine/threads/reference-engine.js';
import { openSimdThreads } from '#src/engine/threads/simd-engine.js';
import { isUnfinished, measureSlices, SLICE_MS, workInSlice } from '#src/engine/threads/slices.js';
import { type Task, workOn } from '#src/engine/threads/tasks.js';
import { openThreadPool, type ThreadPool } from '#src/engine/threads/thread-pool.js';
import { loadKernel } from '#src/engine/wasm/read-kernel.js';
import { CPU_ENGINES } from '../../support/engines.ts';
import { eventually } from '../../support/eventually.ts';
import { ManualClock } from '../../support/manual-clock.ts';

describe('A slice', () => {
  it('ends with the block in which its time is over, and leaves the other paths', () => {
    const clock = new ManualClock();
    const done: number[] = [];
    const work = ({ first, count }: { first: number; count: number }) => {
      done.push(first);
      clock.advance(count);
    };
    expect(workInSlice({ first: 100, count: 20 }, 3, work, clock)).toEqual({ first: 109, count: 11 });
    expect(workInSlice({ first: 109, count: 11 }, 3, work, clock)).toEqual({ first: 118, count: 2 });
    expect(workInSlice({ first: 118, count: 2 }, 3, work, clock)).toBeUndefined();
    expect(done).toEqual([100, 103, 106, 109, 112, 115, 118]);
  });

  it('is measured while it runs, and for one to two minutes after', () => {
    const clock = new ManualClock();
    const slices = measureSlices(clock);
    expect(slices.longestSeconds()).toBe(0);
    const end = slices.begin();
    clock.advance(2500);
    expect(slices.longestSeconds()).toBe(2.5);
    end();
    clock.advance(60_000);
    expect(slices.longestSeconds()).toBe(2.5);
    clock.advance(60_000);
    expect(slices.longestSeconds()).toBe(0);
  });
});

describe('Threads', () => {
  const WORKER = new URL('../../support/endless-worker.mjs', import.meta.url);
  const task = (ends: boolean) => ({ begun: new Int32Array(new SharedArrayBuffer(4)), ends });
  let pool: ThreadPool;
  beforeEach(() => {
    pool = openThreadPool(1);
  });
  afterEach(() => pool.close());

  it('run another task between two slices, and end an aborted run with its slice', async () => {
    const long = task(false);
    const abort = new AbortController();
    const run = pool.begin(WORKER, [long], abort.signal);
    await eventually(() => Atomics.load(long.begun, 0) > 2);
    expect(await pool.begin(WORKER, [task(true)], undefined).answers).toEqual(['ended']);
    abort.abort(new Error('enough'));
    await expect(run.answers).rejects.toThrow('enough');
    await run.ended;
  });
});

const ASSETS = 2;
const STEPS = 12;

/** A plan of the usual terms, long enough for several slices. */
function longPlan(kind: ProductKind, model: (typeof MODEL_KINDS)[number]): SimulationPlan {
  const horizons = [1, 10, 60];
  // Multiples of the scrambles of Sobol points, and of the paths that the kernel simulates together.
  const paths = kind === 'book' ? 2048 : 8192;
  const usual = PRODUCTS[kind].usual.terms(ASSETS)[0] as Product;
  const isGrid = model === 'bootstrap' || model === 'historical';
  const product =
    usual.kind === 'value-at-risk'
      ? {
          ...usual,
          horizonYears: Float64Array.from(horizons, days => days / 365),
          horizonSteps: Uint32Array.from(isGrid ? horizons : []),
        }
      : { ...usual, steps: STEPS };
  const scenarios = MODELS[model].usual(ASSETS);
  if (scenarios.kind !== 'historical') return { seed: 1, paths, scenarios, product };
  const lead = 60;
  const prices = Array.from({ length: ASSETS }, (_, i) =>
    Float64Array.from({ length: lead + paths }, (_, t) => 100 + Math.sin(t / 50 + i)),
  );
  return { seed: 1, paths, scenarios: { ...scenarios, lead, prices }, product };
}

/** Products that need all paths together are cut by the clock; those whose sums belong to chunks, by chunks. */
const ATTACKS = CPU_ENGINES.flatMap(({ name, has }) =>
  (Object.keys(PRODUCTS) as ProductKind[])
    .filter(kind => mergeOf(kind) !== 'ranges')
    .flatMap(kind =>
      MODEL_KINDS.filter(model => has(kind, model) && MODELS[model].products?.includes(kind) !== false)
        // Models without steps from horizon to horizon.
        .filter(model => kind !== 'value-at-risk' || (model !== 'garch' && model !== 'gbm-shifted'))
        .map(model => ({ name, kind, model })),
    ),
);

describe.each(ATTACKS)('A run of $kind under $model on the engine $name', ({ name, kind, model }) => {
  const maker = name === 'simd' ? kernelPaths(loadKernel()) : REFERENCE_PATHS;
  const openEngine: (pool: ThreadPool) => Engine = name === 'simd' ? openSimdThreads : referenceEngineOn;

  /** A pool on this thread, which counts its slices. */
  function countingPool() {
    const counted = { slices: 0, tasks: 0 };
    const begin: ThreadPool['begin'] = (_, tasks) => {
      const answers = tasks.map(task => {
        counted.tasks += 1;
        for (let left = task as Task; ; ) {
          counted.slices += 1;
          const answer = workOn(left, maker);
          if (!isUnfinished(answer)) return answer;
          left = answer.unfinished as Task;
        }
      });
      return { answers: Promise.resolve(answers), ended: Promise.resolve() };
    };
    const pool: ThreadPool = {
      ...{ threads: 1, device: 'this thread', kernel: 'wasm', longestSliceSeconds: () => 0 },
      ...{ begin, beginLong: begin, close: async () => {} },
    };
    return { pool, counted };
  }

  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('leaves the thread after each block that takes longer than a slice, with the same outcome', async () => {
    const plan = longPlan(kind, model);
    const whole = countingPool();
    const clock = new ManualClock();
    vi.spyOn(performance, 'now').mockImplementation(() => clock.now());
    const outcome = await openEngine(whole.pool).run(plan);
    expect(whole.counted.slices).toBe(whole.counted.tasks);
    const cut = countingPool();
    vi.mocked(performance.now).mockImplementation(() => {
      clock.advance(SLICE_MS);
      return clock.now();
    });
    expect(await openEngine(cut.pool).run(plan)).toEqual(outcome);
    expect(cut.counted.slices).toBeGreaterThan(cut.counted.tasks);
  });
});
