/** Numbers as text. */

const percentFormat = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 2 });
const compactFormat = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const plainFormat = new Intl.NumberFormat('en', { maximumSignificantDigits: 6 });
const wholeFormat = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

/** A fraction as a percentage. */
export const percent = (value: number) => percentFormat.format(value);
/** `1.2M`. */
export const compact = (value: number) => compactFormat.format(value);
/** Six significant digits. */
export const plain = (value: number) => plainFormat.format(value);
/** A whole number with separators. */
export const whole = (value: number) => wholeFormat.format(value);

/** Figures whose values are fractions and read best as percentages. */
const FRACTION = /^(Pr[A-Z]|AvgSurvivalRate|.*Volatility$)/;

/** A figure by its name in the interface. */
export function figure(name: string, value: number): string {
  return FRACTION.test(name) ? percent(value) : plain(value);
}
