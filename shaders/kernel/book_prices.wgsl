// Simulates a block of paths of a book and writes log prices of every asset after every step, and their lowest and highest by day and by
// block of six days.
// Inputs: the market parameters; terms, path_numbers.
// Outputs: log_prices (reader: book/values.wgsl).
// Units: log2 of prices relative to the start.
// Provides: the entry point `simulate`, Terms, terms, log_prices.
// Reference: src/core/book/price-extremes.ts (extremes).
// Expects:
//   book/price_rows.wgsl: BOOK_DAYS_PER_BLOCK, BOOK_DAY_STEPS, block_row, day_row, days_of
//   book/write_no_weight.wgsl or book/write_weight.wgsl: weight_write
//   kernel/bindings.wgsl: asset_quads, assets, slice, workgroup_size
//   kernel/market_slice.wgsl: market_resume, market_suspend
//   lib/four_steps.wgsl: groups_of, highest_of, live_steps, lowest_of
//   portfolio/assets.wgsl: asset_exists, market_quad
//   one market: MarketState, market_begin

struct Terms {
  // The first path of the range; `listed` is 1 where path_numbers lists the paths instead.
  first_path: u32,
  listed: u32,
}

@group(1) @binding(0) var<uniform> terms: Terms;
// Numbers of the paths of a listed range.
@group(1) @binding(1) var<storage, read> path_numbers: array<u32>;
// Row r of asset i on path p of the block at (r x assets + i) x path_count + p. Rows: see book/price_rows.wgsl.
@group(1) @binding(2) var<storage, read_write> log_prices: array<f32>;

struct BookExtremes {
  lowest: vec4<f32>,
  highest: vec4<f32>,
}

// Writes the log prices of an asset after steps `step` + 1 .. `step` + `live`.
fn prices_write(values: vec4<f32>, asset: u32, step: u32, live: u32, local: u32) {
  let stride = assets * slice.path_count;
  let at = step * stride + asset * slice.path_count + local;
  log_prices[at] = values.x;
  if (live > 1u) {
    log_prices[at + stride] = values.y;
  }
  if (live > 2u) {
    log_prices[at + 2u * stride] = values.z;
  }
  if (live > 3u) {
    log_prices[at + 3u * stride] = values.w;
  }
}

// The lowest of the first `live` values.
fn prices_lowest(values: vec4<f32>, live: u32) -> f32 {
  return lowest_of(live_steps(values, live, values.x));
}

fn prices_highest(values: vec4<f32>, live: u32) -> f32 {
  return highest_of(live_steps(values, live, values.x));
}

// Writes the extremes of an asset over a day, and updates those of its block of six days.
fn extremes_write(lowest: f32, highest: f32, asset: u32, day: u32, local: u32) {
  let of_day = day_row(slice.steps, day);
  let of_block = block_row(slice.steps, days_of(slice.steps), day / BOOK_DAYS_PER_BLOCK);
  let first = day % BOOK_DAYS_PER_BLOCK == 0u;
  log_prices[(of_day * assets + asset) * slice.path_count + local] = lowest;
  log_prices[((of_day + 1u) * assets + asset) * slice.path_count + local] = highest;
  let low_at = (of_block * assets + asset) * slice.path_count + local;
  let high_at = ((of_block + 1u) * assets + asset) * slice.path_count + local;
  log_prices[low_at] = select(min(lowest, log_prices[low_at]), lowest, first);
  log_prices[high_at] = select(max(highest, log_prices[high_at]), highest, first);
}

// Advances a quad by four steps, and writes its prices, after the last group of a day also its extremes.
fn prices_quad(
  state: ptr<function, MarketState>,
  extremes: ptr<function, array<BookExtremes, 8>>,
  path: u32,
  step: u32,
  quad: u32,
  local: u32,
) {
  let live = min(4u, slice.end_step - step);
  let asset = 4u * quad;
  let v = market_quad(state, path, step, quad);
  prices_write(v[0], asset, step, live, local);
  if (asset_exists(quad, 1u)) {
    prices_write(v[1], asset + 1u, step, live, local);
  }
  if (asset_exists(quad, 2u)) {
    prices_write(v[2], asset + 2u, step, live, local);
  }
  if (asset_exists(quad, 3u)) {
    prices_write(v[3], asset + 3u, step, live, local);
  }
  var lowest = vec4(
    prices_lowest(v[0], live),
    prices_lowest(v[1], live),
    prices_lowest(v[2], live),
    prices_lowest(v[3], live),
  );
  var highest = vec4(
    prices_highest(v[0], live),
    prices_highest(v[1], live),
    prices_highest(v[2], live),
    prices_highest(v[3], live),
  );
  if (step % BOOK_DAY_STEPS != 0u) {
    lowest = min((*extremes)[quad].lowest, lowest);
    highest = max((*extremes)[quad].highest, highest);
  }
  (*extremes)[quad] = BookExtremes(lowest, highest);
  if (step + 4u >= slice.end_step || (step + 4u) % BOOK_DAY_STEPS == 0u) {
    let day = step / BOOK_DAY_STEPS;
    extremes_write(lowest.x, highest.x, asset, day, local);
    if (asset_exists(quad, 1u)) {
      extremes_write(lowest.y, highest.y, asset + 1u, day, local);
    }
    if (asset_exists(quad, 2u)) {
      extremes_write(lowest.z, highest.z, asset + 2u, day, local);
    }
    if (asset_exists(quad, 3u)) {
      extremes_write(lowest.w, highest.w, asset + 3u, day, local);
    }
  }
}

// Invocation i of a dispatch is path number i of the block.
@compute @workgroup_size(workgroup_size)
fn simulate(@builtin(global_invocation_id) id: vec3<u32>) {
  let local = id.x;
  if (local >= slice.path_count) {
    return;
  }
  let place = slice.first_path + local;
  var path = terms.first_path + place;
  if (terms.listed == 1u) {
    path = path_numbers[place];
  }
  var state = market_begin();
  market_resume(&state, local);
  var extremes: array<BookExtremes, 8>;
  var step = slice.first_step;
  for (var groups = groups_of(slice.end_step - step); groups > 0u; groups--) {
    if (asset_quads > 6u) {
      for (var quad = 0u; quad < asset_quads; quad++) {
        prices_quad(&state, &extremes, path, step, quad, local);
      }
    } else {
      // Without a loop: see portfolio/sides.wgsl.
      prices_quad(&state, &extremes, path, step, 0u, local);
      if (asset_quads > 1u) {
        prices_quad(&state, &extremes, path, step, 1u, local);
      }
      if (asset_quads > 2u) {
        prices_quad(&state, &extremes, path, step, 2u, local);
      }
      if (asset_quads > 3u) {
        prices_quad(&state, &extremes, path, step, 3u, local);
      }
      if (asset_quads > 4u) {
        prices_quad(&state, &extremes, path, step, 4u, local);
      }
      if (asset_quads > 5u) {
        prices_quad(&state, &extremes, path, step, 5u, local);
      }
    }
    step += 4u;
  }
  weight_write(&state, path, local);
  market_suspend(&state, local);
}
