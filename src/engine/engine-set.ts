/**
 * The engines of a running service, as operations and health checks see them.
 *
 * Gives: types. Must not know: how engines are opened and selected (open-engine.ts).
 */

import type { Engine, EngineDescription } from '../core/engine.ts';
import type { SimulationPlan } from '../core/plan/simulation-plan.ts';
import type { Logger } from '../host/log.ts';
import type { SimdKernel } from './native/kernel-choice.ts';

/** Values of `x-compute`; with `auto` the server selects the engine. */
export type ComputeChoice = 'auto' | 'gpu' | 'cpu';

/** Most asset-steps (`core/plan/work.ts`) of one request on each backend. */
export interface WorkLimits {
  readonly cpu: number;
  readonly gpu: number;
}

/**
 * `none`: no GPU was opened. `restarting`: it does not answer, or is being started. `given-up`: after many failures it is
 * started again once a minute only.
 */
export type GpuState = 'none' | 'ready' | 'restarting' | 'given-up';

export interface GpuCounts {
  readonly losses: number;
  readonly restarts: number;
}

/** An answer and its engine. */
export interface EngineAnswer<T> {
  readonly value: T;
  readonly engine: EngineDescription;
}

/** Options of one use of the engines. */
export interface UseOptions {
  /** Passes over the plan's paths, 1 by default; they count towards the work limit. */
  readonly runs?: number;
  /** The part of the caller's whole work, as shares from 0 to 1, for its progress; all of it by default. */
  readonly part?: { readonly from: number; readonly to: number };
  /** Factor of the server's work limit, 1 by default: more for work with a longer deadline. */
  readonly limitScale?: number;
  /** The log of this work; the log of the service by default. */
  readonly log?: Logger;
}

/** The engines of a running service. */
export interface EngineSet {
  /** The double-precision reference, which `cpu` always uses. */
  readonly reference: Engine;
  /** The single-precision CPU engine, which `auto` prefers to the reference; undefined where it cannot run. */
  readonly simd: Engine | undefined;
  readonly gpu: Engine | undefined;
  /** Whether `auto` may use a software driver, for tests. */
  readonly autoTakesSoftware?: boolean;
  /** The present state of the GPU; `none` after `close`, too. */
  readonly gpuState: GpuState;
  /** Whether the GPU has compiled the usual kernels: before that a first run waits for the compiler. */
  readonly isGpuWarm: boolean;
  /** The kernel of `simd`; undefined where there is none. */
  readonly simdKernel: SimdKernel | undefined;
  /** Least asset-steps that `auto` runs on the GPU; infinite until it is measured, and where the processor is never slower. */
  gpuLeastWork(): number;
  /** Seconds of the longest slice of a thread of the processor in the last one to two minutes. */
  longestSliceSeconds(): number;
  /** Unexpected ends of the GPU process, and its restarts. */
  readonly gpuCounts: GpuCounts;
  /** Most work of a request; a job may have more. */
  readonly limits: WorkLimits;
  /** The default engine and why, one line for banner and log. */
  readonly reason: string;
  /**
   * Runs `body` on the engine for `plan` and `choice`. With `auto`, the CPU repeats work at once if the GPU is lost or fails.
   * With `gpu`, lost work is repeated once when the GPU has restarted; failed work is not repeated, since it would fail again.
   *
   * @throws RiskError `invalid-request` for a plan that the GPU cannot run, `engine-unavailable` without a GPU,
   *   `engine-failed` where a GPU fails and the work is above the limit of the CPU, `work-limit-exceeded`
   */
  use<T>(
    plan: SimulationPlan,
    choice: ComputeChoice,
    body: (engine: Engine) => Promise<T>,
    options?: UseOptions,
  ): Promise<EngineAnswer<T>>;
  close(): Promise<void>;
}

/** The engines of a question. */
export type QuestionEngines = Pick<EngineSet, 'reference' | 'use'>;
