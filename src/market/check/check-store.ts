/**
 * Checks a store: missing rows, wrong or doubtful values, and the remedies.
 *
 * Takes: the series of a version, bounds. Gives: findings. Must not know: the terminal.
 */
import { formatIsoDate, MS_PER_HOUR } from '../../text/calendar-date.ts';
import { counted } from '../../text/counted.ts';
import { dailyClosesOf } from '../import/compare-files.ts';
import { dayShift } from '../import/day-shift.ts';
import { fundingUnitOf } from '../import/funding-unit.ts';
import { DOLLARS } from '../import/headings.ts';
import { describeGaps } from '../import/inspect-rows.ts';
import { MAX_TURNOVER_USD } from '../import/volume-unit.ts';
import { medianOf } from '../median.ts';
import { rescalingOf } from '../price-jumps.ts';
import { settlementIntervals } from '../settlement-intervals.ts';
import { type Manifest, type ManifestSeries, sha256 } from '../store/manifest.ts';
import { decodeRows } from '../store/parquet.ts';
import { contentHash, type Rows } from '../store/rows.ts';
import { rowName, seriesId, seriesName, TIMEFRAME_HOURS } from '../store/series-key.ts';
import type { StoreFiles } from '../store/store-files.ts';

/** The bounds beyond which a finding is reported. */
export interface CheckBounds {
  /** A return beyond this many standard deviations of the returns before it is a jump. */
  readonly jumpSigmas: number;
  /** The same between the rows of two files, which may be of different markets, or adjusted differently. */
  readonly seamSigmas: number;
  /** Closes or volumes of one moment that differ by more than this fraction of the smaller one disagree. */
  readonly disagreement: number;
  /** A series whose last row is older than this many of its rows is stale. */
  readonly staleRows: number;
  /** A volume this many times its series' median, or another source's, has another unit. */
  readonly volumeScale: number;
}

export const DEFAULT_BOUNDS: CheckBounds = {
  jumpSigmas: 20,
  seamSigmas: 6,
  disagreement: 0.02,
  staleRows: 3,
  volumeScale: 1000,
};

export interface Finding {
  readonly series: string;
  readonly kind:
    | 'damage'
    | 'gap'
    | 'order'
    | 'price'
    | 'stale'
    | 'jump'
    | 'seam'
    | 'frozen'
    | 'disagreement'
    | 'volume'
    | 'shift'
    | 'funding';
  readonly message: string;
  readonly remedy: string;
}

/** A series and its rows. */
interface Held {
  readonly series: ManifestSeries;
  readonly rows: Rows;
}

/** Returns before a jump, whose standard deviation is its measure. */
const JUMP_WINDOW = 90;
const MIN_WINDOW = 20;
/** Consecutive bars without volume and with one close: an exchange without trade, or placeholders. */
const FROZEN_BARS = 3;
/** Findings of one kind listed for one series; the rest is counted. */
const MAX_LISTED = 3;

/** Every finding of a version, series by series. */
export async function checkStore(
  files: StoreFiles,
  manifest: Manifest,
  now: Date,
  bounds: CheckBounds,
  onSeries?: (done: number, total: number, name: string) => void,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  const daily = new Map<string, Held[]>();
  for (const [i, series] of manifest.series.entries()) {
    const bytes = await files.read(series.file);
    const name = `${series.kind} of ${seriesName(series)}`;
    const damage = damageOf(series, bytes);
    const rows = damage === undefined ? await decodeRows(bytes) : undefined;
    if (rows === undefined || contentHash(series, rows) !== series.content) {
      findings.push({
        series: name,
        kind: 'damage',
        message: damage ?? 'its rows are not those that were imported',
        remedy: 'Restore the folder, or import the files of the series again into a new one.',
      });
      continue;
    }
    findings.push(...checkRows(series, rows, now, bounds));
    if (series.timeframe === '1d' && (series.kind === 'price' || series.kind === 'volume')) {
      daily.set(series.asset, [...(daily.get(series.asset) ?? []), { series, rows }]);
    }
    onSeries?.(i + 1, manifest.series.length, name);
  }
  for (const held of daily.values()) findings.push(...disagreements(held, bounds));
  findings.push(...shifts([...daily.values()].flat().filter(({ series }) => series.kind === 'price')));
  return findings;
}

const damageOf = ({ file }: ManifestSeries, bytes: Uint8Array): string | undefined =>
  file.includes(sha256(bytes)) ? undefined : `${file} holds other bytes than its name says`;

/** The findings of one series. */
export function checkRows(
  series: ManifestSeries,
  rows: Rows,
  now: Date,
  bounds: CheckBounds,
): readonly Finding[] {
  const name = `${series.kind} of ${seriesName(series)}`;
  const step = TIMEFRAME_HOURS[series.timeframe];
  const found: Finding[] = [];
  const add = (kind: Finding['kind'], message: string, remedy: string) =>
    found.push({ series: name, kind, message, remedy });
  const at = (row: number) => rowName(series, rows.hours[row]);
  const { close, volume } = rows.numbers;

  const disorder = rows.hours.findIndex((hour, i) => i > 0 && hour <= rows.hours[i - 1]);
  if (disorder > 0)
    add('order', `${at(disorder)} is there twice, or out of order`, 'Import the series again.');

  const gaps = describeGaps(series, rows);
  if (gaps !== undefined)
    add(
      'gap',
      gaps,
      'Import the missing rows, or sync with --again --since a day before the gap; requests over a longer gap than is carried are refused.',
    );
  if (series.kind === 'price' || series.kind === 'index') {
    firstFaulty(close, value => !(value > 0)).forEach(row => {
      add('price', `close ${close[row]} on ${at(row)} is not above 0`, 'Import the right row.');
    });
  }
  const age = Math.floor((now.getTime() / MS_PER_HOUR - rows.hours[rows.hours.length - 1]) / step);
  if (age > bounds.staleRows) {
    add(
      'stale',
      `the last row, ${at(rows.hours.length - 1)}, is ${age} rows old`,
      'Sync or import newer rows; a delisted asset stays as it is.',
    );
  }
  if (series.kind === 'price') {
    const moves = jumpsOf(series, rows, Math.min(bounds.jumpSigmas, bounds.seamSigmas));
    const jumps = moves.filter(({ sigmas }) => sigmas > bounds.jumpSigmas);
    for (const { row, change, sigmas } of jumps.slice(0, MAX_LISTED)) {
      add(
        'jump',
        `${at(row)} moves by ${(100 * change).toFixed(1)} %, ${sigmas.toFixed(0)} standard deviations of the returns before it, ${JUMP_WINDOW} at most`,
        Math.abs(Math.log1p(change)) < REDENOMINATED
          ? 'Compare with another source; import the right row where it is wrong.'
          : `Compare with another source; import the right row where it is wrong. If the coin was redenominated: market rescale ${seriesId(series)} --before ${formatIsoDate(Math.ceil(rows.hours[row] / 24) - 1)} --by ${rescalingOf({ factor: 1 + change })}.`,
      );
    }
    if (jumps.length > MAX_LISTED) add('jump', `${jumps.length - MAX_LISTED} more jumps`, 'As above.');
    const seams = moves.filter(({ row, sigmas }) => sigmas <= bounds.jumpSigmas && beginsSource(rows, row));
    for (const { row, change, sigmas } of seams.slice(0, MAX_LISTED)) {
      add(
        'seam',
        `the rows of another file begin on ${at(row)} with a move of ${(100 * change).toFixed(1)} %, ${sigmas.toFixed(0)} standard deviations of the returns before it`,
        'The two files may be of different markets or units: compare them on a day that both have, and import one source alone.',
      );
    }
    if (seams.length > MAX_LISTED) add('seam', `${seams.length - MAX_LISTED} more seams`, 'As above.');
    const scale = volumesOutOfScale(rows, bounds.volumeScale);
    if (scale !== undefined) {
      add(
        'volume',
        `${counted(scale.count, 'volume')} above ${bounds.volumeScale} times the median of the series, the first on ${at(scale.first)}: ${volume[scale.first]}`,
        'They may be counted in the quote: import the files again with --volume-unit quote.',
      );
    }
    const turnover = medianOf(
      close.map((price, i) => price * volume[i]).filter(value => !Number.isNaN(value)),
    );
    if (DOLLARS.has(series.quote) && turnover * (24 / step) > MAX_TURNOVER_USD)
      add(
        'volume',
        `the median turnover of a day is ${(turnover * (24 / step)).toExponential(1)} USD, more than any market has had`,
        'The volumes may be contracts, or counted in the quote: import the files again with their column of turnover, or with --volume-unit quote or none, and --replace.',
      );
    const frozen = frozenRuns(close, volume);
    if (frozen.length > 0) {
      const bars = frozen.reduce((sum, run) => sum + run.length, 0);
      add(
        'frozen',
        `${counted(bars, 'bar')} of zero volume and unchanged close in ${counted(frozen.length, 'run')}, the first from ${at(frozen[0].first)}`,
        'The market stood still, or the bars are placeholders: they lower the volatility. Remove them, or take another source.',
      );
    }
  }
  if (series.kind === 'funding' && fundingUnitOf([...close], usualInterval(rows, step)) === 'percent')
    add(
      'funding',
      `its rates have a median of ${medianOf(close.map(Math.abs))}, a fraction of the notional: as large as percentage points`,
      'Import the files again with --funding-unit percent and --replace.',
    );
  return found;
}

/** A move beyond this logarithm may be a redenomination. */
const REDENOMINATED = Math.log(1.5);

/** The most common interval of settlements, hours. */
const usualInterval = ({ hours }: Rows, step: number): number =>
  medianOf(settlementIntervals(hours, step).filter(each => !Number.isNaN(each)));

/** Whether a row was written by another file or import than the one before it. */
const beginsSource = ({ imports, files }: Rows, row: number) =>
  imports[row] !== imports[row - 1] || files[row] !== files[row - 1];

/** Volumes that are out of scale with the others of their series; undefined where there are none. */
function volumesOutOfScale(
  { numbers: { volume } }: Rows,
  bound: number,
): { readonly count: number; readonly first: number } | undefined {
  const middle = medianOf(volume.filter(value => !Number.isNaN(value)));
  if (!(middle > 0)) return undefined;
  const out = [...volume.keys()].filter(row => volume[row] > bound * middle);
  return out.length === 0 ? undefined : { count: out.length, first: out[0] };
}

function firstFaulty(values: Float64Array, faulty: (value: number) => boolean): number[] {
  const rows: number[] = [];
  for (let i = 0; i < values.length && rows.length < MAX_LISTED; i++) if (faulty(values[i])) rows.push(i);
  return rows;
}

/** Returns beyond a multiple of the standard deviation of those before them; runs of neighbours only. */
function jumpsOf(
  { timeframe }: ManifestSeries,
  { hours, numbers: { close } }: Rows,
  sigmas: number,
): readonly { row: number; change: number; sigmas: number }[] {
  const step = TIMEFRAME_HOURS[timeframe];
  const jumps: { row: number; change: number; sigmas: number }[] = [];
  let [sum, squares, count] = [0, 0, 0];
  const window: number[] = [];
  for (let i = 1; i < close.length; i++) {
    if (hours[i] - hours[i - 1] !== step) continue;
    const move = Math.log(close[i] / close[i - 1]);
    if (count >= MIN_WINDOW) {
      const mean = sum / count;
      const deviation = Math.sqrt(Math.max(0, squares / count - mean * mean));
      if (deviation > 0 && Math.abs(move) > sigmas * deviation) {
        jumps.push({ row: i, change: Math.expm1(move), sigmas: Math.abs(move) / deviation });
      }
    }
    window.push(move);
    sum += move;
    squares += move * move;
    count++;
    if (count > JUMP_WINDOW) {
      const gone = window.shift() as number;
      sum -= gone;
      squares -= gone * gone;
      count--;
    }
  }
  return jumps;
}

function frozenRuns(close: Float64Array, volume: Float64Array): readonly { first: number; length: number }[] {
  const runs: { first: number; length: number }[] = [];
  for (let i = 1; i < close.length; i++) {
    const first = i;
    while (volume[i] === 0 && close[i] === close[i - 1]) i++;
    if (i - first >= FROZEN_BARS) runs.push({ first, length: i - first });
  }
  return runs;
}

/** The asset whose days others are compared with. */
const REFERENCE = 'BTC';

/**
 * Daily closes that follow those of another series a day late or early: one of the same asset, or of BTC, whose returns those of most
 * coins correlate with.
 */
function shifts(prices: readonly Held[]): readonly Finding[] {
  const closes = new Map(prices.map(each => [each, dailyClosesOf(each.series, each.rows)]));
  return prices.flatMap((one, i): Finding[] => {
    const same = prices.slice(0, i).filter(({ series }) => series.asset === one.series.asset);
    const others = [
      ...same,
      ...prices.filter(({ series }) => series.asset === REFERENCE && one.series.asset !== REFERENCE),
    ];
    for (const other of others) {
      const days = dayShift(closes.get(one) ?? new Map(), closes.get(other) ?? new Map());
      if (days === 0) continue;
      return [
        {
          series: `price of ${seriesName(one.series)}`,
          kind: 'shift',
          message: `its returns correlate with those of ${seriesName(other.series)} a day ${days === 1 ? 'before' : 'later'}: one of the two has its closes on the wrong days`,
          remedy:
            'Import the file of the wrong one again with --replace: a day without a time is the day of its close; --stamp says otherwise.',
        },
      ];
    }
    return [];
  });
}

/** Daily closes of one asset against dollars, and volumes of one market, that differ between two sources. */
function disagreements(
  held: readonly Held[],
  { disagreement, volumeScale }: CheckBounds,
): readonly Finding[] {
  const findings: Finding[] = [];
  const volumes = held
    .map(each => ({
      ...each,
      median: medianOf(each.rows.numbers.volume.filter(value => !Number.isNaN(value))),
    }))
    .filter(({ median }) => median > 0);
  const least = volumes.reduce((a, b) => (b.median < a.median ? b : a), volumes[0]);
  for (const { series, median } of volumes)
    if (median > volumeScale * least.median)
      findings.push({
        series: `${series.kind} of ${seriesName(series)}`,
        kind: 'volume',
        message: `its median volume, ${median}, is ${(median / least.median).toFixed(0)} times that of ${seriesName(least.series)}`,
        remedy: 'It may be counted in the quote: import the files again with --volume-unit quote.',
      });
  const dollars = held.filter(
    ({ series }) => series.kind === 'price' && /^(USD|USDT|USDC)$/.test(series.quote),
  );
  for (const [i, a] of dollars.entries()) {
    for (const b of dollars.slice(i + 1)) findings.push(...compare(a, b, 'close', disagreement));
  }
  for (const a of held.filter(({ series }) => series.kind === 'price')) {
    for (const b of held.filter(({ series }) => series.kind === 'volume')) {
      if (a.series.quote === b.series.quote && a.series.exchange === b.series.exchange) {
        findings.push(...compare(a, b, 'volume', disagreement));
      }
    }
  }
  return findings;
}

function compare(
  a: { readonly series: ManifestSeries; readonly rows: Rows },
  b: { readonly series: ManifestSeries; readonly rows: Rows },
  column: 'close' | 'volume',
  bound: number,
): readonly Finding[] {
  const others = new Map<number, number>();
  b.rows.hours.forEach((hour, i) => {
    others.set(hour, b.rows.numbers[column][i]);
  });
  const far: {
    readonly row: number;
    readonly apart: number;
    readonly mine: number;
    readonly other: number;
  }[] = [];
  a.rows.hours.forEach((hour, row) => {
    const [mine, other] = [a.rows.numbers[column][row], others.get(hour) ?? Number.NaN];
    const apart = Math.abs(mine - other) / Math.min(mine, other);
    if (apart > bound) far.push({ row, apart, mine, other });
  });
  if (far.length === 0) return [];
  const { row, mine, other } = far.reduce((worst, each) => (each.apart > worst.apart ? each : worst));
  const name = `${a.series.kind} of ${seriesName(a.series)}`;
  return [
    {
      series: name,
      kind: 'disagreement',
      message:
        `${column}s differ from ${b.series.kind} of ${seriesName(b.series)} by more than ${100 * bound} % on ${counted(far.length, 'day')}, ` +
        `most on ${rowName(a.series, a.rows.hours[row])}: ${mine} and ${other}`,
      remedy:
        'One of the two is wrong on these days, or quoted in a coin that had lost its peg; name the one to use in MARKET_RULES.',
    },
  ];
}
