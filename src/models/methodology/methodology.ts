/**
 * The contract of a methodology: its name, its members of a request, its prices, and the way from these to the scenarios of a plan. Each file of
 * this folder declares one methodology. Schemas, documents, choices of the console and the command line, work and admission use the
 * declarations.
 */
import type { VolatilityFigures } from '../../core/figures/window.ts';
import type { GridHours } from '../../core/plan/grid.ts';
import type { ModelKind } from '../../core/plan/models.ts';
import type { NumberedPortfolio } from '../../core/plan/portfolio.ts';
import type { Scenarios } from '../../core/plan/simulation-plan.ts';
import type { Asker } from '../../core/turns.ts';
import type { ComputeChoice } from '../../engine/engine-set.ts';
import type { Logger } from '../../host/log.ts';
import type { FilledSeries, MarketData } from '../../market/market-data.ts';
import type { Day } from '../../text/calendar-date.ts';
import type { FittedModel } from './fitted-model.ts';

/** The questions of requests. */
export const QUESTION_NAMES = [
  'loan',
  'origination',
  'value-at-risk',
  'advance-rate',
  'capped-loan',
  'perpetual',
  'account',
  'book',
  'stress',
  'backtest',
] as const;
export type QuestionName = (typeof QUESTION_NAMES)[number];

/** Context of a fit. */
export interface FitContext extends Asker {
  readonly market: MarketData;
  readonly compute: ComputeChoice;
  /** 0..2^32-1. */
  readonly seed: number;
  readonly now: Date;
  readonly log: Logger;
}

/** A horizon of a request and its member. */
export interface Horizon {
  readonly path: string;
  /** Days. */
  readonly days: number;
  /** Present where the member is in hours. */
  readonly hours?: number;
}

/** A collateral asset and an asset of the debt of one loan. */
export type LoanPair = readonly [collateral: string, loan: string];

/** Terms of a question for a methodology. */
export interface Need {
  readonly portfolio: NumberedPortfolio;
  readonly analysisDate: Day;
  /** Returns of the window. */
  readonly lookbackDays: number;
  /** Fraction above -1. */
  readonly volatilityShock: number;
  /** Paths to draw; absent where the methodology draws none. */
  readonly paths: number | undefined;
  /** Steps of the longest path on a grid: an hourly simulation, or a historical window. */
  readonly termSteps: (gridHours: GridHours) => number;
  /** Times that a grid of history has to resolve. */
  readonly horizons: readonly Horizon[];
  /** Pairs of collateral and debt, for a warning on those that move together. */
  readonly pairs?: readonly LoanPair[];
  /** Whether the assets are the marks and the collateral of perpetuals, whose volatility is hourly (methodology part 7.3). */
  readonly ofMarks?: boolean;
}

/** Scenarios with their origin. */
export interface ScenarioSet {
  readonly scenarios: Scenarios;
  /** Paths drawn, or windows of history. */
  readonly paths: number;
  /** Hours between two prices of the window. */
  readonly gridHours: GridHours;
  /** Hours of a path's step: 1 if simulated, the grid of the window if historical. */
  readonly stepHours: GridHours;
  /** Present where a horizon of value at risk is a whole number of rows of the window, so many hours each. */
  readonly horizonHours?: GridHours;
  readonly filled: readonly FilledSeries[];
  /** Rows of the window from which days or hours are drawn; absent for other paths. */
  readonly rows?: number;
  /** Volatilities and correlation of the two portfolios under the names of the interface; none for HISTORICAL. */
  readonly volatilityFigures: VolatilityFigures;
  /** Of the mark of a perpetual where it is not the figure of the collateral; fraction per year. */
  readonly markVolatility?: number;
  /** The model as fitted, for `Model` and for warnings. */
  readonly fitted: FittedModel;
  /** Further members of `Arguments`: `vix_data` for GBM_VIX. */
  readonly addedArguments?: Readonly<Record<string, unknown>>;
}

/** Seconds that a fit takes in the calibration thread. */
export interface FitCost {
  readonly secondsPerFit: number;
  readonly secondsPerAssetDay: number;
}

export interface Methodology<Name extends string = string, Prices = unknown> {
  /** Value of `type`, or of `model` for a perpetual. */
  readonly name: Name;
  /** Its name in the list of choices of the page. */
  readonly title: string;
  /** A sentence for documents about the origin of the scenarios. */
  readonly words: string;
  /** Its assumption about prices, in a few words for reports of several methodologies. */
  readonly assumption: string;
  /** Kind of the scenarios, which names the kernels that run them. */
  readonly kind: ModelKind;
  /** Kind of the scenarios with `sampling=sobol`; absent where the methodology has random paths only. */
  readonly sobolKind?: ModelKind;
  /** Kind of the scenarios with `sampling=tail`; absent where the methodology has paths of equal weight only. */
  readonly tailKind?: ModelKind;
  readonly questions: readonly QuestionName[];
  /** Whether it draws `mc_iter` paths; else its windows of history are the paths. */
  readonly draws: boolean;
  /** Whether it takes `volatility_shock`. */
  readonly takesShock: boolean;
  /** Least `model_lookback` where it is above the question's, days. */
  readonly leastLookbackDays?: number;
  readonly fitCost: FitCost;
  /** Reads the window. @throws MissingMarketData that names everything that is missing */
  read(need: Need, context: FitContext): Promise<Prices>;
  /** Fits the model to the window. @throws RiskError `calibration-failed` */
  fit(prices: Prices, need: Need, context: FitContext): Promise<ScenarioSet> | ScenarioSet;
}
