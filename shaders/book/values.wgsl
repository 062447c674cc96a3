// The value of a loan along a path of the block, and bounds of it over many steps. Values are those of one loan in portfolio/: log2(C/L)
// of a pair (log_ratio.wgsl), C/L of baskets (ratio.wgsl), C/L - 1 of nearly equal baskets (ratio_difference.wgsl). The domain is a member
// of the loan here and a choice of files there, so that the code is apart.
// Inputs: log_prices of kernel/book_prices.wgsl, loans, baskets.
// Outputs: values, ratios, C and L.
// Units: log2 of prices relative to the start.
// Provides: BookLoan, log_prices, loans, baskets, book_log_price, book_value, book_ratio, book_secured,
// book_sides, book_floor, book_ceiling.
// Expects:
//   book/piece.wgsl: piece
//   lib/exponential.wgsl: exponential
//   lib/limits.wgsl: VALUE_LIMIT

struct BookLoan {
  // Thresholds of the value: M/N, L/N, R/N and 1/N.
  margin_call: f32,
  liquidation: f32,
  recovery: f32,
  underwater: f32,
  // N.
  nominal_ratio: f32,
  // Loan value in units of the book.
  units: f32,
  // log2(C/L) of a pair at the start; of nearly equal baskets, C - L.
  start: f32,
  // Steps between a margin call and its deadline, and of the term.
  top_up_steps: u32,
  term_steps: u32,
  // Domain of its values: one of DOMAIN_*.
  domain: u32,
  // Its assets in `baskets`; those of a pair are the collateral and the loan. In a book with thresholds by asset the same assets follow,
  // with the collateral weights that L is compared with.
  first_holding: u32,
  holdings: u32,
}

const DOMAIN_LOG2 = 0u;
const DOMAIN_RATIO = 1u;
const DOMAIN_DIFFERENCE = 2u;

// An asset of a loan: weights in both baskets, and the first less the second.
struct BookHolding {
  asset: u32,
  collateral: f32,
  loan: f32,
  excess: f32,
}

@group(1) @binding(1) var<storage, read> log_prices: array<f32>;
@group(1) @binding(2) var<storage, read> loans: array<BookLoan>;
@group(1) @binding(3) var<storage, read> baskets: array<BookHolding>;

// Relative errors of C/L of baskets in a bound and in the value that it bounds: four of exp2, each of (3 + 2 |x|) units in the last place
// with |x| up to 100, four of sums of 32 products, and two of quotients.
const BOOK_ROUNDING = 0x1p-13;
// The same for the log ratio of a pair: a compiler may add its three terms in another order for the bound than for the value.
const PAIR_ROUNDING = 0x1p-20;

// The loan with the collateral weights that L is compared with, of a book with thresholds by asset.
fn book_secured(loan: BookLoan) -> BookLoan {
  var secured = loan;
  secured.first_holding += loan.holdings;
  return secured;
}

// log2 of the price of an asset in a row: after a step, or an extreme.
fn book_log_price(row: u32, asset: u32, local: u32) -> f32 {
  return log_prices[(row * piece.assets + asset) * piece.path_count + local];
}

// The same in four rows; values of rows after the path are undefined.
fn book_log_prices(row: u32, asset: u32, local: u32) -> vec4<f32> {
  return vec4(
    book_log_price(row, asset, local),
    book_log_price(row + 1u, asset, local),
    book_log_price(row + 2u, asset, local),
    book_log_price(row + 3u, asset, local),
  );
}

// Values after steps `step` + 1 .. `step` + 4.
fn book_value(loan: BookLoan, step: u32, local: u32) -> vec4<f32> {
  let first = loan.first_holding;
  let end = first + loan.holdings;
  switch loan.domain {
    case DOMAIN_LOG2: {
      let collateral = book_log_prices(step, baskets[first].asset, local);
      return loan.start + (collateral - book_log_prices(step, baskets[first + 1u].asset, local));
    }
    case DOMAIN_RATIO: {
      var collateral = vec4<f32>();
      var debt = vec4<f32>();
      for (var i = first; i < end; i++) {
        let price = exp2(book_log_prices(step, baskets[i].asset, local));
        collateral = fma(vec4(baskets[i].collateral), price, collateral);
        debt = fma(vec4(baskets[i].loan), price, debt);
      }
      return collateral / debt;
    }
    default: {
      var excess = vec4<f32>();
      var debt = vec4<f32>();
      var start = 0.0;
      for (var i = first; i < end; i++) {
        let gain = exponential(book_log_prices(step, baskets[i].asset, local)).minus_one;
        excess = fma(vec4(baskets[i].excess), gain, excess);
        debt = fma(vec4(baskets[i].loan), gain, debt);
        start += baskets[i].loan;
      }
      return (loan.start + excess) / (start + debt);
    }
  }
}

// C/L of a value.
fn book_ratio(loan: BookLoan, value: f32) -> f32 {
  switch loan.domain {
    case DOMAIN_LOG2: { return exp2(value); }
    case DOMAIN_RATIO: { return value; }
    default: { return 1.0 + value; }
  }
}

// C and L after step `index` + 1.
fn book_sides(loan: BookLoan, index: u32, local: u32) -> vec2<f32> {
  var sides = vec2<f32>();
  for (var i = loan.first_holding; i < loan.first_holding + loan.holdings; i++) {
    let price = exp2(book_log_price(index, baskets[i].asset, local));
    sides = fma(vec2(baskets[i].collateral, baskets[i].loan), vec2(price), sides);
  }
  return sides;
}

// A lower bound of the values while all prices are between rows `low` and `high`.
fn book_floor(loan: BookLoan, low: u32, high: u32, local: u32) -> f32 {
  return book_bound(loan, low, high, 1.0 - BOOK_ROUNDING, -VALUE_LIMIT, local);
}

// An upper bound of the values while all prices are between rows `low` and `high`.
fn book_ceiling(loan: BookLoan, low: u32, high: u32, local: u32) -> f32 {
  return book_bound(loan, high, low, 1.0 + BOOK_ROUNDING, VALUE_LIMIT, local);
}

// A value with the collateral prices of one row and the loan prices of another. @param rounding factor of C/L of baskets
// @param limit the bound of nearly equal baskets: none is computed
fn book_bound(loan: BookLoan, collateral_row: u32, loan_row: u32, rounding: f32, limit: f32, local: u32) -> f32 {
  let first = loan.first_holding;
  switch loan.domain {
    case DOMAIN_LOG2: {
      let collateral = book_log_price(collateral_row, baskets[first].asset, local);
      let debt = book_log_price(loan_row, baskets[first + 1u].asset, local);
      let room = PAIR_ROUNDING * (abs(loan.start) + abs(collateral) + abs(debt));
      return loan.start + (collateral - debt) + sign(limit) * room;
    }
    case DOMAIN_RATIO: {
      return book_ratio_of_rows(loan, collateral_row, loan_row, local) * rounding;
    }
    default: { return limit; }
  }
}

// C/L with the collateral prices of one row and the loan prices of another.
fn book_ratio_of_rows(loan: BookLoan, collateral_row: u32, loan_row: u32, local: u32) -> f32 {
  var sides = vec2<f32>();
  for (var i = loan.first_holding; i < loan.first_holding + loan.holdings; i++) {
    let holding = baskets[i];
    if (holding.collateral > 0.0) {
      sides.x = fma(holding.collateral, exp2(book_log_price(collateral_row, holding.asset, local)), sides.x);
    }
    if (holding.loan > 0.0) {
      sides.y = fma(holding.loan, exp2(book_log_price(loan_row, holding.asset, local)), sides.y);
    }
  }
  return sides.x / sides.y;
}
