/** Ranges of paths, and the records of their paths. */
import { expect, it } from 'vitest';
import { prepareBook } from '#src/core/book/prepared-book.js';
import { contractOf } from '#src/core/plan/products.js';
import { RecordSink } from '#src/core/plan/records.js';
import { runRange } from '#src/core/reference/products.js';
import { FOLLOWERS, pathOf } from '../support/book-followers.ts';
import { randomBook } from '../support/random-books.ts';

it('The records of a range of paths of a book are the figures of each path alone', () => {
  const plan = randomBook(3, 12, { assets: 3, loans: 6, baskets: 2, term: 400 });
  const range = { first: 5, count: 7 };
  const names = contractOf(plan.product).recordFields(plan.product);
  const records = new RecordSink(names.length, range);
  runRange(plan, range, records);
  const book = prepareBook(plan.product, plan.scenarios.assets);
  const follower = FOLLOWERS.reference(plan, book);
  for (let i = 0; i < range.count; i++) {
    const { columns } = pathOf(plan, book, follower, range.first + i);
    const record = Object.fromEntries(names.map((name, k) => [name, records.columns[k][i]]));
    expect(record, `path ${range.first + i}`).toEqual(columns);
  }
  expect(new Set(records.columns[0]).size).toBeGreaterThan(1);
});
