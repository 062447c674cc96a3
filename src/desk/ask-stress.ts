/** The book of a tape under shocks of all prices and past windows: one request of /stress. */
import type { Warning } from '../core/warnings.ts';
import type { BookRow } from '../tape/book-rows.ts';
import { cashIsDollar, isMoney, isSteady } from '../text/symbols.ts';
import { type Ask, detailOf } from './ask.ts';
import { bookParams, type ModelTerms } from './ask-model.ts';
import {
  type ByLevel,
  type Interval,
  type Losses,
  type ReplayFigures,
  type StressedBook,
  UNDETERMINED,
} from './result.ts';
import type { BookTranches } from './tranches.ts';
import { type FoundFall, fallingWords, type Until, untilScenario, untilSentence } from './until.ts';

export interface StressTerms extends ModelTerms {
  /** Price falls to test, as fractions; currencies and stablecoins stay. */
  readonly falls: readonly number[];
  /** Price rises to test, as fractions. Default: a set used when some loans are in coins. */
  readonly rises?: readonly number[] | undefined;
  /** Bounds whose falls are sought. */
  readonly until?: readonly Until[] | undefined;
  /** Names from GET /scenarios. Default: all. */
  readonly scenarios?: readonly string[] | undefined;
}

export interface StressAnswer {
  /** Of each scenario; 0 without a simulation, null where the methodology draws none. */
  readonly Paths: number | null;
  readonly Scenarios: readonly StressedBook[];
  readonly Warnings: readonly Warning[];
}

/** Tested where some loans are in coins, which lose when prices rise. */
export const COIN_RISES: readonly number[] = [0.3];
interface SentLoan {
  readonly loan?: unknown;
  readonly loan_weights?: unknown;
  readonly collateral?: unknown;
  readonly collateral_weights?: unknown;
}

const assetsOf = (...maps: readonly unknown[]): readonly string[] =>
  maps.flatMap(map => Object.keys((map ?? {}) as object));

/** The coins that a row lends, without currencies and stablecoins. */
export const coinsLent = ({ loan, loan_weights }: SentLoan): readonly string[] =>
  assetsOf(loan ?? loan_weights).filter(asset => !isMoney(cashIsDollar(asset)));
export const lendsCoins = (rows: readonly SentLoan[]): boolean => rows.some(row => coinsLent(row).length > 0);

/** The change of all prices as a `price_shock`, in which currencies and stablecoins of the loans stay. */
export function changeOfAll(change: number, loans: readonly SentLoan[]): Readonly<Record<string, number>> {
  const assets = loans.flatMap(each =>
    assetsOf(each.loan, each.loan_weights, each.collateral, each.collateral_weights),
  );
  // "*" of the service moves all but dollars and their stablecoins.
  const unmoved = [...new Set(assets)].filter(asset => isMoney(asset) && !isSteady(asset)).sort();
  return { '*': change, ...Object.fromEntries(unmoved.map(asset => [asset, 0])) };
}

/** A move of all prices at once as a scenario. */
export const moveOf = (word: 'fall' | 'rise', size: number, loans: readonly SentLoan[]) => ({
  name: `${word} ${Math.round(1000 * size) / 10} %`,
  price_shock: changeOfAll(word === 'fall' ? -size : size, loans),
});

interface ScenarioAnswer extends Pick<StressedBook, 'Ltv' | 'Called' | 'Liquidated'> {
  readonly Replay?: ReplayFigures;
  readonly Reverse?: FoundFall;
  /** Absent where nothing is simulated, null where no loan is left. */
  readonly Book?: (Losses & BookTranches<ByLevel>) | null;
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
  const rises = terms.rises ?? (lendsCoins(rows) ? COIN_RISES : []);
  const moves = [
    ...terms.falls.map(size => moveOf('fall', size, rows)),
    ...rises.map(size => moveOf('rise', size, rows)),
  ];
  const { paths, until = [] } = terms;
  // Currencies stay, as in a fall of all prices.
  const along = changeOfAll(1, rows);
  const bounds = until.map(each => untilScenario(each, along));
  const asked = paths === 0 ? DRAWING : type;
  const { ok, text } = await ask({
    path: '/stress',
    include: 'accuracy,warnings',
    seed: terms.seed,
    body: {
      type: asked,
      params: {
        // Capital is of the book as it is.
        ...{ ...bookParams(asked, rows, terms, paths), economic_capital: undefined },
        scenarios: [...moves, ...bounds, ...names],
        loans: rows,
      },
    },
  });
  if (!ok) return detailOf(text);
  const {
    Output,
    Warnings = [],
    Accuracy,
  } = JSON.parse(text) as {
    readonly Output: { readonly Scenarios: Readonly<Record<string, ScenarioAnswer>> };
    readonly Warnings?: readonly Warning[];
    readonly Accuracy?: { readonly figures: { readonly Scenarios?: ScenarioAccuracy } };
  };
  const errors = Accuracy?.figures.Scenarios;
  const drawsAnswers = rows.some(isDrawn);
  const titles = new Map([
    ['base', 'As it is'],
    ...moves.map(({ name }) => [name, `All prices ${name}`] as const),
    ...bounds.map(({ name }, i) => [name, `${fallingWords(until[i])} fall ${name}`] as const),
    ...windows,
  ]);
  const sentences = new Map(bounds.map(({ name }, i) => [name, until[i]]));
  const sought = (name: string, found: FoundFall | undefined) => {
    const of = sentences.get(name);
    return of && found ? { Until: untilSentence(of, found), Found: found } : {};
  };
  return {
    Paths: paths === 0 || terms.draws(type) ? paths : null,
    Warnings,
    Scenarios: Object.entries(Output.Scenarios).map(([Name, each]) => ({
      Name,
      Title: titles.get(Name) ?? Name,
      ...sought(Name, each.Reverse),
      Ltv: each.Ltv,
      Called: each.Called,
      Liquidated: each.Liquidated,
      Replay: each.Replay ?? null,
      Then: each.Book ? lossesOf(each.Book) : null,
      Interval: intervalOf(each, drawsAnswers, errors?.[Name]?.Book?.ExpectedLoss),
      Largest: Object.keys(each.Loans),
    })),
  };
}

type ScenarioAccuracy = Readonly<Record<string, { readonly Book?: { readonly ExpectedLoss?: Interval } }>>;

/** Whether random draws decide if the borrower answers a call. */
const isDrawn = ({ top_up }: BookRow) => {
  const share = Number((top_up as { readonly share?: number } | undefined)?.share);
  return share > 0 && share < 1;
};

/** The sampling error of the loss in a replay and the mean loss after it. @param after the error of the mean loss */
function intervalOf(
  { Replay, Book }: ScenarioAnswer,
  drawsAnswers: boolean,
  after: Interval = UNDETERMINED,
): Interval | null {
  if (Replay !== undefined && drawsAnswers) return UNDETERMINED;
  if (!Book) return null;
  const { Loss } = Replay ?? { Loss: 0 };
  const end = (of: number | null) => (of === null ? null : Loss + of);
  return { low: end(after.low), high: end(after.high) };
}

const lossesOf = ({
  ExpectedLoss,
  LossVar,
  LossCVar,
  Tranches,
}: Losses & BookTranches<ByLevel>): NonNullable<StressedBook['Then']> => ({
  ExpectedLoss,
  LossVar,
  LossCVar,
  ...(Tranches && {
    TrancheLossPct: Object.fromEntries(
      Object.entries(Tranches).map(([name, { ExpectedLossPct }]) => [name, ExpectedLossPct]),
    ),
  }),
});

/** Titles of the windows of GET /scenarios, by name. */
async function windowsOf(ask: Ask): Promise<ReadonlyMap<string, string>> {
  const { text } = await ask({ path: '/scenarios' });
  const { scenarios } = JSON.parse(text) as {
    readonly scenarios: readonly { readonly name: string; readonly title?: string }[];
  };
  return new Map(scenarios.map(({ name, title }) => [name, title ?? name]));
}
