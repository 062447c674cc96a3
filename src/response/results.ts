/** `Output` and `Results` of the answers. Figures of a simulation are those of core/figures. */
import { z } from 'zod';
import {
  ASSET_FIGURES,
  ASSET_PARTS,
  BOOK_TOTALS,
  BORROWER_FIGURES,
  BORROWER_PARTS,
  COLUMNS,
  type ColumnFigure,
} from '../core/figures/book.ts';
import { BOOK_LENDING_FIGURES, BOOK_LOAN_FIGURES, LOAN_PARTS } from '../core/figures/book-loan.ts';
import { CAPPED_LOAN_FIGURES } from '../core/figures/capped-loan.ts';
import type { DescribedFigure, DescribedFigures } from '../core/figures/figure.ts';
import { LOAN_FIGURES } from '../core/figures/loan.ts';
import { FOUND_RATIOS } from '../core/figures/origination.ts';
import { POSITION_DISTRIBUTIONS, POSITION_SHARES, QUANTILES } from '../core/figures/perpetual.ts';
import { TAIL_FIGURES } from '../core/figures/value-at-risk.ts';
import { CAPACITY_FIGURES, VOLATILITY_FIGURES, VOLUME_FIGURES } from '../core/figures/window.ts';
import { count, figure, figureMembers, nonNegative, probability, real } from './figures.ts';

/** Members of a loan whose paths may have weights: the lowest ratio of paths under another law is no figure of the model. */
function weightedMembers(rows: DescribedFigures) {
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

export const originationOutput = z.strictObject(
  figureMembers({ ...WITHOUT_TOP_UPS, ...VOLATILITY_FIGURES, ...FOUND_RATIOS }),
);

/** A number as JavaScript prints it. */
const numberKey = z.string().regex(/^[0-9][0-9.e+-]*$/);

export const valueAtRiskOutput = z
  .object(figureMembers(VOLATILITY_FIGURES))
  .catchall(
    z
      .record(numberKey, z.strictObject(figureMembers(TAIL_FIGURES)))
      .meta({ description: 'One horizon: the key of each member is the quantile.' }),
  )
  .meta({ description: 'The key of a horizon is its number of days; of a quantile, its level.' });

export const lowLiquidityOutput = z.strictObject({
  ...figureMembers({ ...CAPPED_LOAN_FIGURES, ...VOLATILITY_FIGURES }),
  'Volume Summary (per Million)': z
    .strictObject(figureMembers(VOLUME_FIGURES))
    .meta({ description: 'Daily volume summed over the markets, within volume_lookback.' }),
  ...figureMembers(CAPACITY_FIGURES),
});

/** Quantiles of one figure over the scenarios. */
const quantilesOf = (row: DescribedFigure) =>
  z
    .strictObject(
      Object.fromEntries(
        Object.entries(QUANTILES).map(([name, probability]) => [
          name,
          figure({ ...row, words: `Quantile ${100 * probability} %.` }),
        ]),
      ),
    )
    .meta({ description: row.words });

export const perpetualResults = z.strictObject({
  ...figureMembers(POSITION_SHARES),
  ...mapped(POSITION_DISTRIBUTIONS, quantilesOf),
});

const byQuantile = (row: DescribedFigure) =>
  z
    .record(numberKey, figure({ ...row, words: 'The figure at one quantile.' }))
    .meta({ description: row.words });

/** The result of `of` for each row, by the same names. */
function mapped<R, S>(rows: Readonly<Record<string, R>>, of: (row: R) => S): Record<string, S> {
  return Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, of(row)]));
}

export const bookLoan = z.strictObject({
  ...weightedMembers(BOOK_LOAN_FIGURES),
  ...mapped(LOAN_PARTS, byQuantile),
  Status: z
    .enum(['called', 'liquidated'])
    .optional()
    .meta({ description: 'What the loan is at the start; absent where it is open.' }),
  ...figureMembers(BOOK_LENDING_FIGURES),
});

const bookBorrower = z.strictObject({
  ...figureMembers(BORROWER_FIGURES),
  ...mapped(BORROWER_PARTS, byQuantile),
});

const bookAsset = z.strictObject({ ...figureMembers(ASSET_FIGURES), ...mapped(ASSET_PARTS, byQuantile) });

const columnFigure = (row: ColumnFigure) =>
  row.is === 'mean' || row.is === 'share' ? figure(row) : byQuantile(row);

/** Figures of each column of the paths, at their place in `Book`. */
const columnMembers = COLUMNS.map(([, { within, optional, figures }]) => {
  const members = mapped(figures, columnFigure);
  if (within === undefined) return members;
  const member = z.strictObject(members);
  return { [within.name]: (optional ? member.optional() : member).meta({ description: within.words }) };
});

export const bookMember = z.strictObject({
  ...figureMembers(BOOK_TOTALS),
  ...Object.assign({}, ...columnMembers),
  Assets: z.record(z.string(), bookAsset).meta({ description: 'Collateral assets by symbol.' }),
});

export const borrowersMember = z
  .record(z.string(), bookBorrower)
  .optional()
  .meta({ description: 'Figures of the loans of each borrower, by its name; where a loan has one.' });

export const bookOutput = z.strictObject({
  Loans: z.record(z.string(), bookLoan).meta({ description: 'Figures of each loan, by its id.' }),
  Book: bookMember.meta({ description: 'Figures of all loans together.' }),
  Borrowers: borrowersMember,
});

const likelihoodRatio = (description: string) =>
  z
    .strictObject({
      Statistic: nonNegative('Likelihood ratio; chi-square if the model is right.', 'none'),
      DegreesOfFreedom: count('Degrees of freedom of that law.', 'none'),
      PValue: probability('Chance of a statistic at least this large if the model is right.'),
    })
    .meta({ description });

const exceedanceMembers = {
  Exceedances: count('Days on which the value fell below its value at risk.', 'days'),
  Expected: nonNegative('Exceedances that the level promises.', 'days'),
};

const strictEsr = z
  .strictObject({
    Intercept: real('Constant of the line of shortfalls; 0 if the forecasts are right.', 'return'),
    Slope: real('Slope of the line by the forecast; 1 if the forecasts are right.', 'none'),
    Statistic: nonNegative("Wald's statistic; chi-square if the forecasts are right.", 'none'),
    DegreesOfFreedom: count('Degrees of freedom of that law.', 'none'),
    PValue: probability('Chance of a statistic at least this large if the forecasts are right.'),
  })
  .meta({
    description:
      'Strict test by regression: are returns beyond the level on average the forecast, whatever it is? null where fewer than ten exceedances are expected, the forecasts hardly vary or the score has no minimum.',
  });

const interceptEsr = z
  .strictObject({
    Intercept: real(
      'Constant by which the shortfall differs from its forecast; negative: risk is understated.',
      'return',
    ),
    T: real('The constant over its standard error.', 'none'),
    PValue: probability('Chance of a constant at least this far from 0 if the forecasts are right.'),
    OneSidedPValue: probability('Chance of a constant as low or lower if the forecasts are right.'),
  })
  .meta({
    description:
      'Test by regression on a constant beside the forecast; null where fewer than ten exceedances are expected.',
  });

const shortfallTests = z
  .strictObject({
    Z2: z
      .strictObject({
        Statistic: real(
          'One less the sum of y/e over days with y <= v, divided by what is expected: negative where risk is understated.',
          'none',
        ),
        PValue: probability(
          'Share of 10,000 histories simulated by the forecasts whose statistic is as low or lower.',
        ),
      })
      .meta({
        description: 'Were returns beyond the level as many and as bad as forecast? (Acerbi and Szekely)',
      }),
    FZ0: z
      .strictObject({
        Score: real('Mean score of value at risk and shortfall together: the lower, the better.', 'none'),
        AgainstGbm: z
          .strictObject({
            Difference: real('The score less that of GBM on the same days: negative is better.', 'none'),
            T: real('The difference over its standard error by Newey and West.', 'none')
              .nullable()
              .meta({ description: 'null where the differences do not vary.' }),
          })
          .nullable()
          .meta({
            description:
              'Against GBM with the same window; null for GBM itself, and where one of its forecasts is no loss.',
          }),
      })
      .meta({ description: 'The score FZ0 (Patton, Ziegel and Chen).' }),
    EsrStrict: strictEsr.nullable(),
    EsrIntercept: interceptEsr.nullable(),
  })
  .meta({
    description:
      'Tests of CVar on the days of Tests, by returns y, their level v and shortfall e; null where a level is no loss.',
  });

const judgedLevel = z
  .strictObject({
    ...exceedanceMembers,
    ExceedanceRate: probability('Exceedances over forecasts.'),
    QuantileScore: nonNegative(
      'Mean of (x - v)(1 - q - 1{x < v}), x the value and v its value at risk: the lower, the better.',
      'value of the basket',
    ),
    Tests: z
      .strictObject({
        Forecasts: count('Forecasts that are tested: every horizon-th day, so that none overlap.', 'days'),
        ...exceedanceMembers,
        Transitions: z.array(count('Number of pairs.', 'days')).length(4).meta({
          description:
            'Pairs of tested days that follow each other: none then none, none then one, one then none, one then one exceeds.',
        }),
        Kupiec: likelihoodRatio('Are there as many exceedances as promised?'),
        Independence: likelihoodRatio('Does one exceedance change the chance of the next? (Christoffersen)'),
        ConditionalCoverage: likelihoodRatio('Both together.'),
      })
      .meta({ description: 'Tests of the hypothesis that the model is right.' }),
    Shortfall: shortfallTests
      .nullable()
      .meta({ description: 'Tests of CVar; null where a forecast of the level is no loss.' }),
  })
  .meta({ description: 'One level: the key is the quantile.' });

export const backtestOutput = z.strictObject({
  Forecasts: count('Days whose forecast is judged.', 'days'),
  Carried: count(
    'Days that are left out of everything below, because the close of the forecast or the one that judges it was carried over a hole.',
    'days',
  ),
  Levels: z.record(numberKey, judgedLevel).meta({ description: 'Figures of each level.' }),
  Daily: z
    .strictObject({
      Date: z
        .array(z.string().regex(/^\d{4}-\d{2}-\d{2}$/))
        .meta({ description: 'Days of the forecasts, YYYY-MM-DD.' }),
      Realised: z.array(real('Value at the horizon.', 'value of weights at the forecast')).meta({
        description: 'What became of one unit of the basket, by day; with short_weights, less one of these.',
      }),
      Var: z
        .record(numberKey, z.array(real('Value at risk of one unit.', 'value of weights at the forecast')))
        .meta({ description: 'Value at risk of one unit of the basket by level, by day.' }),
      CVar: z
        .record(
          numberKey,
          z.array(
            real('Mean of the values at or below the value at risk.', 'value of weights at the forecast'),
          ),
        )
        .meta({ description: 'Expected shortfall of one unit of the basket by level, by day.' }),
    })
    .meta({ description: 'Every forecast, and what followed: lists of one length.' }),
});
