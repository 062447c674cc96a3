// The slots of columns of ratios; the list of the pass is unused.
// Inputs: a value of a column.
// Outputs: the index of a slot.
// Provides: COLUMN_SLOTS, column_slot.
// Expects:
//   lib/bins.wgsl: RATIO_SLOTS, ratio_slot

const COLUMN_SLOTS = RATIO_SLOTS;

fn column_slot(column: u32, value: f32) -> u32 {
  return ratio_slot(value);
}
