/**
 * Runs a simulation kernel over all paths and brings its sums back.
 *
 * Takes: a kernel, packed parameters, the size of the run. Gives: the words of the sums, on request the records.
 * A small run is one command buffer and one read-back, submitted together with others like it; a long one is cut into
 * slices of which two are under way at a time, so that the device never waits and an abort is heard within two slices.
 */
import { RiskError } from '../../errors.ts';
import { onDevice } from './device-errors.ts';
import type { Kernel } from './kernels.ts';
import type { PackedMarket } from './parameters.ts';
import type { CompiledKernel } from './pipelines.ts';
import { mappedWords } from './read-buffer.ts';
import { largestBinding } from './scratch.ts';
import { type GpuSession, ratesOf, sliceNanoseconds, workgroupSizeOf } from './session.ts';
import { type BindGroups, type PooledSet, SLICE_SLOTS, SLICE_STRIDE } from './simulation-buffers.ts';
import { type Slice, SliceSchedule } from './slices.ts';
import { type RunPlaces, takePlace } from './slots.ts';
import { type Submission, sleep } from './submissions.ts';

/** One run of a simulation kernel. */
export interface SimulationJob {
  readonly kernel: Kernel;
  readonly seed: number;
  readonly paths: number;
  readonly steps: number;
  readonly market: PackedMarket;
  /** Terms of the product. */
  readonly terms: ArrayBufferView<ArrayBuffer>;
  /** Words of the sums. */
  readonly sumWords: number;
  /** Words of a path's product state between two slices. */
  readonly productStateWords: number;
  /** Fields of a record; 0 writes no records. */
  readonly recordFields: number;
  /** Bindings of group 1 after the terms. */
  readonly own?: readonly GPUBuffer[];
  readonly signal?: AbortSignal | undefined;
}

export interface SimulationResult {
  readonly sums: Uint32Array;
  /** Field f of path p at f x paths + p. */
  readonly records: Uint32Array | undefined;
}

/** Workgroups that a dispatch can have in one dimension. */
const MAX_WORKGROUPS = 65535;
/** Submissions of one run under way at a time. */
const UNDER_WAY = 2;

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
    assets: job.market.assets,
    trace: job.recordFields > 0 ? 1 : 0,
  };
  const compiled = await pipelines.get(job.kernel, overrides);
  const set = buffers.acquire(compiled);
  const temporary: GPUBuffer[] = [];
  const places = session.slots.open();
  try {
    return await onDevice(context, job.signal, () =>
      runSlices(session, job, compiled, set, workgroupSize, temporary, places),
    );
  } finally {
    places.close();
    buffers.release(compiled, set);
    for (const buffer of temporary) buffer.destroy();
  }
}

interface UnderWay {
  readonly submission: Submission;
  readonly slice: Slice;
  /** Mapped when it has ended. */
  readonly fence: GPUBuffer;
  /** Whether it was submitted alone. */
  readonly alone: boolean;
  /** Whether it holds a place in the queue of the device. */
  readonly placed: boolean;
}

async function runSlices(
  session: GpuSession,
  job: SimulationJob,
  compiled: CompiledKernel,
  set: PooledSet,
  workgroupSize: number,
  temporary: GPUBuffer[],
  places: RunPlaces,
): Promise<SimulationResult> {
  const { context, timeline, batch, cutting } = session;
  const { device } = context;
  const { buffers } = set;
  const create = (label: string, size: number, usage: GPUBufferUsageFlags) => {
    const limit = largestBinding(device);
    if (size > limit) {
      throw new RiskError(
        'engine-failed',
        `The GPU cannot hold ${size} bytes in one buffer; it takes ${limit}.`,
      );
    }
    const buffer = device.createBuffer({ label: `${job.kernel.name}.${label}`, size, usage });
    temporary.push(buffer);
    return buffer;
  };
  const { STORAGE, COPY_SRC, COPY_DST, MAP_READ } = GPUBufferUsage;
  const recordBytes = 4 * job.recordFields * job.paths;
  const records = recordBytes > 0 ? create('records', recordBytes, STORAGE | COPY_SRC) : undefined;
  const recordReadback =
    recordBytes > 0 ? create('record-readback', recordBytes, COPY_DST | MAP_READ) : undefined;
  let pathState: GPUBuffer | undefined;
  const bind = () => session.buffers.bind(compiled, buffers, { pathState, records, own: job.own ?? [] });
  let groups: BindGroups = records === undefined && set.groups !== undefined ? set.groups : bind();

  device.queue.writeBuffer(buffers.market, 0, job.market.parameters);
  device.queue.writeBuffer(buffers.terms, 0, job.terms);
  const rates = ratesOf(session, compiled, job.market.assets);
  const schedule = new SliceSchedule(
    {
      paths: job.paths,
      steps: job.steps,
      maxPaths: Math.min(cutting.maxPaths, MAX_WORKGROUPS * workgroupSize),
      parallelPaths: cutting.parallelPaths,
      targetNanoseconds: () => sliceNanoseconds(session),
    },
    rates,
  );

  const underWay: UnderWay[] = [];
  /** Waits for the oldest submission and leaves its fence mapped. */
  const finishOldest = async (): Promise<GPUBuffer> => {
    const { submission, slice, fence, alone, placed } = underWay[0];
    await sleep(timeline.pause(submission, cutting.sliceMilliseconds), job.signal);
    job.signal?.throwIfAborted();
    timeline.looked(submission);
    await fence.mapAsync(GPUMapMode.READ, 0, fence.size);
    underWay.shift();
    if (placed) places.release();
    const measurement = timeline.finished(submission);
    // What a run took that shared the device with others says nothing about the next.
    if (alone) rates.record(slice.pathCount, slice.endStep - slice.firstStep, measurement);
    return fence;
  };

  const stateWords = job.market.stateWords + job.productStateWords;
  const words = new Uint32Array(8);
  for (let slice = schedule.next(), index = 0; slice !== undefined; index++) {
    const last = slice.endStep === job.steps && slice.firstPath + slice.pathCount === job.paths;
    if (slice.endStep < job.steps || slice.firstStep > 0) {
      const stateBytes = 4 * stateWords * slice.pathCount;
      if (pathState === undefined || pathState.size < stateBytes) {
        pathState = create('path-state', stateBytes, STORAGE);
        groups = bind();
      }
    }
    if (underWay.length === UNDER_WAY) (await finishOldest()).unmap();
    const whole = last && index === 0;
    const together =
      whole && rates.estimate(slice.pathCount) * slice.endStep <= 1e6 * cutting.batchMilliseconds;
    if (!together) await takePlace(places, underWay, async () => (await finishOldest()).unmap(), job.signal);
    job.signal?.throwIfAborted();
    context.check();

    const slot = (index % SLICE_SLOTS) * SLICE_STRIDE;
    const { firstPath, pathCount, firstStep, endStep } = slice;
    words.set([firstPath, pathCount, firstStep, endStep, job.steps, job.paths, job.seed]);
    device.queue.writeBuffer(buffers.slices, slot, words);
    const encoder = device.createCommandEncoder({ label: job.kernel.name });
    if (index === 0) encoder.clearBuffer(buffers.sums, 0, 4 * job.sumWords);
    const pass = encoder.beginComputePass({ label: job.kernel.name });
    pass.setPipeline(compiled.pipeline);
    pass.setBindGroup(0, groups[0], [slot]);
    pass.setBindGroup(1, groups[1]);
    pass.dispatchWorkgroups(Math.ceil(pathCount / workgroupSize));
    pass.end();
    const fence = buffers.fences[index % UNDER_WAY];
    if (last) {
      encoder.copyBufferToBuffer(buffers.sums, 0, buffers.readback, 0, 4 * job.sumWords);
      if (records !== undefined && recordReadback !== undefined) {
        encoder.copyBufferToBuffer(records, 0, recordReadback, 0, recordBytes);
      }
    } else {
      encoder.copyBufferToBuffer(buffers.sums, 0, fence, 0, 4);
    }
    const commands = encoder.finish();
    let alone = true;
    if (together) alone = (await batch.submit(commands)) === 1;
    else device.queue.submit([commands]);
    const perStep = rates.measured(pathCount);
    const expected = perStep === undefined ? undefined : (perStep * (endStep - firstStep)) / 1e6;
    underWay.push({
      submission: timeline.submitted(expected),
      slice,
      fence: last ? buffers.readback : fence,
      alone,
      placed: !together,
    });
    slice = schedule.next();
  }

  while (underWay.length > 1) (await finishOldest()).unmap();
  const sums = mappedWords(await finishOldest(), 4 * job.sumWords);
  context.check();
  if (recordReadback === undefined) return { sums, records: undefined };
  await recordReadback.mapAsync(GPUMapMode.READ, 0, recordBytes);
  return { sums, records: mappedWords(recordReadback, recordBytes) };
}
