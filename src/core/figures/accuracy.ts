/** Standard error and interval of one figure in the form of the member `Accuracy` (docs/methodology.md, "Accuracy"). */
import {
  clopperPearsonInterval,
  errorOfWidth,
  type Interval,
  intervalOfReach,
  isRareShare,
  massBelowMinimum,
  normalReach,
  type Reach,
  wilsonInterval,
} from '../stats/intervals.ts';
import { skewedReach } from '../stats/skewness.ts';
import { twoSidedNormal } from '../stats/special-functions.ts';
import type { WeightedMean } from '../stats/weighted.ts';
import type { FigureRange } from './figure.ts';

/** Methods of an interval, or the reason why there is none. */
export const METHODS = [
  'wilson',
  'clopper-pearson',
  'normal',
  'order-statistics',
  'tail-mass',
  'inverted',
  'mover',
  'cosine-t',
  'scrambles',
  'none',
  'too-few-events',
  'too-few-windows',
] as const;
export type Method = (typeof METHODS)[number];

/** One figure of `Accuracy`; null where the run does not determine a number. */
export interface FigureAccuracy {
  readonly standard_error: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly method: Method;
  /** The exact value, where its law is known; null where it is below ten times its own error. */
  readonly exact?: number | null;
  /** Bound of the error of `exact`. */
  readonly exact_error?: number;
  /** Upper bound of the share of paths below the figure, at the confidence level. */
  readonly mass_below?: number;
  /** Paths of equal weight with the same error; of weighted paths only, null without an interval. */
  readonly effective_scenarios?: number | null;
}

/** Figures by the names and nesting of the result. */
export interface AccuracyFigures {
  readonly [name: string]: FigureAccuracy | AccuracyFigures;
}

/** Fewest paths that differ from the commonest value for the mean to be taken for normal. */
export const MIN_EVENTS = 30;
/** Fewest paths beyond a quantile for the mean of the tail to be taken for normal. */
export const MIN_IN_TAIL = 100;

/** A figure of the window, which has no sampling error. */
export const EXACT_OF_WINDOW: FigureAccuracy = without('none');

/** A figure without an interval. */
export function without(method: Method): FigureAccuracy {
  return { standard_error: null, low: null, high: null, method };
}

/** An interval in the form of the answer. */
export function figureOf({ standardError, low, high }: Interval, method: Method): FigureAccuracy {
  return { standard_error: standardError ?? null, low: low ?? null, high: high ?? null, method };
}

/** Share hits / paths of independent paths. */
export function shareFigure(hits: number, paths: number, level: number): FigureAccuracy {
  return isRareShare(hits, paths)
    ? figureOf(clopperPearsonInterval(hits, paths, level), 'clopper-pearson')
    : figureOf(wilsonInterval(hits, paths, level), 'wilson');
}

/** Conditions of a mean and its interval. */
interface MeanBasis {
  /** Fewest paths that differ from the commonest value. */
  readonly leastEvents?: number;
  /** In standard errors. Default: the normal law's. */
  readonly reach?: Reach;
}

/**
 * A mean with a standard error, in the unit of the figure.
 *
 * @param events paths that differ from the commonest value
 * @param range of the figure
 */
export function meanFigure(
  estimate: number,
  standardError: number | undefined,
  events: number,
  level: number,
  range: FigureRange,
  { leastEvents = MIN_EVENTS, reach = normalReach(level) }: MeanBasis = {},
): FigureAccuracy {
  if (standardError === undefined || events < leastEvents) return without('too-few-events');
  return figureOf(intervalOfReach(estimate, standardError, reach, range), 'normal');
}

/** A quantile between the values of two order statistics; `undefined` where the sample has no such rank. */
export function quantileFigure(
  low: number | undefined,
  high: number | undefined,
  level: number,
): FigureAccuracy {
  const standardError = low === undefined || high === undefined ? undefined : errorOfWidth(low, high, level);
  return figureOf({ standardError, low, high }, 'order-statistics');
}

/** The lowest value of so many independent paths. */
export function minimumFigure(paths: number, level: number): FigureAccuracy {
  return { ...without('tail-mass'), mass_below: massBelowMinimum(paths, level) };
}

/** Fewest weighted paths with the event and without it, or that differ from the commonest value. */
export const MIN_WEIGHTED_EVENTS = 30;

/** A figure without an interval on weighted paths. */
export const withoutWeighted = (): FigureAccuracy => ({
  ...without('too-few-events'),
  effective_scenarios: null,
});

/** A mean under weights, with the skewness of w (x - mean) over the root of the number of paths. */
export interface SkewedMean extends WeightedMean {
  readonly skewness: number;
}

/**
 * A share: the interval of Clopper and Pearson for as many paths of equal weight as have its error, p (1 - p) / V. Either side is
 * multiplied by the reach under the skewness of the mean over that of these paths.
 *
 * @param events number of paths with the event
 * @param paths number of all paths
 * @param quantile two-sided quantile of the Studentised mean. Default: the normal law's
 */
export function weightedShare(
  { mean, effective, skewness }: SkewedMean,
  events: number,
  paths: number,
  level: number,
  quantile = twoSidedNormal(level),
): FigureAccuracy {
  // A condition on the effective paths would leave out the samples with the larger errors.
  if (effective === undefined || Math.min(events, paths - events) < MIN_WEIGHTED_EVENTS)
    return withoutWeighted();
  const { standardError, low, high } = clopperPearsonInterval(mean * effective, effective, level);
  const own = skewedReach(skewness, quantile);
  const plain = skewedReach((1 - 2 * mean) / Math.sqrt(effective * mean * (1 - mean)), twoSidedNormal(level));
  const interval = {
    standardError,
    low: Math.max(0, mean - ((mean - low) * own.below) / plain.below),
    high: Math.min(1, mean + ((high - mean) * own.above) / plain.above),
  };
  return { ...figureOf(interval, 'clopper-pearson'), effective_scenarios: effective };
}

/**
 * A mean.
 *
 * @param events paths that differ from the commonest value
 * @param range of the figure
 * @param reach in standard errors; default: the normal law's
 */
export function weightedAmount(
  { mean, standardError, effective }: WeightedMean,
  events: number,
  level: number,
  range: FigureRange,
  reach: Reach = normalReach(level),
): FigureAccuracy {
  if (standardError === undefined || effective === undefined || events < MIN_WEIGHTED_EVENTS)
    return withoutWeighted();
  return {
    ...figureOf(intervalOfReach(mean, standardError, reach, range), 'normal'),
    effective_scenarios: effective,
  };
}

/** A figure of windows: the mean of one contribution per window. */
export type WindowFigure =
  /** A share of the windows; contributions are 0 and 1. */
  | { readonly kind: 'share'; readonly contributions: Float64Array }
  /** A mean within a range; few windows may determine it. */
  | {
      readonly kind: 'mean';
      readonly contributions: Float64Array;
      readonly range: FigureRange;
    }
  /** The mean of the values beyond a quantile, the share `probability` of all; contributions are distances from it over that share. */
  | {
      readonly kind: 'tail-mean';
      readonly tail: 'lower' | 'upper';
      readonly probability: number;
      readonly estimate: number;
      readonly contributions: Float64Array;
      readonly range: FigureRange;
    }
  /** A quantile: values of the windows, infinite of those without one, the level in (0, 1) and the quantile itself. */
  | {
      readonly kind: 'quantile';
      readonly values: Float64Array;
      readonly probability: number;
      readonly quantile: number;
    };

/** A figure by its law, and a bound of the error of its computation. */
export interface ExactFigure {
  readonly value: number;
  readonly error: number;
}

/** Errors that a value that is shown is larger than. */
const LEAST_ERRORS = 10;

/** The members of a figure whose law is known. */
export const exactMembers = ({ value, error }: ExactFigure) => ({
  exact: Math.abs(value) < LEAST_ERRORS * error ? null : value,
  exact_error: error,
});

/** Figures with the exact values of those whose law is known. */
export const withExact = (
  figures: Readonly<Record<string, FigureAccuracy>>,
  exact: { readonly [name: string]: ExactFigure | undefined },
): Record<string, FigureAccuracy> =>
  Object.fromEntries(
    Object.entries(figures).map(([name, figure]) => {
      const known = exact[name];
      return [name, known === undefined ? figure : { ...figure, ...exactMembers(known) }];
    }),
  );

/** The member `Accuracy` of an answer: intervals of the sampling error, not of the model error. */
export function accuracyMember(level: number, paths: number, figures: AccuracyFigures) {
  return { level, of: 'sampling' as const, scenarios: paths, figures };
}
