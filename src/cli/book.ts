/**
 * `book`: the risk of the loans of a tape by several methodologies side by side.
 *
 * Takes: a file with loans. Gives: a summary on standard output, and the files of the options.
 */
import { writeFileSync } from 'node:fs';
import { callTables } from '../desk/call-sheet.ts';
import { type Limit, readLimits } from '../desk/limits.ts';
import type { DeskResult, JudgedLimit } from '../desk/result.ts';
import { summaryText } from '../desk/summary.ts';
import { type EarlierResult, readEarlier } from '../question/report/compare.ts';
import { reportPage, resultText } from '../question/report/forms.ts';
import { makeResult } from '../question/report/make-result.ts';
import { printableLines } from '../text/printable.ts';
import { loansCsv, loansNotes, loansParquet, notesName } from './book-csv.ts';
import { limitsText, notify } from './book-notify.ts';
import { valueOrPrint } from './book-tape.ts';
import { creditCsv } from './credit-csv.ts';
import { bytesOf, readOrPrint, requireWritable, UnreadableInput, written } from './input.ts';
import { LAST } from './options.ts';
import {
  type Environment,
  EXIT,
  type Output,
  type ProgressLine,
  progressLine,
  STANDARD_OUTPUT,
} from './output.ts';
import { LONG_RUN, ownAsk, printFailures, withOwnRisk } from './own-risk.ts';
import { lastResult, writeRun } from './run-folder.ts';
import { readTapeFile, withColumnsFile } from './tape-file.ts';
import { type BookOptions, untilFaults } from './tape-options.ts';

interface Ended {
  readonly code: number;
  readonly result?: DeskResult;
  readonly folder?: string | undefined;
}

/** @returns 0 when done, 1 for faults of the tape or a refused request, 2 for a file that cannot be read or written, 3 for a breached limit, 4 for one that cannot be judged */
export async function bookCommand(
  path: string,
  options: BookOptions,
  environment: Environment,
  output: Output,
): Promise<number> {
  const printed: string[] = [];
  const recording: Output = {
    ...output,
    err(text) {
      printed.push(text);
      output.err(text);
    },
  };
  const progress = progressLine(output);
  let ended: Ended;
  try {
    ended = await run(path, options, environment, recording, progress);
  } catch (error) {
    await send(`${options.title}: the run has failed: ${(error as Error).message}`, options, output);
    throw error;
  }
  const { code, result, folder } = ended;
  const text =
    result === undefined
      ? `${options.title}: the run has failed.\n${printed.join('')}`
      : limitsText(result, folder === undefined ? undefined : `Report: ${folder}/report.html`);
  if (text !== undefined) await send(text, options, output);
  return code;
}

async function send(text: string, { notify: url }: BookOptions, { err }: Output): Promise<void> {
  if (url === undefined) return;
  const why = await notify(url, text);
  if (why !== undefined) err(`The message to the address of --notify could not be sent: ${why}.\n`);
}

async function run(
  path: string,
  sent: BookOptions,
  environment: Environment,
  output: Output,
  progress: ProgressLine,
): Promise<Ended> {
  const read = await readOrPrint(async () => {
    const options = withColumnsFile(sent);
    requireWritable(
      [
        options.html,
        options.json,
        options.csv,
        options.parquet,
        options.creditCsv,
        options.calls,
        options.saveColumns,
      ],
      options.runs,
    );
    const file = await readTapeFile(path, options.sheet);
    const compare =
      options.compare === LAST && options.runs !== undefined ? lastResult(options.runs) : options.compare;
    const earlier = compare === undefined ? undefined : earlierOf(compare);
    const faults = untilFaults(options);
    if (faults.length > 0) throw new UnreadableInput(faults.join('\n'));
    const limits = options.limits === undefined ? undefined : limitsOf(options.limits, options);
    return { options, file, compare, earlier, limits };
  }, output);
  if (read === undefined) return { code: EXIT.notUnderstood };
  const { options, file, compare, earlier, limits } = read;
  let ended: Ended = { code: EXIT.refused };
  const compute = () =>
    withOwnRisk({ ...environment, ...LONG_RUN }, async own => {
      const now = new Date();
      const market = own.risk.market.current();
      const tape = await valueOrPrint(path, file.table, options, options.types, market, now, output);
      if (tape === undefined) return EXIT.refused;
      const name = { file: path, sha256: file.sha256 };
      const source = {
        market: own.risk.market.current(),
        ask: ownAsk(own),
        now,
        progress: progress.update,
      };
      const found = await makeResult(source, tape, name, { ...options, compare, limits }, earlier);
      progress.end();
      const result: DeskResult =
        options.compare === LAST && earlier === undefined
          ? { ...found, Missing: [...found.Missing, 'There is no earlier run to compare with.'] }
          : found;
      const folder = await write(options, result, output);
      const code = codeOf(result);
      ended = { code, result, folder };
      return code;
    }).finally(progress.end);
  const code = await printFailures(compute, output);
  return { ...ended, code };
}

function codeOf({ Limits }: DeskResult): number {
  const has = (status: JudgedLimit['Status']) => Limits?.some(({ Status }) => Status === status) === true;
  if (has('breached')) return EXIT.breached;
  return has('unknown') ? EXIT.notJudged : EXIT.done;
}

/** @throws UnreadableInput */
function earlierOf(path: string): EarlierResult {
  const read = readEarlier(bytesOf(path).toString('utf8'));
  if (typeof read === 'string') throw new UnreadableInput(`${path}: ${read}`);
  return read;
}

/** @throws UnreadableInput with every fault and its line */
function limitsOf(path: string, options: BookOptions): readonly Limit[] {
  const { limits, faults } = readLimits(bytesOf(path).toString('utf8'), options);
  if (faults.length > 0)
    throw new UnreadableInput(faults.map(({ line, message }) => `${path}:${line}: ${message}`).join('\n'));
  return limits;
}

/** The open margin calls as a spreadsheet. */
async function callsXlsx(result: DeskResult): Promise<Uint8Array> {
  const { default: writeSheets } = await import('write-excel-file/node');
  return writeSheets(callTables(result)).toBuffer();
}

/** Writes the files of the options. @returns the folder of the run, if runs are stored */
async function write(
  { html, json, csv, parquet, creditCsv: creditFile, credit, calls, runs }: BookOptions,
  result: DeskResult,
  { out }: Output,
): Promise<string | undefined> {
  const texts = {
    'report.html': () => reportPage(result),
    'result.json': () => resultText(result),
    'loans.csv': () => loansCsv(result),
    'loans.notes.txt': () => loansNotes(result),
    'credit.csv': () => creditCsv(result),
  };
  const files = [
    [html, texts['report.html']],
    [json, texts['result.json']],
    [csv, texts['loans.csv']],
    [creditFile, texts['credit.csv']],
    [csv === undefined || csv === STANDARD_OUTPUT ? undefined : notesName(csv), texts['loans.notes.txt']],
  ] as const;
  for (const [file, text] of files)
    if (file === STANDARD_OUTPUT) out(text());
    else if (file !== undefined) written(file, () => writeFileSync(file, text()));
  if (parquet !== undefined) {
    const bytes = await loansParquet(result);
    written(parquet, () => writeFileSync(parquet, bytes));
  }
  const sheet = calls === undefined && runs === undefined ? undefined : await callsXlsx(result);
  if (calls !== undefined && sheet !== undefined) written(calls, () => writeFileSync(calls, sheet));
  if (!files.some(([file]) => file === STANDARD_OUTPUT)) out(printableLines(summaryText(result)));
  if (runs === undefined || sheet === undefined) return undefined;
  return written(runs, () =>
    writeRun(runs, result, {
      'report.html': texts['report.html'](),
      'result.json': texts['result.json'](),
      'loans.csv': texts['loans.csv'](),
      'loans.notes.txt': texts['loans.notes.txt'](),
      ...(credit && { 'credit.csv': texts['credit.csv']() }),
      'calls.xlsx': sheet,
    }),
  );
}
