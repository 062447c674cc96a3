/** Messages between server and GPU process; every value survives structured cloning. */

import type { EngineDescription, PathRecords } from '../../core/engine.ts';
import type { FailureReason, Fault } from '../../core/errors.ts';
import type { DeviceOutcome } from '../../core/gpu/product/program.ts';
import type { RangeSums } from '../../core/gpu/range-sums.ts';
import type { PathRange } from '../../core/plan/records.ts';
import type { Product, SimulationPlan } from '../../core/plan/simulation-plan.ts';

/** How the process opens its device; its only command line argument, as JSON. */
export interface GpuProcessOptions {
  readonly allowSoftware: boolean;
}

/** Requests to the process. */
export type GpuWork =
  | { readonly kind: 'run' | 'trace'; readonly plan: SimulationPlan }
  /** Sums over some paths of a plan. */
  | { readonly kind: 'range'; readonly plan: SimulationPlan; readonly range: PathRange };

export type ToGpuProcess =
  | (GpuWork & {
      readonly id: number;
      /** Requests `progress`. */
      readonly watched: boolean;
    })
  | { readonly kind: 'abort'; readonly id: number }
  /** Requests `alive`. */
  | { readonly kind: 'ping' }
  | { readonly kind: 'close' };

export type FromGpuProcess =
  /** The device is open. */
  | { readonly kind: 'ready'; readonly description: EngineDescription }
  /** The usual kernels are compiled, or are left to the first run of each. */
  | { readonly kind: 'warm' }
  /** The device could not be opened, or has failed: the process ends after this. */
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'alive' }
  /** Share of the paths that are done. */
  | { readonly kind: 'progress'; readonly id: number; readonly share: number }
  | {
      readonly kind: 'done';
      readonly id: number;
      readonly value: DeviceOutcome<Product> | PathRecords | RangeSums;
    }
  | { readonly kind: 'refused'; readonly id: number; readonly failure: Failure };

/** An error in plain data. */
export interface Failure {
  /** Absent for an error that is no RiskError. */
  readonly reason?: FailureReason;
  readonly message: string;
  readonly faults: readonly Fault[];
  /** For the log: stack and causes. */
  readonly details: string;
}
