// The values of a product whose debt grows, on a path with amounts.
// Inputs: C/L, C and L after four steps; terms.growth.
// Outputs: the same with the debt grown.
// Units: C and L relative to the start of the path.
// Provides: product_values.
// Expects:
//   kernel/growth.wgsl: grown_values, growth_exponent
//   portfolio/market_loan.wgsl: MarketLoan
//   product/one_threshold.wgsl or product/asset_thresholds.wgsl: THRESHOLDS_BY_ASSET
//   one product: terms

// The values divided by the growth of the debt, C, and L times the growth, at steps `step` + 1 .. `step` + 4.
fn product_values(path: MarketLoan, step: u32) -> MarketLoan {
  if (terms.growth == 0.0) {
    return path;
  }
  let loan = path.loan * exp2(growth_exponent(terms.growth, step));
  let value = grown_values(path.value, terms.growth, step);
  if (THRESHOLDS_BY_ASSET) {
    return MarketLoan(value, path.collateral, loan, grown_values(path.secured, terms.growth, step));
  }
  return MarketLoan(value, path.collateral, loan, value);
}
