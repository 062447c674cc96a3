/**
 * How sure one figure of weighted paths is, in the form of the member `Accuracy` (docs/decisions/tail-sampling.md).
 */
import { clopperPearsonInterval, intervalOfReach, normalReach, type Reach } from '../../stats/intervals.ts';
import type { WeightedMean } from '../../stats/weighted.ts';
import { type FigureAccuracy, figureOf, without } from './figures.ts';

/** Fewest paths with the event and without it, and as many that plain paths as sure would have. */
export const MIN_WEIGHTED_EVENTS = 30;

/** A figure that weighted paths do not tell. */
export const withoutWeighted = (): FigureAccuracy => ({
  ...without('too-few-events'),
  effective_scenarios: null,
});

/**
 * A share: the interval of Clopper and Pearson for as many paths of equal weight as have its error, p (1 - p) / V.
 *
 * @param events paths with the event, whatever they weigh
 * @param paths all of them
 */
export function weightedShare(
  { mean, effective }: WeightedMean,
  events: number,
  paths: number,
  level: number,
): FigureAccuracy {
  if (
    effective === undefined ||
    Math.min(events, paths - events, effective * mean, effective * (1 - mean)) < MIN_WEIGHTED_EVENTS
  )
    return withoutWeighted();
  return {
    ...figureOf(clopperPearsonInterval(mean * effective, effective, level), 'clopper-pearson'),
    effective_scenarios: effective,
  };
}

/**
 * A mean.
 *
 * @param events paths that differ from the commonest value
 * @param range of the figure
 * @param reach in standard errors; that of the normal law where absent
 */
export function weightedAmount(
  { mean, standardError, effective }: WeightedMean,
  events: number,
  level: number,
  range: readonly [number, number],
  reach: Reach = normalReach(level),
): FigureAccuracy {
  if (standardError === undefined || effective === undefined || events < MIN_WEIGHTED_EVENTS)
    return withoutWeighted();
  return {
    ...figureOf(intervalOfReach(mean, standardError, reach, range), 'normal'),
    effective_scenarios: effective,
  };
}
