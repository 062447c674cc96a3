// Counts the values of columns in bins, first in the memory of a workgroup. Host: src/core/gpu/order/slot-counts.ts.
// Inputs: columns.
// Outputs: slots.
// Provides: the entry point `count_slots`.
// Expects:
//   order/columns.wgsl: columns, group_values, piece, turns_of, workgroup_size
//   order/amount_slots.wgsl or order/ratio_slots.wgsl: COLUMN_SLOTS, column_slot

// Slot s of column c at (c - first_column) x COLUMN_SLOTS + s.
@group(1) @binding(3) var<storage, read_write> slots: array<atomic<u32>>;

var<workgroup> group_slots: array<atomic<u32>, COLUMN_SLOTS>;

// A workgroup counts the values of group_values.
@compute @workgroup_size(workgroup_size)
fn count_slots(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) invocation: u32) {
  let part = group_values(group);
  var value = part.first + invocation;
  for (var turns = turns_of(part, invocation); turns > 0u; turns--) {
    let bits = columns[part.column * piece.values + value];
    atomicAdd(&group_slots[column_slot(part.column, bitcast<f32>(bits))], 1u);
    value += workgroup_size;
  }
  workgroupBarrier();
  for (var slot = invocation; slot < COLUMN_SLOTS; slot += workgroup_size) {
    let count = atomicLoad(&group_slots[slot]);
    if (count != 0u) {
      atomicAdd(&slots[group.y * COLUMN_SLOTS + slot], count);
    }
  }
}
