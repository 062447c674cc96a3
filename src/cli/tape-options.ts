/** The options of `book` and `stress` as settings, and those that they share: the tape, its format, the simulation of its loans. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { USUAL } from '../core/figures/usual.ts';
import type { ModelOptions, Proxies } from '../desk/ask-model.ts';
import { attachedNames, readTranche, type SentTranche, waterfallSent } from '../desk/tranches.ts';
import { readUntil, type Until, untilFault } from '../desk/until.ts';
import { type MethodologyName, methodologiesOf } from '../models/methodology/methodologies.ts';
import { isTapeColumn, NOT_USED, TAPE_COLUMN_NAMES, TAPE_COLUMNS, type TapeColumn } from '../tape/columns.ts';
import type { TapeOptions } from '../tape/read-tape.ts';
import type { Day } from '../text/calendar-date.ts';
import { nearestName } from '../text/nearest-name.ts';
import { DECIMAL_MARKS } from '../text/numbers.ts';
import { DATE_ORDERS } from '../text/times.ts';
import { day, fractions, inRange, seedOption } from './options.ts';

export const BOOK_TYPES = methodologiesOf('book').map(({ name }) => name);

export interface TapeRunOptions extends ModelOptions {
  readonly tape: TapeOptions;
  /** File with options of the tape; those of the command line are before them. */
  readonly columnsFile?: string | undefined;
  /** File to write the options of the tape to. */
  readonly saveColumns?: string | undefined;
  /** Of a spreadsheet. */
  readonly sheet?: string | undefined;
  readonly skipFaulty: boolean;
  /** Last day of the data. */
  readonly asOf?: Day | undefined;
  readonly horizonDays: number;
  /** Falls of all prices at once, fractions. */
  readonly falls: readonly number[];
  /** Price rises to test, as fractions. Default: a set used when some loans are in coins. */
  readonly rises?: readonly number[] | undefined;
  /** Bounds whose falls of all prices are sought. */
  readonly until?: readonly Until[] | undefined;
  /** File to write; `-` is standard output. */
  readonly json?: string | undefined;
}

/** The options of `book` other than the tape. */
export interface BookOwnOptions {
  /** The first is the headline's. */
  readonly types: readonly MethodologyName[];
  /** Days of the back-test; 0 for none. */
  readonly backtestDays: number;
  readonly title: string;
  readonly runs?: string | undefined;
  /** Address for breaches and failures; a secret. */
  readonly notify?: string | undefined;
  /** File of an earlier result to compare with, or `LAST`. */
  readonly compare?: string | undefined;
  readonly limits?: string | undefined;
  /** Files to write; `-` is standard output, except for Parquet and XLSX. */
  readonly html?: string | undefined;
  readonly csv?: string | undefined;
  readonly parquet?: string | undefined;
  readonly creditCsv?: string | undefined;
  /** XLSX. */
  readonly calls?: string | undefined;
}

export interface BookOptions extends TapeRunOptions, BookOwnOptions {
  /** The command line that reproduces the result. */
  readonly command: string;
}

export interface StressOptions extends TapeRunOptions {
  readonly type: MethodologyName;
  /** The command line that repeats the result. */
  readonly command: string;
  /** Names of scenarios. Default: all of the server. */
  readonly scenarios?: readonly string[] | undefined;
}

/** The shared options as commander reads them. */
export interface TapeRunSent
  extends Omit<TapeOptions, 'columns' | 'ignored' | 'defaults' | 'resolve'>,
    Pick<
      TapeRunOptions,
      | 'sheet'
      | 'asOf'
      | 'paths'
      | 'levels'
      | 'rises'
      | 'until'
      | 'proxy'
      | 'saleCost'
      | 'seed'
      | 'json'
      | 'columnsFile'
      | 'saveColumns'
    > {
  readonly columns?: Named;
  readonly default?: TapeOptions['defaults'];
  readonly skipFaulty?: true;
  readonly days: number;
  readonly lookback: number;
  readonly saleDelay: number;
  readonly market?: string;
  readonly tranches?: readonly SentTranche[];
  readonly reserve?: number;
  readonly excessSpread?: number;
  /** Of `book` alone: a scenario shows no capital. */
  readonly capital?: true;
}

/** Adds the options on the tape and the horizon. */
export const addTapeOptions = (command: Command): Command =>
  command
    .argument('<tape>', 'file with a row for each collateral asset of each loan')
    .option('--columns <pairs...>', 'names of columns: theirs=ours; theirs=- is not used', named)
    .option('--columns-file <file>', 'names of columns and the other options of the tape, in JSON')
    .option('--save-columns <file>', 'write such a file, with the columns that were found or are proposed')
    .option('--default <pairs...>', 'value of empty cells: column=value', defaulted)
    .option('--percent <columns...>', 'columns in per cent', each)
    .option(
      '--fractions <columns...>',
      'columns of fractions, though their names have a sign of per cent',
      each,
    )
    .option('--ratios <columns...>', 'columns of collateral over loan, which are read as 1 / x', each)
    .addOption(
      new Option(
        '--dates <order>',
        'order of dates with the year last; otherwise what the columns show',
      ).choices([...DATE_ORDERS]),
    )
    .addOption(
      new Option('--decimal <mark>', 'mark before a fraction; otherwise what the columns show').choices([
        ...DECIMAL_MARKS,
      ]),
    )
    .option(
      '--header-row <line>',
      'line of the names of the columns; otherwise the row that names most of them',
      inRange(1, 1e6, true),
    )
    .option('--smallest-units <columns...>', 'columns of amounts in smallest units: wei, satoshi', each)
    .option('--accept <ids...>', 'loans that are right, though they look wrong')
    .option('--sheet <name>', 'sheet of a spreadsheet; otherwise the first one')
    .option('--skip-faulty', 'leave out the loans that have a fault, and list them in the result')
    .option('--as-of <day>', 'last day of the data, YYYY-MM-DD; otherwise the last with all prices', day)
    .option(
      '--days <days>',
      'how far loans are followed, at most to their maturity',
      inRange(1, 3650, true),
      USUAL.horizonDays,
    );

/** Adds the options on rises of prices, sales, who bears the losses, and the seed. */
export const addRunOptions = (command: Command): Command =>
  command
    .option(
      '--rises <fractions...>',
      'rises of all prices at once except currencies and stablecoins; 0.3 if a loan is in a coin',
      fractions(10, 0.3),
    )
    .option(
      '--until <bounds...>',
      'how far prices must fall until a figure reaches a bound: "loss 5m", "losscvar 0.99 20m", "ltv 80% along BTC", "tranche senior loss 1%"',
      untilBound,
    )
    .option(
      '--proxy <pairs...>',
      'what stands in for an asset before its first close, and in a replay without its prices: PEPE=ETH, or PEPE=ETH*1.3 with its beta',
      proxied,
    )
    .option(
      '--sale-delay <hours>',
      'from a liquidation to the sale',
      inRange(0, 720, true),
      USUAL.saleDelayHours,
    )
    .option('--sale-cost <fraction>', 'part of a sale that is lost', inRange(0, 0.5), USUAL.saleCost)
    .addOption(seedOption().default(USUAL.seed))
    .option(
      '--tranches <tranches...>',
      'who bears the losses, by shares of the loan value: "equity 0% to 3%" "senior 3% to 100%"; "senior PrLoss 1% to 100%" seeks the least attachment point',
      tranche,
    )
    .option(
      '--reserve <fraction>',
      'share of the loan value that bears losses before tranches',
      inRange(0, 1),
    )
    .option(
      '--excess-spread <fraction>',
      'earned a year on loans without a loss, net of fees and coupons; bears losses first',
      inRange(0, 1),
    );

/** The options as settings; those of one command as they are. @param falls of the command */
export function tapeRunOptions<S extends TapeRunSent>(sent: S, falls: readonly number[]) {
  const {
    columns: names = {},
    default: defaults,
    percent,
    fractions,
    ratios,
    dates,
    decimal,
    ...more
  } = sent;
  const { headerRow, accept, smallestUnits, ...others } = more;
  const { columns, ignored } = names;
  const tape = {
    columns,
    ignored,
    defaults,
    percent,
    fractions,
    ratios,
    dates,
    decimal,
    headerRow,
    accept,
    smallestUnits,
  };
  const { skipFaulty = false, days, lookback, saleDelay, ...run } = others;
  const { tranches, reserve, excessSpread: excess_spread, capital: economic_capital, ...own } = run;
  return {
    ...own,
    tape,
    skipFaulty,
    horizonDays: days,
    lookbackDays: lookback,
    saleDelayHours: saleDelay,
    waterfall: waterfallSent({ tranches, reserve, excess_spread, economic_capital }),
    falls,
  };
}

function knownColumn(name: string): TapeColumn {
  if (isTapeColumn(name)) return name;
  const nearest = nearestName(name, TAPE_COLUMN_NAMES);
  throw new InvalidArgumentError(
    `There is no column ${name}${nearest === undefined ? `; there are ${TAPE_COLUMN_NAMES.join(', ')}` : `; is it ${nearest}?`}`,
  );
}

type Columns = Readonly<Partial<Record<TapeColumn, string>>>;
type Named = Pick<TapeOptions, 'columns' | 'ignored'>;

/** `their name=our column`, or `their name=-`; their name may contain a =. */
function named(text: string, { columns = {}, ignored = [] }: Named = {}): Named {
  const at = text.lastIndexOf('=');
  if (at < 1) throw new InvalidArgumentError('It is written "name in the file=column".');
  const [theirs, ours] = [text.slice(0, at), text.slice(at + 1)];
  return ours === NOT_USED
    ? { columns, ignored: [...ignored, theirs] }
    : { columns: { ...columns, [knownColumn(ours)]: theirs }, ignored };
}

/** `column=value`, for a column with one value per loan. */
function defaulted(text: string, before: Columns = {}): Columns {
  const at = text.indexOf('=');
  if (at < 1 || at === text.length - 1) throw new InvalidArgumentError('It is written column=value.');
  const column = knownColumn(text.slice(0, at));
  if (!TAPE_COLUMNS[column].ofLoan) throw new InvalidArgumentError(`${column} differs from row to row.`);
  return { ...before, [column]: text.slice(at + 1) };
}

function tranche(text: string, before: readonly SentTranche[] = []): readonly SentTranche[] {
  const read = readTranche(text);
  if ('message' in read) throw new InvalidArgumentError(read.message);
  return [...before, read];
}

/** What a run must compute for its bounds, and does not: a line each. */
export const untilFaults = ({
  until = [],
  levels,
  waterfall,
}: Pick<TapeRunOptions, 'until' | 'levels' | 'waterfall'>): readonly string[] =>
  until.flatMap(each => {
    const fault = untilFault(each, { levels, tranches: attachedNames(waterfall) });
    return fault === undefined ? [] : [`--until "${each.text}": ${fault}`];
  });

/** `loss 5m`. */
function untilBound(text: string, before: readonly Until[] = []): readonly Until[] {
  const read = readUntil(text);
  if ('message' in read) throw new InvalidArgumentError(read.message);
  return [...before, read];
}

/** `PEPE=ETH`, `PEPE=ETH*1.3`. */
function proxied(text: string, before: Proxies = {}): Proxies {
  const [, of, asset, beta] = /^([^=*\s]+)=([^=*\s]+?)(?:\*(-?[\d.]+))?$/.exec(text) ?? [];
  const factor = Number(beta ?? 1);
  if (of === undefined || !(Math.abs(factor) <= 10))
    throw new InvalidArgumentError('It is written PEPE=ETH, or PEPE=ETH*1.3 with a beta from -10 to 10.');
  return { ...before, [of]: { asset, ...(beta !== undefined && { beta: factor }) } };
}

const each = (text: string, before: readonly TapeColumn[] = []): readonly TapeColumn[] => [
  ...before,
  knownColumn(text),
];
