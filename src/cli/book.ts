/**
 * `book`: a loan tape to the risk of its loans, by several methodologies side by side.
 *
 * Takes: a file with loans. Gives: a summary on standard output, and the files that are asked for. Starts a service of its own, which ends with it.
 */
import { writeFileSync } from 'node:fs';
import { formatHour } from '../calendar-date.ts';
import { RiskError } from '../core/errors.ts';
import type { DeskResult, Judged } from '../desk/result.ts';
import { summaryText } from '../desk/summary.ts';
import { marketDataText } from '../market/market-data.ts';
import { METHODOLOGIES, type MethodologyName } from '../methodology/methodologies.ts';
import { TAPE_NOTES } from '../tape/book-rows.ts';
import type { TapeOptions } from '../tape/read-tape.ts';
import type { TapeFault } from '../tape/tape.ts';
import { loansCsv } from './book-csv.ts';
import { type AnsweredModel, askModel, judge, type ModelTerms, volumeOf } from './book-models.ts';
import { loanLines, todayOf, warningsOf } from './book-result.ts';
import { faultText, type ValuedTape, valueTape } from './book-tape.ts';
import type { Output } from './market-command.ts';
import { toldFailures, withOwnService } from './own-service.ts';
import { progressLine } from './progress-line.ts';
import { readTapeFile, type TapeFile } from './tape-file.ts';
import { UnreadableTape } from './unreadable-tape.ts';

export interface BookOptions {
  readonly tape: TapeOptions;
  readonly sheet?: string;
  readonly skipFaulty: boolean;
  /** Last day of the data. */
  readonly asOf?: number;
  readonly horizonDays: number;
  readonly types: readonly MethodologyName[];
  readonly lookbackDays: number;
  readonly paths: number;
  readonly levels: readonly number[];
  readonly saleDelayHours: number;
  readonly saleCost: number;
  readonly seed: number;
  /** Days of the back-test; 0 for none. */
  readonly backtestDays: number;
  readonly title: string;
  readonly json?: string;
  readonly csv?: string;
  /** The command line that makes this again. */
  readonly command: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** A run may take longer than a request that others wait behind. */
const LONG: Environment = { JOB_TIMEOUT_SECONDS: '86400', REQUEST_TIMEOUT_SECONDS: '600' };
/** Faults that are printed. */
const MOST_FAULTS = 100;

/** @returns 0 where it is done, 1 where the tape has faults or a question is refused, 2 where the file is not readable */
export async function bookCommand(
  path: string,
  options: BookOptions,
  environment: Environment,
  output: Output,
): Promise<number> {
  let file: TapeFile;
  try {
    file = await readTapeFile(path, options.sheet);
  } catch (error) {
    if (!(error instanceof UnreadableTape)) throw error;
    output.err(`${error.message}\n`);
    return 2;
  }
  const progress = progressLine(output);
  return toldFailures(
    () =>
      withOwnService({ ...environment, ...LONG }, async service => {
        const market = service.market.current();
        const now = new Date();
        const tape = await valueTape(file.table, { ...options.tape, ...options }, market, now);
        if (tape.faults.length > 0 && !(options.skipFaulty && tape.loans.length > 0)) {
          output.err(faultsText(path, tape, options));
          return 1;
        }
        const terms: ModelTerms = { ...options, asOf: tape.asOf };
        const steps = options.types.length * (options.backtestDays > 0 ? 2 : 1);
        const answers = new Map<MethodologyName, AnsweredModel>();
        for (const [k, type] of options.types.entries()) {
          progress.update(k / steps, type);
          answers.set(type, await askModel(service, type, tape.rows, terms));
        }
        const today = todayOf(tape.loans, tape.prices);
        const basket = Object.fromEntries(
          today.Assets.map(({ Name, CollateralUsd }) => [Name, CollateralUsd / today.CollateralUsd]),
        );
        const judged = new Map<string, Judged>();
        for (const [k, type] of (options.backtestDays > 0 ? options.types : []).entries()) {
          const done = (share: number) =>
            progress.update((options.types.length + k + share) / steps, `back-test of ${type}`);
          const found = await judge(service, type, basket, { ...terms, days: options.backtestDays }, done);
          if (typeof found === 'string') output.err(`The back-test of ${type} is left out: ${found}\n`);
          else judged.set(type, found);
        }
        progress.end();
        const volumes = new Map<string, DeskResult['Data']['Volumes'][string]>();
        for (const { Name } of today.Assets) volumes.set(Name, await volumeOf(Name, tape.asOf, market));
        const [headline] = options.types;
        const result: DeskResult = {
          Title: options.title,
          MadeAt: now.toISOString(),
          Tape: tapeOf(path, file, tape),
          Data: {
            AsOf: formatHour(24 * (tape.asOf + 1)),
            Market: marketDataText(market),
            Synthetic: market.sample,
            Prices: Object.fromEntries(tape.prices),
            Carried: tape.carried,
            Volumes: Object.fromEntries(volumes),
          },
          Run: runOf(options, service.version),
          Today: today,
          Models: Object.fromEntries(
            [...answers].map(([type, { Book, Borrowers, Warnings }]) => [
              type,
              { Book, ...(Borrowers && { Borrowers }), Warnings },
            ]),
          ),
          Accuracy: answers.get(headline)?.Accuracy ?? {},
          Backtest: judged.size === 0 ? null : { Basket: basket, Models: Object.fromEntries(judged) },
          Loans: loanLines(tape, answers.get(headline)?.Loans ?? {}),
          Warnings: warningsOf(answers),
        };
        write(options, result, output);
        return 0;
      }).finally(progress.end),
    output,
  );
}

function faultsText(path: string, tape: ValuedTape, { skipFaulty }: BookOptions): string {
  const shown = tape.faults.slice(0, MOST_FAULTS).map(fault => faultText(path, fault));
  const more = tape.faults.length - shown.length;
  return [
    ...shown,
    ...(more > 0 ? [`${more} more faults.`] : []),
    skipFaulty
      ? 'No loan without a fault is left.'
      : `Nothing was computed: ${tape.faults.length} faults. With --skip-faulty the loans without a fault are computed, and the others are named in the result.`,
    '',
  ].join('\n');
}

const leftOut = ({ line, id, column, message, remedy }: TapeFault) => ({
  Line: line ?? null,
  Id: id ?? null,
  Column: column ?? null,
  Message: message,
  Remedy: remedy,
});

function tapeOf(path: string, { sha256 }: TapeFile, tape: ValuedTape): DeskResult['Tape'] {
  return {
    File: path,
    Sha256: sha256,
    Rows: tape.tableRows,
    Loans: tape.loans.length,
    NotUsed: tape.notUsed,
    LeftOut: tape.faults.map(leftOut),
    Notes: [...tape.notes].map(([note, ids]) => ({ Note: note, Sentence: TAPE_NOTES[note], Ids: ids })),
  };
}

function runOf(options: BookOptions, version: string): DeskResult['Run'] {
  return {
    Version: version,
    Seed: options.seed,
    Types: options.types,
    Headline: options.types[0],
    LookbackDays: options.lookbackDays,
    Paths: options.paths,
    HorizonDays: options.horizonDays,
    Levels: options.levels,
    SaleDelayHours: options.saleDelayHours,
    SaleCost: options.saleCost,
    Command: options.command,
  };
}

function write({ json, csv }: BookOptions, result: DeskResult, output: Output): void {
  const files: readonly (readonly [string | undefined, () => string])[] = [
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

/** Names of methodologies in the order in which they are shown. */
export const BOOK_TYPES = Object.keys(METHODOLOGIES) as readonly MethodologyName[];
