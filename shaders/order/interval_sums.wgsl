// Sums of the values between consecutive bounds and of their squares, in fixed point with 64 bits: the order of addition does not matter.
// The values of an interval have one sign and are below 2^32 units: their magnitudes are added. Host: src/core/gpu/order/sum-intervals.ts.
// Inputs: columns, intervals.
// Outputs: sums.
// Units: units of each interval.
// Provides: the entry point `sum_intervals`, sums.
// Expects:
//   lib/u64.wgsl: u64_carry
//   order/columns.wgsl: columns, group_values, piece, turns_of, value_key, workgroup_size

// Intervals of a column at most.
const MAX_INTERVALS = 256u;

struct Interval {
  // The largest key of the interval; it begins above that of the interval before.
  last_key: u32,
  // Units per 1: a power of two.
  units: f32,
}

// Interval k of column c at c x entries + k.
@group(1) @binding(2) var<storage, read> intervals: array<Interval>;
// Sums of interval k of column c at 8 ((c - first_column) x entries + k), low word first: the magnitudes, then the squares of
// their upper 24 bits 2^12 a + b as a^2, a b and b^2.
@group(1) @binding(3) var<storage, read_write> sums: array<atomic<u32>>;

// Sums of an interval.
const PARTS = 4u;

var<workgroup> group_low: array<atomic<u32>, MAX_INTERVALS * PARTS>;
var<workgroup> group_high: array<atomic<u32>, MAX_INTERVALS * PARTS>;

fn group_add(part: u32, amount: u32) {
  if (u64_carry(atomicAdd(&group_low[part], amount), amount) != 0u) {
    atomicAdd(&group_high[part], 1u);
  }
}

// The first interval of a column whose last key is at or above `key`. @param key at or below the last key of the column
fn interval_of(list: u32, key: u32) -> u32 {
  var first = 0u;
  var last = piece.entries - 1u;
  while (first < last) {
    let middle = (first + last) / 2u;
    if (intervals[list + middle].last_key < key) {
      first = middle + 1u;
    } else {
      last = middle;
    }
  }
  return first;
}

// A workgroup sums the values of group_values.
@compute @workgroup_size(workgroup_size)
fn sum_intervals(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) invocation: u32) {
  let part = group_values(group);
  let list = part.column * piece.entries;
  let last_key = intervals[list + piece.entries - 1u].last_key;
  var value = part.first + invocation;
  for (var turns = turns_of(part, invocation); turns > 0u; turns--) {
    let bits = columns[part.column * piece.values + value];
    let key = value_key(bits);
    if (key <= last_key) {
      let interval = interval_of(list, key);
      let amount = u32(round(abs(bitcast<f32>(bits)) * intervals[list + interval].units));
      let a = amount >> 20u;
      let b = (amount >> 8u) & 0xfffu;
      group_add(PARTS * interval, amount);
      group_add(PARTS * interval + 1u, a * a);
      group_add(PARTS * interval + 2u, a * b);
      group_add(PARTS * interval + 3u, b * b);
    }
    value += workgroup_size;
  }
  workgroupBarrier();
  for (var sum = invocation; sum < PARTS * piece.entries; sum += workgroup_size) {
    let low = atomicLoad(&group_low[sum]);
    let high = atomicLoad(&group_high[sum]);
    if ((low | high) != 0u) {
      let at = 2u * (group.y * PARTS * piece.entries + sum);
      let carry = u64_carry(atomicAdd(&sums[at], low), low);
      atomicAdd(&sums[at + 1u], high + carry);
    }
  }
}
