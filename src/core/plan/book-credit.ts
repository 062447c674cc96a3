/** What a book adds up for its credit figures, with an entry per loan (docs/credit.md). */
import { type Declared, doubles, perLoan, whole } from './fields.ts';
import { MAX_STEPS } from './grid.ts';

export const BOOK_CREDIT_FIELDS = {
  /** The last step of an event within the horizon. */
  horizonSteps: whole(1, MAX_STEPS),
  /** Increment per step of the natural logarithm of the discount factor: 0 without discounting, below 0 for a positive rate. */
  logDiscount: doubles(perLoan),
};
export interface BookCredit extends Declared<typeof BOOK_CREDIT_FIELDS> {}
