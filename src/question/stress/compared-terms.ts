/** The member `compare`: terms for all loans of a book in place of their own; the body with these terms, and its faults at the member. */
import type { z } from 'zod';
import type { Fault } from '../../core/errors.ts';
import { issue } from '../../text/message.ts';
import type { BookColumns } from '../book/columns.ts';
import { meaning, members, rowSaleCost, saleDelayHours, topUpHours } from '../request/fields.ts';
import { interestRate, partialSale, topUp } from '../request/loan-fields.ts';
import { callRatios, LTV_OF, liquidationRatio } from '../request/ltv.ts';
import { type Rule, withRules } from '../request/rules.ts';

/** Members of a row of a book, and the delay of sales. */
const COMPARED = {
  ...callRatios,
  ...liquidationRatio,
  mc_top_up: topUpHours.optional(),
  interest_rate: interestRate,
  top_up: topUp,
  sale_cost: rowSaleCost,
  partial_sale: partialSale,
  sale_delay: saleDelayHours.unwrap().optional(),
};
export type Compare = Readonly<Partial<Record<keyof typeof COMPARED, unknown>>>;

/** The other terms, and the loans with them. */
export interface ComparedTerms {
  /** As they were sent. */
  readonly terms: Compare;
  /** Hours. */
  readonly saleDelay: number;
  readonly loans: BookColumns;
}

const hasMember: Rule<Compare> = [
  (terms, context) => {
    if (Object.keys(terms).length === 0)
      context.addIssue(issue([], 'an object with at least one member', terms, 'none'));
  },
  { when: ({ issues }) => issues.length === 0 },
];

/** The schema of `compare`. The loans with these terms check the rules between its members and theirs. */
export const compareMember = meaning(
  withRules(members(COMPARED) as unknown as z.ZodType<Compare>, hasMember),
  'Terms that every loan is given in place of its own: the same scenarios are answered under both, on the same paths.',
).optional();

/** Members with the same meaning. */
const OTHER_FORM = new Map<string, string>(
  Object.entries(LTV_OF).flatMap(([ratio, ltv]) => [
    [ratio, ltv],
    [ltv, ratio],
  ]),
);

interface SentBody {
  readonly params: Readonly<Record<string, unknown>> & {
    readonly loans: readonly Readonly<Record<string, unknown>>[];
  };
}

/** The body with the terms in its loans. @param body without faults */
export function comparedBody(body: unknown, compare: Compare): unknown {
  const { params, ...envelope } = body as SentBody;
  const { sale_delay, ...ofLoans } = compare;
  const replaced = Object.keys(ofLoans).flatMap(name => [name, OTHER_FORM.get(name) ?? name]);
  const { compare: _, ...others } = params;
  return {
    ...envelope,
    params: {
      ...others,
      ...(sale_delay === undefined ? {} : { sale_delay }),
      loans: params.loans.map(loan => ({
        ...Object.fromEntries(Object.entries(loan).filter(([name]) => !replaced.includes(name))),
        ...ofLoans,
      })),
    },
  };
}

const OF_LOAN = /^params\.loans\.\d+\.?/;
const MAX_FAULTS = 20;

/** Faults of the terms, at the member `compare`; each once, for its first loan. */
export function faultsOfCompared(faults: readonly Fault[], compare: Compare): Fault[] {
  const found = new Map<string, Fault>();
  for (const { path, message } of faults) {
    const member = path.replace(OF_LOAN, '').replace(/^params\.?/, '');
    const isOwn = Object.hasOwn(compare, member.split('.')[0]);
    const at = isOwn ? `params.compare.${member}` : 'params.compare';
    const loan = OF_LOAN.exec(path)?.[0].replace(/\.$/, '').replace('params.', '');
    const words = loan === undefined ? message : message.replace(`${loan}.`, 'compare.');
    if (!found.has(`${at} ${member}`))
      found.set(`${at} ${member}`, { path: at, message: `${words} (in ${loan ?? 'the book'})` });
  }
  return [...found.values()].slice(0, MAX_FAULTS);
}
