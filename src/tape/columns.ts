/** The columns of a loan tape: their names, synonyms of lenders, and kinds of cells. */
import type { FaultCode } from '../core/errors.ts';
import { nearestName, simpleName } from '../text/nearest-name.ts';
import { type Remedy, remedy } from './remedies.ts';

export interface CellFault {
  readonly code: FaultCode;
  readonly message: string;
  readonly remedy: Remedy;
}

/** The kind of the cells of a column. */
export type CellKind = 'text' | 'symbol' | 'amount' | 'fraction' | 'hours' | 'moment';

interface ColumnRule {
  readonly kind: CellKind;
  /** Whether the value is of the whole loan and may stand in one of its rows; other columns differ by row. */
  readonly ofLoan: boolean;
  /** Other names, of lower-case letters and digits. */
  readonly synonyms: readonly string[];
}

const column = (kind: CellKind, synonyms: readonly string[], ofLoan = true): ColumnRule => ({
  kind,
  ofLoan,
  synonyms,
});

/** Every column. No synonym belongs to two columns. */
export const TAPE_COLUMNS = {
  loan_id: column(
    'text',
    ['id', 'loan', 'loannumber', 'loanno', 'reference', 'contract', 'contractid', 'dealid'],
    false,
  ),
  borrower: column('text', ['client', 'customer', 'counterparty', 'obligor', 'borrowername', 'clientid']),
  collateral_asset: column(
    'symbol',
    [
      'collateral',
      'collateralcurrency',
      'collateralcoin',
      'collateraltoken',
      'collateralsymbol',
      'collateralccy',
    ],
    false,
  ),
  collateral_amount: column(
    'amount',
    ['collateralquantity', 'collateralunits', 'collateralqty', 'collqty', 'collateralbalance'],
    false,
  ),
  collateral_value: column(
    'amount',
    ['collateralvalueusd', 'collateralusd', 'collateralmarketvalue', 'collateralmv'],
    false,
  ),
  loan_asset: column('symbol', [
    'loancurrency',
    'loantoken',
    'currency',
    'ccy',
    'loanccy',
    'principalcurrency',
    'debtasset',
    'borrowedasset',
  ]),
  loan_amount: column('amount', [
    'principal',
    'outstanding',
    'outstandingprincipal',
    'loanbalance',
    'balance',
    'notional',
    'debt',
    'debtamount',
    'exposure',
  ]),
  initial_ltv: column('fraction', [
    'originationltv',
    'ltvatorigination',
    'startltv',
    'openingltv',
    'originalltv',
    'ltvorig',
  ]),
  margin_call_ltv: column('fraction', ['marginltv', 'mcltv', 'callltv', 'margincall', 'warningltv']),
  liquidation_ltv: column('fraction', [
    'liqltv',
    'lltv',
    'liquidation',
    'liquidationthreshold',
    'closeoutltv',
  ]),
  recovery_ltv: column('fraction', ['cureltv', 'restoreltv', 'targetltv']),
  interest: column('fraction', [
    'interestrate',
    'rate',
    'apr',
    'coupon',
    'annualrate',
    'ratepa',
    'interestpa',
  ]),
  maturity: column('moment', ['maturitydate', 'expiry', 'expirydate', 'duedate', 'enddate', 'termend']),
  grace_hours: column('hours', [
    'grace',
    'graceperiod',
    'graceperiodhours',
    'graceh',
    'curehours',
    'mctopup',
  ]),
  called_at: column('moment', [
    'margincalledat',
    'margincalldate',
    'calldate',
    'calltime',
    'calledon',
    'calledsince',
    'callsince',
  ]),
  top_up_share: column('fraction', ['topupprobability', 'answershare']),
  top_up_delay_hours: column('hours', ['topupdelay', 'answerdelayhours']),
  top_up_to_ltv: column('fraction', ['topupltv', 'answertoltv']),
  sale_cost: column('fraction', ['liquidationcost', 'liquidationpenalty', 'costofsale']),
  partial_sale_to_ltv: column('fraction', ['partialsaleltv', 'selldowntoltv', 'selldownltv']),
  partial_sale_max_share: column('fraction', ['closefactor', 'maxshare']),
} as const satisfies Readonly<Record<string, ColumnRule>>;

export type TapeColumn = keyof typeof TAPE_COLUMNS;
export const TAPE_COLUMN_NAMES = Object.keys(TAPE_COLUMNS) as readonly TapeColumn[];
export const isTapeColumn = (name: string): name is TapeColumn => Object.hasOwn(TAPE_COLUMNS, name);

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

/** Most columns of a tape. */
const MAX_COLUMNS = 500;
/** Most columns in a message, and letters of their names. */
const MAX_SHOWN = 40;
const LONGEST = 40;

export interface FoundColumns {
  /** Index of each column of the tape. */
  readonly index: ReadonlyMap<TapeColumn, number>;
  /** Columns named as percentages. */
  readonly inPercent: ReadonlySet<TapeColumn>;
  /** Names of unused columns. */
  readonly notUsed: readonly string[];
  /** Of the columns of the tape; with any, no loan is complete. */
  readonly faults: readonly CellFault[];
}

/** The mark in `LTV (%)`, `interest_pct`, `Rate %`, but no letters of another word. */
const PERCENT_MARK = /%|(?<![a-z])(?:per[ _-]?cent|pct)(?![a-z])/gi;

/**
 * Finds the columns by name.
 *
 * @param mapped name in the tape, by column; it has precedence over known names
 * @param withDefault columns with a default, which may be absent
 */
export function findColumns(
  header: readonly string[],
  mapped: Readonly<Partial<Record<TapeColumn, string>>> = {},
  withDefault: ReadonlySet<TapeColumn> = new Set(),
): FoundColumns {
  if (header.length > MAX_COLUMNS)
    return {
      index: new Map(),
      inPercent: new Set(),
      notUsed: [],
      faults: [
        {
          code: 'out_of_range',
          message: `the tape has ${header.length} columns, and at most ${MAX_COLUMNS} are read`,
          remedy: 'Leave out columns that are not of the loans.',
        },
      ],
    };
  const names = header.map(name => simpleName(name.replace(PERCENT_MARK, '')));
  const index = new Map<TapeColumn, number>();
  const faults: CellFault[] = [];
  for (const [column, name] of Object.entries(mapped) as [TapeColumn, string][]) {
    const at = header.findIndex(each => each.trim() === name.trim());
    const found = at >= 0 ? at : names.indexOf(simpleName(name));
    if (found < 0)
      faults.push({
        code: 'unknown_member',
        message: `there is no column ${name}`,
        remedy: thereAre(header),
      });
    else index.set(column, found);
  }
  const taken = new Set(index.values());
  for (const column of TAPE_COLUMN_NAMES) {
    if (index.has(column)) continue;
    const known = [simpleName(column), ...TAPE_COLUMNS[column].synonyms];
    const found = names.flatMap((name, at) => (known.includes(name) && !taken.has(at) ? [at] : []));
    if (found.length > 1)
      faults.push({
        code: 'repeated',
        message: `${found.map(at => header[at]).join(' and ')} both look like ${column}`,
        remedy: remedy('chooseColumn', `${header[found[0]]}=${column}`),
      });
    if (found.length > 0) {
      index.set(column, found[0]);
      taken.add(found[0]);
    }
  }
  const unused = header.filter((_, at) => !taken.has(at));
  for (const column of NEEDED_COLUMNS)
    if (!index.has(column) && !withDefault.has(column)) faults.push(missing(column, unused, header));
  if (!index.has('collateral_amount') && !index.has('collateral_value'))
    faults.push({
      code: 'missing',
      message: 'no column is collateral_amount, and none is collateral_value',
      remedy: remedy('nameColumn', ...mapping('collateral_amount', unused, header)),
    });
  const inPercent = new Set([...index].filter(([, at]) => isInPercent(header[at])).map(([each]) => each));
  return { index, inPercent, notUsed: unused, faults };
}

const isInPercent = (name: string) => name.search(PERCENT_MARK) >= 0;

const thereAre = (header: readonly string[]) => {
  const more = header.length - MAX_SHOWN;
  return `There are: ${header.slice(0, MAX_SHOWN).map(shortened).join(', ')}${more > 0 ? ` and ${more} more` : ''}.`;
};

const shortened = (name: string) => (name.length > LONGEST ? `${name.slice(0, LONGEST)}…` : name);

function missing(column: TapeColumn, unused: readonly string[], header: readonly string[]): CellFault {
  const names = mapping(column, unused, header);
  return {
    code: 'missing',
    message: `no column is ${column}`,
    remedy: TAPE_COLUMNS[column].ofLoan
      ? remedy('nameOrFill', ...names, column)
      : remedy('nameColumn', ...names),
  };
}

const mapping = (column: TapeColumn, unused: readonly string[], header: readonly string[]) =>
  [`${nearestName(column, unused) ?? 'name in the file'}=${column}`, thereAre(header)] as const;
