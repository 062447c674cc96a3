/** A tape's loans under one methodology: a /book_risk request, and the figures of book and loans. */
import type { Warning } from '../core/warnings.ts';
import { type BookRow, pricesOfRows } from '../tape/book-rows.ts';
import type { Prices } from '../tape/valuation.ts';
import { type Day, formatCalendarDate } from '../text/calendar-date.ts';
import { type Ask, DeskRefusal, detailOf } from './ask.ts';
import type { FollowedScenario } from './followed-scenario.ts';
import type { Interval, LoanFigures, ModelRun } from './result.ts';
import type { WaterfallSent } from './tranches.ts';

export interface ModelOptions {
  readonly lookbackDays: number;
  readonly paths: number;
  readonly levels: readonly number[];
  readonly saleDelayHours: number;
  readonly saleCost: number;
  readonly seed: number;
  /** Terms of credit figures, as /book_risk takes them; none without. */
  readonly credit?: object | undefined;
  /** Who bears the losses; none without. */
  readonly waterfall?: WaterfallSent | undefined;
  /** By asset. */
  readonly proxy?: Proxies | undefined;
}

/** What stands in for an asset before its first close, and in a replay without prices of its own. */
export interface ProxyAsset {
  readonly asset: string;
  /** Factor of the log returns. Default: of the daily closes of both. */
  readonly beta?: number | undefined;
}
export type Proxies = Readonly<Record<string, ProxyAsset>>;

export interface ModelTerms extends ModelOptions {
  /** The last day of the data. */
  readonly asOf: Day;
  /** Prices of the assets in the rows. */
  readonly prices: Prices;
  /** Whether a methodology draws paths. */
  draws(type: string): boolean;
}

export interface AnsweredModel extends ModelRun {
  readonly Loans: Readonly<Record<string, LoanFigures>>;
  /** Where it was asked for. */
  readonly Scenario?: FollowedScenario;
}

interface BookAnswer {
  readonly Output: Pick<AnsweredModel, 'Book' | 'Loans' | 'Borrowers'>;
  readonly Warnings?: readonly Warning[];
  readonly Scenario?: FollowedScenario;
  readonly Accuracy?: {
    readonly figures: {
      readonly Book: Readonly<Record<string, unknown>>;
      readonly Loans?: Readonly<Record<string, { readonly Credit?: CreditErrors }>>;
    };
  };
}
interface CreditErrors {
  readonly ECL: { readonly standard_error: number | null };
}

/** @param scenario level of the scenario to show with it @throws DeskRefusal */
export async function askModel(
  ask: Ask,
  type: string,
  rows: readonly BookRow[],
  terms: ModelTerms,
  scenario?: string,
): Promise<AnsweredModel> {
  const { ok, text } = await ask({
    path: '/book_risk',
    include: scenario === undefined ? 'accuracy,warnings' : 'accuracy,scenario,warnings',
    ...(scenario !== undefined && { scenario }),
    seed: terms.seed,
    body: {
      type,
      params: {
        ...bookParams(type, rows, terms, terms.paths),
        ...(terms.credit && { credit: terms.credit }),
        loans: rows,
      },
    },
  });
  if (!ok) throw new DeskRefusal(`${type}: ${detailOf(text)}`);
  const { Output, Warnings = [], Accuracy, Scenario } = JSON.parse(text) as BookAnswer;
  const { Loans, Book, Borrowers } = Output;
  const errors = Accuracy?.figures.Loans;
  return {
    Loans: errors === undefined || terms.credit === undefined ? Loans : withErrors(Loans, errors),
    Book,
    ...(Borrowers && { Borrowers }),
    Warnings,
    Paths: terms.draws(type) ? terms.paths : null,
    Accuracy: intervalsOf(Accuracy?.figures.Book),
    ...(Scenario && { Scenario }),
  };
}

/** The loans with the standard errors of their allowances. */
const withErrors = (
  loans: AnsweredModel['Loans'],
  errors: Readonly<Record<string, { readonly Credit?: CreditErrors }>>,
): AnsweredModel['Loans'] =>
  Object.fromEntries(
    Object.entries(loans).map(([id, loan]) => [
      id,
      loan.Credit === undefined
        ? loan
        : { ...loan, Credit: { ...loan.Credit, Error: errors[id]?.Credit?.ECL.standard_error ?? null } },
    ]),
  );

type Figures = Readonly<Record<string, unknown>>;

/** The intervals of all figures of `Book` by name: `PrLoss`, `LossVar 0.99`, `PeakDay Quantiles 0.99`. */
function intervalsOf(figures: Figures = {}, before = ''): Readonly<Record<string, Interval>> {
  const found = Object.entries(figures).flatMap(([name, each]): [string, Interval][] => {
    const { low, high } = each as Partial<Interval>;
    return low === undefined || high === undefined
      ? Object.entries(intervalsOf(each as Figures, `${before}${name} `))
      : [[`${before}${name}`, { low, high }]];
  });
  return Object.fromEntries(found);
}

/** The members of `params` except loans and scenarios. */
export const bookParams = (type: string, rows: readonly BookRow[], terms: ModelTerms, paths: number) => ({
  analysis_date: formatCalendarDate(terms.asOf),
  model_lookback: terms.lookbackDays,
  ...(terms.draws(type) ? { mc_iter: paths } : {}),
  quantile: terms.levels,
  sale_delay: terms.saleDelayHours,
  sale_cost: terms.saleCost,
  ...terms.waterfall,
  ...(terms.proxy && { proxy: terms.proxy }),
  prices: pricesOfRows(rows, terms.prices),
});
