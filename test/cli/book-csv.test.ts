/** The loans of a result as CSV. */
import { expect, it } from 'vitest';
import { loansCsv } from '#src/cli/book-csv.js';
import type { DeskResult } from '#src/desk/result.js';
import { DESK_RESULT } from '../support/desk-result.ts';

const linesOf = (result: DeskResult) => loansCsv(result).split('\r\n');
/** The cell of a column in the first row of a loan. */
function cellOf(result: DeskResult, column: string): string {
  const rows = linesOf(result).filter(line => !line.startsWith('#'));
  return rows[1].split(',')[rows[0].split(',').indexOf(column)];
}

it('The CSV of a report names the day of its data and its simulation as the report does', () => {
  expect(linesOf(DESK_RESULT)[1]).toMatch(
    /^# data as of 2025-12-31, 24:00 UTC, store; version=0123456789ab; STUDENT_T, 20000 paths, seed 1, version /,
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
  expect(cellOf(result, 'fall_to_call')).toBe('');
  expect(cellOf(DESK_RESULT, 'fall_to_call')).toBe(String(loan.FallToCall));
});

it('The lines above the loans are no formulas, whatever the names of the tape are', () => {
  const LeftOut = [
    {
      Code: 'malformed' as const,
      Line: 3,
      Id: "B,=cmd|'/c calc'!A1;@SUM(1)",
      Column: null,
      Message: 'x\u001b[2J',
      Remedy: 'y',
    },
  ];
  const result = { ...DESK_RESULT, Title: '=1+1, "-2', Tape: { ...DESK_RESULT.Tape, LeftOut } };
  const lines = linesOf(result);
  expect(lines[0]).toBe(`# '=1+1,' "-2`);
  expect(lines).toContain("# left out: line 3, loan B,'=cmd|'/c calc'!A1;'@SUM(1): x\\u{1b}[2J");
});
