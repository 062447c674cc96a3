// Parameters of a dispatch of the kernels of a book, and the words of a path that they share.
// Provides: workgroup_size, piece, PATH_*.
// Expects: nothing.

override workgroup_size: u32;

// The paths and loans of one dispatch, and parameters of the whole run.
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
  // Steps between the end of a loan and the sale of its collateral, and the part of the proceeds that remains after costs.
  sale_delay: u32,
  after_cost: f32,
  // Steps of the window of the peak day.
  day_steps: u32,
  // 1 in the second pass, over the paths in the tails of the losses; 0 in the first.
  tails: u32,
  // Index of the first word of the sales by asset in `tail_sums`.
  rows_start: u32,
  // Units per squared step in weighted sums.
  step_square_units: f32,
}

@group(1) @binding(0) var<uniform> piece: BookPiece;

// Words of a path of the block, word w of path p at w x path_count + p: loss, loss without a sale (two words each), number of loans
// called, number of loans sold, weight of the path; then two words of sales for each step.
const PATH_LOSS = 0u;
const PATH_UNSOLD = 2u;
const PATH_CALLED_LOANS = 4u;
const PATH_FORCED_SALES = 5u;
const PATH_WEIGHT = 6u;
const PATH_WORDS = 7u;
