/**
 * The column of the volumes of a file, and their unit: coins of the asset, or the currency of the quote. A store has coins.
 *
 * Of two columns of volumes the price decides: the turnover in the quote over the volume in coins is a price within the bar. The
 * klines of coin-margined and swap markets count contracts, and have coins in another column. With one column the heading, the form
 * of the file or its exchange decide; where these are ambiguous an option is required, since dollars or contracts read as coins
 * would make a market of trillions.
 */

import { medianOf } from '../median.ts';
import type { Amount, Columns } from './columns.ts';
import { isExchangeOfBars } from './file-name.ts';
import { DOLLARS } from './headings.ts';

/** `none` leaves the volumes out. */
export const VOLUME_UNITS = ['base', 'quote', 'none'] as const;
export type VolumeUnit = (typeof VOLUME_UNITS)[number];

/** The volumes of a file. */
export interface VolumeReading {
  readonly field: number;
  readonly unit: VolumeUnit;
  /** How it was decided, for people; absent where the file says it. */
  readonly words?: string;
}

/** Why the unit is asked for. */
export interface VolumeDoubt {
  readonly field: number;
  readonly doubt: string;
}

/** The numbers of a file, row by row; NaN where there is none. */
export interface VolumeNumbers {
  readonly rows: number;
  number(row: number, field: number): number;
}

/** What is known of the file. */
export interface VolumeFacts {
  readonly columns: Columns;
  readonly said: VolumeUnit | undefined;
  /** Whether the exchange is that whose form says it. */
  readonly isOfForm: boolean;
  readonly option: VolumeUnit | undefined;
  readonly hasHeader: boolean;
  readonly exchange: string;
  readonly quote: string;
  readonly timeframeHours: number;
  readonly isDerivative: boolean;
}

/** Rows that are compared with the prices. */
const LOOKED_AT = 2000;
/** Share of the rows that a unit must fit. */
const FITTING = 0.9;
/** A mean price lies within the bar, up to rounding; without high and low this far from the close. */
const ROUNDING = 1.02;
const FROM_CLOSE = 1.5;
/** How near to a power of ten the size of a contract is. */
const NEAR_ROUND = 1.03;
/** No market has had such a median turnover of a day: the largest day of any on Binance was 2.1e10 USD (2017 to 2026). */
export const MAX_TURNOVER_USD = 2.5e10;

/** The volumes of a price, or why their unit is asked for; undefined without volumes. */
export function volumesOf(
  facts: VolumeFacts,
  numbers: VolumeNumbers,
): VolumeReading | VolumeDoubt | undefined {
  const { columns, option, said, isOfForm } = facts;
  const own = columns.amounts.find(({ named }) => named);
  if (own === undefined) return undefined;
  if (option !== undefined) return { field: own.field, unit: option };
  const others = columns.amounts.filter(each => each !== own);
  const compared = comparedWithPrices(columns, numbers);
  const byNumbers = others.length === 0 ? undefined : decide(columns.amounts, own, compared);
  if (byNumbers !== undefined) return byNumbers;
  if (said !== undefined)
    return isOfForm
      ? { field: own.field, unit: said }
      : { field: own.field, doubt: 'its form is that of another exchange' };
  const named = others.filter(each => each.named);
  if (named.length > 0 && compared.hasRows(own.field, named[0].field))
    return { field: own.field, doubt: 'its volumes do not agree with its prices in any unit' };
  const alone = columns.amounts.find(({ unit }) => unit === 'base') ?? own;
  const unit = alone.unit ?? unitByOrigin(facts);
  if (unit === undefined) return { field: own.field, doubt: '' };
  const turnover = compared.medianTurnover(alone.field, unit) * (24 / facts.timeframeHours);
  if (DOLLARS.has(facts.quote) && turnover > MAX_TURNOVER_USD)
    return {
      field: own.field,
      doubt: `in ${unit === 'base' ? 'coins' : facts.quote} the market would trade ${turnover.toExponential(1)} USD a day`,
    };
  return { field: alone.field, unit };
}

/** Rows without names, and exchanges of bars, count coins; contracts of a derivative are neither. */
function unitByOrigin({ hasHeader, exchange, isDerivative }: VolumeFacts): VolumeUnit | undefined {
  if (isDerivative) return undefined;
  return !hasHeader || isExchangeOfBars(exchange) ? 'base' : undefined;
}

/** The unit by two columns and the prices; undefined where no pair fits, or several that contradict each other. */
function decide(amounts: readonly Amount[], own: Amount, compared: Compared): VolumeReading | undefined {
  const pairs = amounts.flatMap(base =>
    amounts.filter(each => each !== base).map(quote => ({ base, quote })),
  );
  const exact = pairs.find(({ base, quote }) => compared.isTurnoverOf(quote.field, base.field));
  if (exact !== undefined) {
    const { base } = exact;
    return base === own
      ? { field: own.field, unit: 'base' }
      : { field: base.field, unit: 'base', words: 'the column of volumes counts the quote or contracts' };
  }
  const coins = 'the column of volumes counts contracts: coins are taken from';
  const fitting = pairs
    .filter(({ base, quote }) => base.named && quote.named && compared.contractOf(quote.field, base.field))
    // One of the two counts contracts: of the quote, where the other has coins; or of coins, where the other has the quote.
    .map(
      ({ base, quote }): VolumeReading =>
        quote === own
          ? { field: base.field, unit: 'base', words: `${coins} the other one` }
          : { field: quote.field, unit: 'quote', words: `${coins} the turnover over the close` },
    );
  return fitting.length === 1 ? fitting[0] : undefined;
}

type Compared = ReturnType<typeof comparedWithPrices>;

function comparedWithPrices({ roles }: Columns, { rows, number }: VolumeNumbers) {
  const close = (roles.get('close') ?? roles.get('price')) as number;
  const [low, high] = [roles.get('low'), roles.get('high')];
  const looked = Array.from({ length: Math.min(rows, LOOKED_AT) }, (_, i) => i);
  /** Rows with both volumes, and the mean price that they say. */
  const meansOf = (quote: number, base: number) =>
    looked
      .map(row => ({ row, price: number(row, close), mean: number(row, quote) / number(row, base) }))
      .filter(({ price, mean }) => price > 0 && mean > 0 && mean < Number.POSITIVE_INFINITY);
  const shareOf = (means: ReturnType<typeof meansOf>, fits: (each: (typeof means)[number]) => boolean) =>
    means.length > 0 && means.filter(fits).length >= FITTING * means.length;
  return {
    hasRows: (one: number, other: number): boolean => meansOf(one, other).length > 0,
    /** Whether `quote` over `base` is a price within the bar. */
    isTurnoverOf: (quote: number, base: number): boolean =>
      shareOf(meansOf(quote, base), ({ row, price, mean }) => {
        const least = low === undefined ? price / FROM_CLOSE : number(row, low) / ROUNDING;
        const most = high === undefined ? price * FROM_CLOSE : number(row, high) * ROUNDING;
        return mean >= least && mean <= most;
      }),
    /** Whether `quote` over `base` is the price times one power of ten, other than 1: the size of a contract. */
    contractOf(quote: number, base: number): boolean {
      const sizes = meansOf(quote, base).map(({ price, mean }) => mean / price);
      const middle = medianOf(sizes);
      const round = 10 ** Math.round(Math.log10(middle));
      const near = (a: number, b: number, factor: number) => a <= b * factor && b <= a * factor;
      return (
        round !== 1 &&
        near(middle, round, NEAR_ROUND) &&
        sizes.filter(size => near(size, round, FROM_CLOSE)).length >= FITTING * sizes.length
      );
    },
    /** Median turnover of a row, in the quote. */
    medianTurnover: (field: number, unit: VolumeUnit): number =>
      medianOf(
        looked
          .map(row => number(row, field) * (unit === 'base' ? number(row, close) : 1))
          .filter(value => value >= 0),
      ),
  };
}
