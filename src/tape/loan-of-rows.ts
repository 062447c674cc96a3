/**
 * One loan from its rows: values that are said once, collateral by row, and the faults between them.
 *
 * Must not know: headings, how cells are written, prices.
 */
import type { FaultCode } from '../core/errors.ts';
import { show } from '../text/message.ts';
import { MAX_SYMBOLS } from '../text/symbols.ts';
import { type CellValue, negativeRemedy } from './cells.ts';
import { NEEDED_COLUMNS, TAPE_COLUMNS, type TapeColumn } from './columns.ts';
import { type Remedy, remedy } from './remedies.ts';
import { DECIMALS } from './smallest-units.ts';
import type { CollateralLine, LoanTerms, TapeFault, TapeLoan } from './tape.ts';

export type Values = Partial<Record<TapeColumn, CellValue>>;

export interface Row {
  readonly line: number;
  readonly id: string;
  readonly values: Values;
  /** Currencies of the amounts that have one. */
  readonly currencies: Readonly<Partial<Record<TapeColumn, string>>>;
  /** Units of the asset in one of the symbol that the row names. */
  readonly rates?: Readonly<Partial<Record<'collateral_asset' | 'loan_asset', number>>>;
  /** Whether the cell of the debt has the dash that bookkeepers write for nothing. */
  readonly isDashed: boolean;
}

const NEEDED_OF_LOAN = NEEDED_COLUMNS.filter(column => TAPE_COLUMNS[column].ofLoan);

/** Reports a fault of a column of a loan in a line. */
type Refuse = (code: FaultCode, line: number, column: string, message: string, remedy: Remedy) => void;

/** The loan of some rows; `repaid` where it owes nothing. @param smallest columns of amounts in smallest units */
export function loanOf(
  rows: readonly Row[],
  defaults: Values,
  smallest: ReadonlySet<TapeColumn> = new Set(),
): TapeLoan | 'repaid' | { readonly faults: readonly TapeFault[] } {
  const [{ id, line }] = rows;
  if (rows.length > MAX_SYMBOLS) {
    const message = `the loan has ${rows.length} rows, and at most ${MAX_SYMBOLS} collateral assets are taken`;
    return {
      faults: [{ code: 'out_of_range', line, id, message, remedy: 'Give each loan an id of its own.' }],
    };
  }
  const faults: TapeFault[] = [];
  const refuse: Refuse = (code, line, column, message, remedy) => {
    faults.push({ code, line, id, column, message, remedy });
  };
  // Each asset of a collateral may have a threshold of its own.
  const thresholds = new Set(rows.flatMap(row => row.values.liquidation_ltv ?? []));
  const isByAsset = thresholds.size > 1;
  const { said, lineOf } = saidOnce(rows, refuse, isByAsset ? 'liquidation_ltv' : undefined);
  const values: Values = { ...defaults, ...said };
  const lineOfDebt = lineOf.get('loan_amount') ?? lineOf.get('loan_value') ?? line;
  const owed = debtOf(rows, values, said, lineOfDebt, refuse);
  if (owed === 'nothing') return 'repaid';
  const inUnits = (column: TapeColumn, line: number, asset: string, amount: number | undefined) => {
    if (amount === undefined || !smallest.has(column)) return amount;
    if (DECIMALS[asset] !== undefined) return amount / 10 ** DECIMALS[asset];
    refuse(
      'unknown_value',
      line,
      column,
      `the smallest unit of ${asset} is not known`,
      'Write the amount in units of the asset.',
    );
    return amount;
  };
  const collateral = rows.map(row => {
    const { asset, amount, ...others } = collateralOf(row, refuse);
    const units = inUnits('collateral_amount', row.line, asset, amount);
    const liquidationLtv = isByAsset ? Number(row.values.liquidation_ltv) : undefined;
    if (Number.isNaN(liquidationLtv))
      refuse(
        'missing',
        row.line,
        'liquidation_ltv',
        `liquidation_ltv of ${show(asset)} is missing, and the loan has one for each asset`,
        'Write the liquidation LTV of every asset, or the same in all rows of the loan.',
      );
    return {
      asset,
      ...(units !== undefined && { amount: units }),
      ...others,
      ...(liquidationLtv !== undefined && { liquidationLtv }),
    };
  });
  if (isByAsset) delete values.liquidation_ltv;
  rows.forEach((row, k) => {
    const first = collateral.findIndex(({ asset }) => asset === collateral[k].asset);
    if (first < k && collateral[k].asset !== '')
      refuse(
        'repeated',
        row.line,
        'collateral_asset',
        `${show(collateral[k].asset)} is collateral of this loan in line ${rows[first].line}, too`,
        'Write an asset once for a loan, with its whole amount; give another loan another id.',
      );
  });
  if (values.grace_days !== undefined) values.grace_hours ??= values.grace_days;
  if (owed.asset !== undefined) values.loan_asset = owed.asset;
  const isOtherwiseSaid = (column: TapeColumn) =>
    (column === 'loan_amount' && owed.valueUsd !== undefined) ||
    (column === 'liquidation_ltv' && isByAsset) ||
    // Without a call there is no grace.
    (column === 'grace_hours' && values.margin_call_ltv === values.liquidation_ltv);
  for (const column of NEEDED_OF_LOAN)
    if (values[column] === undefined && !isOtherwiseSaid(column))
      refuse('missing', line, column, `${column} is missing`, remedy('writeOrFill', column));
  refuseThresholds(values, lineOf.get('margin_call_ltv') ?? line, refuse);
  const loanAmount = inUnits('loan_amount', lineOfDebt, String(values.loan_asset), owed.amount);
  if (faults.length > 0) return { faults };
  const {
    loan_id: _id,
    loan_amount: _amount,
    loan_value: _value,
    accrued_interest: _accrued,
    grace_days: _days,
    borrower,
    loan_asset,
    ltv,
    ...terms
  } = values;
  return {
    id,
    lines: rows.map(each => each.line),
    ...(borrower !== undefined && { borrower: String(borrower) }),
    collateral,
    loanAsset: String(loan_asset),
    ...(loanAmount !== undefined && { loanAmount }),
    ...(owed.valueUsd !== undefined && { loanValueUsd: owed.valueUsd }),
    ...(ltv !== undefined && { ownLtv: Number(ltv) }),
    terms: terms as LoanTerms,
  };
}

/** The values of the columns that a loan has once, and their lines; refuses two different ones. @param byAsset one that a loan has by row */
function saidOnce(rows: readonly Row[], refuse: Refuse, byAsset: TapeColumn | undefined) {
  const said: Values = {};
  const lineOf = new Map<string, number>();
  for (const row of rows)
    for (const [column, value] of Object.entries(row.values) as [TapeColumn, CellValue][]) {
      if (!TAPE_COLUMNS[column].ofLoan || column === byAsset) continue;
      const before = said[column];
      if (before === undefined) {
        said[column] = value;
        lineOf.set(column, row.line);
      } else if (before !== value)
        refuse(
          'inconsistent',
          row.line,
          column,
          `${show(shownValue(column, value))} differs from ${show(shownValue(column, before))} in line ${lineOf.get(column)} of the same loan`,
          'Say it once for a loan, or the same in all of its rows; give another loan another id.',
        );
    }
  return { said, lineOf };
}

interface Debt {
  readonly amount?: number;
  readonly valueUsd?: number;
  /** The asset that the currency of the amount names, where no other one is said. */
  readonly asset?: string;
}

/** What a loan owes, in units of its asset or in USD. */
function debtOf(
  rows: readonly Row[],
  values: Values,
  said: Values,
  line: number,
  refuse: Refuse,
): Debt | 'nothing' {
  const column =
    said.loan_amount === undefined && said.loan_value !== undefined ? 'loan_value' : 'loan_amount';
  const said1 = said[column];
  const accrued = Number(values.accrued_interest ?? 0);
  if (said1 === undefined && accrued === 0 && rows.some(row => row.isDashed)) return 'nothing';
  const sent = said1 ?? values[column];
  if (sent === undefined) return accrued > 0 ? { amount: accrued } : {};
  const size = Number(sent) + accrued;
  if (size === 0) return 'nothing';
  if (size < 0)
    refuse(
      'out_of_range',
      line,
      column,
      `${column} must be above 0; got ${size}`,
      negativeRemedy(column, -size),
    );
  const asset = values.loan_asset === undefined ? undefined : String(values.loan_asset);
  const currency = rows.map(({ currencies }) => currencies[column]).find(each => each !== undefined);
  if (column === 'loan_value') {
    if (currency !== undefined && currency !== 'USD')
      refuse('inconsistent', line, column, `${column} is in USD, and the tape says ${currency}`, DIFFERENT);
    return { valueUsd: size, ...(asset === undefined && { asset: 'USD' }) };
  }
  if (currency === undefined || currency === asset) return { amount: size };
  if (asset === undefined) return { amount: size, asset: currency };
  if (currency === 'USD') return { valueUsd: size };
  refuse(
    'inconsistent',
    line,
    column,
    `the amount is in ${currency}, and loan_asset is ${asset}: which of them is the loan in?`,
    DIFFERENT,
  );
  return { amount: size };
}

const DIFFERENT = 'Correct loan_asset, or write the amount in its units, or in USD in a column loan_value.';

/** LTVs are loan over collateral: a call above 100 % is collateral over loan, or two columns are exchanged. */
function refuseThresholds(values: Values, line: number, refuse: Refuse): void {
  const [call, liquidation] = [Number(values.margin_call_ltv), Number(values.liquidation_ltv)];
  if (call > 1 && liquidation > 1)
    refuse(
      'out_of_range',
      line,
      'margin_call_ltv',
      `margin_call_ltv (${call}) and liquidation_ltv (${liquidation}) are above 100 % as loan over collateral: are they collateral over loan?`,
      remedy('ratios', 'margin_call_ltv liquidation_ltv', ''),
    );
}

/** @param none the remedy for an amount of 0 */
function refuseUnlessAbove0(
  refuse: Refuse,
  line: number,
  column: TapeColumn,
  value: CellValue | undefined,
  none: string,
): void {
  const amount = Number(value ?? 1);
  if (amount > 0) return;
  const remedy = amount < 0 ? negativeRemedy(column, -amount) : none;
  refuse('out_of_range', line, column, `${column} must be above 0; got ${amount}`, remedy);
}

function collateralOf({ line, values, currencies }: Row, refuse: Refuse): CollateralLine {
  const { collateral_amount: amount, collateral_value: value } = values;
  const currency = currencies.collateral_amount;
  const asset = values.collateral_asset ?? (currency === 'USD' ? undefined : currency);
  if (asset === undefined)
    refuse(
      'missing',
      line,
      'collateral_asset',
      'collateral_asset is missing',
      'Write the symbol of the asset in every row: BTC.',
    );
  if (amount === undefined && value === undefined)
    refuse(
      'missing',
      line,
      'collateral_amount',
      'neither collateral_amount nor collateral_value is there',
      'Write the units of the asset, or their value in USD.',
    );
  const none = 'Leave out a row without collateral.';
  refuseUnlessAbove0(refuse, line, 'collateral_amount', amount, none);
  refuseUnlessAbove0(refuse, line, 'collateral_value', value, none);
  const inUsd = currency === 'USD' && asset !== 'USD';
  if (currency !== undefined && !inUsd && currency !== asset)
    refuse(
      'inconsistent',
      line,
      'collateral_amount',
      `the amount is in ${currency}, and collateral_asset is ${asset}`,
      'Correct collateral_asset, or write the amount in its units, or in USD in collateral_value.',
    );
  const ofValue = currencies.collateral_value;
  if (ofValue !== undefined && ofValue !== 'USD')
    refuse(
      'inconsistent',
      line,
      'collateral_value',
      `the value is in ${ofValue}, and collateral_value is in USD`,
      'Write the value in USD, or the units in collateral_amount.',
    );
  const units = inUsd ? undefined : amount;
  const valueUsd = value ?? (inUsd ? amount : undefined);
  return {
    asset: String(asset ?? ''),
    ...(units !== undefined && { amount: Number(units) }),
    ...(valueUsd !== undefined && { valueUsd: Number(valueUsd) }),
  };
}

/** A value in a message. */
const shownValue = (column: TapeColumn, value: CellValue): CellValue =>
  TAPE_COLUMNS[column].kind === 'moment' ? new Date(Number(value)).toISOString() : value;
