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

function coverageTables({ studies }: CoverageReport): string {
  const paths = [...new Set(studies.map(({ path }) => path))];
  return paths
    .map(path => {
      const own = studies.filter(study => study.path === path);
      return [`### ${path}`, '', ...own.flatMap(tableOf)].join('\n');
    })
    .join('\n');
}

function tableOf({ name, seeds, rows }: CoverageStudy): string[] {
  return [
    `${name}, ${seeds.toLocaleString('en-US')} seeds:`,
    '',
    '| figure | truth | method | no interval | coverage |',
    '|---|---|---|---:|---:|',
    ...rows.map(({ figure, truth, exact, methods, told, held }) => {
      const missing = told === seeds ? '' : percent(1 - told / seeds);
      // JSON has null for a truth that is no number.
      const known = Number.isFinite(truth) ? `${Number(truth.toPrecision(4))}${exact ? '' : ' (run)'}` : '';
      const coverage = `${percent(held / told)} ± ${(100 * halfWidth(held, told)).toFixed(1)}`;
      return `| ${figure} | ${known} | ${methods.map(each => `\`${each}\``).join(', ')} | ${missing} | ${coverage} |`;
    }),
    '',
  ];
}

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;

/** 1.96 standard errors of a coverage. */
function halfWidth(held: number, told: number): number {
  const share = held / told;
  return 1.96 * Math.sqrt((share * (1 - share)) / told);
}
