/** The answer of /stress, as openapi.json describes it. */
import { z } from 'zod';
import { meaning } from '../../../question/request/fields.ts';
import { MAX_REPLAY_HOURS } from '../../../question/request/scenario.ts';
import { count, keyed, nonNegative, object, oneOf, positive, real } from './figures.ts';
import { bookLoan, bookMember, borrowersMember } from './results.ts';

const bound = (which: string) => {
  const words = `${which} end of its interval; null for HISTORICAL, and where too few paths differ.`;
  return meaning(real(words, 'USD').nullable(), words);
};

const change = (description: string) =>
  object(description, {
    Value: real('The difference.', 'USD'),
    Low: bound('Lower'),
    High: bound('Upper'),
  });

const changes = (description: string) =>
  object(description, {
    ExpectedLoss: change('Of the mean loss.'),
    LossCVar: keyed('Of the tail mean of the loss, by quantile.', change('Of one level.')),
    ForcedSaleUsd: change('Of the mean of what is sold.'),
  });

const someLoans = (description: string) =>
  object(description, {
    Loans: count('Number of loans.', 'loans'),
    LoanUsd: nonNegative('Their debt after the shock.', 'USD'),
  });

const flag = (description: string) => meaning(z.boolean(), description);
const ltv = (description: string) => positive(description, 'loan value / collateral value');

const replay = object('What the replay does.', {
  Called: count('Loans that were called, or were so at the start.', 'loans'),
  ClosedOut: count('Loans that were closed out.', 'loans'),
  Liquidated: count('Loans that were liquidated.', 'loans'),
  CalledAtEnd: count('Loans with a call that is open at the end.', 'loans'),
  OrdersOpen: count('Loans with a sale that is ordered and not carried out at the end.', 'loans'),
  Loss: nonNegative('Lost by sales for less than the debt; those still ordered at the end are in it.', 'USD'),
  ForcedSaleUsd: nonNegative('Collateral sold, at the prices of each sale.', 'USD'),
  PeakDayUsd: nonNegative('Largest sales within 24 hours.', 'USD'),
  ToppedUpUsd: nonNegative('Collateral that borrowers added.', 'USD'),
  Lowest: positive(
    'Lowest collateral over debt of the book on the way, as if nothing were sold or added.',
    'collateral value / loan value',
  ),
  Path: meaning(
    z
      .array(nonNegative('Collateral over debt of the book.', 'collateral value / loan value'))
      .max(MAX_REPLAY_HOURS + 1)
      .optional(),
    'The same hour by hour from the start on; with include=path. 0 where no term goes on.',
  ),
});

const END_LTV = 'Debt over collateral at the end; null where it is not open or called then.';
const endLtv = meaning(ltv(END_LTV).nullable(), END_LTV);

const loan = z.strictObject({
  CollateralUsd: positive('Collateral after the shock.', 'USD'),
  LoanUsd: positive('Debt after the shock.', 'USD'),
  Ltv: ltv('Debt over collateral after the shock.'),
  Status: meaning(
    z.enum(['called', 'liquidated']).optional(),
    'What the loan is at once after the shock; only where it is so.',
  ),
  Loss: nonNegative('Loss in the replay, and mean loss after it.', 'USD'),
  Replay: meaning(
    z
      .strictObject({
        Called: flag('Whether it was called.'),
        ClosedOut: flag('Whether it was closed out.'),
        Liquidated: flag('Whether it was liquidated.'),
        End: oneOf('What it is at the end: a sale may be ordered, or the loan has ended.', [
          'open',
          'called',
          'ordered',
          'ended',
        ]),
        Ltv: endLtv,
        Loss: nonNegative('Lost by sales.', 'USD'),
        ForcedSaleUsd: nonNegative('Collateral sold.', 'USD'),
        ToppedUpUsd: nonNegative('Collateral that its borrower added.', 'USD'),
      })
      .optional(),
    'What the replay does to it.',
  ),
  Book: meaning(bookLoan.optional(), 'Its figures in the simulation; only where it is in it.'),
});

const scenario = z.strictObject({
  CollateralUsd: positive('Collateral of the book after the shock.', 'USD'),
  LoanUsd: positive('Debt of the book after the shock.', 'USD'),
  Ltv: ltv('Debt over collateral after the shock.'),
  Called: someLoans('Loans that are called at once, or were so before.'),
  Liquidated: someLoans('Loans that are liquidated at once.'),
  Replay: replay.optional(),
  Book: meaning(
    bookMember.nullable().optional(),
    'The simulation, from the end of the replay on, of loans whose term goes on with no sale ordered; null where none is left. Absent with mc_iter 0.',
  ),
  Borrowers: borrowersMember,
  Change: changes(
    'Less base, on the same paths: what is lost and sold in all, in the replay and after it. Absent for base.',
  ).optional(),
  Loans: keyed(
    'The 20 loans with the largest losses above 0, the largest first; all with include=loans.',
    loan,
  ),
});

const scenarios = keyed('Figures of each scenario by its name; base is the first.', scenario);

export const stressOutput = z.strictObject({
  Scenarios: scenarios,
  Compared: meaning(
    z
      .strictObject({
        Scenarios: scenarios,
        Difference: keyed(
          'What the terms of compare change, by scenario.',
          changes('Under the terms of compare less under those of the loans, on the same paths.'),
        ),
      })
      .optional(),
    'The same scenarios under the terms of compare.',
  ),
});
