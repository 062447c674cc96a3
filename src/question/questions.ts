/** The table of the questions. A row does not expose the type of its request. */
import { ACCOUNT_QUESTION } from './account/cross-perpetual.ts';
import { ADVANCE_RATE_QUESTION } from './advance-rate/advance-rate.ts';
import { BACKTEST_QUESTION } from './backtest/back-test.ts';
import { BOOK_QUESTION } from './book/book-risk.ts';
import { CAPPED_LOAN_QUESTION } from './capped-loan/capped-loan.ts';
import { LOAN_QUESTION } from './loan/loan-risk.ts';
import { ORIGINATION_QUESTION } from './origination/origination.ts';
import { PERPETUAL_QUESTION } from './perpetual/isolated-perpetual.ts';
import type { AnyQuestion } from './question.ts';
import { STRESS_QUESTION } from './stress/stress.ts';
import { VALUE_AT_RISK_QUESTION } from './value-at-risk/value-at-risk.ts';

/** Every question with all values of its query, in the order of lists. */
export const QUESTIONS: readonly AnyQuestion[] = [
  LOAN_QUESTION,
  ORIGINATION_QUESTION,
  VALUE_AT_RISK_QUESTION,
  ADVANCE_RATE_QUESTION,
  CAPPED_LOAN_QUESTION,
  PERPETUAL_QUESTION,
  ACCOUNT_QUESTION,
  BOOK_QUESTION,
  STRESS_QUESTION,
  BACKTEST_QUESTION,
];

/** The questions without the member `plan`, which contains market data. */
export const QUESTIONS_WITHOUT_PLANS: readonly AnyQuestion[] = QUESTIONS.map(question => ({
  ...question,
  query: { ...question.query, include: question.query.include.filter(member => member !== 'plan') },
}));
