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
/** An amount or a price: whole from 1,000 on, else six significant digits. */
export const money = (value: number) => (Math.abs(value) >= 1000 ? whole(value) : plain(value));
/** Between a number and its unit: a line does not break there. */
export const NARROW = '\u00a0';

/** A fraction as a percentage with `digits` decimals at most. */
export const percent = (value: number, digits = 1) =>
  `${new Intl.NumberFormat(LOCALE, { maximumFractionDigits: digits }).format(100 * value)}${NARROW}%`;

/** A level by its name in an answer as a percentage: `99.5 %`. */
export const levelName = (level: string) => `${Number((100 * Number(level)).toPrecision(8))}${NARROW}%`;

/**
 * A chance in words that need no decimals: `32 of 100`, `15 of 10,000`, `1 of 20,000`. Two significant digits; below 1 %
 * rounded up, as in the report of a desk.
 */
export function outOfMany(share: number): string {
  if (share === 0) return 'none';
  if (share >= 1) return 'all';
  const many = share >= 0.095 ? 100 : share >= 0.0095 ? 1000 : share >= 0.00095 ? 10_000 : undefined;
  // 0.0015 x 10,000 can be more than 15 in binary.
  if (many !== undefined) {
    const trimmed = Number((share * many).toPrecision(12));
    const count = share < 0.01 ? Math.ceil(trimmed) : trimmed;
    return many === 10_000 && count % 10 === 0
      ? `${count / 10} of ${whole(1000)}`
      : `${whole(count)} of ${whole(many)}`;
  }
  const odds = Number((1 / share).toPrecision(12));
  const step = 10 ** Math.max(0, Math.floor(Math.log10(odds)) - 1);
  return `1 of ${whole(Math.floor(odds / step) * step)}`;
}

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
const MAX_DECIMALS = 6;

/**
 * A value with as many decimals as its uncertainty leaves a meaning: two digits of it. Without one, four significant digits
 * of the value, six for amounts of money.
 */
export function precise(value: number, halfWidth: number | undefined, significant = 4): string {
  if (value === 0 && !(halfWidth !== undefined && halfWidth > 0)) return '0';
  const scale =
    halfWidth !== undefined && halfWidth > 0 ? halfWidth / 10 : Math.abs(value) / 10 ** (significant - 1);
  const decimals = Math.max(0, Math.min(MAX_DECIMALS, Math.ceil(-Math.log10(scale) - 1e-9)));
  return new Intl.NumberFormat(LOCALE, {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
    signDisplay: 'negative',
  }).format(value);
}

/** Writes money between two ends, short, and with enough digits to distinguish neighbouring values of the range. */
export function moneyBetween(low: number, high: number): (value: number) => string {
  const largest = Math.max(Math.abs(low), Math.abs(high), 1);
  const span = Math.max(high - low, largest * 1e-9);
  const format = new Intl.NumberFormat(LOCALE, {
    notation: 'compact',
    maximumSignificantDigits: Math.max(2, Math.min(12, Math.ceil(Math.log10(largest / span)) + 3)),
  });
  return value => format.format(value);
}
