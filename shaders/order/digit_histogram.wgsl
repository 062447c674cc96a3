// One digit of a radix search for order statistics: counts each digit after each of a list of prefixes. Host:
// src/core/gpu/order/select-ranks.ts.
// Inputs: columns, prefixes.
// Outputs: histogram.
// Provides: the entry point `count_digits`.
// Expects:
//   order/columns.wgsl: columns, group_values, piece, turns_of, value_key, workgroup_size

// Bins of the first pass, in workgroup memory: that pass counts every value, in few bins.
const FIRST_DIGIT_BINS = 2048u;

// Prefix k of column c, increasing in k, at c x entries + k; the first pass has one entry, which is not read.
@group(1) @binding(2) var<storage, read> prefixes: array<u32>;
// Digit d after prefix k of column c at ((c - first_column) x entries + k) x 2^bits + d.
@group(1) @binding(3) var<storage, read_write> histogram: array<atomic<u32>>;

var<workgroup> first_digits: array<atomic<u32>, FIRST_DIGIT_BINS>;

// The entry of a column's list that equals a prefix, or the number of entries.
fn prefix_entry(column: u32, prefix: u32) -> u32 {
  let list = column * piece.entries;
  var first = 0u;
  var end = piece.entries;
  while (first < end) {
    let middle = (first + end) / 2u;
    if (prefixes[list + middle] < prefix) {
      first = middle + 1u;
    } else {
      end = middle;
    }
  }
  if (first < piece.entries && prefixes[list + first] == prefix) {
    return first;
  }
  return piece.entries;
}

// A workgroup counts the values of group_values.
@compute @workgroup_size(workgroup_size)
fn count_digits(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) invocation: u32) {
  let part = group_values(group);
  let row = group.y * piece.entries;
  let first_pass = piece.shift + piece.bits == 32u;
  var value = part.first + invocation;
  for (var turns = turns_of(part, invocation); turns > 0u; turns--) {
    let key = value_key(columns[part.column * piece.values + value]);
    let digit = extractBits(key, piece.shift, piece.bits);
    if (first_pass) {
      atomicAdd(&first_digits[digit], 1u);
    } else {
      let entry = prefix_entry(part.column, key >> (piece.shift + piece.bits));
      if (entry < piece.entries) {
        atomicAdd(&histogram[((row + entry) << piece.bits) + digit], 1u);
      }
    }
    value += workgroup_size;
  }
  workgroupBarrier();
  if (first_pass) {
    for (var digit = invocation; digit < FIRST_DIGIT_BINS; digit += workgroup_size) {
      let count = atomicLoad(&first_digits[digit]);
      if (count != 0u) {
        atomicAdd(&histogram[(row << piece.bits) + digit], count);
      }
    }
  }
}
