// Rows of the stationary bootstrap, in consecutive blocks of random length.
// Inputs: tables: the rows of returns, a vector for each quad of assets, then from drift_start on the drifts likewise.
// Outputs: row numbers, returns and drifts.
// Units: log returns in base 2 of an hour or a day.
// Provides: MarketParameters, block_next, block_return, block_drift.
// Reference: BlockRows of src/core/reference/bootstrap-paths.ts.
// Expects:
//   kernel/bindings.wgsl: asset_quads, market, tables

struct MarketParameters {
  // Row i, columns 4q..4q+3 at factor[8 i + q]: a factor of the correlation matrix of the rows.
  factor: array<vec4<f32>, 256>,
  // Per asset, the daily standard deviation of the bridges in base 2.
  deviation: array<vec4<f32>, 8>,
  // Weights of the collateral and of the loan by asset.
  collateral_weight: array<vec4<f32>, 8>,
  loan_weight: array<vec4<f32>, 8>,
  // Sums of the weights of each side.
  collateral_sum: f32,
  loan_sum: f32,
  // log2(C/L) at the start of a pair of single assets.
  log_start: f32,
  // A word below this begins a new block.
  new_block: u32,
  // Number of rows; index of the first drift in `tables`; number of drifts.
  row_count: u32,
  drift_start: u32,
  drift_count: u32,
  // Hours of a row: 1 or 24.
  steps_per_row: u32,
}

// Row number `number` of a path after the row `last`. @param words the first decides on a new block, the second selects its row
fn block_next(last: u32, number: u32, words: vec2<u32>) -> u32 {
  if (number == 0u || words.x < market.new_block) {
    return words.y % market.row_count;
  }
  let next = last + 1u;
  return select(next, 0u, next == market.row_count);
}

// Returns of the assets of a quad in a row.
fn block_return(row: u32, quad: u32) -> vec4<f32> {
  return tables[row * asset_quads + quad];
}

// Drift of row number `number` of a path.
fn block_drift(number: u32, quad: u32) -> vec4<f32> {
  return tables[market.drift_start + min(number, market.drift_count - 1u) * asset_quads + quad];
}
