/** The report of a coverage study as the tables of docs/coverage.md, and what the intervals are held to. */
import type { CoverageRow } from './figures.ts';

/** One study: a question and its figures. */
export interface CoverageStudy {
  readonly path: string;
  readonly name: string;
  readonly seeds: number;
  readonly rows: readonly CoverageRow[];
}

export interface CoverageReport {
  readonly level: number;
  readonly studies: readonly CoverageStudy[];
}

/** Where the tables stand in the document. */
const PLACE = /(<!-- coverage -->\n)[\s\S]*?(<!-- \/coverage -->)/;

/** The text of a document with its tables written anew. */
export function withCoverage(text: string, report: CoverageReport): string {
  if (!PLACE.test(text)) throw new Error('The document has no place for the coverage.');
  return text.replace(PLACE, (_, start: string, end: string) => `${start}${coverageTables(report)}\n${end}`);
}

const HEAD = [
  '| question | seeds | method | figures | no interval | lowest | highest |',
  '|---|---:|---|---:|---:|---:|---:|',
];

function coverageTables({ studies }: CoverageReport): string {
  const paths = [...new Set(studies.map(({ path }) => path))];
  return paths
    .map(path => {
      const own = studies.filter(study => study.path === path);
      return [`### ${path}`, '', ...HEAD, ...own.flatMap(rowsOf), ''].join('\n');
    })
    .join('\n');
}

/** A row for each method of the intervals of a study. */
function rowsOf({ name, seeds, rows }: CoverageStudy): string[] {
  const methods = [...new Set(rows.flatMap(row => row.methods))];
  return methods.map(method => {
    const own = rows.filter(row => row.methods.includes(method));
    const shares = own.map(({ held, told }) => held / told).sort((a, b) => a - b);
    const missing = Math.max(...own.map(({ told }) => 1 - told / seeds));
    const cells = [
      name,
      seeds.toLocaleString('en-US'),
      `\`${method}\``,
      String(own.length),
      missing === 0 ? '' : percent(missing),
      percent(shares[0]),
      percent(shares.at(-1) ?? Number.NaN),
    ];
    return `| ${cells.join(' | ')} |`;
  });
}

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
