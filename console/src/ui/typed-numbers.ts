/**
 * Numbers as people type them: with a point or a comma before the fraction, digits in groups or not, in every language.
 *
 * A field holds a text. That of a number is as programs write it, in the unit of the interface; one that can be read in two
 * ways holds what was typed with `?` behind it, and one that is no number what was typed.
 */
import { isPlainNumber, readNumber } from '#src/text/numbers.ts';

/**
 * What is counted: an amount of any size, a whole number, or a share, rate or ratio, which is below 1,000. The last two never
 * have two readings: 1.500 is 1,500 as a whole number, and one and a half as a ratio.
 */
export type NumberKind = 'amount' | 'whole' | 'ratio';

/** How a number of the interface is typed and shown. */
export interface Scale {
  /** The number that is shown. */
  shown(value: number): number;
  /** The number of the interface. */
  sent(typed: number): number;
}

/** Digits of a number that is scaled: what was typed comes back whole. */
const DIGITS = 12;
const short = (value: number) => Number(value.toPrecision(DIGITS));

export const PLAIN: Scale = { shown: value => value, sent: typed => typed };
/** A fraction in per cent. */
export const PERCENT: Scale = { shown: value => short(100 * value), sent: typed => short(typed / 100) };

/** `%` behind a number, and the minus sign of typesetters. */
const bare = (text: string) =>
  text
    .trimEnd()
    .replace(/%$/, '')
    .trimEnd()
    .replace(/^\s*\u2212/, '-');

/** The numbers that a text can be: none, one or two, that with a point before its fraction first. */
export function readingsOf(text: string, kind: NumberKind = 'amount'): readonly number[] {
  const typed = bare(text);
  const found = (['point', 'comma'] as const)
    .map(mark => readNumber(typed, mark))
    .filter((value, i, all) => Number.isFinite(value) && all.indexOf(value) === i);
  if (found.length < 2 || kind === 'amount') return found;
  return kind === 'ratio'
    ? found.filter(value => Math.abs(value) < 1000)
    : found.filter(value => Number.isInteger(value));
}

/**
 * The lists that a text can be. Semicolons and blanks separate numbers, and commas do where no number has one as its mark:
 * `99,5` is one number or two.
 */
export function listsOf(text: string, kind: NumberKind): readonly (readonly number[])[] {
  const parts = text
    .split(text.includes(';') ? ';' : /,?\s+/)
    .map(part => part.trim())
    .filter(part => part !== '');
  const listOf = (texts: readonly string[]) => {
    const readings = texts.map(each => readingsOf(each, kind));
    return readings.every(({ length }) => length === 1) ? [readings.flat()] : [];
  };
  const bySigns = parts.length === 0 ? [] : listOf(parts);
  if (text.includes(';') || !parts.some(part => part.includes(','))) return bySigns;
  const byCommas = listOf(parts.flatMap(part => part.split(',')));
  return kind === 'whole' && byCommas.length > 0 ? byCommas : [...bySigns, ...byCommas];
}

/** What a field holds of what was typed. */
export function heldText(text: string, kind: NumberKind, scale: Scale): string {
  const readings = readingsOf(text, kind);
  if (readings.length > 1) return `${text}?`;
  return readings.length === 0 ? text : String(scale.sent(readings[0]));
}

/** The same of a list. */
export function heldList(text: string, kind: NumberKind, scale: Scale): string {
  const lists = listsOf(text, kind);
  if (lists.length > 1) return `${text}?`;
  return lists.length === 0 ? text : listText(lists[0], scale);
}

/** A list as a field holds it. */
export const listText = (values: readonly number[], scale: Scale) =>
  values.map(value => String(scale.sent(value))).join(',');

/** Whether a field holds a text with two readings. */
export const isOpen = (held: string) => held.endsWith('?');

/** The text that was typed. */
export const typedText = (held: string) => (isOpen(held) ? held.slice(0, -1) : held);

/** The mark before a fraction in a language. */
export function markOf(language: string): '.' | ',' {
  const part = new Intl.NumberFormat(language).formatToParts(0.5).find(({ type }) => type === 'decimal');
  return part?.value === ',' ? ',' : '.';
}

/** A space that breaks no line and marks no fraction in any language. */
const GROUP = '\u202f';

/** A number with its digits in groups of three, and the mark of a language before its fraction. */
export function groupedNumber(value: number, language: string): string {
  const text = String(value);
  if (text.includes('e')) return text;
  const [digits, fraction] = text.split('.');
  const grouped = digits.replace(/(?<=\d)(?=(?:\d{3})+$)/g, GROUP);
  return fraction === undefined ? grouped : `${grouped}${markOf(language)}${fraction}`;
}

/** What a field shows of what it holds. */
export function shownText(held: string, scale: Scale, language: string): string {
  const read = numberOf(held);
  return typeof read === 'number' ? groupedNumber(scale.shown(read), language) : typedText(held);
}

/** The same of a list. */
export function shownList(held: string, scale: Scale, language: string): string {
  const read = numbersOf(held);
  if (isOpen(held) || !read.every(each => typeof each === 'number')) return typedText(held);
  return read
    .map(each => groupedNumber(scale.shown(each), language))
    .join(markOf(language) === ',' ? '; ' : ', ');
}

/** The number of a field; another text goes to the server as it is, which refuses it. A link may have digits in groups. */
export function numberOf(held: string | undefined): number | string {
  const text = (held ?? '').trim();
  if (isPlainNumber(text)) return Number(text);
  const readings = readingsOf(text);
  return readings.length === 1 ? readings[0] : (held ?? '');
}

/** Several numbers, separated by commas. */
export const numbersOf = (held: string | undefined): (number | string)[] =>
  isOpen(held ?? '') ? [held ?? ''] : (held ?? '').split(',').map(part => numberOf(part.trim()));
