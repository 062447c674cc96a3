/** The shared state of all runs on one device: pipelines, buffers, and measured rates. */
import type { GpuContext } from './gpu-context.ts';
import type { SimulationKernel } from './kernels.ts';
import { createPipelineCache, type PipelineCache } from './pipelines.ts';
import { createScratchPool } from './scratch.ts';
import type { LoadShader } from './shader-source.ts';
import { createSimulationBufferPool } from './simulation-buffers.ts';
import { Slots } from './slots.ts';
import { StepRates } from './step-rates.ts';
import { SubmissionBatch } from './submission-batch.ts';
import { SubmissionTimeline } from './submissions.ts';

/** Split of a run into dispatches; no outcome depends on it. */
export interface DispatchOptions {
  /** Invocations per workgroup, at most 256. */
  readonly workgroupSize?: number;
  /** Most paths in a dispatch. */
  readonly maxPaths?: number;
  /** Target milliseconds of a dispatch. */
  readonly sliceMilliseconds?: number;
  /** Most milliseconds of a run that is submitted with others. */
  readonly batchMilliseconds?: number;
  /** With fewer paths than this, steps are split instead of paths. */
  readonly parallelPaths?: number;
  /** Most bytes of path values on the device at a time; one set of them is stored in any case. */
  readonly valueBytes?: number;
}

/** Services of the host of an engine. */
export interface GpuHost {
  readonly loadShader: LoadShader;
  /** Calls back at the end of the current turn of the event loop, as Node's `setImmediate`. Default: the shortest timer. */
  readonly afterThisTurn?: (callback: () => void) => void;
}

export type GpuSession = ReturnType<typeof createGpuSession>;

/** Bytes of workgroup memory that the sums need. */
const SUMS_WORKGROUP_BYTES = 512;
/** Target milliseconds of a dispatch while other runs wait for the device. */
const SHARED_SLICE_MILLISECONDS = 5;

/** Pipelines belong to their device: engines that share one compile each kernel once. */
const pipelinesOfDevices = new WeakMap<GpuContext, PipelineCache>();

function pipelinesOf(context: GpuContext, loadShader: LoadShader): PipelineCache {
  const pipelines = pipelinesOfDevices.get(context) ?? createPipelineCache(context, loadShader);
  pipelinesOfDevices.set(context, pipelines);
  return pipelines;
}

/** The session of an open device. */
export function createGpuSession(
  context: GpuContext,
  { loadShader, afterThisTurn = callback => setTimeout(callback, 0) }: GpuHost,
  dispatch: DispatchOptions = {},
) {
  const options: Required<DispatchOptions> = {
    workgroupSize: context.workgroupSize,
    maxPaths: Number.MAX_SAFE_INTEGER,
    // A new run waits for the two slices in flight. On a software device shorter slices cannot be measured.
    sliceMilliseconds: context.description.software ? 25 : 10,
    batchMilliseconds: 2,
    parallelPaths: context.parallelPaths,
    valueBytes: 2 ** 29,
    ...dispatch,
  };
  const { valueBytes, ...split } = options;
  return {
    context,
    pipelines: pipelinesOf(context, loadShader),
    buffers: createSimulationBufferPool(context.device),
    scratch: createScratchPool(context.device),
    timeline: new SubmissionTimeline(),
    batch: new SubmissionBatch(context.device, afterThisTurn),
    slots: new Slots(),
    rates: new Map<string, StepRates>(),
    dispatch: split,
    /** Most bytes of path values on the device at a time; less after a run for which there was no memory. */
    memory: { valueBytes },
  };
}

/** Target nanoseconds of the next dispatch of a run. */
export function sliceNanoseconds({ slots, dispatch }: GpuSession): number {
  const { sliceMilliseconds } = dispatch;
  return 1e6 * (slots.shared ? Math.min(SHARED_SLICE_MILLISECONDS, sliceMilliseconds) : sliceMilliseconds);
}

/** What the size of a workgroup depends on: a session, or a part of one. */
export interface WorkgroupChoice {
  readonly context: {
    readonly device: { readonly limits: Pick<GPUSupportedLimits, 'maxComputeWorkgroupStorageSize'> };
  };
  readonly dispatch: { readonly workgroupSize: number };
}

/** Invocations per workgroup: the option, or the largest power of two that fits the device's workgroup memory. */
export function workgroupSizeOf(
  { context, dispatch }: WorkgroupChoice,
  { program }: SimulationKernel,
): number {
  const { invocationBytes } = program;
  if (invocationBytes === undefined) return dispatch.workgroupSize;
  const available = context.device.limits.maxComputeWorkgroupStorageSize - SUMS_WORKGROUP_BYTES;
  return Math.min(dispatch.workgroupSize, 2 ** Math.floor(Math.log2(available / invocationBytes)));
}

/** Nanoseconds of a unit of work before any measurement: on a slow GPU, and on a software device. */
export interface FirstRate {
  readonly gpu: number;
  readonly software: number;
  /** Paths below which the time of a GPU is constant; 1 by default. */
  readonly latencyPaths?: number;
}

/**
 * The rates of some work on this device, recorded by its runs.
 *
 * @param key of work with the same duration
 * @param units of work in a step of a path
 */
export function ratesOf(
  { rates, context }: GpuSession,
  key: string,
  units: number,
  { gpu, software, latencyPaths = 1 }: FirstRate,
): StepRates {
  let known = rates.get(key);
  if (known === undefined) {
    known = context.description.software
      ? new StepRates(software * units)
      : new StepRates(gpu * units, latencyPaths);
    rates.set(key, known);
  }
  return known;
}
