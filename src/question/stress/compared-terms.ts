/** The member `compare`: terms for all loans of a book in place of their own; the loans with these terms, and their faults at the member. */
import type { z } from 'zod';
import type { Fault } from '../../core/errors.ts';
import { counted, listed } from '../../text/grouped.ts';
import { issue } from '../../text/message.ts';
import type { ResolveSymbol } from '../../text/symbols.ts';
import type { BookColumns } from '../book/columns.ts';
import { type BookLoan, refuseCostlySale, resolvedRow, type SentRow } from '../book/loan-row.ts';
import type { Valued } from '../request/amounts.ts';
import { Faults } from '../request/faults.ts';
import { meaning, members, rowSaleCost, saleDelayHours, topUpHours } from '../request/fields.ts';
import { interestRate, partialSale, topUp } from '../request/loan-fields.ts';
import { callRatios, LTV_OF, liquidationRatio } from '../request/ltv.ts';

/** Members of a row of a book, and the delay of sales. */
const comparedMembers = (resolve: ResolveSymbol) => ({
  ...callRatios,
  ...liquidationRatio(resolve),
  mc_top_up: topUpHours.optional(),
  interest_rate: interestRate,
  top_up: topUp,
  sale_cost: rowSaleCost,
  partial_sale: partialSale,
  sale_delay: saleDelayHours.unwrap().optional(),
});
export type Compare = z.output<ReturnType<typeof members<ReturnType<typeof comparedMembers>>>>;

/** The other terms, and the loans with them. */
export interface ComparedTerms {
  /** As they were sent. */
  readonly terms: Compare;
  /** Hours. */
  readonly saleDelay: number;
  readonly loans: BookColumns;
}

/** The schema of `compare`. The loans with these terms check the rules between its members and theirs. */
export const compareMember = (resolve: ResolveSymbol) =>
  meaning(
    members(comparedMembers(resolve)).superRefine(
      (terms, context) => {
        if (Object.keys(terms).length === 0)
          context.addIssue(issue('missing', [], 'an object with at least one member', terms, 'none'));
      },
      { when: ({ issues }) => issues.length === 0 },
    ),
    'Terms that every loan is given in place of its own: the same scenarios are answered under both, on the same paths.',
  ).optional();

/** Members with the same meaning. */
const OTHER_FORM = new Map<string, string>(
  Object.entries(LTV_OF).flatMap(([ratio, ltv]) => [
    [ratio, ltv],
    [ltv, ratio],
  ]),
);

/** A row as sent, with the terms in place of its own. */
export function comparedRow(row: SentRow, { sale_delay: _, ...ofLoans }: Compare): SentRow {
  const replaced = new Set(Object.keys(ofLoans).flatMap(name => [name, OTHER_FORM.get(name) ?? name]));
  const kept = Object.entries(row).filter(([name]) => !replaced.has(name));
  const { id, loan_duration } = row;
  const mc_top_up = ofLoans.mc_top_up ?? row.mc_top_up;
  return { ...Object.fromEntries(kept), ...ofLoans, id, loan_duration, mc_top_up };
}

const MAX_FAULTS = 20;
/** Most loans that a fault names. */
const MAX_IDS = 50;

/** The resolved loans under the terms; their faults at the member `compare`, each once, with the loans that have it. */
export function comparedLoans(
  sent: readonly SentRow[],
  valued: readonly (Valued | undefined)[],
  compare: Compare,
  saleCost: number,
  list: Fault[],
): BookLoan[] {
  const found = new Map<string, { readonly fault: Fault; readonly ids: string[] }>();
  const loans = sent.map((row, k) => {
    const own: Fault[] = [];
    const faults = new Faults([], own, path => {
      const isOwn = Object.hasOwn(compare, path[0]);
      return {
        path: ['params', 'compare', ...(isOwn ? path : [])],
        shown: isOwn ? ['compare', ...path] : ['loans', k, ...path],
        words: '',
      };
    });
    const loan = resolvedRow(comparedRow(row, compare), valued[k], faults);
    refuseCostlySale(loan, saleCost, faults);
    for (const fault of own) {
      // A sentence begins with its member.
      const [member] = fault.message.replace(`loans.${k}.`, '').split(' ');
      const known = found.get(member);
      if (known === undefined) found.set(member, { fault, ids: [row.id] });
      else if (known.ids.at(-1) !== row.id) known.ids.push(row.id);
    }
    return loan;
  });
  for (const { fault, ids } of [...found.values()].slice(0, MAX_FAULTS))
    list.push({
      ...fault,
      message: `${fault.message} (in ${counted(ids.length, 'loan')}: ${listed(ids, MAX_IDS)})`,
    });
  return loans;
}
