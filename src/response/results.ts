/**
 * `Output` and `Results` of the answers, as the interface names their members.
 */
import { z } from 'zod';
import {
  count,
  nonNegative,
  nonPositive,
  positive,
  probability,
  real,
  volatilityMembers,
} from './figures.ts';

const states = (underwater: string) => ({
  PrMarginCall: probability('Share of the scenarios with at least one margin call.'),
  PrLiquidation: probability('Share of the scenarios in which the ratio falls below L before a closeout.'),
  PrCloseout: probability('Share of the scenarios in which a margin call is not cured by its deadline.'),
  PrUnderwater: probability(underwater),
  WorstCaseCCR: nonNegative(
    'Lowest collateral coverage ratio over all scenarios and steps.',
    'collateral value / loan value',
  ),
});

const loan = {
  ...states(
    'Share of the scenarios in which the collateral is worth less than the loan at some step, with nothing sold.',
  ),
  AvgLossPct: nonNegative(
    'Mean loss of the lender at the end of the term, with nothing sold.',
    'percent of the loan',
  ),
  AvgSurvivalRate: probability('Mean share of the term before a liquidation or a closeout.'),
  ...volatilityMembers,
};

const topUps = {
  PrTopUp: probability(
    'Share of the scenarios in which the borrower answers a margin call; with top_up only.',
  ).optional(),
  AvgTopUpPct: nonNegative(
    'Mean over the scenarios of the collateral that answers add, each at its value at the time; with top_up only.',
    'percent of the loan',
  ).optional(),
};

/** The lowest of paths that are drawn by another law is no figure of the model. */
const worstCase = loan.WorstCaseCCR.nullable().meta({
  ...loan.WorstCaseCCR.meta(),
  description: `${loan.WorstCaseCCR.meta()?.description} Null with sampling=tail.`,
});

export const loanOutput = z.strictObject({ ...loan, WorstCaseCCR: worstCase, ...topUps });

export const originationOutput = z.strictObject({
  ...loan,
  N: positive('Nominal ratio found.', 'collateral value / loan value'),
  M: positive('Margin call ratio that goes with it.', 'collateral value / loan value'),
});

const tail = (of: string) => ({
  value: real(`Quantile of the ${of}: it is lower in a share 1 - q of the scenarios.`, 'USD'),
  mean: real(`Mean of the ${of} over the scenarios at or below that quantile.`, 'USD'),
});
const collateral = tail('value of the collateral');
const debt = tail('value of the loan');
const net = tail('net exposure, collateral less loan; negative is a loss');

const tails = z.strictObject({
  CollateralVar: collateral.value,
  CollateralCVar: collateral.mean,
  LoanVar: debt.value,
  LoanCVar: debt.mean,
  NetExposureVar: net.value,
  NetExposureCVar: net.mean,
});

/** A number as JavaScript prints it. */
const numberKey = z.string().regex(/^[0-9][0-9.e+-]*$/);

export const valueAtRiskOutput = z
  .object(volatilityMembers)
  .catchall(
    z.record(numberKey, tails).meta({ description: 'One horizon: the key of each member is the quantile.' }),
  )
  .meta({ description: 'The key of a horizon is its number of days; of a quantile, its level.' });

export const lowLiquidityOutput = z.strictObject({
  ...states(
    'Share of the scenarios in which what is left of the collateral is worth less than what is left of the debt at some step, sales included.',
  ),
  AvgMarginCall: nonNegative('Mean amount of a margin call, over all calls; 0 without any.', 'USD'),
  AvgLiquidation: nonNegative('Mean amount sold, over the scenarios that sell; 0 without any.', 'USD'),
  ...topUps,
  ...volatilityMembers,
  'Volume Summary (per Million)': z
    .strictObject({
      Mean: nonNegative('Mean of the daily volumes.', 'million USD'),
      Minimum: nonNegative('Lowest daily volume.', 'million USD'),
      '25% Quantile': nonNegative('First quartile of the daily volumes.', 'million USD'),
      Median: nonNegative('Median of the daily volumes.', 'million USD'),
      '75% Quantile': nonNegative('Third quartile of the daily volumes.', 'million USD'),
      Maximum: nonNegative('Highest daily volume.', 'million USD'),
    })
    .meta({ description: 'Daily volume summed over the markets, within volume_lookback.' }),
  'Maximum Market Daily Liquidation': nonNegative(
    'Most that can be sold in a day: median daily volume x participation_ratio.',
    'USD',
  ),
});

type Figure = (description: string, unit: string) => z.ZodNumber;

/** Nine quantiles of one figure over the scenarios. */
const quantilesOf = (figure: Figure, description: string, unit: string) =>
  z
    .strictObject(
      Object.fromEntries(
        [1, 5, 10, 25, 50, 75, 90, 95, 99].map(percent => [
          `q${String(percent).padStart(2, '0')}`,
          figure(`Quantile ${percent} %.`, unit),
        ]),
      ),
    )
    .meta({ description });

export const perpetualResults = z.strictObject({
  PrMarginCall: probability(
    'Share of the scenarios in which equity falls to 1.25 times the maintenance margin.',
  ),
  PrLiquidation: probability('Share of the scenarios in which equity falls to the maintenance margin.'),
  Roi: quantilesOf(real, 'Change of equity over the trade, relative to initial_margin.', 'fraction'),
  AccFunding: quantilesOf(real, 'Funding received, less funding paid.', 'margin currency'),
  MaxEquityDrawDown: quantilesOf(
    nonPositive,
    'Largest fall of equity below its earlier maximum within a scenario.',
    'margin currency',
  ),
  Leverage: quantilesOf(nonNegative, 'Median of notional over equity within a scenario.', 'none'),
  FinalEquity: quantilesOf(nonNegative, 'Equity at the end, 0 after a liquidation.', 'margin currency'),
});

const byQuantile = (description: string, unit: string) =>
  z.record(numberKey, nonNegative('The figure at one quantile.', unit)).meta({ description });

const bookLoss = (of: string) => ({
  ExpectedLoss: nonNegative(`Mean ${of}.`, 'USD'),
  PrLoss: probability(`Share of the scenarios with any ${of}.`),
  LossVar: byQuantile(`Quantiles of the ${of}.`, 'USD'),
  LossCVar: byQuantile(`Mean ${of} over the worst 1 - q of the scenarios.`, 'USD'),
});
const bookCount = (of: string) => ({
  Mean: nonNegative(`Mean number of loans that are ${of}.`, 'loans'),
  Quantiles: byQuantile('Quantiles of that number.', 'loans'),
});
const bookAmountMeans = (of: string) => ({
  Mean: nonNegative(`Mean ${of}.`, 'USD'),
  Quantiles: byQuantile(`Quantiles of the ${of}.`, 'USD'),
});
const bookAmount = (of: string) => ({
  ...bookAmountMeans(of),
  CVar: byQuantile(`Mean ${of} over the largest 1 - q of the scenarios.`, 'USD'),
});

export const bookLoan = z.strictObject({
  PrMarginCall: loan.PrMarginCall,
  PrLiquidation: loan.PrLiquidation,
  PrCloseout: loan.PrCloseout,
  PrUnderwater: loan.PrUnderwater,
  WorstCaseCCR: worstCase,
  AvgLossPct: loan.AvgLossPct,
  AvgSurvivalRate: loan.AvgSurvivalRate,
  ExpectedLoss: nonNegative('Mean loss with delayed and costly sales.', 'USD'),
  CVarContribution: byQuantile('Part of the loan in LossCVar of the book.', 'USD'),
  Status: z
    .enum(['called', 'liquidated'])
    .optional()
    .meta({ description: 'What the loan is at the start; absent where it is open.' }),
  PrSale: probability('Share of the scenarios in which some of it is sold; with partial_sale.').optional(),
  AvgSales: nonNegative('Mean number of sales; with partial_sale.', 'none').optional(),
  AvgSoldPct: nonNegative(
    'Mean of what is sold, at the prices of each sale; with partial_sale.',
    'per cent of loan_value',
  ).optional(),
  PrTopUp: probability('Share of the scenarios in which a call is answered; with top_up.').optional(),
  AvgTopUpPct: nonNegative(
    'Mean of what answers add, at the prices of each; with top_up.',
    'per cent of loan_value',
  ).optional(),
});

const bookBorrower = z.strictObject({
  LoanValue: positive('Sum of the loan values.', 'USD'),
  ExpectedLoss: nonNegative('Mean loss with delayed and costly sales.', 'USD'),
  CVarContribution: byQuantile('Part of the loans in LossCVar of the book.', 'USD'),
});

const bookAsset = z.strictObject({
  CollateralShare: probability('Share of the collateral of the book at the start.'),
  PeakDayCVar: byQuantile('Part of the asset in CVar of PeakDay.', 'USD'),
  LossCVar: byQuantile('Part of the asset in LossCVar, by its weight in the collateral.', 'USD'),
});

/** Figures of the loans of a book together. */
export const bookMember = z.strictObject({
  LoanValue: positive('Sum of the loan values.', 'USD'),
  ...bookLoss('loss'),
  Unsold: z.strictObject(bookLoss('loss with nothing sold')).meta({ description: 'The book without sales.' }),
  MarginCalls: z.strictObject(bookCount('called')).meta({ description: 'Loans that are called.' }),
  ForcedSales: z
    .strictObject(bookCount('liquidated or closed out'))
    .meta({ description: 'Loans whose collateral is sold.' }),
  ForcedSaleUsd: z
    .strictObject(bookAmount('amount of collateral sold'))
    .meta({ description: 'Sales over the whole term.' }),
  PeakDay: z
    .strictObject(bookAmount('amount sold within 24 hours'))
    .meta({ description: 'The 24 hours with the largest sales.' }),
  TopUpUsd: z
    .strictObject(bookAmountMeans('amount that answers to calls add'))
    .optional()
    .meta({ description: 'Collateral that borrowers add; where a loan has top_up.' }),
  Assets: z.record(z.string(), bookAsset).meta({ description: 'Collateral assets by symbol.' }),
});

/** Figures of borrowers, by name. */
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
      'Strict test by regression: are returns beyond the level on average the forecast, whatever it is? null where fewer than ten exceedances are expected or the forecasts hardly vary.',
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
          .meta({ description: 'Against GBM with the same window; null for GBM itself.' }),
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
