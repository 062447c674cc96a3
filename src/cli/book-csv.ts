/** The loans of a result as CSV or Parquet, a row per loan, and the lines of the file beside it, which describe the run. */
import type { DeskResult, LoanFigures, LoanLine } from '../desk/result.ts';
import { ageSentence, factsOf } from '../desk/sentences.ts';
import { dayText, simulationText } from '../desk/words.ts';
import { type Cell, columnsFile, type Kind } from '../server/answers/columns.ts';
import type { TapeLoan } from '../tape/tape.ts';
import { formatMinute } from '../text/calendar-date.ts';
import { csvRow } from '../text/csv-field.ts';
import { printable } from '../text/printable.ts';

type Column = readonly [name: string, kind: Kind, value: (line: LoanLine) => Cell];

/** Columns of the figures of every loan, in their order. */
const FIGURE_COLUMNS: Readonly<
  Record<Exclude<keyof LoanFigures, 'PrSale' | 'CVarContribution' | 'CapitalContribution' | 'Credit'>, string>
> = {
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
  const columns = columnsOf(Run, new Map(Tape.Source.map(loan => [loan.id, loan])));
  const rows = [
    columns.map(([name]) => name),
    ...Loans.map(line => columns.map(([, , value]) => csvCell(value(line)))),
  ];
  return rows.map(csvRow).join('');
}

/** Times as `2026-01-31T00:00Z`. */
function csvCell(cell: Cell): string | number | null {
  if (cell instanceof Date) return formatMinute(cell.getTime());
  return typeof cell === 'boolean' ? (cell ? 'yes' : 'no') : cell;
}

/** The same columns as a Parquet file, whose metadata describe the run. */
export function loansParquet({ Title, MadeAt, Data, Run, Tape, Loans, Warnings, Limits }: DeskResult) {
  const columns = columnsOf(Run, new Map(Tape.Source.map(loan => [loan.id, loan])));
  return columnsFile('application/vnd.apache.parquet', {
    columns: columns.map(([name, kind, value]) => ({ name, kind, cells: Loans.map(value) })),
    answer: JSON.stringify({ Title, MadeAt, Data, Run, Warnings, Limits }),
  });
}

const momentOf = (ms: number | undefined): Date | null => (ms === undefined ? null : new Date(ms));

const perCent = (share: number | null): number | null => (share === null ? null : 100 * share);

/** @param source the loans as in the tape, by id */
function columnsOf(
  { Levels: levels, Waterfall }: DeskResult['Run'],
  source: ReadonlyMap<string, TapeLoan>,
): readonly Column[] {
  const list = (line: LoanLine, pick: (each: LoanLine['Levels'][number]) => number | null) =>
    line.Levels.map(each => {
      const found = pick(each);
      return `${each.Asset}:${found ?? ''}${found !== null && each.Rise === true ? ':rise' : ''}`;
    }).join(' ');
  return [
    ['loan_id', 'text', line => line.Id],
    ['borrower', 'text', line => line.Borrower],
    ['status', 'text', line => line.Status],
    ['overdue', 'boolean', line => line.Overdue === true],
    [
      'collateral_assets',
      'text',
      line => [...new Set(source.get(line.Id)?.collateral.map(({ asset }) => asset))].join(' '),
    ],
    ['loan_asset', 'text', line => source.get(line.Id)?.loanAsset ?? null],
    ['maturity', 'time', line => momentOf(source.get(line.Id)?.terms.maturity)],
    ['called_at', 'time', line => momentOf(source.get(line.Id)?.terms.called_at)],
    ['collateral_usd', 'number', line => line.CollateralUsd],
    ['loan_usd', 'number', line => line.LoanUsd],
    ['ltv', 'number', line => line.Ltv],
    ['margin_call_ltv', 'number', line => line.MarginCallLtv],
    ['liquidation_ltv', 'number', line => line.LiquidationLtv],
    ['days', 'number', line => line.Days],
    ['fall_to_call_pct', 'number', line => perCent(line.FallToCall)],
    ['fall_to_liquidation_pct', 'number', line => perCent(line.FallToLiquidation)],
    ['call_price_usd', 'text', line => list(line, each => each.CallPrice)],
    ['liquidation_price_usd', 'text', line => list(line, each => each.LiquidationPrice)],
    ...(Object.keys(FIGURE_COLUMNS) as (keyof typeof FIGURE_COLUMNS)[]).map(
      (figure): Column => [FIGURE_COLUMNS[figure], 'number', line => line.Figures[figure]],
    ),
    ...levels.map(
      (level): Column => [
        `cvar_contribution_${level}_usd`,
        'number',
        line => line.Figures.CVarContribution[String(level)],
      ],
    ),
    ...(Waterfall?.economic_capital ? levels : []).map(
      (level): Column => [
        `capital_contribution_${level}_usd`,
        'number',
        line => line.Figures.CapitalContribution?.[String(level)] ?? null,
      ],
    ),
  ];
}
