/** The request of /book_risk: its schema, and the request with its loans by columns; up to 100,000 loans on the same paths. */
import { z } from 'zod';
import type { Fault } from '../../core/errors.ts';
import type { Day } from '../../text/calendar-date.ts';
import { issue, requirement, show } from '../../text/message.ts';
import { MAX_SYMBOLS, type ResolveSymbol } from '../../text/symbols.ts';
import { amountPrices } from '../request/amounts.ts';
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
import { type Checked, checkRequest, perDay } from '../request/parse.ts';
import { type PriceShock, priceShock, shockedAssetsAreUsed } from '../request/price-shock.ts';
import { typedRequest } from '../typed-request.ts';
import { type BookColumns, bookColumns, symbolsOf } from './columns.ts';
import { type BookLoan, loanSchema, salesRestoreMoreThanTheyCost } from './loan-row.ts';

export const MAX_LOANS = 100_000;
/**
 * The form of the largest book. Levels: the body, its params, the loans, a loan, its weights. Containers per loan: itself, two maps of
 * weights, `top_up` and `partial_sale`. Values per loan: 24 members and up to 32 symbols in each map. The form bounds the memory of lists
 * and brackets; the heap of the reader process bounds names of members (reader.ts).
 */
export const BOOK_FORM = {
  levels: 8,
  containers: 5 * MAX_LOANS + 2000,
  values: (24 + 2 * MAX_SYMBOLS) * MAX_LOANS + 10_000,
} as const;
const LOANS_BOUND = `a list of 1 to ${MAX_LOANS} loans`;

const loanList = (resolve: ResolveSymbol) =>
  z
    .array(loanSchema(resolve), { error: requirement(LOANS_BOUND) })
    .min(1)
    .max(MAX_LOANS)
    .superRefine(
      (loans, context) => {
        const first = new Map<string, number>();
        loans.forEach(({ id }, k) => {
          const known = first.get(id);
          if (known === undefined) first.set(id, k);
          else context.addIssue(issue([k, 'id'], `different from the id of loan ${known}`, id));
        });
        const { length } = symbolsOf(loans);
        if (length > MAX_SYMBOLS)
          context.addIssue(
            issue(
              [],
              `such that all loans name at most ${MAX_SYMBOLS} distinct symbols`,
              loans,
              `${length} of them`,
            ),
          );
      },
      // Loans with faults of their own cannot be compared.
      { when: ({ issues, value }) => issues.length === 0 && Array.isArray(value) },
    );

/** The list of loans. The loans of a longer list are not read: each could add a message. */
const loansOf = (resolve: ResolveSymbol) =>
  meaning(
    z.preprocess((sent, context) => {
      if (!Array.isArray(sent) || sent.length <= MAX_LOANS) return sent;
      context.addIssue(issue([], LOANS_BOUND, sent));
      return z.NEVER;
    }, loanList(resolve)),
    'The loans of the book.',
  );

/** Every asset of a shock is one of some loan. */
const shockedLoansAreHeld = shockedAssetsAreUsed<{
  readonly loans: readonly Pick<BookLoan, 'collateral_weights' | 'loan_weights'>[];
  readonly price_shock?: PriceShock | undefined;
}>(['loans'], ({ loans }) => symbolsOf(loans));

/** The members of a book: its window, its sales, its loans. */
export const bookTerms = (today: Day, resolve: ResolveSymbol) => ({
  analysis_date: analysisDate(today),
  model_lookback: modelLookback(),
  sale_delay: saleDelayHours,
  sale_cost: saleCost,
  quantile: bookQuantiles,
  ...amountPrices(resolve),
  loans: loansOf(resolve),
});

export const bookRiskSchema = perDay((today: Day, resolve) => {
  return typedRequest('book', {
    terms: { ...bookTerms(today, resolve), price_shock: priceShock(resolve) },
    rules: [salesRestoreMoreThanTheyCost, shockedLoansAreHeld],
    paths: mcIter(MAX_BOOK_PATHS),
  });
});

type Sent = z.infer<ReturnType<typeof bookRiskSchema>>;
/** A processed /book_risk request, its loans by columns. */
export interface BookRiskRequest {
  readonly type: Sent['type'];
  readonly params: Omit<Sent['params'], 'loans'> & { readonly loans: BookColumns };
}

export function readBookRisk(body: unknown, today: Day, resolve?: ResolveSymbol): Checked<BookRiskRequest> {
  const checked = checkRequest(bookRiskSchema(today, resolve), body);
  if (!checked.ok) return { ok: false, faults: checked.faults.map(fault => namingLoan(fault, body)) };
  const { type, params } = checked.value;
  return {
    ok: true,
    value: {
      type,
      params: { ...params, loans: bookColumns(params.loans, params.price_shock !== undefined) },
    },
  };
}

const ROW = /^params\.loans\.(\d+)\b/;

/** A fault of a row with the id of its loan: an index in a long list is hard to find. */
export function namingLoan(fault: Fault, body: unknown): Fault {
  const row = ROW.exec(fault.path)?.[1];
  if (row === undefined) return fault;
  const { params } = body as { params?: { loans?: readonly { id?: unknown }[] } };
  const id = params?.loans?.[Number(row)]?.id;
  return typeof id === 'string' ? { ...fault, message: `${fault.message} (loan ${show(id)})` } : fault;
}
