/** Cells of a loan tape: an ambiguous cell is a fault. */

import { describe, expect, it } from 'vitest';
import { type CellForms, readCell } from '#src/tape/cells.js';
import type { TapeColumn } from '#src/tape/columns.js';
import { COMMAND_WORDS, remedyText } from '#src/tape/remedies.js';
import { isEmptyCell } from '#src/text/numbers.js';

const PLAIN: CellForms = { percent: new Set() };
/** Remedies are in the words of the command line. */
function read(column: TapeColumn, cell: string | number, forms: Partial<CellForms> = {}) {
  const found = readCell(column, cell, { ...PLAIN, ...forms });
  return 'value' in found ? found : { ...found, remedy: remedyText(found.remedy, COMMAND_WORDS) };
}

describe('A cell of a tape', () => {
  it.each<[string, TapeColumn, string | number, string | number]>([
    ['a number', 'loan_amount', '400000', 400000],
    ['a number with thousands and a fraction', 'loan_amount', '400,000.50', 400000.5],
    ['a number of a spreadsheet', 'loan_amount', 12.5, 12.5],
    ['a fraction', 'margin_call_ltv', '0.8', 0.8],
    ['an LTV above 1', 'liquidation_ltv', '1.02', 1.02],
    ['per cent by their sign', 'margin_call_ltv', '82.5 %', 0.825],
    ['a negative rate', 'interest', '-0.02', -0.02],
    ['a symbol in any case', 'collateral_asset', 'btc', 'BTC'],
    ['a day on which a loan is due as its end', 'maturity', '2026-01-31', Date.UTC(2026, 1, 1)],
    ['a day of a call as its beginning', 'called_at', '2026-01-31', Date.UTC(2026, 0, 31)],
    ['a moment', 'called_at', '2026-01-31T15:00Z', Date.UTC(2026, 0, 31, 15)],
    ['a day with slashes and the year first', 'maturity', '2026/1/31', Date.UTC(2026, 1, 1)],
    ['a day with points and the year first', 'called_at', '2026.01.31 15:00', Date.UTC(2026, 0, 31, 15)],
    ['a day with dashes and one digit', 'called_at', '2026-1-3', Date.UTC(2026, 0, 3)],
    ['a day with the name of its month', 'called_at', '31-Dec-2024', Date.UTC(2024, 11, 31)],
    ['a day with a whole name', 'called_at', '1 September 2024', Date.UTC(2024, 8, 1)],
    ['a month that comes first', 'called_at', 'Dec 31, 2024', Date.UTC(2024, 11, 31)],
    ['a month in the middle', 'called_at', '2024-jun-05', Date.UTC(2024, 5, 5)],
    ['a month by its name with a time', 'called_at', '05 May 2024 15:00', Date.UTC(2024, 4, 5, 15)],
    ['a moment at which a loan is due', 'maturity', '2026-01-31T15:00Z', Date.UTC(2026, 0, 31, 15)],
    ['text without the spaces around it', 'loan_id', ' L-1 ', 'L-1'],
    ['a number as text', 'borrower', 17, '17'],
    ['a fraction of 1', 'top_up_share', '1', 1],
    ['a fraction above 1 by its sign', 'interest', '150%', 1.5],
    ['an LTV just below 1.5', 'liquidation_ltv', '1.499', 1.499],
    ['per cent to the digit', 'interest', '7%', 0.07],
    ['per cent whose digits have an exponent', 'interest', '1e21 %', 1e19],
    ['0 per cent', 'interest', '0 %', 0],
    ['hours', 'grace_hours', '36.5', 36.5],
    ['hours with their unit', 'grace_hours', '24h', 24],
    ['days with their unit', 'grace_hours', '2 days', 48],
    ['days in a column of days', 'grace_days', '2', 48],
    ['days past due', 'days_past_due', '45', 45],
    ['days past due with their unit', 'days_past_due', '45 days', 45],
    ['a stage', 'stage', 2, 2],
    ['per cent a year', 'interest', '8 % p.a.', 0.08],
    ['basis points', 'interest', '850 bps', 0.085],
    ['per cent in letters', 'margin_call_ltv', '80 pct', 0.8],
    ['millions in two letters', 'loan_amount', '1.5mm', 1_500_000],
    ['billions', 'loan_amount', '2 bn', 2e9],
    ['an amount that a spreadsheet keeps as text', 'loan_amount', "'300000", 300_000],
    ['an amount in the parentheses of accountants', 'loan_amount', '(1,500.25)', -1500.25],
    ['a minus behind an amount', 'loan_amount', '500-', -500],
    ['a long minus', 'loan_amount', '−500', -500],
    ['a month before its day', 'called_at', 'Apr 23, 2026', Date.UTC(2026, 3, 23)],
    ['the ordinal of a day', 'called_at', '1st May 2026', Date.UTC(2026, 4, 1)],
  ])('is read: %s', (_, column, cell, value) => {
    expect(read(column, cell)).toEqual({ value });
  });

  it.each<[TapeColumn, string, number, string]>([
    ['loan_amount', '$300000', 300_000, 'USD'],
    ['loan_amount', '$1,235,818.06', 1_235_818.06, 'USD'],
    ['loan_amount', '300,000.00 USD', 300_000, 'USD'],
    ['loan_amount', 'USDC 1.5 mio', 1_500_000, 'USDC'],
    ['loan_amount', '  300 000 \u00a0 USD ', 300_000, 'USD'],
    ['loan_amount', '-$7', -7, 'USD'],
    ['loan_amount', '$(7)', -7, 'USD'],
    ['collateral_amount', '12.5 BTC', 12.5, 'BTC'],
    ['collateral_amount', '12 MATIC', 12, 'MATIC'],
    ['collateral_amount', 'US$ 9,000.50', 9000.5, 'USD'],
    ['collateral_value', '€ 9000', 9000, 'EUR'],
  ])('is read with its currency: %s %s', (column, cell, value, currency) => {
    expect(read(column, cell)).toEqual({ value, currency });
  });

  it('is read by what its column has decided', () => {
    expect(read('loan_amount', '179,632', { decimal: 'point' })).toEqual({ value: 179_632 });
    expect(read('loan_amount', '(500)', { signMarksDebt: true })).toEqual({ value: 500 });
    expect(read('called_at', '14-Jul-26', { shortYears: true })).toEqual({ value: Date.UTC(2026, 6, 14) });
    expect(read('called_at', '07/05/25', { dates: 'dmy' })).toEqual({ value: Date.UTC(2025, 4, 7) });
    const ratios = new Set<TapeColumn>(['margin_call_ltv']);
    expect(read('margin_call_ltv', '1.25', { ratios })).toEqual({ value: 0.8 });
    expect(read('margin_call_ltv', '150 %', { ratios })).toEqual({ value: 0.666666666667 });
    expect(read('margin_call_ltv', '125', { ratios, percent: ratios })).toEqual({ value: 0.8 });
    expect(read('interest', '850', { basisPoints: new Set(['interest']) })).toEqual({ value: 0.085 });
  });

  it('is read with a decimal comma, a date of a locale and in per cent on request', () => {
    expect(read('loan_amount', '1.234,5', { decimal: 'comma' })).toEqual({ value: 1234.5 });
    expect(read('interest', '7', { percent: new Set(['interest']) })).toEqual({ value: 0.07 });
    expect(read('called_at', '31.01.2026', { dates: 'dmy' })).toEqual({ value: Date.UTC(2026, 0, 31) });
    expect(read('called_at', '01/31/2026', { dates: 'mdy' })).toEqual({ value: Date.UTC(2026, 0, 31) });
  });

  it('is refused as an LTV in a column of per cent that looks like a fraction', () => {
    const percent = new Set<TapeColumn>(['margin_call_ltv', 'interest']);
    expect(read('margin_call_ltv', '0.075', { percent })).toMatchObject({
      message: '"0.075" in a column of per cent is an LTV of 0.075 %; is it a fraction?',
      remedy: 'Write 7.5, or say --fractions margin_call_ltv if the column has fractions.',
    });
    expect(read('margin_call_ltv', 0.55, { percent })).toMatchObject({
      message: expect.stringContaining('0.55 in a column of per cent'),
      remedy: expect.stringContaining('Write 55,'),
    });
    expect(read('margin_call_ltv', '1.5', { percent })).toEqual({ value: 0.015 });
    // The sign is of the cell itself.
    expect(read('margin_call_ltv', '0.9 %', { percent })).toEqual({ value: 0.009 });
    expect(read('margin_call_ltv', '0', { percent })).toEqual({ value: 0 });
    expect(read('interest', '0.12', { percent })).toEqual({ value: 0.0012 });
  });

  it.each<[string, TapeColumn, string, string, string]>([
    [
      'the number of a day in a spreadsheet',
      'maturity',
      '45657',
      '"45657" is not a date, but looks like the number of a day in a spreadsheet',
      'Show the column as dates, and save the file again; or write 2024-12-31 if its days count from 1900.',
    ],
    [
      'points that are of no fraction',
      'loan_amount',
      '15.000.000',
      '"15.000.000" is not a number',
      'Say --decimal comma if the points stand between thousands; or write 15000000.',
    ],
    [
      'thousands that may be a fraction',
      'loan_amount',
      '400,000',
      '"400,000" is not a number',
      '--decimal comma',
    ],
    [
      'an LTV that looks like per cent',
      'margin_call_ltv',
      '80',
      '"80" is no fraction; is it 80 per cent?',
      '--percent margin_call_ltv',
    ],
    [
      'interest that looks like per cent',
      'interest',
      '8',
      '"8" is no fraction; is it 8 per cent?',
      'or 0.08',
    ],
    [
      'a date that has two meanings',
      'maturity',
      '01/02/2026',
      '"01/02/2026" does not say which part is the day and which the month',
      '--dates',
    ],
    ['a text for a date', 'maturity', 'soon', '"soon" is not a date', '2026-01-31'],
    ['an LTV of 1.5', 'margin_call_ltv', '1.5', '"1.5" is no fraction; is it 1.5 per cent?', 'or 0.015.'],
    ['a fraction just above 1', 'sale_cost', '1.001', '"1.001" is no fraction; is it 1.001 per cent?', 'as'],
    ['no date of the calendar', 'maturity', '31-Feb-2024', '"31-Feb-2024" is not a date', '2026-01-31'],
    ['a month of another language', 'maturity', '31-Dez-2024', '"31-Dez-2024" is not a date', '2026-01-31'],
    ['text in per cent', 'interest', 'x %', '"x %" is not a number', 'without a unit'],
    ['no number before the sign', 'interest', '%', '"%" is not a number', 'without a unit'],
  ])('is refused with a remedy: %s', (_, column, cell, message, remedy) => {
    expect(read(column, cell)).toMatchObject({ message, remedy: expect.stringContaining(remedy) });
  });

  it.each<[TapeColumn, string, string]>([
    [
      'loan_amount',
      '300,000 USD',
      'Say --decimal point if the comma stands between thousands, say --decimal comma if it stands before the fraction; or write 300000.',
    ],
    [
      'loan_amount',
      '400,000',
      'Say --decimal point if the comma stands between thousands, say --decimal comma if it stands before the fraction; or write 400000.',
    ],
    [
      'loan_amount',
      '12,5',
      'Say --decimal comma if the comma stands before the fraction; else write numbers without a mark between thousands.',
    ],
    ['loan_amount', '300000 net', 'Write 300000: loan_amount is in units of loan_asset.'],
    ['collateral_value', '9000 est.', 'Write 9000 if it is in USD.'],
    ['grace_hours', '24 approx', 'Write the number of hours alone.'],
    ['grace_hours', '24 business hours', 'Write 24: grace_hours is a number of hours.'],
    ['margin_call_ltv', '0.8x', 'Write 0.8, without other words.'],
    [
      'loan_amount',
      `1 ${' '.repeat(100_000)}x(`,
      'Write a number alone, without a unit or a name of a currency.',
    ],
    ['maturity', '20241231', 'Write 2024-12-31 if that is meant.'],
    ['maturity', '20241331', 'Write 2026-01-31, or 2026-01-31T15:00Z (UTC).'],
  ])('is refused with what would be right for it: %s %s', (column, cell, remedy) => {
    expect(read(column, cell)).toMatchObject({
      message: expect.stringContaining(`is not a ${column === 'maturity' ? 'date' : 'number'}`),
      remedy,
    });
  });

  it('is refused with another remedy where the caller has said what it may mean', () => {
    expect(read('loan_amount', '1,2,3', { decimal: 'comma' })).toMatchObject({
      message: '"1,2,3" is not a number',
      remedy: 'Write the number without marks between its digits.',
    });
    expect(read('maturity', '13/13/2026', { dates: 'dmy' })).toMatchObject({
      message: '"13/13/2026" is not a date',
      remedy: expect.stringContaining('Write 2026-01-31'),
    });
  });

  it('of a whole number of 64 bits is shown as a number', () => {
    expect(readCell('interest', 8n, PLAIN)).toMatchObject({
      message: '8 is no fraction; is it 8 per cent?',
    });
  });

  it('is empty with a dash, null or nothing', () => {
    expect(['', ' ', '-', '–', 'n/a', 'NULL', null, undefined].map(isEmptyCell)).not.toContain(false);
    expect(['0', '-1', 'none of it', 0, Number.NaN].map(isEmptyCell)).not.toContain(true);
  });
});
