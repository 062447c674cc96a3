/** Exports in the forms of lending desks, retail lenders, custodians and protocols: read in at most two attempts, the second with what the first proposed. */
import { expect, it } from 'vitest';
import type { TapeColumn } from '#src/tape/columns.js';
import type { TapeOptions } from '#src/tape/read-tape.js';
import { COMMAND_WORDS, remedyText } from '#src/tape/remedies.js';
import { textTable } from '#src/tape/tables.js';
import { differences, proposed, readOnce } from '../support/answered-tape.ts';
import type { GeneratedTape, TrueLoan } from '../support/generated-tape.ts';

interface Export {
  readonly text: string;
  /** What a person who knows the tape answers. */
  readonly knows?: Partial<GeneratedTape['knows']>;
  readonly loans: readonly TrueLoan[];
}

const due = (day: string) => Date.parse(`${day}T00:00Z`);
const loan = (
  id: string,
  collateral: TrueLoan['collateral'],
  loanUsd: number,
  [margin_call_ltv, liquidation_ltv, grace_hours]: readonly [number, number, number],
  terms: TrueLoan['terms'] = {},
): TrueLoan => ({
  id,
  collateral,
  loanUsd,
  terms: { margin_call_ltv, liquidation_ltv, grace_hours, ...terms },
});
const lines = (...rows: readonly string[]) => `${rows.join('\n')}\n`;

const EXPORTS: Readonly<Record<string, Export>> = {
  'a retail lender on bitcoin, whose headings name the coin': {
    text: lines(
      'Loan ID,Client ID,Loan Status,Start Date,Maturity Date,APR,Loan Balance (USDC),Collateral (BTC),BTC Price,LTV,Margin Call LTV,Liquidation LTV,Cure Period (hours)',
      'L-20017,C-88,Active,2025-06-01,2026-06-01,11.90%,25000.00,0.85000000,61250.00,48.01%,70%,80%,24',
      'L-20018,C-91,Active,2025-09-15,2026-09-15,12.40%,61000.00,1.90000000,61250.00,52.41%,70%,80%,24',
    ),
    loans: [
      loan('L-20017', [['BTC', 0.85]], 25_000 * 0.9998, [0.7, 0.8, 24], {
        maturity: due('2026-06-01'),
        interest: 0.119,
      }),
      loan('L-20018', [['BTC', 1.9]], 61_000 * 0.9998, [0.7, 0.8, 24], {
        maturity: due('2026-09-15'),
        interest: 0.124,
      }),
    ],
  },
  'a bitcoin lender with ratios of collateral to principal': {
    text: lines(
      'Loan Number,Borrower Entity,Principal (USD),Interest Rate,Originated,Matures,Collateral Asset,Collateral Amount,CTP Ratio,Margin Call Ratio,Liquidation Ratio,Cure hrs',
      '100231,Oak Family Trust,"150,000.00",12.5%,03/14/2025,03/14/2026,BTC,5.00000000,204%,143%,125%,72',
      '100232,Hollis LLC,"95,000.00",12.5%,10/30/2025,10/30/2026,BTC,3.20000000,206%,143%,125%,72',
    ),
    knows: { ratios: true, percent: true },
    loans: [
      loan('100231', [['BTC', 5]], 150_000, [1 / 1.43, 0.8, 72], {
        maturity: due('2026-03-14'),
        interest: 0.125,
      }),
      loan('100232', [['BTC', 3.2]], 95_000, [1 / 1.43, 0.8, 72], {
        maturity: due('2026-10-30'),
        interest: 0.125,
      }),
    ],
  },
  'an institution with pipes, a title and undrawn lines': {
    text: lines(
      'Institutional Lending - Positions',
      'As of: 27-Feb-2026',
      '',
      'Facility Ref|Obligor|Facility Type|Facility CCY|Drawn Notional|Undrawn Commitment|Pledged Asset|Pledged Quantity|Current LTV %|Initial LTV %|Margin Call LTV %|Liquidation LTV %|Cure Period (hrs)|Final Maturity',
      'AD-0091|Meridian Capital LP|Term|USD|4,500,000.00|500,000.00|BTC|140.25|52.4|50.0|70.0|80.0|12|30-Sep-2026',
      'AD-0092|Tessellate Ltd|Revolver|USDC|2,000,000.00|3,000,000.00|ETH|1,350.00|49.0|45.0|65.0|75.0|12|31-Mar-2027',
      'Total||||6,500,000.00|3,500,000.00||||||||',
    ),
    loans: [
      loan('AD-0091', [['BTC', 140.25]], 4_500_000, [0.7, 0.8, 12], { maturity: due('2026-09-30') }),
      loan('AD-0092', [['ETH', 1350]], 2_000_000 * 0.9998, [0.65, 0.75, 12], { maturity: due('2027-03-31') }),
    ],
  },
  'credit lines with several coins in rows, commas before fractions and no end': {
    text: lines(
      'Credit Line ID;Customer;Loan Currency;Outstanding Loan;Collateral Asset;Collateral Balance;LTV;Margin Call LTV;Liquidation LTV;Grace Period (hours);Maturity',
      'NX-5501;K-10;EUR;12.500,00;BTC;0,35;51,2%;71,4%;83,3%;24;Open-ended',
      ';;;;ETH;2,10;;;;;',
      'NX-5502;K-11;EUR;8.000,50;SOL;140,75;43,2%;71,4%;83,3%;24;Open-ended',
    ),
    knows: { decimal: 'comma' },
    loans: [
      loan(
        'NX-5501',
        [
          ['BTC', 0.35],
          ['ETH', 2.1],
        ],
        12_500 * 1.083,
        [0.714, 0.833, 24],
      ),
      loan('NX-5502', [['SOL', 140.75]], 8000.5 * 1.083, [0.714, 0.833, 24]),
    ],
  },
  'a blotter with basis points and call terms': {
    text: lines(
      'Deal ID,Trade Date,Counterparty,Loan Asset,Loan Quantity,Rate (bps),Collateral Asset,Collateral Quantity,Initial Margin %,Margin Call %,Liquidation %,Notice (hrs),Maturity Date',
      'G-771,2026-01-12,Alder Trading,USDC,"3,000,000",875,BTC,80,61.2,75,85,24,2026-04-12',
      'G-772,2026-02-03,Birch Fund,BTC,10,450,ETH,380,53.4,75,85,24,2026-05-03',
    ),
    knows: { percent: true, headings: { grace_hours: 'Notice (hrs)' } },
    loans: [
      loan('G-771', [['BTC', 80]], 3_000_000 * 0.9998, [0.75, 0.85, 24], {
        maturity: due('2026-04-12'),
        interest: 0.0875,
      }),
      loan('G-772', [['ETH', 380]], 612_500, [0.75, 0.85, 24], {
        maturity: due('2026-05-03'),
        interest: 0.045,
      }),
    ],
  },
  'accounts of a protocol, without a call': {
    text: lines(
      'user,collateralSymbol,collateralAmount,debtSymbol,debtAmount,liquidationThreshold,healthFactor',
      '0xa1f3,ETH,210.5,USDC,390000,0.83,1.35',
      '0xb27c,BTC,4.25,USDC,150000,0.78,1.35',
    ),
    knows: { headings: { loan_id: 'user' }, defaults: { margin_call_ltv: '0.75', grace_hours: '1' } },
    loans: [
      loan('0xa1f3', [['ETH', 210.5]], 390_000 * 0.9998, [0.75, 0.83, 1]),
      loan('0xb27c', [['BTC', 4.25]], 150_000 * 0.9998, [0.75, 0.78, 1]),
    ],
  },
  'a custodian with values in thousands': {
    text: lines(
      'Loan Ref,Borrower,Outstanding (USD 000s),Collateral Asset,Collateral Units,Collateral MV (USD 000s),Margin Call LTV,Liquidation LTV,Cure hrs,Maturity',
      'T-1,Cobalt,2500,BTC,75,4593.75,0.75,0.85,24,2026-11-30',
      'T-2,Dune,800,ETH,520,1570.4,0.75,0.85,24,2026-12-15',
    ),
    loans: [
      loan('T-1', [['BTC', 75]], 2_500_000, [0.75, 0.85, 24], { maturity: due('2026-11-30') }),
      loan('T-2', [['ETH', 520]], 800_000, [0.75, 0.85, 24], { maturity: due('2026-12-15') }),
    ],
  },
  'amounts with their symbols, and times of day': {
    text: lines(
      'Loan,Customer Name,Loan Amount,Collateral,Collateral Amount,Margin Call LTV,Liquidation LTV,Margin Call Grace,Due Date',
      'CB-1,Ruiz,"500,000.00 USDC",BTC,"14.50000000 BTC",70.00%,80.00%,24 hours,"Feb 27, 2027 17:00 UTC"',
      'CB-2,Sato,"120,000.00 USDC",ETH,"81.00000000 ETH",70.00%,80.00%,24 hours,"Aug 3, 2026 17:00 UTC"',
    ),
    loans: [
      loan('CB-1', [['BTC', 14.5]], 500_000 * 0.9998, [0.7, 0.8, 24]),
      loan('CB-2', [['ETH', 81]], 120_000 * 0.9998, [0.7, 0.8, 24]),
    ],
  },
  'a Swiss bank, with apostrophes and points in dates': {
    text: lines(
      'Vertrag-Nr.;Client;Loan Currency;Loan Amount;Collateral Asset;Collateral Qty;Margin Call LTV;Liquidation LTV;Grace (h);Maturity',
      "K-4401;Huber;USD;1'250'000.00;BTC;42.5;65%;75%;48;31.12.2026",
      "K-4402;Meier;USD;380'000.00;ETH;260;65%;75%;48;30.09.2026",
    ),
    knows: { headings: { loan_id: 'Vertrag-Nr.' } },
    loans: [
      loan('K-4401', [['BTC', 42.5]], 1_250_000, [0.65, 0.75, 48], { maturity: due('2026-12-31') }),
      loan('K-4402', [['ETH', 260]], 380_000, [0.65, 0.75, 48], { maturity: due('2026-09-30') }),
    ],
  },
  'a warehouse report in millions, with closed loans': {
    text: lines(
      'Loan #,Status,Current Balance ($mm),Collateral Coin,Coins Held,Advance Rate,Margin Trigger LTV,Liquidation Trigger LTV,Cure Period (days),Legal Maturity Date',
      '0000311,Current,1.25,BTC,38.4,53%,72%,82%,2,2026-08-31',
      '0000312,Current,0.64,ETH,410,52%,72%,82%,2,2026-10-31',
      '0000313,Paid Off,0,ETH,0,,72%,82%,2,2026-01-31',
    ),
    loans: [
      loan('0000311', [['BTC', 38.4]], 1_250_000, [0.72, 0.82, 48], { maturity: due('2026-08-31') }),
      loan('0000312', [['ETH', 410]], 640_000, [0.72, 0.82, 48], { maturity: due('2026-10-31') }),
    ],
  },
};

const NOTHING: GeneratedTape['knows'] = {
  decimal: 'point',
  dates: 'mdy',
  headings: {},
  defaults: {},
  ratios: false,
  percent: false,
};

it.each(Object.entries(EXPORTS))('%s', async (_, { text, knows, loans }) => {
  const tape = { table: textTable(text), text, loans, hasLostIds: false, knows: { ...NOTHING, ...knows } };
  const first = await readOnce(tape, {});
  const told = first.faults.map(
    ({ column = '', message, remedy }) => `${column}: ${message} / ${remedyText(remedy, COMMAND_WORDS)}`,
  );
  const { headings } = tape.knows;
  const named = Object.entries(headings) as [TapeColumn, string][];
  // A person names a column for which nothing is proposed.
  const asked = first.faults.filter(({ remedy }) => {
    const [pair = ''] = typeof remedy === 'object' ? remedy.values : [];
    const [name, column] = pair.split('=');
    return !(name === 'name in the file' && headings[column as TapeColumn] !== undefined);
  });
  const answers: TapeOptions | undefined = first.faults.length === 0 ? {} : proposed(asked, tape.knows);
  expect(answers, told.join('\n')).toBeDefined();
  const options = {
    ...answers,
    columns: { ...answers?.columns, ...Object.fromEntries(first.faults.length === 0 ? [] : named) },
  };
  const read = first.faults.length === 0 ? first : await readOnce(tape, options);
  expect(read.faults, told.join('\n')).toEqual([]);
  expect(differences(read, tape), told.join('\n')).toEqual([]);
});
