/** The contents of a loan tape: its loans and its faults. */
import type { CellFault, TapeColumn } from './columns.ts';

/** One asset of the collateral of a loan. */
export interface CollateralLine {
  readonly asset: string;
  /** Units; absent where the tape has a value only. */
  readonly amount?: number;
  /** USD, as the tape has it. */
  readonly valueUsd?: number;
  /** Its liquidation LTV, where those of the collateral of a loan differ; `terms` have none then. */
  readonly liquidationLtv?: number;
}

/** Terms of the tape or of the defaults: fractions, hours, and moments in milliseconds since 1970. */
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
  | 'loan_value'
  | 'accrued_interest'
  | 'grace_days'
  | 'ltv'
>;

export interface TapeLoan {
  readonly id: string;
  /** 1-based lines of the file. */
  readonly lines: readonly number[];
  readonly borrower?: string;
  readonly collateral: readonly CollateralLine[];
  readonly loanAsset: string;
  /** Debt in units of the asset of the loan, with accrued interest; absent where the tape has its value. */
  readonly loanAmount?: number;
  /** USD, as the tape has it. */
  readonly loanValueUsd?: number;
  /** LTV of today, as the tape has it. */
  readonly ownLtv?: number;
  readonly terms: LoanTerms;
}

/** A fault of a row, of a loan, or of the tape (then without a line). */
export interface TapeFault extends CellFault {
  /** 1-based. */
  readonly line?: number;
  readonly id?: string;
  readonly column?: string;
}

const lineOf = ({ line = 0 }: TapeFault) => line;
/** Orders faults by their lines; those without one come first. */
export const byLine = (a: TapeFault, b: TapeFault): number => lineOf(a) - lineOf(b);

/** What a loan with faults owes, as far as the tape says it. */
export type OwedByFaulty = Pick<TapeLoan, 'id' | 'loanAmount' | 'loanValueUsd'> & {
  readonly loanAsset?: string;
};

export interface ReadTape {
  /** Loans without a fault in any of their rows. */
  readonly loans: readonly TapeLoan[];
  readonly faults: readonly TapeFault[];
  /** Loans with a fault. */
  readonly faulty: readonly OwedByFaulty[];
  /** Rows of loans. */
  readonly rows: number;
  readonly notUsed: readonly string[];
  /** Names in the tape of the columns that are found, and of those that may be the others. */
  readonly columns: Readonly<Partial<Record<TapeColumn, string>>>;
  /** Sentences on cells that may mean something else. */
  readonly remarks: readonly string[];
}
