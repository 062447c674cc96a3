/** The loans of a result as CSV, a row per loan; lines with # before them describe the run. */
import type { DeskResult, LoanFigures, LoanLine } from '../desk/result.ts';
import { ageSentence, factsOf } from '../desk/sentences.ts';
import { dayText, simulationText } from '../desk/words.ts';
import { csvComment, csvRow } from '../text/csv-field.ts';
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

export function loansCsv(result: DeskResult): string {
  const { Data, Run, Tape, Models, Warnings, Limits, Loans } = result;
  const age = ageSentence(Data);
  const above = [
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
  const columns = columnsOf(Run.Levels);
  const rows = [columns.map(([name]) => name), ...Loans.map(line => columns.map(([, value]) => value(line)))];
  const comments = above.map(text => `${printable(csvComment(text))}\r\n`);
  return [...comments, ...rows.map(csvRow)].join('');
}

function columnsOf(levels: readonly number[]): readonly Column[] {
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
    ['collateral_usd', line => line.CollateralUsd],
    ['loan_usd', line => line.LoanUsd],
    ['ltv', line => line.Ltv],
    ['margin_call_ltv', line => line.MarginCallLtv],
    ['liquidation_ltv', line => line.LiquidationLtv],
    ['days', line => line.Days],
    ['fall_to_call', line => line.FallToCall],
    ['fall_to_liquidation', line => line.FallToLiquidation],
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
