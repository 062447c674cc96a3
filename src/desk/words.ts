/** Numbers as people read them in a report. */

/** `1,234,567`; below 100 with two digits. */
export function usd(value: number): string {
  const size = Math.abs(value);
  const digits = size >= 100 || size === 0 ? 0 : 2;
  return grouped(value, digits);
}

/** `12.3 million`, `412,000`: three or four digits are enough in a sentence. */
export function roughUsd(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e9) return `${significant(value / 1e9)} billion`;
  if (size >= 1e6) return `${significant(value / 1e6)} million`;
  if (size < 1000) return size >= 1 ? grouped(value, 0) : usd(value);
  const step = 10 ** (Math.floor(Math.log10(size)) - 2);
  return grouped(Math.round(value / step) * step, 0);
}

const significant = (value: number) =>
  value
    .toPrecision(3)
    .replace(/(\.\d*?)0+$/, '$1')
    .replace(/\.$/, '');

/** `12.3 %` */
export const percent = (share: number, digits = 1): string => `${(100 * share).toFixed(digits)} %`;

/** `99.5 %`, `1 %`: a level or the part beyond it, with all of its digits. */
export const levelText = (share: number): string => `${Number((100 * share).toPrecision(8))} %`;

/** `2026-11-22, 24:00 UTC`: data end with a day. */
export function dayText(asOf: string): string {
  const day = new Date(Date.parse(asOf) - 1).toISOString().slice(0, 10);
  return `${day}, 24:00 UTC`;
}

/** A chance: a rare one is not shown as none. */
export function chance(share: number): string {
  if (share === 0) return '0 %';
  if (share < 0.0005) return 'below 0.1 %';
  return percent(share, share < 0.0995 ? 1 : 0);
}

/** A price with as many digits as it needs. */
export function price(value: number): string {
  if (value >= 1000) return grouped(value, 0);
  return value >= 1 ? grouped(value, 2) : value.toPrecision(3);
}

export const grouped = (value: number, digits: number): string =>
  new Intl.NumberFormat('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(
    value,
  );

/** `1 loan`, `2 loans`. */
export const counted = (count: number, noun: string): string =>
  `${grouped(count, 0)} ${noun}${count === 1 ? '' : 's'}`;
