/** The bins of distributions, of one width for all runs, so that counts add up. Twin: shaders/lib/bins.wgsl. */

/** Bins of a unit of the coordinate. */
export const BINS_PER_UNIT = 100;

/** Bins lowest..highest; bin k counts values from coordinate k / 100 up to, and not including, (k + 1) / 100. */
export interface BinScale {
  readonly lowest: number;
  readonly highest: number;
  coordinate(value: number): number;
  /** The value at a coordinate. */
  value(coordinate: number): number;
}

/** Ratios of 0 or more by their natural logarithm: bins of 1.005 % from 0.0067 to 150. */
export const RATIO_BINS: BinScale = { lowest: -500, highest: 500, coordinate: Math.log, value: Math.exp };
/** Amounts of either sign in units of a scale: 0.01 wide near 0, and 1 % of amounts far from it. */
export const AMOUNT_BINS: BinScale = {
  lowest: -2000,
  highest: 2000,
  coordinate: Math.asinh,
  value: Math.sinh,
};

/** Length of the counts of a scale: values below the bins, the bins, values above them, and 0 itself. */
export function slotsOf({ lowest, highest }: BinScale): number {
  return highest - lowest + 4;
}

/** The slot of the value at a coordinate; minus infinity is the logarithm of 0. */
export function slotAt(scale: BinScale, coordinate: number): number {
  const { lowest, highest } = scale;
  const bin = Math.floor(BINS_PER_UNIT * coordinate);
  if (bin >= lowest) return bin <= highest ? bin - lowest + 1 : highest - lowest + 2;
  return coordinate === Number.NEGATIVE_INFINITY ? highest - lowest + 3 : 0;
}

export function slotOf(scale: BinScale, value: number): number {
  return value === 0 ? slotsOf(scale) - 1 : slotAt(scale, scale.coordinate(value));
}

/** Counts of consecutive slots; all other counts are 0. */
export interface HeldSlots {
  readonly first: number;
  /** A plain list: threads transfer a short one in less time than a typed array with its buffer. */
  readonly counts: readonly number[];
}

/** The slots from the first with a count above 0 to the last. */
export function heldSlots(slots: Float64Array): HeldSlots {
  let first = 0;
  let end = slots.length;
  while (first < end && slots[first] === 0) first++;
  while (end > first && slots[end - 1] === 0) end--;
  return { first, counts: Array.from(slots.subarray(first, end)) };
}

export function allSlots(scale: BinScale, { first, counts }: HeldSlots): Float64Array {
  const slots = new Float64Array(slotsOf(scale));
  slots.set(counts, first);
  return slots;
}

/** Counts in the form of an answer: `edges` has one entry more than `counts`. */
export interface Histogram {
  /** Values below the bins, 0 itself, and values above the bins. */
  readonly below: number;
  readonly zero: number;
  readonly above: number;
  /** From the first bin with a count above 0 to the last; empty where there is none. */
  readonly edges: readonly number[];
  readonly counts: readonly number[];
}

/** @param unit of an amount */
export function histogramOf(scale: BinScale, slots: Float64Array, unit = 1): Histogram {
  const bins = slots.subarray(1, slots.length - 2);
  const first = bins.findIndex(count => count > 0);
  const last = bins.findLastIndex(count => count > 0);
  const counts = first < 0 ? [] : Array.from(bins.subarray(first, last + 1));
  const edges = Array.from({ length: first < 0 ? 0 : counts.length + 1 }, (_, i) =>
    edge(scale, scale.lowest + first + i, unit),
  );
  return { below: slots[0], zero: slots[slots.length - 1], above: slots[slots.length - 2], edges, counts };
}

function edge({ value }: BinScale, bin: number, unit: number): number {
  return unit * value(bin / BINS_PER_UNIT);
}

/**
 * The quantile of ratios from their counts: the distribution function rises linearly within each bin. It is in the bin
 * of the value of rank ceil(p n), and so off by less than 1.005 %.
 *
 * @param probability p, 0 < p < 1
 * @returns null for a quantile above the bins or below them
 */
export function ratioQuantile(slots: Float64Array, probability: number): number | null {
  let total = 0;
  for (const count of slots) total += count;
  const wanted = probability * total;
  const bins = slots.length - 3;
  let before = slots[slots.length - 1];
  if (before > 0 && before >= wanted) return 0;
  for (let slot = 0; slot <= bins; slot++) {
    const count = slots[slot];
    if (count > 0 && before + count >= wanted) {
      if (slot === 0) return null;
      const bin = RATIO_BINS.lowest + slot - 1;
      const low = edge(RATIO_BINS, bin, 1);
      return low + ((wanted - before) / count) * (edge(RATIO_BINS, bin + 1, 1) - low);
    }
    before += count;
  }
  return null;
}

/** Largest relative difference of a quantile from bins and the value of its rank. */
export const RATIO_RESOLUTION = Math.expm1(1 / BINS_PER_UNIT);
