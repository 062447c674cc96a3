// Sums over all paths in integers: within a workgroup, then over the device with 64 bits. Integer addition has no order: the split of the
// paths into workgroups and slices does not affect the sums.
// Inputs: integers, squares, amounts and lowest values of paths.
// Outputs: sums.
// Units: amounts: 24-bit digits, the fraction with 23 or 48 bits; see each function.
// Provides: sum_add, square_add, amount_add, fine_amount_add, lowest_update, sums_flush.
// Reference: src/core/gpu/results.ts reads them.
// Expects:
//   kernel/bindings.wgsl: sums, workgroup_size
//   lib/order.wgsl: fixed_point, order_key
//   lib/u64.wgsl: u64_carry
//   one product: SUM_COUNT

// The sum of a workgroup stays below 2^32: at most 256 paths, each of at most 2^24 - 1, or 2^23 in fixed point.
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

// Largest amount that is added, just below 2^48, and the range of a digit: 2^24.
const LARGEST_AMOUNT = 281474943156224.0;
const AMOUNT_DIGIT = 16777216.0;

// Adds a whole number up to LARGEST_AMOUNT: its multiple of 2^24 to `sum`, the rest to the next sum. The split is exact.
fn whole_add(sum: u32, whole: f32) {
  let upper = floor(whole * (1.0 / AMOUNT_DIGIT));
  sum_add(sum, u32(upper));
  sum_add(sum + 1u, u32(whole - upper * AMOUNT_DIGIT));
}

// Adds a non-negative amount with 23 fraction bits to three sums: see whole_add, then the fraction.
fn amount_add(sum: u32, amount: f32) {
  let whole = floor(min(amount, LARGEST_AMOUNT));
  whole_add(sum, whole);
  sum_add(sum + 2u, fixed_point(clamp(amount - whole, 0.0, 1.0)));
}

// Adds a non-negative amount with 48 fraction bits to four sums: see whole_add, then two digits of 24 bits, exactly.
fn fine_amount_add(sum: u32, amount: f32) {
  let limited = min(amount, LARGEST_AMOUNT);
  let whole = floor(limited);
  whole_add(sum, whole);
  let fraction = (limited - whole) * AMOUNT_DIGIT;
  let high = floor(fraction);
  sum_add(sum + 2u, u32(high));
  sum_add(sum + 3u, u32((fraction - high) * AMOUNT_DIGIT));
}

// Updates the lowest value of all paths with that of a path. Keys are inverted: zero-initialised memory is the neutral element.
fn lowest_update(value: f32) {
  atomicMax(&group_lowest, ~order_key(value));
}

// Adds the sums of the workgroup to those of the device. Every invocation calls it once, after its last sum.
fn sums_flush(invocation: u32) {
  workgroupBarrier();
  for (var sum = invocation; sum <= SUM_COUNT; sum += workgroup_size) {
    if (sum == SUM_COUNT) {
      atomicMax(&sums[2u * SUM_COUNT], atomicLoad(&group_lowest));
    } else {
      let value = atomicLoad(&group_sums[sum]);
      if (u64_carry(atomicAdd(&sums[2u * sum], value), value) != 0u) {
        atomicAdd(&sums[2u * sum + 1u], 1u);
      }
    }
  }
}
