/** The members of a book that say who bears its losses: tranches, a reserve, economic capital. */
import { z } from 'zod';
import { ATTACH_TARGETS } from '../../core/book/waterfall.ts';
import { MOST_DETACH } from '../../core/figures/waterfall.ts';
import { issue, requirement } from '../../text/message.ts';
import { choice, identifier, meaning, members, number } from '../request/fields.ts';
import { rule, withRules } from '../request/rules.ts';

const MAX_TRANCHES = 16;
const OF_LOAN_VALUE = 'share of the loan value';

const target = members({
  figure: meaning(choice(ATTACH_TARGETS), 'Figure of the tranche that is to be at most value.'),
  value: meaning(
    number('from 0 to 100').min(0).max(100),
    'For PrLoss a share of the scenarios, for ExpectedLossPct per cent of the tranche.',
    'unit of the figure',
  ),
});

const attachFor = withRules(
  target,
  rule<z.output<typeof target>>(
    ['figure', 'value'],
    'value',
    ({ figure, value }) => figure !== 'PrLoss' || value <= 1,
    () => 'from 0 to 1 for PrLoss, a share of the scenarios',
    ({ value }) => value,
  ),
);

const trancheMembers = members({
  name: meaning(identifier, 'Name of the tranche, 1 to 64 characters; each once.'),
  attach: meaning(
    number(`from 0 to ${MOST_DETACH}`).min(0).max(MOST_DETACH),
    'Losses after the reserve begin to reduce the tranche here.',
    OF_LOAN_VALUE,
  ).optional(),
  attach_for: meaning(
    attachFor,
    'In place of attach: the smallest attachment point at which a figure of the tranche is at most a value.',
  ).optional(),
  detach: meaning(
    number(`above 0 and at most ${MOST_DETACH}`).gt(0).max(MOST_DETACH),
    'Losses after the reserve have used up the tranche here.',
    OF_LOAN_VALUE,
  ),
});
type Tranche = z.output<typeof trancheMembers>;

const tranche = withRules(
  trancheMembers,
  rule<Tranche>(
    ['attach', 'attach_for'],
    'attach',
    ({ attach, attach_for }) => (attach === undefined) !== (attach_for === undefined),
    () => 'sent, or attach_for in its place',
    ({ attach }) => (attach === undefined ? 'neither' : 'both'),
  ),
  rule<Tranche>(
    ['attach', 'detach'],
    'detach',
    ({ attach = 0, detach }) => detach > attach,
    ({ attach }) => `above attach (${attach})`,
    ({ detach }) => detach,
  ),
);

const tranches = z
  .array(tranche, { error: requirement(`a list of 1 to ${MAX_TRANCHES} tranches`) })
  .min(1)
  .max(MAX_TRANCHES)
  .superRefine(
    (list, context) => {
      const first = new Map<string, number>();
      list.forEach(({ name }, i) => {
        const known = first.get(name);
        if (known === undefined) first.set(name, i);
        else
          context.addIssue(
            issue('repeated', [i, 'name'], `different from the name of tranche ${known}`, name),
          );
      });
    },
    { when: ({ issues, value }) => issues.length === 0 && Array.isArray(value) },
  );

/** Members of /book_risk and /stress. */
export const waterfallMembers = {
  tranches: meaning(
    tranches,
    'Parts of the losses by their shares of LoanValue, after the reserve: each bears what lies between attach and detach. They may overlap.',
  ).optional(),
  reserve: meaning(
    number('from 0 to 1').min(0).max(1),
    'Bears the first losses. A reserve of a deal that may pay interest only is none.',
    OF_LOAN_VALUE,
  ).optional(),
  excess_spread: meaning(
    number('from 0 to 1').min(0).max(1),
    'Earned on loans without a loss while they are alive, net of fees and coupons; bears losses before the reserve. When it is earned does not count: an upper bound.',
    'fraction of loan_value per year',
  ).optional(),
  economic_capital: meaning(
    z.boolean({ error: requirement('true or false') }),
    'Whether the answer has EconomicCapital of the book and its parts by loan and borrower.',
  ).optional(),
};
