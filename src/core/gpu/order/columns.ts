/**
 * Columns of single-precision numbers on the device, and passes over them in pieces of tens of milliseconds.
 *
 * Takes: columns, a kernel of shaders/order/ and its list. Gives: the words that the kernel has added up.
 * Everything added is an integer, so the split does not matter.
 */
import { onDevice } from '../device-errors.ts';
import { dispatchSlices, type SlicedRun } from '../dispatcher.ts';
import type { Kernel } from '../kernels.ts';
import type { CompiledKernel } from '../pipelines.ts';
import type { ScratchRun } from '../scratch.ts';
import type { GpuSession } from '../session.ts';
import { UNDER_WAY } from '../slices.ts';
import { StepRates } from '../step-rates.ts';
import { uniformBytes, wordsOf } from '../struct-layout.ts';
import { PIECE, VALUES_PER_WORKGROUP } from './kernels.ts';

/** Columns of equal length in one storage buffer: value i of column c at c x values + i. None is infinite or NaN. */
export interface Columns {
  readonly buffer: GPUBuffer;
  readonly count: number;
  /** Values per column. */
  readonly values: number;
}

/** One pass over some columns. */
export interface ColumnPass {
  readonly kernel: Kernel;
  readonly columns: Columns;
  readonly firstColumn: number;
  readonly columnCount: number;
  /** Right end and width of the digit that is counted, in bits. */
  readonly shift: number;
  readonly bits: number;
  /** The kernel's list for all columns, `entries` for each. */
  readonly list: Uint32Array<ArrayBuffer>;
  readonly entries: number;
  /** Words of the result. */
  readonly resultWords: number;
}

/** Nanoseconds per value of a slow device of its class, and of a software device. */
const SLOW_GPU_NANOSECONDS = 0.02;
const SOFTWARE_NANOSECONDS = 20;

/** Runs one pass and reads its result. */
export async function passOver(
  session: GpuSession,
  scratch: ScratchRun,
  pass: ColumnPass,
  signal: AbortSignal | undefined,
): Promise<Uint32Array> {
  const { context, pipelines, dispatch } = session;
  signal?.throwIfAborted();
  context.check();
  const compiled = await pipelines.get(pass.kernel, { workgroup_size: dispatch.workgroupSize });
  return onDevice(context, signal, () => runPass(session, scratch, compiled, pass, signal));
}

function runPass(
  session: GpuSession,
  scratch: ScratchRun,
  compiled: CompiledKernel,
  pass: ColumnPass,
  signal: AbortSignal | undefined,
): Promise<Uint32Array> {
  const { device } = session.context;
  const { columns, firstColumn, columnCount, shift, bits, entries } = pass;
  const { name } = pass.kernel;
  const { UNIFORM, STORAGE, COPY_SRC, COPY_DST, MAP_READ } = GPUBufferUsage;
  const pieceBuffer = scratch.take('order.piece', uniformBytes(PIECE), UNIFORM | COPY_DST);
  const list = scratch.take('order.list', pass.list.byteLength, STORAGE | COPY_DST);
  const result = scratch.take('order.result', 4 * pass.resultWords, STORAGE | COPY_SRC | COPY_DST);
  const fences = Array.from({ length: UNDER_WAY }, (_, i) =>
    scratch.take(`order.fence.${i}`, 4, MAP_READ | COPY_DST),
  );
  const resultBytes = 4 * pass.resultWords;
  const readback = scratch.take('order.readback', resultBytes, MAP_READ | COPY_DST);
  device.queue.writeBuffer(list, 0, pass.list);
  const own = device.createBindGroup({
    label: `${name}.own`,
    layout: compiled.ownLayout,
    entries: [pieceBuffer, columns.buffer, list, result].map((buffer, binding) => ({
      binding,
      resource: { buffer },
    })),
  });
  const shared = device.createBindGroup({
    label: `${name}.shared`,
    layout: compiled.sharedLayout,
    entries: [],
  });

  const run: SlicedRun = {
    name,
    paths: columns.values,
    steps: 1,
    workgroupPaths: VALUES_PER_WORKGROUP,
    rates: ratesOf(session, compiled, columnCount),
    batched: false,
    result,
    resultBytes,
    readback,
    fences,
    encode(encoder, { firstPath, pathCount }) {
      const words = wordsOf(PIECE, {
        values: columns.values,
        first: firstPath,
        end: firstPath + pathCount,
        first_column: firstColumn,
        shift,
        bits,
        entries,
      });
      device.queue.writeBuffer(pieceBuffer, 0, words);
      const compute = encoder.beginComputePass({ label: name });
      compute.setPipeline(compiled.pipeline);
      compute.setBindGroup(0, shared);
      compute.setBindGroup(1, own);
      compute.dispatchWorkgroups(Math.ceil(pathCount / VALUES_PER_WORKGROUP), columnCount);
      compute.end();
    },
  };
  return dispatchSlices(session, run, signal);
}

/** What a pass over so many columns takes per value on this device. */
function ratesOf({ rates, context }: GpuSession, compiled: CompiledKernel, columnCount: number): StepRates {
  const key = `${compiled.key}\n${columnCount} columns`;
  let known = rates.get(key);
  if (known === undefined) {
    const perValue = context.description.software ? SOFTWARE_NANOSECONDS : SLOW_GPU_NANOSECONDS;
    known = new StepRates(perValue * columnCount);
    rates.set(key, known);
  }
  return known;
}
