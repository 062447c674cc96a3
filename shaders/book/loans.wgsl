// Evaluates the loans of a book along a block of paths (docs/books.md). An invocation takes one path and some loans, one after another:
// the state of a loan stays in registers, and all paths of a workgroup read the same terms. All sums are of integers: their order does not
// matter.
// Inputs: log_prices, loans, baskets; tail_paths in the second pass.
// Outputs: path_sums and loan_sums in the first pass, tail_sums in the second.
// Units: amounts in units of the book; log2 of prices; steps.
// Provides: the entry point `follow_loans`, LOAN_SUM_*, group_add_to.
// Reference: src/core/book/book-path.ts.
// Expects:
//   book/piece.wgsl: PATH_*, piece, workgroup_size
//   book/price_rows.wgsl: BOOK_DAYS_PER_BLOCK, BOOK_DAY_STEPS, block_row, blocks_of, day_row, days_of
//   book/unweighted.wgsl or book/weighted.wgsl: LOAN_SETS, current_weight, group_add_weighted, weight_begin
//   book/values.wgsl: BookLoan, baskets, book_ceiling, book_floor, book_log_price, book_ratio, book_secured, book_sides, book_value,
//     loans
//   lib/four_steps.wgsl: groups_of, highest_of, live_steps, lowest_of
//   lib/limits.wgsl: NO_STEP, VALUE_LIMIT
//   lib/order.wgsl: order_key, order_value
//   lib/u64.wgsl: u64_carry, u64_of, u64_product, u64_sum
//   product/loan_states.wgsl: LoanRules, LoanState, loan_begin, loan_falls, loan_group
//   product/one_threshold.wgsl or product/asset_thresholds.wgsl: THRESHOLDS_BY_ASSET

// Loans per invocation.
const BOOK_LOANS = 8u;

// Sums of a loan over the paths, two words each; word w of loan k at w x loan_count + k. After them, the third word of its squared
// losses. Weighted paths have three more sets of the same sums. The last word is the largest inverted order key of its lowest value.
const LOAN_SUM_MARGIN_CALLS = 0u;
const LOAN_SUM_LIQUIDATIONS = 1u;
const LOAN_SUM_CLOSEOUTS = 2u;
const LOAN_SUM_UNDERWATER = 3u;
const LOAN_SUM_MISSED_STEPS = 4u;
const LOAN_SUM_UNSOLD_UNITS = 5u;
const LOAN_SUM_LOSS_UNITS = 6u;
const LOAN_SUM_MISSED_SQUARES = 7u;
const LOAN_SUM_UNSOLD_PATHS = 8u;
const LOAN_SUM_UNSOLD_SQUARES = 9u;
const LOAN_SUM_LOSS_PATHS = 10u;
const LOAN_SUM_LOSS_SQUARES = 11u;
const LOAN_SUM_EARLY_ENDS = 12u;
const LOAN_SUM_COUNT = 13u;
const LOAN_SET_WORDS = 27u;
const LOAN_WORDS = LOAN_SETS * LOAN_SET_WORDS + 1u;

// Units of the sums of a loan per loan value.
const UNITS_PER_LOAN_VALUE = 4294967296.0;
// Units of the sums of squared shares of the loan value.
const SQUARE_UNITS = 1099511627776.0;

// Words of the sum of a loan's losses over a class of paths: see class_add.
const CLASS_WORDS = 3u;

@group(1) @binding(4) var<storage, read_write> path_sums: array<atomic<u32>>;
@group(1) @binding(5) var<storage, read_write> loan_sums: array<atomic<u32>>;
// Of each path in a tail of the losses: its class, 0 for none, and the first step of its peak day.
@group(1) @binding(6) var<storage, read> tail_paths: array<vec2<u32>>;
// Losses of loan k on paths of class c: word w at (CLASS_WORDS (c - 1) + w) x loan_count + k. From `rows_start` on, sales of asset i
// in the peak day of path p: words at 2 i x range_paths + p and range_paths after it.
@group(1) @binding(7) var<storage, read_write> tail_sums: array<atomic<u32>>;

var<workgroup> group_sums: array<atomic<u32>, 2u * BOOK_LOANS * LOAN_SUM_COUNT * LOAN_SETS>;
var<workgroup> group_lowest: array<atomic<u32>, BOOK_LOANS>;

// Totals of a path over the loans of an invocation: amounts in units of the book, and counts.
struct BookTotals {
  loss: vec2<u32>,
  unsold: vec2<u32>,
  called: u32,
  sold: u32,
}

// Adds to the plain and the weighted sums of a loan in workgroup memory. Set 0 (`kind`) has the plain ones.
fn group_add(slot: u32, sum: u32, value: vec2<u32>) {
  group_add_to(0u, slot, sum, value);
  group_add_weighted(slot, sum, value);
}

fn group_add_to(kind: u32, slot: u32, sum: u32, value: vec2<u32>) {
  let at = 2u * (LOAN_SUM_COUNT * (BOOK_LOANS * kind + slot) + sum);
  let high = value.y + u64_carry(atomicAdd(&group_sums[at], value.x), value.x);
  if (high != 0u) {
    atomicAdd(&group_sums[at + 1u], high);
  }
}

fn path_add(word: u32, local: u32, value: vec2<u32>) {
  let at = word * piece.path_count + local;
  let high = value.y + u64_carry(atomicAdd(&path_sums[at], value.x), value.x);
  if (high != 0u) {
    atomicAdd(&path_sums[at + piece.path_count], high);
  }
}

fn row_add(asset: u32, place: u32, value: vec2<u32>) {
  let at = piece.rows_start + 2u * asset * piece.range_paths + place;
  let high = value.y + u64_carry(atomicAdd(&tail_sums[at], value.x), value.x);
  if (high != 0u) {
    atomicAdd(&tail_sums[at + piece.range_paths], high);
  }
}

// Adds a loss to those of a class of paths. Three words: the losses of a million paths exceed 64 bits.
fn class_add(class_number: u32, loan: u32, value: vec2<u32>) {
  let at = CLASS_WORDS * (class_number - 1u) * piece.loan_count + loan;
  let high = value.y + u64_carry(atomicAdd(&tail_sums[at], value.x), value.x);
  if (high != 0u) {
    if (u64_carry(atomicAdd(&tail_sums[at + piece.loan_count], high), high) != 0u) {
      atomicAdd(&tail_sums[at + 2u * piece.loan_count], 1u);
    }
  }
}

// Whether the steps up to `end_step`, with extremes in rows `low` and `low` + 1, neither change the status nor have a value below
// `matters`.
fn book_unchanged(
  loan: BookLoan,
  rules: LoanRules,
  state: ptr<function, LoanState>,
  matters: f32,
  low: u32,
  end_step: u32,
  local: u32,
) -> bool {
  if (book_floor(loan, low, low + 1u, local) < max((*state).lower_limit, matters) || end_step >= (*state).deadline) {
    return false;
  }
  if (THRESHOLDS_BY_ASSET && loan_falls(state, rules, book_floor(book_secured(loan), low, low + 1u, local))) {
    return false;
  }
  return (*state).upper_limit == VALUE_LIMIT || book_ceiling(loan, low, low + 1u, local) < (*state).upper_limit;
}

// Adds a loss, a share of the loan value, to the sums of the loan and the totals of the path.
fn book_loss(loan: BookLoan, k: u32, slot: u32, share: f32, place: u32, totals: ptr<function, BookTotals>) {
  if (share <= 0.0) {
    return;
  }
  let units = u64_of(share * loan.units);
  (*totals).loss = u64_sum((*totals).loss, units);
  if (piece.tails == 0u) {
    let loss_units = u64_of(share * UNITS_PER_LOAN_VALUE);
    group_add(slot, LOAN_SUM_LOSS_UNITS, loss_units);
    group_add(slot, LOAN_SUM_LOSS_PATHS, vec2(select(0u, 1u, any(loss_units != vec2(0u))), 0u));
    group_add(slot, LOAN_SUM_LOSS_SQUARES, u64_of(share * share * SQUARE_UNITS));
  } else if (tail_paths[place].x != 0u) {
    class_add(tail_paths[place].x, k, u64_of(current_weight() * share * loan.units));
  }
}

// Sells the collateral of a loan that ended. Proceeds are rounded to whole units by asset, the same in both passes.
fn book_sale(loan: BookLoan, k: u32, slot: u32, index: u32, local: u32, totals: ptr<function, BookTotals>) {
  let at = index + piece.sale_delay;
  let place = piece.first_path + local;
  let in_peak = piece.tails == 1u && at - tail_paths[place].y < piece.day_steps;
  var sold = vec2<u32>();
  for (var i = loan.first_holding; i < loan.first_holding + loan.holdings; i++) {
    let holding = baskets[i];
    let price = exp2(book_log_price(at, holding.asset, local));
    let part = u64_of(loan.nominal_ratio * loan.units * (holding.collateral * price));
    sold = u64_sum(sold, part);
    if (in_peak) {
      row_add(holding.asset, place, part);
    }
  }
  if (piece.tails == 0u) {
    path_add(PATH_WORDS + 2u * at, local, sold);
  }
  let sides = book_sides(loan, at, local);
  book_loss(loan, k, slot, fma(-piece.after_cost * loan.nominal_ratio, sides.x, sides.y), place, totals);
}

// Evaluates one loan along one path.
fn book_run_loan(k: u32, slot: u32, local: u32, totals: ptr<function, BookTotals>) {
  let loan = loans[k];
  let rules = LoanRules(loan.margin_call, loan.liquidation, loan.recovery, loan.top_up_steps);
  // Values at or above this need no evaluation: no call, not underwater, not the lowest of all paths so far.
  let worst = lowest_so_far(k);
  let notable = max(max(loan.margin_call, loan.underwater), worst);
  var state = loan_begin(rules);
  var lowest = VALUE_LIMIT;
  let days = days_of(loan.term_steps);
  let path_days = days_of(piece.steps);
  // Loops count down to 0: see groups_of.
  var first_day = 0u;
  for (var blocks = blocks_of(days); blocks > 0u; blocks--) {
    let end_day = first_day + BOOK_DAYS_PER_BLOCK;
    let low = block_row(piece.steps, path_days, first_day / BOOK_DAYS_PER_BLOCK);
    if (!book_unchanged(loan, rules, &state, min(lowest, notable), low, end_day * BOOK_DAY_STEPS, local)) {
      let last_day = min(end_day, days);
      for (var left = last_day - first_day; left > 0u; left--) {
        let day = last_day - left;
        let end_step = (day + 1u) * BOOK_DAY_STEPS;
        if (book_unchanged(loan, rules, &state, min(lowest, notable), day_row(piece.steps, day), end_step, local)) {
          continue;
        }
        var step = day * BOOK_DAY_STEPS;
        for (var groups = groups_of(min(end_step, loan.term_steps) - step); groups > 0u; groups--) {
          let v = live_steps(book_value(loan, step, local), loan.term_steps - step, VALUE_LIMIT);
          var secured = v;
          if (THRESHOLDS_BY_ASSET) {
            secured = live_steps(book_value(book_secured(loan), step, local), loan.term_steps - step, VALUE_LIMIT);
          }
          let lowest_of_group = lowest_of(v);
          lowest = min(lowest, lowest_of_group);
          loan_group(&state, rules, v, secured, lowest_of_group, highest_of(v), step);
          step += 4u;
        }
      }
    }
    first_day = end_day;
  }
  book_finish(loan, k, slot, local, lowest, worst, state.end, totals);
}

// The lowest value of loan k over all paths so far.
fn lowest_so_far(k: u32) -> f32 {
  let key = ~atomicLoad(&loan_sums[(LOAN_WORDS - 1u) * piece.loan_count + k]);
  return select(order_value(key), VALUE_LIMIT, key == 0xffffffffu);
}

// Adds a loan at the end of a path to the sums. @param lowest its lowest value, exact where it is below the threshold of notable ones
fn book_finish(
  loan: BookLoan,
  k: u32,
  slot: u32,
  local: u32,
  lowest: f32,
  worst: f32,
  end: u32,
  totals: ptr<function, BookTotals>,
) {
  let sums = piece.tails == 0u;
  if (sums && lowest < worst) {
    atomicMax(&group_lowest[slot], ~order_key(lowest));
  }
  let ended = end != NO_STEP;
  if (lowest < loan.margin_call || (THRESHOLDS_BY_ASSET && ended)) {
    (*totals).called += 1u;
    if (sums) {
      group_add(slot, LOAN_SUM_MARGIN_CALLS, vec2(1u, 0u));
    }
  }
  if (ended) {
    (*totals).sold += 1u;
    let end_step = end >> 1u;
    if (sums) {
      group_add(slot, select(LOAN_SUM_CLOSEOUTS, LOAN_SUM_LIQUIDATIONS, (end & 1u) == 0u), vec2(1u, 0u));
      let missed = loan.term_steps - end_step;
      group_add(slot, LOAN_SUM_MISSED_STEPS, vec2(missed, 0u));
      group_add(slot, LOAN_SUM_MISSED_SQUARES, u64_product(missed, missed));
      group_add(slot, LOAN_SUM_EARLY_ENDS, vec2(u32(missed > 0u), 0u));
    }
    book_sale(loan, k, slot, end_step - 1u, local, totals);
  }
  if (lowest < loan.underwater) {
    if (sums) {
      group_add(slot, LOAN_SUM_UNDERWATER, vec2(1u, 0u));
    }
    let last = loan.term_steps - 1u;
    let missing = fma(-loan.nominal_ratio, book_ratio(loan, book_value(loan, last, local).x), 1.0);
    if (missing > 0.0) {
      let sides = book_sides(loan, last, local);
      (*totals).unsold = u64_sum((*totals).unsold, u64_of(missing * sides.y * loan.units));
      if (sums) {
        group_add(slot, LOAN_SUM_UNSOLD_UNITS, u64_of(missing * UNITS_PER_LOAN_VALUE));
        group_add(slot, LOAN_SUM_UNSOLD_PATHS, vec2(1u, 0u));
        group_add(slot, LOAN_SUM_UNSOLD_SQUARES, u64_of(missing * missing * SQUARE_UNITS));
      }
      if (!ended) {
        // At the end of the term the borrower hands over the collateral.
        let share = fma(-piece.after_cost * loan.nominal_ratio, sides.x, sides.y);
        book_loss(loan, k, slot, share, piece.first_path + local, totals);
      }
    }
  }
}

// Adds the sums of the workgroup to those of the device. Every invocation calls it once, after its last sum.
fn loans_flush(first_loan: u32, invocation: u32) {
  workgroupBarrier();
  if (piece.tails == 1u) {
    return;
  }
  let live = min(BOOK_LOANS, piece.loan_count - first_loan);
  for (var i = invocation; i < LOAN_SETS * live * LOAN_SUM_COUNT; i += workgroup_size) {
    let sum = i % LOAN_SUM_COUNT;
    let slot = i / LOAN_SUM_COUNT % live;
    let kind = i / LOAN_SUM_COUNT / live;
    let own = 2u * (LOAN_SUM_COUNT * (BOOK_LOANS * kind + slot) + sum);
    let low = atomicLoad(&group_sums[own]);
    let high = atomicLoad(&group_sums[own + 1u]);
    let at = (LOAN_SET_WORDS * kind + 2u * sum) * piece.loan_count + first_loan + slot;
    if (low != 0u || high != 0u) {
      let more = high + u64_carry(atomicAdd(&loan_sums[at], low), low);
      if (more != 0u) {
        let carry = u64_carry(atomicAdd(&loan_sums[at + piece.loan_count], more), more);
        if (sum == LOAN_SUM_LOSS_SQUARES && carry != 0u) {
          atomicAdd(&loan_sums[at + 2u * piece.loan_count], 1u);
        }
      }
    }
  }
  for (var i = invocation; i < live; i += workgroup_size) {
    atomicMax(&loan_sums[(LOAN_WORDS - 1u) * piece.loan_count + first_loan + i], atomicLoad(&group_lowest[i]));
  }
}

// Invocation i of row b of workgroups: path number i of the block, and loans first_loan + 8 b .. first_loan + 8 b + 7.
@compute @workgroup_size(workgroup_size)
fn follow_loans(
  @builtin(global_invocation_id) id: vec3<u32>,
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(local_invocation_index) invocation: u32,
) {
  let local = id.x;
  let first_loan = piece.first_loan + BOOK_LOANS * group.y;
  if (local < piece.path_count) {
    weight_begin(local);
    var totals = BookTotals();
    for (var slot = 0u; slot < min(BOOK_LOANS, piece.loan_count - first_loan); slot++) {
      book_run_loan(first_loan + slot, slot, local, &totals);
    }
    if (piece.tails == 0u) {
      if (first_loan == 0u) {
        atomicStore(&path_sums[PATH_WEIGHT * piece.path_count + local], bitcast<u32>(current_weight()));
      }
      if (totals.called != 0u) {
        atomicAdd(&path_sums[PATH_CALLED_LOANS * piece.path_count + local], totals.called);
        atomicAdd(&path_sums[PATH_FORCED_SALES * piece.path_count + local], totals.sold);
      }
      if (any(totals.loss != vec2(0u))) {
        path_add(PATH_LOSS, local, totals.loss);
      }
      if (any(totals.unsold != vec2(0u))) {
        path_add(PATH_UNSOLD, local, totals.unsold);
      }
    }
  }
  loans_flush(first_loan, invocation);
}
