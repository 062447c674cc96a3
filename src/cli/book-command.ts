/** The options of `book`. Its implementation is loaded when it is called. */
import { type Command, Option } from 'commander';
import { USUAL } from '../core/figures/usual.ts';
import { TAPE_COLUMN_NAMES } from '../tape/columns.ts';
import { commandText, fractions, inRange, isWebAddress, LAST, withMarket } from './options.ts';
import { type Environment, type Output, STANDARD_OUTPUT } from './output.ts';
import {
  addRunOptions,
  addTapeOptions,
  BOOK_TYPES,
  type BookOwnOptions,
  type TapeRunSent,
  tapeRunOptions,
} from './tape-options.ts';

interface Sent extends TapeRunSent, BookOwnOptions {
  readonly falls: readonly number[];
  readonly stress: boolean;
  /** True without a rate. */
  readonly credit?: number | 'interest' | true;
}

const rateBetween = inRange(-0.5, 10);
const creditRate = (text: string): number | 'interest' => (text === 'interest' ? text : rateBetween(text));

/** The member `credit` of a request. */
const creditOf = (sent: Sent['credit']): object | undefined =>
  sent === undefined ? undefined : sent === true ? {} : { effective_rate: sent };

/** @param words the whole command line */
export function addBookCommand(
  program: Command,
  environment: Environment,
  words: readonly string[],
  output: Output,
): void {
  const command = addTapeOptions(program.command('book'))
    .description('the risk of the loans of a tape (CSV or XLSX), by several methodologies side by side')
    .addOption(
      new Option('--types <types...>', 'methodologies; the first gives the headline')
        .choices(BOOK_TYPES)
        .default([...USUAL.types]),
    )
    .option(
      '--lookback <days>',
      'days that the models are fitted to',
      inRange(2, 3650, true),
      USUAL.lookbackDays,
    )
    .option('--paths <paths>', 'Monte Carlo paths', inRange(1, 1e6, true), USUAL.paths)
    .option('--levels <levels...>', 'levels of losses', fractions(), [...USUAL.levels])
    .option('--falls <fractions...>', 'falls of all prices at once to simulate', fractions(), [0.2, 0.3, 0.5])
    .option('--no-stress', 'leave out falls, rises and past windows; those of --until stay');
  addRunOptions(command)
    .option('--backtest-days <days>', 'days of the back-test; 0 for none', inRange(0, 3650, true), 250)
    .option(
      '--credit [rate]',
      'credit figures and stages; losses are discounted at this effective rate a year, or "interest"',
      creditRate,
    )
    .option('--capital', 'economic capital: the loss at each level above the expected loss')
    .option('--title <title>', 'title of the result', 'Risk of the loan book')
    .option(
      '--compare <file>',
      'an earlier result (--json), or "last" of --runs: the report lists the changes since',
    )
    .option('--runs <folder>', 'add a dated run to this folder, and update its index.html')
    .addOption(
      new Option(
        '--notify <url>',
        'address that receives breached or unknown limits, and failures (Slack form)',
      ).env('NOTIFY_URL'),
    )
    .option(
      '--limits <file>',
      'limits, a line each: LossCVar 0.99 <= 250000; a breach ends with exit code 3, an unknown value with 4',
    )
    .option('--html <file>', 'write the report as one HTML file; - is standard output')
    .option('--json <file>', 'write the whole result; - is standard output')
    .option('--csv <file>', 'write the loans, a row each; - is standard output')
    .option('--parquet <file>', 'write the columns of --csv as Parquet')
    .option(
      '--credit-csv <file>',
      'write the credit figures, a row for each loan and the sums of the stages; with --credit',
    )
    .option('--calls <file>', 'write the open margin calls as XLSX: deadlines, and what cures each')
    .option('--market <path>', 'market store, or "sample" (MARKET_DB)')
    .addHelpText('after', `\nColumns: ${TAPE_COLUMN_NAMES.join(', ')} (docs/desk.md).`)
    .action(async (tape: string, sent: Sent) => {
      if (sent.compare === LAST && sent.runs === undefined)
        command.error('error: --compare last needs --runs, the folder of the last run');
      if (sent.notify !== undefined && !isWebAddress(sent.notify))
        command.error(
          "error: option '--notify <url>' is invalid. It must be an address that begins with http:// or https://.",
        );
      if (sent.creditCsv !== undefined && sent.credit === undefined)
        command.error('error: --credit-csv needs --credit');
      const { bookCommand } = await import('./book.ts');
      for (const name of ['calls', 'parquet'] as const)
        if (sent[name] === STANDARD_OUTPUT) command.error(`error: --${name} writes bytes, which need a file`);
      const options = {
        ...tapeRunOptions(sent, sent.stress ? sent.falls : []),
        credit: creditOf(sent.credit),
        command: commandText(words),
      };
      process.exitCode = await bookCommand(tape, options, withMarket(environment, sent.market), output);
    });
}
