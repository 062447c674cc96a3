/** The loans and the warnings of a result. */
import { WARNINGS, type Warning } from '../core/warnings.ts';
import type { DeskResult, LoanFigures, LoanLine } from './result.ts';
import { standingOf } from './today.ts';
import type { ValuedTape } from './value-tape.ts';

/** Each loan today with its figures, sorted by its part in the tail, the largest first. */
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

/** Each warning once, with its methodologies, or `scenarios`. */
export function warningsOf(
  answers: Iterable<readonly [source: string, answer: { readonly Warnings: readonly Warning[] }]>,
): DeskResult['Warnings'] {
  const found = new Map<string, { readonly warning: Warning; readonly sources: string[] }>();
  for (const [source, { Warnings }] of answers)
    for (const warning of Warnings) {
      const key = `${warning.code} ${warning.message}`;
      const known = found.get(key);
      if (known === undefined) found.set(key, { warning, sources: [source] });
      else if (!known.sources.includes(source)) known.sources.push(source);
    }
  return [...found.values()].map(({ warning: { code, message }, sources }) => ({
    Code: code,
    Sentence: WARNINGS[code],
    Message: message,
    Models: sources,
  }));
}
