/** The document of the models: its figures are those of the results, and the measured ones are those of the engine. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRisk } from '#src/library.js';
import { METHODOLOGIES } from '#src/models/methodology/methodologies.js';
import { readDocument } from '../../docs/tools/examples.mjs';
import { CRITERIA, judgementsOf } from '../../docs/tools/model/criteria.mjs';
import { askedOf } from '../../docs/tools/model/measure.mjs';
import { BASE, LOAN, VARIANTS } from '../../docs/tools/model/measured.mjs';
import { readResults } from '../../docs/tools/model/results.mjs';
import { withTables } from '../../docs/tools/model/tables.mjs';
import { MODEL_DOCUMENTS } from '../../docs/tools/model-document.mjs';

const results = readResults();
const names = Object.keys(METHODOLOGIES);
const sections = [
  'Purpose and limits of use',
  'Theory',
  'Outcomes',
  'Coverage of intervals',
  'Benchmark programs',
  'Sensitivity',
  'Known failures',
  'Verdicts',
  'Monitoring',
];

describe('the model document', () => {
  it.each(MODEL_DOCUMENTS)(
    '%s has the figures of the results (else: node docs/tools/model-document.mjs)',
    path => {
      const text = readDocument(path);
      expect(text).toMatch(/<!-- model \w+.* -->\n\n\S/);
      expect(withTables(text, results)).toBe(text);
    },
  );

  it('writes a figure that was changed by hand', () => {
    const text = readDocument('docs/model-document/student-t.md');
    const changed = text.replace(/(\| BTC \| STUDENT_T \| 99 % \| \d+ \| )\d+/, '$1999');
    expect(changed).not.toBe(text);
    expect(withTables(changed, results)).toBe(text);
  });

  it('refuses an unknown table, and an unknown methodology', () => {
    for (const name of ['nothing', 'loans NOTHING'])
      expect(() => withTables(`<!-- model ${name} -->\n<!-- /model -->`, results)).toThrow(
        'there is no table',
      );
  });

  it('has a part with every section and table for each methodology', () => {
    const parts = MODEL_DOCUMENTS.slice(1).map(readDocument);
    for (const name of names) {
      const [part, ...others] = parts.filter(text =>
        new RegExp(`<!-- model verdicts.* ${name}\\b`).test(text),
      );
      expect(others, name).toEqual([]);
      expect(
        sections.filter(title => !part?.includes(`**${title}`)),
        name,
      ).toEqual([]);
      for (const table of ['backtests', 'loans', 'coverage', 'benchmarks', 'sensitivity'])
        expect(part, name).toMatch(new RegExp(`<!-- model ${table}.* ${name}\\b`));
    }
  });
});

describe('the acceptance criteria', () => {
  it('are twelve, with all three verdicts', () => {
    expect(CRITERIA).toHaveLength(12);
    const verdicts = names.flatMap(name => judgementsOf(results, name).map(({ verdict }) => verdict));
    expect(new Set(verdicts)).toEqual(new Set(['passes', 'fails', 'not measured']));
  });

  it.each([
    [
      3,
      'backtests',
      (rows: typeof results.backtests) =>
        rows.map(row => ({ ...row, values: { ...row.values, 'Both p': 0.009 } })),
    ],
    [
      4,
      'backtests',
      (rows: typeof results.backtests) =>
        rows.map(row => ({ ...row, values: { ...row.values, 'Z2 p': 0.009 } })),
    ],
  ] as const)('%d fails where its result is beyond the bound', (number, part, bend) => {
    const judged = judgementsOf({ ...results, [part]: bend(results[part]) }, 'HISTORICAL')[number - 1];
    expect(judged.verdict).toBe('fails');
    expect(judged.result).toContain('p 0.009');
  });

  it('do not pass without a result', () => {
    const empty = {
      backtests: [],
      loanOutcomes: [],
      coverage: [],
      measured: { loan: LOAN, sensitivities: {}, benchmarks: [] },
      gpu: { device: '', rows: [] },
    };
    const verdicts = judgementsOf(empty, 'FHS').map(({ verdict }) => verdict);
    expect(new Set(verdicts)).toEqual(new Set(['not measured']));
  });
});

describe('the measured figures', () => {
  let risk: Awaited<ReturnType<typeof openRisk>>;
  beforeAll(async () => {
    risk = await openRisk({ market: 'sample', compute: 'cpu', cpuThreads: 1 });
  });
  afterAll(() => risk.close());

  it('are of every methodology and change', () => {
    expect(Object.keys(results.measured.sensitivities)).toEqual(names);
    for (const name of names)
      expect(Object.keys(results.measured.sensitivities[name].rows), name).toEqual(Object.keys(VARIANTS));
    expect(results.measured.loan).toEqual(LOAN);
  });

  it.each(names)(
    'of %s are the answers of the engine to the last digit (else: npm run model-document)',
    {
      tags: ['slow'],
    },
    async name => {
      const { rows } = results.measured.sensitivities[name];
      for (const words of [BASE, 'lookback of 90 days'])
        expect(await askedOf(risk, name, VARIANTS[words as keyof typeof VARIANTS]), words).toEqual(
          rows[words],
        );
    },
  );
});
