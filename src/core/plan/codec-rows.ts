/**
 * How the terms of each product and the parameters of each model look as JSON, and how long their lists are.
 *
 * Must not know: what the values of one plan have to do with each other.
 */
import { CUMULANT_COEFFICIENTS, CUMULANT_ROWS } from '../random/cumulant-table.ts';
import { MULTIPLIER_COEFFICIENTS, MULTIPLIER_ROWS } from '../random/multiplier-table.ts';
import type { BookLending } from './book-lending.ts';
import {
  doubles,
  type FieldsOf,
  flag,
  list,
  number,
  object,
  oneOf,
  optional,
  whole,
  words,
} from './json-fields.ts';
import type { AnswerTerms, LoanStart } from './loan-terms.ts';
import type { ModelKind, ModelTypes } from './models.ts';
import { MAX_ASSETS, type Portfolio } from './portfolio.ts';
import type { ProductKind, ProductOf } from './products.ts';

/** Ten years of hours. */
export const MAX_STEPS = 87_600;

const assets = whole(1, MAX_ASSETS);
const steps = whole(1, MAX_STEPS);
const positive = number({ above: 0 });
const notNegative = number({ least: 0 });

const portfolio = object<Portfolio>({
  collateralWeights: doubles({ least: 0 }),
  loanWeights: doubles({ least: 0 }),
});

const loanTerms = {
  nominalRatio: positive,
  marginCallRatio: positive,
  liquidationRatio: positive,
  recoveryRatio: positive,
  // A deadline beyond the term is none.
  topUpSteps: whole(0, MAX_STEPS),
  debtGrowth: optional(positive),
  start: optional(
    object<LoanStart>({
      status: oneOf('open', 'called', 'liquidated'),
      deadlineStep: whole(1, MAX_STEPS),
    }),
  ),
  answers: optional(
    object<AnswerTerms>({
      share: number({ least: 0, most: 1 }),
      delaySteps: whole(1, MAX_STEPS),
      startStep: whole(0, MAX_STEPS),
      toRatio: positive,
      nameHigh: whole(0, 2 ** 32 - 1),
      nameLow: whole(0, 2 ** 32 - 1),
    }),
  ),
};

/** Daily variances of the assets, and the factor of their correlation. */
const varianceFields = {
  omega: doubles({ least: 0 }),
  alpha: doubles({ least: 0 }),
  beta: doubles({ least: 0 }),
  firstVariance: doubles({ least: 0 }),
  factor: doubles(),
  volatilityScale: positive,
};
const varianceLengths = (assets: number) => ({
  omega: assets,
  alpha: assets,
  beta: assets,
  firstVariance: assets,
  factor: assets * assets,
});

/** Lists of one entry per loan. */
const bookLendingFields: FieldsOf<BookLending> = {
  debtGrowth: doubles({ above: 0 }),
  saleCost: doubles({ least: 0, most: 1 }),
  start: words,
  startDeadline: words,
  startAnswer: words,
  answerShare: doubles({ least: 0, most: 1 }),
  answerDelay: words,
  answerRatio: doubles({ least: 0 }),
  nameHigh: words,
  nameLow: words,
  oneDraw: words,
  saleRatio: doubles({ least: 0 }),
  saleShare: doubles({ above: 0, most: 1 }),
};
const bookLending = object<BookLending>(bookLendingFields);

/** Lengths that lists must have, by member. */
type Lengths<T> = Partial<Record<keyof T, number>>;

/** How the terms of a product, or the parameters of a model, look as JSON, and how long their lists are. */
export interface Row<T> {
  readonly fields: FieldsOf<Omit<T, 'kind'>>;
  lengths(value: T, plan: { readonly assets: number; readonly paths: number }): Lengths<T>;
}

export const PRODUCT_ROWS: { readonly [K in ProductKind]: Row<ProductOf<K>> } = {
  loan: { fields: { ...loanTerms, portfolio, steps }, lengths: () => ({}) },
  origination: {
    fields: {
      portfolio,
      steps,
      topUpSteps: whole(0, MAX_STEPS),
      debtGrowth: optional(positive),
      score: oneOf('path-minimum', 'liquidation', 'closeout'),
      liquidationThreshold: doubles({ above: 0 }),
      marginCallThreshold: doubles({ above: 0 }),
    },
    lengths: ({ score, liquidationThreshold }) => ({
      marginCallThreshold: score === 'path-minimum' ? 0 : liquidationThreshold.length,
    }),
  },
  'capped-loan': {
    fields: { ...loanTerms, portfolio, steps, capacityPerStep: notNegative },
    lengths: () => ({}),
  },
  'value-at-risk': {
    fields: {
      portfolio,
      collateralValue: positive,
      loanValue: positive,
      horizonYears: doubles({ above: 0 }),
      horizonSteps: words,
      quantiles: doubles({ above: 0, most: 1 }),
      intervalLevel: optional(number({ above: 0, most: 1 - Number.EPSILON })),
    },
    lengths: () => ({}),
  },
  perpetual: {
    fields: {
      contract: oneOf('linear', 'inverse'),
      quantity: number(),
      entryPrice: positive,
      startPrice: positive,
      initialMargin: positive,
      unrealizedPnl: number(),
      equityBefore: optional(positive),
      fundingRatePerInterval: number({ above: -1, most: 1 }),
      settlements: words,
      debitsOnly: flag,
      maintenanceMarginRate: positive,
      takerFeeRate: number({ least: 0 }),
      marginCallMultiple: positive,
      steps,
    },
    lengths: ({ steps }) => ({ settlements: steps }),
  },
  book: {
    fields: {
      steps,
      saleDelaySteps: whole(0, MAX_STEPS),
      saleCost: number({ least: 0, most: 1 }),
      daySteps: steps,
      quantiles: doubles({ above: 0, most: 1 }),
      collateralWeights: doubles({ least: 0 }),
      loanWeights: doubles({ least: 0 }),
      basket: words,
      termSteps: words,
      topUpSteps: words,
      loanValue: doubles({ above: 0 }),
      nominalRatio: doubles({ above: 0 }),
      marginCallRatio: doubles({ above: 0 }),
      liquidationRatio: doubles({ above: 0 }),
      recoveryRatio: doubles({ above: 0 }),
      lending: optional(bookLending),
    },
    lengths({ loanValue, collateralWeights }, { assets }) {
      const baskets = Math.max(1, Math.floor(collateralWeights.length / assets));
      const loans = Math.max(1, loanValue.length);
      return {
        collateralWeights: baskets * assets,
        loanWeights: baskets * assets,
        basket: loans,
        termSteps: loans,
        topUpSteps: loans,
        loanValue: loans,
        nominalRatio: loans,
        marginCallRatio: loans,
        liquidationRatio: loans,
        recoveryRatio: loans,
      };
    },
  },
};

export const MODEL_ROWS: { readonly [M in ModelKind]: Row<ModelTypes[M]> } = {
  gbm: {
    fields: { assets, annualVolatility: doubles({ least: 0 }), factor: doubles() },
    lengths: ({ assets }) => ({ annualVolatility: assets, factor: assets * assets }),
  },
  'gbm-sobol': {
    fields: { assets, annualVolatility: doubles({ least: 0 }), components: doubles() },
    lengths: ({ assets }) => ({ annualVolatility: assets, components: assets * assets }),
  },
  'gbm-shifted': {
    fields: {
      assets,
      annualVolatility: doubles({ least: 0 }),
      factor: doubles(),
      exposures: doubles(),
      steps,
      distance: number(),
    },
    lengths: ({ assets }) => ({ annualVolatility: assets, factor: assets * assets, exposures: assets }),
  },
  garch: {
    fields: {
      assets,
      ...varianceFields,
    },
    lengths: ({ assets }) => varianceLengths(assets),
  },
  historical: {
    fields: {
      assets,
      prices: list(doubles({ above: 0 }), MAX_ASSETS),
      lead: whole(1, MAX_STEPS),
    },
    lengths: ({ assets }) => ({ prices: assets }),
  },
  'student-t': {
    fields: {
      assets,
      annualVolatility: doubles({ least: 0 }),
      factor: doubles(),
      degreesOfFreedom: number({ above: 2 }),
      multiplier: doubles(),
      multiplierCap: positive,
    },
    lengths: ({ assets }) => ({
      annualVolatility: assets,
      factor: assets * assets,
      multiplier: MULTIPLIER_ROWS * MULTIPLIER_COEFFICIENTS,
    }),
  },
  'filtered-historical': {
    fields: {
      assets,
      ...varianceFields,
      rows: doubles(),
      cumulants: doubles(),
    },
    lengths: ({ assets, rows }) => ({
      ...varianceLengths(assets),
      rows: wholeRows(rows, assets),
      cumulants: assets * CUMULANT_ROWS * CUMULANT_COEFFICIENTS,
    }),
  },
  bootstrap: {
    fields: {
      assets,
      stepsPerRow: oneOf(1, 24),
      blockRows: whole(1, MAX_STEPS),
      rows: doubles(),
      drift: doubles(),
      deviation: doubles({ least: 0 }),
      factor: doubles(),
    },
    lengths: ({ assets, rows, drift }) => ({
      rows: wholeRows(rows, assets),
      drift: wholeRows(drift, assets),
      deviation: assets,
      factor: assets * assets,
    }),
  },
};

/** Length of a list of whole rows of one number per asset: at least one row. */
function wholeRows(list: Float64Array, assets: number): number {
  return assets * Math.max(1, Math.floor(list.length / assets));
}
