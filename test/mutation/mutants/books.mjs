/** Books of loans. */

/** @type {readonly import('../mutants.mjs').MutatedFile[]} */
export default [
  {
    file: 'src/core/book/book-path.ts',
    tests: ['test/unit/core/book', 'test/engine/book.test.ts'],
    mutants: [
      {
        from: 'callAt[classFirst[c]] > minimum; c++',
        to: 'callAt[classFirst[c]] >= minimum; c++',
        argued:
          'A class whose largest threshold is the minimum itself has no loan that is called: its range is empty. Equivalent.',
      },
      {
        from: 'underAt[byNominal[rank]] > minimum',
        to: 'underAt[byNominal[rank]] >= minimum',
      },
      {
        from: 'if (!(nominalRatio[place] * last < 1)) break;',
        to: 'if (!(nominalRatio[place] * last <= 1)) break;',
      },
    ],
  },
  {
    file: 'src/core/book/loan-states.ts',
    tests: ['test/unit/core/book', 'test/engine/book.test.ts'],
    mutants: [
      {
        from: 'mayFall && ratio.at(index) < liquidation;',
        to: 'mayFall && ratio.at(index) <= liquidation;',
      },
      {
        from: 'if (mayFall && ratio.at(next) < liquidation) {',
        to: 'if (mayFall && ratio.at(next) <= liquidation) {',
        argued: 'The step found is below L or not below R, and R is above L: it is never at L. Equivalent.',
      },
      { from: 'if (deadline < term) bookings.sell', to: 'if (deadline <= term) bookings.sell' },
      { from: 'index = ratio.firstBelow(next);', to: 'index = ratio.firstBelow(next + 1);' },
    ],
  },
  {
    file: 'src/core/book/signed-basket.ts',
    tests: ['test/unit/core/book', 'test/engine/book.test.ts'],
    mutants: [
      { from: 'this.at(t) < this.threshold) return t;', to: 'this.at(t) <= this.threshold) return t;' },
      { from: 'this.at(t) >= threshold) return t;', to: 'this.at(t) > threshold) return t;' },
    ],
  },
  {
    file: 'src/core/book/class-states.ts',
    tests: ['test/unit/core/book', 'test/engine/book.test.ts'],
    mutants: [
      {
        from: 'if (!(liquidationAt[first] > now)) return first;',
        to: 'if (!(liquidationAt[first] >= now)) return first;',
        argued: 'The range of loans below L / N is found anew, and is empty there. Equivalent.',
      },
      { from: 'threshold[middle] > ratio', to: 'threshold[middle] >= ratio' },
      { from: 'threshold[low + width - 1] > ratio', to: 'threshold[low + width - 1] >= ratio' },
      { from: 'if (deadline < term) this.sell', to: 'if (deadline <= term) this.sell' },
      { from: 'this.waiting.push(cured, end, next);', to: 'this.waiting.push(cured, end, next + 1);' },
      { from: 'this.ended.fill(1, first, end);', to: '' },
    ],
  },
  {
    file: 'src/core/book/path-bookings.ts',
    tests: ['test/unit/core/book', 'test/engine/book.test.ts'],
    mutants: [
      {
        from: '(liquidated ? sums.liquidations : sums.closeouts)',
        to: '(liquidated ? sums.closeouts : sums.liquidations)',
      },
      { from: 'if (sold) return;', to: '' },
      { from: 'const missed = term - (index + 1);', to: 'const missed = term - index;' },
      {
        from: 'ranges.sell(first, end, term - (index + 1), liquidated);',
        to: 'ranges.sell(first, end, term - index, liquidated);',
      },
      { from: 'if (!(usd > 0)) break;', to: 'if (usd > 0) break;' },
    ],
  },
  {
    file: 'src/core/book/range-sums.ts',
    tests: ['test/unit/core/book', 'test/engine/book.test.ts'],
    mutants: [
      {
        from: 'add(liquidated ? this.liquidations : this.closeouts',
        to: 'add(liquidated ? this.closeouts : this.liquidations',
      },
      { from: 'missed * missed', to: 'missed' },
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
