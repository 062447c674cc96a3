/** Where a run is cut into parts, and which runs are not. */
import { describe, expect, it } from 'vitest';
import type { Engine } from '#src/core/engine.js';
import { hasPathNumbers } from '#src/core/plan/merge-outcomes.js';
import { PRODUCT_KINDS } from '#src/core/plan/product/kinds.js';
import { weighedWork } from '#src/core/plan/work.js';
import type { PartAnswer, PartEngine } from '#src/engine/parts.js';
import type { Fleet, PartsRun } from '#src/fleet/fleet.js';
import { createSpreader, cutChunks } from '#src/fleet/spread-engine.js';
import { fleetPlan } from '../support/fleet-plans.ts';
import { memoryStore } from '../support/memory-store.ts';

const PLAN = fleetPlan('loan', 1000);
const WORK = weighedWork(PLAN);
const chunks = (count: number) => Array.from({ length: count }, (_, k) => ({ first: 10 * k, count: 10 }));
const sizes = (...terms: Parameters<typeof cutChunks>) => cutChunks(...terms).map(({ count }) => count);
/** Asset-steps of so many paths. */
const workOf = (paths: number) => (WORK / 1000) * paths;

describe('Parts', () => {
  it('are whole chunks in their order, without a gap', () => {
    for (const least of [1, 15, 20, 35, 1e9]) {
      const parts = cutChunks(PLAN, chunks(100), 1, { least: workOf(least), most: workOf(least) });
      expect(parts[0].first).toBe(0);
      for (const [k, { first, count }] of parts.entries())
        expect(first + count, `${least}: part ${k}`).toBe(parts[k + 1]?.first ?? 1000);
    }
  });

  it('have the least work at least, but for the last one', () => {
    const size = (paths: number) => ({
      least: workOf(paths) * (1 - 1e-12),
      most: workOf(paths) * (1 - 1e-12),
    });
    expect(sizes(PLAN, chunks(7), 1, size(20))).toEqual([20, 20, 20, 10]);
    expect(sizes(PLAN, chunks(7), 1, size(21))).toEqual([30, 30, 10]);
    expect(sizes(PLAN, chunks(7), 1, size(10))).toEqual(Array(7).fill(10));
    expect(sizes(PLAN, chunks(7), 1, size(1000))).toEqual([70]);
  });

  it('begin where the chunks begin', () => {
    const moved = chunks(4).map(({ first, count }) => ({ first: first + 500, count }));
    const size = { least: workOf(19), most: workOf(19) };
    expect(cutChunks(PLAN, moved, 1, size)).toEqual([
      { first: 500, count: 20 },
      { first: 520, count: 20 },
    ]);
  });

  it('are eight for each thread, between the least and the most work', () => {
    const size = { least: workOf(20) * (1 - 1e-12), most: workOf(200) * (1 - 1e-12) };
    // 1000 paths over 8 parts of each thread are 125, 62.5, 41.7 and 15.6.
    expect(sizes(PLAN, chunks(100), 1, size)[0]).toBe(130);
    expect(sizes(PLAN, chunks(100), 2, size)[0]).toBe(70);
    expect(sizes(PLAN, chunks(100), 3, size)[0]).toBe(50);
    expect(sizes(PLAN, chunks(100), 8, size)[0]).toBe(20);
    expect(sizes(PLAN, chunks(100), 0.1, size)[0]).toBe(200);
  });

  it('of a book have a thousand asset-steps for each loan', () => {
    const book = fleetPlan('book', 1000);
    const perPath = weighedWork(book) / 1000;
    const [first] = cutChunks(book, chunks(100), 1, { least: 1, most: 1 });
    expect(first.count).toBe(Math.min(1000, 10 * Math.ceil((1000 * 40) / perPath / 10)));
  });
});

/** An engine that computes nothing. */
const local = (change: Partial<PartEngine> = {}) =>
  ({
    description: { backend: 'cpu', device: 'a processor', software: false },
    supports: () => true,
    chunks: () => chunks(100),
    mergeChunks: (_: unknown, answers: unknown) => answers,
    runPart: async () => 'here' as unknown as PartAnswer,
    trace: async () => 'traced',
    close: async () => {},
    ...change,
  }) as unknown as Engine & PartEngine;

/** A fleet that gives each part the answer of a test. */
function fleetOf(threads: number, answer: (i: number) => unknown = () => [{ kind: 'loan' }]) {
  const runs: PartsRun[] = [];
  const fleet: Fleet = {
    ...{
      store: memoryStore(),
      workers: [],
      ownWorkers: 1,
      threadsFor: () => threads,
      close: async () => {},
      isAnswering: true,
      takesWrites: true,
      ask: call => call(),
    },
    async runParts(run) {
      runs.push(run);
      for (const k of run.parts.keys()) run.onAnswer(k, answer(k) as PartAnswer);
    },
  };
  return { fleet, runs };
}

describe('A run', () => {
  const isSpread = (
    threads: number,
    leastWork: number,
    engine = local(),
    plan = PLAN,
    kind: 'reference' | 'gpu' = 'reference',
  ) => createSpreader(fleetOf(threads).fleet, { leastWork }).spread(plan, kind, engine) !== undefined;

  it('is distributed from the least work and the least threads on', () => {
    expect([WORK + 1, WORK, WORK - 1].map(least => isSpread(1, least))).toEqual([false, true, true]);
    expect([0, 1].map(threads => isSpread(threads, 1))).toEqual([false, true]);
    expect([1, 2].map(threads => isSpread(threads, 1, local(), PLAN, 'gpu'))).toEqual([false, true]);
    expect(isSpread(1, 1, local({ chunks: () => undefined }))).toBe(false);
  });

  it('by a GPU is not where each path has numbers', () => {
    const kinds = PRODUCT_KINDS.filter(hasPathNumbers);
    expect(kinds.length).toBeGreaterThan(0);
    for (const kind of PRODUCT_KINDS) {
      const plan = fleetPlan(kind, 100);
      expect(isSpread(9, 1, local(), plan), kind).toBe(true);
      expect(isSpread(9, 1, local(), plan, 'gpu'), kind).toBe(!kinds.includes(kind));
    }
  });

  it('has the merged answers of its parts, and tells its share after each', async () => {
    const { fleet, runs } = fleetOf(1, i => [{ kind: 'loan', i }]);
    const spread = createSpreader(fleet, {
      leastWork: 1,
      partSize: { least: workOf(250), most: workOf(250) },
    });
    const engine = spread.spread(PLAN, 'reference', local());
    const shares: number[] = [];
    const outcome = await engine?.run(PLAN, { onProgress: share => shares.push(share), scope: 'job' });
    expect(outcome).toEqual([0, 1, 2, 3].map(i => [{ kind: 'loan', i }]));
    expect(shares).toEqual([0.25, 0.5, 0.75, 1]);
    expect(runs[0]).toMatchObject({ run: 'job', signal: undefined, engine: 'reference' });
    expect(await runs[0].runHere(runs[0].parts[0])).toBe('here');
    expect(engine?.description.device).toBe('fleet, as a processor');
    expect(engine?.supports(PLAN)).toBe(true);
  });

  it('has a name of its own each time where it is given none', async () => {
    const { fleet, runs } = fleetOf(1);
    for (let k = 0; k < 2; k++)
      await createSpreader(fleet, { leastWork: 1 }).spread(PLAN, 'reference', local())?.run(PLAN);
    expect(runs[0].run).not.toBe(runs[1].run);
  });

  it.each([
    ['no outcome', []],
    ['an outcome of another product', [{ kind: 'loan' }, { kind: 'book' }]],
  ])('is refused where a part has %s', async (_, answer) => {
    const { fleet } = fleetOf(1, () => answer);
    const engine = createSpreader(fleet, { leastWork: 1 }).spread(PLAN, 'reference', local());
    await expect(engine?.run(PLAN)).rejects.toMatchObject({
      reason: 'engine-failed',
      message: 'The answer of a worker does not match its part.',
    });
  });

  it('of a book is refused by an engine that cannot merge one', async () => {
    const plan = fleetPlan('book', 100);
    const engine = createSpreader(fleetOf(1).fleet, { leastWork: 1 }).spread(plan, 'reference', local());
    await expect(engine?.run(plan)).rejects.toThrow('This engine cannot split a book into parts.');
  });
});
