/** Order statistics and tail sums of columns on the device against sorting and adding in double precision. */
import { describe, expect, it } from 'vitest';
import type { Columns } from '#src/core/gpu/order/columns.js';
import { selectRanks } from '#src/core/gpu/order/select-ranks.js';
import { sumsAtOrBelow } from '#src/core/gpu/order/sum-intervals.js';
import { createGpuSession, type DispatchOptions, type GpuSession } from '#src/core/gpu/session.js';
import { nodeHost } from '#src/engine/gpu-process/read-shader.js';
import { openTestGpu } from '../support/gpu.ts';
import { Dice } from '../support/random-plans.ts';

const sessions = new Map<string, Promise<GpuSession>>();

/** The session of the options: it compiles each kernel once. */
function sessionOf(dispatch: DispatchOptions): Promise<GpuSession> {
  const key = JSON.stringify(dispatch);
  const session =
    sessions.get(key) ?? openTestGpu().then(context => createGpuSession(context, nodeHost, dispatch));
  sessions.set(key, session);
  return session;
}

/** Columns of equal length, found and summed up on the device at all `ranks`. */
async function evaluate(columns: readonly Float32Array[], ranks: number[], dispatch: DispatchOptions = {}) {
  const context = await openTestGpu();
  const session = await sessionOf(dispatch);
  const values = columns[0].length;
  const buffer = context.device.createBuffer({
    label: 'test.columns',
    size: 4 * values * columns.length,
    usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST,
  });
  for (const [c, column] of columns.entries()) {
    context.device.queue.writeBuffer(buffer, 4 * c * values, column as Float32Array<ArrayBuffer>);
  }
  try {
    return await session.scratch.lend(async scratch => {
      const onDevice: Columns = { buffer, count: columns.length, values };
      const ranked = await selectRanks(session, scratch, onDevice, ranks, undefined);
      const wanted = ranked.map(({ statistics, lowerBound }) => ({
        bounds: [...new Set(statistics.map(({ value }) => value))],
        lowerBound,
      }));
      const sums = await sumsAtOrBelow(session, scratch, onDevice, wanted, undefined);
      return ranked.map((column, c) => ({ ...column, bounds: wanted[c].bounds, ...sums[c] }));
    });
  } finally {
    buffer.destroy();
    context.check();
  }
}

type Evaluated = Awaited<ReturnType<typeof evaluate>>[number];

function expectAsSorted(
  column: Float32Array,
  ranks: readonly number[],
  found: Evaluated,
  told: string,
): void {
  const sorted = column.toSorted();
  for (const [i, rank] of ranks.entries()) {
    const { value, atOrBelow } = found.statistics[i];
    // -0 and 0 are the same value.
    expect(value === sorted[rank], `${told}, rank ${rank}: ${value} for ${sorted[rank]}`).toBe(true);
    expect(atOrBelow, `${told}, rank ${rank}`).toBe(sorted.filter(x => x <= value).length);
  }
  expect(found.lowerBound, told).toBeLessThanOrEqual(sorted[0]);
  for (const [k, bound] of found.bounds.entries()) {
    const tail = sorted.filter(x => x <= bound);
    const sum = tail.reduce((total, x) => total + x, 0);
    const largest = tail.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
    // A value is rounded by 2^-32 of the largest magnitude of its interval at most.
    const rounding = tail.length * Math.max(largest, -found.lowerBound) * 2 ** -32;
    expect(Math.abs(found.sums[k] - sum), `${told}, sum up to ${bound}`).toBeLessThanOrEqual(rounding);
    const squares = tail.reduce((total, x) => total + x * x, 0);
    const most = Math.max(largest, -found.lowerBound);
    // The upper 24 bits of each magnitude are squared.
    expect(Math.abs(found.squares[k] - squares), `${told}, squares up to ${bound}`).toBeLessThanOrEqual(
      tail.length * most * most * 2 ** -22,
    );
  }
}

const dice = new Dice(17);
const random = (n: number, draw: () => number) => Float32Array.from({ length: n }, draw);

/** Kinds of columns: values like those of value at risk, and hard cases of a search over bit patterns. */
const KINDS: Readonly<Record<string, (n: number) => Float32Array>> = {
  'of both signs': n => random(n, () => dice.between(-1, 1)),
  positive: n => random(n, () => dice.between(0.5, 2)),
  negative: n => random(n, () => dice.between(-2, -0.5)),
  'with many ties': n => random(n, () => dice.whole(-3, 3) / 4),
  'of one value': n => random(n, () => -0.7),
  'of zeros of either sign': n => random(n, () => dice.pick([0, -0])),
  'of zeros and others': n => random(n, () => dice.pick([0, -0, -1e-3, 1e-3])),
  'of all magnitudes': n => random(n, () => dice.pick([-1, 1]) * 2 ** dice.between(-100, 100)),
  'next to each other': n => random(n, () => 1 + dice.whole(0, 40) * 2 ** -23),
};

describe('order statistics of columns', () => {
  for (const { lengths, tags } of [
    { lengths: [1, 2, 20], tags: [] },
    { lengths: [100], tags: ['slow'] },
  ])
    it(`are those of the sorted values at every rank of columns of ${lengths.join(', ')} values`, {
      tags,
    }, async () => {
      for (const n of lengths) {
        const columns = Object.values(KINDS).map(make => make(n));
        const ranks = [...Array(n).keys()];
        const found = await evaluate(columns, ranks);
        for (const [c, kind] of Object.keys(KINDS).entries()) {
          expectAsSorted(columns[c], ranks, found[c], `${n} values ${kind}`);
        }
      }
    });

  it('are those of the sorted values in columns of two dispatches', async () => {
    // Two workgroups each, of 16,384 values.
    const n = 40_000;
    const columns = ['of both signs', 'with many ties'].map(kind => KINDS[kind](n));
    const ranks = [0, 20, n / 2, n - 1];
    const found = await evaluate(columns, ranks, { maxPaths: 20_000, parallelPaths: 20_000 });
    for (const [c, column] of columns.entries()) expectAsSorted(column, ranks, found[c], `column ${c}`);
  });

  it('are those of the sorted values in large columns, in one dispatch or many', {
    tags: ['slow'],
  }, async () => {
    const n = 20_000;
    const columns = Object.values(KINDS).map(make => make(n));
    // The ends, the middle, neighbours, and 64 quantiles with both their neighbours.
    const spread = Array.from({ length: 64 }, (_, i) => Math.floor(((i + 0.5) / 64) * n));
    const ranks = [...new Set([0, 1, n / 2, n - 2, n - 1, ...spread, ...spread.map(rank => rank + 1)])];
    ranks.sort((a, b) => a - b);
    const found = await evaluate(columns, ranks);
    for (const [c, kind] of Object.keys(KINDS).entries()) {
      expectAsSorted(columns[c], ranks, found[c], `${n} values ${kind}`);
    }
    const dispatches: DispatchOptions[] = [{ maxPaths: 7000, parallelPaths: 7000 }, { workgroupSize: 64 }];
    for (const dispatch of dispatches) {
      expect(await evaluate(columns, ranks, dispatch), JSON.stringify(dispatch)).toEqual(found);
    }
  });
});
