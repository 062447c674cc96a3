/** Numbers and lists in a report. */
import { grouped, usd } from '../text/grouped.ts';

export { counted, grouped, levelText, listed, namedLoans, usd } from '../text/grouped.ts';

/** A simulated amount in a table: three digits of `51,400`, and no more than cents. */
export function simulatedUsd(value: number): string {
  const size = Math.abs(value);
  if (size < 100) return usd(value);
  return grouped(Number(value.toPrecision(3)), 0);
}

/** `12.3 million`, `412,000`: three or four digits. */
export function roughUsd(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e15) return `${grouped(Number((value / 1e12).toPrecision(3)), 0)} trillion`;
  if (size >= 1e12) return `${significant(value / 1e12)} trillion`;
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

/** `2026-11-22, 24:00 UTC`: data end with a day. */
export function dayText(asOf: string): string {
  const day = new Date(Date.parse(asOf) - 1).toISOString().slice(0, 10);
  return `${day}, 24:00 UTC`;
}

/**
 * A chance with two significant digits: `0.15 %`, `1.2 %`, `33 %`. Below 1 % it is rounded up: a rare loss is never understated. Least:
 * `below 0.001 %`.
 */
export function chance(share: number): string {
  if (share === 0) return '0 %';
  if (share < 1e-5) return 'below 0.001 %';
  const rare = share < 0.01 ? roundedUp(100 * share) : 1;
  return rare < 1 ? `${rare} %` : percent(share, share < 0.0995 ? 1 : 0);
}

/** The least number of two significant digits that is not below `value`, which is above 0. */
function roundedUp(value: number): number {
  const step = 10 ** (Math.floor(Math.log10(value)) - 1);
  // 0.15 is not 15 x 0.01 in binary.
  return Number((Math.ceil(Number((value / step).toPrecision(12))) * step).toPrecision(2));
}

/** A share with one decimal; below 1 % as a chance. */
export const shareText = (share: number): string =>
  share >= 0 && share < 0.01 ? chance(share) : percent(share);

/** The fall of prices that is left before a threshold, rounded down; with a decimal below 10 %. */
export function fallText(share: number): string {
  const digits = share < 0.1 ? 1 : 0;
  const step = 10 ** (digits + 2);
  // 0.29 is not 29 x 0.01 in binary.
  return percent(Math.floor(Number((share * step).toPrecision(12))) / step, digits);
}

/** A price with as many digits as it needs. */
export function price(value: number): string {
  if (value >= 1000) return grouped(value, 0);
  return value >= 1 ? grouped(value, 2) : value.toPrecision(3);
}

/** A mean number of loans: `26.5`, `0.026`, `0`. */
export function meanCount(value: number): string {
  if (value === 0) return '0';
  return value < 0.95 ? String(Number(value.toPrecision(2))) : grouped(value, 1);
}

/** `GBM, 20000 paths`; HISTORICAL draws none. @param paths 0 without a simulation, null where none are drawn */
export function simulationText(type: string, paths: number | null): string {
  if (paths === null) return type;
  return paths === 0 ? 'no simulation' : `${type}, ${paths} paths`;
}
