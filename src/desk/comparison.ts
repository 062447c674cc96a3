/** The changes from an earlier result to this one. Amounts are in USD. */
import type { LoanStatus } from '../tape/valuation.ts';
import type { AllowanceMovement } from './credit-figures.ts';

/** A changed term of a loan: a column of the tape, null where it was or is absent. */
export interface ChangedTerm {
  readonly Id: string;
  readonly Term: string;
  readonly Then: string | number | null;
  readonly Now: string | number | null;
}

/** The status of a loan at the prices of either day. */
export interface ChangedStatus {
  readonly Id: string;
  readonly Then: LoanStatus;
  readonly Now: LoanStatus;
}

export interface LoanChanges {
  readonly New: readonly string[];
  /** Of the earlier book, and no longer in the tape. */
  readonly Gone: readonly string[];
  /** Of the earlier book, and left out of this one for faults. */
  readonly LeftOut: readonly string[];
  readonly Changed: readonly ChangedTerm[];
}

/** Figures of the book at a step of a comparison. */
export interface StepFigures {
  readonly Loans: number;
  readonly LoanUsd: number;
  readonly ExpectedLoss: number;
  /** At the level of the headline. */
  readonly LossVar: number;
  readonly LossCVar: number;
  /** Mean number of loans. */
  readonly MarginCalls: number;
  /** At the level of the headline. */
  readonly PeakDay: number;
}

/** The changes from an earlier result to this one, under the methodology of the headline and on the same draws. */
export interface Comparison {
  readonly File: string;
  readonly AsOf: string;
  readonly Changes: LoanChanges;
  /** Loans of both books whose status differs. */
  readonly Status: readonly ChangedStatus[];
  /** The earlier book, then one change after another up to this book. */
  readonly Steps: readonly { readonly Step: string; readonly Figures: StepFigures }[];
  readonly Allowance?: AllowanceMovement;
}
