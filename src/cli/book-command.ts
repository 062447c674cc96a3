/**
 * The options of `book`. Loads what answers it only once it is called.
 */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type Day, parseIsoDate } from '../calendar-date.ts';
import { DECIMAL_MARKS } from '../market/import/numbers.ts';
import { DATE_ORDERS } from '../market/import/times.ts';
import { nearestName } from '../request/nearest-name.ts';
import { isTapeColumn, TAPE_COLUMN_NAMES, TAPE_COLUMNS, type TapeColumn } from '../tape/columns.ts';
import type { BookOptions } from './book-options.ts';
import type { Output } from './market-command.ts';

/** Those that are shown side by side where none are named; the first is that of the headline (docs/choosing.md). */
const TYPES = ['STUDENT_T', 'GBM', 'FHS', 'BOOTSTRAP', 'HISTORICAL'] as const;
/** Methodologies that books take. */
export const KNOWN_TYPES = [
  'GBM',
  'GBM_VIX',
  'STUDENT_T',
  'FHS',
  'FHS_EVT',
  'BOOTSTRAP',
  'HISTORICAL',
] as const;

type Columns = Readonly<Partial<Record<TapeColumn, string>>>;

export interface TapeSent {
  readonly columns?: Columns;
  readonly default?: Columns;
  readonly percent?: readonly TapeColumn[];
  readonly dates?: BookOptions['tape']['dates'];
  readonly decimal?: BookOptions['tape']['decimal'];
  readonly sheet?: string;
  readonly skipFaulty?: true;
  readonly asOf?: Day;
  readonly days: number;
}

interface Sent extends TapeSent {
  readonly types: BookOptions['types'];
  readonly lookback: number;
  readonly paths: number;
  readonly levels: readonly number[];
  readonly saleDelay: number;
  readonly saleCost: number;
  readonly seed: number;
  readonly falls: readonly number[];
  readonly stress: boolean;
  readonly backtestDays: number;
  readonly title: string;
  readonly compare?: string;
  readonly runs?: string;
  readonly notify?: string;
  readonly limits?: string;
  readonly html?: string;
  readonly json?: string;
  readonly csv?: string;
  readonly market?: string;
}

/** What says which tape, how it is written, and how far its loans are followed. */
export const tapeOptions = (command: Command): Command =>
  command
    .argument('<tape>', 'file with a row for each collateral asset of each loan')
    .option('--columns <pairs...>', 'names of columns: theirs=ours', gather(mapped))
    .option('--default <pairs...>', 'what stands for an empty cell: column=value', gather(defaulted))
    .option('--percent <columns...>', 'columns in per cent', each)
    .addOption(new Option('--dates <order>', 'order of dates with the year last').choices([...DATE_ORDERS]))
    .addOption(new Option('--decimal <mark>', 'mark before a fraction').choices([...DECIMAL_MARKS]))
    .option('--sheet <name>', 'sheet of a spreadsheet; otherwise the first one')
    .option('--skip-faulty', 'go on without the loans that have a fault, and name them in the result')
    .option('--as-of <day>', 'last day of the data, YYYY-MM-DD; otherwise the last with all prices', day)
    .option(
      '--days <days>',
      'how far loans are followed, at most to their maturity',
      inRange(1, 3650, true),
      30,
    );

/** How a tape is read, by its options. */
export const tapeTermsOf = ({ columns, default: defaults, percent, dates, decimal }: TapeSent) =>
  defined({ columns, defaults, percent, dates, decimal });

/** @param seed reads a seed @param setMarket sets in the environment which market is opened */
export function addBookCommand(
  program: Command,
  {
    seed,
    setMarket,
    environment,
    words,
    output,
  }: {
    readonly seed: (text: string) => number;
    readonly setMarket: (market: string | undefined) => void;
    readonly environment: Readonly<Record<string, string | undefined>>;
    /** The whole command line. */
    readonly words: readonly string[];
    readonly output: Output;
  },
): void {
  tapeOptions(program.command('book'))
    .description('the risk of the loans of a tape (CSV or XLSX), by several methodologies side by side')
    .addOption(
      new Option('--types <types...>', 'methodologies; the first is that of the headline')
        .choices([...KNOWN_TYPES])
        .default([...TYPES]),
    )
    .option('--lookback <days>', 'days that the models are fitted to', inRange(2, 3650, true), 365)
    .option('--paths <paths>', 'Monte Carlo paths', inRange(1, 1e6, true), 20_000)
    .option('--levels <levels...>', 'levels of losses', fractions(), [0.95, 0.99])
    .option(
      '--falls <fractions...>',
      'falls of all prices at once that are tried',
      fractions(),
      [0.2, 0.3, 0.5],
    )
    .option('--no-stress', 'leave out falls and past windows')
    .option('--sale-delay <hours>', 'from a liquidation to the sale', inRange(0, 720, true), 24)
    .option('--sale-cost <fraction>', 'part of a sale that is lost', inRange(0, 0.5), 0.01)
    .option('--seed <seed>', 'seed of the random numbers', seed, 1)
    .option(
      '--backtest-days <days>',
      'days on which the methodologies are judged; 0 for none',
      inRange(0, 3650, true),
      250,
    )
    .option('--title <title>', 'title of the result', 'Risk of the loan book')
    .option(
      '--compare <file>',
      'an earlier result (--json), or "last" of --runs: what has changed since, step by step',
    )
    .option('--runs <folder>', 'add a dated run to this folder, and renew its index.html')
    .addOption(
      new Option('--notify <url>', 'address that is told of breached limits and failures (Slack form)')
        .env('NOTIFY_URL')
        .argParser(webAddress),
    )
    .option('--limits <file>', 'limits, a line each: LossCVar 0.99 <= 250000; a breach ends with exit code 3')
    .option('--html <file>', 'write the report, one file for screen and print; - is standard output')
    .option('--json <file>', 'write the whole result; - is standard output')
    .option('--csv <file>', 'write the loans, a row each; - is standard output')
    .option('--market <path>', 'market store, or "sample" (MARKET_DB)')
    .addHelpText('after', `\nColumns: ${TAPE_COLUMN_NAMES.join(', ')} (docs/desk.md).`)
    .action(async (tape: string, sent: Sent, command: Command) => {
      if (sent.compare === 'last' && sent.runs === undefined)
        command.error('error: --compare last needs --runs, the folder of the last run');
      setMarket(sent.market);
      const { bookCommand } = await import('./book.ts');
      process.exitCode = await bookCommand(tape, optionsOf(sent, words), environment, output);
    });
}

function optionsOf(sent: Sent, words: readonly string[]): BookOptions {
  const { sheet, asOf, compare, runs, notify, limits, html, json, csv } = sent;
  return {
    tape: tapeTermsOf(sent),
    ...defined({ sheet, asOf, compare, runs, notify, limits, html, json, csv }),
    skipFaulty: sent.skipFaulty === true,
    horizonDays: sent.days,
    types: sent.types,
    lookbackDays: sent.lookback,
    paths: sent.paths,
    levels: sent.levels,
    saleDelayHours: sent.saleDelay,
    saleCost: sent.saleCost,
    seed: sent.seed,
    falls: sent.stress ? sent.falls : [],
    backtestDays: sent.backtestDays,
    title: sent.title,
    command: ['collateral-risk-engine', ...withoutSecrets(words).map(quoted)].join(' '),
  };
}

/** The members that have a value. */
export const defined = <T extends object>(members: T) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };

/** The address of a channel is a secret. */
const withoutSecrets = (words: readonly string[]): readonly string[] =>
  words.map((word, k) =>
    word.startsWith('--notify=') ? '--notify=URL' : words[k - 1] === '--notify' ? 'URL' : word,
  );

function webAddress(text: string): string {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text))
    throw new InvalidArgumentError('It must be an address that begins with http:// or https://.');
  return text;
}

/** A word as a shell takes it. */
const quoted = (word: string) =>
  /^[\w./:=@%,+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

function knownColumn(name: string): TapeColumn {
  if (isTapeColumn(name)) return name;
  const nearest = nearestName(name, TAPE_COLUMN_NAMES);
  throw new InvalidArgumentError(
    `There is no column ${name}${nearest === undefined ? `; there are ${TAPE_COLUMN_NAMES.join(', ')}` : `; is it ${nearest}?`}`,
  );
}

type Pair = readonly [column: TapeColumn, text: string];

/** `their name=our column`; their name may hold a =. */
function mapped(text: string): Pair {
  const at = text.lastIndexOf('=');
  if (at < 1) throw new InvalidArgumentError('It is written "name in the file=column".');
  return [knownColumn(text.slice(at + 1)), text.slice(0, at)];
}

/** `column=value` of a column that is said once for a loan. */
function defaulted(text: string): Pair {
  const at = text.indexOf('=');
  if (at < 1 || at === text.length - 1) throw new InvalidArgumentError('It is written column=value.');
  const column = knownColumn(text.slice(0, at));
  if (!TAPE_COLUMNS[column].ofLoan) throw new InvalidArgumentError(`${column} differs from row to row.`);
  return [column, text.slice(at + 1)];
}

const gather =
  (read: (text: string) => Pair) =>
  (text: string, before: Columns = {}): Columns => {
    const [column, value] = read(text);
    return { ...before, [column]: value };
  };

const each = (text: string, before: readonly TapeColumn[] = []): readonly TapeColumn[] => [
  ...before,
  knownColumn(text),
];

function day(text: string): Day {
  const found = parseIsoDate(text);
  if (found === undefined) throw new InvalidArgumentError('It is a day, written YYYY-MM-DD.');
  return found;
}

export const inRange =
  (least: number, most: number, isWhole = false) =>
  (text: string): number => {
    const value = Number(text);
    if (text.trim() === '' || !(value >= least && value <= most) || (isWhole && !Number.isInteger(value)))
      throw new InvalidArgumentError(
        `It must be a ${isWhole ? 'whole ' : ''}number from ${least} to ${most}.`,
      );
    return value;
  };

/** Reads fractions one by one; the first that is named takes the place of the default. */
export function fractions() {
  let named: readonly number[] = [];
  return (text: string): readonly number[] => {
    const value = Number(text);
    if (!(value > 0 && value < 1))
      throw new InvalidArgumentError('It must be a number between 0 and 1: 0.99.');
    named = named.includes(value) ? named : [...named, value];
    return named;
  };
}
