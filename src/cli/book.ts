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
import { printable } from '../market/printable.ts';
import { type EarlierResult, readEarlier } from './book-compare.ts';
import { loansCsv } from './book-csv.ts';
import type { BookOptions } from './book-options.ts';
import { runBook } from './book-run.ts';
import { faultText, type ValuedTape, valueTape } from './book-tape.ts';
import type { Output } from './market-command.ts';
import { toldFailures, withOwnService } from './own-service.ts';
import { progressLine } from './progress-line.ts';
import { readTapeFile, type TapeFile } from './tape-file.ts';
import { UnreadableTape } from './unreadable-tape.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** A run may take longer than a request that others wait behind. */
const LONG: Environment = { JOB_TIMEOUT_SECONDS: '86400', REQUEST_TIMEOUT_SECONDS: '600' };
/** Faults that are printed. */
const MOST_FAULTS = 100;

const EXIT = { done: 0, refused: 1, notUnderstood: 2, breached: 3 } as const;

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
  let file: TapeFile;
  let limits: readonly Limit[] | undefined;
  let earlier: EarlierResult | undefined;
  try {
    file = await readTapeFile(path, options.sheet);
    earlier = options.compare === undefined ? undefined : earlierOf(options.compare);
    limits = options.limits === undefined ? undefined : limitsOf(options.limits, options);
  } catch (error) {
    if (!(error instanceof UnreadableTape)) throw error;
    output.err(`${printable(error.message).replaceAll('\\u{a}', '\n')}\n`);
    return EXIT.notUnderstood;
  }
  const progress = progressLine(output);
  return toldFailures(
    () =>
      withOwnService({ ...environment, ...LONG }, async service => {
        const now = new Date();
        const terms = { ...options.tape, ...options };
        const tape = await valueTape(file.table, terms, service.market.current(), now);
        if (tape.faults.length > 0 && !(options.skipFaulty && tape.loans.length > 0)) {
          output.err(faultsText(path, tape, options));
          return EXIT.refused;
        }
        const name = { path, sha256: file.sha256 };
        const found = await runBook(service, tape, name, options, now, progress, earlier);
        progress.end();
        const result: DeskResult = {
          ...found,
          Limits: limits === undefined ? null : judgeLimits(limits, found),
        };
        write(options, result, output);
        return result.Limits?.some(({ Status }) => Status === 'breached') ? EXIT.breached : EXIT.done;
      }).finally(progress.end),
    output,
  );
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

function faultsText(path: string, { faults }: ValuedTape, { skipFaulty }: BookOptions): string {
  const shown = faults.slice(0, MOST_FAULTS).map(fault => faultText(path, fault));
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

function write({ html, json, csv }: BookOptions, result: DeskResult, output: Output): void {
  const files: readonly (readonly [string | undefined, () => string])[] = [
    [html, () => reportHtml(result)],
    [json, () => `${JSON.stringify(result, null, 2)}\n`],
    [csv, () => loansCsv(result)],
  ];
  let toOutput = false;
  for (const [file, text] of files) {
    if (file === undefined) continue;
    if (file === '-') {
      output.out(text());
      toOutput = true;
    } else writeFile(file, text());
  }
  if (!toOutput) output.out(summaryText(result));
}

/** @throws RiskError that says why it cannot be written */
function writeFile(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new RiskError('invalid-request', `${file} cannot be written: ${(error as Error).message}`);
  }
}
