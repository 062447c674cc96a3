/** The declaration of a figure of an answer: its unit, its words, and the sums of a run that determine its value and its error. */
import type { PathRecords } from '../engine.ts';

/** Units of figures, as openapi.json names them. */
export type FigureUnit =
  | 'fraction'
  | 'fraction per year'
  | 'percent of the loan'
  | 'percent of the debt'
  | 'percent of the tranche'
  | 'collateral value / loan value'
  | 'debt / collateral value'
  | 'USD'
  | 'million USD'
  | 'margin currency'
  | 'loans'
  | 'episodes'
  | 'days'
  | 'none';

/** Least and largest value. */
export type FigureRange = readonly [number, number];
export const SHARE: FigureRange = [0, 1];
export const NOT_NEGATIVE: FigureRange = [0, Number.POSITIVE_INFINITY];
/** Above 0. */
export const POSITIVE: FigureRange = [Number.MIN_VALUE, Number.POSITIVE_INFINITY];
export const ANY_NUMBER: FigureRange = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];

/** Texts of a figure. */
export interface FigureWords {
  /** A sentence for openapi.json and the reference. */
  readonly words: string;
  /** Its name on a page. */
  readonly label: string;
  /** Text behind the name on a page. */
  readonly note?: string;
  /** Its name on a page that shows coverage as loan-to-value. */
  readonly ltvLabel?: string;
}

/** A figure in documents and on pages. */
export interface DescribedFigure extends FigureWords {
  readonly unit: FigureUnit;
  readonly range: FigureRange;
  /** Present where some runs have no such figure: those without its sum. */
  readonly optional?: true;
}

export type DescribedFigures = Readonly<Record<string, DescribedFigure>>;

/** Sums over the paths of a run by name; undefined where the run has no such sum. */
export type Sums<Q extends string> = { readonly paths: number } & {
  readonly [name in Q]: number | undefined;
};

/** Contributions of each window of history, whose mean is the figure. */
type OfWindows<T> = (records: PathRecords, terms: T) => Float64Array;

/** A share of the paths. */
export interface ShareFigure<Q extends string> extends DescribedFigure {
  readonly shape: 'share';
  /** Paths with the event. */
  readonly hits: Q;
  readonly ofWindows?: OfWindows<unknown>;
}

/** The mean of an amount of each path: offset + scale x sum / paths. */
export interface MeanFigure<Q extends string, T> extends DescribedFigure {
  readonly shape: 'mean';
  readonly sum: Q;
  readonly squares: Q;
  /** Paths that differ from the commonest value. */
  readonly events: Q;
  /** Paths with an amount above 0. Default: the events. */
  readonly positive?: Q;
  /** A unit of the sum in the unit of the figure. */
  readonly scale: (terms: T) => number;
  readonly offset?: number;
  /** Largest value under these terms. Default: the end of the range. */
  readonly most?: (terms: T) => number;
  /** The value, and the standard error from the sum's error, where rounding differs from the formula above. */
  readonly value?: (sums: Sums<Q>, terms: T) => number;
  readonly error?: (error: number, terms: T) => number;
  readonly ofWindows?: OfWindows<T>;
}

/** The mean amount of an event: scale x amounts / events, 0 without an event. A path can have several events. */
export interface RatioFigure<Q extends string, T> extends DescribedFigure {
  readonly shape: 'ratio';
  readonly amount: Q;
  readonly amountSquares: Q;
  readonly count: Q;
  readonly countSquares: Q;
  /** Sum over the paths of amount x count. */
  readonly products: Q;
  /** Paths with an event. */
  readonly events: Q;
  readonly scale: (terms: T) => number;
}

/** The lowest value of all paths: no figure of the model where paths are drawn by another law. */
export interface MinimumFigure<Q extends string> extends DescribedFigure {
  readonly shape: 'minimum';
  readonly lowest: Q;
}

/** A number that follows from sums over the paths. */
export type Figure<Q extends string, T> =
  | ShareFigure<Q>
  | MeanFigure<Q, T>
  | RatioFigure<Q, T>
  | MinimumFigure<Q>;

/** Figures by their names, in the order of the answer. */
export type Figures<Q extends string, T> = Readonly<Record<string, Figure<Q, T>>>;

/** A value for each figure; figures that some runs lack are optional. */
export type OfFigures<F, V> = {
  -readonly [N in keyof F as F[N] extends { readonly optional: true } ? never : N]: V;
} & { -readonly [N in keyof F as F[N] extends { readonly optional: true } ? N : never]?: V };

/** The row of a share. */
export const share = <Q extends string>(
  hits: Q,
  words: FigureWords,
  ofWindows?: OfWindows<unknown>,
): ShareFigure<Q> => ({
  shape: 'share',
  unit: 'fraction',
  range: SHARE,
  hits,
  ...words,
  ...(ofWindows && { ofWindows }),
});

/** Figures by quantile; keys are the numbers as JavaScript prints them. */
export function byQuantile<V>(quantiles: Float64Array, of: (i: number, q: number) => V): Record<string, V> {
  return Object.fromEntries(Array.from(quantiles, (q, i) => [String(q), of(i, q)]));
}

/** 1 for each window with this flag, 0 for the others. */
export const withFlag =
  (flag: number): OfWindows<unknown> =>
  ({ flags }) =>
    flags.map(value => (value & flag ? 1 : 0));
