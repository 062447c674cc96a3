/**
 * `stress`: the loans of a tape under scenarios, as a table.
 *
 * Takes: a file with loans. Gives: a line for each scenario on standard output. Starts a service of its own, which ends with it.
 */
import { writeFileSync } from 'node:fs';
import { formatIsoDate } from '../calendar-date.ts';
import { askStress } from '../desk/ask-stress.ts';
import type { StressedBook } from '../desk/result.ts';
import { printableLines } from '../market/printable.ts';
import type { MethodologyName } from '../methodology/methodologies.ts';
import { faultsText } from './book.ts';
import type { BookOptions } from './book-options.ts';
import { draws } from './book-run.ts';
import { valueAtStore } from './book-tape.ts';
import type { Output } from './market-command.ts';
import { askOf, toldFailures, withOwnService } from './own-service.ts';
import { formatTable } from './table.ts';
import { readTapeFile, type TapeFile } from './tape-file.ts';
import { UnreadableTape } from './unreadable-tape.ts';

type Shared =
  | 'tape'
  | 'sheet'
  | 'skipFaulty'
  | 'asOf'
  | 'horizonDays'
  | 'lookbackDays'
  | 'paths'
  | 'levels'
  | 'saleDelayHours'
  | 'saleCost'
  | 'seed'
  | 'falls'
  | 'json';

export interface StressOptions extends Pick<BookOptions, Shared> {
  readonly type: MethodologyName;
  /** Names of scenarios; all of the server where absent. */
  readonly scenarios?: readonly string[];
}

const EXIT = { done: 0, refused: 1, notUnderstood: 2 } as const;
const STANDARD_OUTPUT = '-';

/** @returns 0 where it is answered, 1 where the tape has faults or the question is refused, 2 where the file is not readable */
export async function stressCommand(
  path: string,
  options: StressOptions,
  environment: Readonly<Record<string, string | undefined>>,
  output: Output,
): Promise<number> {
  let file: TapeFile;
  try {
    file = await readTapeFile(path, options.sheet);
  } catch (error) {
    if (!(error instanceof UnreadableTape)) throw error;
    output.err(`${printableLines(error.message)}\n`);
    return EXIT.notUnderstood;
  }
  return toldFailures(
    () =>
      withOwnService({ ...environment, REQUEST_TIMEOUT_SECONDS: '600' }, async service => {
        const terms = { ...options.tape, ...options };
        const tape = await valueAtStore(file.table, terms, service.market.current(), new Date());
        if (tape.faults.length > 0 && !(options.skipFaulty && tape.loans.length > 0)) {
          output.err(faultsText(path, tape, options));
          return EXIT.refused;
        }
        const skipped = new Set(tape.faults.map(({ id, line }) => id ?? `line ${line}`));
        if (skipped.size > 0) output.err(`Left out for their faults: ${[...skipped].join(', ')}.\n`);
        const asked = { ...options, asOf: tape.asOf, prices: tape.prices, draws };
        const answer = await askStress(askOf(service), options.type, tape.rows, asked);
        if (typeof answer === 'string') {
          output.err(`${answer}\n`);
          return EXIT.refused;
        }
        for (const { message } of answer.Warnings) output.err(`${message}\n`);
        const json = `${JSON.stringify(answer.Scenarios, null, 2)}\n`;
        if (options.json !== undefined && options.json !== STANDARD_OUTPUT) writeFileSync(options.json, json);
        const told = `${tape.loans.length} loans at the closes of ${formatIsoDate(tape.asOf)}\n`;
        output.out(options.json === STANDARD_OUTPUT ? json : `${told}${stressTable(answer.Scenarios)}\n`);
        return EXIT.done;
      }),
    output,
  );
}

const usd = (value: number) => Math.round(value).toLocaleString('en-US');
const percent = (value: number) => `${(100 * value).toFixed(1)} %`;

/** A line for each scenario. */
export function stressTable(scenarios: readonly StressedBook[]): string {
  const levels = Object.keys(scenarios[0]?.Then?.LossCVar ?? {});
  return formatTable(
    [
      'scenario',
      'LTV',
      'called',
      'liquidated',
      'closed out on the way',
      'lost on the way',
      'then lost on average',
      ...levels.map(q => `in the worst ${percent(1 - Number(q))}`),
    ],
    scenarios.map(({ Title, Ltv, Called, Liquidated, Replay, Then }) => [
      Title,
      percent(Ltv),
      String(Replay === null ? Called.Loans : Replay.Called),
      String(Replay === null ? Liquidated.Loans : Replay.Liquidated),
      Replay === null ? '' : String(Replay.ClosedOut),
      Replay === null ? '' : usd(Replay.Loss),
      Then === null ? '' : usd(Then.ExpectedLoss),
      ...levels.map(q => (Then === null ? '' : usd(Then.LossCVar[q]))),
    ]),
    1,
  );
}
