/** The result of a run over a tape, from the valued tape and the answers of the service. */
import { WARNINGS, type Warning } from '../core/warnings.ts';
import { TAPE_NOTES } from '../tape/book-rows.ts';
import { withUnits } from '../tape/valuation.ts';
import { formatHour, MS_PER_DAY } from '../text/calendar-date.ts';
import type { AnsweredModel } from './ask-model.ts';
import type { StressAnswer } from './ask-stress.ts';
import { callsOf } from './calls.ts';
import { leftOutOf } from './left-out.ts';
import { partsLevel } from './parts-level.ts';
import type { DeskResult, LoanFigures, LoanLine } from './result.ts';
import { standingOf } from './today.ts';
import type { ValuedTape } from './value-tape.ts';

export interface DeskParts {
  readonly title: string;
  readonly madeAt: Date;
  readonly tape: ValuedTape;
  readonly name: { readonly file: string; readonly sha256: string };
  /** As in the header x-market-data. */
  readonly market: string;
  readonly synthetic: boolean;
  readonly volumes: DeskResult['Data']['Volumes'];
  readonly run: DeskResult['Run'];
  readonly today: DeskResult['Today'];
  /** By methodology, the headline's included. */
  readonly answers: ReadonlyMap<string, AnsweredModel>;
  readonly backtest: DeskResult['Backtest'];
  readonly stress: StressAnswer | null;
  readonly compared: DeskResult['Compared'];
  readonly missing: readonly string[];
}

/** @throws RangeError without an answer of the methodology of the headline */
export function deskResult(parts: DeskParts): Omit<DeskResult, 'Limits'> {
  const { tape, answers, stress, run } = parts;
  const headline = answers.get(run.Headline);
  if (headline === undefined) throw new RangeError(`there is no answer of ${run.Headline}`);
  return {
    Title: parts.title,
    MadeAt: parts.madeAt.toISOString(),
    Tape: tapeOf(parts.name, tape),
    Data: { ...dataOf(tape, parts), Volumes: parts.volumes },
    Run: run,
    Today: parts.today,
    Models: Object.fromEntries(
      [...answers].map(([type, { Book, Borrowers, Warnings, Paths, Accuracy }]) => [
        type,
        { Book, ...(Borrowers && { Borrowers }), Warnings, Paths, Accuracy },
      ]),
    ),
    Accuracy: headline.Accuracy,
    Scenario: headline.Scenario ?? null,
    Backtest: parts.backtest,
    Stress: stress && { Paths: stress.Paths, Scenarios: stress.Scenarios },
    Compared: parts.compared,
    Missing: parts.missing,
    Loans: loanLines(
      tape,
      headline.Loans,
      partsLevel({ Run: run, Models: Object.fromEntries(answers) })?.key,
    ),
    Calls: callsOf(tape.loans, tape.prices, (tape.asOf + 1) * MS_PER_DAY),
    Warnings: warningsOf([...answers, ...(stress === null ? [] : [['scenarios', stress] as const])]),
  };
}

/** Day, source and prices of a tape. */
export const dataOf = (
  tape: ValuedTape,
  { market, synthetic }: Pick<DeskParts, 'market' | 'synthetic'>,
): Omit<DeskResult['Data'], 'Volumes'> => ({
  AsOf: formatHour(24 * (tape.asOf + 1)),
  Market: market,
  Synthetic: synthetic,
  Prices: Object.fromEntries(tape.prices),
  Carried: tape.carried,
  Behind: tape.behind,
});

export function tapeOf({ file, sha256 }: DeskParts['name'], tape: ValuedTape): DeskResult['Tape'] {
  return {
    File: file,
    Sha256: sha256,
    Rows: tape.tableRows,
    Loans: tape.loans.length,
    NotUsed: tape.notUsed,
    Source: tape.loans.map(loan => withUnits(loan, tape.prices)),
    LeftOut: leftOutOf(tape.faults),
    LeftOutOwed: { Usd: tape.leftOut.usd, Unknown: tape.leftOut.unknown },
    Remarks: tape.remarks,
    Notes: [...tape.notes].map(([note, ids]) => ({ Note: note, Sentence: TAPE_NOTES[note], Ids: ids })),
  };
}

/** Each loan today with its figures, sorted by its part in the tail, the largest first. @param level of the tail, where there is one */
function loanLines(
  { loans, rows, prices, notes }: ValuedTape,
  figures: Readonly<Record<string, LoanFigures>>,
  level: string | undefined,
): readonly LoanLine[] {
  const overdue = new Set(notes.get('overdue') ?? []);
  const lines = loans.map((loan, k) => {
    const {
      PrMarginCall,
      PrLiquidation,
      PrCloseout,
      PrUnderwater,
      PrSale,
      ExpectedLoss,
      CVarContribution,
      CapitalContribution,
      Credit,
    } = figures[loan.id];
    return {
      ...standingOf(loan, prices),
      ...(overdue.has(loan.id) && { Overdue: true as const }),
      Days: Number(rows[k].loan_duration),
      Figures: {
        PrMarginCall,
        PrLiquidation,
        PrCloseout,
        PrUnderwater,
        ...(PrSale !== undefined && { PrSale }),
        ExpectedLoss,
        CVarContribution,
        ...(CapitalContribution && { CapitalContribution }),
        ...(Credit && { Credit }),
      },
    };
  });
  const tailOf = ({ Figures: { CVarContribution } }: LoanLine) =>
    level === undefined ? 0 : CVarContribution[level];
  return lines.sort(
    (a, b) => tailOf(b) - tailOf(a) || b.Figures.ExpectedLoss - a.Figures.ExpectedLoss || b.Ltv - a.Ltv,
  );
}

/** Each warning once, with its methodologies, or `scenarios`. */
function warningsOf(
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
