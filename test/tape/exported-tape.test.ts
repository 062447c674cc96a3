/** Tapes as a lender exports them, in CSV and as a spreadsheet: read at the first attempt. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import readSheets from 'read-excel-file/node';
import { expect, it } from 'vitest';
import { readTape } from '#src/tape/read-tape.js';
import { sheetTable, textTable } from '#src/tape/tables.js';
import { describeWithSharedData } from '../support/shared-data.ts';

describeWithSharedData('A tape of 150 loans as a lender exports it', dataDir => {
  const file = (name: string) => join(dataDir, '../cases/tapes', name);

  it('is the same in CSV and as a spreadsheet, with its total, its debts in dollars and its terms', async context => {
    if (!existsSync(file('lender-150-as-exported.csv'))) return context.skip();
    // The sheet has XBT once.
    const options = { resolve: (symbol: string) => (symbol === 'XBT' ? 'BTC' : symbol) };
    const csv = readTape(textTable(readFileSync(file('lender-150-as-exported.csv'), 'utf8')), options);
    const sheets = await readSheets(readFileSync(file('lender-150-as-exported.xlsx')));
    const sheet = readTape(sheetTable(sheets), options);
    for (const { loans, faults, rows, notUsed, remarks } of [csv, sheet]) {
      expect(faults).toEqual([]);
      expect([loans.length, rows, notUsed]).toEqual([147, 169, ['Orig Dt', 'RM']]);
      const owed = loans.reduce((sum, loan) => sum + (loan.loanValueUsd ?? loan.loanAmount ?? Number.NaN), 0);
      // The total of the tape, to the cent.
      expect(owed).toBeCloseTo(217_863_410.35, 2);
      expect(remarks.join(' ')).toMatch(/1 row with a total is no loan: line 177\./);
      expect(remarks.join(' ')).toMatch(/3 loans \(.*\) owe nothing/);
      expect(remarks.join(' ')).toMatch(/The debt of 3 loans .* is divided by the close\./);
      const due = loans.filter(({ terms }) => Number(terms.maturity) <= Date.UTC(2026, 1, 28));
      expect(due).toHaveLength(3);
      expect(loans[1]).toMatchObject({
        id: 'FAC-2025002',
        borrower: 'Rook Digital AG',
        collateral: [{ asset: 'ETH', amount: 578.522 }],
        terms: {
          initial_ltv: 0.5,
          margin_call_ltv: 0.8,
          liquidation_ltv: 0.85,
          interest: 0.1,
          grace_hours: 24,
          maturity: Date.UTC(2026, 7, 6),
        },
      });
    }
    const unlike = csv.loans.filter((loan, k) => {
      const { lines: _own, ...own } = loan;
      const { lines: _other, ...other } = sheet.loans[k];
      return JSON.stringify(own) !== JSON.stringify(other);
    });
    expect(unlike.map(({ id }) => id)).toEqual([]);
  });
});
