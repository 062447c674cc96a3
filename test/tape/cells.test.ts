/** Cells of a loan tape: an ambiguous cell is a fault. */
import { describe, expect, it } from 'vitest';
import { type CellForms, isEmptyCell, readCell } from '#src/tape/cells.js';
import type { TapeColumn } from '#src/tape/columns.js';
import { COMMAND_WORDS, remedyText } from '#src/tape/remedies.js';

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
  ])('is read: %s', (_, column, cell, value) => {
    expect(read(column, cell)).toEqual({ value });
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
    ['loan_amount', '$300000', 'Write 300000: loan_amount is in units of loan_asset.'],
    ['loan_amount', '300,000.00 USD', 'Write 300000: loan_amount is in units of loan_asset.'],
    ['loan_amount', '1.5mm', 'Write 1500000: loan_amount is in units of loan_asset.'],
    ['loan_amount', 'USDC 1.5 mio', 'Write 1500000: loan_amount is in units of loan_asset.'],
    ['loan_amount', "'300000", 'Write 300000: loan_amount is in units of loan_asset.'],
    ['loan_amount', '  300 000 \u00a0 USD ', 'Write 300000: loan_amount is in units of loan_asset.'],
    ['loan_amount', '2 bn', 'Write 2000000000: loan_amount is in units of loan_asset.'],
    ['loan_amount', '(500000)', 'Write 500000 if the sign marks a debt or a credit: loan_amount is above 0.'],
    [
      'loan_amount',
      '(1,500.25)',
      'Write 1500.25 if the sign marks a debt or a credit: loan_amount is above 0.',
    ],
    ['loan_amount', '-$7', 'Write 7 if the sign marks a debt or a credit: loan_amount is above 0.'],
    ['loan_amount', '500-', 'Write 500 if the sign marks a debt or a credit: loan_amount is above 0.'],
    ['loan_amount', '−500', 'Write 500 if the sign marks a debt or a credit: loan_amount is above 0.'],
    [
      'loan_amount',
      '300,000 USD',
      'Say --decimal comma if the comma stands before the fraction; else write 300000.',
    ],
    [
      'loan_amount',
      '400,000',
      'Say --decimal comma if the comma stands before the fraction; else write 400000.',
    ],
    [
      'loan_amount',
      '12,5',
      'Say --decimal comma if the comma stands before the fraction; else write numbers without a mark between thousands.',
    ],
    ['collateral_amount', '12.5 BTC', 'Write 12.5: collateral_amount is in units of collateral_asset.'],
    ['collateral_amount', '12 MATIC', 'Write 12: collateral_amount is in units of collateral_asset.'],
    [
      'collateral_amount',
      'US$ 9,000.50',
      'Write 9000.5 in collateral_value, which is in USD: collateral_amount is in units of collateral_asset.',
    ],
    ['collateral_value', '$9000', 'Write 9000: collateral_value is in USD.'],
    ['collateral_value', '€ 9000', 'Write the value in USD, and 9000 if it is in USD.'],
    ['grace_hours', '24h', 'Write 24: grace_hours is a number of hours.'],
    ['grace_hours', '2 days', 'Write 48: grace_hours is a number of hours.'],
    ['interest', '8 % p.a.', 'Write 8 %, without other words.'],
    ['interest', '(2%)', 'Write -2 %, without other words.'],
    ['interest', '850 bps', 'Write 8.5 %.'],
    ['margin_call_ltv', '80 pct', 'Write 80 %, without other words.'],
    ['margin_call_ltv', '0.8x', 'Write 0.8, without other words.'],
    [
      'loan_amount',
      `1 ${' '.repeat(100_000)}x(`,
      'Write a number alone, without a unit or a name of a currency.',
    ],
    ['maturity', '31-Dec-24', 'Write 2024-12-31 if that is meant.'],
    ['maturity', '20241231', 'Write 2024-12-31 if that is meant.'],
    ['maturity', '31.12.24', 'Write the year with four digits, such as 2026-01-31.'],
    ['maturity', '20241331', 'Write 2026-01-31, or 2026-01-31T15:00Z (UTC).'],
  ])('is refused with what would be right for it: %s %s', (column, cell, remedy) => {
    expect(read(column, cell)).toMatchObject({
      message: expect.stringContaining(`is not a ${column === 'maturity' ? 'date' : 'number'}`),
      remedy,
    });
  });

  it('with a year of two digits has the date of the order that the caller has said', () => {
    expect(read('maturity', '31.12.24', { dates: 'dmy' })).toMatchObject({
      remedy: 'Write 2024-12-31 if that is meant.',
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
