/** Plans of sampling=tail in the page: figures take the weights of the paths, and single paths are of the model. */
import { expect, it } from 'vitest';
import type {
  GbmScenarios,
  GbmShiftedScenarios,
  LoanProduct,
  SimulationPlan,
} from '#src/core/plan/simulation-plan.js';
import { runRange } from '#src/core/reference/products.js';
import { shiftedScenarios } from '#src/models/calibration/shifted-scenarios.js';
import { figuresOf } from '../../console/src/compute/figures.ts';
import { planDetails } from '../../console/src/compute/plan-details.ts';
import { randomLoanPlan } from '../support/random-plans.ts';

const PATHS = 4000;
const plain = randomLoanPlan(105, 'gbm', PATHS);

function shifted(plan: SimulationPlan<LoanProduct>) {
  const { portfolio, steps } = plan.product;
  const exposed = { collateral: portfolio.collateralWeights, debt: portfolio.loanWeights };
  const scenarios: GbmShiftedScenarios = shiftedScenarios(
    plan.scenarios as GbmScenarios,
    exposed,
    steps,
    plan.seed,
  );
  return { ...plan, scenarios };
}

it('Figures of shifted paths are those of plain ones, with intervals of their own', () => {
  const plan = shifted(plain);
  const range = { first: 0, count: PATHS };
  const [one, other] = [plan, plain].map(each => figuresOf(each, runRange(each, range), {}));
  const { PrMarginCall, PrCloseout, WorstCaseCCR } = one.figures as Record<string, number | null>;
  expect(WorstCaseCCR).toBeNull();
  for (const [name, figure] of Object.entries({ PrMarginCall, PrCloseout })) {
    const errors = [one, other].map(
      ({ accuracy }) => (accuracy[name] as { readonly standard_error: number }).standard_error,
    );
    const distance = Math.abs(Number(figure) - Number(other.figures[name]));
    expect(distance / Math.hypot(...errors), name).toBeLessThan(4);
    // Paths that are counted alike would say more than twice as much.
    expect(runRange(plan, range).marginCalls / PATHS).toBeGreaterThan(2 * Number(PrMarginCall));
  }
});

it('Single paths of a plan with shifted paths are those of the model', () => {
  expect(planDetails(shifted(plain))).toEqual(planDetails(plain));
});
