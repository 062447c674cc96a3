/**
 * The figures of an outcome that this browser computed, by the functions with which the server computes them.
 *
 * Takes: a plan, its outcome, and the processed arguments of the request. Gives: the members of an answer. Must not know:
 * engines.
 */

import { cappedLoanAccuracy } from '#core/figures/capped-loan.ts';
import { loanDistribution, positionDistribution, tailDistribution } from '#core/figures/distribution.ts';
import { loanAccuracy, shownLoanFigures } from '#core/figures/loan.ts';
import { positionAccuracy } from '#core/figures/perpetual.ts';
import { tailAccuracy } from '#core/figures/value-at-risk.ts';
import {
  cappedLoanFigures,
  keyedTails,
  type Outcome,
  positionFigures,
  type SimulationPlan,
} from '#core/index.ts';
import { type CappedLoanProduct, planSteps, type ValueAtRiskProduct } from '#core/plan/simulation-plan.ts';
import { type Distribution, LEVEL } from './answer.ts';

/** Members of `Arguments` that figures depend on and that a plan does not contain. */
export interface FigureTerms {
  /** USD. */
  readonly loan_value?: number;
  /** Days. */
  readonly var_duration?: readonly number[];
}

export interface RunFigures {
  /** As `Output` or `Results` has them. */
  readonly figures: Readonly<Record<string, unknown>>;
  /** Nested as the figures are. */
  readonly accuracy: Readonly<Record<string, unknown>>;
  /** Where the plan asks for it. */
  readonly distribution: Distribution | undefined;
}

/** @throws RangeError for a product that has no figures of its own */
export function figuresOf(plan: SimulationPlan, outcome: Outcome, terms: FigureTerms): RunFigures {
  const { product, distribution: option } = plan;
  const ofLoan = (counts: Float64Array | undefined) =>
    option && counts && loanDistribution(counts, plan.paths, planSteps(plan), option);
  if (product.kind === 'loan' && outcome.kind === 'loan') {
    return {
      figures: shownLoanFigures(outcome, product),
      accuracy: loanAccuracy(outcome, product, LEVEL),
      distribution: ofLoan(outcome.distribution),
    };
  }
  if (product.kind === 'capped-loan' && outcome.kind === 'capped-loan') {
    const loanValueUsd = terms.loan_value ?? 1;
    return {
      figures: cappedLoanFigures(outcome, loanValueUsd),
      accuracy: cappedLoanAccuracy(outcome, plan as SimulationPlan<CappedLoanProduct>, loanValueUsd, LEVEL),
      distribution: ofLoan(outcome.distribution),
    };
  }
  if (product.kind === 'value-at-risk' && outcome.kind === 'value-at-risk') {
    const horizonsDays = Float64Array.from(terms.var_duration ?? []).sort();
    return {
      figures: keyedTails(outcome, horizonsDays, product.quantiles),
      accuracy: tailAccuracy(plan as SimulationPlan<ValueAtRiskProduct>, outcome, horizonsDays, LEVEL),
      distribution: option && tailDistribution(outcome, horizonsDays, product),
    };
  }
  if (product.kind === 'perpetual' && outcome.kind === 'perpetual') {
    return {
      figures: positionFigures(outcome, product),
      accuracy: positionAccuracy(outcome, product, LEVEL),
      distribution: option && positionDistribution(outcome, product, option),
    };
  }
  throw new RangeError(`there are no figures of ${product.kind} in a browser`);
}
