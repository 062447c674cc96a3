/** A loan of a book as a request states it. */
import { z } from 'zod';
import { amountMembers } from '../../request/amounts.ts';
import { bookedValueUsd, identifier, meaning, members } from '../../request/fields.ts';
import { rowMembers } from '../../request/loan-fields.ts';
import { withRatiosOfRow } from '../../request/ltv.ts';
import { withRules } from '../../request/rules.ts';
import type { ResolveSymbol } from '../../request/symbols.ts';
import { loanMembers, orAmounts, ratioMembers } from '../loan/request.ts';
import { ROW_RULES } from './row-rules.ts';

export function loanSchema(resolve: ResolveSymbol) {
  const { analysis_date: _date, model_lookback: _lookback, ...own } = loanMembers(0, resolve);
  const loan = withRules(
    members({
      id: meaning(identifier, "The caller's name of the loan, 1 to 64 characters; each once."),
      ...own,
      ...amountMembers(resolve),
      loan_value: orAmounts(meaning(bookedValueUsd, 'Value of the loan at the start.', 'USD')),
      ...ratioMembers,
      ...rowMembers,
    }),
    ...ROW_RULES,
  );
  return z.preprocess(withRatiosOfRow, loan);
}

export type BookLoan = z.output<ReturnType<typeof loanSchema>>;
