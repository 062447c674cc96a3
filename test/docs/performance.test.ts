/** The figures in the documents are those of the named reports. */
import { describe, expect, it } from 'vitest';
import { readDocument } from '../../docs/tools/examples.mjs';
import { PERFORMANCE_DOCUMENTS, withTables } from '../../docs/tools/performance-tables.mjs';

describe('the tables of performance', () => {
  for (const path of PERFORMANCE_DOCUMENTS) {
    it(`in ${path} are those of the reports in bench/results (else: node docs/tools/performance-tables.mjs)`, () => {
      const text = readDocument(path);
      expect(text, 'a place for a table').toMatch(/<!-- bench [\w-]+ [\w./-]+ -->\n\*[^\n]+\*\n\n\|/);
      expect(withTables(text)).toBe(text);
    });
  }

  it('report a figure changed by hand', () => {
    const text = readDocument('docs/performance.md');
    const [row] = /\| NumPy Generator, double \|.*\n/.exec(text) ?? [];
    expect(row, 'the row of NumPy').toBeDefined();
    const changed = text.replace(
      row!,
      row!.replace(/\d/, digit => String((Number(digit) + 1) % 10)),
    );
    expect(changed).not.toBe(text);
    expect(withTables(changed)).toBe(text);
  });

  it('refuse an unknown table', () => {
    expect(() => withTables('<!-- bench nothing 2026-11-21 -->\n<!-- /bench -->', () => ({}))).toThrow(
      /no table nothing/,
    );
  });
});
