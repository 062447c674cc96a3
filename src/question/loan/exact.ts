/** Figures with a known law: one asset against one under geometric Brownian motion. A calibration thread computes first passages. */
import type { ExactFigure } from '../../core/figures/accuracy.ts';
import type { LoanFigureName } from '../../core/figures/loan.ts';
import { HOURS_PER_YEAR } from '../../core/plan/grid.ts';
import { debtGrowthPerStep } from '../../core/plan/loan-terms.ts';
import { assetPair } from '../../core/plan/ratio-path.ts';
import type { GbmScenarios, LoanProduct, SimulationPlan } from '../../core/plan/simulation-plan.ts';
import { firstPassageError } from '../../core/stats/first-passage.ts';
import { expectedShortfallBelow, shortfallErrorBelow } from '../../core/stats/lognormal.ts';
import type { Asker } from '../../core/turns.ts';
import { calibrateInThread } from '../../models/calibration/calibration-pool.ts';

/** Longest term whose first passages are computed. */
const MAX_STEPS = 8760;
const PERCENT = 100;

/** The exact figures of a loan; none for baskets, other models and terms of more than a year. */
export async function exactLoanFigures(
  plan: SimulationPlan<LoanProduct>,
  asker: Asker,
): Promise<Partial<Record<LoanFigureName, ExactFigure>>> {
  const { scenarios, product } = plan;
  const pair = assetPair(product.portfolio);
  if (
    (scenarios.kind !== 'gbm' && scenarios.kind !== 'gbm-shifted') ||
    pair === undefined ||
    product.steps > MAX_STEPS
  )
    return {};
  const { drift, variance } = ratioOf(scenarios, pair.collateral, pair.loan);
  const walk = {
    drift: drift / HOURS_PER_YEAR - debtGrowthPerStep(product),
    deviation: Math.sqrt(variance / HOURS_PER_YEAR),
    steps: product.steps,
  };
  // CCR_t = N r_0 exp(X_t); the growth of the debt is part of the drift.
  const start = Math.log(product.nominalRatio * pair.startRatio);
  const [marginCall, underwater] = await calibrateInThread(
    'first-passage',
    { walk, levels: [Math.log(product.marginCallRatio) - start, -start] },
    asker,
  );
  const years = product.steps / HOURS_PER_YEAR;
  const { debtGrowth = 1 } = product;
  const final = {
    mean: start + drift * years - Math.log(debtGrowth),
    deviation: Math.sqrt(variance * years),
  };
  const { status } = product.start ?? {};
  const isCalled = status !== undefined && status !== 'open';
  return {
    // Step 0 is a step of the term if the plan has a state of the loan at the start.
    PrMarginCall: isCalled ? CERTAIN : passage(marginCall),
    PrUnderwater: status !== undefined && start < 0 ? CERTAIN : passage(underwater),
    // g_T max(0, 1 - CCR_T): a put of strike g_T.
    AvgLossPct: {
      value: PERCENT * debtGrowth * expectedShortfallBelow(final, 1),
      error: PERCENT * debtGrowth * shortfallErrorBelow(final, 1),
    },
  };
}

const CERTAIN: ExactFigure = { value: 1, error: 0 };
const passage = (value: number): ExactFigure => ({ value, error: firstPassageError(value) });

/**
 * Drift and variance of ln(C/L) per year. Prices are martingales in USD: E[C/L] grows by
 * sigma_l^2 - rho sigma_c sigma_l.
 */
export function ratioOf(
  { assets, annualVolatility, factor }: Omit<GbmScenarios, 'kind'>,
  collateral: number,
  loan: number,
) {
  let variance = 0;
  for (let j = 0; j < assets; j++)
    variance += (factor[collateral * assets + j] - factor[loan * assets + j]) ** 2;
  return { drift: (annualVolatility[loan] ** 2 - annualVolatility[collateral] ** 2) / 2, variance };
}
