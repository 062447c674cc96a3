/**
 * How sure the figures of value at risk are (docs/methodology.md, "Accuracy").
 */
import type { PathRecords, Tail, ValueAtRiskOutcome } from '../../core/engine.ts';
import type { SimulationPlan, ValueAtRiskProduct } from '../../core/plan/simulation-plan.ts';
import { tailMeanError } from '../../core/stats/intervals.ts';
import { exactTailFigures } from './exact.ts';
import { type AccuracyFigures, type FigureAccuracy, meanFigure, quantileFigure } from './figures.ts';
import { type WindowFigure, windowFigures } from './windows.ts';

/** Fewest paths in a tail for its mean to be taken for normal. */
const LEAST_IN_TAIL = 100;
const EVERYWHERE = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] as const;

/** Names of the three values in the answer, and in an outcome. */
const VALUES = [
  ['Collateral', 'collateral'],
  ['Loan', 'loan'],
  ['NetExposure', 'netExposure'],
] as const;

/** Figures of one horizon and quantile by name. */
type QuantileFigures = Record<string, FigureAccuracy>;

/** The figures of every horizon and quantile on independent paths, by rank. */
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
        return [
          [`${name}Var`, { ...quantileFigure(tail.low, tail.high, level), ...known(`${name}Var`) }],
          [`${name}CVar`, { ...tailMeanAccuracy(tail, outcome.paths, q, level), ...known(`${name}CVar`) }],
        ];
      });
      return Object.fromEntries(figures) as QuantileFigures;
    }),
  );
}

/** @param confidence the q of the quantile: the tail is the lowest 1 - q */
function tailMeanAccuracy(tail: Tail, paths: number, confidence: number, level: number): FigureAccuracy {
  const { quantile, tailMean, atOrBelow, shortfallSquares } = tail;
  const shortfall = (quantile - tailMean) * atOrBelow;
  const error = tailMeanError({ paths, shortfall, shortfallSquares }, 1 - confidence);
  return meanFigure(tailMean, error, atOrBelow, level, EVERYWHERE, LEAST_IN_TAIL);
}

/**
 * The figures of every horizon and quantile on overlapping windows of history, by rank.
 *
 * @param records one per window, in the order of their ends
 */
export async function historicalTailAccuracy(
  { paths, product }: SimulationPlan<ValueAtRiskProduct>,
  outcome: ValueAtRiskOutcome,
  records: PathRecords,
  level: number,
  signal: AbortSignal,
): Promise<QuantileFigures[][]> {
  const { collateralValue, loanValue, quantiles, horizonSteps } = product;
  const perHorizon: QuantileFigures[][] = [];
  for (const [k, horizon] of outcome.horizons.entries()) {
    const collateral = records[`collateral.${k}`].map(value => collateralValue * value);
    const loan = records[`loan.${k}`].map(value => loanValue * value);
    const values = { collateral, loan, netExposure: collateral.map((value, p) => value - loan[p]) };
    const names: string[] = [];
    const figures: WindowFigure[] = [];
    for (const [i, q] of quantiles.entries()) {
      for (const [name, key] of VALUES) {
        const { quantile, tailMean } = horizon[key][i];
        names.push(`${name}Var`, `${name}CVar`);
        figures.push(
          { kind: 'quantile', values: values[key], probability: 1 - q, quantile },
          {
            kind: 'tail-mean',
            estimate: tailMean,
            contributions: values[key].map(value => Math.max(0, quantile - value) / (1 - q)),
          },
        );
      }
    }
    const found = await windowFigures(figures, paths, horizonSteps[k], level, signal);
    const perQuantile = 2 * VALUES.length;
    perHorizon.push(
      Array.from(quantiles, (_, i) =>
        Object.fromEntries(
          names
            .slice(i * perQuantile, (i + 1) * perQuantile)
            .map((name, j) => [name, found[i * perQuantile + j]]),
        ),
      ),
    );
  }
  return perHorizon;
}

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
