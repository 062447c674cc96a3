// Value and amounts of a loan after each of four steps.
// Provides: MarketLoan.
// Expects: nothing.

struct MarketLoan {
  // The value of path_value for a loan without amounts, to the last bit: log2(C/L), C/L or C/L - 1.
  value: vec4<f32>,
  // C and L relative to the start of the path.
  collateral: vec4<f32>,
  loan: vec4<f32>,
  // The value that L is compared with: `value`, or that of portfolio/loan_secured.wgsl.
  secured: vec4<f32>,
}
