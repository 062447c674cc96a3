/**
 * How sure the figures of value at risk over windows of history are (docs/methodology.md, "Accuracy").
 */
import type { PathRecords, ValueAtRiskOutcome } from '../../core/engine.ts';
import { type QuantileFigures, VALUES } from '../../core/figures/accuracy/value-at-risk.ts';
import type { SimulationPlan, ValueAtRiskProduct } from '../../core/plan/simulation-plan.ts';
import type { Asker } from '../../core/turns.ts';
import { type WindowFigure, windowFigures } from '../accuracy/windows.ts';

/** Of a net exposure. */
const ANY_AMOUNT = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] as const;

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
  asker: Asker,
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
            tail: 'lower',
            probability: 1 - q,
            estimate: tailMean,
            contributions: values[key].map(value => Math.max(0, quantile - value) / (1 - q)),
            range: ANY_AMOUNT,
          },
        );
      }
    }
    const found = await windowFigures(figures, paths, horizonSteps[k], level, asker);
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
