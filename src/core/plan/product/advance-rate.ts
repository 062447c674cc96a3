/** What may be lent against a fall of collateral: terms, outcome and contract (docs/advance-rate.md). */
import {
  anyLength,
  type Declared,
  doubles,
  flag,
  LEVEL,
  number,
  object,
  optional,
  whole,
  words,
} from '../fields.ts';
import { MAX_STEPS } from '../grid.ts';
import { portfolioField } from '../portfolio.ts';
import { againstLast, HOURLY, type ProductContract, USUAL_BASKETS, USUAL_STEPS } from './contract.ts';

const AFTER_FIELDS = {
  /** An exposure begins at the first step at which C_t / L_t is at or below this. */
  ratio: number({ above: 0, most: 1 }),
  /** Steps 1 to this may begin one. */
  withinSteps: whole(1, MAX_STEPS),
};

const ADVANCE_RATE_FIELDS = {
  portfolio: portfolioField,
  /** Steps of a path: the longest exposure, after the last step that may begin one. */
  steps: whole(1, MAX_STEPS),
  /** Rising lengths of exposures in steps. */
  horizonSteps: words(anyLength, whole(1, MAX_STEPS)),
  /** Whether collateral is sold at the lowest ratio of an exposure, else at its end. */
  lowest: flag,
  /** Share of the proceeds that a sale costs. */
  saleCost: number({ least: 0, most: 0.5 }),
  /** Absent where an exposure begins at step 0. */
  after: optional(object(AFTER_FIELDS)),
  /** Levels in (0, 1) at which the largest rate is wanted. */
  confidences: doubles(anyLength, LEVEL),
  /** Mean losses, shares of the debt in (0, 1), at which the largest rate is wanted. */
  expectedLosses: doubles(anyLength, LEVEL),
  /** Given rates, debt over collateral. */
  rates: doubles(anyLength, { above: 0 }),
  /** Level in (0, 1) of the intervals of rates; absent where the outcome has none. */
  intervalLevel: optional(number(LEVEL)),
};

/** Rates of debt over collateral, and what they lose, at several lengths of an exposure. */
export interface AdvanceRateProduct extends Declared<typeof ADVANCE_RATE_FIELDS> {
  readonly kind: 'advance-rate';
}

/** A rate and the exposures that lose at it. */
export interface RateOutcome {
  /** Debt over collateral at the start of the exposure. */
  readonly rate: number;
  /** Exposures whose sale brings less than the debt. */
  readonly losing: number;
  /** Sum over them of the loss as a share of the debt, and of its square. */
  readonly loss: number;
  readonly lossSquares: number;
  /** Sum over them of what the sale brings, over the collateral at the start. */
  readonly proceeds: number;
  /**
   * Order statistics around the share of the exposures that lose, of a confidence the interval of the rate; absent without an
   * `intervalLevel`, at given rates, and where the sample has none.
   */
  readonly low?: number;
  readonly high?: number;
  /** Losing windows of history that do not follow another within the exposure; absent for drawn paths. */
  readonly episodes?: number;
}

/** Rates per horizon, in the plan's order; rates of no exposure are absent. */
export interface AdvanceRateOutcome {
  readonly kind: 'advance-rate';
  readonly paths: number;
  readonly horizons: readonly {
    /** Paths with an exposure. */
    readonly exposures: number;
    readonly confidences: readonly RateOutcome[];
    readonly expectedLosses: readonly RateOutcome[];
    readonly rates: readonly RateOutcome[];
  }[];
}

/** Largest number of horizons, and of levels of each kind. */
const MAX_LEVELS = 64;
/** Column values that cost as much as a step of an asset to pass over, and passes over a column for one level. */
const VALUES_PER_STEP = 4;

export const ADVANCE_RATE: ProductContract<AdvanceRateProduct, AdvanceRateOutcome, 'columns'> = {
  ...HOURLY,
  fields: ADVANCE_RATE_FIELDS,
  check(product, _, faults) {
    const { horizonSteps, confidences, expectedLosses, rates, steps } = product;
    const rises = (values: ArrayLike<number>) =>
      Array.from(values).every((value, i, all) => i === 0 || value > all[i - 1]);
    for (const member of ['horizonSteps', 'confidences', 'expectedLosses', 'rates'] as const)
      if (product[member].length > MAX_LEVELS || !rises(product[member]))
        faults.add(`plan.product.${member}`, `at most ${MAX_LEVELS} rising numbers`, product[member]);
    if (confidences.length + expectedLosses.length + rates.length === 0)
      faults.add(
        'plan.product.confidences',
        'a list of a number at least, or one of the others',
        confidences,
      );
    if (exposureStarts(product) + (horizonSteps.at(-1) ?? steps + 1) !== steps)
      faults.add('plan.product.steps', 'the last step of the longest exposure', steps);
  },
  merge: 'columns',
  distribution: undefined,
  recordFields: ({ horizonSteps, after }) =>
    Array.from(horizonSteps, (_, k) =>
      after === undefined ? [`ratio.${k}`] : [`ratio.${k}`, `start.${k}`],
    ).flat(),
  stepWork: ({ assets, orders = 0 }) => assets + orders,
  size: product => ({ orders: ordersPerStep(product) }),
  ratioBaskets: ({ portfolio, steps }) => [{ portfolio, steps }],
  usual: {
    models: ['gbm'],
    assets: USUAL_BASKETS,
    terms: assets => {
      const each = {
        kind: 'advance-rate',
        portfolio: againstLast(assets),
        steps: USUAL_STEPS,
        saleCost: 0.01,
        confidences: Float64Array.of(0.9, 0.99),
        expectedLosses: Float64Array.of(0.001),
        rates: Float64Array.of(0.95),
      } as const;
      return [
        { ...each, lowest: true, horizonSteps: Uint32Array.of(6, USUAL_STEPS) },
        {
          ...each,
          lowest: false,
          horizonSteps: Uint32Array.of(6),
          after: { ratio: 0.99, withinSteps: USUAL_STEPS - 6 },
        },
      ];
    },
  },
};

/** The last step at which an exposure may begin. */
export const exposureStarts = ({ after }: Pick<AdvanceRateProduct, 'after'>): number =>
  after?.withinSteps ?? 0;

/** The work of ordering the ratios of all horizons, in asset-steps of a step. */
export const ordersPerStep = ({
  horizonSteps,
  confidences,
  expectedLosses,
  rates,
  steps,
}: {
  readonly [M in 'horizonSteps' | 'confidences' | 'expectedLosses' | 'rates']: { readonly length: number };
} & { readonly steps: number }): number =>
  (horizonSteps.length * (1 + confidences.length + expectedLosses.length + rates.length)) /
  (VALUES_PER_STEP * steps);
