/** Counts of columns on the device in bins (src/core/distribution/bins.ts). */
import { AMOUNT_BINS, RATIO_BINS, slotsOf } from '../../distribution/bins.ts';
import type { ScratchRun } from '../scratch.ts';
import type { GpuSession } from '../session.ts';
import { array, wordsOf } from '../struct-layout.ts';
import { type ColumnPass, type Columns, passOver } from './columns.ts';
import { AMOUNT_COUNTS, COLUMN_SCALE, RATIO_COUNTS } from './kernels.ts';

/** A value v of a column is the amount start + unit v, in units of the scale of the bins. */
export interface AmountScale {
  readonly start: number;
  readonly unit: number;
}

/** The counts of every column of amounts, by slot. @param scales one for each column */
export const countAmounts = (
  session: GpuSession,
  scratch: ScratchRun,
  columns: Columns,
  scales: readonly AmountScale[],
  signal: AbortSignal | undefined,
): Promise<Float64Array[]> =>
  countSlots(session, scratch, slotsOf(AMOUNT_BINS), signal, {
    kernel: AMOUNT_COUNTS,
    columns,
    list: wordsOf(array(COLUMN_SCALE, scales.length), scales),
    entries: 1,
  });

/** The counts of every column of ratios, by slot. */
export const countRatios = (
  session: GpuSession,
  scratch: ScratchRun,
  columns: Columns,
  signal: AbortSignal | undefined,
): Promise<Float64Array[]> =>
  countSlots(session, scratch, slotsOf(RATIO_BINS), signal, {
    kernel: RATIO_COUNTS,
    columns,
    list: new Uint32Array(1),
    entries: 0,
  });

async function countSlots(
  session: GpuSession,
  scratch: ScratchRun,
  slots: number,
  signal: AbortSignal | undefined,
  pass: Omit<ColumnPass, 'resultWords'>,
): Promise<Float64Array[]> {
  const { count } = pass.columns;
  const words = await passOver(session, scratch, { ...pass, resultWords: count * slots }, signal);
  return Array.from({ length: count }, (_, column) =>
    Float64Array.from(words.subarray(column * slots, (column + 1) * slots)),
  );
}
