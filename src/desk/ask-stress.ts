/** The book of a tape under shocks of all prices and past windows: one request of /stress. */
import type { Warning } from '../core/warnings.ts';
import type { BookRow } from '../tape/book-rows.ts';
import { type Ask, detailOf } from './ask.ts';
import { bookParams, type ModelTerms } from './ask-model.ts';
import type { Losses, ReplayFigures, StressedBook } from './result.ts';

export interface StressTerms extends ModelTerms {
  /** Falls of all prices at once except stablecoins, fractions. */
  readonly falls: readonly number[];
  /** Names of GET /scenarios; all of them where absent. */
  readonly scenarios?: readonly string[] | undefined;
}

export interface StressAnswer {
  readonly Paths: number;
  readonly Scenarios: readonly StressedBook[];
  readonly Warnings: readonly Warning[];
}

/** Most paths of a scenario of a report, which has about a dozen simulations. */
const MAX_REPORT_PATHS = 5000;
export const reportPaths = (paths: number): number => Math.min(paths, MAX_REPORT_PATHS);

interface ScenarioAnswer extends Pick<StressedBook, 'Ltv' | 'Called' | 'Liquidated'> {
  readonly Replay?: ReplayFigures;
  /** Absent where nothing is simulated, null where no loan is left. */
  readonly Book?: Losses | null;
  readonly Loans: Readonly<Record<string, unknown>>;
}

/** Where nothing is simulated, the methodology changes no figure. HISTORICAL has no mc_iter: it would simulate its windows. */
const DRAWING = 'GBM';

/** @returns the answer, or the reason of its refusal */
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
  const { paths } = terms;
  const asked = paths === 0 ? DRAWING : type;
  const { ok, text } = await ask({
    path: '/stress',
    include: 'warnings',
    seed: terms.seed,
    body: {
      type: asked,
      params: { ...bookParams(asked, rows, terms, paths), scenarios: [...falls, ...names], loans: rows },
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

/** Titles of the windows of GET /scenarios, by name. */
async function windowsOf(ask: Ask): Promise<ReadonlyMap<string, string>> {
  const { text } = await ask({ path: '/scenarios' });
  const { scenarios } = JSON.parse(text) as {
    readonly scenarios: readonly { readonly name: string; readonly title?: string }[];
  };
  return new Map(scenarios.map(({ name, title }) => [name, title ?? name]));
}
