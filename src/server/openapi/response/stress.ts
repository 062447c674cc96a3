/** The answer of /stress, as openapi.json describes it. */
import { z } from 'zod';
import { meaning } from '../../../question/request/fields.ts';
import { MAX_REPLAY_HOURS } from '../../../question/request/scenario.ts';
import { bookLoan, bookMember, borrowersMember } from './book.ts';
import { count, keyed, nonNegative, object, oneOf, positive, real } from './figures.ts';

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
    ForcedSaleUsd: change('Of the mean sales.'),
  });

const someLoans = (description: string) =>
  object(description, {
    Loans: count('Number of loans.', 'loans'),
    LoanUsd: nonNegative('Their debt after the shock.', 'USD'),
  });

const flag = (description: string) => meaning(z.boolean(), description);
const ltv = (description: string) => positive(description, 'loan value / collateral value');

const replay = object('Events of the replay.', {
  Hours: count('Hours of the window.', 'hours'),
  FollowedHours: count('Hours that a loan lives through: fewer where all terms end before.', 'hours'),
  Matured: count('Loans whose term ends before the window does.', 'loans'),
  Called: count('Loans called in the replay or before it.', 'loans'),
  ClosedOut: count('Loans that were closed out.', 'loans'),
  Liquidated: count('Loans that were liquidated.', 'loans'),
  CalledAtEnd: count('Loans with an open call at the end.', 'loans'),
  OrdersOpen: count('Loans with an unfinished sale order at the end.', 'loans'),
  Loss: nonNegative('Losses of sales for less than the debt, unfinished orders included.', 'USD'),
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
    'State of the loan directly after the shock; absent if open.',
  ),
  Loss: meaning(
    nonNegative('', 'USD').optional(),
    'Loss in the replay, and mean loss after it; absent for a shock without paths.',
    'USD',
  ),
  Replay: meaning(
    z
      .strictObject({
        Called: flag('Whether it was called.'),
        ClosedOut: flag('Whether it was closed out.'),
        Liquidated: flag('Whether it was liquidated.'),
        End: oneOf('State at the end: a sale may be ordered, or the loan has ended.', [
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
    'Events of the loan in the replay.',
  ),
  Book: meaning(
    bookLoan.omit({ Credit: true }).optional(),
    'Its figures in the simulation; absent if it takes no part.',
  ),
});

const orNone = (description: string, unit: string) => meaning(real('', unit).nullable(), description, unit);
const MOVE = 'unit of Fall or Deviations';

const reverseMember = z.strictObject({
  Fall: orNone(
    's: the smallest fall at which the figure reaches the bound; null where none up to largest does. Not with along likely.',
    'fraction',
  ).optional(),
  Deviations: orNone('The same in standard deviations; with along likely.', 'none').optional(),
  Probability: orNone(
    'Chance of a move of so many deviations under the normal law; with along likely.',
    'fraction',
  ).optional(),
  PriceShock: keyed(
    'Change of each price that moves; that of largest where no move reaches the bound.',
    real('Change of the price.', 'fraction'),
  ),
  Value: real('The figure after this move.', 'unit of the figure'),
  ValueBefore: orNone(
    'The figure at the largest smaller move that was looked at; null at the first.',
    'unit of the figure',
  ),
  Crossings: count(
    'Changes of side of the bound over 17 moves up to largest; above 1 there are larger moves below the bound.',
    'none',
  ),
  Low: orNone(
    'Move below it at which the interval of the figure leaves the bound; null without an interval.',
    MOVE,
  ),
  High: orNone(
    'Move above it at which the interval of the figure leaves the bound; null without an interval.',
    MOVE,
  ),
});

const scenario = z.strictObject({
  Reverse: meaning(
    reverseMember.optional(),
    'With reverse: the move that was found; the other members are those after it.',
  ),
  CollateralUsd: positive('Collateral of the book after the shock.', 'USD'),
  LoanUsd: positive('Debt of the book after the shock.', 'USD'),
  Ltv: ltv('Debt over collateral after the shock.'),
  Called: someLoans('Loans called by the shock or before it.'),
  Liquidated: someLoans('Loans liquidated by the shock.'),
  Replay: replay.optional(),
  Book: meaning(
    bookMember.omit({ Credit: true }).nullable().optional(),
    'The simulation from the end of the replay on, of loans whose term continues without a sale order; null if none is left. Absent with mc_iter 0.',
  ),
  Borrowers: borrowersMember,
  Change: changes(
    'Differences to base on the same paths: losses and sales in the replay and after it. Absent for base, and for a shock without paths.',
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
          'Changes by the terms of compare, by scenario.',
          changes(
            'Figures under the terms of compare minus figures under the terms of the loans, on the same paths.',
          ),
        ),
      })
      .optional(),
    'The same scenarios under the terms of compare.',
  ),
});
