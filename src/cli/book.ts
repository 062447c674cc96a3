/**
 * `book`: a loan tape to the risk of its loans, by several methodologies side by side.
 *
 * Takes: a file with loans. Gives: a summary on standard output, and the files that are asked for. Starts a service of its own, which ends with it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { RiskError } from '../core/errors.ts';
import { judgeLimits } from '../desk/judge-limits.ts';
import { type Limit, readLimits } from '../desk/limits.ts';
import { reportHtml } from '../desk/report/report.ts';
import type { DeskResult } from '../desk/result.ts';
import { summaryText } from '../desk/summary.ts';
import type { ValuedTape } from '../desk/value-tape.ts';
import { printableLines } from '../market/printable.ts';
import { type EarlierResult, readEarlier } from './book-compare.ts';
import { loansCsv } from './book-csv.ts';
import { breachText, notify } from './book-notify.ts';
import { type BookOptions, LAST } from './book-options.ts';
import { runBook } from './book-run.ts';
import { lastResult, writeRun } from './book-runs.ts';
import { faultText, valueAtStore } from './book-tape.ts';
import type { Output } from './market-command.ts';
import { toldFailures, withOwnService } from './own-service.ts';
import { type ProgressLine, progressLine } from './progress-line.ts';
import { readTapeFile, type TapeFile } from './tape-file.ts';
import { UnreadableTape } from './unreadable-tape.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** A run may take longer than a request that others wait behind. */
const LONG: Environment = { JOB_TIMEOUT_SECONDS: '86400', REQUEST_TIMEOUT_SECONDS: '600' };
/** Faults that are printed. */
const MAX_FAULTS = 100;

const EXIT = { done: 0, refused: 1, notUnderstood: 2, breached: 3 } as const;

/** How a run ended. */
interface Ended {
  readonly code: number;
  readonly result?: DeskResult;
  /** Folder of the run. */
  readonly folder?: string;
}

/**
 * @returns 0 where it is done, 1 where the tape has faults or a question is refused, 2 where a file is not readable, 3 where a limit is
 * breached
 */
export async function bookCommand(
  path: string,
  options: BookOptions,
  environment: Environment,
  output: Output,
): Promise<number> {
  const told: string[] = [];
  const telling: Output = {
    ...output,
    err(text) {
      told.push(text);
      output.err(text);
    },
  };
  const progress = progressLine(output);
  let ended: Ended;
  try {
    ended = await run(path, options, environment, telling, progress);
  } catch (error) {
    await send(`${options.title}: the run has failed: ${(error as Error).message}`, options, output);
    throw error;
  }
  const { code, result, folder } = ended;
  const text =
    result === undefined
      ? `${options.title}: the run has failed.\n${told.join('')}`
      : breachText(result, folder === undefined ? undefined : `Report: ${folder}/report.html`);
  if (text !== undefined) await send(text, options, output);
  return code;
}

/** Tells the channel, where there is one. */
async function send(text: string, { notify: url }: BookOptions, { err }: Output): Promise<void> {
  if (url === undefined) return;
  const why = await notify(url, text);
  if (why !== undefined) err(`The message to the address of --notify could not be sent: ${why}.\n`);
}

async function run(
  path: string,
  options: BookOptions,
  environment: Environment,
  output: Output,
  progress: ProgressLine,
): Promise<Ended> {
  let file: TapeFile;
  let limits: readonly Limit[] | undefined;
  let earlier: EarlierResult | undefined;
  let compare: string | undefined;
  try {
    file = await readTapeFile(path, options.sheet);
    compare =
      options.compare === LAST && options.runs !== undefined ? lastResult(options.runs) : options.compare;
    earlier = compare === undefined ? undefined : earlierOf(compare);
    limits = options.limits === undefined ? undefined : limitsOf(options.limits, options);
  } catch (error) {
    if (!(error instanceof UnreadableTape)) throw error;
    output.err(`${printableLines(error.message)}\n`);
    return { code: EXIT.notUnderstood };
  }
  let ended: Ended = { code: EXIT.refused };
  const compute = () =>
    withOwnService({ ...environment, ...LONG }, async service => {
      const now = new Date();
      const terms = { ...options.tape, ...options };
      const tape = await valueAtStore(file.table, terms, service.market.current(), now);
      if (tape.faults.length > 0 && !(options.skipFaulty && tape.loans.length > 0)) {
        output.err(faultsText(path, tape, options));
        return EXIT.refused;
      }
      const name = { path, sha256: file.sha256 };
      const asked = { ...options, ...(compare !== undefined && { compare }) };
      const found = await runBook(service, tape, name, asked, now, progress, earlier);
      progress.end();
      const result: DeskResult = {
        ...found,
        Missing:
          options.compare === LAST && earlier === undefined
            ? [...found.Missing, 'There is no earlier run to compare with.']
            : found.Missing,
        Limits: limits === undefined ? null : judgeLimits(limits, found),
      };
      const folder = write(options, result, output);
      const isBreached = result.Limits?.some(({ Status }) => Status === 'breached');
      const code = isBreached ? EXIT.breached : EXIT.done;
      ended = { code, result, ...(folder !== undefined && { folder }) };
      return code;
    }).finally(progress.end);
  const code = await toldFailures(compute, output);
  return { ...ended, code };
}

/** @throws UnreadableTape */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new UnreadableTape(`${path}: ${(error as Error).message}`);
  }
}

/** @throws UnreadableTape */
function earlierOf(path: string): EarlierResult {
  const read = readEarlier(textOf(path));
  if (typeof read === 'string') throw new UnreadableTape(`${path}: ${read}`);
  return read;
}

/** @throws UnreadableTape that names every fault with its line */
function limitsOf(path: string, options: BookOptions): readonly Limit[] {
  const { limits, faults } = readLimits(textOf(path), options);
  if (faults.length > 0)
    throw new UnreadableTape(faults.map(({ line, message }) => `${path}:${line}: ${message}`).join('\n'));
  return limits;
}

export function faultsText(
  path: string,
  { faults }: ValuedTape,
  { skipFaulty }: Pick<BookOptions, 'skipFaulty'>,
): string {
  const shown = faults.slice(0, MAX_FAULTS).map(fault => faultText(path, fault));
  const more = faults.length - shown.length;
  return [
    ...shown,
    ...(more > 0 ? [`${more} more faults.`] : []),
    skipFaulty
      ? 'No loan without a fault is left.'
      : `Nothing was computed: ${faults.length} ${faults.length === 1 ? 'fault' : 'faults'}. With --skip-faulty the loans without a fault are computed, and the others are named in the result.`,
    '',
  ].join('\n');
}

/** Writes the files that are asked for. @returns the folder of the run, where runs are kept */
function write(
  { html, json, csv, runs }: BookOptions,
  result: DeskResult,
  { out }: Output,
): string | undefined {
  const texts = {
    'report.html': () => reportHtml(result),
    'result.json': () => `${JSON.stringify(result, null, 2)}\n`,
    'loans.csv': () => loansCsv(result),
  };
  const files = [
    [html, texts['report.html']],
    [json, texts['result.json']],
    [csv, texts['loans.csv']],
  ] as const;
  for (const [file, text] of files)
    if (file === '-') out(text());
    else if (file !== undefined) written(file, () => writeFileSync(file, text()));
  if (!files.some(([file]) => file === '-')) out(printableLines(summaryText(result)));
  if (runs === undefined) return undefined;
  return written(runs, () =>
    writeRun(runs, result, {
      'report.html': texts['report.html'](),
      'result.json': texts['result.json'](),
      'loans.csv': texts['loans.csv'](),
    }),
  );
}

/** @throws RiskError that says why it cannot be written */
function written<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new RiskError('invalid-request', `${file} cannot be written: ${(error as Error).message}`);
  }
}
