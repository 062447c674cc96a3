/** The kernels of shaders/order/. */
import { BIN_CONSTANTS } from '../bin-constants.ts';
import type { Constants, Kernel } from '../kernels.ts';
import { f32, type StructLayout, struct, u32 } from '../struct-layout.ts';

/** The values and columns of one dispatch (shaders/order/columns.wgsl). */
export const PIECE = struct('Piece', {
  values: u32,
  first: u32,
  end: u32,
  first_column: u32,
  shift: u32,
  bits: u32,
  entries: u32,
});

/** Values of a column of one workgroup. */
export const VALUES_PER_WORKGROUP = 16384;
/** Most intervals in workgroup memory: twice the 64 quantiles of a request, and some. */
export const MAX_INTERVALS = 256;

/** Bits of the digits of a key, first to last. */
export const DIGITS = [11, 11, 10] as const;

/** Keys above the last key of the interval before, up to `last_key`; added in units of 1 / `units`. */
export const INTERVAL = struct('Interval', { last_key: u32, units: f32 });
/** A value v of a column is the amount start + unit v. */
export const COLUMN_SCALE = struct('ColumnScale', { start: f32, unit: f32 });

/** One pass of a search for order statistics. */
export const DIGIT_HISTOGRAM = orderKernel({
  name: 'digit histogram',
  files: ['order/digit_histogram.wgsl'],
  entryPoint: 'count_digits',
});

/** Sums of the values between bounds. */
export const INTERVAL_SUMS = orderKernel({
  name: 'interval sums',
  files: ['order/interval_sums.wgsl'],
  entryPoint: 'sum_intervals',
  element: INTERVAL,
  constants: { MAX_INTERVALS },
});

/** Counts of values in the bins of amounts. */
export const AMOUNT_COUNTS = orderKernel({
  name: 'amount counts',
  files: ['lib/bins.wgsl', 'order/amount_slots.wgsl', 'order/slot_counts.wgsl'],
  entryPoint: 'count_slots',
  element: COLUMN_SCALE,
  constants: BIN_CONSTANTS,
});

/** Counts of values in the bins of ratios. */
export const RATIO_COUNTS = orderKernel({
  name: 'ratio counts',
  files: ['lib/bins.wgsl', 'order/ratio_slots.wgsl', 'order/slot_counts.wgsl'],
  entryPoint: 'count_slots',
  constants: BIN_CONSTANTS,
});

export const ORDER_KERNELS: readonly Kernel[] = [DIGIT_HISTOGRAM, INTERVAL_SUMS, AMOUNT_COUNTS, RATIO_COUNTS];

interface OrderKernel extends Pick<Kernel, 'name' | 'files' | 'entryPoint'> {
  /** Elements of its list (`ColumnPass`); words by default. */
  readonly element?: StructLayout;
  readonly constants?: Constants;
}

/** A kernel that passes over columns. */
function orderKernel({ name, files, entryPoint, element, constants }: OrderKernel): Kernel {
  return {
    name,
    files: ['lib/order.wgsl', 'lib/u64.wgsl', 'order/columns.wgsl', ...files],
    entryPoint,
    shared: 'none',
    bindings: ['uniform', 'read-only-storage', 'read-only-storage', 'storage'],
    structs: element === undefined ? [PIECE] : [PIECE, element],
    constants: { VALUES_PER_WORKGROUP, ...constants },
  };
}
