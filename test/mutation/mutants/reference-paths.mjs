/** Draws, and paths of the reference engine. */

/** @type {readonly import('../mutants.mjs').MutatedFile[]} */
export default [
  {
    file: 'src/engine/reference/pair-paths.ts',
    tests: ['test/engine/plain.test.ts'],
    mutants: [
      {
        from: 'this.collateralWalk.drift - this.loanWalk.drift',
        to: 'this.collateralWalk.drift + this.loanWalk.drift',
      },
      {
        from: 'this.collateralWalk.loading0 - this.loanWalk.loading0',
        to: 'this.collateralWalk.loading0 + this.loanWalk.loading0',
      },
      {
        from: '(-(scenarios.annualVolatility[asset] ** 2) * dtYears) / 2',
        to: '-(scenarios.annualVolatility[asset] ** 2) * dtYears',
      },
      { from: 'loading1: loading(1),', to: 'loading1: 0,' },
      { from: 'const y = logStart + (xc[t] - xl[t]);', to: 'const y = logStart + (xc[t] + xl[t]);' },
    ],
  },
  {
    file: 'src/engine/reference/asset-paths.ts',
    tests: ['test/engine/plain.test.ts'],
    mutants: [
      { from: '(-sigma * sigma * dtYears) / 2', to: '-sigma * sigma * dtYears' },
      { from: 'if (row % 2 === 0) {', to: 'if (row % 2 === 1) {' },
      { from: 'for (; j <= row; j += 2)', to: 'for (; j + 1 < row; j += 2)' },
      { from: 'else fillProjected(seed, path, j >> 1,', to: 'else fillProjected(seed, path, j,' },
      { from: 'alpha[i] * daySum * daySum', to: 'alpha[i] * daySum' },
      { from: 'this.variance[i] = h;', to: '' },
      { from: '/ (2 * HOURS_PER_DAY)', to: '/ HOURS_PER_DAY' },
      {
        from: 'const end = Math.min(day + HOURS_PER_DAY, count);',
        to: 'const end = day + HOURS_PER_DAY;',
        argued:
          'Only the last block of a path is not full: the steps that are computed beyond it lie inside the block and nobody reads them. Equivalent.',
      },
    ],
  },
  {
    file: 'src/engine/reference/portfolio-paths.ts',
    tests: ['test/engine/plain.test.ts'],
    mutants: [
      {
        from: 'const begin = scenarios.lead + path - this.ratio.length;',
        to: 'const begin = scenarios.lead + path - this.ratio.length - 1;',
      },
      { from: 'loanUnits * prices[begin + 1 + t]', to: 'loanUnits * prices[begin + t]' },
      { from: 'minimum = r < minimum ? r : minimum;', to: 'minimum = r > minimum ? r : minimum;' },
      { from: '} else if (collateralWeight === 0) {', to: '} else if (collateralWeight !== 0) {' },
    ],
  },
  {
    file: 'src/engine/reference/horizon-paths.ts',
    tests: [
      'test/engine/closed-form-value-at-risk.test.ts',
      'test/operation/historical.test.ts',
      'test/unit/engine/reference',
    ],
    mutants: [
      { from: 'k === 0 ? years : years - all[k - 1]', to: 'years' },
      {
        from: 'prices[end] / prices[end - this.horizonSteps[k]]',
        to: 'prices[end] / prices[end - this.horizonSteps[k] + 1]',
      },
      { from: '(-sigma * sigma * stepYears[k]) / 2', to: '-sigma * sigma * stepYears[k]' },
      { from: 'for (let j = 0; j <= i; j++) shock', to: 'for (let j = 0; j < i; j++) shock' },
    ],
  },
  {
    file: 'src/engine/reference/student-t-paths.ts',
    tests: ['test/engine/heavy-tails.test.ts', 'test/operation/heavy-tails.test.ts'],
    mutants: [
      { from: 'const drift = w * this.driftPerStep[i];', to: 'const drift = this.driftPerStep[i];' },
      { from: 'const root = Math.sqrt(w);', to: 'const root = w;' },
      {
        from: 'Math.min(multiplierCap, multiplierOfWord(multiplier, this.words.word(day)))',
        to: 'multiplierOfWord(multiplier, this.words.word(day))',
      },
    ],
  },
  {
    file: 'src/engine/reference/filtered-historical-paths.ts',
    tests: ['test/engine/heavy-tails.test.ts', 'test/operation/heavy-tails.test.ts'],
    mutants: [
      { from: 'return -logMeanExponential(', to: 'return logMeanExponential(' },
      { from: '(alpha[i] * z * z + beta[i])', to: '(alpha[i] * z + beta[i])' },
      {
        from: '(this.words.word(day) % (rows.length / assets)) * assets',
        to: 'this.words.word(day) % (rows.length / assets)',
      },
      { from: 'day + 1 - DAY_ROUNDING', to: 'day + 1 + DAY_ROUNDING' },
      { from: 'a * Math.sqrt((to - from) * (1 - left))', to: 'a * Math.sqrt(to - from)' },
    ],
  },
  {
    file: 'src/engine/reference/bootstrap-paths.ts',
    tests: ['test/engine/heavy-tails.test.ts', 'test/operation/heavy-tails.test.ts'],
    mutants: [
      {
        from: 'for (; step < this.horizonSteps[k]; step++)',
        to: 'for (; step <= this.horizonSteps[k]; step++)',
      },
      { from: 'if (this.scenarios.stepsPerRow === 1)', to: 'if (this.scenarios.stepsPerRow !== 1)' },
    ],
  },
  {
    file: 'src/core/random/draws.ts',
    tests: ['test/unit/core/random'],
    mutants: [
      { from: 'x3 = (x3 + k4 + 1) | 0;', to: 'x3 = (x3 + k4) | 0;' },
      { from: 'x3 = (x3 + k0 + 2) | 0;', to: 'x3 = (x3 + k0 + 3) | 0;' },
      { from: 'state[3] = x3 + 3;', to: 'state[3] = x3 + 2;' },
      { from: 'const turned = (w1 - phase) | 0;', to: 'const turned = (w1 + phase) | 0;' },
      {
        from: 'const beginning = HALF_PART + rest;',
        to: 'const beginning = HALF_PART;',
        argued:
          'The rest of a phase is at most half a word, 7e-10 of a radian: it moves a normal by less than 5e-9.',
      },
      {
        from: 'second[t] = r * (sin - (sin * versine - cos * sine));',
        to: 'second[t] = r * (sin - (sin * versine + cos * sine));',
      },
    ],
  },
  {
    file: 'src/core/random/box-muller.ts',
    tests: ['test/unit/core/random'],
    mutants: [
      { from: 'Math.log1p(-middle * WORD_SCALE)', to: 'Math.log1p(middle * WORD_SCALE)' },
      { from: 'Math.PI * 2 ** -ANGLE_BITS', to: '2 * Math.PI * 2 ** -ANGLE_BITS' },
    ],
  },
  {
    file: 'src/core/random/stream.ts',
    tests: ['test/unit/core/random'],
    mutants: [
      { from: 'this.counter = (this.counter + 1) >>> 0;', to: 'this.counter = (this.counter + 2) >>> 0;' },
      { from: 'WORDS_PER_STEP * (step % BLOCK_STEPS)', to: 'step % BLOCK_STEPS' },
    ],
  },
  {
    file: 'src/core/random/threefry.ts',
    tests: ['test/unit/core/random'],
    mutants: [
      { from: 'if (round % 4 === 3) {', to: 'if (round % 4 === 2) {' },
      { from: 'schedule[(injection + 3) % 5] + injection', to: 'schedule[(injection + 3) % 5]' },
    ],
  },
  {
    file: 'src/core/random/extra-words.ts',
    tests: ['test/unit/core/random', 'test/engine/heavy-tails.test.ts', 'test/operation/heavy-tails.test.ts'],
    mutants: [
      { from: 'index >>> 2', to: 'index >>> 3' },
      { from: 'if (block !== this.block) {', to: 'if (block > this.block + 1) {' },
      { from: 'this.words[index & 3]', to: 'this.words[index & 1]' },
    ],
  },
];
