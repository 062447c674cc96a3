/**
 * What all runs on one device share: pipelines, buffers, and what was learnt of its speed.
 *
 * Takes: an open device and a way to read shaders. Gives: a session. Must not know: plans, products.
 */
import type { GpuContext } from './gpu-context.ts';
import type { Kernel } from './kernels.ts';
import { type CompiledKernel, createPipelineCache, type PipelineCache } from './pipelines.ts';
import type { LoadShader } from './read-shader.ts';
import { createScratchPool, type ScratchPool } from './scratch.ts';
import { createSimulationBufferPool, type SimulationBufferPool } from './simulation-buffers.ts';
import { Slots } from './slots.ts';
import { StepRates } from './step-rates.ts';
import { SubmissionBatch } from './submission-batch.ts';
import { SubmissionTimeline } from './submissions.ts';

/** What decides how a run is cut; no outcome depends on it. */
export interface CuttingOptions {
  /** Invocations per workgroup, at most 256. */
  readonly workgroupSize?: number;
  /** Most paths in a dispatch. */
  readonly maxPaths?: number;
  /** Wished milliseconds of a dispatch. */
  readonly sliceMilliseconds?: number;
  /** A run that should take no longer goes to the device with others; a longer one would make them wait for its end. */
  readonly batchMilliseconds?: number;
  /** Paths below which steps are cut instead of paths. */
  readonly parallelPaths?: number;
  /** Most bytes of path values that are kept on the device at a time; one set of them is kept in any case. */
  readonly valueBytes?: number;
}

/** Everything that runs on one device share. */
export interface GpuSession {
  readonly context: GpuContext;
  readonly pipelines: PipelineCache;
  readonly buffers: SimulationBufferPool;
  readonly scratch: ScratchPool;
  readonly timeline: SubmissionTimeline;
  readonly batch: SubmissionBatch;
  readonly slots: Slots;
  readonly rates: Map<string, StepRates>;
  readonly cutting: Required<CuttingOptions>;
}

/** Workgroup memory left for the sums. */
const SUMS_WORKGROUP_BYTES = 512;
/** Nanoseconds per path, step and asset of a slow device of its class, and of a software device. */
const SLOW_GPU_NANOSECONDS = 0.05;
const SOFTWARE_NANOSECONDS = 50;
/** A GPU takes as long for a few paths as for so many: a step of a lone group of threads is all latency. */
const LATENCY_PATHS = 2 ** 14;
/** Wished milliseconds of a dispatch while other runs wait for the device. */
const SHARED_SLICE_MILLISECONDS = 5;

/** The session of an open device. */
export function createGpuSession(
  context: GpuContext,
  loadShader: LoadShader,
  cutting: CuttingOptions = {},
): GpuSession {
  return {
    context,
    pipelines: createPipelineCache(context, loadShader),
    buffers: createSimulationBufferPool(context.device),
    scratch: createScratchPool(context.device),
    timeline: new SubmissionTimeline(),
    batch: new SubmissionBatch(context.device.queue),
    slots: new Slots(),
    rates: new Map(),
    cutting: {
      workgroupSize: context.workgroupSize,
      maxPaths: Number.MAX_SAFE_INTEGER,
      // Two are under way: what comes meanwhile waits for both. A software device needs longer ones to be measured at all.
      sliceMilliseconds: context.description.software ? 25 : 10,
      batchMilliseconds: 2,
      parallelPaths: context.parallelPaths,
      valueBytes: 2 ** 29,
      ...cutting,
    },
  };
}

/** Nanoseconds that the next dispatch of a run should take, at most. */
export function sliceNanoseconds({ slots, cutting }: GpuSession): number {
  const { sliceMilliseconds } = cutting;
  return 1e6 * (slots.shared ? Math.min(SHARED_SLICE_MILLISECONDS, sliceMilliseconds) : sliceMilliseconds);
}

/** Invocations per workgroup: as wished, or the largest power of two whose workgroup memory the device has. */
export function workgroupSizeOf({ context, cutting }: GpuSession, { laneBytes }: Kernel): number {
  if (laneBytes === undefined) return cutting.workgroupSize;
  const available = context.device.limits.maxComputeWorkgroupStorageSize - SUMS_WORKGROUP_BYTES;
  return Math.min(cutting.workgroupSize, 2 ** Math.floor(Math.log2(available / laneBytes)));
}

/** The rates of a kernel on this device. The factor of the correlation costs as much as ten assets for 32. */
export function ratesOf({ rates, context }: GpuSession, compiled: CompiledKernel, assets: number): StepRates {
  let known = rates.get(compiled.key);
  if (known === undefined) {
    const perAsset = context.description.software ? SOFTWARE_NANOSECONDS : SLOW_GPU_NANOSECONDS;
    const latencyPaths = context.description.software ? 1 : LATENCY_PATHS;
    known = new StepRates(perAsset * assets * (1 + assets / 10), latencyPaths);
    rates.set(compiled.key, known);
  }
  return known;
}
