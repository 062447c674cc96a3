/** The member `credit` of /book_risk: which credit figures a book has, and the rules of its stages (docs/credit.md). */
import { z } from 'zod';
import { requirement } from '../../text/message.ts';
import { choice, durationDays, meaning, members, number, wholeNumber, yesOrNo } from '../request/fields.ts';

/** Days past due from which a loan is in stage 2, and in stage 3: the presumptions of IFRS 9 5.5.11 and B5.5.37. */
const STAGE_2_DAYS = 30;
const STAGE_3_DAYS = 90;

const daysPastDue = (stage: number, days: number) =>
  meaning(wholeNumber(1, 36_500), `Days past due from which a loan is in stage ${stage}.`, 'days').default(
    days,
  );

const threshold = (description: string, unit: string, most: number) =>
  meaning(number(`above 0 and at most ${most}`).gt(0).max(most), description, unit);

const stage2 = members({
  called: meaning(yesOrNo, 'Whether a loan in margin call is in stage 2.').default(true),
  days_past_due: daysPastDue(2, STAGE_2_DAYS),
  ltv_above: threshold(
    'Loan over collateral at the start above which a loan is in stage 2.',
    'loan value / collateral value',
    100,
  ).optional(),
  pd_above: threshold('Probability of default above which a loan is in stage 2.', 'fraction', 1).optional(),
  pd_times: threshold(
    'The same over origination_pd, of loans that state it: at how many times it a loan is in stage 2.',
    'none',
    10_000,
  ).optional(),
});

const stage3 = members({
  liquidated: meaning(yesOrNo, 'Whether a loan below L at the start is in stage 3.').default(true),
  days_past_due: daysPastDue(3, STAGE_3_DAYS),
});

const DEFAULT_HORIZON_DAYS = 365;

export const creditMember = meaning(
  members({
    event: meaning(
      choice(['sale', 'loss']),
      'What counts as a default: sale, the first liquidation, closeout or handing over below the debt; or loss, the same on scenarios with a loss. Stages always use sale.',
    ).default('sale'),
    horizon_days: meaning(
      durationDays,
      'Period of PDHorizon and ELHorizon; the term of a loan that is shorter.',
    ).default(DEFAULT_HORIZON_DAYS),
    effective_rate: meaning(
      z.union([number('from -0.5 to 10 a year').min(-0.5).max(10), z.literal('interest')], {
        error: requirement('interest, or a number from -0.5 to 10 a year'),
      }),
      'Effective interest rate a year, at which losses are discounted to the start: a number, or interest for what undoes the interest_rate of each loan. Default: losses are not discounted.',
      'fraction per year',
    ).optional(),
    stage_2: meaning(
      stage2,
      'A loan is in stage 2 where any of these rules holds, and none of stage 3.',
    ).prefault({}),
    stage_3: meaning(
      stage3,
      'A loan is in stage 3 where any of these rules holds; its collateral is ordered to be sold at the start.',
    ).prefault({}),
  }),
  'Credit figures of every loan and of the book: PD, EAD, LGD, expected credit loss and stages. Default: none.',
).optional();

export type CreditTerms = NonNullable<z.infer<typeof creditMember>>;
