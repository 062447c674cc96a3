/** Runs that are done in parts: whatever the cuts and the order of the answers, the outcome is that of one process. */
import { afterAll, describe, expect, it } from 'vitest';
import type { RunOptions } from '#src/core/engine.js';
import { PRODUCT_KINDS, type ProductKind } from '#src/core/plan/product/kinds.js';
import { mergeOf } from '#src/core/plan/products.js';
import type { SimulationPlan } from '#src/core/plan/simulation-plan.js';
import { planSteps } from '#src/core/plan/simulation-plan.js';
import { weighedWork } from '#src/core/plan/work.js';
import { openSimd } from '#src/engine/open-engine.js';
import type { Part, PartAnswer } from '#src/engine/parts.js';
import { referenceEngineOn } from '#src/engine/threads/reference-engine.js';
import type { Fleet, PartsRun } from '#src/fleet/fleet.js';
import {
  packPart,
  packPlan,
  packReply,
  unpackPart,
  unpackPlan,
  unpackReply,
} from '#src/fleet/fleet-messages.js';
import { engineName } from '#src/fleet/names.js';
import { createSpreader, cutChunks } from '#src/fleet/spread-engine.js';
import { createLogger } from '#src/host/log.js';
import { shiftedScenarios } from '#src/models/calibration/shifted-scenarios.js';
import { fleetPlan } from '../support/fleet-plans.ts';
import { memoryStore } from '../support/memory-store.ts';
import { randomLendingBook } from '../support/random-lending.ts';
import { sharedThreads } from '../support/threads.ts';

const pool = sharedThreads(2);
const cpu = referenceEngineOn(pool);
const simd = openSimd(pool, createLogger('silent'));
afterAll(() => cpu.close());

/** A fleet that writes down and reads back every message, and answers from the last part to the first. */
function backwardFleet(): Fleet & { parts: number } {
  return {
    parts: 0,
    store: memoryStore(),
    workers: [],
    ownWorkers: 1,
    isAnswering: true,
    takesWrites: true,
    ask: call => call(),
    threadsFor: () => 3,
    async runParts({ plan, parts, engine, onAnswer }: PartsRun) {
      const local = engine === 'simd' ? simd : cpu;
      if (local === undefined) throw new Error('this processor has no SIMD kernel');
      const sent = unpackPlan(packPlan(plan));
      this.parts += parts.length;
      for (let i = parts.length - 1; i >= 0; i--) {
        const answer = await local.runPart(sent, unpackPart(packPart(parts[i])) as Part);
        const reply = unpackReply(packReply({ answer }), parts[i].kind);
        if (reply === undefined || !('answer' in reply)) throw new Error('a reply has no answer');
        onAnswer(i, reply.answer);
      }
    },
    close: async () => {},
  };
}

/** Holds on both engines of the processor that a run in parts has the outcome of one process, with some member in it. */
async function expectSameOutcome(plan: SimulationPlan, member: string): Promise<void> {
  if (simd === undefined) throw new Error('this processor has no SIMD kernel');
  for (const [name, local] of [
    ['reference', cpu],
    ['simd', simd],
  ] as const) {
    const fleet = backwardFleet();
    const spread = createSpreader(fleet, { leastWork: 0, partSize: { least: 1, most: 1 } });
    const outcome = await spread.spread(plan, name, local)?.run(plan);
    expect(outcome).toEqual(await local.run(plan));
    expect(outcome).toHaveProperty(member);
    expect(fleet.parts).toBeGreaterThan(1);
  }
}

const IN_PARTS = PRODUCT_KINDS.filter(kind => mergeOf(kind) !== 'columns');

describe('A run in parts', () => {
  it.each(IN_PARTS)('in double precision has the outcome of one process: %s', async kind => {
    const plan = fleetPlan(kind, 3001);
    for (const least of [1, 50_000]) {
      const fleet = backwardFleet();
      const spread = createSpreader(fleet, { leastWork: 0, partSize: { least, most: least } });
      const engine = spread.spread(plan, 'reference', cpu);
      expect(await engine?.run(plan)).toEqual(await cpu.run(plan));
      expect(fleet.parts).toBeGreaterThan(1);
    }
  });

  it.each<ProductKind>(['loan', 'origination', 'capped-loan'])(
    'on the SIMD kernel has the outcome of one process: %s',
    async kind => {
      const plan = fleetPlan(kind, 3001);
      if (simd === undefined) throw new Error('this processor has no SIMD kernel');
      const fleet = backwardFleet();
      const spread = createSpreader(fleet, { leastWork: 0, partSize: { least: 1, most: 1 } });
      const engine = spread.spread(plan, 'simd', simd);
      expect(await engine?.run(plan)).toEqual(await simd.run(plan));
      expect(fleet.parts).toBeGreaterThan(1);
    },
  );

  for (const { kind, tags } of [
    { kind: 'loan' as const, tags: [] },
    { kind: 'book' as const, tags: ['slow'] },
  ])
    it(`has the outcome of one process on shifted paths: ${kind}`, { tags }, async () => {
      const plain = fleetPlan(kind, 3001);
      if (plain.scenarios.kind !== 'gbm') throw new Error('the plan is of GBM');
      const scenarios = shiftedScenarios(
        plain.scenarios,
        { collateral: Float64Array.of(1, 1, 0), debt: Float64Array.of(0, 0, 1) },
        planSteps(plain),
        plain.seed,
      );
      const plan = { ...plain, scenarios };
      await expectSameOutcome(plan, 'weighted');
    });

  it('has the outcome of one process for a book with the terms of real loans', {
    tags: ['slow'],
  }, async () => {
    const shape = { assets: 4, loans: 60, baskets: 30, term: 130 };
    const plan = randomLendingBook(8, 601, shape);
    await expectSameOutcome(plan, 'loans.lending.sales');
  });

  it('has the outcome of one process for such a book whose loans share their baskets', {
    tags: ['slow'],
  }, async () => {
    const plan = randomLendingBook(8, 601, { assets: 4, loans: 60, baskets: 3, term: 130 });
    await expectSameOutcome(plan, 'loans.lending.sales');
  });

  it('has the tails of a book in several parts, added up and each row in its place', async () => {
    const book = fleetPlan('book', 3001);
    if (book.product.kind !== 'book') throw new Error('the plan is of a book');
    // Nine tenths of all paths are in the tail.
    const plan = { ...book, product: { ...book.product, quantiles: Float64Array.of(0.1) } };
    const asked: Part[] = [];
    const { runParts, ...fleet } = backwardFleet();
    const spread = createSpreader(
      {
        ...fleet,
        runParts(run) {
          asked.push(...run.parts);
          return runParts.call(fleet as Fleet & { parts: number }, run);
        },
      },
      { leastWork: 0, partSize: { least: 1, most: 1 } },
    );
    expect(await spread.spread(plan, 'reference', cpu)?.run(plan)).toEqual(await cpu.run(plan));
    expect(asked.filter(({ kind }) => kind === 'book-tails').length).toBeGreaterThan(1);
  });

  it.each([
    ['book', 'book-paths', { sums: new Float64Array(1), columns: new Float64Array(1) }],
    ['book', 'book-tails', { contributions: new Float64Array(1), peakRows: new Float64Array(1) }],
    ['loan', 'chunks', []],
    ['loan', 'chunks', [{ kind: 'perpetual' }]],
  ] as const)('is refused where an answer does not match its part: %s, %s', async (product, kind, other) => {
    const plan = fleetPlan(product, 3001);
    const { runParts, ...fleet } = backwardFleet();
    const faulty = (run: PartsRun): Promise<void> =>
      runParts.call(fleet as Fleet & { parts: number }, {
        ...run,
        onAnswer: (i, answer) =>
          run.onAnswer(i, run.parts[i].kind === kind ? (other as unknown as PartAnswer) : answer),
      });
    const spread = createSpreader(
      { ...fleet, runParts: faulty },
      { leastWork: 0, partSize: { least: 1, most: 1 } },
    );
    await expect(spread.spread(plan, 'reference', cpu)?.run(plan)).rejects.toMatchObject({
      reason: 'engine-failed',
      message: 'The answer of a worker does not match its part.',
    });
  });

  it('reports the share of finished parts', async () => {
    const plan = fleetPlan('loan', 3001);
    const shares: number[] = [];
    const options: RunOptions = { onProgress: share => shares.push(share) };
    const spread = createSpreader(backwardFleet(), { leastWork: 0, partSize: { least: 1, most: 1 } });
    await spread.spread(plan, 'reference', cpu)?.run(plan, options);
    expect(shares.at(-1)).toBe(1);
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
  });

  it('is not made of small work, of value at risk, or where there is no worker', () => {
    const small = fleetPlan('loan', 100);
    const fleet = backwardFleet();
    expect(createSpreader(fleet).spread(small, 'reference', cpu)).toBeUndefined();
    const all = { leastWork: 0 };
    const values = fleetPlan('value-at-risk', 100);
    expect(createSpreader(fleet, all).spread(values, 'reference', cpu)).toBeUndefined();
    const empty = { ...fleet, threadsFor: () => 0 };
    expect(createSpreader(empty, all).spread(small, 'reference', cpu)).toBeUndefined();
    expect(createSpreader(fleet, all).spread(small, 'reference', cpu)).toBeDefined();
  });

  it('is made on two GPUs and more, whose device is that of the server', () => {
    const small = fleetPlan('loan', 100);
    const gpu = Object.assign(Object.create(cpu) as typeof cpu, { figuresOf: 'A device, its driver' });
    const name = engineName('gpu', gpu);
    const withGpus = (count: number, which: string): Fleet => ({
      ...backwardFleet(),
      threadsFor: engine => (engine === which ? count : 0),
    });
    const spread = (fleet: Fleet) => createSpreader(fleet, { leastWork: 0 }).spread(small, 'gpu', gpu);
    expect(spread(withGpus(1, name))).toBeUndefined();
    expect(spread(withGpus(2, name))).toBeDefined();
    expect(spread(withGpus(2, engineName('gpu', { figuresOf: 'Another' })))).toBeUndefined();
    // Its outcome has numbers of every path, which would travel longer than a GPU takes to make them.
    const perpetual = fleetPlan('perpetual', 100);
    const spreader = createSpreader(withGpus(2, name), { leastWork: 0 });
    expect(spreader.spread(perpetual, 'gpu', gpu)).toBeUndefined();
  });
});

describe('Outcomes of chunks', () => {
  it('are merged with those of their own engine, and not with sums of a GPU', async () => {
    const plan = fleetPlan('loan', 100);
    const outcomes = await cpu.runPart(plan, { kind: 'chunks', range: { first: 0, count: 100 } });
    expect(cpu.mergeChunks(plan, [outcomes])).toEqual(await cpu.run(plan));
    const sums = { words: Uint32Array.of(1, 2, 3) };
    expect(() => cpu.mergeChunks(plan, [outcomes, sums])).toThrow('no outcomes of chunks');
  });
});

describe('The cuts of a run', () => {
  const plan = fleetPlan('loan', 100_000);
  const chunks = cpu.chunks(plan) ?? [];

  it.each([1, 4, 100])('are whole chunks, each path once, for %d threads', threads => {
    const parts = cutChunks(plan, chunks, threads, { least: 2 ** 16, most: 2 ** 22 });
    let next = 0;
    for (const { first, count } of parts) {
      expect(first).toBe(next);
      expect(chunks.some(chunk => chunk.first === first)).toBe(true);
      next = first + count;
    }
    expect(next).toBe(plan.paths);
  });

  it('are more for more threads, and no smaller than the least', () => {
    const perPath = weighedWork(plan) / plan.paths;
    const size = { least: 2 ** 16, most: 2 ** 30 };
    const few = cutChunks(plan, chunks, 1, size);
    const many = cutChunks(plan, chunks, 100, size);
    expect(many.length).toBeGreaterThan(few.length);
    for (const { count } of many.slice(0, -1)) expect(count * perPath).toBeGreaterThanOrEqual(size.least);
  });

  it('of a book are so large that sending its sums of loans takes little time', () => {
    const { product, ...rest } = fleetPlan('book', 1000);
    if (product.kind !== 'book') throw new Error('the plan is of a book');
    const loans = 1000;
    const book = { ...rest, product: { ...product, loanValue: new Float64Array(loans).fill(1) } };
    const perPath = weighedWork(book) / book.paths;
    const paths = Array.from({ length: book.paths }, (_, first) => ({ first, count: 1 }));
    const parts = cutChunks(book, paths, 1000, { least: 1, most: 1 });
    expect(parts.length).toBeGreaterThan(1);
    // A thousand asset-steps for each loan.
    for (const { count } of parts.slice(0, -1)) {
      expect(count * perPath).toBeGreaterThanOrEqual(1000 * loans);
      expect((count - 1) * perPath).toBeLessThan(1000 * loans);
    }
  });
});
