/**
 * Credit figures of a loan of a book: docs/credit.md.
 *
 * Takes: what happens to the loan on every path. Gives: probability of default, exposure, loss and their product, in units of the loan.
 */
import type { BookLoanOnPath } from './book.ts';

/** The event that counts as a default: any forced end, or one with a loss alone. */
export type CreditEvent = 'sale' | 'loss';

export interface CreditFigures {
  readonly PD: number;
  /** NaN without a default. */
  readonly EAD: number;
  readonly LGD: number;
  /** PD x EAD x LGD, and 0 without a default. */
  readonly EL: number;
}

/** The default of a path: its step, the debt at it, and the loss at the prices of its cash, discounted. */
export interface DefaultOnPath {
  readonly step: number;
  readonly exposure: number;
  readonly loss: number;
}

/** docs/credit.md, "The event". @param stepRate r: a loss of step t counts exp(-r t) times */
export function defaultOnPath(
  { event, loss, lossStep }: BookLoanOnPath,
  stepRate: number,
): DefaultOnPath | undefined {
  if (event === undefined) return undefined;
  const factor = lossStep === undefined ? 1 : Math.exp(-stepRate * lossStep);
  return { step: event.step, exposure: event.debt, loss: factor * loss };
}

/**
 * docs/credit.md, "The figures".
 *
 * @param paths what happens to the loan on each path; @param lastStep of an event that counts: the horizon
 */
export function creditFigures(
  paths: readonly BookLoanOnPath[],
  event: CreditEvent,
  stepRate: number,
  lastStep = Number.POSITIVE_INFINITY,
): CreditFigures {
  const defaults = paths
    .map(path => defaultOnPath(path, stepRate))
    .filter(each => each !== undefined)
    .filter(({ step, loss }) => step <= lastStep && (event === 'sale' || loss > 0));
  const sumOf = (of: (each: DefaultOnPath) => number) => defaults.reduce((sum, each) => sum + of(each), 0);
  const [exposure, lost] = [sumOf(each => each.exposure), sumOf(each => each.loss)];
  return {
    PD: defaults.length / paths.length,
    EAD: exposure / defaults.length,
    LGD: lost / exposure,
    EL: lost / paths.length,
  };
}

/** What the stage of a loan depends on. */
export interface StagedLoanTerms {
  readonly called: boolean;
  readonly liquidated: boolean;
  readonly daysPastDue: number;
  /** Debt over collateral at the start. */
  readonly ltv: number;
  /** PD by `sale` over the term, and that which was expected at origination; NaN where it is not known. */
  readonly pd: number;
  readonly originationPd: number;
  readonly impaired: boolean;
}

/** The rules of stages; NaN where a rule is not used. */
export interface StageRules {
  readonly called: boolean;
  readonly liquidated: boolean;
  readonly daysPastDue: readonly [stage2: number, stage3: number];
  readonly ltvAbove: number;
  readonly pdAbove: number;
  readonly pdTimes: number;
}

/** docs/credit.md, "Stages". */
export function stageOfLoan(loan: StagedLoanTerms, rules: StageRules): 1 | 2 | 3 {
  const [stage2, stage3] = rules.daysPastDue;
  if ((rules.liquidated && loan.liquidated) || loan.daysPastDue >= stage3) return 3;
  const signs = [
    rules.called && loan.called,
    loan.daysPastDue >= stage2,
    loan.ltv > rules.ltvAbove,
    loan.pd > rules.pdAbove,
    loan.pd / loan.originationPd > rules.pdTimes,
    loan.impaired,
  ];
  return signs.includes(true) ? 2 : 1;
}
