/** The result of a run over a tape: the content of `--json` and of the report. Amounts are in USD, shares fractions, LTVs loan over collateral. */
import type { FaultCode } from '../core/errors.ts';
import type {
  ASSET_FIGURES,
  ASSET_PARTS,
  BOOK_COLUMNS,
  BOOK_TOTALS,
  ColumnFigures,
  OfColumn,
} from '../core/figures/book.ts';
import type { BOOK_LENDING_FIGURES, BOOK_LOAN_FIGURES, LOAN_PARTS } from '../core/figures/book-loan.ts';
import type { OfFigures } from '../core/figures/figure.ts';
import { headlineOf } from '../core/figures/usual.ts';
import type { Warning, WarningCode } from '../core/warnings.ts';
import type { TapeLoan } from '../tape/tape.ts';
import type { LoanStatus } from '../tape/valuation.ts';
import type { LoanCall } from './calls.ts';
import type { Comparison } from './comparison.ts';
import type { BookCredit, CreditTerms, LoanCredit } from './credit-figures.ts';
import type { FollowedScenario } from './followed-scenario.ts';
import type { BookTranches, WaterfallSent } from './tranches.ts';
import type { FoundFall } from './until.ts';
import type { DataAge } from './value-tape.ts';

/** Figures by level: `"0.99"`. */
export type ByLevel = Readonly<Record<string, number>>;

type Columns = typeof BOOK_COLUMNS;
type FigureNames<F> = Readonly<Record<keyof F, number>>;
type PartNames<F> = Readonly<Record<keyof F, ByLevel>>;

export type Losses = OfColumn<Columns['loss'], ByLevel>;
export type Amounts = OfColumn<Columns['sold'], ByLevel>;

/** The figures of a column, in their own member. */
type Within<C extends ColumnFigures & { readonly within: { readonly name: string } }> = Readonly<
  Record<C['within']['name'], OfColumn<C, ByLevel>>
>;

/** `Output.Book` of /book_risk, as far as the desk reads it. */
export type BookFigures = FigureNames<typeof BOOK_TOTALS> &
  Losses &
  Within<Columns['unsold']> &
  Within<Columns['calledLoans']> &
  Within<Columns['forcedSales']> &
  Within<Columns['sold']> &
  Within<Columns['peakDay']> & {
    readonly Assets: Readonly<
      Record<string, FigureNames<typeof ASSET_FIGURES> & PartNames<typeof ASSET_PARTS>>
    >;
    readonly Credit?: BookCredit;
  } & BookTranches<ByLevel>;

type OfLoan = OfFigures<typeof BOOK_LOAN_FIGURES, number> & OfFigures<typeof BOOK_LENDING_FIGURES, number>;

/** One of `Output.Loans` of /book_risk, as far as the desk reads it. PrSale: only of a loan with partial sales. */
export type LoanFigures = PartNames<typeof LOAN_PARTS> &
  Readonly<
    Pick<OfLoan, 'PrMarginCall' | 'PrLiquidation' | 'PrCloseout' | 'PrUnderwater' | 'PrSale' | 'ExpectedLoss'>
  > & { readonly Credit?: LoanCredit; readonly CapitalContribution?: ByLevel };

/** Sampling error of a figure of `Book`. */
export interface Interval {
  readonly low: number | null;
  readonly high: number | null;
}

/** An unknown sampling error. */
export const UNDETERMINED: Interval = { low: null, high: null };

export interface ModelRun {
  readonly Book: BookFigures;
  readonly Borrowers?: Readonly<
    Record<string, Pick<LoanFigures, 'ExpectedLoss' | 'CVarContribution' | 'CapitalContribution'>>
  >;
  readonly Warnings: readonly Warning[];
  /** Null where it draws none: its windows of the past are the scenarios. */
  readonly Paths: number | null;
  /** Intervals of `Book` figures, by name and level: `LossVar 0.99`, `PeakDay Quantiles 0.99`. */
  readonly Accuracy: Readonly<Record<string, Interval>>;
}

/** The prices of one asset at which a loan reaches an LTV, other prices unchanged; null where no price does. */
export interface AssetLevel {
  readonly Asset: string;
  readonly Price: number;
  readonly CallPrice: number | null;
  readonly LiquidationPrice: number | null;
  /** The loan is in this asset: a rise of its price calls it. */
  readonly Rise?: true;
}

export interface LoanLine {
  readonly Id: string;
  readonly Borrower: string | null;
  readonly Lines: readonly number[];
  readonly CollateralUsd: number;
  readonly LoanUsd: number;
  readonly Ltv: number;
  readonly MarginCallLtv: number;
  readonly LiquidationLtv: number;
  readonly Status: LoanStatus;
  /** Past its maturity: due now. */
  readonly Overdue?: true;
  /** Days of the simulation. */
  readonly Days: number;
  /** Part of the collateral that is neither a currency nor a stablecoin. */
  readonly FallingShare: number;
  /** The same of its value times the liquidation LTVs of its assets; absent where all have one. */
  readonly SecuredFallingShare?: number;
  /** The loan is in such an asset: a fall of all collateral lowers its debt, too. */
  readonly LoanFalls?: true;
  /** Fall of that part to the margin call and to the liquidation, as a fraction; 0 if reached today, null if no fall reaches it. */
  readonly FallToCall: number | null;
  readonly FallToLiquidation: number | null;
  readonly Levels: readonly AssetLevel[];
  /** Under the model of the headline. */
  readonly Figures: LoanFigures;
}

/** A named part of the book. */
export interface Part {
  readonly Name: string;
  readonly Loans: number;
  readonly LoanUsd: number;
  readonly CollateralUsd: number;
}

export interface LeftOut {
  /** Kind of the fault (core/errors.ts). */
  readonly Code: FaultCode;
  readonly Line: number | null;
  readonly Id: string | null;
  readonly Column: string | null;
  readonly Message: string;
  readonly Remedy: string;
}

/** Daily volume of an asset over all markets with volumes in the store. */
export interface AssetVolume {
  /** USD. */
  readonly MedianDailyUsd: number;
  readonly Days: number;
  /** `BTC/USDT binance`. */
  readonly Markets: readonly string[];
}

/** One methodology judged on past days by /backtest. */
export interface Judged {
  /** Judged days. */
  readonly Forecasts: number;
  /** Days that are not judged, because a close was carried over a hole. */
  readonly Carried: number;
  /** The first and the last judged day, `2024-06-30`: the day of the forecast. */
  readonly From: string;
  readonly To: string;
  readonly Levels: Readonly<
    Record<
      string,
      {
        readonly Exceedances: number;
        readonly Expected: number;
        readonly KupiecP: number;
        readonly Z2P: number | null;
        /** The days of `Exceedances`. */
        readonly Days: readonly string[];
      }
    >
  >;
}

export interface LoanSum {
  readonly Loans: number;
  readonly LoanUsd: number;
}

/** The book in a replay: `Replay` of /stress. */
export interface ReplayFigures {
  /** Hours of the window, and those that a loan lives through. */
  readonly Hours: number;
  readonly FollowedHours: number;
  /** Loans whose term ends before the window does. */
  readonly Matured: number;
  readonly Called: number;
  readonly ClosedOut: number;
  readonly Liquidated: number;
  readonly CalledAtEnd: number;
  readonly Loss: number;
  readonly ForcedSaleUsd: number;
  readonly PeakDayUsd: number;
  /** Lowest collateral over debt of the whole book without sales. */
  readonly Lowest: number;
}

export interface StressedBook {
  readonly Name: string;
  readonly Title: string;
  /** How far prices must fall until a bound is reached; this scenario is that fall. */
  readonly Until?: string;
  readonly Found?: FoundFall;
  /** Immediately after the shock. */
  readonly Ltv: number;
  readonly Called: LoanSum;
  readonly Liquidated: LoanSum;
  /** Null where nothing is replayed. */
  readonly Replay: ReplayFigures | null;
  /** Losses after it under the methodology of the headline; null where no loan is left. */
  readonly Then:
    | (Pick<Losses, 'ExpectedLoss' | 'LossVar' | 'LossCVar'> & {
        /** Mean loss of each tranche, per cent of its size: flat, since an earlier result may be 7 levels deep. */
        readonly TrancheLossPct?: Readonly<Record<string, number | null>>;
      })
    | null;
  /** Sampling error of `scenarioLoss`; null where nothing is simulated or drawn, an end where it is not determined. */
  readonly Interval: Interval | null;
  /** Ids of the loans with the largest losses. */
  readonly Largest: readonly string[];
}

/** A limit of the desk against the result. */
export interface JudgedLimit {
  /** 1-based line of the file of limits. */
  readonly Line: number;
  readonly Limit: string;
  /** `close` from 90 % of the bound on; `unknown` without a volume, or without scenarios. */
  readonly Status: 'ok' | 'close' | 'breached' | 'unknown';
  /** The largest; null without a known value. */
  readonly Value: number | null;
  readonly Bound: number;
  /** The loan, borrower or asset of the largest value. */
  readonly Of: string | null;
  /** Names beyond the bound. */
  readonly Breaching: readonly string[];
  readonly Unknown: readonly string[];
  /** Sampling error of the value; null where it has none. An end is null where the paths do not determine it. */
  readonly Interval: Interval | null;
  /** Whether the sampling error reaches over the bound: another seed may judge otherwise. */
  readonly WithinError: boolean;
  /** Sampling error behind the judgement: `none` where the values are exact, `unknown` where it is not determined. */
  readonly Sampling: 'none' | 'known' | 'unknown';
}

export interface DeskResult {
  readonly Title: string;
  /** ISO moment. */
  readonly MadeAt: string;
  readonly Tape: {
    readonly File: string;
    /** Of the bytes of the file, in hexadecimal; empty for a report from a browser. */
    readonly Sha256: string;
    readonly Rows: number;
    readonly Loans: number;
    readonly NotUsed: readonly string[];
    /** The computed loans, as in the tape. */
    readonly Source: readonly TapeLoan[];
    readonly LeftOut: readonly LeftOut[];
    /** USD that they owe, and how many of them do not say it. */
    readonly LeftOutOwed: { readonly Usd: number; readonly Unknown: number };
    /** Contradictions on the tape, in sentences. */
    readonly Remarks: readonly string[];
    readonly Notes: readonly {
      readonly Note: string;
      readonly Sentence: string;
      readonly Ids: readonly string[];
    }[];
  };
  readonly Data: {
    /** The end of the data: `2026-11-23T00:00Z`. */
    readonly AsOf: string;
    /** `sample`, or `store; version=...`. */
    readonly Market: string;
    readonly Synthetic: boolean;
    /** USD per unit. */
    readonly Prices: Readonly<Record<string, number>>;
    /** Assets with the last close of an earlier day. */
    readonly Carried: readonly string[];
    /** Null with --as-of, and where the data reach the last whole day. */
    readonly Behind: DataAge | null;
    /** By asset of the collateral; null where the store has none, empty where nobody has looked. */
    readonly Volumes: Readonly<Record<string, AssetVolume | null>>;
  };
  readonly Run: {
    readonly Version: string;
    readonly Seed: number;
    readonly Types: readonly string[];
    /** The methodology of the headline and of the loans. */
    readonly Headline: string;
    readonly LookbackDays: number;
    /** Of each methodology that draws paths. */
    readonly Paths: number;
    readonly HorizonDays: number;
    readonly Levels: readonly number[];
    readonly SaleDelayHours: number;
    readonly SaleCost: number;
    readonly Credit?: CreditTerms;
    readonly Waterfall?: WaterfallSent;
    /** The command line that reproduces the result. */
    readonly Command: string;
  };
  readonly Today: {
    readonly CollateralUsd: number;
    readonly LoanUsd: number;
    readonly Ltv: number;
    readonly Called: number;
    readonly Liquidated: number;
    /** By LTV: `0.5 to 0.6`. */
    readonly Bands: readonly Part[];
    /** By collateral asset, the largest first. */
    readonly Assets: readonly Part[];
    /** By borrower, the largest first; a loan without one has its id. */
    readonly Borrowers: readonly Part[];
  };
  readonly Models: Readonly<Record<string, ModelRun>>;
  /** Of figures of `Book` under the methodology of the headline. */
  readonly Accuracy: Readonly<Record<string, Interval>>;
  /** The scenario at the loss of the headline. */
  readonly Scenario: FollowedScenario | null;
  readonly Backtest: {
    readonly Basket: Readonly<Record<string, number>>;
    readonly Models: Readonly<Record<string, Judged>>;
  } | null;
  /**
   * The book without a shock first, then each scenario; null where it was not requested or failed. `Paths` of each; null where the
   * methodology draws none.
   */
  readonly Stress: { readonly Paths: number | null; readonly Scenarios: readonly StressedBook[] } | null;
  /** Null where no earlier result was named. */
  readonly Compared: Comparison | null;
  /** Failed parts, with the reason. */
  readonly Missing: readonly string[];
  /** Null where no limits were given. */
  readonly Limits: readonly JudgedLimit[] | null;
  readonly Loans: readonly LoanLine[];
  /** Open margin calls, the first deadline first. */
  readonly Calls: readonly LoanCall[];
  readonly Warnings: readonly {
    readonly Code: WarningCode;
    /** The meaning of the code. */
    readonly Sentence: string;
    /** The facts of this run, and their effect on figures. */
    readonly Message: string;
    /** Methodologies, or `scenarios`. */
    readonly Models: readonly string[];
  }[];
}

/** The level of the headline of a run, as a key of figures: `0.99`. */
export const headlineLevel = ({ Levels }: Pick<DeskResult['Run'], 'Levels'>): string =>
  String(headlineOf(Levels));

/** `24 of 96 hours` where no loan lives to the end of a replay; empty otherwise. */
export const cutText = ({ Replay }: Pick<StressedBook, 'Replay'>): string =>
  Replay === null || Replay.FollowedHours === Replay.Hours
    ? ''
    : `${Replay.FollowedHours} of ${Replay.Hours} hours`;

/** Loss of a scenario, USD: in its replay, and on average after it. */
export const scenarioLoss = ({ Replay, Then }: Pick<StressedBook, 'Replay' | 'Then'>): number =>
  (Replay?.Loss ?? 0) + (Then?.ExpectedLoss ?? 0);

/** The scenarios that were given; the loss after a fall that was sought is its bound. */
export const givenScenarios = ({ Stress }: Pick<DeskResult, 'Stress'>): readonly StressedBook[] =>
  (Stress?.Scenarios ?? []).filter(({ Found }) => Found === undefined);
