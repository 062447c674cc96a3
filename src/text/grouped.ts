/** Numbers and lists in sentences. */
import { nounOf } from './counted.ts';

export const grouped = (value: number, digits: number): string =>
  new Intl.NumberFormat('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(
    value,
  );

/** `1 loan`, `2,000 loans`. */
export const counted = (count: number, noun: string): string => `${grouped(count, 0)} ${nounOf(count, noun)}`;

/** `1,234,567`; below 100 with two digits. */
export function usd(value: number): string {
  const size = Math.abs(value);
  const digits = size >= 100 || size === 0 ? 0 : 2;
  return grouped(value, digits);
}

/** A level or the part beyond it with all digits: `99.5 %`, `1 %`. */
export const levelText = (share: number): string => `${Number((100 * share).toPrecision(8))} %`;

/** The first `most` names, and the number of the others: `a, b and 3 more`. */
export const listed = (names: readonly string[], most: number): string =>
  `${names.slice(0, most).join(', ')}${names.length > most ? ` and ${grouped(names.length - most, 0)} more` : ''}`;

/** Names in a sentence on a few of them. */
const MAX_NAMED = 10;

/** `2 loans (a, b)`; without the names where there are many. */
export const namedLoans = (ids: readonly string[]): string =>
  `${counted(ids.length, 'loan')}${ids.length > MAX_NAMED ? '' : ` (${ids.join(', ')})`}`;
