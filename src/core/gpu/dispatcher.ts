/**
 * Puts the slices of a run on the queue of a device, and brings back the result of the last.
 *
 * Takes: the extent of a run, its rates, and what encodes one slice. Gives: the words of its result. Two slices of a run
 * are under way at a time, so that the device never waits for the host and an abort takes effect within two slices. All
 * runs on a device share its places (slots.ts). Must not know: what a slice computes.
 */
import { sleep } from '../async.ts';
import { mappedWords } from './buffers.ts';
import { type GpuSession, sliceNanoseconds } from './session.ts';
import { type Slice, SliceSchedule, UNDER_WAY } from './slices.ts';
import type { StepRates } from './step-rates.ts';
import type { Submission } from './submissions.ts';

/** Workgroups that a dispatch can have in one dimension. */
const MAX_WORKGROUPS = 65535;

/** A run that is split into slices. */
export interface SlicedRun {
  /** Name for labels. */
  readonly name: string;
  readonly paths: number;
  readonly steps: number;
  /** Paths that one workgroup takes. */
  readonly workgroupPaths: number;
  /** Most paths of a slice; as many as the device takes where it is left out. */
  readonly maxPaths?: number;
  /** What a step takes on this device; measured anew by the run. */
  readonly rates: StepRates;
  /** Whether a run of one short slice may be submitted together with others like it. */
  readonly batched: boolean;
  /** Where the slices add up their result; cleared before the first. */
  readonly result: GPUBuffer;
  readonly resultBytes: number;
  /** Mappable buffers: one for the result, and UNDER_WAY of 4 bytes that show the end of a slice that is not the last. */
  readonly readback: GPUBuffer;
  readonly fences: readonly GPUBuffer[];
  /** Told the share of the path-steps that are done, above 0 to 1, after each slice. */
  readonly onProgress?: ((share: number) => void) | undefined;
  /** Encodes a slice, and after the last whatever else is to be copied. */
  encode(encoder: GPUCommandEncoder, slice: Slice, place: SlicePlace): void;
}

/** Where a slice stands in its run. */
export interface SlicePlace {
  /** Number of the slice, from 0. */
  readonly index: number;
  readonly last: boolean;
}

interface UnderWay {
  readonly submission: Submission;
  readonly slice: Slice;
  /** Mapped when the slice has ended. */
  readonly fence: GPUBuffer;
  /** Whether it was submitted alone. */
  readonly alone: boolean;
  /** Whether it holds a place in the queue of the device. */
  readonly placed: boolean;
}

/**
 * Runs all slices.
 *
 * @returns the words of the result
 * @throws RiskError `engine-unavailable` when the device is lost, `engine-failed` when it refuses; the signal's reason
 */
export async function dispatchSlices(
  session: GpuSession,
  run: SlicedRun,
  signal: AbortSignal | undefined,
): Promise<Uint32Array<ArrayBuffer>> {
  const { context, timeline, batch, dispatch } = session;
  const { queue } = context.device;
  const { rates, readback, resultBytes } = run;
  const places = session.slots.open();
  const underWay: UnderWay[] = [];

  /** Waits for the oldest submission and leaves its fence mapped. */
  const finishOldest = async (): Promise<GPUBuffer> => {
    const { submission, slice, fence, alone, placed } = underWay[0];
    await sleep(timeline.pause(submission, dispatch.sliceMilliseconds), signal);
    signal?.throwIfAborted();
    timeline.looked(submission);
    await fence.mapAsync(GPUMapMode.READ, 0, fence === readback ? resultBytes : 4);
    underWay.shift();
    if (placed) places.release();
    const measurement = timeline.finished(submission);
    // The time of a slice that shared the device with others does not predict the next.
    if (alone) rates.record(slice.pathCount, slice.endStep - slice.firstStep, measurement);
    const { firstPath, pathCount, endStep } = slice;
    run.onProgress?.((firstPath * run.steps + pathCount * endStep) / (run.paths * run.steps));
    return fence;
  };
  const passOldest = async () => (await finishOldest()).unmap();
  /** Takes a place. A run that holds places finishes its own slices before it waits: it may be waiting for itself. */
  const takePlace = async () => {
    while (!places.tryTake()) {
      if (underWay.length === 0) return places.take(signal);
      await passOldest();
    }
  };

  try {
    const schedule = new SliceSchedule(
      {
        paths: run.paths,
        steps: run.steps,
        maxPaths: Math.min(
          dispatch.maxPaths,
          MAX_WORKGROUPS * run.workgroupPaths,
          run.maxPaths ?? Number.POSITIVE_INFINITY,
        ),
        parallelPaths: dispatch.parallelPaths,
        targetNanoseconds: () => sliceNanoseconds(session),
      },
      rates,
    );
    for (let slice = schedule.next(), index = 0; slice !== undefined; slice = schedule.next(), index++) {
      const { firstPath, pathCount, firstStep, endStep } = slice;
      const last = endStep === run.steps && firstPath + pathCount === run.paths;
      if (underWay.length === UNDER_WAY) await passOldest();
      const short = rates.estimate(pathCount) * endStep <= 1e6 * dispatch.batchMilliseconds;
      const together = run.batched && last && index === 0 && short;
      if (!together) await takePlace();
      signal?.throwIfAborted();
      context.check();

      const encoder = context.device.createCommandEncoder({ label: run.name });
      if (index === 0) encoder.clearBuffer(run.result, 0, resultBytes);
      run.encode(encoder, slice, { index, last });
      const fence = last ? readback : run.fences[index % UNDER_WAY];
      encoder.copyBufferToBuffer(run.result, 0, fence, 0, last ? resultBytes : 4);
      const commands = encoder.finish();
      let alone = true;
      if (together) alone = (await batch.submit(commands)) === 1;
      else queue.submit([commands]);
      const perStep = rates.measured(pathCount);
      const expected = perStep === undefined ? undefined : (perStep * (endStep - firstStep)) / 1e6;
      underWay.push({ submission: timeline.submitted(expected), slice, fence, alone, placed: !together });
    }
    while (underWay.length > 1) await passOldest();
    const words = mappedWords(await finishOldest(), resultBytes);
    context.check();
    return words;
  } finally {
    places.close();
  }
}
