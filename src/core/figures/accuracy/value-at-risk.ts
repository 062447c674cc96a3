/**
 * How sure the figures of value at risk are (docs/methodology.md, "Accuracy").
 */
import type { Tail, ValueAtRiskOutcome } from '../../engine.ts';
import { SCRAMBLES } from '../../plan/model/gbm-sobol.ts';
import type { SimulationPlan, ValueAtRiskProduct } from '../../plan/simulation-plan.ts';
import { intervalOfReach, type Reach, tailMeanError } from '../../stats/intervals.ts';
import { skewedReach, skewnessOfMean } from '../../stats/skewness.ts';
import { twoSidedNormal, twoSidedStudentT } from '../../stats/special-functions.ts';
import { exactTailFigures } from '../exact-value-at-risk.ts';
import {
  type AccuracyFigures,
  type FigureAccuracy,
  figureOf,
  meanFigure,
  quantileFigure,
  without,
} from './figures.ts';

/** Fewest paths in a tail for its mean to be taken for normal. */
const MIN_IN_TAIL = 100;
/** Fewest points of a scramble in a tail for its figures to tell their error. */
const MIN_IN_SCRAMBLE = 10;
const EVERYWHERE = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] as const;

/** Names of the three values in the answer, and in an outcome. */
export const VALUES = [
  ['Collateral', 'collateral'],
  ['Loan', 'loan'],
  ['NetExposure', 'netExposure'],
] as const;

/** Figures of one horizon and quantile by name. */
export type QuantileFigures = Record<string, FigureAccuracy>;

/** The figures of every horizon and quantile on drawn paths, by rank. */
export function tailAccuracy(
  plan: SimulationPlan<ValueAtRiskProduct>,
  outcome: ValueAtRiskOutcome,
  level: number,
): QuantileFigures[][] {
  const { quantiles } = plan.product;
  return outcome.horizons.map((horizon, k) =>
    Array.from(quantiles, (q, i) => {
      const exact = exactTailFigures(plan, k, i);
      const figures = VALUES.flatMap(([name, key]) => {
        const tail = horizon[key][i];
        const known = (figure: string) => (figure in exact ? { exact: exact[figure] } : {});
        const { quantile, tailMean } =
          plan.scenarios.kind === 'gbm-sobol'
            ? scrambledAccuracy(tail, outcome.paths, q, level)
            : independentAccuracy(tail, outcome.paths, q, level);
        return [
          [`${name}Var`, { ...quantile, ...known(`${name}Var`) }],
          [`${name}CVar`, { ...tailMean, ...known(`${name}CVar`) }],
        ];
      });
      return Object.fromEntries(figures) as QuantileFigures;
    }),
  );
}

/** How sure the two figures of a tail are. */
interface TailAccuracy {
  readonly quantile: FigureAccuracy;
  readonly tailMean: FigureAccuracy;
}

function independentAccuracy(tail: Tail, paths: number, confidence: number, level: number): TailAccuracy {
  return {
    quantile: quantileFigure(tail.low, tail.high, level),
    tailMean: tailMeanAccuracy(tail, paths, confidence, level),
  };
}

/** Points within a scramble depend on each other; the scrambles do not. */
function scrambledAccuracy(tail: Tail, paths: number, confidence: number, level: number): TailAccuracy {
  const { low, high, scrambled } = tail;
  if (scrambled === undefined || ((1 - confidence) * paths) / SCRAMBLES < MIN_IN_SCRAMBLE)
    return { quantile: without('scrambles'), tailMean: without('scrambles') };
  const t = twoSidedStudentT(SCRAMBLES - 1, level);
  const standardError = low === undefined || high === undefined ? undefined : (high - low) / (2 * t);
  const { tailMean, tailMeanError, skewness } = scrambled;
  const around = intervalOfReach(tailMean, tailMeanError, reachOfQuantileLess(skewedReach(skewness, t)));
  // The figure is the mean at or below Var, a share of 1 / n off the mean of the lowest 1 - q: Sobol errors can be as small.
  const holding = {
    ...around,
    low: Math.min(around.low ?? tail.tailMean, tail.tailMean),
    high: Math.max(around.high ?? tail.tailMean, tail.tailMean),
  };
  return {
    quantile: figureOf({ standardError, low, high }, 'scrambles'),
    tailMean: figureOf(holding, 'scrambles'),
  };
}

/** @param confidence the q of the quantile: the tail is the lowest 1 - q */
function tailMeanAccuracy(tail: Tail, paths: number, confidence: number, level: number): FigureAccuracy {
  const { quantile, tailMean, atOrBelow, shortfallSquares, shortfallCubes: cubes } = tail;
  const shortfall = (quantile - tailMean) * atOrBelow;
  const error = tailMeanError({ paths, shortfall, shortfallSquares }, 1 - confidence);
  const sums = { paths, sum: shortfall, squares: shortfallSquares };
  return meanFigure(tailMean, error, atOrBelow, level, EVERYWHERE, {
    leastEvents: MIN_IN_TAIL,
    ...(cubes === undefined
      ? {}
      : {
          reach: reachOfQuantileLess(skewedReach(skewnessOfMean({ ...sums, cubes }), twoSidedNormal(level))),
        }),
  });
}

/** The tail mean is the quantile less the mean shortfall: what reaches above one reaches below the other. */
const reachOfQuantileLess = ({ below, above }: Reach): Reach => ({ below: above, above: below });

/** Figures under the keys of the result: horizon, then quantile. */
export function keyedFigures(
  figures: readonly (readonly QuantileFigures[])[],
  horizons: readonly string[],
  quantiles: readonly string[],
): AccuracyFigures {
  return Object.fromEntries(
    figures.map((perQuantile, k) => [
      horizons[k],
      Object.fromEntries(perQuantile.map((figure, i) => [quantiles[i], figure])),
    ]),
  );
}
