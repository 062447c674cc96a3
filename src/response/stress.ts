/** The answer of /stress, as openapi.json describes it. */
import { z } from 'zod';
import { MAX_REPLAY_HOURS } from '../request/scenario.ts';
import { count, nonNegative, positive, real } from './figures.ts';
import { bookLoan, bookMember, borrowersMember } from './results.ts';

const bound = (which: string) => {
  const words = `${which} end of its interval; null for HISTORICAL, and where too few paths differ.`;
  return real(words, 'USD').nullable().meta({ description: words });
};

const change = (description: string) =>
  z
    .strictObject({
      Value: real('The difference.', 'USD'),
      Low: bound('Lower'),
      High: bound('Upper'),
    })
    .meta({ description });

const changes = (description: string) =>
  z
    .strictObject({
      ExpectedLoss: change('Of the mean loss.'),
      LossCVar: z
        .record(z.string(), change('Of one level.'))
        .meta({ description: 'Of the tail mean of the loss, by quantile.' }),
      ForcedSaleUsd: change('Of the mean of what is sold.'),
    })
    .meta({ description });

const someLoans = (description: string) =>
  z
    .strictObject({
      Loans: count('Number of loans.', 'loans'),
      LoanUsd: nonNegative('Their debt after the shock.', 'USD'),
    })
    .meta({ description });

const flag = (description: string) => z.boolean().meta({ description });
const ltv = (description: string) => positive(description, 'loan value / collateral value');

const replay = z
  .strictObject({
    Called: count('Loans that were called, or were so at the start.', 'loans'),
    ClosedOut: count('Loans that were closed out.', 'loans'),
    Liquidated: count('Loans that were liquidated.', 'loans'),
    CalledAtEnd: count('Loans with a call that is open at the end.', 'loans'),
    OrdersOpen: count('Loans with a sale that is ordered and not carried out at the end.', 'loans'),
    Loss: nonNegative(
      'Lost by sales for less than the debt; those still ordered at the end are in it.',
      'USD',
    ),
    ForcedSaleUsd: nonNegative('Collateral sold, at the prices of each sale.', 'USD'),
    PeakDayUsd: nonNegative('Largest sales within 24 hours.', 'USD'),
    ToppedUpUsd: nonNegative('Collateral that borrowers added.', 'USD'),
    Lowest: positive(
      'Lowest collateral over debt of the book on the way, as if nothing were sold or added.',
      'collateral value / loan value',
    ),
    Path: z
      .array(nonNegative('Collateral over debt of the book.', 'collateral value / loan value'))
      .max(MAX_REPLAY_HOURS + 1)
      .optional()
      .meta({
        description: 'The same hour by hour from the start on; with include=path. 0 where no term goes on.',
      }),
  })
  .meta({ description: 'What the replay does.' });

const END_LTV = 'Debt over collateral at the end; null where it is not open or called then.';
const endLtv = ltv(END_LTV).nullable().meta({ description: END_LTV });

const loan = z.strictObject({
  CollateralUsd: positive('Collateral after the shock.', 'USD'),
  LoanUsd: positive('Debt after the shock.', 'USD'),
  Ltv: ltv('Debt over collateral after the shock.'),
  Status: z
    .enum(['called', 'liquidated'])
    .optional()
    .meta({ description: 'What the loan is at once after the shock; only where it is so.' }),
  Loss: nonNegative('Loss in the replay, and mean loss after it.', 'USD'),
  Replay: z
    .strictObject({
      Called: flag('Whether it was called.'),
      ClosedOut: flag('Whether it was closed out.'),
      Liquidated: flag('Whether it was liquidated.'),
      End: z
        .enum(['open', 'called', 'ordered', 'ended'])
        .meta({ description: 'What it is at the end: a sale may be ordered, or the loan has ended.' }),
      Ltv: endLtv,
      Loss: nonNegative('Lost by sales.', 'USD'),
      ForcedSaleUsd: nonNegative('Collateral sold.', 'USD'),
      ToppedUpUsd: nonNegative('Collateral that its borrower added.', 'USD'),
    })
    .optional()
    .meta({ description: 'What the replay does to it.' }),
  Book: bookLoan.optional().meta({ description: 'Its figures in the simulation; only where it is in it.' }),
});

const scenario = z.strictObject({
  CollateralUsd: positive('Collateral of the book after the shock.', 'USD'),
  LoanUsd: positive('Debt of the book after the shock.', 'USD'),
  Ltv: ltv('Debt over collateral after the shock.'),
  Called: someLoans('Loans that are called at once, or were so before.'),
  Liquidated: someLoans('Loans that are liquidated at once.'),
  Replay: replay.optional(),
  Book: bookMember.nullable().optional().meta({
    description:
      'The simulation, from the end of the replay on, of loans whose term goes on with no sale ordered; null where none is left. Absent with mc_iter 0.',
  }),
  Borrowers: borrowersMember,
  Change: changes(
    'Less base, on the same paths: what is lost and sold in all, in the replay and after it. Absent for base.',
  ).optional(),
  Loans: z.record(z.string(), loan).meta({
    description: 'The 20 loans with the largest losses above 0, the largest first; all with include=loans.',
  }),
});

const scenarios = z
  .record(z.string(), scenario)
  .meta({ description: 'Figures of each scenario by its name; base is the first.' });

export const stressOutput = z.strictObject({
  Scenarios: scenarios,
  Compared: z
    .strictObject({
      Scenarios: scenarios,
      Difference: z
        .record(
          z.string(),
          changes('Under the terms of compare less under those of the loans, on the same paths.'),
        )
        .meta({ description: 'What the terms of compare change, by scenario.' }),
    })
    .optional()
    .meta({ description: 'The same scenarios under the terms of compare.' }),
});
