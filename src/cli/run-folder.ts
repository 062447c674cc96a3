/**
 * A folder of dated runs with report, result and loans, and a page that lists them.
 *
 * A run is written to a temporary folder and renamed: it is complete or absent.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { indexHtml, type RunSummary, summaryOf } from '../desk/report/index-page.ts';
import type { DeskResult } from '../desk/result.ts';

const SUMMARY = 'summary.json';
const RESULT = 'result.json';
/** The name of a run: the moment of its result. */
const RUN = /^\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}-\d{3}Z$/;

const runsOf = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter(name => RUN.test(name) && existsSync(join(folder, name, SUMMARY)))
        .sort()
    : [];

/** The path of the result of the last run; undefined without runs. */
export function lastResult(folder: string): string | undefined {
  const last = runsOf(folder).at(-1);
  return last === undefined ? undefined : join(folder, last, RESULT);
}

/** Adds a run and rewrites the page. @returns the folder of the run @throws the error of the file system */
export function writeRun(
  folder: string,
  result: DeskResult,
  files: Readonly<
    Record<'report.html' | typeof RESULT | 'loans.csv' | 'loans.notes.txt', string> &
      Record<'calls.xlsx', Uint8Array>
  >,
): string {
  mkdirSync(folder, { recursive: true });
  const name = result.MadeAt.replace(/[:.]/g, '-');
  const [unfinished, whole] = [join(folder, `.${name}`), join(folder, name)];
  try {
    mkdirSync(unfinished);
    for (const [file, text] of Object.entries(files)) writeFileSync(join(unfinished, file), text);
    writeFileSync(join(unfinished, SUMMARY), `${JSON.stringify(summaryOf(result), null, 2)}\n`);
    renameSync(unfinished, whole);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    throw error;
  }
  const runs = runsOf(folder).map(
    run => [run, JSON.parse(readFileSync(join(folder, run, SUMMARY), 'utf8')) as RunSummary] as const,
  );
  const page = join(folder, 'index.html');
  writeFileSync(`${page}.new`, indexHtml(runs.reverse()));
  renameSync(`${page}.new`, page);
  return whole;
}
