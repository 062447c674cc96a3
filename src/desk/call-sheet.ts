/** The call sheet as tables with typed cells, for a spreadsheet. */
import { callMessage, hasPassed } from './call-text.ts';
import type { LoanCall } from './calls.ts';
import type { DeskResult } from './result.ts';

type Value = string | number | Date | null;

interface Column<Row> {
  readonly name: string;
  /** Letters. */
  readonly width: number;
  /** Of a number or a date, as a spreadsheet shows it. */
  readonly format?: string;
  value(row: Row): Value;
}

/** A cell for the writer of spreadsheets. */
export interface SheetCell {
  readonly value: string | number | Date;
  readonly type: StringConstructor | NumberConstructor | DateConstructor;
  readonly format?: string;
  readonly fontWeight?: 'bold';
}

export interface CallTable {
  readonly sheet: string;
  readonly columns: { readonly width: number }[];
  readonly data: (SheetCell | null)[][];
  /** The header stays in sight. */
  readonly stickyRowsCount: 1;
}

const USD = '#,##0.00';
const UNITS = '#,##0.00######';
const SHARE = '0.00%';
const MOMENT = 'yyyy-mm-dd hh:mm';

/** A way to end a call: one asset is enough. */
interface Way {
  readonly call: LoanCall;
  readonly way: 'add collateral' | 'repay';
  readonly asset: string;
  readonly units: number;
  readonly usd: number;
  readonly price: number;
}

const waysOf = (call: LoanCall): readonly Way[] => [
  ...call.TopUp.map(
    ({ Asset, Units, Price }): Way => ({
      call,
      way: 'add collateral',
      asset: Asset,
      units: Units,
      usd: call.TopUpUsd,
      price: Price,
    }),
  ),
  {
    call,
    way: 'repay',
    asset: call.Repay.Asset,
    units: call.Repay.Units,
    usd: call.RepayUsd,
    price: call.Repay.Price,
  },
];

const of = (call: LoanCall) => call;
const whose = <Row>(pick: (row: Row) => LoanCall): readonly Column<Row>[] => [
  { name: 'loan_id', width: 14, value: row => pick(row).Id },
  { name: 'borrower', width: 22, value: row => pick(row).Borrower },
  { name: 'deadline_utc', width: 17, format: MOMENT, value: row => new Date(pick(row).Deadline) },
  { name: 'deadline_passed', width: 15, value: row => (hasPassed(pick(row)) ? 'yes' : 'no') },
];

const CALL_COLUMNS = (asOf: string): readonly Column<LoanCall>[] => [
  ...whose(of),
  { name: 'hours_left', width: 11, format: '0.0', value: ({ HoursLeft }) => HoursLeft },
  { name: 'called_at_utc', width: 17, format: MOMENT, value: ({ CalledAt }) => new Date(CalledAt) },
  { name: 'called_at_from', width: 16, value: ({ CalledBy }) => CalledBy },
  { name: 'loan_usd', width: 16, format: USD, value: ({ LoanUsd }) => LoanUsd },
  { name: 'collateral_usd', width: 16, format: USD, value: ({ CollateralUsd }) => CollateralUsd },
  { name: 'ltv', width: 9, format: SHARE, value: ({ Ltv }) => Ltv },
  { name: 'cured_at_ltv', width: 12, format: SHARE, value: ({ RecoveryLtv }) => RecoveryLtv },
  { name: 'add_collateral_usd', width: 18, format: USD, value: ({ TopUpUsd }) => TopUpUsd },
  { name: 'or_repay_usd', width: 16, format: USD, value: ({ RepayUsd }) => RepayUsd },
  { name: 'message', width: 100, value: call => callMessage(call, asOf) },
];

const WAY_COLUMNS: readonly Column<Way>[] = [
  ...whose<Way>(({ call }) => call),
  { name: 'way', width: 15, value: ({ way }) => way },
  { name: 'asset', width: 10, value: ({ asset }) => asset },
  { name: 'units', width: 18, format: UNITS, value: ({ units }) => units },
  { name: 'usd', width: 16, format: USD, value: ({ usd }) => usd },
  { name: 'price_usd', width: 14, format: UNITS, value: ({ price }) => price },
];

function cellOf(value: Value, format = 'General'): SheetCell | null {
  if (value === null) return null;
  if (typeof value === 'string') return { value, type: String };
  return { value, type: value instanceof Date ? Date : Number, format };
}

const tableOf = <Row>(sheet: string, columns: readonly Column<Row>[], rows: readonly Row[]): CallTable => ({
  sheet,
  columns: columns.map(({ width }) => ({ width })),
  data: [
    columns.map(({ name }) => ({ value: name, type: String, fontWeight: 'bold' as const })),
    ...rows.map(row => columns.map(({ value, format }) => cellOf(value(row), format))),
  ],
  stickyRowsCount: 1,
});

/** A row for each loan, and a row for each asset that cures its call by itself. */
export const callTables = ({
  Calls,
  Data,
}: Pick<DeskResult, 'Calls'> & { readonly Data: Pick<DeskResult['Data'], 'AsOf'> }): CallTable[] => [
  tableOf('Calls', CALL_COLUMNS(Data.AsOf), Calls),
  tableOf('By asset', WAY_COLUMNS, Calls.flatMap(waysOf)),
];
