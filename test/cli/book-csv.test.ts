/** The loans of a result as CSV. */
import { parse } from 'csv-parse/sync';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { expect, it } from 'vitest';
import { loansCsv, loansNotes, loansParquet, notesName } from '#src/cli/book-csv.js';
import type { DeskResult } from '#src/desk/result.js';
import { DESK_RESULT } from '../support/desk-result.ts';

const linesOf = (result: DeskResult) => loansNotes(result).split('\r\n');
/** The cell of a column in the first row of a loan. */
function cellOf(result: DeskResult, column: string): string {
  const rows = loansCsv(result).split('\r\n');
  return rows[1].split(',')[rows[0].split(',').indexOf(column)];
}

it('The CSV of a report names the day of its data and its simulation as the report does', () => {
  expect(linesOf(DESK_RESULT)[1]).toMatch(
    /^data as of 2025-12-31, 24:00 UTC, store; version=0123456789ab; STUDENT_T, 20000 paths, seed 1, version /,
  );
  const Models = { ...DESK_RESULT.Models, STUDENT_T: { ...DESK_RESULT.Models.STUDENT_T, Paths: null } };
  expect(linesOf({ ...DESK_RESULT, Models })[1]).toContain('; STUDENT_T, seed 1, version ');
});

it('The CSV of a report marks prices that rise, and has no fall where none leads to a call', () => {
  const [loan] = DESK_RESULT.Loans;
  const Levels = [
    { Asset: 'USDC', Price: 1, CallPrice: 0.9, LiquidationPrice: null },
    { Asset: 'ETH', Price: 2000, CallPrice: 2400, LiquidationPrice: null, Rise: true as const },
  ];
  const result = { ...DESK_RESULT, Loans: [{ ...loan, Levels, FallToCall: null }] };
  expect(cellOf(result, 'call_price_usd')).toBe('USDC:0.9 ETH:2400:rise');
  expect(cellOf(result, 'liquidation_price_usd')).toBe('USDC: ETH:');
  expect(cellOf(result, 'fall_to_call_pct')).toBe('');
  expect(cellOf(DESK_RESULT, 'fall_to_call_pct')).toBe(String(100 * Number(loan.FallToCall)));
});

it('The CSV of a report begins with its header, and has what a desk sorts by', () => {
  const [loan] = DESK_RESULT.Loans;
  const terms = { margin_call_ltv: 0.75, liquidation_ltv: 0.85, grace_hours: 24 };
  const Source = [
    {
      ...{ id: loan.Id, lines: [2, 3], loanAsset: 'USDC', loanAmount: 1 },
      collateral: [
        { asset: 'BTC', amount: 1 },
        { asset: 'ETH', amount: 2 },
      ],
      terms: { ...terms, maturity: Date.UTC(2026, 1, 1), called_at: Date.UTC(2026, 0, 1, 9, 30) },
    },
  ];
  const result = { ...DESK_RESULT, Tape: { ...DESK_RESULT.Tape, Source } } as DeskResult;
  expect(loansCsv(result)).toMatch(/^loan_id,/);
  const cells = ['collateral_assets', 'loan_asset', 'maturity', 'called_at'].map(name =>
    cellOf(result, name),
  );
  expect(cells).toEqual(['BTC ETH', 'USDC', '2026-02-01T00:00Z', '2026-01-01T09:30Z']);
  expect(cellOf({ ...result, Loans: [{ ...loan, Id: 'other' }] }, 'maturity')).toBe('');
});

it('The file beside the loans has their name, and no control character', () => {
  expect([notesName('a/loans.csv'), notesName('x.CSV'), notesName('y')]).toEqual([
    'a/loans.notes.txt',
    'x.notes.txt',
    'y.notes.txt',
  ]);
  const LeftOut = [
    { Code: 'malformed' as const, Line: 3, Id: 'B', Column: null, Message: 'x\u001b[2J', Remedy: 'y' },
  ];
  const lines = linesOf({ ...DESK_RESULT, Tape: { ...DESK_RESULT.Tape, LeftOut } });
  expect(lines[0]).toBe(DESK_RESULT.Title);
  expect(lines).toContain('left out: line 3, loan B: x\\u{1b}[2J');
});

it('The loans as Parquet are those of the CSV with typed cells, and describe the run', async () => {
  const bytes = new Uint8Array(await loansParquet(DESK_RESULT)).buffer;
  const [header, ...lines] = parse(loansCsv(DESK_RESULT)) as string[][];
  const text = (cell: unknown) => {
    if (cell instanceof Date) return cell.toISOString().replace(/:00\.000Z$/, 'Z');
    return typeof cell === 'boolean' ? (cell ? 'yes' : 'no') : String(cell ?? '');
  };
  const rows = await parquetReadObjects({ file: bytes });
  expect(rows.map(row => header.map(name => text(row[name])))).toEqual(lines);
  const { schema, key_value_metadata: [answer] = [] } = parquetMetadata(bytes);
  const typeOf = (name: string) => schema.find(each => each.name === name);
  expect(typeOf('maturity')).toMatchObject({ type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' });
  expect(typeOf('borrower')).toMatchObject({ type: 'BYTE_ARRAY', converted_type: 'UTF8' });
  expect(JSON.parse(answer.value as string)).toMatchObject({
    Title: DESK_RESULT.Title,
    Run: DESK_RESULT.Run,
  });
});
