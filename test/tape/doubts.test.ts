/** Loans whose figures can hardly be right: what is asked, and what the answers lead to. */
import { describe, expect, it } from 'vitest';
import { doubtfulLoans } from '#src/tape/doubts.js';
import { readTape, type TapeOptions } from '#src/tape/read-tape.js';
import { COMMAND_WORDS, remedyText } from '#src/tape/remedies.js';
import { textTable } from '#src/tape/tables.js';
import type { TapeLoan } from '#src/tape/tape.js';
import { loanValueOf } from '#src/tape/valuation.js';

const PRICES = new Map([
  ['BTC', 60_000],
  ['ETH', 3_000],
  ['USD', 1],
  ['USDC', 1],
  ['DAI', 1],
]);
const loan = (id: string, loanAmount: number, amount = 1): TapeLoan => ({
  id,
  lines: [2],
  collateral: [{ asset: 'BTC', amount }],
  loanAsset: 'USD',
  loanAmount,
  terms: {},
});
const asked = (loans: readonly TapeLoan[], accepted?: readonly string[]) =>
  doubtfulLoans(loans, PRICES, accepted).map(({ id, column, message, remedy }) => [
    id,
    column,
    message,
    remedyText(remedy, COMMAND_WORDS),
  ]);

describe('A loan that looks wrong', () => {
  it('has an LTV above 300 %, and is taken where the caller accepts it', () => {
    expect(asked([loan('a', 180_000), loan('b', 180_001)])).toEqual([
      [
        'b',
        'loan_amount',
        'the LTV today is 300 %: 180,001 USD against collateral of 60,000 USD',
        'Correct the amounts or their units, or say --accept b if they are right.',
      ],
    ]);
    expect(asked([loan('b', 180_001)], ['b'])).toEqual([]);
  });

  it('is more than 100 times the median loan of five or more', () => {
    const book = [1, 2, 3, 4].map(k => loan(`l${k}`, 1000));
    expect(asked([...book, loan('whale', 100_000, 10)])).toEqual([]);
    expect(asked([...book, loan('whale', 100_001, 10)])).toMatchObject([
      [
        'whale',
        'loan_amount',
        'the loan is 100,001 USD, more than 100 times the median loan of the tape (1,000 USD)',
        expect.stringContaining('--accept whale'),
      ],
    ]);
    expect(asked([...book.slice(1), loan('whale', 100_001, 10)])).toEqual([]);
  });
});

describe('Amounts in smallest units', () => {
  const HEADER =
    'id,collateral,collateral_amount,loan_asset,debt,margin_call_ltv,liquidation_ltv,grace_hours';
  const ROWS = [
    '0xaa,ETH,15000000000000000000,USDC,20000000000,0.80,0.83,1',
    '0xbb,BTC,50000000,USDC,15000000000,0.70,0.75,1',
    '0xcc,ETH,15000000000000000000,DAI,20000000000000000000000,0.80,0.83,1',
  ];
  const read = (rows: readonly string[], options: TapeOptions = {}) =>
    readTape(textTable([HEADER, ...rows].join('\n')), options);

  it('are asked about at the amount, and divided where the caller says so', () => {
    expect(asked(read(ROWS).loans)).toEqual([
      [
        '0xaa',
        'collateral_amount',
        '15,000,000,000,000,000,000 ETH are 4.50e+22 USD: is the amount in smallest units, 15 ETH?',
        'Say --smallest-units collateral_amount loan_amount if it is; else correct the amounts.',
      ],
      [
        '0xbb',
        'collateral_amount',
        '50,000,000 BTC are 3,000,000,000,000 USD: is the amount in smallest units, 0.5 BTC?',
        'Say --smallest-units collateral_amount loan_amount if it is; else correct the amounts.',
      ],
      expect.arrayContaining(['0xcc', 'collateral_amount']),
    ]);
    const { loans } = read(ROWS, { smallestUnits: ['collateral_amount', 'loan_amount'] });
    expect(loans.map(each => [each.collateral[0].amount, each.loanAmount])).toEqual([
      [15, 20_000],
      [0.5, 15_000],
      [15, 20_000],
    ]);
    expect(asked(loans)).toEqual([]);
    expect(loanValueOf(loans[1], PRICES).ltv).toBeCloseTo(0.5, 12);
  });

  it('are asked about for one of the two columns alone', () => {
    const [collateral] = asked(read(['a,ETH,15000000000000000000,USD,20000,0.8,0.9,1']).loans);
    expect(collateral[3]).toContain('--smallest-units collateral_amount if');
    const [debt] = asked(read(['a,ETH,15,USDC,20000000000,0.8,0.9,1']).loans);
    expect(debt.slice(1)).toEqual([
      'loan_amount',
      '20,000,000,000 USDC are 20,000,000,000 USD: is the amount in smallest units, 20000 USDC?',
      'Say --smallest-units loan_amount if it is; else correct the amounts.',
    ]);
  });

  it('are refused for an asset whose smallest unit is not known', () => {
    const { faults } = read(['a,ABC,15000,USD,20000,0.8,0.9,1'], { smallestUnits: ['collateral_amount'] });
    expect(faults).toMatchObject([
      { column: 'collateral_amount', message: 'the smallest unit of ABC is not known' },
    ]);
  });
});
