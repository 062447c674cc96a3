/** Books on every engine with threads: neither threads, nor the number of paths, nor parts of a run change a figure. */
import { beforeAll, describe, expect, it } from 'vitest';
import { followPaths, pathsOf } from '#src/core/book/book-follower.js';
import { AMOUNT_UNITS, loanSums, sumsOfProduct } from '#src/core/book/book-sums.js';
import { prepareBook } from '#src/core/book/prepared-book.js';
import type { Engine } from '#src/core/engine.js';
import { LENDING_BOOKS, PLAIN_BOOKS, tenBaskets, withCredit } from '../support/book-cases.ts';
import { FOLLOWERS } from '../support/book-followers.ts';
import type { BookPlan } from '../support/book-parity.ts';
import { CPU_ENGINES, type CpuTestEngine } from '../support/engines.ts';
import { shiftedBook } from '../support/shifted-books.ts';
import { sharedReference } from '../support/threads.ts';

const PLANS: Readonly<Record<CpuTestEngine['name'], (paths: number) => BookPlan>> = {
  reference: tenBaskets,
  simd: paths => ({ ...PLAIN_BOOKS[0][1], paths }),
};

for (const { name, open } of CPU_ENGINES)
  describe(`A book over threads on ${name}`, () => {
    const planOf = PLANS[name];
    let one: Engine;
    let three: Engine;
    beforeAll(async () => {
      [one, three] = await Promise.all([open(1), open(3)]);
    });

    it('has the same bits on one thread and on three', async () => {
      const plan = planOf(name === 'reference' ? 501 : 1001);
      const [first, second] = await Promise.all([one.run(plan), three.run(plan)]);
      expect(second).toEqual(first);
    });

    it('has the same first paths in a longer run', async () => {
      const [more, fewer] = await Promise.all([one.trace(planOf(901)), three.trace(planOf(302))]);
      for (const [field, values] of Object.entries(fewer))
        expect(values, field).toEqual(more[field].subarray(0, 302));
    });

    it('adds up its single paths with the terms of real loans', async () => {
      const plan = withCredit(LENDING_BOOKS[1][1]);
      const outcome = await three.run(plan);
      const book = prepareBook(plan.product, plan.scenarios.assets);
      const sums = sumsOfProduct(plan.product, book.groupTerm.length);
      const losses: number[] = [];
      followPaths(
        FOLLOWERS[name](plan, book),
        sums,
        pathsOf({ first: 0, count: plan.paths }),
        (_, { loss }) => losses.push(loss),
      );
      const alone = loanSums(sums, plan.product, book);
      expect(outcome.loans).toEqual(alone);
      expect([...outcome.columns.loss]).toEqual(losses);
      expect(outcome.columns.toppedUp?.some(usd => usd > 0)).toBe(true);
      expect(alone.lending?.sold.some(sold => sold * AMOUNT_UNITS > 0)).toBe(true);
    });

    it('frees the threads after an abort', async () => {
      const abort = new AbortController();
      const run = one.run(planOf(1_000_000), {
        signal: abort.signal,
        onProgress: () => abort.abort(new Error('enough')),
      });
      await expect(run).rejects.toThrow('enough');
      expect((await one.run(planOf(10))).paths).toBe(10);
    });
  });

describe.each([
  ['baskets of their own', 8, 8],
  ['shared baskets', 24, 2],
])('A book of loans with %s on shifted paths', (_, loans, baskets) => {
  const alone = sharedReference(1);
  const engine = sharedReference(3);

  it('is the same for any number of threads, and in parts', async () => {
    const plan = withCredit(shiftedBook(7, 301, loans, baskets));
    const [wanted, together] = await Promise.all([alone.run(plan), engine.run(plan)]);
    expect(together).toEqual(wanted);
    const merged = await engine.mergeBook(
      plan,
      () => ({
        async paths() {
          const ranges = [
            { first: 0, count: 101 },
            { first: 101, count: 200 },
          ];
          const parts = await Promise.all(
            ranges.map(range => engine.runPart(plan, { kind: 'book-paths', range })),
          );
          const width = parts[0].columns.length / ranges[0].count;
          const columns = new Float64Array(new SharedArrayBuffer(8 * width * plan.paths));
          parts.forEach((part, i) => {
            const { first, count } = ranges[i];
            for (let c = 0; c < width; c++)
              columns.set(part.columns.subarray(c * count, (c + 1) * count), c * plan.paths + first);
          });
          const all = new Float64Array(new SharedArrayBuffer(8 * 2 * parts[0].sums.length));
          parts.forEach((part, i) => {
            all.set(part.sums, i * part.sums.length);
          });
          return {
            range: { first: 0, count: plan.paths },
            columns: columns.buffer,
            sums: all.buffer,
          };
        },
        async tails(tails) {
          const part = await engine.runPart(plan, { kind: 'book-tails', ...tails });
          const contributions = new Float64Array(new SharedArrayBuffer(8 * part.contributions.length));
          contributions.set(part.contributions);
          const peakRows = new Float64Array(new SharedArrayBuffer(8 * part.peakRows.length));
          peakRows.set(part.peakRows);
          return { contributions: contributions.buffer, peakRows: peakRows.buffer };
        },
      }),
      {},
    );
    expect(merged).toEqual(wanted);
  });
});
