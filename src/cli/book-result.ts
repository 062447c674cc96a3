/** What the answers of several methodologies say of the loans of a tape, for the result. */
import { WARNINGS, type Warning, type WarningCode } from '../core/warnings.ts';
import type { DeskResult, LoanFigures, LoanLine } from '../desk/result.ts';
import { standingOf } from '../desk/today.ts';
import type { ValuedTape } from './book-tape.ts';

/** Each loan as it stands, with its figures; those that weigh most in the tail first. */
export function loanLines(
  { loans, rows, prices }: ValuedTape,
  figures: Readonly<Record<string, LoanFigures>>,
): readonly LoanLine[] {
  const lines = loans.map((loan, k) => {
    const { PrMarginCall, PrLiquidation, PrCloseout, PrUnderwater, PrSale, ExpectedLoss, CVarContribution } =
      figures[loan.id];
    return {
      ...standingOf(loan, prices),
      Days: Number(rows[k].loan_duration),
      Figures: {
        PrMarginCall,
        PrLiquidation,
        PrCloseout,
        PrUnderwater,
        ...(PrSale !== undefined && { PrSale }),
        ExpectedLoss,
        CVarContribution,
      },
    };
  });
  return lines.sort(
    (a, b) => tailOf(b) - tailOf(a) || b.Figures.ExpectedLoss - a.Figures.ExpectedLoss || b.Ltv - a.Ltv,
  );
}

/** The part of a loan in the mean loss beyond the outermost level. */
function tailOf({ Figures: { CVarContribution } }: LoanLine): number {
  const levels = Object.keys(CVarContribution).map(Number);
  return CVarContribution[String(Math.max(...levels))];
}

/** Each warning once, with the methodologies that gave it, or `scenarios`. */
export function warningsOf(
  answers: Iterable<readonly [source: string, answer: { readonly Warnings: readonly Warning[] }]>,
): DeskResult['Warnings'] {
  const byCode = new Map<WarningCode, string[]>();
  for (const [type, { Warnings }] of answers)
    for (const { code } of Warnings) {
      const types = byCode.get(code) ?? [];
      if (!types.includes(type)) byCode.set(code, [...types, type]);
    }
  return [...byCode].map(([Code, Models]) => ({ Code, Sentence: WARNINGS[Code], Models }));
}
