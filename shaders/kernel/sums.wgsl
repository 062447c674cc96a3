// Sums over all paths in integers: first within a workgroup, then over the device with 64-bit carry.
// Provides: sum_add, lowest_take, sums_flush. Expects: sums, SUM_COUNT, order_key.
// Integer addition has no order, so the sums do not depend on how paths are cut into workgroups and slices.

// A workgroup's part of every sum stays below 2^32: at most 256 paths of at most 2^24 - 1, or of 2^23 in fixed point.
var<workgroup> group_sums: array<atomic<u32>, SUM_COUNT>;
var<workgroup> group_lowest: atomic<u32>;

fn sum_add(sum: u32, value: u32) {
  if (value != 0u) {
    atomicAdd(&group_sums[sum], value);
  }
}

// Takes the lowest value of a path into the lowest of all. Keys are inverted: zeroed memory is the neutral element.
fn lowest_take(value: f32) {
  atomicMax(&group_lowest, ~order_key(value));
}

// To be called once by every invocation, after its last sum.
fn sums_flush(lane: u32) {
  workgroupBarrier();
  for (var sum = lane; sum <= SUM_COUNT; sum += workgroup_size) {
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
