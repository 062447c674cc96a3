/**
 * The example book of docs/books.md, recomputed on the real data.
 *
 * @module-tag slow
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, inject, it } from 'vitest';
import { describeWithSharedData } from '../support/shared-data.ts';

const file = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

describeWithSharedData('The book of 5,000 loans', () => {
  it('has the answer of the documentation', () => {
    const book = execFileSync(process.execPath, [file('docs/tools/book-example.mjs')], {
      maxBuffer: 2 ** 26,
    });
    const { params } = JSON.parse(book.toString()) as { params: { loans: { id: string }[] } };
    expect(new Set(params.loans.map(({ id }) => id)).size).toBe(5000);
    const answer = execFileSync(
      process.execPath,
      [file('dist/cli/main.js'), 'ask', '-', '--operation', 'book_risk', '--compute', 'cpu'],
      {
        input: book,
        env: {
          ...process.env,
          MARKET_DB: inject('realMarketDb'),
          COMPUTE: 'cpu',
          LOG_LEVEL: 'error',
          REQUEST_TIMEOUT_SECONDS: '3600',
        },
        maxBuffer: 2 ** 28,
      },
    );
    const { Output } = JSON.parse(answer.toString()) as { Output: { Book: unknown } };
    expect({ Book: Output.Book }).toEqual(JSON.parse(readFileSync(file('docs/books-5000.json'), 'utf8')));
  });
});
