// Counts the values of columns in bins of amounts. Host: src/core/gpu/order/amount-counts.ts.
// Inputs: columns, scales.
// Outputs: slots.
// Units: amounts in units of the scale of the bins.
// Provides: the entry point `count_amounts`.
// Expects:
//   lib/bins.wgsl: AMOUNT_SLOTS, amount_slot
//   order/columns.wgsl: columns, group_values, piece, turns_of, workgroup_size

struct ColumnScale {
  // A value v of the column is the amount start + unit v, in units of the scale of the bins.
  start: f32,
  unit: f32,
}

// Of column c at c.
@group(1) @binding(2) var<storage, read> scales: array<ColumnScale>;
// Slot s of column c at (c - first_column) x AMOUNT_SLOTS + s.
@group(1) @binding(3) var<storage, read_write> slots: array<atomic<u32>>;

var<workgroup> group_slots: array<atomic<u32>, AMOUNT_SLOTS>;

// A workgroup counts the values of group_values.
@compute @workgroup_size(workgroup_size)
fn count_amounts(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) invocation: u32) {
  let part = group_values(group);
  let scale = scales[part.column];
  var value = part.first + invocation;
  for (var turns = turns_of(part, invocation); turns > 0u; turns--) {
    let amount = fma(scale.unit, bitcast<f32>(columns[part.column * piece.values + value]), scale.start);
    atomicAdd(&group_slots[amount_slot(amount)], 1u);
    value += workgroup_size;
  }
  workgroupBarrier();
  for (var slot = invocation; slot < AMOUNT_SLOTS; slot += workgroup_size) {
    let count = atomicLoad(&group_slots[slot]);
    if (count != 0u) {
      atomicAdd(&slots[group.y * AMOUNT_SLOTS + slot], count);
    }
  }
}
