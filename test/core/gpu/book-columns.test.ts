/** The columns of a book's paths, which the host reads range by range. */
import { expect, it } from 'vitest';
import type { BookRange } from '#src/core/gpu/book/book-slices.js';
import { COLUMN_PLACES, COLUMN_WORDS } from '#src/core/gpu/book/kernels.js';
import { runPaths } from '#src/core/gpu/product/book.js';
import { thirtyLoans } from '../../support/book-cases.ts';

it('The columns of a range are read while the next range runs', async () => {
  const paths = 2 ** 18 + 3;
  const events: string[] = [];
  /** Each path has called as many loans as its number. */
  const run = async (range: BookRange) => {
    if (range.kind !== 'sums') throw new Error('The first pass has no tails.');
    const { first, count } = range;
    events.push(`run from ${first}`);
    const words = new Uint32Array(COLUMN_WORDS * count);
    for (let i = 0; i < count; i++) words[COLUMN_PLACES.calledLoans * count + i] = first + i;
    words.subarray = (begin, end) => {
      events.push('read');
      return Uint32Array.prototype.subarray.call(words, begin, end) as typeof words;
    };
    return words;
  };
  const { columns } = await runPaths({ run }, thirtyLoans(paths));
  expect(events.slice(0, 3)).toEqual(['run from 0', 'run from 262144', 'read']);
  expect(columns.calledLoans.findIndex((called, p) => called !== p)).toBe(-1);
  expect(columns.calledLoans).toHaveLength(paths);
});
