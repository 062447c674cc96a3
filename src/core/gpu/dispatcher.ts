/**
 * Submits a run's slices to the device queue and reads the result of the last.
 *
 * Two slices of a run are in flight at a time: the device does not wait for the host, and an abort takes effect within two
 * slices. All runs on a device share the slots of its queue (slots.ts).
 */
import { sleep } from '../async.ts';
import { mappedWords } from './buffers.ts';
import { type Bytes, type Dispatch, encodeTogether } from './compute-pass.ts';
import { type GpuSession, sliceNanoseconds } from './session.ts';
import { SLICES_IN_FLIGHT, type Slice, SliceSchedule } from './slices.ts';
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
  /** Paths of one workgroup. */
  readonly workgroupPaths: number;
  /** Most paths of a slice; by default as many as the device takes. */
  readonly maxPaths?: number;
  /** Time of a step on this device; the run records its own slices. */
  readonly rates: StepRates;
  /** Whether a run of one short slice may be submitted together with others like it. */
  readonly batched: boolean;
  /** The slices add their result to this buffer; it is cleared before the first slice. */
  readonly result: GPUBuffer;
  readonly resultBytes: number;
  /** Mappable buffers: one for the result, and SLICES_IN_FLIGHT of 4 bytes for the ends of other slices. */
  readonly readback: GPUBuffer;
  readonly fences: readonly GPUBuffer[];
  /** Called after each slice with the share of the finished path-steps, above 0 to 1. */
  readonly onProgress?: ((share: number) => void) | undefined;
  /** The work of a slice, whose uniforms it has written. @param index number of the slice, from 0 */
  work(slice: Slice, index: number): Promise<SliceWork>;
}

/** Dispatches of a slice, after clears. */
export interface SliceWork {
  readonly clears?: readonly Bytes[];
  readonly dispatches: readonly Dispatch[];
}

interface SliceInFlight {
  readonly submission: Submission;
  readonly slice: Slice;
  /** Mapped when the slice has ended. */
  readonly fence: GPUBuffer;
  /** Whether it was submitted alone. */
  readonly alone: boolean;
  /** Whether it has a slot of the queue. */
  readonly hasSlot: boolean;
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
  const slots = session.slots.open();
  const inFlight: SliceInFlight[] = [];

  /** Waits for the oldest submission. @returns its fence, mapped */
  const finishOldest = async (): Promise<GPUBuffer> => {
    const { submission, slice, fence, alone, hasSlot } = inFlight[0];
    await sleep(timeline.pause(submission, dispatch.sliceMilliseconds), signal);
    signal?.throwIfAborted();
    timeline.polled(submission);
    await fence.mapAsync(GPUMapMode.READ, 0, fence === readback ? resultBytes : 4);
    inFlight.shift();
    if (hasSlot) slots.release();
    const measurement = timeline.finished(submission);
    // A slice that shared the device with others does not predict the time of the next.
    if (alone) rates.record(slice.pathCount, slice.endStep - slice.firstStep, measurement);
    const { firstPath, pathCount, endStep } = slice;
    run.onProgress?.((firstPath * run.steps + pathCount * endStep) / (run.paths * run.steps));
    return fence;
  };
  const waitForOldest = async () => (await finishOldest()).unmap();
  /** Takes a slot. A run with slots finishes its own slices before it waits for other slots. */
  const takeSlot = async () => {
    while (!slots.tryTake()) {
      if (inFlight.length === 0) return slots.take(signal);
      await waitForOldest();
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
      if (inFlight.length === SLICES_IN_FLIGHT) await waitForOldest();
      const short = rates.estimate(pathCount) * endStep <= 1e6 * dispatch.batchMilliseconds;
      const together = run.batched && last && index === 0 && short;
      if (!together) await takeSlot();
      signal?.throwIfAborted();
      context.check();

      const { clears = [], dispatches } = await run.work(slice, index);
      const fence = last ? readback : run.fences[index % SLICES_IN_FLIGHT];
      const result: Bytes = [run.result, resultBytes];
      const work = {
        name: run.name,
        clears: index === 0 ? [result, ...clears] : clears,
        dispatches,
        copy: { from: run.result, to: fence, bytes: last ? resultBytes : 4 },
      };
      let alone = true;
      if (together) alone = (await batch.submit(work)) === 1;
      else queue.submit([encodeTogether(context.device, [work])]);
      const perStep = rates.measured(pathCount);
      const expected = perStep === undefined ? undefined : (perStep * (endStep - firstStep)) / 1e6;
      inFlight.push({ submission: timeline.submitted(expected), slice, fence, alone, hasSlot: !together });
    }
    while (inFlight.length > 1) await waitForOldest();
    const words = mappedWords(await finishOldest(), resultBytes);
    context.check();
    return words;
  } finally {
    slots.close();
  }
}
