/** Calibration. */

/** @type {readonly import('../mutants.mjs').MutatedFile[]} */
export default [
  {
    file: 'src/model/constant-volatility.ts',
    tests: ['test/unit/model/constant-volatility.test.ts'],
    mutants: [
      {
        from: '(1 + volatilityShock) * Math.sqrt(returnsPerYear)',
        to: '(1 - volatilityShock) * Math.sqrt(returnsPerYear)',
      },
      { from: 'if (count < LEAST_RETURNS) {', to: 'if (count <= LEAST_RETURNS) {' },
      {
        from: 'annualVolatility[Math.floor(k / n)] * annualVolatility[k % n]',
        to: 'annualVolatility[Math.floor(k / n)] ** 2',
      },
      {
        from: 'entry * model.annualVolatility[Math.floor(k / assets)]',
        to: 'entry * model.annualVolatility[k % assets]',
      },
    ],
  },
  {
    file: 'src/model/portfolio-volatility.ts',
    tests: ['test/unit/model/portfolio-volatility.test.ts', 'test/operation/loan-risk.test.ts'],
    mutants: [
      { from: 'product === 0 ? 0 :', to: 'product === 1 ? 0 :' },
      { from: 'Math.max(-1, Math.min(1, ratio))', to: 'ratio' },
      {
        from: 'Math.sqrt(Math.max(0, quadraticForm(weights, covariance, weights)))',
        to: 'Math.sqrt(quadraticForm(weights, covariance, weights))',
      },
      { from: 'if (left[i] === 0) continue;', to: 'if (left[i] !== 0) continue;' },
    ],
  },
  {
    file: 'src/model/garch.ts',
    tests: [
      'test/unit/model/garch.test.ts',
      'test/unit/model/garch-fit.test.ts',
      'test/operation/low-liquidity.test.ts',
    ],
    mutants: [
      { from: '(fit.alpha + fit.beta) * variance', to: 'fit.beta * variance' },
      { from: 'for (let day = 0; day < days; day++)', to: 'for (let day = 0; day <= days; day++)' },
      { from: 'Math.ceil(steps / HOURS_PER_DAY)', to: 'Math.floor(steps / HOURS_PER_DAY)' },
      { from: 'volatilityScale: 1 + volatilityShock', to: 'volatilityScale: 1' },
    ],
  },
  {
    file: 'src/model/correlation-factor.ts',
    tests: ['test/unit/model/correlation-factor.test.ts'],
    mutants: [
      { from: 'value < -LARGEST_NEGATIVE_EIGENVALUE', to: 'value < LARGEST_NEGATIVE_EIGENVALUE' },
      { from: 'upper.get(j, j) < 0 ? -1 : 1', to: 'upper.get(j, j) < 0 ? 1 : 1' },
      { from: '!(Math.abs(value) <= 1)', to: '!(Math.abs(value) < 1)' },
      { from: '(sign * upper.get(j, i)) / norm + 0', to: 'sign * upper.get(j, i) + 0' },
    ],
  },
  {
    file: 'src/model/log-returns.ts',
    tests: ['test/unit/model/log-returns.test.ts'],
    mutants: [
      { from: 'closes.length < 2', to: 'closes.length < 3' },
      { from: 'closes[t] > 0 &&', to: 'closes[t] >= 0 &&' },
      { from: 'Math.log(closes[t] / closes[t - 1])', to: 'closes[t] / closes[t - 1] - 1' },
    ],
  },
  {
    file: 'src/model/volatility-index.ts',
    tests: ['test/unit/model', 'test/operation/loan-risk.test.ts', 'test/docs/examples.test.ts'],
    mutants: [
      { from: 'annualVolatility[asset] = level / 100', to: 'annualVolatility[asset] = level' },
      { from: 'if (!(level > 0 &&', to: 'if (!(level >= 0 &&' },
      { from: 'if (asset >= 0)', to: 'if (asset > 0)' },
    ],
  },
  {
    file: 'src/model/filtered-historical.ts',
    tests: ['test/unit/model/filtered-historical.test.ts'],
    mutants: [
      {
        from: 'const centred = residuals.map(z => z - centre);',
        to: 'const centred = residuals.map(z => z);',
      },
      { from: 'rootMeanSquare === 0 ? centred.fill(0)', to: 'rootMeanSquare === 1 ? centred.fill(0)' },
      { from: 'Math.log1p(sum / z.length) / (a * a)', to: 'Math.log1p(sum / z.length) / a' },
      { from: 'rows[d * assets + i] = z[d]', to: 'rows[i * days + d] = z[d]' },
    ],
  },
];
