/**
 * The figures of an outcome that this browser computed, by the functions with which the server computes them.
 *
 * Takes: a plan, its outcome, and the processed arguments of the request. Gives: figures by name, as `Output` or
 * `Results` has them, and intervals of the probabilities among them. Must not know: engines.
 */
import {
  cappedLoanFigures,
  keyedTails,
  loanFigures,
  type Outcome,
  positionColumns,
  positionFigures,
  type SimulationPlan,
} from '../../../src/core/index.ts';
import { shareFigure } from '../../../src/operation/accuracy/figures.ts';
import type { FigureAccuracy } from './accuracy.ts';

/** Members of `Arguments` that figures depend on and a plan does not hold. */
export interface FigureTerms {
  /** USD. */
  readonly loan_value?: number;
  /** Days. */
  readonly var_duration?: readonly number[];
}

export interface RunFigures {
  readonly figures: Readonly<Record<string, unknown>>;
  readonly accuracy: Readonly<Record<string, FigureAccuracy>>;
}

/** Level of the intervals, that of the server where the query names none. */
export const LEVEL = 0.95;

/** @throws RangeError for a product that has no figures of its own */
export function figuresOf(plan: SimulationPlan, outcome: Outcome, terms: FigureTerms): RunFigures {
  const figures = namedFigures(plan, outcome, terms);
  const shares = Object.entries(figures).filter(([name]) => name.startsWith('Pr')) as [string, number][];
  return {
    figures,
    accuracy: Object.fromEntries(
      shares.map(([name, share]) => [
        name,
        shareFigure(Math.round(share * outcome.paths), outcome.paths, LEVEL),
      ]),
    ),
  };
}

function namedFigures(
  { product }: SimulationPlan,
  outcome: Outcome,
  terms: FigureTerms,
): Record<string, unknown> {
  if (product.kind === 'loan' && outcome.kind === 'loan') return loanFigures(outcome, product.steps);
  if (outcome.kind === 'capped-loan') return cappedLoanFigures(outcome, terms.loan_value ?? 1);
  if (product.kind === 'value-at-risk' && outcome.kind === 'value-at-risk') {
    const horizonsDays = Float64Array.from(terms.var_duration ?? []).sort();
    return keyedTails(outcome, horizonsDays, product.quantiles);
  }
  if (product.kind === 'perpetual' && outcome.kind === 'perpetual') {
    const { initialMargin, unrealizedPnl } = product;
    return positionFigures(outcome, positionColumns(outcome, initialMargin, initialMargin + unrealizedPnl));
  }
  throw new RangeError(`there are no figures of ${product.kind} in a browser`);
}
