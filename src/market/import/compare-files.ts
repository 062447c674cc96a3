/**
 * Whether the files of one import agree with each other: the days of their closes, their units, their money, and the numbers of the
 * rows that two of them have.
 *
 * Takes: the series of files. Must not know: how files are read, a store.
 */
import { counted } from '../../text/counted.ts';
import { medianOf } from '../median.ts';
import { NUMBER_COLUMNS, type Rows } from '../store/rows.ts';
import { rowName, type SeriesKey, seriesId, seriesName, TIMEFRAME_HOURS } from '../store/series-key.ts';
import { type DailyCloses, dayShift } from './day-shift.ts';
import { isSameCurrency } from './headings.ts';
import type { FaultKind, ImportFault } from './import-error.ts';

/** The rows of a series in a file. */
export interface FilePart {
  readonly file: string;
  readonly key: SeriesKey;
  readonly rows: Rows;
}

/** Share of the rows of a series that may get other numbers without an option. */
export const MAX_REPLACED = 0.01;
/** Factor between the closes of two markets of an asset in one money: markets of a thin coin differ by some per cent, no currency by less. */
const OTHER_MONEY = 1.04;
/** Days on which closes are compared. */
const MIN_DAYS = 5;
/** Two markets have the same close on a day by chance, not on most days. */
const SAME_CLOSE = 1e-4;
const SAME_DAYS = 0.9;
/** Factor between neighbouring rows of a series in two files: of closes, a file's own rows have the same bound. */
const JUMP = 20;
/** The same of median volumes and of median rates: contracts of 10 to 100 USD count 100 times as much and more. */
const OTHER_UNIT = 100;
/** Rows whose medians are compared at the joint of two files. */
const NEIGHBOURS = 30;

/** The faults of files that contradict each other. @param allowJumps whether jumps of closes are real */
export function faultsAmong(parts: readonly FilePart[], allowJumps: boolean): readonly ImportFault[] {
  const series = new Map<string, FilePart[]>();
  for (const part of parts) {
    const own = series.get(seriesId(part.key));
    if (own === undefined) series.set(seriesId(part.key), [part]);
    else own.push(part);
  }
  const ofOne = [...series.values()].flatMap(own => faultsOfParts(own, allowJumps));
  return ofOne.length > 0 ? ofOne : faultsOfMarkets([...series.values()]);
}

/** The faults of one series in several files, each with the one before it in time. */
function faultsOfParts(parts: readonly FilePart[], allowJumps: boolean): readonly ImportFault[] {
  const inTime = parts.toSorted((one, other) => one.rows.hours[0] - other.rows.hours[0]);
  return inTime.slice(1).flatMap((part, i) => {
    const before = inTime[i];
    return otherNumbers(before, part) ?? (areApart(before, part) ? jumpsAt(before, part, allowJumps) : []);
  });
}

const areApart = (before: FilePart, part: FilePart): boolean =>
  (before.rows.hours.at(-1) ?? 0) < part.rows.hours[0];

/** The fault of rows that two files have with different numbers. */
function otherNumbers(before: FilePart, part: FilePart): readonly ImportFault[] | undefined {
  const [held, rows] = [before.rows, part.rows];
  let [common, other] = [0, 0];
  for (let i = 0, h = 0; i < rows.hours.length && h < held.hours.length; i++) {
    while (h < held.hours.length && held.hours[h] < rows.hours[i]) h++;
    if (held.hours[h] !== rows.hours[i]) continue;
    common++;
    if (contradicts(held, h, rows, i)) other++;
  }
  // The last bar of a file can be one that was not closed yet.
  if (other <= Math.max(1, MAX_REPLACED * common)) return undefined;
  return [
    faultOf('replaced', part, {
      message: `${other} of the ${counted(common, 'row')} of ${part.key.kind} ${seriesName(part.key)} that ${before.file} has too have other numbers there`,
      remedy:
        'Import the file with the right numbers alone. If the other one is another market, kind or unit, import it next with --exchange, --kind, --volume-unit or --funding-unit.',
    }),
  ];
}

/** Whether two rows differ in a number that both have. */
const contradicts = (one: Rows, i: number, other: Rows, k: number): boolean =>
  NUMBER_COLUMNS.some(column => {
    const [a, b] = [one.numbers[column][i], other.numbers[column][k]];
    return !Number.isNaN(a) && !Number.isNaN(b) && a !== b;
  });

/** What a joint compares, of the rows before it and after it. */
const AT_JOINTS: readonly {
  readonly kind: SeriesKey['kind'];
  readonly fault: FaultKind;
  readonly sizeOf: (rows: Rows, place: 'last' | 'first') => number;
  readonly most: number;
  readonly words: (key: SeriesKey) => string;
  readonly remedy: string;
}[] = [
  {
    kind: 'price',
    fault: 'jump',
    sizeOf: (rows, place) => rows.numbers.close.at(place === 'last' ? -1 : 0) ?? Number.NaN,
    most: JUMP,
    words: ({ quote }) => `the closes in ${quote}`,
    remedy:
      'If one has another unit or currency, import each file by itself, that one with its --quote. If the price did jump, say --allow-jumps; after a redenomination market rescale joins both.',
  },
  ...(['price', 'volume'] as const).map(kind => ({
    kind,
    fault: 'volume unit' as const,
    sizeOf: (rows: Rows, place: 'last' | 'first') => medianNear(rows.numbers.volume, place),
    most: OTHER_UNIT,
    words: ({ asset }: SeriesKey) => `the volumes in ${asset}`,
    remedy:
      'Import each file by itself with its own --volume-unit: base, quote, or none to leave the volumes out, as for contracts.',
  })),
  {
    kind: 'funding',
    fault: 'funding unit',
    sizeOf: (rows, place) => medianNear(rows.numbers.close, place),
    most: OTHER_UNIT,
    words: () => 'the rates',
    remedy: 'Import each file by itself with its own --funding-unit: fraction or percent.',
  },
];

/** The median size of the numbers above 0 next to a joint. */
function medianNear(numbers: Float64Array, place: 'last' | 'first'): number {
  const near = place === 'last' ? numbers.slice(-NEIGHBOURS) : numbers.slice(0, NEIGHBOURS);
  return medianOf([...near].map(Math.abs).filter(size => size > 0));
}

function jumpsAt(before: FilePart, part: FilePart, allowJumps: boolean): readonly ImportFault[] {
  return AT_JOINTS.filter(
    ({ kind, fault }) => kind === part.key.kind && !(allowJumps && fault === 'jump'),
  ).flatMap(({ fault, sizeOf, most, words, remedy }) => {
    const factor = sizeOf(part.rows, 'first') / sizeOf(before.rows, 'last');
    if (!(factor > most || factor < 1 / most)) return [];
    const from = rowName(part.key, part.rows.hours[0]);
    const message = `${words(part.key)} of ${seriesName(part.key)} are ${shown(factor)} times those of ${before.file} from ${from} on`;
    return [faultOf(fault, part, { message, remedy })];
  });
}

/** Two series of one asset, and the closes of their common days. */
interface Pair {
  readonly one: FilePart;
  readonly other: FilePart;
  readonly closes: DailyCloses;
  readonly others: DailyCloses;
  /** Ratios of the closes of common days. */
  readonly ratios: readonly number[];
}

/** What is compared of two markets of an asset; the first fault of a pair is told. */
const AMONG_MARKETS: readonly ((pair: Pair) => ImportFault | undefined)[] = [
  ({ one, other, closes, others }) => {
    const days = isSameMoney(one, other) ? dayShift(closes, others) : 0;
    if (days === 0) return undefined;
    return faultOf('shifted', one, {
      message: `the closes of ${seriesName(one.key)} follow those of ${seriesName(other.key)} in ${other.file} a day ${days === 1 ? 'late' : 'early'}: their returns correlate over neighbouring days`,
      remedy:
        'Import the file with the right days first, then the other: it is then refused with what moves it.',
    });
  },
  ({ one, other, ratios }) => {
    const factor = medianOf(ratios);
    const isNear = factor < OTHER_MONEY && factor > 1 / OTHER_MONEY;
    if (!isSameMoney(one, other) || ratios.length < MIN_DAYS || isNear) return undefined;
    return faultOf('currency', one, {
      message: `the closes of ${seriesName(one.key)} are ${shown(factor)} times those of ${seriesName(other.key)} in ${other.file}, in the median of ${ratios.length} days: another currency, asset or unit`,
      remedy:
        'Import each file by itself, the one in another currency with its --quote, that of another asset with its --symbol.',
    });
  },
  ({ one, other, ratios }) => {
    const same = ratios.filter(ratio => Math.abs(ratio - 1) <= SAME_CLOSE).length;
    if (isSameMoney(one, other) || ratios.length < MIN_DAYS || same < SAME_DAYS * ratios.length)
      return undefined;
    return faultOf('currency', one, {
      message: `the closes of ${seriesName(one.key)} are those of ${seriesName(other.key)} in ${other.file}: the same prices in two currencies`,
      remedy: 'Import each file by itself, with the --quote of its prices.',
    });
  },
];

const isSameMoney = ({ key: one }: FilePart, { key: other }: FilePart): boolean =>
  isSameCurrency(one.quote, other.quote);

/** The faults of the price series of one asset against the earlier ones. @param series the parts of each */
function faultsOfMarkets(series: readonly (readonly FilePart[])[]): readonly ImportFault[] {
  const markets = series
    .filter(([{ key }]) => key.kind === 'price')
    .map(parts => ({
      part: parts[0],
      closes: new Map(parts.flatMap(({ key, rows }) => [...dailyClosesOf(key, rows)])),
    }));
  return markets.flatMap(({ part: one, closes }, i) => {
    for (const { part: other, closes: others } of markets.slice(0, i)) {
      if (other.key.asset !== one.key.asset) continue;
      const ratios = [...closes].flatMap(([day, close]) => {
        const ratio = close / (others.get(day) ?? Number.NaN);
        return Number.isNaN(ratio) ? [] : [ratio];
      });
      for (const compare of AMONG_MARKETS) {
        const fault = compare({ one, other, closes, others, ratios });
        if (fault !== undefined) return [fault];
      }
    }
    return [];
  });
}

/** The closes of days; those of hours are the midnight closes. */
export function dailyClosesOf({ timeframe }: SeriesKey, { hours, numbers }: Rows): DailyCloses {
  const closes = new Map<number, number>();
  for (let i = 0; i < hours.length; i++)
    if (TIMEFRAME_HOURS[timeframe] === 24 || hours[i] % 24 === 0)
      closes.set(Math.round(hours[i] / 24) - 1, numbers.close[i]);
  return closes;
}

const faultOf = (
  kind: FaultKind,
  { file }: FilePart,
  words: Pick<ImportFault, 'message' | 'remedy'>,
): ImportFault => ({ kind, file, count: 1, ...words });

const shown = (factor: number): string => String(Number(factor.toPrecision(3)));
