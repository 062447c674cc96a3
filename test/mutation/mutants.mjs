/**
 * Hand-listed mutants: one small change of the source each, of the kind that a slip of the pen makes.
 *
 * Hand-listed and not generated (Stryker): two of the four languages here are WGSL and AssemblyScript, and a generated list
 * is mostly about messages and formatting. Every `from` must stand in its file exactly once.
 */

/** @typedef {{ readonly file: string, readonly from: string, readonly to: string, readonly argued?: string }} Mutant */

const LOANS = ['test/engine/equality-loan.test.ts -t reference', 'test/engine/plain.test.ts'];
const WASM = ['test/engine/equality-loan.test.ts -t WebAssembly', 'test/engine/wasm-agreement.test.ts'];
const ORIGINATION = [
  'test/engine/equality-origination.test.ts -t reference',
  'test/engine/origination.test.ts',
];
const PERPETUAL = ['test/engine/equality-perpetual.test.ts -t reference', 'test/engine/plain.test.ts'];
const STATS = ['test/unit/core/stats'];

/** Tests that are run for the mutants of a file, the quickest first: a path, and options of vitest. */
export const COVERED_BY = {
  'src/core/product/loan.ts': LOANS,
  'src/core/product/capped-loan.ts': LOANS,
  'src/core/product/origination.ts': ORIGINATION,
  'src/core/product/perpetual.ts': PERPETUAL,
  'src/core/product/value-at-risk.ts': ['test/engine/closed-form-value-at-risk.test.ts'],
  'src/core/plan/ratio-path.ts': [
    'test/engine/equality-loan.test.ts -t reference',
    'test/engine/plain.test.ts',
  ],
  'src/core/plan/merge-outcomes.ts': ['test/unit/core/plan/merge-outcomes.test.ts'],
  'src/core/plan/funding.ts': ['test/unit/core/plan', 'test/engine/perpetual-funding.test.ts'],
  'src/core/plan/portfolio.ts': ['test/unit/core/plan', 'test/operation'],
  'src/core/plan/single-precision.ts': ['test/unit/core/plan', 'test/engine/wasm-choice.test.ts'],
  'src/core/plan/chunks.ts': ['test/engine/determinism.test.ts'],
  'src/core/simd/loan.ts': WASM,
  'wasm/loan.ts': WASM,
  'wasm/price.ts': WASM,
  'src/core/stats/quantile.ts': STATS,
  'src/core/stats/tail.ts': STATS,
  'src/core/stats/selection.ts': STATS,
  'src/core/stats/moments.ts': STATS,
  'src/core/stats/correlation.ts': STATS,
  'src/core/stats/backtest.ts': STATS,
  'src/core/stats/chi-square.ts': STATS,
  'src/model/constant-volatility.ts': ['test/unit/model/constant-volatility.test.ts'],
  'src/model/portfolio-volatility.ts': ['test/unit/model', 'test/operation/loan-risk.test.ts'],
  'src/operation/origination-search.ts': ['test/unit/operation/origination-search.test.ts'],
  'src/operation/perpetual-position.ts': ['test/unit/operation/perpetual-position.test.ts'],
  'src/core/figures/loan.ts': ['test/operation', 'test/docs/examples.test.ts'],
  'src/core/figures/capped-loan.ts': ['test/operation/low-liquidity.test.ts', 'test/docs/examples.test.ts'],
  'src/core/figures/value-at-risk.ts': ['test/operation', 'test/docs/examples.test.ts'],
  'src/operation/isolated-perpetual-risk.ts': [
    'test/operation/isolated-perpetual-risk.test.ts',
    'test/docs/examples.test.ts',
  ],
  'src/operation/scenarios.ts': ['test/operation', 'test/docs/examples.test.ts'],
  'shaders/product/loan.wgsl': ['test/engine/equality-loan.test.ts -t GPU', 'test/shader/invariance.test.ts'],
  'shaders/product/capped_loan.wgsl': [
    'test/engine/equality-loan.test.ts -t GPU',
    'test/engine/gpu-capped-loan.test.ts',
  ],
  'shaders/product/perpetual.wgsl': [
    'test/engine/equality-perpetual.test.ts -t GPU',
    'test/engine/gpu-perpetual.test.ts',
  ],
  'shaders/product/leverage_median.wgsl': [
    'test/engine/equality-perpetual.test.ts -t GPU',
    'test/engine/gpu-perpetual.test.ts',
  ],
  'shaders/product/origination_scan.wgsl': [
    'test/engine/equality-origination.test.ts -t GPU',
    'test/engine/gpu-origination.test.ts',
  ],
  'shaders/product/origination_counts.wgsl': [
    'test/engine/equality-origination.test.ts -t GPU',
    'test/engine/gpu-origination.test.ts',
  ],
  'shaders/product/origination_minimum.wgsl': [
    'test/engine/equality-origination.test.ts -t GPU',
    'test/engine/gpu-origination.test.ts',
  ],
  'shaders/kernel/sums.wgsl': ['test/engine/equality-loan.test.ts -t GPU', 'test/shader/invariance.test.ts'],
  'shaders/model/garch.wgsl': ['test/shader/invariance.test.ts', 'test/engine/gpu-loan.test.ts'],
  'shaders/order/digit_histogram.wgsl': ['test/shader/order-statistics.test.ts'],
  'shaders/order/interval_sums.wgsl': ['test/shader/order-statistics.test.ts'],
  'shaders/lib/order.wgsl': ['test/shader/order.test.ts'],
  'shaders/lib/exponential.wgsl': ['test/shader/exponential.test.ts'],
};

/** @type {readonly Mutant[]} */
export const MUTANTS = [
  // The loan on the reference.
  {
    file: 'src/core/product/loan.ts',
    from: 'if (paths.minimum < thresholds.underwater)',
    to: 'if (paths.minimum <= thresholds.underwater)',
  },
  {
    file: 'src/core/product/loan.ts',
    from: 'ratio[t - 1] >= marginCall) t++',
    to: 'ratio[t - 1] > marginCall) t++',
  },
  {
    file: 'src/core/product/loan.ts',
    from: 'if (r < liquidation || t >= deadline)',
    to: 'if (r <= liquidation || t >= deadline)',
  },
  { file: 'src/core/product/loan.ts', from: '|| t >= deadline)', to: '|| t > deadline)' },
  { file: 'src/core/product/loan.ts', from: 'while (r < recovery)', to: 'while (r <= recovery)' },
  {
    file: 'src/core/product/loan.ts',
    from: 'end.flags |= r < liquidation ? FLAG_LIQUIDATION : FLAG_CLOSEOUT',
    to: 'end.flags |= r <= liquidation ? FLAG_LIQUIDATION : FLAG_CLOSEOUT',
  },
  {
    file: 'src/core/product/loan.ts',
    from: 'if (paths.minimum >= rules.marginCall) return;',
    to: 'if (paths.minimum > rules.marginCall) return;',
    argued:
      'A path whose lowest ratio is exactly M/N passes the shortcut and finds no ratio below M/N: the same end, later. Equivalent.',
  },
  {
    file: 'src/core/product/loan.ts',
    from: 'const deadline = t + topUpSteps;',
    to: 'const deadline = t + topUpSteps + 1;',
  },
  {
    file: 'src/core/product/loan.ts',
    from: 'const pathLoss = Math.max(0, 1 - product.nominalRatio * finalRatio);',
    to: 'const pathLoss = Math.max(0, 1 - finalRatio);',
  },
  // The capped loan on the reference.
  {
    file: 'src/core/product/capped-loan.ts',
    from: 'if (!cured) this.bookCall(loan, t);',
    to: 'this.bookCall(loan, t);',
  },
  {
    file: 'src/core/product/capped-loan.ts',
    from: 'if (deadline === 0) this.bookCall(loan, t);',
    to: 'this.bookCall(loan, t);',
  },
  {
    file: 'src/core/product/capped-loan.ts',
    from: 'if (r < thresholds.liquidation) {',
    to: 'if (r <= thresholds.liquidation) {',
  },
  {
    file: 'src/core/product/capped-loan.ts',
    from: 'deadline > 0 && r >= thresholds.recovery',
    to: 'deadline > 0 && r > thresholds.recovery',
  },
  {
    file: 'src/core/product/capped-loan.ts',
    from: 'deadline === 0 && r < thresholds.marginCall',
    to: 'deadline === 0 && r <= thresholds.marginCall',
  },
  {
    file: 'src/core/product/capped-loan.ts',
    from: 'if (deadline > 0 && t >= deadline)',
    to: 'if (deadline > 0 && t > deadline)',
  },
  {
    file: 'src/core/product/capped-loan.ts',
    from: 'if (lowest < this.thresholds.underwater)',
    to: 'if (lowest <= this.thresholds.underwater)',
  },
  {
    file: 'src/core/product/capped-loan.ts',
    from: 'if (r < thresholds.liquidation) loan.flags',
    to: 'if (r <= thresholds.liquidation) loan.flags',
  },
  {
    file: 'src/core/product/capped-loan.ts',
    from: 'if (collateralValue < debtValue) loan.flags',
    to: 'if (collateralValue <= debtValue) loan.flags',
  },
  {
    file: 'src/core/product/capped-loan.ts',
    from: 'if (collateralValue < product.liquidationRatio * debtValue)',
    to: 'if (collateralValue <= product.liquidationRatio * debtValue)',
  },
  {
    file: 'src/core/product/capped-loan.ts',
    from: 'if (lowestWhole < thresholds.underwater)',
    to: 'if (lowestWhole <= thresholds.underwater)',
  },
  {
    file: 'src/core/product/capped-loan.ts',
    from: 'if (sale === debtValue) break;',
    to: 'if (sale > debtValue) break;',
  },
  { file: 'src/core/product/capped-loan.ts', from: '+ (1 - debtLeft);', to: ';' },
  {
    file: 'src/core/product/capped-loan.ts',
    from: 'if (loan.soldAmount > 0) sums.sellers++;',
    to: 'if (loan.soldAmount >= 0) sums.sellers++;',
  },
  {
    file: 'src/core/product/capped-loan.ts',
    from: 'loan.callAmount += Math.max(0, missing);',
    to: 'loan.callAmount += missing;',
  },
  // Origination.
  { file: 'src/core/product/origination.ts', from: 'if (r >= cure)', to: 'if (r > cure)' },
  {
    file: 'src/core/product/origination.ts',
    from: 'if (falling[middle] > value)',
    to: 'if (falling[middle] >= value)',
  },
  {
    file: 'src/core/product/origination.ts',
    from: 'called >= excursionStart ?',
    to: 'called > excursionStart ?',
  },
  {
    file: 'src/core/product/origination.ts',
    from: 'else this.book(Math.max(ended, liquidated), closedOut);',
    to: 'else this.book(ended, closedOut);',
  },
  {
    file: 'src/core/product/origination.ts',
    from: 'if (liquidation[ended] > minimum || marginCall[ended] > calledMinimum)',
    to: 'if (liquidation[ended] >= minimum || marginCall[ended] > calledMinimum)',
    argued:
      'At equality the bisection that follows (strictly above) finds no further candidate and books nothing. Equivalent.',
  },
  {
    file: 'src/core/product/origination.ts',
    from: 'ended = Math.max(liquidated, closedOut);',
    to: 'ended = closedOut;',
  },
  // The perpetual.
  {
    file: 'src/core/product/perpetual.ts',
    from: 'const liquidated = equity <= maintenanceMargin;',
    to: 'const liquidated = equity < maintenanceMargin;',
  },
  {
    file: 'src/core/product/perpetual.ts',
    from: 'if (equity <= marginCallMultiple * maintenanceMargin)',
    to: 'if (equity < marginCallMultiple * maintenanceMargin)',
  },
  { file: 'src/core/product/perpetual.ts', from: 'equity = Math.max(0, equity);', to: '' },
  {
    file: 'src/core/product/perpetual.ts',
    from: 'if (flow < 0 || !debitsOnly)',
    to: 'if (flow > 0 || !debitsOnly)',
  },
  {
    file: 'src/core/product/perpetual.ts',
    from: 'if (equity > peak) peak = equity;',
    to: 'if (equity < peak) peak = equity;',
  },
  {
    file: 'src/core/product/perpetual.ts',
    from: 'const upper = values.length >> 1;',
    to: 'const upper = lower;',
  },
  {
    file: 'src/core/product/perpetual.ts',
    from: 'const flowPerNotional = -Math.sign(quantity)',
    to: 'const flowPerNotional = Math.sign(quantity)',
  },
  // Value at risk, plans and threads.
  { file: 'src/core/product/value-at-risk.ts', from: 'collateral - loan;', to: 'collateral + loan;' },
  { file: 'src/core/plan/ratio-path.ts', from: 'underwater: place(1 / n),', to: 'underwater: place(n),' },
  {
    file: 'src/core/plan/ratio-path.ts',
    from: 'recovery: place(terms.recoveryRatio / n),',
    to: 'recovery: place(terms.nominalRatio / n),',
  },
  {
    file: 'src/core/plan/merge-outcomes.ts',
    from: 'reduce((a, b) => Math.min(a, b))',
    to: 'reduce((a, b) => Math.max(a, b))',
  },
  {
    file: 'src/core/plan/funding.ts',
    from: 'upTo(i + 1) - upTo(i)',
    to: 'upTo(i) - upTo(Math.max(0, i - 1))',
  },
  { file: 'src/core/plan/funding.ts', from: 't / intervalHours + ROUNDING', to: 't / intervalHours' },
  {
    file: 'src/core/plan/portfolio.ts',
    from: 'symbol => loan[symbol] ?? 0',
    to: 'symbol => loan[symbol] ?? 1',
  },
  { file: 'src/core/plan/chunks.ts', from: 'Math.min(size, plan.paths - first)', to: 'size' },
  // The kernel of the processor.
  {
    file: 'wasm/loan.ts',
    from: 'f32x4.lt(value, v128.load(RULES, RECOVERY))',
    to: 'f32x4.le(value, v128.load(RULES, RECOVERY))',
  },
  {
    file: 'wasm/loan.ts',
    from: 'f32x4.lt(value, v128.load(RULES, MARGIN_CALL))',
    to: 'f32x4.le(value, v128.load(RULES, MARGIN_CALL))',
  },
  {
    file: 'wasm/loan.ts',
    from: 'f32x4.lt(value, v128.load(RULES, LIQUIDATE))',
    to: 'f32x4.le(value, v128.load(RULES, LIQUIDATE))',
  },
  {
    file: 'wasm/loan.ts',
    from: 'v128.and(now, i32x4.eq(deadline, now))',
    to: 'v128.and(now, i32x4.gt_s(deadline, now))',
  },
  {
    file: 'wasm/loan.ts',
    from: 'v128.or(f32x4.lt(low, marginCall), deadline)',
    to: 'f32x4.lt(low, marginCall)',
  },
  {
    file: 'src/core/simd/loan.ts',
    from: 'lowest < thresholds.underwater ?',
    to: 'lowest <= thresholds.underwater ?',
  },
  {
    file: 'src/core/simd/loan.ts',
    from: 'if (lowest < thresholds.marginCall)',
    to: 'if (lowest <= thresholds.marginCall)',
  },
  { file: 'src/core/simd/loan.ts', from: 'liquidation >= closeout)', to: 'liquidation > closeout)' },
  // Shaders.
  {
    file: 'shaders/product/loan.wgsl',
    from: 'LOAN_NEVER, value >= terms.recovery);',
    to: 'LOAN_NEVER, value > terms.recovery);',
  },
  {
    file: 'shaders/product/loan.wgsl',
    from: 'step + terms.top_up_steps, value < terms.margin_call));',
    to: 'step + terms.top_up_steps, value <= terms.margin_call));',
  },
  {
    file: 'shaders/product/loan.wgsl',
    from: '2u * step + 1u, step >= deadline);',
    to: '2u * step + 1u, step > deadline);',
  },
  {
    file: 'shaders/product/loan.wgsl',
    from: 'select(closeout, 2u * step, value < terms.liquidation)',
    to: 'select(closeout, 2u * step, value <= terms.liquidation)',
  },
  {
    file: 'shaders/product/loan.wgsl',
    from: 'highest >= (*state).rise',
    to: 'highest > (*state).rise',
    argued:
      'Seen only on a path whose highest ratio of four hours equals R exactly and falls below R before the next hour is looked at: exact paths of a GPU are monotone, and a random one does not land on R.',
  },
  {
    file: 'shaders/product/loan.wgsl',
    from: 'step + 4u >= (*state).deadline',
    to: 'step + 4u > (*state).deadline',
  },
  {
    file: 'shaders/product/loan.wgsl',
    from: 'let underwater = lowest < terms.underwater;',
    to: 'let underwater = lowest <= terms.underwater;',
  },
  {
    file: 'shaders/product/loan.wgsl',
    from: 'let called = lowest < terms.margin_call;',
    to: 'let called = lowest <= terms.margin_call;',
  },
  {
    file: 'shaders/product/capped_loan.wgsl',
    from: 'if (!cured) {\n      loan_call',
    to: 'if (true) {\n      loan_call',
  },
  {
    file: 'shaders/product/capped_loan.wgsl',
    from: 'value >= terms.recovery;',
    to: 'value > terms.recovery;',
  },
  {
    file: 'shaders/product/capped_loan.wgsl',
    from: 'if ((*state).deadline == LOAN_NEVER && value < terms.margin_call) {',
    to: 'if ((*state).deadline == LOAN_NEVER && value <= terms.margin_call) {',
  },
  {
    file: 'shaders/product/capped_loan.wgsl',
    from: 'if (step >= (*state).deadline) {',
    to: 'if (step > (*state).deadline) {',
  },
  {
    file: 'shaders/product/capped_loan.wgsl',
    from: 'if (collateral_value < debt_value) {',
    to: 'if (collateral_value <= debt_value) {',
  },
  {
    file: 'shaders/product/capped_loan.wgsl',
    from: 'if (collateral_value < terms.liquidation_ratio * debt_value) {',
    to: 'if (collateral_value <= terms.liquidation_ratio * debt_value) {',
  },
  {
    file: 'shaders/product/capped_loan.wgsl',
    from: 'if ((*state).lowest < terms.underwater) {',
    to: 'if ((*state).lowest <= terms.underwater) {',
  },
  {
    file: 'shaders/product/capped_loan.wgsl',
    from: '(*state).deadline == LOAN_NEVER && lowest >= terms.margin_call',
    to: '(*state).deadline == LOAN_NEVER && lowest > terms.margin_call',
    argued:
      'The shortcut for four quiet hours: without it the same hours are followed one by one. Equivalent.',
  },
  {
    file: 'shaders/product/capped_loan.wgsl',
    from: 'if (step % SALE_STEPS == 0u) {',
    to: 'if (step % SALE_STEPS == 1u) {',
    argued:
      'Moves the hour at which small parts join the total: an order of additions, within rounding. Equivalent but for the last digits.',
  },
  {
    file: 'shaders/product/perpetual.wgsl',
    from: 'let liquidated = equity <= terms.maintenance * notional;',
    to: 'let liquidated = equity < terms.maintenance * notional;',
  },
  {
    file: 'shaders/product/perpetual.wgsl',
    from: 'if (equity <= terms.margin_call * notional) {',
    to: 'if (equity < terms.margin_call * notional) {',
  },
  { file: 'shaders/product/perpetual.wgsl', from: 'change = max(change, -1.0);', to: '' },
  {
    file: 'shaders/product/perpetual.wgsl',
    from: 'if (i < live && !product_ended(state))',
    to: 'if (!product_ended(state))',
  },
  {
    file: 'shaders/product/leverage_median.wgsl',
    from: 'if (rank + 1u < before + held) {',
    to: 'if (rank + 1u <= before + held) {',
  },
  {
    file: 'shaders/product/leverage_median.wgsl',
    from: 'let rank = ((*counts).values - 1u) / 2u;',
    to: 'let rank = (*counts).values / 2u;',
  },
  {
    file: 'shaders/product/origination_scan.wgsl',
    from: 'if (value >= terms.cure) {',
    to: 'if (value > terms.cure) {',
  },
  {
    file: 'shaders/product/origination_scan.wgsl',
    from: 'if (step > (*state).cure_step + delay) {',
    to: 'if (step >= (*state).cure_step + delay) {',
  },
  {
    file: 'shaders/product/origination_scan.wgsl',
    from: 'counts_book(max(ended, liquidated), closed_out);',
    to: 'counts_book(ended, closed_out);',
  },
  {
    file: 'shaders/product/origination_counts.wgsl',
    from: 'if (thresholds[base + middle] > value) {',
    to: 'if (thresholds[base + middle] >= value) {',
  },
  {
    file: 'shaders/product/origination_minimum.wgsl',
    from: 'vec4(0u, 1u, 2u, 3u) >= vec4(live)',
    to: 'vec4(0u, 1u, 2u, 3u) > vec4(live)',
  },
  {
    file: 'shaders/kernel/sums.wgsl',
    from: 'if (before + value < value) {',
    to: 'if (before + value <= value) {',
  },
  {
    file: 'shaders/model/garch.wgsl',
    from: 'step % GARCH_DAY == GARCH_DAY - 4u',
    to: 'step % GARCH_DAY == 0u',
  },
  { file: 'shaders/model/garch.wgsl', from: '(-0.5 * GARCH_LOG2_E)', to: '(0.5 * GARCH_LOG2_E)' },
  {
    file: 'shaders/order/digit_histogram.wgsl',
    from: 'if (prefixes[list + middle] < prefix) {',
    to: 'if (prefixes[list + middle] <= prefix) {',
  },
  {
    file: 'shaders/order/interval_sums.wgsl',
    from: 'if (intervals[list + middle].last_key < key) {',
    to: 'if (intervals[list + middle].last_key <= key) {',
  },
  { file: 'shaders/order/interval_sums.wgsl', from: 'if (key <= last_key) {', to: 'if (key < last_key) {' },
  { file: 'shaders/lib/order.wgsl', from: 'bits >= 0x80000000u', to: 'bits > 0x80000000u' },
  { file: 'shaders/lib/order.wgsl', from: 'fma(x, 8388608.0, 0.5)', to: 'fma(x, 8388608.0, 0.0)' },
  { file: 'shaders/lib/exponential.wgsl', from: 'power - 1.0)', to: 'power)' },
  // Statistics.
  {
    file: 'src/core/stats/quantile.ts',
    from: 'const exact = (count - 1) * probability;',
    to: 'const exact = count * probability;',
  },
  {
    file: 'src/core/stats/quantile.ts',
    from: 'if (fraction > 0) ranks.add(rank + 1);',
    to: 'if (fraction > 0.5) ranks.add(rank + 1);',
  },
  { file: 'src/core/stats/quantile.ts', from: 'if (!(count >= 1))', to: 'if (!(count >= 0))' },
  {
    file: 'src/core/stats/tail.ts',
    from: 'if (values[i] <= level) count++;',
    to: 'if (values[i] < level) count++;',
  },
  {
    file: 'src/core/stats/tail.ts',
    from: 'for (let i = 0; i <= rank; i++)',
    to: 'for (let i = 0; i < rank; i++)',
  },
  { file: 'src/core/stats/tail.ts', from: 'if (!(q > 0 && q < 1))', to: 'if (!(q > 0 && q <= 1))' },
  { file: 'src/core/stats/selection.ts', from: 'if (j < rank) left = i;', to: 'if (j <= rank) left = i;' },
  {
    file: 'src/core/stats/selection.ts',
    from: 'placeBetween(values, ranks, middle + 1, lastRank, rank + 1, right);',
    to: 'placeBetween(values, ranks, middle + 2, lastRank, rank + 1, right);',
  },
  { file: 'src/core/stats/moments.ts', from: '/ (values.length - 1);', to: '/ values.length;' },
  { file: 'src/core/stats/moments.ts', from: 'return first + residual / n;', to: 'return first;' },
  {
    file: 'src/core/stats/correlation.ts',
    from: 'if (largest <= CONSTANT_SPREAD * size)',
    to: 'if (largest < CONSTANT_SPREAD * size)',
  },
  {
    file: 'src/core/stats/correlation.ts',
    from: 'dot(xi, xj) / Math.sqrt(squares[i] * squares[j])',
    to: 'dot(xi, xj) / Math.sqrt(squares[i] * squares[i])',
  },
  {
    file: 'src/core/stats/backtest.ts',
    from: '(hits[i - 1] ? 2 : 0) + (hits[i] ? 1 : 0)',
    to: '(hits[i - 1] ? 1 : 0) + (hits[i] ? 2 : 0)',
  },
  { file: 'src/core/stats/backtest.ts', from: 'return count === 0 ? 0 :', to: 'return count < 0 ? 0 :' },
  { file: 'src/core/stats/chi-square.ts', from: 'Math.exp(-x / 2)', to: 'Math.exp(-x)' },
  {
    file: 'src/core/stats/chi-square.ts',
    from: 'if (x < SERIES_LIMIT) {',
    to: 'if (x <= SERIES_LIMIT) {',
    argued:
      'Where the series and the continued fraction meet both have full precision. Equivalent within rounding.',
  },
  // Operations.
  {
    file: 'src/operation/origination-search.ts',
    from: 'const last = distance.findLastIndex(d => d <= tolerance);',
    to: 'const last = distance.findLastIndex(d => d < tolerance);',
  },
  {
    file: 'src/operation/origination-search.ts',
    from: 'findLastIndex(d => d > tolerance) + 1',
    to: 'findLastIndex(d => d >= tolerance) + 1',
  },
  {
    file: 'src/operation/origination-search.ts',
    from: 'if (distance[k] < distance[nearest]) nearest = k;',
    to: 'if (distance[k] <= distance[nearest]) nearest = k;',
  },
  {
    file: 'src/operation/origination-search.ts',
    from: 'Math.abs(scores[left] - search.target) < Math.abs(scores[right] - search.target)',
    to: 'Math.abs(scores[left] - search.target) <= Math.abs(scores[right] - search.target)',
  },
  {
    file: 'src/operation/origination-search.ts',
    from: 'scores[middle] > search.target === aboveAtLow',
    to: 'scores[middle] >= search.target === aboveAtLow',
  },
  {
    file: 'src/operation/perpetual-position.ts',
    from: 'if (equity <= maintenanceMargin) {',
    to: 'if (equity < maintenanceMargin) {',
  },
  {
    file: 'src/operation/perpetual-position.ts',
    from: 'if (!(startPrice > 0 &&',
    to: 'if (!(startPrice >= 0 &&',
  },
  {
    file: 'src/core/figures/loan.ts',
    from: 'AvgSurvivalRate: outcome.openSteps / (paths * steps),',
    to: 'AvgSurvivalRate: outcome.openSteps / paths,',
  },
  { file: 'src/core/figures/loan.ts', from: '(100 * outcome.loss) / paths', to: 'outcome.loss / paths' },
  {
    file: 'src/core/figures/capped-loan.ts',
    from: 'average(outcome.callAmount, outcome.calls)',
    to: 'average(outcome.callAmount, outcome.marginCalls)',
  },
  {
    file: 'src/core/figures/capped-loan.ts',
    from: 'average(outcome.soldAmount, outcome.sellers)',
    to: 'average(outcome.soldAmount, paths)',
  },
  {
    file: 'src/core/figures/value-at-risk.ts',
    from: 'CollateralCVar: collateral[i].conditionalValueAtRisk',
    to: 'CollateralCVar: collateral[i].valueAtRisk',
  },
  {
    file: 'src/operation/scenarios.ts',
    from: 'if (known === undefined || known.count < series.count)',
    to: 'if (known === undefined || known.count > series.count)',
  },
];
