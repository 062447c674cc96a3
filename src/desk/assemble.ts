/** The result of a run over a tape, from the valued tape and the answers of the service. */
import { formatHour } from '../calendar-date.ts';
import { TAPE_NOTES } from '../tape/book-rows.ts';
import type { TapeFault, TapeLoan } from '../tape/tape.ts';
import { type Prices, unitsOf } from '../tape/valuation.ts';
import type { AnsweredModel } from './ask-model.ts';
import type { StressAnswer } from './ask-stress.ts';
import { loanLines, warningsOf } from './loan-lines.ts';
import type { DeskResult } from './result.ts';
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
  /** By methodology, including that of the headline. */
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
    Data: {
      AsOf: formatHour(24 * (tape.asOf + 1)),
      Market: parts.market,
      Synthetic: parts.synthetic,
      Prices: Object.fromEntries(tape.prices),
      Carried: tape.carried,
      Volumes: parts.volumes,
    },
    Run: run,
    Today: parts.today,
    Models: Object.fromEntries(
      [...answers].map(([type, { Book, Borrowers, Warnings }]) => [
        type,
        { Book, ...(Borrowers && { Borrowers }), Warnings },
      ]),
    ),
    Accuracy: headline.Accuracy,
    Backtest: parts.backtest,
    Stress: stress && { Paths: stress.Paths, Scenarios: stress.Scenarios },
    Compared: parts.compared,
    Missing: parts.missing,
    Loans: loanLines(tape, headline.Loans),
    Warnings: warningsOf([...answers, ...(stress === null ? [] : [['scenarios', stress] as const])]),
  };
}

/** A loan with units of all its collateral; a value of the tape is divided by the price of now. */
const withUnits = (loan: TapeLoan, prices: Prices): TapeLoan => ({
  ...loan,
  collateral: loan.collateral.map(line => ({ asset: line.asset, amount: unitsOf(line, prices) })),
});

const leftOut = ({ line, id, column, message, remedy }: TapeFault) => ({
  Line: line ?? null,
  Id: id ?? null,
  Column: column ?? null,
  Message: message,
  Remedy: remedy,
});

function tapeOf({ file, sha256 }: DeskParts['name'], tape: ValuedTape): DeskResult['Tape'] {
  return {
    File: file,
    Sha256: sha256,
    Rows: tape.tableRows,
    Loans: tape.loans.length,
    NotUsed: tape.notUsed,
    Source: tape.loans.map(loan => withUnits(loan, tape.prices)),
    LeftOut: tape.faults.map(leftOut),
    Notes: [...tape.notes].map(([note, ids]) => ({ Note: note, Sentence: TAPE_NOTES[note], Ids: ids })),
  };
}
