// Columns of real numbers whose order statistics are looked for.
// Provides: the override and bindings 0 and 1 of the order kernels, value_key. Expects: order_key.

override workgroup_size: u32;

// The values of one dispatch, the same in every column, and what is looked for in them.
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

// Values that one workgroup looks at.
const VALUES_PER_WORKGROUP = 16384u;

@group(1) @binding(0) var<uniform> piece: Piece;
// The bits of the values.
@group(1) @binding(1) var<storage, read> columns: array<u32>;

// A key whose unsigned order is that of the values; -0 and 0 are one value. In integers throughout: a floating-point
// comparison may take a subnormal number for zero.
fn value_key(bits: u32) -> u32 {
  return order_key(bitcast<f32>(select(bits, 0u, (bits << 1u) == 0u)));
}

// The values that workgroup (x, y) of a dispatch looks at: from piece.first + 16384 x on, of column first_column + y.
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
