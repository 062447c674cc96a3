/**
 * Columns of single-precision numbers on the device, and passes of the shaders/order/ kernels over them in pieces of tens of
 * milliseconds. Their sums are integers and do not depend on the split.
 */
import { type BindGroups, bindGroup } from '../compute-pass.ts';
import { onDevice } from '../device-errors.ts';
import { dispatchSlices, type SlicedRun } from '../dispatcher.ts';
import type { Kernel } from '../kernels.ts';
import type { CompiledKernel } from '../pipelines.ts';
import type { ScratchRun } from '../scratch.ts';
import { type FirstRate, type GpuSession, ratesOf } from '../session.ts';
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
  /** All columns by default. */
  readonly firstColumn?: number;
  readonly columnCount?: number;
  /** Right end and width of the digit that is counted, in bits. */
  readonly shift?: number;
  readonly bits?: number;
  /** The kernel's list for all columns, `entries` for each. */
  readonly list: Uint32Array<ArrayBuffer>;
  readonly entries: number;
  /** Words of the result. */
  readonly resultWords: number;
}

/** Per value of a column. */
const FIRST_RATE: FirstRate = { gpu: 0.02, software: 20 };

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
  const compiled = await pipelines.get(pass.kernel, { workgroup_size: dispatch.workgroupSize }, signal);
  return onDevice(context, signal, () => runPass(session, scratch, compiled, pass, signal));
}

async function runPass(
  session: GpuSession,
  scratch: ScratchRun,
  compiled: CompiledKernel,
  pass: ColumnPass,
  signal: AbortSignal | undefined,
): Promise<Uint32Array> {
  const { device } = session.context;
  const { columns, firstColumn = 0, columnCount = columns.count, shift = 0, bits = 0, entries } = pass;
  const { name } = pass.kernel;
  const { UNIFORM, STORAGE, COPY_SRC, COPY_DST, MAP_READ } = GPUBufferUsage;
  const pieceBuffer = await scratch.take('order.piece', uniformBytes(PIECE), UNIFORM | COPY_DST);
  const list = await scratch.upload('order.list', pass.list);
  const resultBytes = 4 * pass.resultWords;
  const result = await scratch.take('order.result', resultBytes, STORAGE | COPY_SRC | COPY_DST);
  const readback = await scratch.take('order.readback', resultBytes, MAP_READ | COPY_DST);
  const groups: BindGroups = [
    bindGroup(device, `${name}.shared`, compiled.sharedLayout, []),
    bindGroup(device, `${name}.own`, compiled.ownLayout, [pieceBuffer, columns.buffer, list, result]),
  ];

  const run: SlicedRun = {
    name,
    paths: columns.values,
    steps: 1,
    workgroupPaths: VALUES_PER_WORKGROUP,
    rates: ratesOf(session, `${compiled.key} ${columnCount}`, columnCount, FIRST_RATE),
    batched: false,
    result,
    resultBytes,
    readback,
    fences: await scratch.fences('order'),
    async work({ firstPath, pathCount }) {
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
      const workgroups = Math.ceil(pathCount / VALUES_PER_WORKGROUP);
      return { dispatches: [{ compiled, groups, workgroups: [workgroups, columnCount] }] };
    },
  };
  return dispatchSlices(session, run, signal);
}
