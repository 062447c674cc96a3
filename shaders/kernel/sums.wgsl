// Sums over all paths in integers: first within a workgroup, then over the device with 64-bit carry.
// Provides: sum_add, square_add, fine_amount_add, lowest_take, sums_flush. Expects: sums, SUM_COUNT, order_key.
// Integer addition has no order, so the sums do not depend on how paths are split into workgroups and slices.

// A workgroup's part of every sum stays below 2^32: at most 256 paths of at most 2^24 - 1, or of 2^23 in fixed point.
var<workgroup> group_sums: array<atomic<u32>, SUM_COUNT>;
var<workgroup> group_lowest: atomic<u32>;

fn sum_add(sum: u32, value: u32) {
  if (value != 0u) {
    atomicAdd(&group_sums[sum], value);
  }
}

// Adds the square of a whole number below 2^24, 2^12 a + b: a^2 to `sum`, a b and b^2 to the next two.
fn square_add(sum: u32, value: u32) {
  let a = value >> 12u;
  let b = value & 0xfffu;
  sum_add(sum, a * a);
  sum_add(sum + 1u, a * b);
  sum_add(sum + 2u, b * b);
}

// Largest amount that is added, and a digit of one.
const FINE_LARGEST = 281474943156224.0;
const FINE_DIGIT = 16777216.0;

// Adds a non-negative amount to 48 fraction bits: four digits of 24 bits, the highest to `sum`. Every split is exact.
fn fine_amount_add(sum: u32, amount: f32) {
  let held = min(amount, FINE_LARGEST);
  let whole = floor(held);
  let upper = floor(whole * (1.0 / FINE_DIGIT));
  let fraction = (held - whole) * FINE_DIGIT;
  let high = floor(fraction);
  sum_add(sum, u32(upper));
  sum_add(sum + 1u, u32(whole - upper * FINE_DIGIT));
  sum_add(sum + 2u, u32(high));
  sum_add(sum + 3u, u32((fraction - high) * FINE_DIGIT));
}

// Takes the lowest value of a path into the lowest of all. Keys are inverted: zeroed memory is the neutral element.
fn lowest_take(value: f32) {
  atomicMax(&group_lowest, ~order_key(value));
}

// To be called once by every invocation, after its last sum.
fn sums_flush(invocation: u32) {
  workgroupBarrier();
  for (var sum = invocation; sum <= SUM_COUNT; sum += workgroup_size) {
    if (sum == SUM_COUNT) {
      atomicMax(&sums[2u * SUM_COUNT], atomicLoad(&group_lowest));
    } else {
      let value = atomicLoad(&group_sums[sum]);
      let before = atomicAdd(&sums[2u * sum], value);
      // The low word came round exactly if it is now below what was added.
      if (before + value < value) {
        atomicAdd(&sums[2u * sum + 1u], 1u);
      }
    }
  }
}
