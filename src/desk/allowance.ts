/** The movement of an allowance between two books, by stage and cause (docs/credit.md, "The movement of an allowance"). */
import type { AllowanceMovement, AllowanceRow } from './credit-figures.ts';
import type { LoanFigures } from './result.ts';

type Loans = Readonly<Record<string, LoanFigures>>;

/** The loans of the earlier book as it was, at prices of now, with the window of now, and the loans of now. */
export interface AllowanceSteps {
  readonly earlier: Loans;
  readonly prices: Loans;
  readonly window: Loans;
  readonly now: Loans;
}

const CAUSES = ['Opening', 'Moved', 'Repaid', 'New', 'Prices', 'Window', 'Terms'] as const;
const STAGES = [1, 2, 3];

/** Undefined where a book has no credit figures. A loan that changes its stage leaves it at the opening amount; what changes after is of its new stage. */
export function allowanceMovement({
  earlier,
  prices,
  window,
  now,
}: AllowanceSteps): AllowanceMovement | undefined {
  const credits = [earlier, prices, window, now].map(
    loans =>
      new Map(Object.entries(loans).flatMap(([id, { Credit }]) => (Credit ? [[id, Credit] as const] : []))),
  );
  const [opening, atPrices, inWindow, closing] = credits;
  if (opening.size + closing.size === 0) return undefined;
  const rows = new Map(
    STAGES.map(stage => [
      stage,
      Object.fromEntries(CAUSES.map(cause => [cause, 0])) as Record<(typeof CAUSES)[number], number>,
    ]),
  );
  const add = (stage: number, cause: (typeof CAUSES)[number], usd: number) => {
    const row = rows.get(stage);
    if (row !== undefined) row[cause] += usd;
  };
  const Moves: AllowanceMovement['Moves'][number][] = [];
  for (const [id, { Stage: from, ECL: usd }] of opening) {
    add(from, 'Opening', usd);
    const last = closing.get(id);
    if (last === undefined) {
      add(from, 'Repaid', -usd);
      continue;
    }
    const to = last.Stage;
    if (to !== from) {
      Moves.push({ Id: id, From: from, To: to });
      add(from, 'Moved', -usd);
      add(to, 'Moved', usd);
    }
    const [priced, fitted] = [atPrices, inWindow].map(step => step.get(id)?.ECL ?? usd);
    add(to, 'Prices', priced - usd);
    add(to, 'Window', fitted - priced);
    add(to, 'Terms', last.ECL - fitted);
  }
  for (const [id, { Stage, ECL }] of closing) if (!opening.has(id)) add(Stage, 'New', ECL);
  const total = (row: Readonly<Record<string, number>>) => CAUSES.reduce((sum, cause) => sum + row[cause], 0);
  return {
    Stages: Object.fromEntries(
      [...rows].map(([stage, row]) => [
        String(stage),
        { ...row, Closing: total(row) } satisfies AllowanceRow,
      ]),
    ),
    Moves,
  };
}
