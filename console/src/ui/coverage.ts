/**
 * Coverage as people write it: a loan-to-value in per cent, or the ratio of the interface, collateral over debt (CCR).
 *
 * Fields and figures are ratios; only what is shown and typed changes.
 */

export type CoverageUnit = 'ltv' | 'ccr';

/** Digits that are shown: of what was typed in per cent none is lost in a ratio and back. */
const DIGITS = 8;

const short = (value: number) => String(Number(value.toPrecision(DIGITS)));

/** A ratio in a field. A text that is not a number stays as typed. */
export function shownCoverage(ratio: string, unit: CoverageUnit): string {
  const value = Number(ratio);
  if (unit === 'ccr' || ratio.trim() === '' || !(value > 0)) return ratio;
  return short(100 / value);
}

/** The ratio of what was typed. */
export function typedCoverage(text: string, unit: CoverageUnit): string {
  const value = Number(text.replace(/\s*%$/, ''));
  if (unit === 'ccr' || text.trim() === '' || !(value > 0)) return text;
  // As the server reads an LTV: the same ratio to the last digit.
  return String(1 / (value / 100));
}

/** A ratio in a label: `66.7 %` or `1.5`. */
export const coverageLabel = (ratio: number, unit: CoverageUnit): string =>
  unit === 'ccr' ? String(Number(ratio.toPrecision(5))) : `${Number((100 / ratio).toPrecision(4))}\u00a0%`;

/** What the four ratios are called. */
export const RATIO_WORDS: Readonly<Record<CoverageUnit, Readonly<Record<'N' | 'M' | 'L' | 'R', string>>>> = {
  ltv: { N: 'Initial LTV', M: 'Margin call at', L: 'Liquidation at', R: 'Call is over at' },
  ccr: { N: 'Nominal', M: 'Margin call', L: 'Liquidation', R: 'Recovery' },
};
