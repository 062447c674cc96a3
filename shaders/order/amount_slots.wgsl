// The slots of columns of amounts, each with a scale.
// Inputs: scales; a value of a column.
// Outputs: the index of a slot.
// Units: amounts in units of the scale of the bins.
// Provides: COLUMN_SLOTS, column_slot.
// Expects:
//   lib/bins.wgsl: AMOUNT_SLOTS, amount_slot

const COLUMN_SLOTS = AMOUNT_SLOTS;

struct ColumnScale {
  // A value v of the column is the amount start + unit v, in units of the scale of the bins.
  start: f32,
  unit: f32,
}

// Of column c at c.
@group(1) @binding(2) var<storage, read> scales: array<ColumnScale>;

fn column_slot(column: u32, value: f32) -> u32 {
  let scale = scales[column];
  return amount_slot(fma(scale.unit, value, scale.start));
}
