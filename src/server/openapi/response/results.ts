/** `Output` and `Results` of the answers. Figures of a simulation are those of core/figures. */
import { z } from 'zod';
import {
  ACCOUNT_AMOUNTS,
  ACCOUNT_DISTRIBUTIONS,
  ACCOUNT_MEANS,
  ACCOUNT_SHARES,
  LOSS_FIGURES,
  ROW_FIGURES,
} from '../../../core/figures/account.ts';
import { CAPPED_LOAN_FIGURES } from '../../../core/figures/capped-loan.ts';
import type { DescribedFigure, DescribedFigures } from '../../../core/figures/figure.ts';
import { LOAN_FIGURES } from '../../../core/figures/loan.ts';
import { FOUND_RATIOS, LOSS_SCORES } from '../../../core/figures/origination.ts';
import { POSITION_DISTRIBUTIONS, POSITION_SHARES, QUANTILES } from '../../../core/figures/perpetual.ts';
import { TAIL_FIGURES } from '../../../core/figures/value-at-risk.ts';
import { CAPACITY_FIGURES, VOLATILITY_FIGURES, VOLUME_FIGURES } from '../../../core/figures/window.ts';
import { meaning } from '../../../question/request/fields.ts';
import {
  count,
  figure,
  figureMembers,
  keyed,
  list,
  nonNegative,
  object,
  probability,
  real,
  text,
} from './figures.ts';

/** Members of a loan whose paths may have weights: the lowest ratio of paths under another law is no figure of the model. */
export function weightedMembers(rows: DescribedFigures) {
  const lowest = figure(LOAN_FIGURES.WorstCaseCCR);
  const meta = lowest.meta();
  const description = `${meta?.description} Null with sampling=tail.`;
  return { ...figureMembers(rows), WorstCaseCCR: lowest.nullable().meta({ ...meta, description }) };
}

export const loanOutput = z.strictObject({
  ...weightedMembers(LOAN_FIGURES),
  ...figureMembers(VOLATILITY_FIGURES),
});

const { PrTopUp: _, AvgTopUpPct: __, ...WITHOUT_TOP_UPS } = LOAN_FIGURES;

/** A number as JavaScript prints it. */
const numberKey = z.string().regex(/^[0-9][0-9.e+-]*$/);
/** An object whose keys are numbers, such as levels and days. @param each the value of a key */
export const byLevel = <S extends z.ZodType>(description: string, each: S) =>
  meaning(z.record(numberKey, each), description);

export const originationOutput = z.strictObject({
  ...figureMembers({ ...WITHOUT_TOP_UPS, ...VOLATILITY_FIGURES, ...FOUND_RATIOS }),
  ...mapped(LOSS_SCORES, row => figure(row).optional()),
  Candidates: byLevel(
    'Scores of every N that meets the target, where several do, by N; the answer is the largest, which lends least.',
    real('Score at that N.', 'unit of score_variable'),
  ).optional(),
});

export const valueAtRiskOutput = meaning(
  z
    .object(figureMembers(VOLATILITY_FIGURES))
    .catchall(
      byLevel(
        'One horizon: the key of each member is the quantile.',
        z.strictObject(figureMembers(TAIL_FIGURES)),
      ),
    ),
  'The key of a horizon is its number of days; of a quantile, its level.',
);

export const lowLiquidityOutput = z.strictObject({
  ...figureMembers({ ...CAPPED_LOAN_FIGURES, ...VOLATILITY_FIGURES }),
  'Volume Summary (per Million)': object(
    'Daily volume summed over the markets, within volume_lookback.',
    figureMembers(VOLUME_FIGURES),
  ),
  ...figureMembers(CAPACITY_FIGURES),
});

/** Quantiles of one figure over the scenarios. */
const quantilesOf = (row: DescribedFigure) =>
  object(
    row.words,
    Object.fromEntries(
      Object.entries(QUANTILES).map(([name, probability]) => [
        name,
        figure({ ...row, words: `Quantile ${100 * probability} %.` }),
      ]),
    ),
  );

export const perpetualResults = z.strictObject({
  ...figureMembers(POSITION_SHARES),
  ...mapped(POSITION_DISTRIBUTIONS, quantilesOf),
});

const liquidationPrice = meaning(
  z.number().gt(0).nullable(),
  'Price of the asset in all its roles; null where there is none.',
  'USD',
);
const uniformShock = meaning(
  z.number().gt(-1).nullable(),
  'Change of all prices at once; null where there is none.',
  'fraction',
);
const sharesByDay = list('By the end of each day.', probability('Share of the scenarios.'));
const usdOf = (words: string) => real(words, 'USD');

export const accountResults = z.strictObject({
  Now: object('The account at the start, before a shock.', {
    Equity: usdOf('G: value of collateral and unrealised profit.'),
    MarginEquity: usdOf('E: equity with haircuts.'),
    MaintenanceMargin: nonNegative('M: requirement of all positions.', 'USD'),
    MarginRatio: nonNegative('M / E.', 'none'),
    EffectiveLeverage: nonNegative('Sum of the notionals over equity.', 'none'),
    LiquidationPrices: keyed(
      'By asset: where the account becomes liquidatable if this asset alone moves.',
      z.strictObject({ Below: liquidationPrice, Above: liquidationPrice }),
    ),
    UniformShock: object('The same if all assets but USD, USDC, USDT and DAI move at once.', {
      Down: uniformShock,
      Up: uniformShock,
    }),
  }),
  ...figureMembers(ACCOUNT_SHARES),
  ByDay: object('Shares of the scenarios by the end of each day.', {
    MarginCall: sharesByDay,
    ForcedClose: sharesByDay,
    Liquidation: sharesByDay,
  }),
  ...mapped(ACCOUNT_DISTRIBUTIONS, quantilesOf),
  Loss: byLevel(
    'Loss of equity: the key of each member is the quantile.',
    z.strictObject({
      ...figureMembers(LOSS_FIGURES),
      Contributions: object('Parts of CVar, which add up to it; a hedge has a negative one.', {
        Positions: keyed(
          'By id: profit, funding, costs and fees, valued at the end.',
          usdOf('Part of CVar.'),
        ),
        Collateral: keyed('By asset: units times change of the price.', usdOf('Part of CVar.')),
        Fund: usdOf('Taken by the fund and conversion, less what the fund pays.'),
      }),
    }),
  ),
  ...mapped(ACCOUNT_AMOUNTS, row =>
    object(row.words, {
      Mean: figure({ ...row, words: 'Mean over the scenarios.' }),
      CVar: byLevel('Means over the largest 1 - q.', figure({ ...row, words: 'The mean at one quantile.' })),
    }),
  ),
  ...mapped(ACCOUNT_MEANS, row =>
    object(row.words, { Mean: figure({ ...row, words: 'Mean over the scenarios.' }) }),
  ),
  Positions: list(
    'The positions as sent.',
    z.strictObject({
      id: text('Name of the position.'),
      market: text('Symbol of its market.'),
      ...figureMembers(ROW_FIGURES),
    }),
  ),
});

export const byQuantile = (row: DescribedFigure) =>
  byLevel(row.words, figure({ ...row, words: 'The figure at one quantile.' }));

/** The result of `of` for each row, by the same names. */
export function mapped<R, S, N extends string>(
  rows: Readonly<Record<N, R>>,
  of: (row: R, name: N) => S,
): Record<string, S> {
  return Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, of(row as R, name as N)]));
}

const likelihoodRatio = (description: string) =>
  object(description, {
    Statistic: nonNegative('Likelihood ratio; chi-square if the model is right.', 'none'),
    DegreesOfFreedom: count('Degrees of freedom of that law.', 'none'),
    PValue: probability('Chance of a statistic at least this large if the model is right.'),
  });

const exceedanceMembers = {
  Exceedances: count('Days on which the value fell below its value at risk.', 'days'),
  Expected: nonNegative('Exceedances expected at the level.', 'days'),
};

const strictEsr = object(
  'Strict regression test: does the mean return beyond the level equal every forecast? null if fewer than ten exceedances are expected, the forecasts hardly vary or the score has no minimum.',
  {
    Intercept: real('Constant of the line of shortfalls; 0 if the forecasts are right.', 'return'),
    Slope: real('Slope of the line by the forecast; 1 if the forecasts are right.', 'none'),
    Statistic: nonNegative("Wald's statistic; chi-square if the forecasts are right.", 'none'),
    DegreesOfFreedom: count('Degrees of freedom of that law.', 'none'),
    PValue: probability('Chance of a statistic at least this large if the forecasts are right.'),
  },
);

const interceptEsr = object(
  'Regression test with a constant beside the forecast; null if fewer than ten exceedances are expected.',
  {
    Intercept: real(
      'Constant by which the shortfall differs from its forecast; negative: risk is understated.',
      'return',
    ),
    T: real('The constant over its standard error.', 'none'),
    PValue: probability('Chance of a constant at least this far from 0 if the forecasts are right.'),
    OneSidedPValue: probability('Chance of a constant as low or lower if the forecasts are right.'),
  },
);

const shortfallTests = object(
  'Tests of CVar on the days of Tests, by returns y, their level v and shortfall e; null where a level is no loss.',
  {
    Z2: object('Were returns beyond the level as many and as bad as forecast? (Acerbi and Szekely)', {
      Statistic: real(
        'One less the sum of y/e over days with y <= v, divided by what is expected: negative where risk is understated.',
        'none',
      ),
      PValue: probability(
        'Share of 10,000 histories simulated by the forecasts whose statistic is as low or lower.',
      ),
    }),
    FZ0: object('The score FZ0 (Patton, Ziegel and Chen).', {
      Score: real('Mean score of value at risk and shortfall together: the lower, the better.', 'none'),
      AgainstGbm: meaning(
        z
          .strictObject({
            Difference: real('Score minus the score of GBM on the same days: negative is better.', 'none'),
            T: meaning(
              real('The difference over its standard error by Newey and West.', 'none').nullable(),
              'null where the differences do not vary.',
            ),
          })
          .nullable(),
        'Against GBM with the same window; null for GBM itself, and where one of its forecasts is no loss.',
      ),
    }),
    EsrStrict: strictEsr.nullable(),
    EsrIntercept: interceptEsr.nullable(),
  },
);

const judgedLevel = object('One level: the key is the quantile.', {
  ...exceedanceMembers,
  ExceedanceRate: probability('Exceedances over forecasts.'),
  QuantileScore: nonNegative(
    'Mean of (x - v)(1 - q - 1{x < v}), x the value and v its value at risk: the lower, the better.',
    'value of the basket',
  ),
  Tests: object('Tests of the hypothesis that the model is right.', {
    Forecasts: count('Tested forecasts: every horizon-th day, so that none overlap.', 'days'),
    ...exceedanceMembers,
    Transitions: meaning(
      z.array(count('Number of pairs.', 'days')).length(4),
      'Pairs of tested days that follow each other: none then none, none then one, one then none, one then one exceeds.',
    ),
    Kupiec: likelihoodRatio('Are there as many exceedances as expected?'),
    Independence: likelihoodRatio('Does one exceedance change the chance of the next? (Christoffersen)'),
    ConditionalCoverage: likelihoodRatio('Both together.'),
  }),
  Shortfall: meaning(
    shortfallTests.nullable(),
    'Tests of CVar; null where a forecast of the level is no loss.',
  ),
});

export const backtestOutput = z.strictObject({
  Forecasts: count('Days with a tested forecast.', 'days'),
  Carried: count(
    'Days left out of all figures below, because the close of the forecast or the tested close was carried over a gap.',
    'days',
  ),
  Levels: byLevel('Figures of each level.', judgedLevel),
  Daily: object('Every forecast and its outcome: lists of one length.', {
    Date: list('Days of the forecasts, YYYY-MM-DD.', z.string().regex(/^\d{4}-\d{2}-\d{2}$/)),
    Realised: list(
      'Final value of one unit of the basket, by day; with short_weights, minus one unit of the short basket.',
      real('Value at the horizon.', 'value of weights at the forecast'),
    ),
    Var: byLevel(
      'Value at risk of one unit of the basket by level, by day.',
      z.array(real('Value at risk of one unit.', 'value of weights at the forecast')),
    ),
    CVar: byLevel(
      'Expected shortfall of one unit of the basket by level, by day.',
      z.array(real('Mean of the lowest 1 - q of the values.', 'value of weights at the forecast')),
    ),
  }),
});
