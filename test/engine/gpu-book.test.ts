/**
 * Runs of books on the GPU, plain and on weighted paths: their cuts, progress and abort.
 *
 * @module-tag slow
 */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '#src/core/engine.js';
import type { DispatchOptions } from '#src/core/gpu/session.js';
import { thirtyLoans } from '../support/book-cases.ts';
import type { BookPlan } from '../support/book-parity.ts';
import { expectSameInSlices, expectStopOnAbort, openTestGpuEngine } from '../support/gpu.ts';
import { shiftedBook } from '../support/shifted-books.ts';

let gpu: Engine;
beforeAll(async () => {
  gpu = await openTestGpuEngine();
});

const EIGHT_WIDE: DispatchOptions = { workgroupSize: 8 };
/** Blocks of few paths. */
const FEW_PATHS: DispatchOptions = { valueBytes: 2 ** 16 };

const CUTS: readonly { name: string; plan: BookPlan; dispatches: readonly DispatchOptions[] }[] = [
  {
    name: 'thirty loans',
    plan: thirtyLoans(300, { quantiles: Float64Array.of(0.5, 0.9, 0.99) }),
    dispatches: [
      EIGHT_WIDE,
      { maxPaths: 100 },
      // Prices in pieces, then eight loans at a time.
      { sliceMilliseconds: 1e-6, parallelPaths: 1 << 20 },
      { sliceMilliseconds: 1e-6, maxPaths: 96, parallelPaths: 96 },
      FEW_PATHS,
    ],
  },
  ...(
    [
      ['baskets of their own', shiftedBook(3, 300, 16, 16)],
      ['shared baskets', shiftedBook(5, 300, 24, 2)],
    ] as const
  ).map(([name, plan]) => ({
    name: `loans with ${name} on shifted paths`,
    plan,
    dispatches: [
      EIGHT_WIDE,
      // An odd number of paths, prices in pieces, then eight loans at a time.
      { sliceMilliseconds: 1e-6, maxPaths: 99, parallelPaths: 99 },
      FEW_PATHS,
    ],
  })),
];

describe('A run of a book on the GPU', () => {
  it.each(CUTS)('has the same outcome for any cut: $name', async ({ plan, dispatches }) => {
    const outcome = await gpu.run(plan);
    await expectSameInSlices(dispatches, engine => engine.run(plan));
    expect(await gpu.trace(plan)).toEqual({ ...outcome.columns });
  });

  it('reports the share of its completed paths after each slice', async () => {
    const shares: number[] = [];
    const engine = await openTestGpuEngine({ sliceMilliseconds: 1e-6, maxPaths: 100, parallelPaths: 100 });
    await engine.run(thirtyLoans(300), { onProgress: share => shares.push(share) });
    expect(shares.length).toBeGreaterThan(3);
    expect(shares).toEqual(shares.toSorted((one, other) => one - other));
    expect(shares[0]).toBeGreaterThan(0);
    expect(shares[0]).toBeLessThan(0.5);
    expect(shares.at(-1)).toBe(1);
  });

  it('stops on an abort', async () => {
    const plan = thirtyLoans(1_000_000, { steps: 8760, termSteps: new Uint32Array(30).fill(8700) });
    await expectStopOnAbort(plan, thirtyLoans(8));
  });
});
