/**
 * The changes of a book since an earlier result, step by step: prices, the window and the fit, the composition, the terms. Each step is
 * computed under the methodology of the headline and on the same draws.
 *
 * Must not know: files, the report.
 */
import { headlineOf } from '../../core/figures/usual.ts';
import { allowanceMovement } from '../../desk/allowance.ts';
import type {
  ChangedStatus,
  ChangedTerm,
  Comparison,
  LoanChanges,
  StepFigures,
} from '../../desk/comparison.ts';
import type { BookFigures, DeskResult, LoanFigures } from '../../desk/result.ts';
import type { ValuedTape } from '../../desk/value-tape.ts';
import type { MarketData } from '../../market/market-data.ts';
import { type BookRow, bookRows } from '../../tape/book-rows.ts';
import type { TapeLoan } from '../../tape/tape.ts';
import { distinctAssets, loanValueOf, type Prices, withOwnValue, withUnits } from '../../tape/valuation.ts';
import { type Day, formatMinute, MS_PER_DAY } from '../../text/calendar-date.ts';

/** The required members of an earlier result. */
export type EarlierResult = Pick<DeskResult, 'Data'> & { readonly Tape: Pick<DeskResult['Tape'], 'Source'> };

export interface CompareTerms {
  readonly file: string;
  readonly horizonDays: number;
  readonly levels: readonly number[];
}

/** Requests the figures of some rows, with data to the end of a day. */
export type AskBook = (rows: readonly BookRow[], asOf: Day, prices: Prices) => Promise<BookOfStep>;

/** A book at a step, and its loans. */
export interface BookOfStep {
  readonly Book: BookFigures;
  readonly Loans: Readonly<Record<string, LoanFigures>>;
}

interface State {
  readonly step: string;
  readonly loans: readonly TapeLoan[];
  readonly prices: Prices;
  readonly asOf: Day;
}

/** @param now figures of today @throws RiskError when closes of today of earlier assets are missing, or a request is refused */
export async function compareBooks(
  earlier: EarlierResult,
  tape: ValuedTape,
  now: BookOfStep,
  terms: CompareTerms,
  market: MarketData,
  ask: AskBook,
): Promise<Comparison> {
  const source = earlier.Tape.Source;
  const then = source.map(withOwnValue);
  const asOfThen = Math.round(Date.parse(earlier.Data.AsOf) / MS_PER_DAY) - 1;
  const assets = distinctAssets([...then, ...tape.loans]);
  const { prices: closes } = await market.dailyCloses(assets, tape.asOf, 1);
  const prices: Prices = new Map(assets.map((asset, i) => [asset, closes[i][0]]));
  const pricesThen: Prices = new Map(Object.entries(earlier.Data.Prices));
  const states: readonly State[] = [
    {
      step: 'earlier book',
      loans: then,
      prices: pricesThen,
      asOf: asOfThen,
    },
    { step: 'prices', loans: then, prices, asOf: asOfThen },
    { step: 'window and fit', loans: then, prices, asOf: tape.asOf },
    { step: 'composition', loans: withTermsOfThen(then, tape.loans), prices, asOf: tape.asOf },
  ];
  const Steps: { Step: string; Figures: StepFigures }[] = [];
  const loansOf = new Map<string, BookOfStep['Loans']>();
  for (const { step, loans, prices: at, asOf } of states) {
    // Their own run has checked the calls.
    const following = {
      asOfMs: dayEnd(asOf),
      horizonDays: terms.horizonDays,
      callsUntilMs: Number.POSITIVE_INFINITY,
    };
    const { rows } = bookRows(loans, following, at);
    const found = rows.length === 0 ? undefined : await ask(rows, asOf, at);
    loansOf.set(step, found?.Loans ?? {});
    Steps.push({
      Step: step,
      Figures: found === undefined ? NO_LOANS : figuresOf(found.Book, rows.length, terms),
    });
  }
  Steps.push({ Step: 'terms', Figures: figuresOf(now.Book, tape.loans.length, terms) });
  const [opening, atPrices, inWindow] = states.map(({ step }) => loansOf.get(step) ?? {});
  const Allowance = allowanceMovement({
    earlier: opening,
    prices: atPrices,
    window: inWindow,
    now: now.Loans,
  });
  return {
    File: terms.file,
    AsOf: earlier.Data.AsOf,
    // An earlier result has units of what its tape had the value.
    Changes: changesOf(
      source,
      tape.loans.map(loan => withUnits(loan, tape.prices)),
      new Set(tape.faults.flatMap(({ id }) => id ?? [])),
    ),
    Status: changedStatuses(then, pricesThen, tape.loans, tape.prices),
    Steps,
    ...(Allowance && { Allowance }),
  };
}

const NO_LOANS: StepFigures = {
  Loans: 0,
  LoanUsd: 0,
  ExpectedLoss: 0,
  LossVar: 0,
  LossCVar: 0,
  MarginCalls: 0,
  PeakDay: 0,
};

const dayEnd = (day: Day) => (day + 1) * MS_PER_DAY;

function figuresOf(book: BookFigures, loans: number, { levels }: CompareTerms): StepFigures {
  const level = String(headlineOf(levels));
  return {
    Loans: loans,
    LoanUsd: book.LoanValue,
    ExpectedLoss: book.ExpectedLoss,
    LossVar: book.LossVar[level],
    LossCVar: book.LossCVar[level],
    MarginCalls: book.MarginCalls.Mean,
    PeakDay: book.PeakDay.Quantiles[level],
  };
}

/** The required members of an earlier result, or the fault of a text without them. */
export function readEarlier(text: string): EarlierResult | string {
  let read: Partial<DeskResult>;
  try {
    read = JSON.parse(text) as Partial<DeskResult>;
  } catch {
    return 'it is not JSON; name a file that --json wrote';
  }
  const { Tape, Data } = read ?? {};
  const isResult =
    Array.isArray(Tape?.Source) && typeof Data?.AsOf === 'string' && typeof Data.Prices === 'object';
  return isResult ? (read as EarlierResult) : 'it is no result of `book`; name a file that --json wrote';
}

/** @param leftOut ids of the loans that the tape of now has, with faults */
export function changesOf(
  then: readonly TapeLoan[],
  now: readonly TapeLoan[],
  leftOut: ReadonlySet<string> = new Set(),
): LoanChanges {
  const before = new Map(then.map(loan => [loan.id, loan]));
  const after = new Set(now.map(({ id }) => id));
  const away = then.filter(({ id }) => !after.has(id)).map(({ id }) => id);
  return {
    New: now.filter(({ id }) => !before.has(id)).map(({ id }) => id),
    Gone: away.filter(id => !leftOut.has(id)),
    LeftOut: away.filter(id => leftOut.has(id)),
    Changed: now.flatMap(loan => {
      const old = before.get(loan.id);
      return old === undefined ? [] : changedTerms(old, loan);
    }),
  };
}

function changedTerms(then: TapeLoan, now: TapeLoan): ChangedTerm[] {
  const [before, after] = [termsOf(then), termsOf(now)];
  return [...new Set([...before.keys(), ...after.keys()])].flatMap(term => {
    const [was, is] = [before.get(term), after.get(term)];
    if (was?.value === is?.value) return [];
    // A debt in USD has other units as soon as the price moves.
    if (was?.usd === undefined || is?.usd === undefined)
      return [{ Id: now.id, Term: term, Then: was?.value ?? null, Now: is?.value ?? null }];
    return was.usd === is.usd ? [] : [{ Id: now.id, Term: `${term} (USD)`, Then: was.usd, Now: is.usd }];
  });
}

interface Agreed {
  readonly value: string | number;
  /** The value in the tape, where it has no units. */
  readonly usd?: number | undefined;
}

function termsOf({
  borrower,
  collateral,
  loanAsset,
  loanAmount,
  loanValueUsd,
  terms,
}: TapeLoan): ReadonlyMap<string, Agreed> {
  const moments = ['maturity', 'called_at'];
  return new Map<string, Agreed>([
    ...(borrower === undefined ? [] : [['borrower', { value: borrower }] as const]),
    ...collateral.flatMap(({ asset, amount, valueUsd, liquidationLtv }) => [
      [`collateral ${asset}`, { value: amount ?? valueUsd ?? 0 }] as const,
      ...(liquidationLtv === undefined
        ? []
        : [[`liquidation_ltv ${asset}`, { value: liquidationLtv }] as const]),
    ]),
    [`loan ${loanAsset}`, { value: loanAmount ?? 0, usd: loanValueUsd }],
    ...Object.entries(terms).map(
      ([name, value]) => [name, { value: moments.includes(name) ? formatMinute(value) : value }] as const,
    ),
  ]);
}

/** Loans of both tapes whose status differs, each at the prices of its day. */
function changedStatuses(
  then: readonly TapeLoan[],
  pricesThen: Prices,
  now: readonly TapeLoan[],
  prices: Prices,
): readonly ChangedStatus[] {
  const before = new Map(then.map(loan => [loan.id, loanValueOf(loan, pricesThen).status]));
  return now.flatMap(loan => {
    const [Then, Now] = [before.get(loan.id), loanValueOf(loan, prices).status];
    return Then === undefined || Then === Now ? [] : [{ Id: loan.id, Then, Now }];
  });
}

/** Loans of now, with their earlier terms where the earlier tape has them. */
export function withTermsOfThen(then: readonly TapeLoan[], now: readonly TapeLoan[]): readonly TapeLoan[] {
  const before = new Map(then.map(loan => [loan.id, loan]));
  return now.map(loan => before.get(loan.id) ?? loan);
}
