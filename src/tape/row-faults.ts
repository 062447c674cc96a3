/** Faults of /book_risk rows as faults of the tape: with line, id and column. */
import type { Fault } from '../core/errors.ts';
import { levelText } from '../text/grouped.ts';
import type { CellFault, TapeColumn } from './columns.ts';
import type { TapeFault, TapeLoan } from './tape.ts';

const ROW = /^params\.loans\.(\d+)\.?(.*)$/;

/** The column of a member of a row, where their names differ. */
const COLUMN_OF: readonly (readonly [member: RegExp, column: TapeColumn])[] = [
  [/^id$/, 'loan_id'],
  [/^(collateral|collateral_weights)\b/, 'collateral_asset'],
  [/^(loan|loan_weights)$|^(loan|loan_weights)\./, 'loan_asset'],
  [/^loan_value$/, 'loan_amount'],
  [/^N$/, 'collateral_amount'],
  [/^M$/, 'margin_call_ltv'],
  [/^L$/, 'liquidation_ltv'],
  [/^R$/, 'recovery_ltv'],
  [/^loan_duration$/, 'maturity'],
  [/^mc_top_up$/, 'grace_hours'],
  [/^called_hours_ago$/, 'called_at'],
  [/^interest_rate$/, 'interest'],
  [/^top_up\.share$/, 'top_up_share'],
  [/^top_up\.delay_hours$/, 'top_up_delay_hours'],
  [/^top_up\b/, 'top_up_to_ltv'],
  [/^partial_sale\.max_share$/, 'partial_sale_max_share'],
  [/^partial_sale\b/, 'partial_sale_to_ltv'],
];

const RECOVERY = 'recovery_ltv';

const columnOf = (member: string): string =>
  COLUMN_OF.find(([pattern]) => pattern.test(member))?.[1] ?? member;

/** @param loans of the rows, in their order */
export function tapeFaultsOf(faults: readonly Fault[], loans: readonly TapeLoan[]): TapeFault[] {
  const placed = faults.map(({ code, path, message }) => {
    const [, row, member = ''] = ROW.exec(path) ?? [];
    return {
      code,
      row,
      column: columnOf(member),
      message,
      loan: row === undefined ? undefined : loans[Number(row)],
    };
  });
  const rowsWithOthers = new Set(placed.flatMap(({ row, column }) => (column === RECOVERY ? [] : [row])));
  return placed.flatMap(({ code, row, column, message, loan }): TapeFault[] => {
    if (loan === undefined) return [{ code, message, remedy: 'Correct the tape or the options.' }];
    const { recovery_ltv, initial_ltv } = loan.terms;
    const text = message.replace(`loans.${row}.`, '').replace(/ \(loan "(?:[^"\\]|\\.)*"\)$/, '');
    const place = { line: loan.lines[0], id: loan.id };
    const covered = coverageFault(column, text);
    if (covered !== undefined) return [{ ...place, ...covered }];
    const restored = restoredFault(column, text, loan);
    if (restored !== undefined) return [{ ...place, column, ...restored }];
    const follows = column === RECOVERY && recovery_ltv === undefined;
    if (follows && initial_ltv !== undefined)
      return [
        {
          ...place,
          code,
          column: 'initial_ltv',
          message: text.replaceAll(RECOVERY, 'initial_ltv'),
          remedy: 'Correct initial_ltv, or write the LTV at which a call is cured in recovery_ltv.',
        },
      ];
    // It follows from the thresholds. Where these have a fault, it has none of its own.
    if (follows && rowsWithOthers.has(row)) return [];
    return [{ ...place, code, column, message: text, remedy: `Correct the column ${column} of the loan.` }];
  });
}

/** Collateral of more than 100 times the loan, or none, as an LTV. */
function coverageFault(
  column: string,
  message: string,
): (CellFault & { readonly column: string }) | undefined {
  const ratio = /^N must be .* got ([\d.e+-]+)/.exec(message)?.[1];
  if (column !== 'collateral_asset' || ratio === undefined) return undefined;
  return {
    code: 'out_of_range',
    column: 'collateral_amount',
    message: `the LTV today is ${levelText(Number((1 / Number(ratio)).toPrecision(3)))}, and must be at least 1 %`,
    remedy:
      'Correct the units of collateral_amount or loan_amount, or leave out a loan that is almost repaid.',
  };
}

/** An answer or a sale that does not end a call, in LTVs: a request has ratios. */
function restoredFault(column: string, message: string, { terms }: TapeLoan): CellFault | undefined {
  if (column !== 'top_up_to_ltv' && column !== 'partial_sale_to_ltv') return undefined;
  const value = terms[column];
  if (!message.includes('restores a ratio above M')) return undefined;
  const over = terms.recovery_ltv ?? terms.initial_ltv;
  const name = terms.recovery_ltv === undefined ? 'initial_ltv' : 'recovery_ltv';
  const end =
    over === undefined
      ? 'the LTV of today, at which a call is over without recovery_ltv'
      : `${name} (${over})`;
  if (value === undefined)
    return {
      code: 'missing',
      message: `${column} is missing, and ${end} is not below margin_call_ltv (${terms.margin_call_ltv})`,
      remedy: `Write ${column}, the LTV to which an answer brings the loan, below margin_call_ltv.`,
    };
  return {
    code: 'inconsistent',
    message: `${column} must be below margin_call_ltv (${terms.margin_call_ltv}) and at most ${end}, so that it ends the call; got ${value}`,
    remedy: `Lower ${column}, or write the LTV at which a call is over in recovery_ltv.`,
  };
}
