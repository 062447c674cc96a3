/**
 * Numbers as spreadsheets of lenders dress them: `$1,250,000`, `(500)`, `1.5mm USD`, `2 days`.
 *
 * Must not know: columns.
 */
import type { Cell } from '../text/numbers.ts';
import { currencyOf } from './headings.ts';

/** Text that bookkeepers write for nothing: a dash, perhaps behind the mark of a currency. */
export const isZeroDash = (cell: Cell): boolean =>
  typeof cell === 'string' && /^[$€£]?\s*[-–—]+\s*$/.test(cell) && cell.trim() !== '';

/** What people write before and behind a number. */
const BEFORE = /^(?<open>\()? ?(?<sign>[-+\u2212])? ?(?<before>[^().,+-]*?) ?(?<own>[-+])?(?<inner>\()?$/;
const BEHIND = /^(?<behind>[^()+-]*?) ?(?<end>[-)])?$/;

/** Largest cell that is examined, characters. */
const LONGEST = 80;

export interface Dressed {
  /** Digits with their marks and without a sign: `1,235,818.06`. */
  readonly digits: string;
  /** A minus sign, or the parentheses of accountants. */
  readonly isNegative: boolean;
  /** Words around the digits, without those that are understood. */
  readonly rest: readonly string[];
  /** All words around the digits. */
  readonly words: string;
  readonly factor: number;
  readonly currency?: string;
}

/** Factors by their words. */
const FACTORS: readonly (readonly [words: RegExp, factor: number])[] = [
  [/^(k|thousand|thd)$/i, 1e3],
  [/^(m|mm|mn|mio|mln|million)$/i, 1e6],
  [/^(b|bn|billion)$/i, 1e9],
  [/^(t|tn|trillion)$/i, 1e12],
];

/** A number with what is around it; undefined for another text. */
export function dressed(text: string): Dressed | undefined {
  if (text.length > LONGEST) return undefined;
  // A spreadsheet writes an apostrophe before a number that it keeps as text.
  const parts = /^(\D*?)([.,]?\d(?:.*\d)?\.?)(\D*)$/.exec(text.trim().replace(/^'/, '').replace(/\s+/g, ' '));
  const before = BEFORE.exec(parts?.[1] ?? '')?.groups;
  const behind = BEHIND.exec(parts?.[3]?.trim() ?? '')?.groups;
  if (parts === null || !/^[\d.,'\u2019 ]+$/.test(parts[2]) || before === undefined || behind === undefined)
    return undefined;
  const words = `${before.before ?? ''} ${behind.behind ?? ''}`.trim();
  const minus = (sign: string | undefined) => sign !== undefined && sign !== '' && sign !== '+';
  const isNegative = [before.open, before.inner, before.sign, before.own, behind.end].some(minus);
  let factor = 1;
  const currencies = new Set<string>();
  const rest: string[] = [];
  for (const word of words.match(/us\s?\$|[$€£¥%]|[a-z][a-z0-9.]*|[^\s\w]/gi) ?? []) {
    const scale = FACTORS.find(([each]) => each.test(word))?.[1];
    if (scale !== undefined && factor === 1) factor = scale;
    else if (/^(us\s?\$|[$€£¥]|usd|eur|gbp|usdc|usdt|dai)$/i.test(word) || /^[A-Z]{3,6}$/.test(word))
      currencies.add(currencyOf(word));
    else rest.push(word);
  }
  const [currency] = currencies;
  if (currencies.size > 1) rest.push(...currencies);
  return {
    digits: parts[2],
    isNegative,
    words,
    rest,
    factor,
    ...(currencies.size === 1 && currency !== undefined && { currency }),
  };
}

/** A number with nothing around it but its sign, its factor and a currency; undefined for another text. */
export function dressedAmount(text: string): Dressed | undefined {
  const found = dressed(text);
  return found !== undefined && found.rest.length === 0 ? found : undefined;
}
