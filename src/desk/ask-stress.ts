/**
 * The book of a tape under shocks of all prices and the windows that ship with the program: one question to /stress.
 */
import type { Warning } from '../core/warnings.ts';
import type { BookRow } from '../tape/book-rows.ts';
import { type Ask, detailOf } from './ask.ts';
import { bookParams, type ModelTerms } from './ask-model.ts';
import type { LoanSum, Losses, ReplayFigures, StressedBook } from './result.ts';

export interface StressTerms extends ModelTerms {
  /** Falls of all prices at once but those of stablecoins, fractions. */
  readonly falls: readonly number[];
  /** Names of GET /scenarios; all of them where absent. */
  readonly scenarios?: readonly string[] | undefined;
}

export interface StressAnswer {
  readonly Paths: number;
  readonly Scenarios: readonly StressedBook[];
  readonly Warnings: readonly Warning[];
}

/** A dozen simulations of the book: fewer paths than one. */
const MAX_PATHS = 5000;

interface ScenarioAnswer {
  readonly Ltv: number;
  readonly Called: LoanSum;
  readonly Liquidated: LoanSum;
  readonly Replay?: ReplayFigures;
  /** Absent where nothing is simulated, null where no loan is left. */
  readonly Book?: Losses | null;
  readonly Loans: Readonly<Record<string, unknown>>;
}

/** @returns why it cannot be answered, where it cannot */
export async function askStress(
  ask: Ask,
  type: string,
  rows: readonly BookRow[],
  terms: StressTerms,
): Promise<StressAnswer | string> {
  const windows = await windowsOf(ask);
  const names = terms.scenarios ?? [...windows.keys()];
  const falls = terms.falls.map(fall => ({
    name: `fall ${Math.round(1000 * fall) / 10} %`,
    price_shock: { '*': -fall },
  }));
  const paths = Math.min(terms.paths, MAX_PATHS);
  const { ok, text } = await ask({
    path: '/stress',
    include: 'warnings',
    seed: terms.seed,
    body: {
      type,
      params: { ...bookParams(type, rows, terms, paths), scenarios: [...falls, ...names], loans: rows },
    },
  });
  if (!ok) return detailOf(text);
  const { Output, Warnings = [] } = JSON.parse(text) as {
    readonly Output: { readonly Scenarios: Readonly<Record<string, ScenarioAnswer>> };
    readonly Warnings?: readonly Warning[];
  };
  const titles = new Map([
    ['base', 'As it is'],
    ...falls.map(({ name }) => [name, `All prices ${name}`] as const),
    ...windows,
  ]);
  return {
    Paths: paths,
    Warnings,
    Scenarios: Object.entries(Output.Scenarios).map(([Name, each]) => ({
      Name,
      Title: titles.get(Name) ?? Name,
      Ltv: each.Ltv,
      Called: each.Called,
      Liquidated: each.Liquidated,
      Replay: each.Replay ?? null,
      Then: each.Book ? lossesOf(each.Book) : null,
      Largest: Object.keys(each.Loans),
    })),
  };
}

const lossesOf = ({ ExpectedLoss, LossVar, LossCVar }: Losses) => ({
  ExpectedLoss,
  LossVar,
  LossCVar,
});

/** The windows of GET /scenarios: their titles, by name. */
async function windowsOf(ask: Ask): Promise<ReadonlyMap<string, string>> {
  const { text } = await ask({ path: '/scenarios' });
  const { scenarios } = JSON.parse(text) as {
    readonly scenarios: readonly { readonly name: string; readonly title?: string }[];
  };
  return new Map(scenarios.map(({ name, title }) => [name, title ?? name]));
}
