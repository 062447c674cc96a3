/** Sentences on a tape: contradictions, cells that may mean something else, decisions on loans, unused columns. Nothing is corrected. */

import { counted, grouped, levelText, listed, namedLoans, usd } from '../text/grouped.ts';
import { show } from '../text/message.ts';
import type { Cell, DecimalMark } from '../text/numbers.ts';
import { TAPE_NOTES, type TapeNote } from './book-rows.ts';
import { readCell } from './cells.ts';
import type { TapeColumn } from './columns.ts';
import { groupsBy } from './groups-by.ts';
import type { CollateralLine, TapeLoan } from './tape.ts';
import { loanValueOf, owedUsd, type Prices, priceOf } from './valuation.ts';

const MAX_SHOWN = 10;

/** Largest difference of the amount times its price from the value of the tape, as a share of that value. */
const VALUE_TOLERANCE = 0.1;

export const tapeRemarks = (loans: readonly TapeLoan[], prices: Prices): readonly string[] => [
  ...idRemarks(loans),
  ...borrowerRemarks(loans, prices),
  ...valueRemarks(loans, prices),
  ...ltvRemarks(loans, prices),
  ...interestRemarks(loans),
];

/** If all interest of a tape is below this, it looks like fractions read as per cent. */
const LOW_INTEREST = 0.01;
/** Fewest loans with interest for this conclusion. */
const MIN_LOANS = 3;

/** From here on, a loan's interest looks like per cent read as a fraction: 0.9 where 0.9 % is meant. */
const HIGH_INTEREST = 0.5;

/** A share in a column named as per cent: 0.12, which a spreadsheet shows as 12 %; or the reverse. */
function interestRemarks(loans: readonly TapeLoan[]): string[] {
  const rates = loans.flatMap(({ terms: { interest = 0 } }) => (interest > 0 ? [interest] : []));
  const most = rates.reduce((a, b) => Math.max(a, b), 0);
  const high = loans.filter(({ terms: { interest = 0 } }) => interest >= HIGH_INTEREST).map(({ id }) => id);
  return [
    ...(rates.length < MIN_LOANS || most >= LOW_INTEREST
      ? []
      : [
          `The interest of ${counted(rates.length, 'loan')} is at most ${levelText(most)} a year: if the cells are fractions, which a spreadsheet shows as 12 %, name the column in the option fractions.`,
        ]),
    ...(high.length === 0
      ? []
      : [
          `The interest of ${namedLoans(high)} is ${levelText(HIGH_INTEREST)} a year or more: if the cells are per cent, name the column in the option percent.`,
        ]),
  ];
}

/** Decisions on loans. */
export const noteSentences = (notes: Iterable<readonly [TapeNote, readonly string[]]>): readonly string[] =>
  [...notes].map(([note, ids]) => `${namedLoans(ids)} ${TAPE_NOTES[note]}`);

/** Most names of columns in a sentence. */
const MAX_COLUMNS = 40;

/** Columns that are not used; empty where all are. @param names of them in the tape */
export function unusedSentences(names: readonly string[]): readonly string[] {
  const named = names.filter(name => name.trim() !== '');
  const unnamed = names.length - named.length;
  const all = [...named, ...(unnamed === 0 ? [] : [`${counted(unnamed, 'column')} without a name`])];
  return all.length === 0 ? [] : [`Columns of the tape that are not used: ${listed(all, MAX_COLUMNS)}.`];
}

/** Groups of names that differ only in case or white space. */
const alike = (names: readonly string[]): readonly (readonly string[])[] =>
  groupsBy(new Set(names), name => name.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase()).filter(
    group => group.length > 1,
  );

/** Ids that differ only in case or white space, which may be one loan twice. */
function idRemarks(loans: readonly TapeLoan[]): string[] {
  const groups = alike(loans.map(({ id }) => id));
  return groups.length === 0
    ? []
    : [
        `Ids of loans that differ only in case or white space are different loans: ${listed(
          groups.map(group => group.map(show).join(' and ')),
          MAX_SHOWN,
        )}.`,
      ];
}

/** Names of borrowers that differ only in case or white space. */
function borrowerRemarks(loans: readonly TapeLoan[], prices: Prices): string[] {
  const groups = alike(loans.flatMap(({ borrower }) => borrower ?? []));
  if (groups.length === 0) return [];
  const lent = (group: readonly string[]) =>
    loans
      .filter(({ borrower }) => borrower !== undefined && group.includes(borrower))
      .reduce((sum, loan) => sum + owedUsd(loan, prices), 0);
  const shown = groups.map(
    (group, k) =>
      `${group.map(show).join(' and ')}${k < MAX_SHOWN ? ` (${usd(lent(group))} USD together)` : ''}`,
  );
  return [
    `Names of borrowers that differ only in case or white space are different borrowers: ${listed(shown, MAX_SHOWN)}.`,
  ];
}

/** Collateral whose value in the tape is not its amount times the price. A value in the first row alone may be of the whole loan. */
function valueRemarks(loans: readonly TapeLoan[], prices: Prices): string[] {
  const found = loans.flatMap(({ id, collateral }) => {
    const valued = collateral.filter(({ valueUsd }) => valueUsd !== undefined);
    const usdOf = ({ asset, amount = Number.NaN }: CollateralLine) => amount * priceOf(asset, prices);
    const isWhole = valued.length === 1 && collateral.length > 1 && valued[0] === collateral[0];
    const all = collateral.reduce((sum, line) => sum + usdOf(line), 0);
    return valued.flatMap(line => {
      const { asset, amount, valueUsd = Number.NaN } = line;
      const own = usdOf(line);
      if (amount === undefined || isNear(own, valueUsd) || (isWhole && isNear(all, valueUsd))) return [];
      return [`${id} (${amountText(amount)} ${asset} are ${usd(own)} USD, the tape has ${usd(valueUsd)})`];
    });
  });
  if (found.length === 0) return [];
  return [
    `In ${counted(found.length, 'row')} collateral_amount times the close differs from collateral_value by more than ${levelText(VALUE_TOLERANCE)}; the amount is used: ${listed(found, MAX_SHOWN)}.`,
  ];
}

const isNear = (own: number, ofTape: number) => Math.abs(own - ofTape) <= VALUE_TOLERANCE * ofTape;

/** Loans whose LTV in the tape is not the one at the closes. */
function ltvRemarks(loans: readonly TapeLoan[], prices: Prices): string[] {
  const found = loans.flatMap(loan => {
    const { id, ownLtv } = loan;
    if (ownLtv === undefined) return [];
    const { ltv } = loanValueOf(loan, prices);
    return isNear(ltv, ownLtv) ? [] : [`${id} (${shareText(ltv)}, the tape has ${shareText(ownLtv)})`];
  });
  return found.length === 0
    ? []
    : [
        `The LTV of ${counted(found.length, 'loan')} at the closes differs from that of the tape by more than ${levelText(VALUE_TOLERANCE)} of it; the one at the closes is used: ${listed(found, MAX_SHOWN)}.`,
      ];
}

const shareText = (share: number) => levelText(Number(share.toPrecision(3)));

const amountText = (amount: number) => (Number.isInteger(amount) ? grouped(amount, 0) : String(amount));

const AMOUNTS = ['loan_amount', 'loan_value', 'collateral_value', 'collateral_amount'] as const;
/** Fewest cells that show a habit. */
const MIN_CELLS = 3;
const BEFORE_THREE = /^[+-]?\d{1,3}\.\d{3}$/;
const WITH_LETTER = /\d\.?\s?(k|m|mm|mn|mio|mln|b|bn|t)\b/i;

/** @param index of each column of the tape @param decimal where the caller has named it */
export const cellRemarks = (
  rows: readonly (readonly Cell[])[],
  index: ReadonlyMap<TapeColumn, number>,
  decimal: DecimalMark | undefined,
): readonly string[] =>
  AMOUNTS.flatMap(column => {
    const at = index.get(column) ?? -1;
    const texts = rows
      .map(cells => cells[at])
      .flatMap(cell => (typeof cell === 'string' ? [cell.trim()] : []));
    const pointed = texts.filter(text => text.includes('.'));
    // Money rarely has three digits behind its point; units of a coin often have.
    const isHabit = pointed.length >= MIN_CELLS && pointed.every(text => BEFORE_THREE.test(text));
    const numberOf = (text: string) => {
      const read = readCell(column, text, { percent: new Set(), decimal });
      return 'value' in read ? Number(read.value) : Number.NaN;
    };
    const lettered = texts.filter(text => WITH_LETTER.test(text) && Number.isFinite(numberOf(text)));
    return [
      ...(column === 'collateral_amount' || decimal !== undefined || !isHabit
        ? []
        : [
            `Every point in ${column} stands before three digits, such as ${pointed[0]}, and is read as that before a fraction: if it stands between thousands, name the comma in the option decimal; if not, the point.`,
          ]),
      // M stands for a thousand in some houses.
      ...(lettered.length === 0
        ? []
        : [
            `In ${column} ${counted(lettered.length, 'cell')} ${lettered.length === 1 ? 'has' : 'have'} a letter for a thousand (K), a million (M), a billion (B) or a trillion (T): ${show(lettered[0])} is read as ${grouped(numberOf(lettered[0]), 0)}.`,
          ]),
    ];
  });
