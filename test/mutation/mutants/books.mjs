/** Books of loans. */

/** @type {readonly import('../mutants.mjs').MutatedFile[]} */
export default [
  {
    file: 'src/core/book/book-path.ts',
    tests: ['test/unit/core/book', 'test/engine/book.test.ts'],
    mutants: [
      {
        from: 'if (!(call > minimum)) break;',
        to: 'if (!(call >= minimum)) break;',
      },
      {
        from: 'if (!(underAt[place] > minimum)) break;',
        to: 'if (!(underAt[place] >= minimum)) break;',
      },
      {
        from: 'if (nominalRatio[place] * last < 1) states',
        to: 'if (nominalRatio[place] * last <= 1) states',
      },
    ],
  },
  {
    file: 'src/core/book/loan-states.ts',
    tests: ['test/unit/core/book', 'test/engine/book.test.ts'],
    mutants: [
      {
        from: 'if (opening < liquidation || topUp === 0) {',
        to: 'if (opening <= liquidation || topUp === 0) {',
      },
      {
        from: 'if (ratio.at(next) < liquidation) {',
        to: 'if (ratio.at(next) <= liquidation) {',
        argued: 'The step found is below L or not below R, and R is above L: it is never at L. Equivalent.',
      },
      { from: 'if (deadline < term) this.sell', to: 'if (deadline <= term) this.sell' },
      {
        from: '(liquidated ? sums.liquidations : sums.closeouts)',
        to: '(liquidated ? sums.closeouts : sums.liquidations)',
      },
      { from: 'if (this.ended[place] === 1) return;', to: '' },
      { from: 'const missed = term - (index + 1);', to: 'const missed = term - index;' },
      { from: 'const at = index + this.saleDelaySteps;', to: 'const at = index;' },
      { from: 'index = ratio.firstBelow(call, next);', to: 'index = ratio.firstBelow(call, next + 1);' },
    ],
  },
  {
    file: 'src/core/book/peak-day.ts',
    tests: ['test/unit/core/book', 'test/engine/book.test.ts'],
    mutants: [
      { from: 'window > peak', to: 'window >= peak' },
      { from: 't >= width ? soldAt[t - width] : 0', to: 't > width ? soldAt[t - width] : 0' },
    ],
  },
  {
    file: 'src/core/book/lazy-ratio.ts',
    tests: ['test/unit/core/book', 'test/engine/book.test.ts'],
    mutants: [
      {
        from: 'if (ratio[t] < low || ratio[t] >= high) return t;',
        to: 'if (ratio[t] < low || ratio[t] > high) return t;',
      },
      { from: 'this.low[d] >= low && this.high[d] < high', to: 'this.low[d] >= low && this.high[d] <= high' },
      { from: 'if (ratio[t] < threshold) return t;', to: 'if (ratio[t] <= threshold) return t;' },
      { from: 'if (r > high) high = r;', to: 'if (r < high) high = r;' },
    ],
  },
  {
    file: 'src/core/book/tail-weights.ts',
    tests: ['test/unit/core/book', 'test/engine/book.test.ts'],
    mutants: [
      { from: 'value => value > level', to: 'value => value >= level' },
      { from: 'sorted[rank - 1]', to: 'sorted[rank]' },
      { from: 'Math.max(1, whole) : Math.ceil(exact)', to: 'Math.max(1, whole) : Math.floor(exact)' },
      { from: 'sorted[i] >= tail.level', to: 'sorted[i] > tail.level' },
    ],
  },
  {
    file: 'src/core/gpu/book/tail-classes.ts',
    tests: ['test/unit/core/gpu/tail-classes.test.ts'],
    mutants: [
      { from: 'loss >= level)', to: 'loss > level)' },
      { from: 'loss > levels[reached - 1]', to: 'loss >= levels[reached - 1]' },
      { from: 'own < ofLevel', to: 'own <= ofLevel' },
    ],
  },
];
