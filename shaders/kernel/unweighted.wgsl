// Weighted sums of paths of equal weight: none.
// Provides: WEIGHTED_SUMS, path_add_weighted.
// Expects:
//   one market: MarketState
//   one product: ProductState

const WEIGHTED_SUMS = 0u;

fn path_add_weighted(state: ptr<function, ProductState>, market_state: ptr<function, MarketState>, path: u32) {
}
