/**
 * Intervals of lower tails from replicates: parts of a sample that are independent of each other, while the values within a part are not.
 *
 * The tails of the parts are not compared: quantiles of few values are biased, and their spread underestimates the spread of the whole (intervals
 * at 95 % covered 0.90 to 0.95 of the time). The parts are compared below the quantile of all values: by their share there, as in
 * R. S. Woodruff, "Confidence intervals for medians and other position measures", JASA 47 (1952), 635-646, for clustered samples, and by
 * their mean shortfall, the only first-order term of a tail mean.
 */
import { firstTrue } from './first-true.ts';
import { requireFinite } from './preconditions.ts';
import { interpolate, quantilePosition, tailRank } from './quantile.ts';
import { placeRanks } from './selection.ts';
import { type CubedSums, skewnessOfMean } from './skewness.ts';
import { twoSidedStudentT } from './special-functions.ts';

/** Interval and error of a tail of all values. */
export interface ReplicateTail {
  /** Interval of the quantile; `undefined` where it ends outside the sample. */
  readonly low: number | undefined;
  readonly high: number | undefined;
  /** Standard error of the mean of the lowest share 1 - q of the values (stats/tail.ts). */
  readonly tailMeanError: number;
  /** Skewness of the mean shortfall over the parts. */
  readonly skewness: number;
}

/**
 * Intervals of the lower tails at several levels.
 *
 * @param values the same number from each part; REORDERED within the parts
 * @param quantiles levels q, as `wantedTails` takes them
 * @param parts 2 or more
 * @param level of the intervals, in (0, 1)
 */
export function replicateTails(
  values: Float64Array,
  quantiles: ArrayLike<number>,
  parts: number,
  level: number,
): readonly ReplicateTail[] {
  requireFinite('values', values);
  const size = values.length / parts;
  if (!(parts >= 2 && Number.isInteger(size) && size > 0))
    throw new RangeError(`${values.length} values are not ${parts} parts of equal size`);
  const sample = new PartedSample(
    Array.from({ length: parts }, (_, r) => values.subarray(r * size, (r + 1) * size)),
    1 - Math.min(...Array.from(quantiles)),
  );
  return Array.from(quantiles, q => replicateTail(sample, q, twoSidedStudentT(parts - 1, level)));
}

function replicateTail(sample: PartedSample, q: number, t: number): ReplicateTail {
  const probability = 1 - q;
  const { rank, fraction } = quantilePosition(sample.count, probability);
  const upper = fraction === 0 ? sample.value(rank) : sample.value(rank + 1);
  const quantile = interpolate(sample.value(rank), upper, fraction);
  const shares = sample.below(quantile).map(({ share }) => share);
  // Parts that are nets have equally many values below some levels: no interval is narrower than one value to either side.
  const half = Math.max(t * errorOfMean(shares), 1 / sample.count);
  const level = sample.value(sample.count - tailRank(sample.count, q));
  const shortfalls = sample.below(level).map(({ shortfall }) => shortfall / probability);
  return {
    low: sample.between(probability - half),
    high: sample.between(probability + half),
    tailMeanError: errorOfMean(shortfalls),
    skewness: skewnessOfMean(sumsOf(shortfalls)),
  };
}

/** Values in parts of equal size, of which the lowest are sorted as far as they are read. */
class PartedSample {
  readonly count: number;
  private readonly size: number;
  /** Lowest values of each part that are sorted. */
  private sorted: number;

  /** @param reach share of the values that are read, and some more */
  constructor(
    private readonly parts: readonly Float64Array[],
    reach: number,
  ) {
    this.size = parts[0].length;
    this.count = parts.length * this.size;
    this.sorted = 0;
    // Ten deviations of independent values; more even parts deviate less.
    const spread = 10 * Math.sqrt(reach * (1 - reach) * this.size);
    this.sortLowest(Math.min(this.size, Math.ceil(reach * this.size + spread) + 1));
  }

  /** The value at a rank of all values, from 0. */
  value(rank: number): number {
    for (;;) {
      const found = this.parts.reduce(
        (least, part) => Math.min(least, this.firstReaching(part, rank)),
        Infinity,
      );
      if (this.sorted === this.size || this.parts.every(part => part[this.sorted - 1] >= found)) return found;
      this.sortLowest(this.size);
    }
  }

  /** The quantile at a probability, each value in the middle of its 1 / n; `undefined` outside the sample. */
  between(probability: number): number | undefined {
    const position = probability * this.count - 0.5;
    if (!(position >= 0 && position <= this.count - 1)) return undefined;
    const rank = Math.floor(position);
    const lower = this.value(rank);
    return position === rank ? lower : interpolate(lower, this.value(rank + 1), position - rank);
  }

  /** Of each part, the share of the values at or below a level and the mean of (level - value)+. @param level a value that was found */
  below(level: number): readonly { readonly share: number; readonly shortfall: number }[] {
    return this.parts.map(part => {
      const within = this.atOrBelow(part, level);
      let shortfall = 0;
      for (let i = 0; i < within; i++) shortfall += level - part[i];
      return { share: within / this.size, shortfall: shortfall / this.size };
    });
  }

  /** The first of the sorted values of a part at or below which more than `rank` of all lie. */
  private firstReaching(part: Float64Array, rank: number): number {
    const reaches = (value: number) =>
      this.parts.reduce((sum, each) => sum + this.atOrBelow(each, value), 0) > rank;
    const first = firstTrue(this.sorted, k => reaches(part[k]));
    return first < this.sorted ? part[first] : Infinity;
  }

  /** Number of the sorted values of a part at or below a level. */
  private atOrBelow(part: Float64Array, level: number): number {
    return firstTrue(this.sorted, k => part[k] > level);
  }

  private sortLowest(count: number): void {
    for (const part of this.parts) {
      if (count < this.size) placeRanks(part, [count - 1]);
      part.subarray(0, count).sort();
    }
    this.sorted = count;
  }
}

const mean = (figures: readonly number[]) => figures.reduce((sum, value) => sum + value, 0) / figures.length;

/** Sums of figures less the first of them. */
function sumsOf(figures: readonly number[]): CubedSums {
  const shifted = figures.map(figure => figure - figures[0]);
  const sum = (power: number) => shifted.reduce((total, value) => total + value ** power, 0);
  return { paths: figures.length, sum: sum(1), squares: sum(2), cubes: sum(3) };
}

/** Standard deviation of figures / sqrt(their number). */
function errorOfMean(figures: readonly number[]): number {
  const n = figures.length;
  // Deviations from one of them first: equal figures leave exactly 0.
  const shifted = figures.map(figure => figure - figures[0]);
  const centre = mean(shifted);
  const squares = shifted.reduce((sum, value) => sum + (value - centre) ** 2, 0);
  return Math.sqrt(squares / (n - 1) / n);
}
