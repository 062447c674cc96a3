// What the kernels of a book share: the piece of the work that a dispatch does.
// Provides: BookPiece, the binding `piece`, workgroup_size, PATH_*. Expects: nothing.

override workgroup_size: u32;

// A block of paths of a range, and what does not change over a run.
struct BookPiece {
  // Paths of the block, and its first path among those of the range.
  path_count: u32,
  first_path: u32,
  // Paths of the range.
  range_paths: u32,
  // Steps of a path, and assets.
  steps: u32,
  assets: u32,
  // The first loan of the dispatch, and the loans of the book.
  first_loan: u32,
  loan_count: u32,
  // Steps between the end of a loan and the sale of its collateral, and what is left of a sale after its cost.
  sale_delay: u32,
  after_cost: f32,
  // Steps of the window of the peak day.
  day_steps: u32,
  // 1 where the paths are those of the tails.
  tails: u32,
  // Where in `tail_sums` the sales by asset begin.
  rows_start: u32,
  // The row of the prices in which the weights of the paths stand, where they have any.
  weights_row: u32,
  // Parts of one squared step in sums under weights.
  step_square_units: f32,
}

@group(1) @binding(0) var<uniform> piece: BookPiece;

// Words of a path of the block, of which word w stands at w x path_count + p: loss, loss without a sale (two words each),
// loans called, loans sold, and the weight of the path. Two words of what is sold at each step follow.
const PATH_LOSS = 0u;
const PATH_UNSOLD = 2u;
const PATH_CALLED_LOANS = 4u;
const PATH_FORCED_SALES = 5u;
const PATH_WEIGHT = 6u;
const PATH_WORDS = 7u;
