/** The kernels of shaders/order/. */
import { BIN_CONSTANTS } from '../bin-constants.ts';
import type { Constants, Kernel } from '../kernels.ts';

/** Values of a column that one workgroup looks at. */
export const VALUES_PER_WORKGROUP = 16384;
/** Intervals that a kernel keeps in workgroup memory; twice the 64 quantiles of a request, and some. */
export const MAX_INTERVALS = 256;

/** Bits of the digits of a key, first to last. */
export const DIGITS = [11, 11, 10] as const;

/** One pass of a search for order statistics. */
export const DIGIT_HISTOGRAM = orderKernel(
  'digit histogram',
  'order/digit_histogram.wgsl',
  'count_digits',
  {},
);

/** Sums of the values between bounds. */
export const INTERVAL_SUMS = orderKernel('interval sums', 'order/interval_sums.wgsl', 'sum_intervals', {
  MAX_INTERVALS,
});

/** Counts of values in the bins of amounts. */
export const AMOUNT_COUNTS: Kernel = {
  ...orderKernel('amount counts', 'order/amount_counts.wgsl', 'count_amounts', BIN_CONSTANTS),
  files: ['lib/order.wgsl', 'lib/bins.wgsl', 'order/columns.wgsl', 'order/amount_counts.wgsl'],
};

export const ORDER_KERNELS: readonly Kernel[] = [DIGIT_HISTOGRAM, INTERVAL_SUMS, AMOUNT_COUNTS];

function orderKernel(name: string, file: string, entryPoint: string, constants: Constants): Kernel {
  return {
    name,
    files: ['lib/order.wgsl', 'lib/u64.wgsl', 'order/columns.wgsl', file],
    entryPoint,
    shared: 'none',
    bindings: ['uniform', 'read-only-storage', 'read-only-storage', 'storage'],
    constants: { VALUES_PER_WORKGROUP, ...constants },
  };
}
