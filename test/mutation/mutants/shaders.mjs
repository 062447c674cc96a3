/** Shaders. */

/** The quickest tests of the kernels: one compilation or a few. */
const EXACT_LOANS = "test/engine/equality-loan.test.ts -t 'the GPU' end as they read";
const EXACT_SALES = "test/engine/equality-loan.test.ts -t 'the GPU' sell as they read";
const LOAN_PATHS = 'test/engine/agreement-loan.test.ts -t under gbm on the GPU takes the path';
const GARCH_PATHS = 'test/engine/agreement-loan.test.ts -t under garch on the GPU takes the path';
const CAPPED_PATHS = 'test/engine/agreement-capped-loan.test.ts -t under gbm on the GPU takes the path';
const SCAN_COUNTS =
  'test/engine/agreement-origination.test.ts -t under gbm on the GPU counts what the reference';

/** @type {readonly import('../mutants.mjs').MutatedFile[]} */
export default [
  {
    file: 'shaders/product/loan_states.wgsl',
    tests: [EXACT_LOANS, 'test/shader/invariance.test.ts'],
    mutants: [
      { from: 'LOAN_NEVER, value >= rules.recovery);', to: 'LOAN_NEVER, value > rules.recovery);' },
      {
        from: 'step + rules.top_up_steps, value < rules.margin_call));',
        to: 'step + rules.top_up_steps, value <= rules.margin_call));',
      },
      { from: '2u * step + 1u, step >= deadline);', to: '2u * step + 1u, step > deadline);' },
      {
        from: 'select(closeout, 2u * step, value < rules.liquidation)',
        to: 'select(closeout, 2u * step, value <= rules.liquidation)',
      },
      {
        from: 'highest >= (*state).rise',
        to: 'highest > (*state).rise',
        argued:
          'Seen only on a path whose highest ratio of four hours equals R exactly and falls below R before the next hour is looked at: exact paths of a GPU are monotone, and a random one does not land on R.',
      },
      { from: 'step + 4u >= (*state).deadline', to: 'step + 4u > (*state).deadline' },
    ],
  },
  {
    file: 'shaders/product/loan.wgsl',
    tests: [EXACT_LOANS, 'test/shader/invariance.test.ts'],
    mutants: [
      {
        from: 'let underwater = lowest < terms.underwater;',
        to: 'let underwater = lowest <= terms.underwater;',
      },
      { from: 'let called = lowest < terms.margin_call;', to: 'let called = lowest <= terms.margin_call;' },
    ],
  },
  {
    file: 'shaders/book/loans.wgsl',
    tests: ['test/engine/gpu-book-exact.test.ts', 'test/engine/gpu-book.test.ts'],
    mutants: [
      { from: 'if (lowest < loan.margin_call) {', to: 'if (lowest <= loan.margin_call) {' },
      { from: 'if (lowest < loan.underwater) {', to: 'if (lowest <= loan.underwater) {' },
      { from: 'if (missing > 0.0) {', to: 'if (missing >= 0.0) {' },
      { from: 'if (!ended) {', to: 'if (true) {' },
      { from: 'end_step >= (*state).deadline', to: 'end_step > (*state).deadline' },
      {
        from: 'low + 1u, local) < (*state).rise;',
        to: 'low + 1u, local) <= (*state).rise;',
        argued:
          'Seen only where the highest ratio of a day is R exactly and below R when its deadline comes: a day with a deadline is followed step by step, and a random path does not land on R.',
      },
      {
        from: 'if (share <= 0.0) {',
        to: 'if (share < 0.0) {',
        argued: 'A loss of 0 adds nothing. Equivalent.',
      },
      { from: 'if (sums && lowest < worst) {', to: 'if (sums && lowest > worst) {' },
      { from: 'let at = index + piece.sale_delay;', to: 'let at = index;' },
      { from: 'tail_paths[place].y < piece.day_steps;', to: 'tail_paths[place].y <= piece.day_steps;' },
      {
        from: 'select(LOAN_SUM_CLOSEOUTS, LOAN_SUM_LIQUIDATIONS,',
        to: 'select(LOAN_SUM_LIQUIDATIONS, LOAN_SUM_CLOSEOUTS,',
      },
      {
        from: 'let missed = loan.term_steps - end_step;',
        to: 'let missed = loan.term_steps - end_step + 1u;',
      },
    ],
  },
  {
    file: 'shaders/book/values.wgsl',
    tests: ['test/engine/gpu-book-exact.test.ts', 'test/engine/gpu-book.test.ts'],
    mutants: [
      {
        from: 'book_bound(loan, low, high, local) * (1.0 - BOOK_ROUNDING)',
        to: 'book_bound(loan, high, low, local) * (1.0 - BOOK_ROUNDING)',
      },
      {
        from: 'book_bound(loan, high, low, local) * (1.0 + BOOK_ROUNDING)',
        to: 'book_bound(loan, low, high, local) * (1.0 + BOOK_ROUNDING)',
      },
    ],
  },
  {
    file: 'shaders/book/piece.wgsl',
    tests: ['test/engine/gpu-book-exact.test.ts', 'test/engine/gpu-book.test.ts'],
    mutants: [
      { from: 'select(0u, 1u, low < a.x)', to: 'select(0u, 1u, low <= a.x)' },
      { from: 'select(0u, 1u, a.x < b.x)', to: 'select(0u, 1u, a.x <= b.x)' },
    ],
  },
  {
    file: 'shaders/book/paths.wgsl',
    tests: ['test/engine/gpu-book-exact.test.ts', 'test/engine/gpu-book.test.ts'],
    mutants: [
      { from: 'if (t >= width) {', to: 'if (t > width) {' },
      { from: 'wide_below(peak, window)', to: 'wide_below(window, peak)' },
    ],
  },
  {
    file: 'shaders/kernel/book_prices.wgsl',
    tests: ['test/engine/gpu-book-exact.test.ts', 'test/engine/gpu-book.test.ts'],
    mutants: [
      { from: 'select(min(lowest, log_prices[low_at]), lowest, first)', to: 'lowest' },
      { from: 'select(max(highest, log_prices[high_at]), highest, first)', to: 'highest' },
    ],
  },
  {
    file: 'shaders/product/capped_loan.wgsl',
    tests: [EXACT_SALES, CAPPED_PATHS],
    mutants: [
      { from: 'if (!cured) {\n      loan_call', to: 'if (true) {\n      loan_call' },
      { from: 'value >= terms.recovery;', to: 'value > terms.recovery;' },
      {
        from: 'if ((*state).deadline == LOAN_NEVER && value < terms.margin_call) {',
        to: 'if ((*state).deadline == LOAN_NEVER && value <= terms.margin_call) {',
      },
      { from: 'if (step >= (*state).deadline) {', to: 'if (step > (*state).deadline) {' },
      { from: 'if (collateral_value < debt_value) {', to: 'if (collateral_value <= debt_value) {' },
      {
        from: 'if (collateral_value < terms.liquidation_ratio * debt_value) {',
        to: 'if (collateral_value <= terms.liquidation_ratio * debt_value) {',
      },
      { from: 'if ((*state).lowest < terms.underwater) {', to: 'if ((*state).lowest <= terms.underwater) {' },
      {
        from: '(*state).deadline == LOAN_NEVER && lowest >= terms.margin_call',
        to: '(*state).deadline == LOAN_NEVER && lowest > terms.margin_call',
        argued:
          'The shortcut for four quiet hours: without it the same hours are followed one by one. Equivalent.',
      },
      {
        from: 'if (step % SALE_STEPS == 0u) {',
        to: 'if (step % SALE_STEPS == 1u) {',
        argued:
          'Moves the hour at which small parts join the total: an order of additions, within rounding. Equivalent but for the last digits.',
      },
    ],
  },
  {
    file: 'shaders/product/perpetual.wgsl',
    tests: [
      'test/engine/equality-perpetual.test.ts -t GPU',
      'test/engine/agreement-perpetual.test.ts -t GPU',
    ],
    mutants: [
      {
        from: 'let liquidated = equity <= terms.maintenance * notional;',
        to: 'let liquidated = equity < terms.maintenance * notional;',
      },
      {
        from: 'if (equity <= terms.margin_call * notional) {',
        to: 'if (equity < terms.margin_call * notional) {',
      },
      { from: 'change = max(change - terms.fee * notional, -1.0);', to: '' },
      { from: 'if (i < live && !product_ended(state))', to: 'if (!product_ended(state))' },
    ],
  },
  {
    file: 'shaders/product/leverage_median.wgsl',
    tests: [
      'test/engine/equality-perpetual.test.ts -t GPU',
      'test/engine/agreement-perpetual.test.ts -t GPU',
    ],
    mutants: [
      { from: 'if (rank + 1u < before + held) {', to: 'if (rank + 1u <= before + held) {' },
      { from: 'let rank = ((*counts).values - 1u) / 2u;', to: 'let rank = (*counts).values / 2u;' },
    ],
  },
  {
    file: 'shaders/product/origination_scan.wgsl',
    tests: ['test/engine/equality-origination.test.ts -t GPU', SCAN_COUNTS],
    mutants: [
      { from: 'if (value >= terms.cure) {', to: 'if (value > terms.cure) {' },
      {
        from: 'if (step > (*state).cure_step + delay) {',
        to: 'if (step >= (*state).cure_step + delay) {',
        argued:
          'At equality the delayed value is that of the cure, or of the start: a ratio of N or more (a scan has R = N), and no M lies above N. It calls nothing. Equivalent.',
      },
      { from: 'counts_book(max(ended, liquidated), closed_out);', to: 'counts_book(ended, closed_out);' },
    ],
  },
  {
    file: 'shaders/product/origination_counts.wgsl',
    tests: ['test/engine/equality-origination.test.ts -t GPU', SCAN_COUNTS],
    mutants: [
      { from: 'if (thresholds[base + middle] > value) {', to: 'if (thresholds[base + middle] >= value) {' },
    ],
  },
  {
    file: 'shaders/product/origination_minimum.wgsl',
    tests: ['test/engine/equality-origination.test.ts -t GPU', SCAN_COUNTS],
    mutants: [{ from: 'vec4(0u, 1u, 2u, 3u) >= vec4(live)', to: 'vec4(0u, 1u, 2u, 3u) > vec4(live)' }],
  },
  {
    file: 'shaders/kernel/sums.wgsl',
    tests: [EXACT_LOANS, 'test/shader/invariance.test.ts'],
    mutants: [{ from: 'if (before + value < value) {', to: 'if (before + value <= value) {' }],
  },
  {
    file: 'shaders/model/garch.wgsl',
    tests: [GARCH_PATHS, 'test/shader/invariance.test.ts'],
    mutants: [
      { from: 'step % GARCH_DAY == GARCH_DAY - 4u', to: 'step % GARCH_DAY == 0u' },
      { from: '(-0.5 * GARCH_LOG2_E)', to: '(0.5 * GARCH_LOG2_E)' },
    ],
  },
  {
    file: 'shaders/order/digit_histogram.wgsl',
    tests: ['test/shader/order-statistics.test.ts'],
    mutants: [
      { from: 'if (prefixes[list + middle] < prefix) {', to: 'if (prefixes[list + middle] <= prefix) {' },
    ],
  },
  {
    file: 'shaders/order/interval_sums.wgsl',
    tests: ['test/shader/order-statistics.test.ts'],
    mutants: [
      {
        from: 'if (intervals[list + middle].last_key < key) {',
        to: 'if (intervals[list + middle].last_key <= key) {',
      },
      { from: 'if (key <= last_key) {', to: 'if (key < last_key) {' },
    ],
  },
  {
    file: 'shaders/lib/order.wgsl',
    tests: ['test/shader/order.test.ts'],
    mutants: [
      { from: 'bits >= 0x80000000u', to: 'bits > 0x80000000u' },
      { from: 'fma(x, 8388608.0, 0.5)', to: 'fma(x, 8388608.0, 0.0)' },
    ],
  },
  {
    file: 'shaders/lib/exponential.wgsl',
    tests: ['test/shader/exponential.test.ts'],
    mutants: [{ from: 'power - 1.0)', to: 'power)' }],
  },
  {
    file: 'shaders/lib/draw.wgsl',
    tests: ['test/shader/draw.test.ts', LOAN_PATHS],
    mutants: [
      { from: 's.w + 1u,', to: 's.w + 2u,' },
      { from: 'words > vec4(DRAW_NEAR_ONE)', to: 'words < vec4(DRAW_NEAR_ONE)' },
      { from: 'words.angle - vec4(direction.phase)', to: 'words.angle + vec4(direction.phase)' },
      { from: 'words.angle & vec4(0x80000000u)', to: 'words.angle & vec4(0x40000000u)' },
      { from: 'step / DRAW_BLOCK_STEPS, pair', to: 'step, pair' },
    ],
  },
  {
    file: 'shaders/model/gbm.wgsl',
    tests: [LOAN_PATHS, 'test/shader/invariance.test.ts'],
    mutants: [
      { from: 'last.w + running_sum(shocks[3])', to: 'last.z + running_sum(shocks[3])' },
      { from: 'return market.drift[quad];', to: 'return vec4(0.0);' },
    ],
  },
  {
    file: 'shaders/model/gbm_horizons.wgsl',
    tests: ['test/engine/agreement-value-at-risk.test.ts -t GPU'],
    mutants: [
      { from: 'lengths.years * drift.y', to: 'lengths.root_years * drift.y' },
      { from: 'horizon_steps[step >> 2u]', to: 'horizon_steps[0]' },
    ],
  },
  {
    file: 'shaders/model/gbm_loan_pair.wgsl',
    tests: [CAPPED_PATHS, EXACT_SALES],
    mutants: [
      { from: 'running_sum(loan_moves)', to: 'running_sum(collateral_moves)' },
      { from: 'fma(vec4(asset.y), normals.second,', to: 'fma(vec4(asset.y), normals.first,' },
    ],
  },
  {
    file: 'shaders/model/gbm_log_ratio.wgsl',
    tests: [LOAN_PATHS],
    mutants: [
      { from: 'running_sum(shocks + market.drift)', to: 'running_sum(shocks)' },
      { from: '(*state).log_ratio = log_ratio.w;', to: '(*state).log_ratio = log_ratio.z;' },
    ],
  },
  {
    file: 'shaders/portfolio/assets.wgsl',
    tests: [LOAN_PATHS, 'test/shader/invariance.test.ts'],
    mutants: [
      { from: 'drawn[3] = next_pair.second;', to: 'drawn[3] = next_pair.first;' },
      { from: 'before < quad; before++', to: 'before + 1u < quad; before++' },
      {
        from: '4u * quad + column < assets',
        to: '4u * quad + column <= assets',
        argued:
          'One column more than there are assets: its factor and its weights are zeros, so every sum is the same. Equivalent but for the time.',
      },
    ],
  },
  {
    file: 'shaders/portfolio/sides.wgsl',
    tests: [LOAN_PATHS, 'test/engine/agreement-value-at-risk.test.ts -t GPU'],
    mutants: [
      { from: 'log_prices[2], collateral.z, loan.z', to: 'log_prices[2], collateral.z, loan.y' },
      { from: 'if (asset_quads > 1u) {', to: 'if (asset_quads > 2u) {' },
    ],
  },
  {
    file: 'shaders/portfolio/loan_pair.wgsl',
    tests: [CAPPED_PATHS, 'test/engine/weights-beside-one.test.ts'],
    mutants: [
      { from: 'fma(vec4(loan.y), second, loan.x * first)', to: 'fma(vec4(loan.y), first, loan.x * first)' },
      { from: 'sign(collateral) - sign(loan)', to: 'sign(collateral) + sign(loan)' },
    ],
  },
];
