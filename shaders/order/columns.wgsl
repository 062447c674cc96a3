// Parameters and columns of real numbers for the kernels of order statistics.
// Inputs: the bits of a value; the number of a workgroup.
// Outputs: keys; ranges of values.
// Provides: workgroup_size, piece, columns, value_key, group_values, turns_of.
// Expects:
//   lib/order.wgsl: order_key

override workgroup_size: u32;

// The values of one dispatch, the same in every column, and the parameters of the search.
struct Piece {
  // Values per column; column c begins at c x values.
  values: u32,
  // First value of the dispatch and one past its last, within a column.
  first: u32,
  end: u32,
  // The first column; the dispatch has a row of workgroups for every column from there.
  first_column: u32,
  // Of the digit that is counted: the bits to its right, and its own bits.
  shift: u32,
  bits: u32,
  // Entries per column of the kernel's list: prefixes, or intervals.
  entries: u32,
}

// Values per workgroup.
const VALUES_PER_WORKGROUP = 16384u;

@group(1) @binding(0) var<uniform> piece: Piece;
// The bits of the values.
@group(1) @binding(1) var<storage, read> columns: array<u32>;

// A key whose unsigned order is that of the values; -0 and 0 have the same key. Integer operations only: a floating-point comparison
// may treat a subnormal number as zero.
fn value_key(bits: u32) -> u32 {
  return order_key(bitcast<f32>(select(bits, 0u, (bits << 1u) == 0u)));
}

// The values of workgroup (x, y) of a dispatch: from piece.first + VALUES_PER_WORKGROUP x on, of column first_column + y.
struct GroupValues {
  column: u32,
  // The first value and one past the last.
  first: u32,
  end: u32,
}

fn group_values(group: vec3<u32>) -> GroupValues {
  let first = piece.first + group.x * VALUES_PER_WORKGROUP;
  return GroupValues(piece.first_column + group.y, first, min(first + VALUES_PER_WORKGROUP, piece.end));
}

// Values of an invocation: every workgroup_size-th one from its own on.
fn turns_of(part: GroupValues, invocation: u32) -> u32 {
  return (part.end - part.first + workgroup_size - 1u - invocation) / workgroup_size;
}
