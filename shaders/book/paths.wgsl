// Losses, sales and peak day of a block of paths: the columns of a book (docs/books.md).
// Inputs: path_sums of book/loans.wgsl.
// Outputs: columns.
// Units: amounts in units of the book; steps.
// Provides: the entry point `book_paths`, columns.
// Reference: BookPath.findPeakDay of src/core/book/book-path.ts.
// Expects:
//   book/piece.wgsl: PATH_*, piece, workgroup_size
//   lib/u64.wgsl: u64_below, u64_difference, u64_sum

// Words of a path of the range; word w of path p at w x range_paths + p. Amounts have two words, in units of the book.
const COLUMN_LOSS = 0u;
const COLUMN_UNSOLD = 2u;
const COLUMN_CALLED_LOANS = 4u;
const COLUMN_FORCED_SALES = 5u;
const COLUMN_SOLD = 6u;
const COLUMN_PEAK_DAY = 8u;
const COLUMN_PEAK_START = 10u;
const COLUMN_WEIGHT = 11u;

@group(1) @binding(1) var<storage, read> path_sums: array<u32>;
@group(1) @binding(2) var<storage, read_write> columns: array<u32>;

fn path_word(word: u32, local: u32) -> u32 {
  return path_sums[word * piece.path_count + local];
}

fn path_amount(word: u32, local: u32) -> vec2<u32> {
  return vec2(path_word(word, local), path_word(word + 1u, local));
}

fn column_set(word: u32, place: u32, value: u32) {
  columns[word * piece.range_paths + place] = value;
}

fn column_set_amount(word: u32, place: u32, value: vec2<u32>) {
  column_set(word, place, value.x);
  column_set(word + 1u, place, value.y);
}

// Invocation i of a dispatch is path number i of the block.
@compute @workgroup_size(workgroup_size)
fn book_paths(@builtin(global_invocation_id) id: vec3<u32>) {
  let local = id.x;
  if (local >= piece.path_count) {
    return;
  }
  let place = piece.first_path + local;
  let sales = path_word(PATH_FORCED_SALES, local);
  var sold = vec2<u32>();
  var peak = vec2<u32>();
  var peak_start = 0u;
  if (sales > 0u) {
    let width = min(piece.day_steps, piece.steps);
    var window = vec2<u32>();
    for (var t = 0u; t < piece.steps; t++) {
      let now = path_amount(PATH_WORDS + 2u * t, local);
      sold = u64_sum(sold, now);
      window = u64_sum(window, now);
      if (t >= width) {
        window = u64_difference(window, path_amount(PATH_WORDS + 2u * (t - width), local));
      }
      // Of equal windows the earliest is the peak day.
      if (t + 1u >= width && u64_below(peak, window)) {
        peak = window;
        peak_start = t + 1u - width;
      }
    }
  }
  column_set_amount(COLUMN_LOSS, place, path_amount(PATH_LOSS, local));
  column_set_amount(COLUMN_UNSOLD, place, path_amount(PATH_UNSOLD, local));
  column_set(COLUMN_CALLED_LOANS, place, path_word(PATH_CALLED_LOANS, local));
  column_set(COLUMN_FORCED_SALES, place, sales);
  column_set_amount(COLUMN_SOLD, place, sold);
  column_set_amount(COLUMN_PEAK_DAY, place, peak);
  column_set(COLUMN_PEAK_START, place, peak_start);
  column_set(COLUMN_WEIGHT, place, path_word(PATH_WEIGHT, local));
}
