/**
 * How often the intervals of `Accuracy` hold the truth: every operation, with thousands of seeds.
 *
 *   npm run coverage-study [-- --seeds 2000] [--only /var] [--missing] [--tables]
 *
 * Writes bench/results/coverage.json after every study and the tables of docs/coverage.md. `--only` asks one operation and preserves
 * the studies of the others, `--missing` preserves those that have as many seeds already, `--tables` writes the tables from the results that
 * are there.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { openReferenceEngine } from '#src/engine/threads/reference-engine.js';
import { projectFile } from '../project.ts';
import { openAsking } from './ask.ts';
import { CASES } from './cases.ts';
import { CONSTRUCTED } from './constructed.ts';
import type { CoverageRow } from './figures.ts';
import { type CoverageReport, type CoverageStudy, withCoverage } from './table.ts';

const RESULT = projectFile('bench/results/coverage.json');
const DOCUMENT = projectFile('docs/coverage.md');

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '2000' },
    only: { type: 'string' },
    missing: { type: 'boolean', default: false },
    tables: { type: 'boolean', default: false },
  },
});
const seeds = Number(values.seeds);
if (!(Number.isInteger(seeds) && seeds >= 10))
  throw new Error(`--seeds is ${values.seeds}, must be a whole number from 10`);

const previous: CoverageReport = existsSync(RESULT)
  ? (JSON.parse(readFileSync(RESULT, 'utf8')) as CoverageReport)
  : { level: 0.95, studies: [] };
const studies: CoverageStudy[] = [...previous.studies];

function store(study: CoverageStudy): void {
  const at = studies.findIndex(({ path, name }) => path === study.path && name === study.name);
  if (at < 0) studies.push(study);
  else studies[at] = study;
  const report: CoverageReport = { level: 0.95, studies };
  writeFileSync(RESULT, `${JSON.stringify(report, null, 2)}\n`);
}

async function study(
  path: string,
  name: string,
  run: (onSeed: (done: number) => void) => Promise<CoverageRow[]>,
): Promise<void> {
  if (values.only !== undefined && path !== values.only) return;
  const kept = studies.find(each => each.path === path && each.name === name);
  if (values.missing && kept !== undefined && kept.seeds >= seeds) return;
  const start = performance.now();
  const seconds = () => ((performance.now() - start) / 1000).toFixed(0);
  let reported = 0;
  const rows = await run(done => {
    if (done < reported + seeds / 10) return;
    reported = done;
    console.error(`${path}, ${name}: ${done} of ${seeds} seeds, ${seconds()} s`);
  });
  store({ path, name, seeds, rows });
}

if (!values.tables) {
  const asking = await openAsking(1);
  try {
    for (const asked of CASES)
      await study(asked.path, asked.name, onSeed => asking.coverage(asked, seeds, onSeed));
  } finally {
    await asking.close();
  }
  const engine = openReferenceEngine({ threads: 1 });
  try {
    for (const each of CONSTRUCTED)
      await study(each.path, each.name, onSeed => each.coverage(engine, seeds, onSeed));
  } finally {
    await engine.close();
  }
}
writeFileSync(DOCUMENT, withCoverage(readFileSync(DOCUMENT, 'utf8'), { level: 0.95, studies }));
