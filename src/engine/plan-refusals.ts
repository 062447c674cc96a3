/**
 * Plans that no engine of this server runs: refused before the run, with the field of the plan at fault.
 *
 * Takes: a plan. Gives: nothing, or a refusal with the figure and the limit. Must not know: which engines there are.
 */
import { RiskError } from '../core/errors.ts';
import { drawnPrices } from '../core/plan/models.ts';
import { planFault } from '../core/plan/plan-fault.ts';
import { DOUBLE_LOG_RANGE, expectedLogFall } from '../core/plan/price-range.ts';
import type { SimulationPlan } from '../core/plan/simulation-plan.ts';
import { weighedWork } from '../core/plan/work.ts';
import type { ComputeChoice } from './engine-set.ts';

/**
 * C / L has no meaning for prices that round to 0.
 *
 * @throws RiskError `invalid-request`
 */
export function refuseBeyondDoubles(plan: SimulationPlan): void {
  const fall = expectedLogFall(plan);
  if (fall <= DOUBLE_LOG_RANGE) return;
  const why = `prices could fall by a factor of exp(${fall.toFixed(0)}), and at most exp(${DOUBLE_LOG_RANGE}) can be computed`;
  throw new RiskError(
    'invalid-request',
    `The volatilities are too high for the term: ${why}. Shorten the term, or lower volatility_shock where it is above 0.`,
    { faults: [planFault('steps', `is too long for these volatilities: ${why}`)] },
  );
}

/** Work of all passes over the paths of `plan`, in whole asset-steps. */
export function totalWork(plan: SimulationPlan, runs: number): number {
  return Math.round(weighedWork(plan) * runs);
}

/**
 * Refuses work that would not finish in time.
 *
 * @param runs passes over the paths
 * @param limit most work in asset-steps
 * @throws RiskError `work-limit-exceeded`
 */
export function refuseAboveLimit(
  plan: SimulationPlan,
  runs: number,
  backend: 'cpu' | 'gpu',
  limit: number,
): void {
  const work = totalWork(plan, runs);
  if (work <= limit) return;
  const passes = runs > 1 ? ` in up to ${runs} passes` : '';
  const most = `at most ${limit} on the ${backend.toUpperCase()}`;
  const paths = `${plan.paths} ${drawnPrices(plan.scenarios) === undefined ? 'windows' : 'paths'}`;
  throw new RiskError(
    'work-limit-exceeded',
    `The request asks for ${work} asset-steps${passes} (paths x steps x assets, weighed by operation); this server takes ${most}.`,
    {
      faults: [
        planFault(
          'paths',
          `makes ${paths}, which take ${work} asset-steps${passes}; this server takes ${most}`,
        ),
      ],
    },
  );
}

/**
 * HISTORICAL runs on the CPU only; operations call this before they read a window.
 *
 * @throws RiskError `invalid-request` for `gpu`
 */
export function refuseHistoricalOnGpu(choice: ComputeChoice): void {
  if (choice === 'gpu') throw refusedOnGpu('HISTORICAL always runs on the CPU');
}

/**
 * Sobol points are computed on the CPU only; operations call this before they read a window.
 *
 * @throws RiskError `invalid-request` for `gpu`
 */
export function refuseSobolOnGpu(choice: ComputeChoice): void {
  if (choice === 'gpu') throw refusedOnGpu('sampling=sobol always runs on the CPU');
}

/** The refusal of a request that a GPU cannot run. */
export function refusedOnGpu(reason: string): RiskError {
  return new RiskError('invalid-request', 'The request is not valid.', {
    faults: [
      {
        code: 'not_supported',
        path: 'header.x-compute',
        message: `${reason}: x-compute must be auto or cpu, not gpu.`,
      },
    ],
  });
}
