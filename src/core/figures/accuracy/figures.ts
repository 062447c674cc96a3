/**
 * How sure one figure is, in the form of the member `Accuracy` (docs/methodology.md, "Accuracy").
 *
 * Takes: what a run kept about a figure. Gives: its standard error and interval with the method, or why there is none. Must
 * not know: operations, engines.
 */
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
} from '../../stats/intervals.ts';

/** Exact figures by name. */
export type ExactFigures = Readonly<Record<string, number>>;

/** How an interval was found, or why there is none. */
export type Method =
  | 'wilson'
  | 'clopper-pearson'
  | 'normal'
  | 'order-statistics'
  | 'tail-mass'
  | 'inverted'
  | 'cosine-t'
  | 'scrambles'
  | 'none'
  | 'too-few-events'
  | 'too-few-windows';

/** One figure of `Accuracy`; null is what the run cannot tell. */
export interface FigureAccuracy {
  readonly standard_error: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly method: Method;
  /** The figure itself, where its law is known. */
  readonly exact?: number;
  /** With the level's confidence, at most this share of the paths lies below the figure. */
  readonly mass_below?: number;
  /** Paths of equal weight that would be as sure; of weighted paths only, null without an interval. */
  readonly effective_scenarios?: number | null;
}

/** Figures by the names and nesting of the result. */
export interface AccuracyFigures {
  readonly [name: string]: FigureAccuracy | AccuracyFigures;
}

/** Fewest paths that differ from the commonest value for the mean to be taken for normal. */
const MIN_EVENTS = 30;

/** A figure of the window, which no path can make surer. */
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

/** What a mean rests on, and how its interval reaches. */
interface MeanBasis {
  /** Fewest paths that differ from the commonest value. */
  readonly leastEvents?: number;
  /** In standard errors; that of the normal law where absent. */
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
  range: readonly [number, number],
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

/** The member `Accuracy` of an answer: intervals measure the error of sampling, not that of the model. */
export function accuracyMember(level: number, paths: number, figures: AccuracyFigures) {
  return { level, of: 'sampling' as const, scenarios: paths, figures };
}
