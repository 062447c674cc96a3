/** The columns of a loan tape: their names, synonyms of lenders, and kinds of cells. */
import type { FaultCode } from '../core/errors.ts';
import { simpleName } from '../text/nearest-name.ts';
import { type Heading, readHeading } from './headings.ts';
import type { Remedy } from './remedies.ts';

export interface CellFault {
  readonly code: FaultCode;
  readonly message: string;
  readonly remedy: Remedy;
}

/** The kind of the cells of a column. */
export type CellKind = 'text' | 'symbol' | 'amount' | 'fraction' | 'hours' | 'number' | 'moment';

interface ColumnRule {
  readonly kind: CellKind;
  /** Whether the value is of the whole loan and may stand in one of its rows; other columns differ by row. */
  readonly ofLoan: boolean;
  /** Other names, in words. */
  readonly synonyms: readonly string[];
}

const column = (kind: CellKind, synonyms: readonly string[], ofLoan = true): ColumnRule => ({
  kind,
  ofLoan,
  synonyms,
});

/** Every column. No synonym belongs to two columns. */
export const TAPE_COLUMNS = {
  loan_id: column('text', ['id', 'loan', 'loan number', 'loan code'], false),
  borrower: column('text', ['client', 'client id']),
  collateral_asset: column('symbol', ['collateral', 'collateral coin', 'collateral type'], false),
  collateral_amount: column('amount', ['collateral quantity', 'collateral balance'], false),
  collateral_value: column('amount', ['collateral market value'], false),
  loan_asset: column('symbol', [
    'loan currency',
    'currency',
    'currency code',
    'loan currency code',
    'principal currency',
    'debt asset',
    'borrowed asset',
  ]),
  loan_amount: column('amount', [
    'principal',
    'principal amount',
    'principal balance',
    'loan principal',
    'outstanding',
    'outstanding principal',
    'outstanding amount',
    'outstanding balance',
    'outstanding debt',
    'loan outstanding',
    'loan principal outstanding',
    'loan balance',
    'balance',
    'notional',
    'loan notional',
    'notional outstanding',
    'debt',
    'debt amount',
    'debt balance',
    'loan debt',
    'exposure',
    'loan exposure',
    'borrowed',
    'borrowed amount',
    'payoff',
    'payoff amount',
    'amount due',
    'debt due',
    'outstanding due',
  ]),
  loan_value: column('amount', ['debt value', 'outstanding value']),
  accrued_interest: column('amount', [
    'accrued',
    'interest accrued to date',
    'accrued amount',
    'unpaid interest',
    'interest due',
  ]),
  ltv: column('fraction', ['current ltv']),
  initial_ltv: column('fraction', ['origination ltv', 'original ltv', 'start ltv', 'opening ltv']),
  margin_call_ltv: column('fraction', [
    'margin ltv',
    'call ltv',
    'margin call',
    'margin call level',
    'margin call level ltv',
    'margin level',
    'margin level ltv',
    'warning ltv',
  ]),
  liquidation_ltv: column('fraction', [
    'liquidation',
    'liquidation level',
    'liquidation level ltv',
    'closeout ltv',
  ]),
  recovery_ltv: column('fraction', ['cure ltv', 'restore ltv', 'target ltv']),
  interest: column('fraction', [
    'interest rate',
    'rate',
    'loan rate',
    'apr',
    'coupon',
    'coupon rate',
    'annual rate',
    'annual interest rate',
  ]),
  maturity: column('moment', [
    'maturity date',
    'loan maturity',
    'loan maturity date',
    'final maturity date',
    'due date',
    'end date',
    'loan end date',
    'term end',
    'term end date',
  ]),
  grace_hours: column('hours', [
    'grace',
    'grace period',
    'margin call grace',
    'margin call grace period',
    'mc top up',
  ]),
  grace_days: column('hours', ['grace period days']),
  called_at: column('moment', [
    'margin called at',
    'margin call date',
    'margin call issued',
    'margin call issued date',
    'call date',
    'call time',
    'call issued',
    'called on',
    'called since',
    'call since',
  ]),
  top_up_share: column('fraction', ['top up probability', 'answer share']),
  top_up_delay_hours: column('hours', ['top up delay', 'answer delay hours']),
  top_up_to_ltv: column('fraction', ['top up ltv', 'answer to ltv']),
  sale_cost: column('fraction', ['liquidation cost', 'liquidation penalty', 'cost of sale']),
  partial_sale_to_ltv: column('fraction', ['partial sale ltv', 'sell down to ltv', 'sell down ltv']),
  partial_sale_max_share: column('fraction', ['close factor', 'max share']),
  days_past_due: column('number', [
    'dpd',
    'arrears days',
    'days in arrears',
    'days delinquent',
    'days overdue',
  ]),
  stage: column('number', ['ifrs stage', 'ifrs 9 stage', 'ecl stage', 'impairment stage']),
  origination_pd: column('fraction', ['pd at origination', 'original probability of default', 'initial pd']),
} as const satisfies Readonly<Record<string, ColumnRule>>;

export type TapeColumn = keyof typeof TAPE_COLUMNS;
export const TAPE_COLUMN_NAMES = Object.keys(TAPE_COLUMNS) as readonly TapeColumn[];
export const isTapeColumn = (name: string): name is TapeColumn => Object.hasOwn(TAPE_COLUMNS, name);

/** Stands for a column of the tape that is not used: `Desk=-`. */
export const NOT_USED = '-';

/** Columns that a loan needs, in the tape or as a default. */
export const NEEDED_COLUMNS: readonly TapeColumn[] = [
  'loan_id',
  'collateral_asset',
  'loan_asset',
  'loan_amount',
  'margin_call_ltv',
  'liquidation_ltv',
  'grace_hours',
];

/** A column that stands in for another one. */
export const STANDS_FOR: Readonly<Partial<Record<TapeColumn, TapeColumn>>> = {
  loan_amount: 'loan_value',
  grace_hours: 'grace_days',
};

const BY_SIMPLE = new Map<string, TapeColumn>();
const BY_PHRASE = new Map<string, TapeColumn>();
/** Known headings of each column. */
export const KNOWN_HEADINGS: ReadonlyMap<TapeColumn, readonly Heading[]> = new Map(
  TAPE_COLUMN_NAMES.map(column => [column, [column, ...TAPE_COLUMNS[column].synonyms].map(readHeading)]),
);
for (const column of TAPE_COLUMN_NAMES) {
  for (const name of [column, ...TAPE_COLUMNS[column].synonyms]) BY_SIMPLE.set(simpleName(name), column);
  // `Call` alone may be an LTV, a date or an option.
  for (const { phrase } of KNOWN_HEADINGS.get(column) ?? [])
    if (!BY_PHRASE.has(phrase) && phrase !== 'call') BY_PHRASE.set(phrase, column);
}

/** The column of a heading, by its words. */
export function columnOf(heading: Heading): TapeColumn | undefined {
  const { simple, phrase, unit } = heading;
  const found = BY_SIMPLE.get(simple) ?? BY_PHRASE.get(phrase);
  // `Past due` alone may be an amount.
  if (found === 'days_past_due') return unit === 'days' || simple === 'dpd' ? found : undefined;
  if (unit === 'days') return found === 'grace_hours' || found === 'grace_days' ? 'grace_days' : undefined;
  if (unit === 'hours' && found === 'margin_call_ltv') return 'grace_hours';
  if (found !== undefined && heading.currency !== undefined && TAPE_COLUMNS[found].kind !== 'amount')
    // `Collateral (BTC)` has units of the coin.
    return found !== 'collateral_asset'
      ? undefined
      : heading.currency === 'USD'
        ? 'collateral_value'
        : 'collateral_amount';
  return found;
}
