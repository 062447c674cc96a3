// The rows of an account one by one, with constant numbers, so that their shares and their funding stay in registers. Places are 1, 2, 4 or
// 8.
// Inputs: shares that are open; prices of a slot.
// Outputs: values of the currencies, notionals, funding.
// Units: equity at the start.
// Provides: account_rows_evaluate, account_rows_settle.
// Expects:
//   product/account.wgsl: ProductState
//   product/account_memory.wgsl: ACCOUNT_MOST_ROWS, AccountPath, account_rows
//   product/account_value.wgsl: account_row_evaluate, account_row_settle

fn row_evaluate(
  state: ptr<function, ProductState>,
  notional: ptr<function, array<f32, ACCOUNT_MOST_ROWS>>,
  row: u32,
  slot: u32,
  who: AccountPath,
) -> vec2<f32> {
  let own = account_row_evaluate(row, (*state).open[row], slot, who);
  (*notional)[row] = own.x;
  return own;
}

// Evaluates all rows; returns the sums of notionals and margins.
fn account_rows_evaluate(
  state: ptr<function, ProductState>,
  notional: ptr<function, array<f32, ACCOUNT_MOST_ROWS>>,
  slot: u32,
  who: AccountPath,
) -> vec2<f32> {
  var sums = row_evaluate(state, notional, 0u, slot, who);
  if (account_rows > 1u) {
    sums += row_evaluate(state, notional, 1u, slot, who);
  }
  if (account_rows > 2u) {
    sums += row_evaluate(state, notional, 2u, slot, who);
    sums += row_evaluate(state, notional, 3u, slot, who);
  }
  if (account_rows > 4u) {
    sums += row_evaluate(state, notional, 4u, slot, who);
    sums += row_evaluate(state, notional, 5u, slot, who);
    sums += row_evaluate(state, notional, 6u, slot, who);
    sums += row_evaluate(state, notional, 7u, slot, who);
  }
  return sums;
}

fn row_settle(state: ptr<function, ProductState>, notional: f32, row: u32, hour: u32, slot: u32, who: AccountPath) {
  (*state).funding[row] += account_row_settle(row, notional, hour, slot, who);
}

fn account_rows_settle(
  state: ptr<function, ProductState>,
  notional: ptr<function, array<f32, ACCOUNT_MOST_ROWS>>,
  hour: u32,
  slot: u32,
  who: AccountPath,
) {
  row_settle(state, (*notional)[0], 0u, hour, slot, who);
  if (account_rows > 1u) {
    row_settle(state, (*notional)[1], 1u, hour, slot, who);
  }
  if (account_rows > 2u) {
    row_settle(state, (*notional)[2], 2u, hour, slot, who);
    row_settle(state, (*notional)[3], 3u, hour, slot, who);
  }
  if (account_rows > 4u) {
    row_settle(state, (*notional)[4], 4u, hour, slot, who);
    row_settle(state, (*notional)[5], 5u, hour, slot, who);
    row_settle(state, (*notional)[6], 6u, hour, slot, who);
    row_settle(state, (*notional)[7], 7u, hour, slot, who);
  }
}
