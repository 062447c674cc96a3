/**
 * Runs a simulation kernel over all paths and reads its sums, on request with one record per path. A small run is one command buffer and one
 * readback, submitted with other small runs; a long one is split into slices (dispatcher.ts).
 */
import type { PathRecords } from '../engine.ts';
import type { Portfolio } from '../plan/portfolio.ts';
import type { Product, SimulationPlan } from '../plan/simulation-plan.ts';
import { largestBinding } from './buffers.ts';
import type { BindGroups } from './compute-pass.ts';
import { onDevice } from './device-errors.ts';
import { dispatchSlices, type SlicedRun } from './dispatcher.ts';
import { type Program, type RecordKinds, type SimulationKernel, simulationKernel } from './kernels.ts';
import type { MarketView } from './model/market.ts';
import { acceptedMarket } from './models.ts';
import type { CompiledKernel } from './pipelines.ts';
import type { ScratchRun } from './scratch.ts';
import { type FirstRate, type GpuSession, ratesOf, workgroupSizeOf } from './session.ts';
import type { PooledSet } from './simulation-buffers.ts';
import { SLICE, wordsOf } from './struct-layout.ts';

/** One run of a simulation kernel. */
export interface SimulationJob {
  readonly kernel: SimulationKernel;
  readonly seed: number;
  /** Number of the first path; records begin with it. */
  readonly firstPath: number;
  readonly paths: number;
  readonly steps: number;
  /** Work of a step, in steps of an hour. */
  readonly stepWork: number;
  readonly assets: number;
  /** MarketParameters. */
  readonly parameters: Uint32Array<ArrayBuffer>;
  /** Tables of the model. */
  readonly tables: Float32Array<ArrayBuffer> | undefined;
  /** Terms of the product. */
  readonly terms: Uint32Array<ArrayBuffer>;
  /** Whether one record per path is written. */
  readonly trace: boolean;
  /** Bindings of group 1 after the terms. */
  readonly own: readonly GPUBuffer[];
  /** Words that a path keeps along its steps, after its state. */
  readonly keptWords: number;
  readonly signal: AbortSignal | undefined;
}

/** A plan on the GPU: its `paths` paths from `firstPath` on, 0 by default. */
export type GpuPlan<P extends Product = Product> = SimulationPlan<P> & { readonly firstPath?: number };

/** Parameters of a run of a program beside the plan's seed, paths and model. */
export interface ProgramRun {
  readonly view: MarketView;
  readonly portfolio: Portfolio;
  readonly steps: number;
  /** See `SimulationJob`; 1 by default. */
  readonly stepWork?: number;
  readonly terms: Uint32Array<ArrayBuffer>;
  readonly trace?: boolean;
  readonly own?: readonly GPUBuffer[];
  /** See `SimulationJob`; 0 by default. */
  readonly keptWords?: number;
}

/** The job that runs a program on the paths of a plan that the engine has accepted. */
export function programJob(
  program: Program,
  { seed, firstPath = 0, paths, scenarios }: Pick<GpuPlan, 'seed' | 'firstPath' | 'paths' | 'scenarios'>,
  { view, portfolio, steps, stepWork = 1, terms, trace = false, own = [], keptWords = 0 }: ProgramRun,
  signal: AbortSignal | undefined,
): SimulationJob {
  const market = acceptedMarket(scenarios.kind, view);
  return {
    kernel: simulationKernel(program, scenarios.kind, view, market),
    seed,
    firstPath,
    paths,
    steps,
    stepWork,
    assets: scenarios.assets,
    parameters: market.pack(scenarios, portfolio),
    tables: market.tables?.(scenarios),
    terms,
    trace,
    own,
    keptWords,
    signal,
  };
}

export interface SimulationResult {
  readonly sums: Uint32Array;
  /** Field f of path firstPath + p at f x paths + p. */
  readonly records: Uint32Array | undefined;
}

/** The columns of the records of a traced run. */
export function recordColumns(kinds: RecordKinds, { records }: SimulationResult, paths: number): PathRecords {
  const columns = Object.entries(kinds).map(([name, kind], field) => {
    const words = records!.slice(field * paths, (field + 1) * paths);
    return [name, Float64Array.from(kind === 'real' ? new Float32Array(words.buffer) : words)];
  });
  return Object.fromEntries(columns);
}

/**
 * Runs a job to its end.
 *
 * @throws RiskError `engine-unavailable` when the device is lost, `engine-failed` when it refuses; the signal's reason
 */
export async function simulate(session: GpuSession, job: SimulationJob): Promise<SimulationResult> {
  const { context, pipelines, buffers } = session;
  job.signal?.throwIfAborted();
  context.check();
  const workgroupSize = workgroupSizeOf(session, job.kernel);
  const overrides = {
    workgroup_size: workgroupSize,
    assets: job.assets,
    trace: job.trace ? 1 : 0,
    ...job.kernel.program.overrides,
  };
  const compiled = await pipelines.get(job.kernel, overrides, job.signal);
  const set = buffers.acquire(compiled);
  try {
    return await session.scratch.lend(scratch =>
      onDevice(context, job.signal, () => runSlices(session, job, { compiled, set, scratch, workgroupSize })),
    );
  } finally {
    buffers.release(compiled, set);
  }
}

/**
 * Per path, step and asset. The time of few paths is latency; the factor of the correlation of 32 assets costs as much as ten
 * assets.
 */
const FIRST_RATE: FirstRate = { gpu: 0.05, software: 50, latencyPaths: 2 ** 14 };

/** The resources of a job on the device. */
interface JobResources {
  readonly compiled: CompiledKernel<SimulationKernel>;
  readonly set: PooledSet;
  readonly scratch: ScratchRun;
  readonly workgroupSize: number;
}

async function runSlices(
  session: GpuSession,
  job: SimulationJob,
  { compiled, set, scratch, workgroupSize }: JobResources,
): Promise<SimulationResult> {
  const { device } = session.context;
  const { buffers } = set;
  const { STORAGE, COPY_SRC } = GPUBufferUsage;
  const { program, sumWords } = job.kernel;
  const recordBytes = job.trace ? 4 * Object.keys(program.records).length * job.paths : 0;
  const records =
    recordBytes > 0 ? await scratch.take('simulation.records', recordBytes, STORAGE | COPY_SRC) : undefined;
  const stateWords = job.kernel.stateWords(job.assets) + job.keptWords;
  const tables = job.tables && (await scratch.upload('simulation.tables', job.tables));
  let pathState: GPUBuffer | undefined;
  const bind = () => session.buffers.bind(compiled, buffers, { pathState, records, tables, own: job.own });
  let groups: BindGroups = records === undefined && set.groups !== undefined ? set.groups : bind();

  device.queue.writeBuffer(buffers.market, 0, job.parameters);
  device.queue.writeBuffer(buffers.terms, 0, job.terms);
  const run: SlicedRun = {
    name: job.kernel.name,
    paths: job.paths,
    steps: job.steps,
    workgroupPaths: workgroupSize,
    // The state of so many paths fits one buffer.
    maxPaths: Math.max(
      1,
      Math.floor(Math.min(session.memory.valueBytes, largestBinding(device)) / (4 * stateWords)),
    ),
    rates: ratesOf(
      session,
      `${compiled.key} ${job.stepWork}`,
      job.stepWork * job.assets * (1 + job.assets / 10),
      FIRST_RATE,
    ),
    batched: true,
    result: buffers.sums,
    resultBytes: 4 * sumWords,
    readback: buffers.readback,
    fences: buffers.fences,
    async work({ firstPath, pathCount, firstStep, endStep }) {
      const isSaved = job.keptWords > 0 || endStep < job.steps || firstStep > 0;
      const stateBytes = isSaved ? 4 * stateWords * pathCount : 0;
      if (stateBytes > (pathState?.size ?? 0)) {
        pathState = await scratch.take('simulation.path-state', stateBytes, STORAGE);
        groups = bind();
      }
      const words = wordsOf(SLICE, {
        first_path: job.firstPath + firstPath,
        path_count: pathCount,
        first_step: firstStep,
        end_step: endStep,
        steps: job.steps,
        paths: job.paths,
        seed: job.seed,
        run_path: job.firstPath,
      });
      device.queue.writeBuffer(buffers.slice, 0, words);
      return { dispatches: [{ compiled, groups, workgroups: [Math.ceil(pathCount / workgroupSize), 1] }] };
    },
  };
  const sums = await dispatchSlices(session, run, job.signal);
  return { sums, records: records && (await scratch.read(records, recordBytes)) };
}
