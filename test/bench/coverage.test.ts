/** The coverage study: how it counts, that its document is that of its results, and a short run of it. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FigureAccuracy } from '#src/core/figures/accuracy.js';
import { type Asking, openAsking } from '../../bench/coverage/ask.ts';
import { CASES } from '../../bench/coverage/cases.ts';
import { CoverageCount, numbersOf, rowsOf } from '../../bench/coverage/figures.ts';
import { type CoverageReport, withCoverage } from '../../bench/coverage/table.ts';

const text = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const row = (
  low: number | null,
  high: number | null,
  method: FigureAccuracy['method'] = 'wilson',
): FigureAccuracy => ({
  standard_error: null,
  low,
  high,
  method,
});

describe('the count', () => {
  it('takes an interval that holds the truth, an open end as far as it goes, and none where there is none', () => {
    const count = new CoverageCount(new Map([['P', 0.5]]));
    for (const each of [row(0.4, 0.6), row(0.51, 0.6), row(null, 0.5), row(0.6, null), row(null, null)])
      count.add(new Map([['P', each]]));
    expect(count.rows()).toEqual([
      { figure: 'P', methods: ['wilson'], truth: 0.5, exact: false, told: 4, held: 2 },
    ]);
  });

  it('leaves out a constant', () => {
    const count = new CoverageCount(new Map([['LoanVar', 1000]]));
    count.add(new Map([['LoanVar', row(999.9999999999998, 999.9999999999998)]]));
    expect(count.rows()).toEqual([]);
  });

  it('prefers the known law to a run, and leaves out what has no truth', () => {
    const count = new CoverageCount(new Map([['P', 0.9]]));
    const rows = new Map([
      ['P', { ...row(0.4, 0.6), exact: 0.5 }],
      ['unknown', row(0, 1)],
      ['of the window', row(null, null, 'none')],
    ]);
    count.add(rows);
    expect(count.rows()).toMatchObject([{ figure: 'P', truth: 0.5, exact: true, told: 1, held: 1 }]);
  });

  it('names figures by their places', () => {
    expect([...numbersOf({ a: 1, b: { c: 2, d: { e: 3 } }, text: 'x' })]).toEqual([
      ['a', 1],
      ['b / c', 2],
      ['b / d / e', 3],
    ]);
    expect([...rowsOf({ a: row(0, 1), b: { c: row(1, 2) } }).keys()]).toEqual(['a', 'b / c']);
  });
});

describe('docs/coverage.md', () => {
  it('has the tables of bench/results/coverage.json', () => {
    const report = JSON.parse(text('bench/results/coverage.json')) as CoverageReport;
    expect(report.studies.length).toBeGreaterThan(0);
    expect(withCoverage(text('docs/coverage.md'), report)).toBe(text('docs/coverage.md'));
  });
});

describe('a short study', () => {
  let asking: Asking;
  beforeAll(async () => {
    asking = await openAsking(2);
  });
  afterAll(() => asking.close());

  it('finds the intervals of known laws right', { tags: ['slow'] }, async () => {
    const SEEDS = 200;
    const exact = CASES.filter(({ truthPaths }) => truthPaths === undefined);
    expect(exact.length).toBeGreaterThan(1);
    for (const asked of exact) {
      const rows = await asking.coverage(asked, SEEDS);
      expect(rows.length, asked.name).toBeGreaterThan(10);
      for (const { figure, told, held, exact: known } of rows) {
        const inputs = `${asked.name}, ${figure}: ${held} of ${told}`;
        expect(known, inputs).toBe(true);
        // 95 % less 4.5 standard errors: a correct interval falls below it once in 300,000 figures.
        if (told >= SEEDS / 2)
          expect(held / told, inputs).toBeGreaterThan(0.95 - 4.5 * Math.sqrt((0.95 * 0.05) / told));
      }
    }
  });
});
