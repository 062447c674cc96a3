/** The loans of a result as CSV, a row per loan, and the lines of the file beside it, which describe the run. */
import type { DeskResult, LoanFigures, LoanLine } from '../desk/result.ts';
import { ageSentence, factsOf } from '../desk/sentences.ts';
import { dayText, simulationText } from '../desk/words.ts';
import type { TapeLoan } from '../tape/tape.ts';
import { formatMinute } from '../text/calendar-date.ts';
import { csvRow } from '../text/csv-field.ts';
import { printable } from '../text/printable.ts';

type Column = readonly [name: string, value: (line: LoanLine) => string | number | null];

/** Columns of the figures of every loan, in their order. */
const FIGURE_COLUMNS: Readonly<Record<Exclude<keyof LoanFigures, 'PrSale' | 'CVarContribution'>, string>> = {
  PrMarginCall: 'probability_of_call',
  PrCloseout: 'probability_of_closeout',
  PrLiquidation: 'probability_of_liquidation',
  PrUnderwater: 'probability_underwater_unsold',
  ExpectedLoss: 'expected_loss_usd',
};

/** The name of the file beside one with the loans: `loans.notes.txt` of `loans.csv`. */
export const notesName = (csv: string): string => `${csv.replace(/\.csv$/i, '')}.notes.txt`;

/** What the run was, its warnings, limits and loans left out: a line each. */
export function loansNotes(result: DeskResult): string {
  const { Data, Run, Tape, Models, Warnings, Limits } = result;
  const age = ageSentence(Data);
  const lines = [
    result.Title,
    `data as of ${dayText(Data.AsOf)}, ${Data.Market}${Data.Synthetic ? ' (synthetic prices)' : ''}; ${simulationText(Run.Headline, Models[Run.Headline].Paths)}, seed ${Run.Seed}, version ${Run.Version}`,
    ...(age === '' ? [] : [age]),
    ...Warnings.map(({ Code, Message, Models }) => `warning ${Code} (${Models.join(', ')}): ${Message}`),
    ...(Limits ?? []).map(
      ({ Status, Limit, Value, Of }) =>
        `limit ${Status}: ${Limit} (${Value ?? 'not known'}${Of === null ? '' : `, ${Of}`})`,
    ),
    ...Tape.LeftOut.map(
      ({ Line, Id, Column, Message }) =>
        `left out: line ${Line ?? '-'}, loan ${Id ?? '-'}${Column === null ? '' : `, ${Column}`}: ${Message}`,
    ),
    ...factsOf(result),
  ];
  return lines.map(text => `${printable(text)}\r\n`).join('');
}

export function loansCsv({ Run, Tape, Loans }: DeskResult): string {
  const columns = columnsOf(Run.Levels, new Map(Tape.Source.map(loan => [loan.id, loan])));
  const rows = [columns.map(([name]) => name), ...Loans.map(line => columns.map(([, value]) => value(line)))];
  return rows.map(csvRow).join('');
}

/** `2026-01-31T00:00Z`; null where the tape has none. */
const momentOf = (ms: number | undefined): string | null => (ms === undefined ? null : formatMinute(ms));

const perCent = (share: number | null): number | null => (share === null ? null : 100 * share);

/** @param source the loans as in the tape, by id */
function columnsOf(levels: readonly number[], source: ReadonlyMap<string, TapeLoan>): readonly Column[] {
  const list = (line: LoanLine, pick: (each: LoanLine['Levels'][number]) => number | null) =>
    line.Levels.map(each => {
      const found = pick(each);
      return `${each.Asset}:${found ?? ''}${found !== null && each.Rise === true ? ':rise' : ''}`;
    }).join(' ');
  return [
    ['loan_id', line => line.Id],
    ['borrower', line => line.Borrower],
    ['status', line => line.Status],
    ['overdue', line => (line.Overdue === true ? 'yes' : 'no')],
    [
      'collateral_assets',
      line => [...new Set(source.get(line.Id)?.collateral.map(({ asset }) => asset))].join(' '),
    ],
    ['loan_asset', line => source.get(line.Id)?.loanAsset ?? null],
    ['maturity', line => momentOf(source.get(line.Id)?.terms.maturity)],
    ['called_at', line => momentOf(source.get(line.Id)?.terms.called_at)],
    ['collateral_usd', line => line.CollateralUsd],
    ['loan_usd', line => line.LoanUsd],
    ['ltv', line => line.Ltv],
    ['margin_call_ltv', line => line.MarginCallLtv],
    ['liquidation_ltv', line => line.LiquidationLtv],
    ['days', line => line.Days],
    ['fall_to_call_pct', line => perCent(line.FallToCall)],
    ['fall_to_liquidation_pct', line => perCent(line.FallToLiquidation)],
    ['call_price_usd', line => list(line, each => each.CallPrice)],
    ['liquidation_price_usd', line => list(line, each => each.LiquidationPrice)],
    ...(Object.keys(FIGURE_COLUMNS) as (keyof typeof FIGURE_COLUMNS)[]).map(
      (figure): Column => [FIGURE_COLUMNS[figure], line => line.Figures[figure]],
    ),
    ...levels.map(
      (level): Column => [
        `cvar_contribution_${level}_usd`,
        line => line.Figures.CVarContribution[String(level)],
      ],
    ),
  ];
}
