/** The contents of a loan tape: its loans and its faults. */
import type { TapeColumn } from './columns.ts';

/** One asset of the collateral of a loan. */
export interface CollateralLine {
  readonly asset: string;
  /** Units; absent where the tape has a value only. */
  readonly amount?: number;
  /** USD, as the tape has it. */
  readonly valueUsd?: number;
}

/** Terms that are fractions or hours, as the tape or the defaults have them. */
export type LoanTerms = Readonly<Partial<Record<TermColumn, number>>>;
export type TermColumn = Exclude<
  TapeColumn,
  | 'loan_id'
  | 'borrower'
  | 'collateral_asset'
  | 'collateral_amount'
  | 'collateral_value'
  | 'loan_asset'
  | 'loan_amount'
>;

export interface TapeLoan {
  readonly id: string;
  /** 1-based lines of the file that are of this loan. */
  readonly lines: readonly number[];
  readonly borrower?: string;
  readonly collateral: readonly CollateralLine[];
  readonly loanAsset: string;
  /** Units of the loan's asset that are owed, with the interest that was accrued. */
  readonly loanAmount: number;
  /** `maturity` and `called_at` in milliseconds since 1970. */
  readonly terms: LoanTerms;
}

/** A fault of a row, of a loan, or of the tape (then without a line). */
export interface TapeFault {
  /** 1-based. */
  readonly line?: number;
  readonly id?: string;
  readonly column?: string;
  readonly message: string;
  readonly remedy: string;
}

export interface ReadTape {
  /** Loans without a fault in any of their rows. */
  readonly loans: readonly TapeLoan[];
  readonly faults: readonly TapeFault[];
  /** Rows with anything in them. */
  readonly rows: number;
  readonly notUsed: readonly string[];
}
