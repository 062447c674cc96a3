/** Members of a distribution as charts draw them: a fan with its start, a histogram as bars of equal width. */
import type { Histogram } from '#core/distribution/bins.ts';
import { FAN_LEVELS } from '#core/distribution/levels.ts';
import type { FanMember } from '#core/figures/distribution.ts';

/** Levels of the quantiles of a fan, rising. */
export const LEVELS: readonly number[] = Object.values(FAN_LEVELS);
const LEVEL_NAMES = Object.keys(FAN_LEVELS) as (keyof typeof FAN_LEVELS)[];

type Values = readonly (number | null)[];

/** A value over time: quantiles over the paths, and single paths. */
export interface Fan {
  /** The first 0. */
  readonly days: readonly number[];
  /** Per level of `LEVELS`, a value per time. */
  readonly quantiles: readonly Values[];
  readonly paths: readonly Values[];
}

/**
 * @param start the value at the start of every path
 * @param unit of the values of the member, in that of `start`
 * @param paths in the unit of `start`
 */
export const fanOf = (
  member: FanMember,
  start: number,
  unit: number,
  paths: readonly Values[] = [],
): Fan => ({
  days: [0, ...member.days],
  quantiles: LEVEL_NAMES.map(name => [start, ...member[name].map(value => value && unit * value)]),
  paths,
});

/** What bars are made of. */
export interface BarValues {
  readonly quantiles: Readonly<Record<'q00.5' | 'q99.5', number | null>>;
  readonly histogram: Histogram;
}

export interface Bars {
  /** Lower ends. */
  readonly from: readonly number[];
  readonly width: number;
  /** Of the scenarios. */
  readonly shares: readonly number[];
}

const MAX_BARS = 50;

/**
 * Bars from the quantile 0.5 % to that of 99.5 %; the outer bars have what lies beyond. Bins of the distribution are narrower
 * where values are small: a bar takes its part of each bin that it crosses, as if values were even within a bin.
 */
export function barsOf({ quantiles, histogram }: BarValues): Bars {
  const { below, zero, above, edges, counts } = histogram;
  const [lowest, highest] = [edges[0] ?? 0, edges.at(-1) ?? 1];
  const low = quantiles['q00.5'] ?? lowest;
  const high = quantiles['q99.5'] ?? highest;
  const begin = edges.findLast(edge => edge <= low) ?? Math.min(low, lowest);
  const end = edges.find(edge => edge > high) ?? Math.max(high, highest);
  const bins = edges.filter(edge => edge >= begin && edge < end).length;
  const bars = Math.max(1, Math.min(MAX_BARS, bins));
  const width = (end - begin) / bars;
  const counted = new Float64Array(bars);
  const add = (place: number, count: number) => {
    counted[Math.max(0, Math.min(bars - 1, Math.floor(place)))] += count;
  };
  for (const [i, count] of counts.entries()) {
    const [from, to] = [(edges[i] - begin) / width, (edges[i + 1] - begin) / width];
    for (let bar = Math.floor(from); bar < to; bar++)
      add(bar, (count * (Math.min(to, bar + 1) - Math.max(from, bar))) / (to - from));
  }
  add(0, below);
  add(bars - 1, above);
  add(-begin / width, zero);
  const total = counted.reduce((sum, count) => sum + count, 0);
  return {
    from: Array.from(counted, (_, bar) => begin + bar * width),
    width,
    shares: Array.from(counted, count => count / total),
  };
}

const inverse = (value: number | null) => (value === null || value === 0 ? null : 1 / value);

/** The distribution of 1/x, from that of ratios. */
export const invertedValues = ({
  quantiles,
  histogram: { below, zero, above, edges, counts },
}: BarValues): BarValues => ({
  quantiles: { 'q00.5': inverse(quantiles['q99.5']), 'q99.5': inverse(quantiles['q00.5']) },
  histogram: {
    below: above,
    zero: 0,
    above: below + zero,
    edges: edges.map(edge => 1 / edge).reverse(),
    counts: [...counts].reverse(),
  },
});

/** The fan of 1/x: quantiles change places. */
export const invertedFan = ({ days, quantiles, paths }: Fan): Fan => ({
  days,
  quantiles: quantiles.map(values => values.map(inverse)).reverse(),
  paths: paths.map(values => values.map(inverse)),
});
