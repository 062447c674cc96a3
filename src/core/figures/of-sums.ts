/** Figure values and members of `Accuracy` by name, from the sums of a run: one formula for each figure shape. */
import type { PathRecords } from '../engine.ts';
import { meanError, ratioError } from '../stats/intervals.ts';
import { skewedReach } from '../stats/skewness.ts';
import { twoSidedNormal } from '../stats/special-functions.ts';
import {
  type WeightedMean,
  type WeightedSum,
  type WeightedSums,
  weightedMean,
  weightedSkewness,
} from '../stats/weighted.ts';
import {
  type FigureAccuracy,
  meanFigure,
  minimumFigure,
  shareFigure,
  type WindowFigure,
  weightedAmount,
  weightedShare,
  withoutWeighted,
} from './accuracy.ts';
import type { Figure, FigureRange, Figures, MeanFigure, OfFigures, ShareFigure, Sums } from './figure.ts';

/** The sum without which there is no figure. */
function mainSum<Q extends string, T>(row: Figure<Q, T>): Q {
  switch (row.shape) {
    case 'share':
      return row.hits;
    case 'mean':
      return row.sum;
    case 'ratio':
      return row.amount;
    case 'minimum':
      return row.lowest;
  }
}

/** The value of `of` for each figure, by name, without figures whose sum the run lacks and without undefined values. */
function mapped<Q extends string, T, F extends Figures<Q, T>, V>(
  rows: F,
  sums: Sums<Q>,
  of: (row: Figure<Q, T>) => V | undefined,
): OfFigures<F, V> {
  const figures: { [name: string]: V } = {};
  for (const name in rows) {
    if (sums[mainSum<Q, T>(rows[name])] === undefined) continue;
    const figure = of(rows[name]);
    if (figure !== undefined) figures[name] = figure;
  }
  return figures as OfFigures<F, V>;
}

function known<V>(sums: { readonly [name in string]?: V | undefined }, name: string): V {
  const sum = sums[name];
  if (sum === undefined) throw new RangeError(`The run adds up no ${name}.`);
  return sum;
}

/** The value of one figure. */
export function figureValue<Q extends string, T>(row: Figure<Q, T>, sums: Sums<Q>, terms: T): number {
  const { paths } = sums;
  switch (row.shape) {
    case 'share':
      return known(sums, row.hits) / paths;
    case 'mean':
      if (row.value !== undefined) return row.value(sums, terms);
      return (row.offset ?? 0) + (row.scale(terms) * known(sums, row.sum)) / paths;
    case 'ratio': {
      const count = known(sums, row.count);
      return count === 0 ? 0 : (row.scale(terms) * known(sums, row.amount)) / count;
    }
    case 'minimum':
      return known(sums, row.lowest);
  }
}

/** Values by name. */
export const figuresOf = <Q extends string, T, F extends Figures<Q, T>>(
  rows: F,
  sums: Sums<Q>,
  terms: T,
): OfFigures<F, number> => mapped<Q, T, F, number>(rows, sums, row => figureValue(row, sums, terms));

/** The same from sums under weights. These are rounded, so a share of all paths could be above 1: values are within their range. */
export const figuresUnderWeights = <Q extends string, T, F extends Figures<Q, T>>(
  rows: F,
  sums: Sums<Q>,
  terms: T,
): OfFigures<F, number> =>
  mapped<Q, T, F, number>(rows, sums, row => {
    const [least, most] = row.range;
    return Math.min(most, Math.max(least, figureValue(row, sums, terms)));
  });

/** Accuracy of the figures of independent paths, by name. @param level of the intervals, in (0, 1) */
export const accuracyOf = <Q extends string, T, F extends Figures<Q, T>>(
  rows: F,
  sums: Sums<Q>,
  terms: T,
  level: number,
): OfFigures<F, FigureAccuracy> =>
  mapped<Q, T, F, FigureAccuracy>(rows, sums, row => accuracyOfRow(row, sums, terms, level));

function accuracyOfRow<Q extends string, T>(
  row: Figure<Q, T>,
  sums: Sums<Q>,
  terms: T,
  level: number,
): FigureAccuracy {
  const { paths } = sums;
  const of = (name: Q) => known<number>(sums, name);
  switch (row.shape) {
    case 'share':
      return shareFigure(of(row.hits), paths, level);
    case 'mean': {
      const amounts = { paths, sum: of(row.sum), squares: of(row.squares) };
      const error = meanError(amounts);
      const scaled = error && (row.error?.(error, terms) ?? Math.abs(row.scale(terms)) * error);
      // Without an error all paths have the commonest value.
      const events = error === 0 ? 0 : of(row.events);
      return meanFigure(figureValue(row, sums, terms), scaled, events, level, rangeUnder(row, terms));
    }
    case 'ratio': {
      const error = ratioError({
        paths,
        events: of(row.count),
        eventSquares: of(row.countSquares),
        amount: of(row.amount),
        amountSquares: of(row.amountSquares),
        products: of(row.products),
      });
      const scaled = error && row.scale(terms) * error;
      return meanFigure(figureValue(row, sums, terms), scaled, of(row.events), level, row.range);
    }
    case 'minimum':
      return minimumFigure(paths, level);
  }
}

const rangeUnder = <Q extends string, T>({ range, most }: MeanFigure<Q, T>, terms: T): FigureRange =>
  most === undefined ? range : [range[0], most(terms)];

/** The sums of the means of weighted paths. */
export type WeightedSumName<F> = F extends { readonly shape: 'share'; readonly hits: infer H extends string }
  ? H
  : F extends {
        readonly shape: 'mean';
        readonly sum: infer S extends string;
        readonly squares: infer Q extends string;
      }
    ? S | Q
    : never;

/** Sums of a run over weighted paths. */
export interface WeightedRun<Q extends string, W extends string> {
  /** Each path counted once. */
  readonly counts: Sums<Q>;
  /** By name; `paths` are the weights. */
  readonly sums: Readonly<Record<'paths' | W, WeightedSum>>;
}

/** Means of weighted paths in the units of their figures, by name; of a lowest value there is none. */
export const weightedFiguresOf = <Q extends string, T, F extends Figures<Q, T>>(
  rows: F,
  run: WeightedRun<Q, WeightedSumName<F[keyof F]>>,
  terms: T,
): OfFigures<F, WeightedMean> =>
  mapped<Q, T, F, WeightedMean>(rows, run.counts, row =>
    row.shape === 'ratio' || row.shape === 'minimum'
      ? undefined
      : inUnits(row, weightedMean(weightedSumsOf(row, run)), terms),
  );

/** Accuracy of the figures of weighted paths, by name. */
export const weightedAccuracyOf = <Q extends string, T, F extends Figures<Q, T>>(
  rows: F,
  run: WeightedRun<Q, WeightedSumName<F[keyof F]>>,
  terms: T,
  level: number,
): OfFigures<F, FigureAccuracy> =>
  mapped<Q, T, F, FigureAccuracy>(rows, run.counts, row => {
    if (row.shape === 'ratio' || row.shape === 'minimum') return withoutWeighted();
    const { counts } = run;
    const amounts = weightedSumsOf(row, run);
    const ofAmounts = weightedMean(amounts);
    const mean = inUnits(row, ofAmounts, terms);
    const skewness = (events: Q, isShare: boolean) =>
      weightedSkewness(amounts, ofAmounts, known<number>(counts, events), isShare);
    if (row.shape === 'share')
      return weightedShare(
        { ...mean, skewness: skewness(row.hits, true) },
        known<number>(counts, row.hits),
        counts.paths,
        level,
      );
    const scaled = Math.sign(row.scale(terms)) * skewness(row.positive ?? row.events, false);
    const reach = skewedReach(scaled, twoSidedNormal(level));
    return weightedAmount(mean, known<number>(counts, row.events), level, rangeUnder(row, terms), reach);
  });

function weightedSumsOf<Q extends string, T>(
  row: ShareFigure<Q> | MeanFigure<Q, T>,
  { counts, sums }: WeightedRun<Q, never>,
): WeightedSums {
  const [sum, squares] = row.shape === 'share' ? [row.hits, row.hits] : [row.sum, row.squares];
  return {
    paths: counts.paths,
    weights: sums.paths,
    sum: known<WeightedSum>(sums, sum),
    squares: known<WeightedSum>(sums, squares),
  };
}

/** The mean of the amounts of a figure in its unit. */
function inUnits<Q extends string, T>(
  row: ShareFigure<Q> | MeanFigure<Q, T>,
  mean: WeightedMean,
  terms: T,
): WeightedMean {
  if (row.shape === 'share') return mean;
  const scale = row.scale(terms);
  return {
    ...mean,
    mean: (row.offset ?? 0) + scale * mean.mean,
    standardError: mean.standardError && Math.abs(scale) * mean.standardError,
  };
}

/** The contributions of historical windows to each figure that is their mean, by name. @param sums of the same run */
export const windowFiguresOf = <Q extends string, T, F extends Figures<Q, T>>(
  rows: F,
  sums: Sums<Q>,
  records: PathRecords,
  terms: T,
): OfFigures<F, WindowFigure> =>
  mapped<Q, T, F, WindowFigure>(rows, sums, row => {
    if (row.shape === 'share' && row.ofWindows !== undefined)
      return { kind: 'share', contributions: row.ofWindows(records, terms) };
    if (row.shape !== 'mean' || row.ofWindows === undefined) return undefined;
    return { kind: 'mean', contributions: row.ofWindows(records, terms), range: rangeUnder(row, terms) };
  });
