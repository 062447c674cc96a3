/** Statistics. */

/** @type {readonly import('../mutants.mjs').MutatedFile[]} */
export default [
  {
    file: 'src/core/stats/quantile.ts',
    tests: ['test/unit/core/stats'],
    mutants: [
      { from: 'const exact = (count - 1) * probability;', to: 'const exact = count * probability;' },
      { from: 'if (fraction > 0) ranks.add(rank + 1);', to: 'if (fraction > 0.5) ranks.add(rank + 1);' },
      { from: 'if (!(count >= 1))', to: 'if (!(count >= 0))' },
    ],
  },
  {
    file: 'src/core/stats/tail.ts',
    tests: ['test/unit/core/stats'],
    mutants: [
      { from: 'if (below < 0) continue;', to: 'if (below <= 0) continue;' },
      { from: 'lowest.length - 1)], fraction) + 0', to: 'lowest.length - 1)], fraction)' },
      { from: 'const inOrder = lowest.slice();', to: 'const inOrder = lowest;' },
      { from: 'if (!(q > 0 && q < 1))', to: 'if (!(q > 0 && q <= 1))' },
    ],
  },
  {
    file: 'src/core/stats/value-cells.ts',
    tests: ['test/unit/core/stats'],
    mutants: [
      { from: 'while (ranks[i] >= before + counts[cell])', to: 'while (ranks[i] > before + counts[cell])' },
      { from: 'else this.countSingly(i, i + 4);', to: 'else this.countSingly(i, i + 3);' },
    ],
  },
  {
    file: 'src/core/stats/selection.ts',
    tests: ['test/unit/core/stats'],
    mutants: [
      { from: 'if (j < rank) left = i;', to: 'if (j <= rank) left = i;' },
      {
        from: 'placeBetween(values, ranks, middle + 1, lastRank, rank + 1, right);',
        to: 'placeBetween(values, ranks, middle + 2, lastRank, rank + 1, right);',
      },
    ],
  },
  {
    file: 'src/core/stats/moments.ts',
    tests: ['test/unit/core/stats'],
    mutants: [
      { from: '/ (values.length - 1);', to: '/ values.length;' },
      { from: 'return first + residual / n;', to: 'return first;' },
    ],
  },
  {
    file: 'src/core/stats/correlation.ts',
    tests: ['test/unit/core/stats'],
    mutants: [
      { from: 'if (largest <= CONSTANT_SPREAD * size)', to: 'if (largest < CONSTANT_SPREAD * size)' },
      {
        from: 'dot(xi, xj) / Math.sqrt(squares[i] * squares[j])',
        to: 'dot(xi, xj) / Math.sqrt(squares[i] * squares[i])',
      },
    ],
  },
  {
    file: 'src/core/stats/backtest.ts',
    tests: ['test/unit/core/stats'],
    mutants: [
      { from: '(hits[i - 1] ? 2 : 0) + (hits[i] ? 1 : 0)', to: '(hits[i - 1] ? 1 : 0) + (hits[i] ? 2 : 0)' },
      { from: 'return count === 0 ? 0 :', to: 'return count < 0 ? 0 :' },
    ],
  },
  {
    file: 'src/core/stats/chi-square.ts',
    tests: ['test/unit/core/stats'],
    mutants: [
      { from: 'Math.exp(-x / 2)', to: 'Math.exp(-x)' },
      {
        from: 'if (x < SERIES_LIMIT) {',
        to: 'if (x <= SERIES_LIMIT) {',
        argued:
          'Where the series and the continued fraction meet both have full precision. Equivalent within rounding.',
      },
    ],
  },
  {
    file: 'src/core/stats/intervals.ts',
    tests: ['test/unit/core/stats'],
    mutants: [
      { from: '(p + (z * z) / (2 * trials)) / weight', to: '(p + (z * z) / trials) / weight' },
      { from: 'Math.min(hits, trials - hits) < FEW_HITS', to: 'Math.min(hits, trials - hits) <= FEW_HITS' },
      { from: '/ (paths - 1);', to: '/ paths;' },
      { from: 'betaQuantile(hits, trials - hits + 1, tail)', to: 'betaQuantile(hits, trials - hits, tail)' },
      { from: '2 * ratio * sums.products', to: 'ratio * sums.products' },
      { from: 'error / probability;', to: 'error;' },
      {
        from: '> tail);',
        to: '>= tail);',
        argued:
          'Differs only where a binomial tail is the very double of (1 - level) / 2; the incomplete beta function is rounded, and even 1/4 comes out as 0.24999999999999997.',
      },
      { from: 'below === 0 ? undefined : below - 1', to: 'below === 0 ? undefined : below' },
      { from: 'reached >= count ? undefined', to: 'reached > count ? undefined' },
      { from: '-Math.log1p(-level) / paths', to: 'Math.log1p(-level) / paths' },
    ],
  },
  {
    file: 'src/core/stats/replicates.ts',
    tests: ['test/unit/core/stats/replicates.test.ts'],
    mutants: [
      { from: '1 / sample.count);', to: '0);' },
      { from: 'probability * this.count - 0.5', to: 'probability * this.count' },
    ],
  },
  {
    file: 'src/core/stats/overlapping-windows.ts',
    tests: ['test/unit/core/stats', 'test/operation/accuracy.test.ts'],
    mutants: [
      { from: 'Math.floor(independent / 2)', to: 'Math.floor(independent)' },
      { from: 'independent >= LEAST_INDEPENDENT_WINDOWS', to: 'independent > LEAST_INDEPENDENT_WINDOWS' },
      { from: 'sum += (2 / n) * total * total;', to: 'sum += (1 / n) * total * total;' },
      { from: 'Math.min(windows, 2 * independent,', to: 'Math.min(windows, independent,' },
      { from: 'Math.min(windows, MOST_PER_INDEPENDENT * independent,', to: 'Math.min(windows, independent,' },
      { from: 'skewness * Math.sqrt(contributions.length / effective)', to: 'skewness' },
    ],
  },
  {
    file: 'src/core/stats/first-passage.ts',
    tests: ['test/unit/core/stats'],
    mutants: [
      { from: 'Math.min(drift, drift * steps) < level', to: 'Math.min(drift, drift * steps) <= level' },
      { from: 'for (let step = 2; step <= steps; step++)', to: 'for (let step = 2; step < steps; step++)' },
      {
        from: 'mean * steps) - OUT_OF_REACH * spread) return 0;',
        to: 'mean * steps) + OUT_OF_REACH * spread) return 0;',
      },
    ],
  },
];
