/**
 * Coverage as people write it: a loan-to-value in per cent, or the ratio of the interface, collateral over debt (CCR).
 *
 * Fields and figures are ratios; only what is shown and typed changes.
 */
import { PLAIN, type Scale } from './typed-numbers.ts';

export type CoverageUnit = 'ltv' | 'ccr';

/** Digits of a typed LTV that come back: none is lost in a ratio and back. */
const DIGITS = 8;
/** Digits of an LTV that nobody typed: 83.33 for a ratio of 1.2. */
const FEW_DIGITS = 4;

const ratioOf = (ltv: number): number => 1 / (ltv / 100);

/** The LTV that was typed for a ratio, if any was; otherwise the LTV of the ratio as people read it. */
function shownLtv(ratio: number): number {
  const ltv = 100 / ratio;
  const typed = Number(ltv.toPrecision(DIGITS));
  return ratioOf(typed) === ratio ? typed : Number(ltv.toPrecision(FEW_DIGITS));
}

/** A coverage is typed as it is, or as a loan-to-value in per cent: the same ratio to the last digit as the server reads. */
export const coverageScale = (unit: CoverageUnit): Scale =>
  unit === 'ccr'
    ? PLAIN
    : {
        shown: ratio => (ratio > 0 ? shownLtv(ratio) : ratio),
        sent: ltv => (ltv > 0 ? ratioOf(ltv) : ltv),
      };

/** A ratio in a label: `66.7 %` or `1.5`. */
export const coverageLabel = (ratio: number, unit: CoverageUnit): string =>
  unit === 'ccr' ? String(Number(ratio.toPrecision(5))) : `${Number((100 / ratio).toPrecision(4))}\u00a0%`;

/** What the four ratios are called. */
export const RATIO_WORDS: Readonly<Record<CoverageUnit, Readonly<Record<'N' | 'M' | 'L' | 'R', string>>>> = {
  ltv: { N: 'Initial LTV', M: 'Margin call at', L: 'Liquidation at', R: 'Call is over at' },
  ccr: { N: 'Nominal', M: 'Margin call', L: 'Liquidation', R: 'Recovery' },
};
