/** What the threads do for the parts of a book. */
import { describe, expect, it } from 'vitest';
import { prepareBook } from '#src/core/book/prepared-book.js';
import type { PathRange } from '#src/core/plan/records.js';
import { weighedWork } from '#src/core/plan/work.js';
import { bookPathSums, type RunBookTasks } from '#src/engine/threads/book-passes.js';
import { referenceEngineOn } from '#src/engine/threads/reference-engine.js';
import type { ThreadPool } from '#src/engine/threads/thread-pool.js';
import { tenBaskets } from '../../support/book-cases.ts';
import { sharedThreads } from '../../support/threads.ts';

it('A book is prepared once for all parts of its plan', async () => {
  const threads = sharedThreads(1);
  const kinds: string[] = [];
  const counted: ThreadPool = {
    ...threads,
    begin(worker, tasks, ...more) {
      kinds.push(...(tasks as readonly { kind: string }[]).map(({ kind }) => kind));
      return threads.begin(worker, tasks, ...more);
    },
  };
  const engine = referenceEngineOn(counted);
  const plan = tenBaskets(8);
  for (const first of [0, 4]) await engine.runPart(plan, { kind: 'book-paths', range: { first, count: 4 } });
  expect(kinds).toEqual(['book-prepare', 'book-range', 'book-range']);
});

describe('The paths of a book are divided', () => {
  const plan = tenBaskets(100_000);
  const book = prepareBook(plan.product, plan.scenarios.assets);
  const perPath = weighedWork(plan) / plan.paths;
  const wholePackets = (paths: number) => 16 * Math.floor(paths / 16);

  async function rangesOf(range: PathRange, threads: number, workPerRange: number): Promise<PathRange[]> {
    const ranges: PathRange[] = [];
    const run: RunBookTasks = async tasks => {
      for (const task of tasks) if (task.kind === 'book-range') ranges.push(task.range);
      return [];
    };
    await bookPathSums(plan, book, range, { threads, workPerRange }, run);
    // One after another, to the end.
    ranges.reduce((next, { first, count }) => {
      expect(first).toBe(next);
      return first + count;
    }, range.first);
    expect(ranges.reduce((sum, { count }) => sum + count, 0)).toBe(range.count);
    return ranges;
  }

  it('into four ranges for each thread, of whole packets', async () => {
    const ranges = await rangesOf({ first: 7, count: 80_000 }, 2, Number.POSITIVE_INFINITY);
    expect(ranges.map(({ count }) => count)).toEqual(Array(8).fill(10_000));
    const uneven = await rangesOf({ first: 7, count: 80_100 }, 2, Number.POSITIVE_INFINITY);
    expect(uneven[0].count).toBe(wholePackets(80_100 / 8));
  });

  it('into one range on one thread, or as many as the engine needs', async () => {
    expect(await rangesOf({ first: 7, count: 80_100 }, 1, Number.POSITIVE_INFINITY)).toEqual([
      { first: 7, count: 80_100 },
    ]);
    const parts = await rangesOf({ first: 0, count: 80_000 }, 1, perPath * 20_000);
    expect(parts.map(({ count }) => count)).toEqual(Array(4).fill(20_000));
  });

  it('into ranges of 2^21 asset-steps where four for each thread are smaller, and of no more than the engine allows', async () => {
    const [small] = await rangesOf({ first: 0, count: 4000 }, 2, Number.POSITIVE_INFINITY);
    expect(small.count).toBe(wholePackets(2 ** 21 / perPath));
    const [short] = await rangesOf({ first: 0, count: 4000 }, 2, 2 ** 17);
    expect(short.count).toBe(wholePackets(2 ** 17 / perPath));
    const [single] = await rangesOf({ first: 0, count: 10 }, 2, perPath / 2);
    expect(single.count).toBe(1);
  });
});
