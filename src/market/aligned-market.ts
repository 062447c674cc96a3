/**
 * Market data from any source of series: windows are cut, aligned and checked in the same way for the imported store and the
 * sample market.
 *
 * Must not know: files, databases, how the sample is made.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Fault } from '../core/errors.ts';
import type { Day, Hour } from '../text/calendar-date.ts';
import { DOLLAR, hasWeekends } from '../text/symbols.ts';
import { continuedBack, unchanged } from './continued-series.ts';
import type {
  AlignedPrices,
  AssetSummary,
  ClosesOptions,
  FilledSeries,
  FundingRates,
  HistoryJoin,
  IndexLevels,
  MarketData,
  MarketTriple,
  MissingHours,
  SeriesSummary,
  YoungestClose,
} from './market-data.ts';
import {
  DAYS,
  describeMarket,
  FUNDING_PATH,
  HOURS,
  INDEX_MAX_AGE_DAYS,
  INDEX_PATH,
  MissingMarketData,
  missingIndexSentence,
  missingSentence,
  renamedSentence,
  unknownSentence,
} from './missing-data.ts';
import { closingHour, lastPoint, type Series, type SeriesSource, valueAt } from './series.ts';
import { settlementIntervals } from './settlement-intervals.ts';
import type { SymbolTable } from './symbols.ts';
import { cutWindow, DAILY_CARRY, HOURLY_CARRY, NO_CARRY, WEEKDAY_CARRY, type Window } from './window.ts';
import { windowJump } from './window-jump.ts';

/** The missing part of a window, and whether it has any values. */
interface Lack {
  readonly sentence: string;
  readonly partlyHeld: boolean;
}

/** A window of one series, or its missing part. */
type Cut = Window | Lack;

const dailyCarry = (symbol: string) => (hasWeekends(symbol) ? WEEKDAY_CARRY : DAILY_CARRY);

/** Longer windows are cut in turns of the event loop: one of ten years of hours takes a millisecond, and a request has up to 32. */
const LONG_WINDOW = 10_000;

export class AlignedMarket implements MarketData {
  readonly #source: SeriesSource;
  #lastTurn: Promise<unknown> = Promise.resolve();

  readonly #joins: ReadonlyMap<string, HistoryJoin>;

  constructor(source: SeriesSource, joins: ReadonlyMap<string, HistoryJoin> = new Map()) {
    this.#source = source;
    this.#joins = joins;
  }

  joined(joins: ReadonlyMap<string, HistoryJoin>): MarketData {
    return new AlignedMarket(this.#source, joins);
  }

  get sample(): boolean {
    return this.#source.sample;
  }

  get description(): string {
    return this.#source.description;
  }

  get version(): string | undefined {
    return this.#source.version;
  }

  get symbols(): SymbolTable {
    return this.#source.symbolTable;
  }

  /** A source never changes under its market. */
  current(): MarketData {
    return this;
  }

  assets(): Promise<readonly AssetSummary[]> {
    return this.#source.assets();
  }

  youngestCloses(): readonly YoungestClose[] {
    return this.#source.youngestCloses();
  }

  async dailyCloses(
    symbols: readonly string[],
    lastDay: Day,
    closes: number,
    { endsHeld = false }: ClosesOptions = {},
  ): Promise<AlignedPrices> {
    const cuts = await Promise.all(
      symbols.map(symbol => {
        const rule = dailyCarry(symbol);
        return this.#cutDaily(symbol, lastDay, closes, endsHeld ? { ...rule, longestEnd: 0 } : rule);
      }),
    );
    const faults = cuts.flatMap((cut, i): Fault[] =>
      'sentence' in cut ? [{ code: 'no_data', path: symbols[i], message: cut.sentence }] : [],
    );
    if (faults.length > 0) throw new MissingMarketData(faults);
    return this.#align(symbols, cuts as Window[], 24, lastDay - closes + 1);
  }

  async history(
    symbols: readonly string[],
    lastDay: Day,
    lookbackDays: number,
    lead: { readonly hours: number; readonly days: number },
  ): Promise<AlignedPrices> {
    const hours = lead.hours + 24 * lookbackDays;
    const cuts = await Promise.all(
      symbols.map(symbol => this.#cutHourly(symbol, closingHour(lastDay) - hours + 1, hours)),
    );
    if (cuts.every(cut => !('sentence' in cut)))
      return this.#align(symbols, cuts as Window[], 1, closingHour(lastDay) - hours + 1);
    return this.dailyCloses(symbols, lastDay, lead.days + lookbackDays);
  }

  hourlyCloses(symbol: string, lastDay: Day, closes: number): Promise<AlignedPrices | MissingHours> {
    return this.hourlyClosesFrom(symbol, closingHour(lastDay) - closes + 1, closes);
  }

  async heldCloses(symbol: string, first: Day, last: Day): Promise<Float64Array> {
    const series = await this.#source.dailyCloses(symbol);
    return Float64Array.from({ length: last - first + 1 }, (_, day) =>
      series === undefined ? Number.NaN : valueAt(series, first + day),
    );
  }

  async hourlyClosesFrom(
    symbol: string,
    first: Hour,
    closes: number,
    more = 0,
  ): Promise<AlignedPrices | MissingHours> {
    const cut = await this.#cutHourly(symbol, first, closes, more);
    return 'sentence' in cut
      ? { missing: cut.sentence, partlyHeld: cut.partlyHeld }
      : this.#align([symbol], [cut], 1, first);
  }

  async volatilityIndex(day: Day): Promise<IndexLevels> {
    const missing: string[] = [];
    const faults: Fault[] = [];
    const filled: FilledSeries[] = [];
    const level = async (symbol: string): Promise<number> => {
      const series = await this.#source.volatilityIndex(symbol);
      const last = series === undefined ? undefined : lastClose(series, day);
      if (last === undefined) {
        missing.push(`volatility index of ${symbol}`);
        faults.push({
          code: 'no_data',
          path: `${INDEX_PATH}${symbol}`,
          message: missingIndexSentence(symbol, day, series),
        });
        return Number.NaN;
      }
      if (last.ageDays > 0) filled.push({ symbol: `${symbol}-VIX`, count: last.ageDays, unit: 'day' });
      return last.close;
    };
    const levels = { BTC: await level('BTC'), ETH: await level('ETH') };
    if (faults.length > 0) throw new MissingMarketData(faults, missing);
    return { levels, filled };
  }

  async dailyVolumeUsd(
    markets: readonly MarketTriple[],
    lastDay: Day,
    days: number,
  ): Promise<{ readonly volumeUsd: Float64Array; readonly filled: readonly FilledSeries[] }> {
    const bases = [...new Set(markets.map(({ base }) => base))];
    const closes = new Map(
      await Promise.all(bases.map(async base => [base, await this.#cutDaily(base, lastDay, days)] as const)),
    );
    const volumes = await Promise.all(markets.map(market => this.#cutVolume(market, lastDay, days)));
    const volumeUsd = new Float64Array(days);
    const faults: Fault[] = [];
    markets.forEach(({ base }, i) => {
      const volume = volumes[i];
      const close = closes.get(base) as Cut;
      for (const cut of [volume, close]) {
        if ('sentence' in cut) faults.push({ code: 'no_data', path: `markets.${i}`, message: cut.sentence });
      }
      if ('sentence' in volume || 'sentence' in close) return;
      for (let day = 0; day < days; day++) volumeUsd[day] += volume.values[day] * close.values[day];
    });
    if (faults.length > 0) {
      const faulty = new Set(faults.map(({ path }) => path));
      throw new MissingMarketData(
        faults,
        markets.filter((_, i) => faulty.has(`markets.${i}`)).map(describeMarket),
      );
    }
    return { volumeUsd, filled: countFilled(bases, [...closes.values()] as Window[], 'day') };
  }

  async fundingRates(symbol: string, lastDay: Day, days: number): Promise<FundingRates> {
    const path = `${FUNDING_PATH}${symbol}`;
    const name = `funding rates of ${symbol}`;
    const held = await this.#source.settlements(symbol);
    if (held === undefined) {
      const message = `No funding rate of ${symbol} is available`;
      throw new MissingMarketData([{ code: 'no_data', path, message }], [name]);
    }
    const { market, intervalHours, rates: hours } = held;
    const settled = heldPoints(hours);
    const intervals = settlementIntervals(settled, intervalHours);
    // One point per settlement at the shortest interval; those that a longer one passes over are not missing.
    const phase = hours.first % intervalHours;
    const pointOf = (hour: number): number => Math.floor((hour - phase) / intervalHours);
    const values = new Float64Array(pointOf(lastPoint(hours)) - pointOf(hours.first) + 1);
    for (let i = 0; i < values.length; i++) values[i] = valueAt(hours, hours.first + i * intervalHours);
    settled.forEach((hour, i) => {
      if (i > 0 && !Number.isNaN(intervals[i]))
        values.fill(
          0,
          pointOf(settled[i - 1]) - pointOf(hours.first) + 1,
          pointOf(hour) - pointOf(hours.first),
        );
    });
    const series = { first: pointOf(hours.first), values };
    const first = pointOf(closingHour(lastDay - days)) + 1;
    const cut = cutWindow(series, first, pointOf(closingHour(lastDay)) - first + 1, NO_CARRY);
    if (cut.missing.length > 0) {
      const names = {
        unit: 'settlement',
        format: (point: number) => HOURS.format(point * intervalHours + phase),
      };
      const what = `The funding rate of ${describeMarket(market)}`;
      throw new MissingMarketData(
        [{ code: 'no_data', path, message: missingSentence(what, series, cut.missing, names) }],
        [name],
      );
    }
    const [after, last] = [closingHour(lastDay - days), closingHour(lastDay)];
    const inWindow = [...settled.keys()].filter(i => settled[i] > after && settled[i] <= last);
    return {
      market,
      rates: Float64Array.from(inWindow, i => valueAt(hours, settled[i])),
      hours: Float64Array.from(inWindow, i => intervals[i]),
    };
  }

  list(): Promise<readonly SeriesSummary[]> {
    return this.#source.list();
  }

  async #align(
    symbols: readonly string[],
    windows: readonly Window[],
    gridHours: 1 | 24,
    first: Day | Hour,
  ): Promise<AlignedPrices> {
    const aligned = align(symbols, windows, gridHours);
    const jumps = await Promise.all(
      aligned.prices.map((_, i) => windowJump(this.#source, aligned, i, first)),
    );
    const filled = symbols.flatMap((symbol, i): FilledSeries[] => {
      const known = aligned.filled.find(each => each.symbol === symbol);
      const jump = jumps[i];
      if (jump === undefined) return known === undefined ? [] : [known];
      const unit = gridHours === 1 ? 'hour' : 'day';
      return [{ ...(known ?? { symbol, count: 0, unit, of: aligned.prices[i].length }), jump }];
    });
    return { ...aligned, filled };
  }

  async #cutDaily(symbol: string, lastDay: Day, closes: number, rule = dailyCarry(symbol)): Promise<Cut> {
    if (symbol === DOLLAR) return cashWindow(closes);
    const series = await this.#days(symbol, lastDay - closes + 1 - rule.longestRun);
    if (series === undefined) {
      return notHeld(unknownSentence(`A price of ${symbol}`, this.#source.symbols()));
    }
    const cut = cutWindow(series, lastDay - closes + 1, closes, rule);
    if (cut.missing.length === 0) return cut;
    const renamed = await renamedSentence(symbol, cut.missing, other => this.#source.dailyCloses(other));
    return lacking(cut, missingSentence(`The daily price of ${symbol}`, series, cut.missing, DAYS) + renamed);
  }

  async #cutHourly(symbol: string, first: Hour, closes: number, more = 0): Promise<Cut> {
    if (symbol === DOLLAR) return cashWindow(closes + more);
    const series = await this.#hours(symbol, first - HOURLY_CARRY.longestRun);
    if (series === undefined) return notHeld(`An hourly price of ${symbol} is not available`);
    if (closes > LONG_WINDOW) {
      this.#lastTurn = this.#lastTurn.then(() => nextTurn());
      await this.#lastTurn;
    }
    const held = Math.max(closes, Math.min(closes + more, lastPoint(series) - first + 1));
    const cut = cutWindow(series, first, held, HOURLY_CARRY);
    if (cut.missing.length === 0) return cut;
    const complete = cut.missing[0].first - first;
    if (complete >= closes) return cutWindow(series, first, complete, HOURLY_CARRY);
    const renamed = await renamedSentence(symbol, cut.missing, other => this.#source.hourlyCloses(other));
    return lacking(
      cut,
      missingSentence(`The hourly price of ${symbol}`, series, cut.missing, HOURS) + renamed,
    );
  }

  /** Daily closes, with those of its join from `from` on. */
  async #days(symbol: string, from: Day): Promise<Series | undefined> {
    const own = await this.#source.dailyCloses(symbol);
    const join = this.#joins.get(symbol);
    if (join === undefined) return own;
    const other = join.asset === DOLLAR ? unchanged(own, from) : await this.#source.dailyCloses(join.asset);
    return continuedBack(own, other, join.beta, from);
  }

  /** The same of hours, where they begin with the daily closes: earlier daily closes are its own. */
  async #hours(symbol: string, from: Hour): Promise<Series | undefined> {
    const own = await this.#source.hourlyCloses(symbol);
    const join = this.#joins.get(symbol);
    if (join === undefined || own === undefined) return own;
    const days = await this.#source.dailyCloses(symbol);
    if (days !== undefined && closingHour(days.first) < own.first) return own;
    const other = join.asset === DOLLAR ? unchanged(own, from) : await this.#source.hourlyCloses(join.asset);
    return continuedBack(own, other, join.beta, from);
  }

  async #cutVolume(market: MarketTriple, lastDay: Day, days: number): Promise<Cut> {
    const what = `The volume of ${describeMarket(market)}`;
    const series = await this.#source.baseVolume(market);
    if (series === undefined) {
      // Markets of the asset, where there are any.
      const all = this.#source.markets();
      const alike = all.filter(({ base }) => base === market.base);
      return notHeld(unknownSentence(what, (alike.length > 0 ? alike : all).map(describeMarket)));
    }
    const cut = cutWindow(series, lastDay - days + 1, days, NO_CARRY);
    if (cut.missing.length === 0) return cut;
    return lacking(cut, missingSentence(what, series, cut.missing, DAYS));
  }
}

/** The points of a series with a value. */
const heldPoints = ({ first, values }: Series): readonly number[] =>
  [...values.keys()].filter(i => !Number.isNaN(values[i])).map(i => first + i);

/** The dollar in dollars. */
const cashWindow = (points: number): Window => ({
  values: new Float64Array(points).fill(1),
  carried: [],
  missing: [],
});

const notHeld = (sentence: string): Lack => ({ sentence, partlyHeld: false });

const lacking = ({ values }: Window, sentence: string): Lack => ({
  sentence,
  partlyHeld: values.some(value => !Number.isNaN(value)),
});

/** The last value on `day` or at most INDEX_MAX_AGE_DAYS before; undefined where there is none. */
function lastClose(series: Series, day: Day): { close: number; ageDays: number } | undefined {
  for (let ageDays = 0; ageDays <= INDEX_MAX_AGE_DAYS; ageDays++) {
    const close = valueAt(series, day - ageDays);
    if (!Number.isNaN(close)) return { close, ageDays };
  }
  return undefined;
}

function align(symbols: readonly string[], windows: readonly Window[], gridHours: 1 | 24): AlignedPrices {
  return {
    symbols,
    gridHours,
    prices: windows.map(({ values }) => values),
    filled: countFilled(symbols, windows, gridHours === 1 ? 'hour' : 'day'),
    carried: new Set(windows.flatMap(window => window.carried)),
  };
}

function countFilled(
  symbols: readonly string[],
  windows: readonly Window[],
  unit: 'day' | 'hour',
): readonly FilledSeries[] {
  return symbols
    .map((symbol, i) => ({ symbol, count: windows[i].carried.length, unit, of: windows[i].values.length }))
    .filter(({ count }) => count > 0);
}
