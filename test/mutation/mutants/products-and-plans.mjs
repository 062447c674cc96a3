/** State machines of the products on the reference, and plans. */

/** @type {readonly import('../mutants.mjs').MutatedFile[]} */
export default [
  {
    file: 'src/core/product/loan.ts',
    tests: ['test/engine/equality-loan.test.ts -t reference', 'test/engine/plain.test.ts'],
    mutants: [
      {
        from: 'if (paths.minimum < thresholds.underwater)',
        to: 'if (paths.minimum <= thresholds.underwater)',
      },
      { from: 'ratio[t - 1] >= marginCall) t++', to: 'ratio[t - 1] > marginCall) t++' },
      { from: 'if (r < liquidation || t >= deadline)', to: 'if (r <= liquidation || t >= deadline)' },
      { from: '|| t >= deadline)', to: '|| t > deadline)' },
      { from: 'while (r < recovery)', to: 'while (r <= recovery)' },
      {
        from: 'end.flags |= r < liquidation ? FLAG_LIQUIDATION : FLAG_CLOSEOUT',
        to: 'end.flags |= r <= liquidation ? FLAG_LIQUIDATION : FLAG_CLOSEOUT',
      },
      {
        from: 'if (paths.minimum >= rules.marginCall) return;',
        to: 'if (paths.minimum > rules.marginCall) return;',
        argued:
          'A path whose lowest ratio is exactly M/N passes the shortcut and finds no ratio below M/N: the same end, later. Equivalent.',
      },
      { from: 'const deadline = t + topUpSteps;', to: 'const deadline = t + topUpSteps + 1;' },
      {
        from: 'const pathLoss = Math.max(0, 1 - product.nominalRatio * finalRatio);',
        to: 'const pathLoss = Math.max(0, 1 - finalRatio);',
      },
    ],
  },
  {
    file: 'src/core/product/capped-loan.ts',
    tests: ['test/engine/equality-loan.test.ts -t reference', 'test/engine/plain.test.ts'],
    mutants: [
      { from: 'if (!cured) this.bookCall(loan, t);', to: 'this.bookCall(loan, t);' },
      { from: 'if (deadline === 0) this.bookCall(loan, t);', to: 'this.bookCall(loan, t);' },
      { from: 'if (r < thresholds.liquidation) {', to: 'if (r <= thresholds.liquidation) {' },
      { from: 'deadline > 0 && r >= thresholds.recovery', to: 'deadline > 0 && r > thresholds.recovery' },
      {
        from: 'deadline === 0 && r < thresholds.marginCall',
        to: 'deadline === 0 && r <= thresholds.marginCall',
      },
      { from: 'if (deadline > 0 && t >= deadline)', to: 'if (deadline > 0 && t > deadline)' },
      { from: 'if (lowest < this.thresholds.underwater)', to: 'if (lowest <= this.thresholds.underwater)' },
      {
        from: 'if (r < thresholds.liquidation) this.book',
        to: 'if (r <= thresholds.liquidation) this.book',
      },
      {
        from: 'if (collateralValue < debtValue) loan.flags',
        to: 'if (collateralValue <= debtValue) loan.flags',
      },
      {
        from: 'if (collateralValue < product.liquidationRatio * debtValue)',
        to: 'if (collateralValue <= product.liquidationRatio * debtValue)',
      },
      { from: 'if (lowestWhole < thresholds.underwater)', to: 'if (lowestWhole <= thresholds.underwater)' },
      { from: 'if (sale === debtValue || sale', to: 'if (sale > debtValue || sale' },
      { from: '+ (1 - debtLeft);', to: ';' },
      { from: 'if (loan.soldAmount > 0) sums.sellers++;', to: 'if (loan.soldAmount >= 0) sums.sellers++;' },
      { from: 'loan.callAmount += Math.max(0, missing);', to: 'loan.callAmount += missing;' },
    ],
  },
  {
    file: 'src/core/product/path-counts.ts',
    tests: ['test/engine/distribution.test.ts'],
    mutants: [
      { from: 'Math.floor((step - 1) / this.daySteps)', to: 'Math.floor(step / this.daySteps)' },
      { from: 'Number(value >= edges[cell])', to: 'Number(value > 2 * edges[cell])' },
    ],
  },
  {
    file: 'src/core/distribution/bins.ts',
    tests: ['test/unit/core/distribution/bins.test.ts'],
    mutants: [
      { from: 'bin <= highest ?', to: 'bin < highest ?' },
      { from: 'before + count >= wanted', to: 'before >= wanted' },
    ],
  },
  {
    file: 'src/core/product/origination.ts',
    tests: ['test/engine/equality-origination.test.ts -t reference', 'test/engine/origination.test.ts'],
    mutants: [
      { from: 'if (r >= cure)', to: 'if (r > cure)' },
      { from: 'if (falling[middle] > value)', to: 'if (falling[middle] >= value)' },
      { from: 'called >= excursionStart ?', to: 'called > excursionStart ?' },
      {
        from: 'else this.book(Math.max(ended, liquidated), closedOut);',
        to: 'else this.book(ended, closedOut);',
      },
      {
        from: 'if (liquidation[ended] > minimum || marginCall[ended] > calledMinimum)',
        to: 'if (liquidation[ended] >= minimum || marginCall[ended] > calledMinimum)',
        argued:
          'At equality the bisection that follows (strictly above) finds no further candidate and books nothing. Equivalent.',
      },
      { from: 'ended = Math.max(liquidated, closedOut);', to: 'ended = closedOut;' },
    ],
  },
  {
    file: 'src/core/product/perpetual.ts',
    tests: ['test/engine/equality-perpetual.test.ts -t reference', 'test/engine/plain.test.ts'],
    mutants: [
      {
        from: 'const liquidated = equity <= requiredMargin;',
        to: 'const liquidated = equity < requiredMargin;',
      },
      {
        from: 'if (equity <= marginCallMultiple * requiredMargin)',
        to: 'if (equity < marginCallMultiple * requiredMargin)',
      },
      { from: 'equity = Math.max(0, equity - product.takerFeeRate * notional);', to: '' },
      { from: 'if (flow < 0 || !debitsOnly)', to: 'if (flow > 0 || !debitsOnly)' },
      { from: 'if (equity > peak) peak = equity;', to: 'if (equity < peak) peak = equity;' },
      { from: 'const upper = values.length >> 1;', to: 'const upper = lower;' },
      {
        from: 'const flowPerNotional = -Math.sign(quantity)',
        to: 'const flowPerNotional = Math.sign(quantity)',
      },
    ],
  },
  {
    file: 'src/core/product/value-at-risk.ts',
    tests: ['test/engine/closed-form-value-at-risk.test.ts'],
    mutants: [{ from: 'collateral - loan;', to: 'collateral + loan;' }],
  },
  {
    file: 'src/core/plan/ratio-path.ts',
    tests: ['test/engine/equality-loan.test.ts -t reference', 'test/engine/plain.test.ts'],
    mutants: [
      { from: 'underwater: place(1 / n),', to: 'underwater: place(n),' },
      { from: 'recovery: place(terms.recoveryRatio / n),', to: 'recovery: place(terms.nominalRatio / n),' },
    ],
  },
  {
    file: 'src/core/plan/merge-outcomes.ts',
    tests: ['test/unit/core/plan/merge-outcomes.test.ts'],
    mutants: [{ from: 'reduce((a, b) => Math.min(a, b))', to: 'reduce((a, b) => Math.max(a, b))' }],
  },
  {
    file: 'src/core/plan/funding.ts',
    tests: ['test/unit/core/plan', 'test/engine/perpetual-funding.test.ts'],
    mutants: [
      { from: 'upTo(i + 1) - upTo(i)', to: 'upTo(i) - upTo(Math.max(0, i - 1))' },
      { from: 't / intervalHours + ROUNDING', to: 't / intervalHours' },
    ],
  },
  {
    file: 'src/core/plan/portfolio.ts',
    tests: ['test/unit/core/plan', 'test/operation'],
    mutants: [{ from: 'symbol => loan[symbol] ?? 0', to: 'symbol => loan[symbol] ?? 1' }],
  },
  {
    file: 'src/core/plan/chunks.ts',
    tests: ['test/engine/determinism.test.ts'],
    mutants: [{ from: 'Math.min(size, plan.paths - first)', to: 'size' }],
  },
  {
    file: 'src/core/plan/single-precision.ts',
    tests: ['test/unit/core/plan', 'test/engine/wasm-choice.test.ts', 'test/engine/gpu-riskless.test.ts'],
    mutants: [
      { from: 'accuracy !== undefined && isTooSmall', to: 'accuracy === undefined || isTooSmall' },
      { from: 'isPair ? 0 : BASKET_ROUNDING', to: 'isPair ? BASKET_ROUNDING : 0' },
      { from: 'expectedLogFall(plan) > LOG_RANGE', to: 'expectedLogFall(plan) > 2 * LOG_RANGE' },
      { from: 'size > LARGEST_TERM ||', to: 'size >= LARGEST_TERM ||' },
      { from: 'size > 0 && size < LEAST_TERM', to: 'size < LEAST_TERM' },
      { from: 'spread < SPREAD_TO_ERROR * error', to: 'spread < SPREAD_TO_ERROR + error' },
      { from: '|| accuracy.spread >= leastSpread', to: '|| accuracy.spread < leastSpread' },
    ],
  },
];
