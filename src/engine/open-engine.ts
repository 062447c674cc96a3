/**
 * The only place that decides between GPU and CPU: once at start, and for every request.
 *
 * Takes: the configuration of the host. Gives: the engines, and a way to run work on the engine of a request. If a GPU is lost
 * or fails during a request with `auto`, the CPU repeats the work, and the answer names the engine.
 */

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Engine, EngineKind } from '../core/engine.ts';
import { RiskError } from '../core/errors.ts';
import { contractOf } from '../core/plan/products.ts';
import type { SimulationPlan } from '../core/plan/simulation-plan.ts';
import {
  beyondSingles,
  measureRatios,
  suitsSinglePrecision,
  tooRisklessToSell,
} from '../core/plan/single-precision.ts';
import { assetSteps } from '../core/plan/work.ts';
import type { Logger } from '../host/log.ts';
import { measureBreakEven } from './break-even.ts';
import type {
  ComputeChoice,
  EngineAnswer,
  EngineSet,
  GpuCounts,
  GpuState,
  UseOptions,
  WorkLimits,
} from './engine-set.ts';
import { findGpu, logNoGpu } from './find-gpu.ts';
import type { GpuProcessEngine } from './gpu-process/gpu-process-engine.ts';
import { chooseKernel, type NativeWish, type SimdKernel, WASM_KERNEL } from './native/kernel-choice.ts';
import type { PartEngine, Spreader } from './parts.ts';
import {
  refuseAboveLimit,
  refuseBeyondDoubles,
  refusedOnGpu,
  refuseHistoricalOnGpu,
  totalWork,
} from './plan-refusals.ts';
import { RecentFailures } from './recent-failures.ts';
import { referenceEngineOn } from './threads/reference-engine.ts';
import { openSimdThreads } from './threads/simd-engine.ts';
import { openThreadPool, type ThreadPool } from './threads/thread-pool.ts';

/** Least asset-steps that `auto` runs on a software driver, where it may, to test the loss of a GPU. */
const SOFTWARE_WORK = 500_000;
/** Longest wait for a lost GPU to restart: opening a device takes a second or two. */
const GPU_BACK_MILLISECONDS = 8_000;

/**
 * Opens the engines of a service.
 *
 * @param options.compute `gpu` fails without an adapter, `cpu` never opens one
 * @throws RiskError `engine-unavailable` if `compute` is `gpu` and there is none
 */
export async function openEngines(options: {
  readonly compute: ComputeChoice;
  readonly softwareGpu: boolean;
  /** Whether x-compute `auto` uses the software driver, too: to test the loss of a GPU. */
  readonly autoTakesSoftware?: boolean;
  readonly threads: number;
  readonly limits: WorkLimits;
  /** The SIMD kernel of the processor; `auto` by default. */
  readonly native?: NativeWish;
  /** Distributes large runs to other processes. */
  readonly spreader?: Spreader | undefined;
  readonly log: Logger;
}): Promise<EngineSet> {
  const { compute, softwareGpu, autoTakesSoftware = false, limits, log, spreader } = options;
  const simdKernel = chooseKernel(options.native ?? 'auto', log);
  const pool = openThreadPool(options.threads, simdKernel.kernel);
  const reference = referenceEngineOn(pool);
  const simd = openSimd(pool, log);
  const local = new Map<Engine, readonly [EngineKind, Engine & PartEngine]>([
    [reference, ['reference', reference]],
  ]);
  if (simd !== undefined) local.set(simd, ['simd', simd]);
  const spread = (plan: SimulationPlan, engine: Engine): Engine => {
    const [kind, parts] = local.get(engine) ?? [];
    return (kind && parts && spreader?.spread(plan, kind, parts)) ?? engine;
  };
  const offered = {
    ...{ reference, simd, gpu: undefined, simdKernel, autoTakesSoftware, limits, log, spread },
    longestSliceSeconds: () => pool.longestSliceSeconds(),
  };
  try {
    const found = await findGpu({ compute, softwareGpu, log, summarise: reference.summarise });
    const { gpu } = found;
    if (gpu === undefined) {
      if (compute !== 'cpu') logNoGpu(log, found.why, 'no GPU: the CPU engine serves');
      return joinEngines({ ...offered, reason: `CPU: ${found.why}` });
    }
    local.set(gpu, [gpuKind(gpu), gpu]);
    const byDefault = !gpu.description.software || autoTakesSoftware;
    const reason = !byDefault
      ? 'CPU by default: the GPU is a software driver, used on request only'
      : 'GPU by default, CPU for small work and for HISTORICAL';
    return joinEngines({ ...offered, gpu, reason, gpuLeastWork: leastWorkOf(gpu, simd ?? reference, log) });
  } catch (error) {
    await reference.close();
    throw error;
  }
}

/** The least work that `auto` runs on a GPU: none until it is measured, in the background. */
function leastWorkOf(gpu: Engine, processor: Engine, log: Logger): () => number {
  if (gpu.description.software) return () => SOFTWARE_WORK;
  let least = Number.POSITIVE_INFINITY;
  void measureBreakEven(gpu, processor).then(
    found => {
      least = found;
      log.info({ asset_steps: found }, 'measured from how much work on the GPU is faster');
    },
    // What failed is reported by the requests that need it.
    error => log.debug({ err: error }, 'the speed of the GPU was not measured'),
  );
  return () => least;
}

/** The kind of a GPU engine. */
export function gpuKind({ description }: Pick<Engine, 'description'>): EngineKind {
  return description.software ? 'software-gpu' : 'gpu';
}

/** The SIMD engine; undefined, with a warning in the log, where the processor has no SIMD for WebAssembly. */
export function openSimd(pool: ThreadPool, log: Logger): (Engine & PartEngine) | undefined {
  try {
    return openSimdThreads(pool);
  } catch (error) {
    log.warn({ err: error }, 'no WebAssembly kernel: the double-precision engine answers in its place');
    return undefined;
  }
}

/** The parts of a set of engines. */
export interface EngineParts extends Pick<EngineSet, 'reference' | 'simd' | 'autoTakesSoftware' | 'reason'> {
  readonly gpu: GpuProcessEngine | undefined;
  /** The kernel of `simd`; WebAssembly by default. */
  readonly simdKernel?: SimdKernel;
  readonly limits: WorkLimits;
  /** Least asset-steps that `auto` runs on the GPU; those of a software driver by default. */
  readonly gpuLeastWork?: () => number;
  /** Seconds of the longest slice of the threads; 0 by default. */
  readonly longestSliceSeconds?: () => number;
  /** The engine that runs a plan instead of an engine of this process, with the same outcomes; that engine by default. */
  readonly spread?: (plan: SimulationPlan, engine: Engine) => Engine;
  readonly log: Logger;
}

/** A set of open engines. */
export function joinEngines(parts: EngineParts): EngineSet {
  return new Engines(parts);
}

/** Whether the GPU failed, not only was unavailable. */
function isFailure(error: RiskError): boolean {
  return error.reason === 'engine-failed';
}

/** Whether the cause is the GPU, not the work. */
function isOfGpu(error: RiskError): boolean {
  return isFailure(error) || error.reason === 'engine-unavailable';
}

class Engines implements EngineSet {
  readonly reference: Engine;
  readonly simd: Engine | undefined;
  readonly gpu: GpuProcessEngine | undefined;
  readonly simdKernel: SimdKernel | undefined;
  readonly autoTakesSoftware: boolean;
  readonly reason: string;
  readonly limits: WorkLimits;
  readonly longestSliceSeconds: () => number;
  readonly gpuLeastWork: () => number;
  private readonly log: Logger;
  private readonly failures = new RecentFailures();
  private readonly spread: (plan: SimulationPlan, engine: Engine) => Engine;

  constructor(parts: EngineParts) {
    const { reference, simd, gpu, autoTakesSoftware = false, reason, limits, log, spread } = parts;
    this.spread = spread ?? ((_, engine) => engine);
    this.longestSliceSeconds = parts.longestSliceSeconds ?? (() => 0);
    this.gpuLeastWork = parts.gpuLeastWork ?? (() => SOFTWARE_WORK);
    this.autoTakesSoftware = autoTakesSoftware;
    this.reference = reference;
    this.simd = simd;
    this.simdKernel = simd && (parts.simdKernel ?? WASM_KERNEL);
    this.gpu = gpu;
    this.reason = reason;
    this.limits = limits;
    this.log = log;
  }

  get gpuState(): GpuState {
    const { state = 'closed' } = this.gpu ?? {};
    if (state === 'closed') return 'none';
    return state === 'stalled' ? 'restarting' : state;
  }

  get isGpuWarm(): boolean {
    return this.gpu?.isWarm ?? false;
  }

  get gpuCounts(): GpuCounts {
    return this.gpu?.counts ?? { losses: 0, restarts: 0 };
  }

  async use<T>(
    plan: SimulationPlan,
    choice: ComputeChoice,
    body: (engine: Engine) => Promise<T>,
    { runs = 1, limitScale = 1, log = this.log }: UseOptions = {},
  ): Promise<EngineAnswer<T>> {
    refuseBeyondDoubles(plan);
    await measureRatios(plan, nextTurn);
    const counted = runs / limitScale;
    const engine = this.select(plan, choice, counted);
    const { backend } = engine.description;
    refuseAboveLimit(plan, runs, backend, limitScale * this.limits[backend]);
    let used = this.spread(plan, engine);
    if (engine === this.gpu && used !== engine) {
      try {
        return { value: await body(used), engine: used.description };
      } catch (error) {
        // The GPU of this process has not failed.
        if (!(error instanceof RiskError && isOfGpu(error))) throw error;
        log.warn(
          { err: error },
          'the GPUs of the fleet failed; the work is done again on the GPU of this process',
        );
        used = engine;
      }
    }
    return this.runOn(engine, used, plan, choice, body, { counted, log });
  }

  /** Runs work on `used`, which has the figures of `engine`, and repeats it where the GPU of this process fails. */
  private async runOn<T>(
    engine: Engine,
    used: Engine,
    plan: SimulationPlan,
    choice: ComputeChoice,
    body: (engine: Engine) => Promise<T>,
    { counted, log }: { readonly counted: number; readonly log: Logger },
  ): Promise<EngineAnswer<T>> {
    try {
      return { value: await body(used), engine: used.description };
    } catch (error) {
      if (this.gpu === undefined || engine !== this.gpu || !(error instanceof RiskError)) throw error;
      const again = await this.engineAfter(error, plan, choice, counted);
      // Not `work-limit-exceeded`: the GPU, not the request, is the cause.
      if (again === undefined || (again !== engine && this.isAboveLimit(plan, again, counted))) throw error;
      const details = { again: again.description.backend };
      if (isFailure(error)) log.error({ ...details, err: error }, 'the GPU failed; its work is done again');
      else log.warn(details, 'the GPU was lost; its work is done again');
      const other = this.spread(plan, again);
      return { value: await body(other), engine: other.description };
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.reference.close(), this.simd?.close(), this.gpu?.close()]);
  }

  /** The engine that repeats work after an error of the GPU; undefined where the error is the answer. */
  private async engineAfter(error: RiskError, plan: SimulationPlan, choice: ComputeChoice, runs: number) {
    if (isFailure(error)) {
      this.failures.note(plan, runs);
      return choice === 'auto' ? this.cpuEngineFor(plan) : undefined;
    }
    if (error.reason !== 'engine-unavailable') return undefined;
    if (choice === 'auto') return this.cpuEngineFor(plan);
    return (await this.gpu?.ready(GPU_BACK_MILLISECONDS)) ? this.gpu : undefined;
  }

  private select(plan: SimulationPlan, choice: ComputeChoice, runs: number): Engine {
    const { gpu, reference } = this;
    if (choice === 'cpu') return reference;
    if (choice === 'auto') {
      const worthIt = assetSteps(plan) >= this.gpuLeastWork() && suitsSinglePrecision(plan);
      const processor = this.cpuEngineFor(plan);
      const spared = gpu?.description.software === true && !this.autoTakesSoftware;
      if (gpu === undefined || spared || !worthIt || !gpu.supports(plan)) return processor;
      // An unavailable GPU refuses the work; no other engine may run work above its limit.
      const usable = gpu.available && !this.failures.isRecent(plan, runs);
      return usable || this.isAboveLimit(plan, processor, runs) ? gpu : processor;
    }
    if (plan.scenarios.kind === 'historical') refuseHistoricalOnGpu(choice);
    const beyond = beyondSingles(plan) ?? tooRisklessToSell(plan);
    if (beyond !== undefined) throw refusedOnGpu(beyond);
    if (gpu === undefined) {
      throw new RiskError('engine-unavailable', 'This server has no GPU: send x-compute auto or cpu.');
    }
    const left = contractOf(plan.product).notOnGpu?.(plan.product);
    if (left !== undefined) throw refusedOnGpu(`${left} runs on the CPU only`);
    if (!gpu.supports(plan)) throw refusedOnGpu('this operation runs on the CPU only');
    return gpu;
  }

  /** The CPU engine of `auto`. */
  private cpuEngineFor(plan: SimulationPlan): Engine {
    return this.simd?.supports(plan) ? this.simd : this.reference;
  }

  private isAboveLimit(plan: SimulationPlan, { description }: Engine, runs: number): boolean {
    return totalWork(plan, runs) > this.limits[description.backend];
  }
}
