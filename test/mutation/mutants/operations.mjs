/** Operations and their figures. */

/** @type {readonly import('../mutants.mjs').MutatedFile[]} */
export default [
  {
    file: 'src/operation/origination-search.ts',
    tests: ['test/unit/operation/origination-search.test.ts'],
    mutants: [
      {
        from: 'const last = distance.findLastIndex(d => d <= tolerance);',
        to: 'const last = distance.findLastIndex(d => d < tolerance);',
      },
      { from: 'findLastIndex(d => d > tolerance) + 1', to: 'findLastIndex(d => d >= tolerance) + 1' },
      {
        from: 'if (distance[k] < distance[nearest]) nearest = k;',
        to: 'if (distance[k] <= distance[nearest]) nearest = k;',
      },
      {
        from: 'Math.abs(scores[left] - search.target) < Math.abs(scores[right] - search.target)',
        to: 'Math.abs(scores[left] - search.target) <= Math.abs(scores[right] - search.target)',
      },
      {
        from: 'scores[middle] > search.target === aboveAtLow',
        to: 'scores[middle] >= search.target === aboveAtLow',
      },
    ],
  },
  {
    file: 'src/operation/perpetual-position.ts',
    tests: ['test/unit/operation/perpetual-position.test.ts'],
    mutants: [
      { from: 'if (equity <= requiredMargin) {', to: 'if (equity < requiredMargin) {' },
      { from: 'if (!(startPrice > 0 &&', to: 'if (!(startPrice >= 0 &&' },
    ],
  },
  {
    file: 'src/core/figures/loan.ts',
    tests: ['test/unit/core/figures'],
    mutants: [
      {
        from: 'AvgSurvivalRate: outcome.openSteps / (paths * steps),',
        to: 'AvgSurvivalRate: outcome.openSteps / paths,',
      },
      { from: '(100 * outcome.loss) / paths', to: 'outcome.loss / paths' },
    ],
  },
  {
    file: 'src/core/figures/capped-loan.ts',
    tests: ['test/unit/core/figures'],
    mutants: [
      {
        from: 'average(outcome.callAmount, outcome.calls)',
        to: 'average(outcome.callAmount, outcome.marginCalls)',
      },
      { from: 'average(outcome.soldAmount, outcome.sellers)', to: 'average(outcome.soldAmount, paths)' },
    ],
  },
  {
    file: 'src/core/figures/value-at-risk.ts',
    tests: ['test/unit/core/figures'],
    mutants: [
      {
        from: 'CollateralCVar: collateral[i].tailMean',
        to: 'CollateralCVar: collateral[i].quantile',
      },
    ],
  },
  {
    file: 'src/operation/scenarios.ts',
    tests: ['test/unit/operation/scenarios.test.ts'],
    mutants: [
      {
        from: 'if (known === undefined || known.count < series.count)',
        to: 'if (known === undefined || known.count > series.count)',
      },
    ],
  },
  {
    file: 'src/operation/isolated-perpetual-risk.ts',
    tests: [
      'test/operation/isolated-perpetual-risk.test.ts',
      'test/operation/perpetual-margin.test.ts',
      'test/operation/perpetual-hours.test.ts',
      'test/docs/examples.test.ts',
    ],
    mutants: [
      { from: 'MARGIN_CALL_MULTIPLE = 1.25', to: 'MARGIN_CALL_MULTIPLE = 1.2' },
      { from: "request.funding_method === 'debitflat'", to: "request.funding_method === 'flat'" },
      { from: 'steps / HOURLY_RETURNS_PER_YEAR', to: 'steps / DAYS_PER_YEAR' },
      { from: 'window.gridHours === 1 ? HOURLY', to: 'window.gridHours !== 1 ? HOURLY' },
      { from: 'HOURS_PER_DAY * days + 1', to: 'HOURS_PER_DAY * days' },
      { from: "'missing' in hourly && hourly.partlyHeld", to: "'missing' in hourly && !hourly.partlyHeld" },
      { from: 'request.volatility_shock', to: '0' },
    ],
  },
  {
    file: 'src/operation/perpetual-prices.ts',
    tests: ['test/unit/operation/perpetual-prices.test.ts', 'test/operation/perpetual-margin.test.ts'],
    mutants: [
      { from: '/ (1 - side * rate)', to: '/ (1 + side * rate)' },
      { from: 'quantity * (1 + side * rate)', to: 'quantity * (1 - side * rate)' },
      {
        from: 'Math.abs(Math.log(position.startPrice / price))',
        to: 'Math.log(position.startPrice / price)',
      },
      { from: 'if (isWithin(position, rate)) return 0;', to: '' },
      { from: 'quantity * (startPrice - entryPrice)', to: 'quantity * (entryPrice - startPrice)' },
      { from: 'marginCallMultiple * requiredRate', to: 'requiredRate' },
      { from: 'price > 0 && price', to: 'price >= 0 && price' },
    ],
  },
  {
    file: 'src/operation/fitted-model.ts',
    tests: ['test/operation/fitted-model.test.ts'],
    mutants: [
      { from: 'Math.min(q, 1 - q)', to: '1 - q' },
      { from: 'LEAST_TAIL - 1e-9', to: 'LEAST_TAIL' },
      { from: 'shareBeyond(q) < shareBeyond(far)', to: 'shareBeyond(q) > shareBeyond(far)' },
    ],
  },
  {
    file: 'src/operation/perpetual-range.ts',
    tests: ['test/operation/perpetual-range.test.ts'],
    mutants: [
      { from: 'if (size < LEAST_AMOUNT)', to: 'if (size <= 0)' },
      { from: 'if (initialMargin < leastMargin)', to: 'if (initialMargin > leastMargin)' },
      { from: "product.contract === 'inverse' ? expectedLogFall(plan) : 0", to: '0' },
    ],
  },
  {
    file: 'src/operation/origination-ratios.ts',
    tests: ['test/operation/loan-origination.test.ts', 'test/unit/operation'],
    mutants: [
      { from: '(L + nominalRatio) / 2', to: 'L + nominalRatio' },
      {
        from: 'Math.max(opt_param.variable_min, L * ABOVE_LIQUIDATION, fixed)',
        to: 'Math.max(opt_param.variable_min, L * ABOVE_LIQUIDATION)',
      },
      { from: "R: typeof opt_param.R === 'number' ? opt_param.R : nominalRatio", to: 'R: nominalRatio' },
      { from: "typeof R === 'number' && dependsOnCures", to: 'dependsOnCures' },
      { from: "opt_param.score_variable === 'PrForcedSale' ? 2 : 1", to: '1' },
    ],
  },
  {
    file: 'src/operation/loan-origination.ts',
    tests: ['test/operation/loan-origination.test.ts', 'test/docs/examples.test.ts'],
    mutants: [
      { from: 'if (low < variable_max) return;', to: 'if (low <= variable_max) return;' },
      { from: 'closedOut > MOSTLY', to: 'closedOut < MOSTLY' },
      { from: '> error_tolerance;', to: '< error_tolerance;' },
    ],
  },
  {
    file: 'src/operation/origination-score.ts',
    tests: ['test/operation/loan-origination.test.ts', 'test/docs/examples.test.ts'],
    mutants: [
      { from: 'ns.map(n => terms.L / n)', to: 'ns.map(n => n / terms.L)' },
      { from: 'ns.map(n => 1 / n),', to: 'ns.map(n => n),' },
      { from: 'share + liquidated[k]', to: 'share' },
      { from: 'outcome.liquidations + outcome.closeouts', to: 'outcome.liquidations' },
      { from: 'ns.map(n => n * worstRatio)', to: 'ns.map(n => worstRatio)' },
    ],
  },
  {
    file: 'src/operation/horizon-scenarios.ts',
    tests: [
      'test/operation/value-at-risk.test.ts',
      'test/operation/historical.test.ts',
      'test/operation/accuracy.test.ts',
      'test/docs/examples.test.ts',
    ],
    mutants: [
      { from: 'lookback_factor: 1 + longestDays / params.model_lookback', to: 'lookback_factor: 1' },
      { from: 'dt: set.gridHours / 24', to: 'dt: set.gridHours' },
      { from: 'days / DAYS_PER_YEAR', to: 'days / 360' },
      { from: 'loanValue: params.loan_value', to: 'loanValue: params.collateral_value' },
      { from: 'Float64Array.from(values).sort()', to: 'Float64Array.from(values)' },
    ],
  },
  {
    file: 'src/operation/low-liquidity-loan-risk.ts',
    tests: ['test/operation/low-liquidity.test.ts', 'test/docs/examples.test.ts'],
    mutants: [
      {
        from: 'summary.Median * params.participation_ratio',
        to: 'summary.Mean * params.participation_ratio',
      },
      {
        from: 'dailyCapacityUsd / HOURS_PER_DAY / params.loan_value',
        to: 'dailyCapacityUsd / params.loan_value',
      },
      { from: "'25% Quantile': lower,", to: "'25% Quantile': upper," },
      { from: 'usd / USD_PER_MILLION', to: 'usd' },
      { from: 'mergeFilled(set.filled, volume.filled)', to: 'set.filled' },
    ],
  },
  {
    file: 'src/operation/loan-scenarios.ts',
    tests: [
      'test/operation/loan-risk.test.ts',
      'test/operation/value-at-risk.test.ts',
      'test/operation/historical.test.ts',
      'test/docs/examples.test.ts',
    ],
    mutants: [
      { from: 'graceSteps(params.mc_top_up, gridHours)', to: 'stepsOfDays(params.mc_top_up, gridHours)' },
      { from: '[...set.filled, ...index.filled]', to: 'set.filled' },
      { from: 'return term(set, set.windows, set.gridHours);', to: 'return term(set, set.windows, 1);' },
    ],
  },
  {
    file: 'src/operation/accuracy/loan.ts',
    tests: ['test/unit/operation/loan-accuracy.test.ts', 'test/operation/accuracy.test.ts'],
    mutants: [
      {
        from: 'const closedSteps = paths * steps - outcome.openSteps;',
        to: 'const closedSteps = outcome.openSteps;',
      },
      { from: 'outcome.liquidations + outcome.closeouts', to: 'outcome.liquidations' },
      { from: 'lossError && PERCENT * lossError', to: 'lossError' },
      { from: 'stepError && stepError / steps', to: 'stepError' },
    ],
  },
  {
    file: 'src/core/figures/perpetual.ts',
    tests: ['test/unit/core/figures', 'test/operation/perpetual-margin.test.ts'],
    mutants: [
      { from: '(equity - initialEquity) / initialMargin', to: '(equity - initialMargin) / initialMargin' },
      {
        from: 'PrLiquidation: outcome.liquidations / outcome.paths',
        to: 'PrLiquidation: outcome.liquidations / outcome.marginCalls',
      },
    ],
  },
];
