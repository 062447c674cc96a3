/** Counts of columns on the device in the bins of amounts (src/core/distribution/bins.ts). */
import { AMOUNT_BINS, slotsOf } from '../../distribution/bins.ts';
import type { ScratchRun } from '../scratch.ts';
import type { GpuSession } from '../session.ts';
import { array, wordsOf } from '../struct-layout.ts';
import { type Columns, passOver } from './columns.ts';
import { AMOUNT_COUNTS, COLUMN_SCALE } from './kernels.ts';

/** A value v of a column is the amount start + unit v, in units of the scale of the bins. */
export interface AmountScale {
  readonly start: number;
  readonly unit: number;
}

/** The counts of every column, by slot. @param scales one for each column */
export async function countAmounts(
  session: GpuSession,
  scratch: ScratchRun,
  columns: Columns,
  scales: readonly AmountScale[],
  signal: AbortSignal | undefined,
): Promise<Float64Array[]> {
  const slots = slotsOf(AMOUNT_BINS);
  const pass = {
    kernel: AMOUNT_COUNTS,
    columns,
    list: wordsOf(array(COLUMN_SCALE, scales.length), scales),
    entries: 1,
    resultWords: columns.count * slots,
  };
  const counts = await passOver(session, scratch, pass, signal);
  return scales.map((_, column) => Float64Array.from(counts.subarray(column * slots, (column + 1) * slots)));
}
