/**
 * The engines of a running service, as operations and health checks see them.
 *
 * Gives: types. Must not know: how engines are opened, and by what rule one is taken (open-engine.ts).
 */

import type { Engine, EngineDescription } from '../core/engine.ts';
import type { SimulationPlan } from '../core/plan/simulation-plan.ts';
import type { Logger } from '../log.ts';
import type { SimdKernel } from './native/kernel-choice.ts';

/** Values of `x-compute`. */
export type ComputeChoice = 'auto' | 'gpu' | 'cpu';

/** The most work, in asset-steps as `core/plan/work.ts` counts them, of one request on each backend. */
export interface WorkLimits {
  readonly cpu: number;
  readonly gpu: number;
}

/**
 * `none`: no GPU was opened. `restarting`: it does not answer, or is being started. `given-up`: it has failed so often
 * that it is tried now and then only.
 */
export type GpuState = 'none' | 'ready' | 'restarting' | 'given-up';

export interface GpuCounts {
  readonly losses: number;
  readonly restarts: number;
}

/** An answer and the engine it came from. */
export interface EngineAnswer<T> {
  readonly value: T;
  readonly engine: EngineDescription;
}

/** Options of one use of the engines. */
export interface UseOptions {
  /** How many passes over the plan's paths the work makes, 1 by default; counts towards the work limit. */
  readonly runs?: number;
  /** Which part of the caller's whole work this is, as shares from 0 to 1; all of it by default. For progress only. */
  readonly part?: { readonly from: number; readonly to: number };
  /** How many times the server's work limit is allowed, 1 by default: more for work with a longer deadline. */
  readonly limitScale?: number;
  /** Takes the lines about this work, in place of the service's own. */
  readonly log?: Logger;
}

/** The engines of a running service. */
export interface EngineSet {
  /** The double-precision reference, which `cpu` always gets. */
  readonly reference: Engine;
  /** The single-precision CPU engine, which `auto` prefers to the reference; absent where it cannot run. */
  readonly simd: Engine | undefined;
  readonly gpu: Engine | undefined;
  /** Whether `auto` may take a GPU that is a software driver; never outside of tests. */
  readonly autoTakesSoftware?: boolean;
  /** How the GPU is at this moment; `none` after closing, too. */
  readonly gpuState: GpuState;
  /** The kernel of `simd`; undefined where there is none. */
  readonly simdKernel: SimdKernel | undefined;
  /** How often the GPU process ended by itself, and was started again. */
  readonly gpuCounts: GpuCounts;
  /** Which engine answers by default and why, one line for banner and log. */
  readonly reason: string;
  /**
   * Runs `body` on the engine that `plan` and `choice` lead to. With `auto`, work that the GPU lost or failed at is done
   * again on the CPU at once. With `gpu`, work lost is tried once more on the GPU as soon as that is back; a failure is
   * returned, since it would fail again.
   *
   * @throws RiskError `invalid-request` for a plan that the GPU cannot run, `engine-unavailable` for a GPU that is
   *   not there, `engine-failed` for one that failed at work which the CPU may not take, `work-limit-exceeded`
   */
  use<T>(
    plan: SimulationPlan,
    choice: ComputeChoice,
    body: (engine: Engine) => Promise<T>,
    options?: UseOptions,
  ): Promise<EngineAnswer<T>>;
  close(): Promise<void>;
}

/** The engines as a question uses them. */
export type QuestionEngines = Pick<EngineSet, 'reference' | 'use'>;
