/** What would be right for a cell that is not a number: `(500000)`, `$300000`, `300,000.00 USD`, `2 days`, `8 % p.a.`. */
import { type DecimalMark, readNumber } from '../market/import/numbers.ts';
import { TAPE_COLUMNS, type TapeColumn } from './columns.ts';

/** What people write before and behind a number. */
const BEFORE = /^(?<open>\()? ?(?<sign>[-+\u2212])? ?(?<before>[^().,+-]*?) ?(?<own>[-+])?$/;
const BEHIND = /^(?<behind>[^()+-]*?) ?(?<end>[-)])?$/;
/** `15.000.000`: points that are of no fraction. */
const POINTS = /^[+-]?\d{1,3}(\.\d{3}){2,}$/;
const THOUSANDS = /^[+-]?\d{1,3}(,\d{3})+$/;

/** Characters of a cell that is looked into. */
const LONGEST = 80;

/** A number with its sign, and what is around it; undefined for another text. */
function dressedNumber(text: string) {
  if (text.length > LONGEST) return undefined;
  const parts = /^(\D*?)([.,]?\d(?:.*\d)?)(\D*)$/.exec(text.trim().replace(/\s+/g, ' '));
  const before = BEFORE.exec(parts?.[1] ?? '');
  const behind = BEHIND.exec(parts?.[3]?.trim() ?? '');
  if (parts === null || !/^[\d.,'\u2019 ]+$/.test(parts[2]) || before === null || behind === null)
    return undefined;
  return { ...before.groups, ...behind.groups, digits: `${before.groups?.own ?? ''}${parts[2]}` };
}

/** Units by the first word behind a number. */
const UNITS: readonly (readonly [words: RegExp, factor: number])[] = [
  [/^(k|thousand|thd)\b/i, 1e3],
  [/^(m|mm|mn|mio|mln|million)\b/i, 1e6],
  [/^(b|bn|billion)\b/i, 1e9],
];
const DOLLARS = /^(us)?\s*\$|\$$|usd/i;

export function numberRemedy(column: TapeColumn, text: string, decimal: DecimalMark | undefined): string {
  const parts: Partial<Record<string, string>> | undefined = dressedNumber(text);
  const { open, sign, before = '', digits, behind = '', end } = parts ?? {};
  if (digits === undefined) return 'Write a number alone, without a unit or a name of a currency.';
  const value = readNumber(digits, decimal);
  if (Number.isNaN(value)) return markRemedy(digits, decimal);
  const isNegative = open !== undefined || end !== undefined || (sign ?? '+') !== '+' || value < 0;
  const [, factor = 1] = UNITS.find(([words]) => words.test(behind)) ?? [];
  const size = Number((factor * Math.abs(value)).toPrecision(15));
  const words = `${before} ${behind}`.trim();
  const { kind } = TAPE_COLUMNS[column];
  if (kind === 'hours') {
    const hours = /^d(ays?)?\b/i.test(behind) ? 24 * size : size;
    return `Write ${hours}: ${column} is a number of hours.`;
  }
  if (kind === 'fraction') {
    const signed = isNegative ? -size : size;
    if (/^(bps?|basis)\b/i.test(behind)) return `Write ${Number((signed / 100).toPrecision(15))} %.`;
    return `Write ${signed}${/%|pct|per\s?cent/i.test(words) ? ' %' : ''}, without other words.`;
  }
  if (isNegative) return negativeRemedy(column, size);
  const isDollars = DOLLARS.test(words);
  if (column === 'collateral_value')
    return isDollars || words === ''
      ? `Write ${size}: ${column} is in USD.`
      : `Write the value in USD, and ${size} if it is in USD.`;
  if (column === 'loan_amount') return `Write ${size}: ${column} is in units of loan_asset.`;
  return isDollars
    ? `Write ${size} in collateral_value, which is in USD: ${column} is in units of collateral_asset.`
    : `Write ${size}: ${column} is in units of collateral_asset.`;
}

/** Parentheses and a minus sign mark what is owed in the tapes of accountants. */
export const negativeRemedy = (column: TapeColumn, size: number): string =>
  `Write ${size} if the sign marks a debt or a credit: ${column} is above 0.`;

/** A mark that may stand between thousands or before a fraction. */
function markRemedy(digits: string, decimal: DecimalMark | undefined): string {
  const plain = (mark: RegExp) => Number(digits.replace(mark, ''));
  if (decimal === 'comma' || !/[.,]/.test(digits))
    return 'Write the number without marks between its digits.';
  if (POINTS.test(digits))
    return `Say --decimal comma if the points stand between thousands; or write ${plain(/\./g)}.`;
  return THOUSANDS.test(digits)
    ? `Say --decimal comma if the comma stands before the fraction; else write ${plain(/,/g)}.`
    : 'Say --decimal comma if the comma stands before the fraction; else write numbers without a mark between thousands.';
}
