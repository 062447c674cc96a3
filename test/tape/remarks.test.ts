/** What a tape says twice and differently. */
import { describe, expect, it } from 'vitest';
import { noteSentences, tapeRemarks, unusedSentences } from '#src/tape/remarks.js';
import type { CollateralLine, TapeLoan } from '#src/tape/tape.js';

const PRICES = new Map([
  ['BTC', 50_000],
  ['ETH', 2_500],
  ['USD', 1],
]);
const loan = (id: string, borrower?: string, collateral: readonly CollateralLine[] = []): TapeLoan => ({
  ...{ id, lines: [2], collateral, loanAsset: 'USD', loanAmount: 1, terms: {} },
  ...(borrower !== undefined && { borrower }),
});
const ofBorrowers = (...names: readonly (string | undefined)[]) =>
  tapeRemarks(
    names.map((name, k) => loan(`l${k}`, name)),
    PRICES,
  );
const ofLines = (...lines: readonly CollateralLine[]) => tapeRemarks([loan('a', 'Ann', lines)], PRICES);

describe('Names of borrowers', () => {
  it('that differ only in case or white space have one remark with all of them', () => {
    expect(ofBorrowers('Ann  Smith', 'Bob', 'ann smith', 'Ann Smith', 'Bob', 'BOB\u00a0')).toEqual([
      'Names of borrowers that differ only in case or white space are different borrowers: "Ann  Smith" and "ann smith" and "Ann Smith" (3.00 USD together), "Bob" and "BOB\u00a0" (3.00 USD together).',
    ]);
  });

  it('that are equal, absent or otherwise different have none', () => {
    expect(ofBorrowers('Ann', 'Ann', undefined, undefined, 'Anna', 'An n')).toEqual([]);
  });

  it('are counted from the eleventh group on', () => {
    const names = Array.from({ length: 12 }, (_, k) => [`b${k}`, `B${k}`]).flat();
    expect(ofBorrowers(...names)[0]).toMatch(/"b9" and "B9" \(2\.00 USD together\) and 2 more\.$/);
  });
});

describe('Ids of loans', () => {
  it('that differ only in case or white space have one remark', () => {
    const of = (...ids: readonly string[]) =>
      tapeRemarks(
        ids.map(id => loan(id)),
        PRICES,
      );
    expect(of('A-1', 'b', 'a-1', 'B\u00a0', 'c')).toEqual([
      'Ids of loans that differ only in case or white space are different loans: "A-1" and "a-1", "b" and "B\u00a0".',
    ]);
    expect(of('A-1', 'A-2')).toEqual([]);
  });
});

describe('A value beside an amount', () => {
  it('has a remark with the loan and both figures beyond 10 % of the value', () => {
    expect(
      ofLines({ asset: 'BTC', amount: 2, valueUsd: 90_000 }, { asset: 'ETH', amount: 1.5, valueUsd: 4_200 }),
    ).toEqual([
      'In 2 rows collateral_amount times the close differs from collateral_value by more than 10 %; the amount is used: a (2 BTC are 100,000 USD, the tape has 90,000), a (1.5 ETH are 3,750 USD, the tape has 4,200).',
    ]);
  });

  it('has none within 10 %, and none without the other', () => {
    expect(
      ofLines(
        { asset: 'BTC', amount: 1.099, valueUsd: 50_000 },
        { asset: 'BTC', amount: 0.9, valueUsd: 50_000 },
        { asset: 'ETH', amount: 9 },
        { asset: 'ETH', valueUsd: 9 },
      ),
    ).toEqual([]);
    expect(ofLines({ asset: 'BTC', amount: 1.101, valueUsd: 50_000 })).toHaveLength(1);
    expect(ofLines({ asset: 'BTC', amount: 0.899, valueUsd: 50_000 })).toHaveLength(1);
  });
});

describe('The interest of a tape', () => {
  const ofRates = (...rates: readonly (number | undefined)[]) =>
    tapeRemarks(
      rates.map((interest, k) => ({ ...loan(`l${k}`), terms: interest === undefined ? {} : { interest } })),
      PRICES,
    );

  it('that is below 1 % for all loans has a remark with the highest', () => {
    expect(ofRates(0.0009, 0.00125, 0.0011, 0, undefined)).toEqual([
      'The interest of 3 loans is at most 0.125 % a year: if the cells are fractions, which a spreadsheet shows as 12 %, name the column in the option fractions.',
    ]);
  });

  it('of half the debt a year or more has a remark with the loans', () => {
    expect(ofRates(0.12, 0.9, 0.5, 0.499)).toEqual([
      'The interest of 2 loans (l1, l2) is 50 % a year or more: if the cells are per cent, name the column in the option percent.',
    ]);
  });

  it('of 1 % or more, of few loans or without any has none', () => {
    expect(ofRates(0.0009, 0.00125, 0.01)).toEqual([]);
    expect(ofRates(0.0009, 0.00125)).toEqual([]);
    expect(ofRates(0, 0, 0, undefined)).toEqual([]);
    expect(ofRates(-0.001, -0.002, -0.003)).toEqual([]);
  });
});

describe('Decisions and columns of a tape', () => {
  it('are sentences with the loans of each decision', () => {
    expect(noteSentences([['no-maturity', ['a', 'b']]])).toEqual([
      '2 loans (a, b) without a maturity: followed to the horizon.',
    ]);
  });

  it('that are not used are named, and counted where they have no name', () => {
    expect(unusedSentences([])).toEqual([]);
    expect(unusedSentences(['Desk', '', ' '])).toEqual([
      'Columns of the tape that are not used: Desk, 2 columns without a name.',
    ]);
    const many = Array.from({ length: 42 }, (_, k) => `c${k}`);
    expect(unusedSentences(many)[0]).toMatch(/c39 and 2 more\.$/);
  });
});
