/** What a plan of the bench is: fixed work with a known answer. */
import type { Engine, OutcomeOf } from '#src/core/engine.js';
import type { Product, SimulationPlan } from '#src/core/plan/simulation-plan.js';
import type { Comparison } from './judge.ts';

/** How much work suits an engine: a smoke test, a processor, a software GPU, a GPU. */
export type SizeClass = 'quick' | 'cpu' | 'software' | 'gpu';

/** A plan that was run, and what came back. */
export interface FinishedRun<P extends Product> {
  readonly plan: SimulationPlan<P>;
  readonly outcome: OutcomeOf<P>;
}

/** Fixed work with a known answer. */
export interface BenchPlan<P extends Product = Product> {
  readonly name: string;
  /** One line for the report. */
  readonly title: string;
  /** Paths of one run by size class. */
  readonly paths: Readonly<Record<SizeClass, number>>;
  plan(paths: number, seed: number): SimulationPlan<P>;
  /**
   * Compares what the timed runs gave, pooled over their seeds, with what is known. May run and trace further paths.
   *
   * @param runs all runs of one process, with distinct seeds
   */
  judge(runs: readonly FinishedRun<P>[], engine: Engine): Promise<readonly Comparison[]>;
}

/** Sum of a figure over all runs. */
export function pooled<P extends Product>(
  runs: readonly FinishedRun<P>[],
  figure: (outcome: OutcomeOf<P>) => number,
): number {
  return runs.reduce((sum, { outcome }) => sum + figure(outcome), 0);
}
