/** The members `Credit` of a book and of its loans: figures, stages and sums by stage (docs/credit.md). */

import { LOAN_STATUS, type LoanOutcomes } from '../../core/figures/book-loan.ts';
import {
  type CreditEvent,
  type CreditValues,
  creditAccuracy,
  creditFigures,
} from '../../core/figures/credit.ts';
import { LOAN_START } from '../../core/plan/book-lending.ts';
import { type GridHours, stepsOfDays } from '../../core/plan/grid.ts';
import { assetsOf, type BookProduct, basketValues } from '../../core/plan/product/book.ts';
import { type Warning, warnIf } from '../../core/warnings.ts';
import type { CreditTerms } from './credit-request.ts';
import type { BookLoan } from './loan-row.ts';

/** What the rows of a book state for their stages, one entry per loan. */
export interface CreditColumns {
  /** 0 where the rules decide. */
  readonly stage: Uint32Array;
  readonly daysPastDue: Float64Array;
  /** NaN where it is not stated. */
  readonly originationPd: Float64Array;
  readonly impaired: Uint32Array;
  /** 1 where the row puts its loan into stage 3: its collateral is ordered to be sold at the start. */
  readonly inDefault: Uint32Array;
  /** Increment per hour of the natural logarithm of the discount factor. */
  readonly logDiscount: Float64Array;
}

/** Whether a row is in stage 3 whatever the price of its collateral. */
const isInDefault = ({ stage, days_past_due = 0 }: BookLoan, { stage_3 }: CreditTerms): boolean =>
  stage === 3 || (stage === undefined && days_past_due >= stage_3.days_past_due);

const HOURS_PER_YEAR = 8760;

/** @param logGrowth per loan: increment per hour of the natural logarithm of its debt */
export const creditColumns = (
  rows: readonly BookLoan[],
  terms: CreditTerms,
  logGrowth: (row: BookLoan) => number,
): CreditColumns => {
  const { effective_rate: rate = 0 } = terms;
  return {
    stage: Uint32Array.from(rows, ({ stage }) => stage ?? 0),
    daysPastDue: Float64Array.from(rows, ({ days_past_due }) => days_past_due ?? 0),
    originationPd: Float64Array.from(rows, ({ origination_pd }) => origination_pd ?? Number.NaN),
    impaired: Uint32Array.from(rows, ({ credit_impaired }) => Number(credit_impaired === true)),
    inDefault: Uint32Array.from(rows, row => Number(isInDefault(row, terms))),
    logDiscount: Float64Array.from(rows, row =>
      rate === 'interest' ? -logGrowth(row) : -Math.log1p(rate) / HOURS_PER_YEAR,
    ),
  };
};

/**
 * The product with its credit figures: loans in stage 3 by their rows are liquidated at the start, also after a shock of prices. All of
 * their collateral is sold: a sale of a part restores a ratio, which may be above its target.
 */
export function withCredit(
  product: BookProduct,
  { logDiscount, inDefault }: CreditColumns,
  { horizon_days }: CreditTerms,
  stepHours: GridHours,
): BookProduct {
  const { lending, steps } = product;
  return {
    ...product,
    ...(lending && {
      lending: {
        ...lending,
        start: lending.start.map((start, k) => (inDefault[k] === 1 ? LOAN_START.liquidated : start)),
        saleRatio: lending.saleRatio.map((ratio, k) => (inDefault[k] === 1 ? 0 : ratio)),
      },
    }),
    credit: {
      horizonSteps: Math.min(steps, Math.max(1, stepsOfDays(horizon_days, stepHours))),
      logDiscount: logDiscount.map(perHour => perHour * stepHours),
    },
  };
}

/** Why a loan is in its stage. */
export const STAGE_REASONS = [
  'stage of the row',
  'liquidated',
  'days past due',
  'called',
  'LTV',
  'PD',
  'PD since origination',
  'credit-impaired',
  'no rule',
] as const;
type StageReason = (typeof STAGE_REASONS)[number];

export interface Staged {
  readonly Stage: 1 | 2 | 3;
  readonly Reason: StageReason;
  /** Whether the interval of PD holds the threshold that decides. */
  readonly StageUncertain?: true;
}

/** What the rules of stages read of a loan. */
export interface StagedLoan {
  /** 0 where the rules decide. */
  readonly stage: number;
  readonly status: string | undefined;
  readonly daysPastDue: number;
  readonly ltv: number;
  /** PD of any event over the term, and its interval; null without one. */
  readonly pd: number;
  readonly interval: readonly [low: number | null, high: number | null] | undefined;
  /** NaN where it is not stated. */
  readonly originationPd: number;
  readonly impaired: boolean;
}

/** The stage of a loan: docs/credit.md, "Stages". */
export function stageOf(
  loan: StagedLoan,
  { stage_2, stage_3 }: Pick<CreditTerms, 'stage_2' | 'stage_3'>,
): Staged {
  const { status, daysPastDue, ltv, pd, interval, originationPd } = loan;
  if (loan.stage !== 0) return { Stage: loan.stage as 1 | 2 | 3, Reason: 'stage of the row' };
  if (stage_3.liquidated && status === 'liquidated') return { Stage: 3, Reason: 'liquidated' };
  if (daysPastDue >= stage_3.days_past_due) return { Stage: 3, Reason: 'days past due' };
  if (stage_2.called && status === 'called') return { Stage: 2, Reason: 'called' };
  if (daysPastDue >= stage_2.days_past_due) return { Stage: 2, Reason: 'days past due' };
  if (ltv > (stage_2.ltv_above ?? Number.POSITIVE_INFINITY)) return { Stage: 2, Reason: 'LTV' };
  const thresholds = [
    ['PD', stage_2.pd_above ?? Number.NaN],
    ['PD since origination', (stage_2.pd_times ?? Number.NaN) * originationPd],
  ] as const;
  const [low, high] = interval ?? [null, null];
  const isBetween = (threshold: number) =>
    low !== null && high !== null && low <= threshold && threshold <= high;
  const uncertain = thresholds.some(([, each]) => isBetween(each)) ? { StageUncertain: true as const } : {};
  const above = thresholds.find(([, each]) => pd > each);
  if (above !== undefined) return { Stage: 2, Reason: above[0], ...uncertain };
  if (loan.impaired) return { Stage: 2, Reason: 'credit-impaired' };
  return { Stage: 1, Reason: 'no rule', ...uncertain };
}

export type LoanCredit = CreditValues & Staged & { readonly ECL: number };

/** The credit figures of every loan of an answer. */
export class BookCreditFigures {
  private readonly ltv: Float64Array;
  private readonly event: CreditEvent;

  constructor(
    private readonly product: BookProduct,
    private readonly outcome: LoanOutcomes,
    private readonly columns: CreditColumns,
    private readonly terms: CreditTerms,
    /** Confidence of the intervals; undefined where scenarios are not independent. */
    private readonly level: number | undefined,
  ) {
    const assets = assetsOf(product);
    const [collateral, debt] = [product.collateralWeights, product.loanWeights].map(each =>
      basketValues(each, assets),
    );
    this.ltv = product.nominalRatio.map(
      (n, k) => debt[product.basket[k]] / (n * collateral[product.basket[k]]),
    );
    this.event = terms.event;
  }

  of(k: number): LoanCredit {
    const { product, outcome, terms, columns } = this;
    const figures = creditFigures(product, outcome, k, this.event);
    const staged = stageOf(
      {
        stage: columns.stage[k],
        // A loan in default by its row is ordered to be sold, whatever its collateral is worth.
        status: columns.inDefault[k] === 1 ? undefined : LOAN_STATUS.get(product.lending?.start[k]),
        daysPastDue: columns.daysPastDue[k],
        ltv: this.ltv[k],
        pd: Number(this.event === 'sale' ? figures.PD : creditFigures(product, outcome, k, 'sale').PD),
        interval: this.intervalOf(k),
        originationPd: columns.originationPd[k],
        impaired: columns.impaired[k] === 1,
      },
      terms,
    );
    return { ...figures, ...staged, ECL: Number(figures[this.measureOf(staged.Stage, k)]) };
  }

  /** The figure that is the ECL of a loan in a stage. */
  private measureOf(stage: number, k: number): 'EL' | 'ELHorizon' {
    return stage === 1 && this.columns.impaired[k] === 0 ? 'ELHorizon' : 'EL';
  }

  /** With the figures of a loan, those of its allowance. */
  accuracyOf(k: number, level: number) {
    const figures = creditAccuracy(this.product, this.outcome, k, this.event, level);
    return { ...figures, ECL: figures[this.measureOf(this.of(k).Stage, k)] };
  }

  private intervalOf(k: number): StagedLoan['interval'] {
    const { pd_above, pd_times } = this.terms.stage_2;
    const { level, outcome } = this;
    // Large books have no squares, which intervals under weights need.
    if (level === undefined || outcome.loans.squares === undefined) return undefined;
    if (pd_above === undefined && pd_times === undefined) return undefined;
    const { low, high } = creditAccuracy(this.product, outcome, k, 'sale', level).PD;
    return [low, high];
  }

  /** `Book.Credit`. */
  ofBook(loans: Iterable<LoanCredit>) {
    const { loanValue, nominalRatio } = this.product;
    const stages = [1, 2, 3].map(() => ({ Loans: 0, LoanValue: 0, EL: 0, ELHorizon: 0, ECL: 0 }));
    let k = 0;
    for (const { Stage, EL, ELHorizon, ECL } of loans) {
      const stage = stages[Stage - 1];
      stage.Loans += 1;
      stage.LoanValue += loanValue[k++];
      stage.EL += Number(EL);
      stage.ELHorizon += Number(ELHorizon);
      stage.ECL += ECL;
    }
    const sumOf = (name: 'EL' | 'ECL') => stages.reduce((sum, stage) => sum + stage[name], 0);
    let shortfall = 0;
    // What the collateral lacks of the debt: D (1 - 1 / LTV), with D = N C LTV.
    const collateral = basketValues(this.product.collateralWeights, assetsOf(this.product));
    this.ltv.forEach((ltv, i) => {
      const pledged = nominalRatio[i] * collateral[this.product.basket[i]] * loanValue[i];
      shortfall += Math.max(0, (ltv - 1) * pledged);
    });
    return {
      Stages: Object.fromEntries(stages.map((stage, i) => [String(i + 1), stage])),
      ECL: sumOf('ECL'),
      CECL: sumOf('EL'),
      CollateralShortfall: shortfall,
    };
  }
}

/** Warnings of credit figures. */
export function creditWarnings(
  {
    ids,
    durationDays,
    maturityDays,
  }: Readonly<Record<'durationDays' | 'maturityDays', Float64Array>> & { readonly ids: readonly string[] },
  { horizon_days }: CreditTerms,
): readonly Warning[] {
  const cut = durationDays.findIndex((days, k) => days < Math.min(maturityDays[k], horizon_days));
  return [
    ...warnIf(
      cut >= 0,
      'horizon-cut',
      `Loan ${ids[cut]} is simulated for ${durationDays[cut]} days and runs longer: PDHorizon and ELHorizon are of these days, ` +
        `not of ${horizon_days}, and EL is not of its whole life. Set loan_duration to its maturity.`,
    ),
    ...warnIf(
      true,
      'no-drift',
      'Prices have no drift, and no scenarios of the economy are weighted: the credit figures are those of the model alone.',
    ),
  ];
}
