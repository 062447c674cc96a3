/** The reader of tapes and the report in a page: one bundle, run without the globals of Node. */
import { fileURLToPath } from 'node:url';
import { createContext, runInContext } from 'node:vm';
import { build } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import { reportHtml } from '#src/desk/report/report.js';
import { bookRows } from '#src/tape/book-rows.js';
import { readTape } from '#src/tape/read-tape.js';
import { textTable } from '#src/tape/tables.js';
import { tapeCsv } from '../../docs/tools/loan-tape.mjs';
import { DESK_RESULT } from '../support/desk-result.ts';

const src = fileURLToPath(new URL('../../src/', import.meta.url));
const CONTENTS = `
  export { readTape } from './tape/read-tape.ts';
  export { textTable } from './tape/tables.ts';
  export { bookRows } from './tape/book-rows.ts';
  export { reportHtml } from './desk/report/report.ts';
  export { readLimits } from './desk/limits.ts';
  export { judgeLimits } from './desk/judge-limits.ts';
`;

let page: Record<string, unknown>;
beforeAll(async () => {
  const { outputFiles, warnings } = await build({
    stdin: { contents: CONTENTS, resolveDir: src, loader: 'ts' },
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'tape',
    platform: 'browser',
    target: 'es2022',
    logLevel: 'silent',
    // The reader of CSV has a build for pages.
    alias: { 'csv-parse/sync': 'csv-parse/browser/esm/sync' },
  });
  expect(warnings).toEqual([]);
  page = { text: tapeCsv(), result: JSON.stringify(DESK_RESULT), TextDecoder, URL };
  createContext(page);
  runInContext(outputFiles[0].text, page);
});

/** The value of an expression, as JSON of the page. */
const inPage = (expression: string): unknown =>
  JSON.parse(runInContext(`JSON.stringify(${expression})`, page) as string);

describe('A page', () => {
  it('has none of the globals of Node', () => {
    expect(inPage('[typeof process, typeof require, typeof global]')).toEqual([
      'undefined',
      'undefined',
      'undefined',
    ]);
  });

  it('reads a tape to the same loans, faults and rows', () => {
    const read = readTape(textTable(tapeCsv()), {});
    expect(inPage('tape.readTape(tape.textTable(text), {})')).toEqual(JSON.parse(JSON.stringify(read)));
    const prices = [
      ...new Set(
        read.loans.flatMap(({ collateral, loanAsset }) => [
          ...collateral.map(({ asset }) => asset),
          loanAsset,
        ]),
      ),
    ].map(asset => [asset, 100] as const);
    const following = { asOfMs: Date.UTC(2024, 6, 1), horizonDays: 30 };
    page.prices = JSON.stringify(prices);
    expect(
      inPage(
        `tape.bookRows(tape.readTape(tape.textTable(text), {}).loans, ${JSON.stringify(following)}, new Map(JSON.parse(prices))).rows`,
      ),
    ).toEqual(JSON.parse(JSON.stringify(bookRows(read.loans, following, new Map(prices)).rows)));
  });

  it('writes the same report', () => {
    expect(inPage('tape.reportHtml(JSON.parse(result), [])')).toBe(reportHtml(DESK_RESULT, []));
  });
});
