/** The credit figures of a result, where they were asked for: allowance, stages and their movement (docs/credit.md). Amounts are in USD, shares fractions. */
import type { BOOK_CREDIT_FIGURES, CREDIT_FIGURES, STAGE_TOTALS } from '../core/figures/credit.ts';

/** Terms of credit figures, as they were sent; the defaults are those of /book_risk. */
export interface CreditTerms {
  readonly event?: string;
  readonly horizon_days?: number;
  readonly effective_rate?: number | string;
}

type FigureNames<F> = Readonly<Record<keyof F, number>>;

/** The allowance of a book, and its parts by stage, 1 to 3. */
export type BookCredit = FigureNames<typeof BOOK_CREDIT_FIGURES> & {
  readonly Stages: Readonly<Record<string, { readonly Loans: number } & FigureNames<typeof STAGE_TOTALS>>>;
};

/** The credit figures of a loan; null without an event. */
export type LoanCredit = Readonly<Record<keyof typeof CREDIT_FIGURES, number | null>> & {
  readonly Stage: number;
  readonly Reason: string;
  readonly StageUncertain?: true;
  readonly ECL: number;
  /** Standard error of ECL; null where it is not determined. */
  readonly Error?: number | null;
};

/** The allowance of a stage from the earlier book to this one, USD: each column is a cause, and all but the last add up to the last. */
export interface AllowanceRow {
  readonly Opening: number;
  /** Of loans that are now in another stage: out of it, and into it, at the opening amount. */
  readonly Moved: number;
  readonly Repaid: number;
  readonly New: number;
  readonly Prices: number;
  /** The window, what is fitted to it, and the time that has passed. */
  readonly Window: number;
  readonly Terms: number;
  readonly Closing: number;
}

export interface AllowanceMovement {
  /** By stage, 1 to 3. */
  readonly Stages: Readonly<Record<string, AllowanceRow>>;
  /** Loans of both books in another stage now. */
  readonly Moves: readonly { readonly Id: string; readonly From: number; readonly To: number }[];
}
