// Bins of distributions: the slot in which a value is counted. Slot 0 counts values below the bins; the bins follow; the slot after them
// counts values above them; the last slot counts 0 itself.
// Inputs: a ratio, or an amount in units of its scale.
// Outputs: the index of a slot.
// Units: bins are 1/100 wide in the coordinate: natural logarithm (ratios), inverse hyperbolic sine (amounts).
// Provides: RATIO_SLOTS, AMOUNT_SLOTS, ratio_slot, amount_slot.
// Reference: src/core/distribution/bins.ts.
// Expects: nothing.

const BINS_PER_UNIT = 100.0;
const RATIO_LOWEST = -500.0;
const RATIO_HIGHEST = 500.0;
const RATIO_SLOTS = 1004u;
const AMOUNT_LOWEST = -2000.0;
const AMOUNT_HIGHEST = 2000.0;
const AMOUNT_SLOTS = 4004u;

const BINS_LN_2 = 0.6931471805599453;

// The slot of a coordinate among bins lowest..highest.
fn bin_slot(coordinate: f32, lowest: f32, highest: f32) -> u32 {
  let bin = clamp(floor(BINS_PER_UNIT * coordinate), lowest - 1.0, highest + 1.0);
  return u32(bin - (lowest - 1.0));
}

// The slot of a ratio of 0 or more: bins of its natural logarithm.
fn ratio_slot(ratio: f32) -> u32 {
  if (ratio <= 0.0) {
    return RATIO_SLOTS - 1u;
  }
  return bin_slot(BINS_LN_2 * log2(ratio), RATIO_LOWEST, RATIO_HIGHEST);
}

// The slot of an amount in units of its scale: bins of its inverse hyperbolic sine, computed from the magnitude for accuracy.
fn amount_slot(amount: f32) -> u32 {
  if (amount == 0.0) {
    return AMOUNT_SLOTS - 1u;
  }
  // Above all bins; the square of a larger number might not be finite.
  let magnitude = min(abs(amount), 1.0e12);
  let coordinate = BINS_LN_2 * log2(magnitude + sqrt(fma(magnitude, magnitude, 1.0)));
  return bin_slot(select(coordinate, -coordinate, amount < 0.0), AMOUNT_LOWEST, AMOUNT_HIGHEST);
}
