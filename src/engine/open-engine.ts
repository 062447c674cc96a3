/**
 * The only place that decides between GPU and CPU: once at start, and for every request.
 *
 * Takes: what the host offers. Gives: the engines, and a way to run work on the one a request asks for. A GPU that
 * is lost while it works costs the caller nothing: the work is done again, and the answer says where.
 */
import { RiskError } from '../errors.ts';
import type { Logger } from '../log.ts';
import { planWork, type SimulationPlan } from '../plan/simulation-plan.ts';
import { staysInSingleRange, suitsSinglePrecision } from '../plan/single-precision.ts';
import { cpuEngineOn } from './cpu/cpu-engine.ts';
import { openThreadPool, type ThreadPool } from './cpu/thread-pool.ts';
import type { Engine, EngineDescription } from './engine.ts';
import { type GpuProcessEngine, openGpuProcessEngine } from './gpu/host/gpu-process-engine.ts';
import { refuseAboveLimit, refuseBeyondDoubles, totalWork } from './plan-refusals.ts';
import { openWasmEngine } from './wasm/wasm-engine.ts';

/** What a request asks for. */
export type ComputeChoice = 'auto' | 'gpu' | 'cpu';

/** The most work, in asset-steps as `plan/work.ts` counts them, that one request may ask of each backend. */
export interface WorkLimits {
  readonly cpu: number;
  readonly gpu: number;
}

/** `none`: no GPU was opened. `given-up`: it has failed so often that it is looked for now and then only. */
export type GpuState = 'none' | 'ready' | 'restarting' | 'given-up';

/** An answer and the engine it came from. */
export interface EngineAnswer<T> {
  readonly value: T;
  readonly engine: EngineDescription;
}

/** The engines of a running service. */
export interface EngineSet {
  /** The double-precision reference, which `cpu` always gets. */
  readonly cpu: Engine;
  /** The single-precision engine of the processor, which `auto` prefers to the reference; absent where it cannot run. */
  readonly fastCpu: Engine | undefined;
  readonly gpu: Engine | undefined;
  /** How the GPU is at this moment; `none` after closing, too. */
  readonly gpuState: GpuState;
  /** Which engine answers by default and why, one line for banner and log. */
  readonly reason: string;
  /**
   * Runs `body` on the engine that `plan` and `choice` lead to. With `auto`, work lost with the GPU is done again on the
   * CPU at once; with `gpu` it is tried once more on the GPU, as soon as that is back.
   *
   * @param runs how many passes over the plan's paths `body` makes; counts towards the work limit
   * @throws RiskError `invalid-request` for a plan that the GPU cannot run, `engine-unavailable` for a GPU that is
   *   not there, `work-limit-exceeded`
   */
  use<T>(
    plan: SimulationPlan,
    choice: ComputeChoice,
    body: (engine: Engine) => Promise<T>,
    runs?: number,
  ): Promise<EngineAnswer<T>>;
  close(): Promise<void>;
}

/** `auto` leaves work below this to the CPU: it is done there before a GPU would have answered. */
const LEAST_GPU_WORK = 500_000;
/** Longest wait for a lost GPU to come back: opening a device takes a second or two. */
const GPU_BACK_MILLISECONDS = 8_000;

/**
 * Opens the engines of a service.
 *
 * @param options.compute what the host offers: `gpu` fails without an adapter, `cpu` never looks for one
 * @throws RiskError `engine-unavailable` if `compute` is `gpu` and there is none
 */
export async function openEngines(options: {
  readonly compute: ComputeChoice;
  readonly softwareGpu: boolean;
  readonly threads: number;
  readonly limits: WorkLimits;
  readonly log: Logger;
}): Promise<EngineSet> {
  const { compute, softwareGpu, limits, log } = options;
  const pool = openThreadPool(options.threads);
  const cpu = cpuEngineOn(pool);
  const offered = { cpu, fastCpu: openFastCpu(pool, log), gpu: undefined, limits, log };
  if (compute === 'cpu' && !softwareGpu) {
    return joinEngines({ ...offered, reason: 'CPU: this host is configured to offer no GPU' });
  }
  try {
    const gpu = await openGpuProcessEngine({ software: softwareGpu, log });
    const reason = gpu.description.software
      ? 'CPU by default: the GPU is a software driver, used on request only'
      : 'GPU by default, CPU for small work and for HISTORICAL';
    return joinEngines({ ...offered, gpu, reason });
  } catch (error) {
    if (compute === 'gpu' || softwareGpu) {
      await cpu.close();
      throw error;
    }
    const why = error instanceof Error ? error.message : String(error);
    log.info({ why }, 'no GPU: the CPU engine serves');
    return joinEngines({ ...offered, reason: `CPU: ${why}` });
  }
}

/** The WebAssembly engine, or undefined and a warning where the processor has no SIMD for it. */
function openFastCpu(pool: ThreadPool, log: Logger): Engine | undefined {
  try {
    return openWasmEngine(pool);
  } catch (error) {
    log.warn({ error }, 'no WebAssembly kernel: the double-precision engine answers in its place');
    return undefined;
  }
}

/** What a set of engines is made of. */
export interface EngineParts extends Pick<EngineSet, 'cpu' | 'fastCpu' | 'reason'> {
  readonly gpu: GpuProcessEngine | undefined;
  readonly limits: WorkLimits;
  readonly log: Logger;
}

/** Makes a set of engines that are open already. */
export function joinEngines(parts: EngineParts): EngineSet {
  return new Engines(parts);
}

class Engines implements EngineSet {
  readonly cpu: Engine;
  readonly fastCpu: Engine | undefined;
  readonly gpu: GpuProcessEngine | undefined;
  readonly reason: string;
  private readonly limits: WorkLimits;
  private readonly log: Logger;

  constructor({ cpu, fastCpu, gpu, reason, limits, log }: EngineParts) {
    this.cpu = cpu;
    this.fastCpu = fastCpu;
    this.gpu = gpu;
    this.reason = reason;
    this.limits = limits;
    this.log = log;
  }

  get gpuState(): GpuState {
    const { state = 'closed' } = this.gpu ?? {};
    return state === 'closed' ? 'none' : state;
  }

  async use<T>(
    plan: SimulationPlan,
    choice: ComputeChoice,
    body: (engine: Engine) => Promise<T>,
    runs = 1,
  ): Promise<EngineAnswer<T>> {
    refuseBeyondDoubles(plan);
    const engine = this.select(plan, choice, runs);
    this.refuseAboveLimit(plan, engine, runs);
    try {
      return { value: await body(engine), engine: engine.description };
    } catch (error) {
      const lost = error instanceof RiskError && error.reason === 'engine-unavailable';
      if (!lost || this.gpu === undefined || engine !== this.gpu) throw error;
      if (choice === 'gpu' && !(await this.gpu.ready(GPU_BACK_MILLISECONDS))) throw error;
      const again = choice === 'gpu' ? engine : this.processorFor(plan);
      this.log.warn({ again: again.description.backend }, 'the GPU was lost; its work is done again');
      // Work that only the GPU may take is not the caller's mistake: it is the GPU that is missing.
      if (again !== engine && this.isAboveLimit(plan, again, runs)) throw error;
      return { value: await body(again), engine: again.description };
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.cpu.close(), this.fastCpu?.close(), this.gpu?.close()]);
  }

  private select(plan: SimulationPlan, choice: ComputeChoice, runs: number): Engine {
    const { gpu, cpu } = this;
    if (choice === 'cpu') return cpu;
    if (choice === 'auto') {
      const worthIt = planWork(plan) >= LEAST_GPU_WORK && suitsSinglePrecision(plan);
      const processor = this.processorFor(plan);
      if (gpu === undefined || gpu.description.software || !worthIt || !gpu.supports(plan)) return processor;
      // A GPU that is away refuses, which is right for work that nothing else here may take.
      return gpu.available || this.isAboveLimit(plan, processor, runs) ? gpu : processor;
    }
    if (plan.scenarios.kind === 'historical') refuseHistoricalOnGpu(choice);
    if (!staysInSingleRange(plan)) {
      throw refusedOnGpu('these volatilities over this term take prices below what single precision holds');
    }
    if (gpu === undefined) {
      throw new RiskError('engine-unavailable', 'This server has no GPU: send x-compute auto or cpu.');
    }
    return gpu;
  }

  /** The engine of the processor that `auto` takes. */
  private processorFor(plan: SimulationPlan): Engine {
    return this.fastCpu?.supports(plan) ? this.fastCpu : this.cpu;
  }

  private refuseAboveLimit(plan: SimulationPlan, { description }: Engine, runs: number): void {
    refuseAboveLimit(plan, runs, description.backend, this.limits[description.backend]);
  }

  private isAboveLimit(plan: SimulationPlan, { description }: Engine, runs: number): boolean {
    return totalWork(plan, runs) > this.limits[description.backend];
  }
}

/**
 * HISTORICAL always runs on the CPU; operations ask before they read a window.
 *
 * @throws RiskError `invalid-request` for `gpu`
 */
export function refuseHistoricalOnGpu(choice: ComputeChoice): void {
  if (choice === 'gpu') throw refusedOnGpu('HISTORICAL always runs on the CPU');
}

function refusedOnGpu(reason: string): RiskError {
  return new RiskError('invalid-request', 'The request is not valid.', {
    faults: [{ path: 'header.x-compute', message: `${reason}: x-compute must be auto or cpu, not gpu.` }],
  });
}
