/** The request of /book_risk: its schema, and the request with its loans by columns. */
import { z } from 'zod';
import type { Fault } from '../../core/errors.ts';
import type { Day } from '../../text/calendar-date.ts';
import { grouped } from '../../text/grouped.ts';
import { isObject, issue, requirement, show } from '../../text/message.ts';
import { MAX_SYMBOLS, type ResolveSymbol } from '../../text/symbols.ts';
import { amountPrices, amountsOf, type Valued } from '../request/amounts.ts';
import { Faults } from '../request/faults.ts';
import {
  analysisDate,
  bookQuantiles,
  MAX_BOOK_PATHS,
  mcIter,
  meaning,
  modelLookback,
  saleCost,
  saleDelayHours,
} from '../request/fields.ts';
import { perDay, readBody, type UnresolvedBody } from '../request/parse.ts';
import { type PriceShock, priceShock, shockedAssetsAreUsed } from '../request/price-shock.ts';
import type { Closes, WantedPrices } from '../request/prices.ts';
import { proxies } from '../request/proxies.ts';
import type { WeightMap } from '../request/weight-map.ts';
import type { Reading, Resolved } from '../resolved.ts';
import { typedRequest } from '../typed-request.ts';
import { type BookColumns, bookColumns, symbolsOf } from './columns.ts';
import { creditMember } from './credit-request.ts';
import { type BookLoan, loanSchema, refuseCostlySale, resolvedRow } from './loan-row.ts';
import { waterfallMembers } from './waterfall-members.ts';

/** Most loans of a body over HTTP, where a book has neighbours, and of the command. */
export const MAX_LOANS = 20_000;
export const MAX_LOANS_OF_COMMAND = 100_000;
/** The remedy for a longer book. */
export const COMMAND_TAKES_MORE = `the command \`collateral-risk-engine book\` takes ${grouped(MAX_LOANS_OF_COMMAND, 0)}`;
/**
 * The form of the largest book of the command, so that a longer one over HTTP is refused for its loans. Levels: the body, its params, the
 * loans, a loan, its weights. Containers per loan: itself, two maps of weights, `top_up` and `partial_sale`.
 */
export const BOOK_FORM = {
  levels: 8,
  containers: 5 * MAX_LOANS_OF_COMMAND + 2000,
} as const;

/** The list of loans. The loans of a longer list are not read: each could add a message. */
const loansOf = (resolve: ResolveSymbol, most: number) =>
  meaning(
    z.preprocess(
      (sent, context) => {
        if (!Array.isArray(sent) || sent.length <= most) return sent;
        const remedy = most < MAX_LOANS_OF_COMMAND ? ` (${COMMAND_TAKES_MORE})` : '';
        context.addIssue(issue('out_of_range', [], `a list of 1 to ${most} loans${remedy}`, sent));
        return z.NEVER;
      },
      z
        .array(loanSchema(resolve), { error: requirement(`a list of 1 to ${most} loans`) })
        .min(1)
        .max(most),
    ),
    'The loans of the book.',
  );

/** Every asset of a shock is one of some loan. */
const shockedLoansAreHeld = shockedAssetsAreUsed<{
  readonly loans: readonly BookLoan[];
  readonly price_shock?: PriceShock | undefined;
}>(['loans'], ({ loans }) => symbolsOf(loans));

/** The members of a book: its window, its sales, its loans. */
export const bookTerms = (today: Day, resolve: ResolveSymbol, maxLoans: number) => ({
  analysis_date: analysisDate(today),
  model_lookback: modelLookback(),
  sale_delay: saleDelayHours,
  sale_cost: saleCost,
  quantile: bookQuantiles,
  ...waterfallMembers,
  ...amountPrices(resolve),
  proxy: proxies(resolve),
  loans: loansOf(resolve, maxLoans),
});

export const bookRiskSchema = perDay((today: Day, resolve, maxLoans = MAX_LOANS) =>
  typedRequest('book', {
    terms: {
      ...bookTerms(today, resolve, maxLoans),
      credit: creditMember,
      price_shock: priceShock(resolve),
    },
    paths: mcIter(MAX_BOOK_PATHS),
  }),
);

type SentBook = z.infer<ReturnType<typeof bookRiskSchema>>['params'];
/** The members of a book, its loans by columns. */
export type BookTerms = Omit<SentBook, 'loans'> & { readonly loans: BookColumns };
export type BookRiskRequest = Resolved<BookTerms>;

/** The loans of a body as sent, and as they are resolved at prices. */
interface LoansToResolve {
  readonly wanted: WantedPrices | undefined;
  resolve(closes: Closes): ResolvedLoans;
}
interface ResolvedLoans {
  readonly loans: readonly BookLoan[];
  readonly prices: WeightMap | undefined;
  /** What follows from the amounts of each loan. */
  readonly valued: readonly (Valued | undefined)[];
}

type SentLoans = Pick<SentBook, 'loans' | 'prices' | 'analysis_date' | 'sale_cost'>;

/** The loans of a book or a stress; none where the list itself has a fault. */
export function loansToResolve(sent: SentLoans, faults: Faults, maxLoans = MAX_LOANS): LoansToResolve {
  if (!Array.isArray(sent.loans) || sent.loans.length > maxLoans)
    return { wanted: undefined, resolve: () => ({ loans: [], prices: undefined, valued: [] }) };
  const faultsOf = faults.ofRows('loans');
  const holders = sent.loans.flatMap((row, k) =>
    isObject(row) ? [{ sent: row, faults: faultsOf(k), k }] : [],
  );
  const amounts = amountsOf(holders, 'both', sent, faults);
  return {
    wanted: amounts.wanted,
    resolve(closes) {
      const { valued, prices } = amounts.value(closes);
      const costKnown = !faults.touch('sale_cost');
      const loans = holders.map(({ sent: row, faults: own }, i) => {
        const loan = resolvedRow(row, valued[i], own);
        if (costKnown) refuseCostlySale(loan, sent.sale_cost, own);
        return loan;
      });
      if (!faults.touch('loans')) refuseList(loans, faults);
      return { loans, prices, valued };
    },
  };
}

/** Loans without faults of their own have names of their own, and few symbols. */
function refuseList(loans: readonly BookLoan[], faults: Faults): void {
  const first = new Map<string, number>();
  loans.forEach(({ id }, k) => {
    const known = first.get(id);
    if (known === undefined) first.set(id, k);
    else faults.refuse('repeated', ['loans', k, 'id'], `different from the id of loan ${known}`, id);
  });
  const { length } = symbolsOf(loans);
  if (length <= MAX_SYMBOLS) return;
  const bound = `such that all loans name at most ${MAX_SYMBOLS} distinct symbols`;
  faults.report(issue('out_of_range', ['loans'], bound, loans, `${length} of them`));
}

export const BOOK_READING: Reading<BookRiskRequest> = {
  schema: bookRiskSchema,
  read: (body, { today, resolve: symbols, maxLoans }) =>
    namingLoans(
      body,
      readBody(bookRiskSchema(today, symbols, maxLoans), body, ({ type, params }, issues, list) => {
        const faults = Faults.ofParams(issues, list);
        const book = loansToResolve(params, faults, maxLoans);
        return {
          wanted: book.wanted,
          resolve(closes) {
            const { loans, prices } = book.resolve(closes);
            faults.judge({ ...params, loans }, [shockedLoansAreHeld]);
            if (!faults.none) return undefined;
            const columns = bookColumns(loans, params.price_shock !== undefined, params.credit);
            return { methodology: type, terms: { ...params, ...(prices && { prices }), loans: columns } };
          },
        };
      }),
    ),
};

const ROW = /^params\.loans\.(\d+)\b/;

/** A body whose faults of rows have the ids of their loans: an index in a long list is hard to find. */
export function namingLoans<R>(body: unknown, { wanted, resolve }: UnresolvedBody<R>): UnresolvedBody<R> {
  const named = (fault: Fault): Fault => {
    const row = ROW.exec(fault.path)?.[1];
    if (row === undefined) return fault;
    const { params } = body as { params?: { loans?: readonly { id?: unknown }[] } };
    const id = params?.loans?.[Number(row)]?.id;
    return typeof id === 'string' ? { ...fault, message: `${fault.message} (loan ${show(id)})` } : fault;
  };
  return {
    wanted,
    resolve(closes) {
      const checked = resolve(closes);
      return checked.ok ? checked : { ok: false, faults: checked.faults.map(named) };
    },
  };
}
