/**
 * Plans that failed on the GPU recently, so that `auto` does not repeat the failure with every request.
 *
 * Takes: plans that failed. Gives: whether a plan of the same kind has failed. Must not know: why, engines, choices.
 */
import type { SimulationPlan } from '../core/plan/simulation-plan.ts';

/** Time during which a kind of plan does not run on the GPU after a failure. */
const REMEMBERED_MILLISECONDS = 60_000;

/** Failures by product, model, number of assets and passes, which determine the kernels. */
export class RecentFailures {
  private readonly until = new Map<string, number>();
  private readonly now: () => number;

  /** @param now a clock in milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.now = now;
  }

  /** @param runs passes over the plan's paths: a search runs other kernels than a single pass */
  note(plan: SimulationPlan, runs: number): void {
    this.until.set(kindOf(plan, runs), this.now() + REMEMBERED_MILLISECONDS);
  }

  isRecent(plan: SimulationPlan, runs: number): boolean {
    return (this.until.get(kindOf(plan, runs)) ?? Number.NEGATIVE_INFINITY) > this.now();
  }
}

function kindOf({ product, scenarios }: SimulationPlan, runs: number): string {
  return `${product.kind} ${scenarios.kind} ${scenarios.assets} ${runs}`;
}
