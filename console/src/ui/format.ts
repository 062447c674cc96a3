/** Numbers as text. */

const LOCALE = 'en';
const compactFormat = new Intl.NumberFormat(LOCALE, { notation: 'compact', maximumFractionDigits: 2 });
const wholeFormat = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 0 });

/** `1.2M`. */
export const compact = (value: number) => compactFormat.format(value);
/** Six significant digits, or another number of them. */
export const plain = (value: number, digits = 6) =>
  new Intl.NumberFormat(LOCALE, { maximumSignificantDigits: digits }).format(value);
/** A whole number with separators. */
export const whole = (value: number) => wholeFormat.format(value);
/** A fraction as a percentage with `digits` decimals at most. */
export const percent = (value: number, digits = 1) =>
  new Intl.NumberFormat(LOCALE, { style: 'percent', maximumFractionDigits: digits }).format(value);

/** A duration: `340 ms`, `2.4 s`. */
export const duration = (milliseconds: number) =>
  milliseconds < 1000 ? `${whole(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;

/** An age in the largest unit that fits: `3 h`, `12 d`. */
export function age(seconds: number): string {
  if (seconds < 3600) return `${whole(seconds / 60)} min`;
  if (seconds < 48 * 3600) return `${whole(seconds / 3600)} h`;
  if (seconds < 730 * 86_400) return `${whole(seconds / 86_400)} d`;
  return `${(seconds / (365.25 * 86_400)).toFixed(1)} years`;
}

/** Most decimals that are ever shown. */
const MOST_DECIMALS = 6;

/**
 * A value with as many decimals as its uncertainty leaves a meaning: two digits of it. Without one, four significant digits
 * of the value, six where it stands for money.
 */
export function precise(value: number, halfWidth: number | undefined, significant = 4): string {
  if (value === 0 && !(halfWidth !== undefined && halfWidth > 0)) return '0';
  const scale =
    halfWidth !== undefined && halfWidth > 0 ? halfWidth / 10 : Math.abs(value) / 10 ** (significant - 1);
  const decimals = Math.max(0, Math.min(MOST_DECIMALS, Math.ceil(-Math.log10(scale) - 1e-9)));
  return new Intl.NumberFormat(LOCALE, {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
    signDisplay: 'negative',
  }).format(value);
}

/** Writes money between two ends, short, and with the digits that tell neighbouring values of the range apart. */
export function moneyBetween(low: number, high: number): (value: number) => string {
  const largest = Math.max(Math.abs(low), Math.abs(high), 1);
  const span = Math.max(high - low, largest * 1e-9);
  const format = new Intl.NumberFormat(LOCALE, {
    notation: 'compact',
    maximumSignificantDigits: Math.max(2, Math.min(12, Math.ceil(Math.log10(largest / span)) + 3)),
  });
  return value => format.format(value);
}
