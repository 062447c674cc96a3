/** The bounds of the members of plans: each takes its bound, and nothing beyond it. */
import { expect, it } from 'vitest';
import { BOOK_LENDING_FIELDS } from '#src/core/plan/book-lending.js';
import { Faults, type Fields } from '#src/core/plan/fields.js';
import { MAX_STEPS } from '#src/core/plan/grid.js';
import { LOAN_FIELDS } from '#src/core/plan/loan-terms.js';
import { MODELS } from '#src/core/plan/models.js';
import { assetCount, MAX_ASSETS } from '#src/core/plan/portfolio.js';
import { PRODUCTS } from '#src/core/plan/products.js';

const TINY = Number.MIN_VALUE;
const ABOVE_0 = [
  [TINY, 1e300],
  [0, -1],
] as const;
const FROM_0 = [[0, 1e300], [-TINY]] as const;
const SHARE = [
  [0, 1],
  [-TINY, 1.001],
] as const;
const LEVEL = [
  [TINY, 1 - Number.EPSILON],
  [0, 1],
] as const;
const stepsFrom = (least: number) =>
  [
    [least, MAX_STEPS],
    [least - 1, MAX_STEPS + 1],
  ] as const;

type Bounds = readonly [taken: readonly number[], refused: readonly number[]];
const OF: readonly (readonly [string, object, Readonly<Record<string, Bounds>>])[] = [
  ['gbm', MODELS.gbm.fields, { annualVolatility: FROM_0 }],
  ['gbm-sobol', MODELS['gbm-sobol'].fields, { annualVolatility: FROM_0 }],
  ['gbm-shifted', MODELS['gbm-shifted'].fields, { steps: stepsFrom(1), annualVolatility: FROM_0 }],
  [
    'garch',
    MODELS.garch.fields,
    { omega: FROM_0, alpha: FROM_0, beta: FROM_0, firstVariance: FROM_0, volatilityScale: ABOVE_0 },
  ],
  ['student-t', MODELS['student-t'].fields, { degreesOfFreedom: [[2.001], [2]], multiplierCap: ABOVE_0 }],
  ['historical', MODELS.historical.fields, { lead: stepsFrom(1) }],
  ['bootstrap', MODELS.bootstrap.fields, { blockRows: stepsFrom(1), deviation: FROM_0 }],
  ['loan', PRODUCTS.loan.fields, { steps: stepsFrom(1) }],
  [
    'terms of a loan',
    LOAN_FIELDS,
    {
      nominalRatio: ABOVE_0,
      marginCallRatio: ABOVE_0,
      liquidationRatio: ABOVE_0,
      recoveryRatio: ABOVE_0,
      topUpSteps: stepsFrom(0),
      debtGrowth: ABOVE_0,
    },
  ],
  ['capped-loan', PRODUCTS['capped-loan'].fields, { capacityPerStep: FROM_0 }],
  [
    'perpetual',
    PRODUCTS.perpetual.fields,
    {
      steps: stepsFrom(1),
      entryPrice: ABOVE_0,
      startPrice: ABOVE_0,
      initialMargin: ABOVE_0,
      equityBefore: ABOVE_0,
      fundingRatePerInterval: [
        [-0.999, 1],
        [-1, 1.001],
      ],
      maintenanceMarginRate: ABOVE_0,
      maintenanceAmount: FROM_0,
      takerFeeRate: FROM_0,
      marginCallMultiple: ABOVE_0,
    },
  ],
  [
    'origination',
    PRODUCTS.origination.fields,
    { steps: stepsFrom(1), liquidationThreshold: ABOVE_0, marginCallThreshold: ABOVE_0 },
  ],
  [
    'value-at-risk',
    PRODUCTS['value-at-risk'].fields,
    {
      collateralValue: ABOVE_0,
      loanValue: ABOVE_0,
      horizonYears: ABOVE_0,
      quantiles: LEVEL,
      intervalLevel: LEVEL,
    },
  ],
  [
    'book',
    PRODUCTS.book.fields,
    {
      steps: stepsFrom(1),
      saleDelaySteps: stepsFrom(0),
      saleCost: SHARE,
      daySteps: stepsFrom(1),
      quantiles: LEVEL,
      loanValue: ABOVE_0,
      nominalRatio: ABOVE_0,
      marginCallRatio: ABOVE_0,
      liquidationRatio: ABOVE_0,
      recoveryRatio: ABOVE_0,
    },
  ],
  [
    'lending of a book',
    BOOK_LENDING_FIELDS,
    {
      debtGrowth: ABOVE_0,
      saleCost: SHARE,
      start: [
        [0, 3],
        [-1, 4],
      ],
      startDeadline: stepsFrom(1),
      startAnswer: stepsFrom(0),
      answerShare: SHARE,
      answerDelay: stepsFrom(1),
      answerRatio: FROM_0,
      oneDraw: [
        [0, 1],
        [-1, 2],
      ],
      saleRatio: FROM_0,
      saleShare: [
        [TINY, 1],
        [0, 1.001],
      ],
    },
  ],
];

const CASES = OF.flatMap(([of, fields, bounds]) =>
  Object.entries(bounds).map(([member, range]) => ({ of, member, range, field: (fields as Fields)[member] })),
);

it.each(CASES)('$member of $of takes its bounds alone', ({ field, range: [taken, refused] }) => {
  const isTaken = (value: number) => {
    const faults = new Faults();
    field.read(value, 'p', faults);
    if (faults.list.length === 0) return true;
    // A list of such numbers.
    const ofList = new Faults();
    field.read([value], 'p', ofList);
    return ofList.list.length === 0;
  };
  expect(taken.filter(value => !isTaken(value))).toEqual([]);
  expect(refused.filter(isTaken)).toEqual([]);
});

it('A portfolio has from one asset to the most', () => {
  const isTaken = (value: number) => {
    const faults = new Faults();
    assetCount.read(value, 'p', faults);
    return faults.list.length === 0;
  };
  expect([0, 1, MAX_ASSETS, MAX_ASSETS + 1].map(isTaken)).toEqual([false, true, true, false]);
});
