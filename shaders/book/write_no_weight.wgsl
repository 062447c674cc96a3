// Weights of paths of equal weight: none is written.
// Provides: weight_write.
// Expects:
//   one market: MarketState

fn weight_write(state: ptr<function, MarketState>, path: u32, local: u32) {
}
