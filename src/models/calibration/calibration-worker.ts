/** Code of a calibration thread: one calibration, or the figures of one run, per task. RiskErrors are returned as data. */
import {
  type PathLosses,
  type WaterfallOutcome,
  type WaterfallTerms,
  waterfall,
} from '../../core/book/waterfall.ts';
import { type FailureReason, type Fault, RiskError } from '../../core/errors.ts';
import { accountFigures, tailOfLosses } from '../../core/figures/account.ts';
import { accountAccuracy } from '../../core/figures/account-accuracy.ts';
import { positionAccuracy, positionFigures } from '../../core/figures/perpetual.ts';
import { encodePlan } from '../../core/plan/codec.ts';
import type { FilteredHistoricalScenarios } from '../../core/plan/model/filtered-historical.ts';
import type { BookProduct } from '../../core/plan/product/book.ts';
import type { SimulationPlan } from '../../core/plan/simulation-plan.ts';
import { pricesOfPath } from '../../core/reference/models.ts';
import {
  firstPassageProbability,
  type GaussianWalk,
  type PassageLevel,
  passageLevel,
} from '../../core/stats/first-passage.ts';
import { cosineVariance, type Overlap } from '../../core/stats/overlapping-windows.ts';
import { type ComparedTails, type ShortfallTests, shortfallTests } from '../../core/stats/shortfall/tests.ts';
import { type FollowedPath, followPath } from '../../core/stress/follow-path.ts';
import { type StressedBook, type StressInput, stressBook } from '../../core/stress/stressed-book.ts';
import { type BootstrapWindow, calibrateBootstrap } from './bootstrap.ts';
import { type DegreesOfFreedomFit, fitDegreesOfFreedom, requireReturns } from './degrees-of-freedom.ts';
import {
  filteredHistoricalScenarios,
  MIN_FHS_RETURNS,
  paretoTailedScenarios,
} from './filtered-historical.ts';
import { fitGarchModel, type GarchModel } from './garch.ts';
import type { ParetoTails } from './pareto-tails.ts';
import { type VarianceMultiplier, varianceMultiplier } from './variance-multiplier.ts';

/** Daily log returns of named assets. */
export interface NamedReturns {
  readonly symbols: readonly string[];
  readonly returns: readonly Float64Array[];
}

/** Input and result of every calibration by its name. */
export interface Calibrations {
  garch: { input: NamedReturns; result: GarchModel };
  'filtered-historical': {
    input: NamedReturns & { readonly volatilityShock: number };
    result: { readonly model: GarchModel; readonly scenarios: FilteredHistoricalScenarios };
  };
  'pareto-tailed': {
    input: Calibrations['filtered-historical']['input'];
    result: Calibrations['filtered-historical']['result'] & { readonly tails: readonly ParetoTails[] };
  };
  'student-t': {
    input: NamedReturns;
    result: { readonly fit: DegreesOfFreedomFit; readonly multiplier: VarianceMultiplier };
  };
  bootstrap: { input: BootstrapWindow; result: ReturnType<typeof calibrateBootstrap> };
  /** Probabilities that a walk is below each of several levels at a step. */
  'first-passage': {
    input: { readonly walk: GaussianWalk; readonly levels: readonly number[] };
    result: readonly number[];
  };
  /** Levels below which a walk is at a step with each of several probabilities. */
  'passage-levels': {
    input: { readonly walk: GaussianWalk; readonly probabilities: readonly number[] };
    result: readonly PassageLevel[];
  };
  /** Tests of forecasts of expected shortfall, at several levels. */
  'shortfall-tests': {
    input: { readonly levels: readonly ComparedTails[]; readonly seed: number };
    result: readonly (ShortfallTests | undefined)[];
  };
  /** JSON text of a plan: long for windows of history. */
  'plan-text': { input: { readonly plan: SimulationPlan }; result: string };
  /** A book under a scenario of /stress: a replay follows every loan. */
  'stressed-book': { input: StressInput; result: StressedBook };
  /** One path of a book again: every loan is followed. */
  'followed-path': {
    input: { readonly plan: SimulationPlan<BookProduct>; readonly path: number };
    result: FollowedPath;
  };
  /** Figures that need the order of the paths of a run: a second for a million of them. */
  'account-figures': {
    input: Parameters<typeof accountFigures>;
    result: ReturnType<typeof accountFigures>;
  };
  'account-accuracy': {
    input: Parameters<typeof accountAccuracy>;
    result: ReturnType<typeof accountAccuracy>;
  };
  'account-tail': { input: Parameters<typeof tailOfLosses>; result: ReturnType<typeof tailOfLosses> };
  'position-figures': {
    input: Parameters<typeof positionFigures>;
    result: ReturnType<typeof positionFigures>;
  };
  'position-accuracy': {
    input: Parameters<typeof positionAccuracy>;
    result: ReturnType<typeof positionAccuracy>;
  };
  /** Losses of a book by who bears them: the losses of up to a million paths are sorted. */
  waterfall: {
    input: {
      readonly losses: PathLosses;
      readonly terms: WaterfallTerms;
      readonly quantiles: Float64Array;
    };
    result: WaterfallOutcome;
  };
  /** Variances of mean contributions over overlapping windows. */
  'window-variances': {
    input: { readonly contributions: readonly Float64Array[]; readonly overlap: Overlap };
    result: readonly number[];
  };
}

export type CalibrationName = keyof Calibrations;
export type CalibrationInput<K extends CalibrationName> = Calibrations[K]['input'];
export type CalibrationResult<K extends CalibrationName> = Calibrations[K]['result'];

export const CALIBRATE: {
  readonly [K in CalibrationName]: (input: CalibrationInput<K>) => CalibrationResult<K>;
} = {
  garch: ({ symbols, returns }) => fitGarchModel(symbols, returns),
  'filtered-historical': ({ symbols, returns, volatilityShock }) => {
    requireReturns('FHS', MIN_FHS_RETURNS, returns[0].length);
    const model = fitGarchModel(symbols, returns);
    return { model, scenarios: filteredHistoricalScenarios(model, volatilityShock) };
  },
  'pareto-tailed': ({ symbols, returns, volatilityShock }) => {
    const model = fitGarchModel(symbols, returns);
    return { model, ...paretoTailedScenarios(model, volatilityShock) };
  },
  'student-t': ({ symbols, returns }) => {
    const fit = fitDegreesOfFreedom(symbols, returns);
    return { fit, multiplier: varianceMultiplier(fit.degreesOfFreedom) };
  },
  bootstrap: calibrateBootstrap,
  'first-passage': ({ walk, levels }) => levels.map(level => firstPassageProbability(walk, level)),
  'passage-levels': ({ walk, probabilities }) => probabilities.map(each => passageLevel(walk, each)),
  'shortfall-tests': ({ levels, seed }) =>
    levels.map((tails, i) => shortfallTests(tails, { seed, stream: i })),
  'plan-text': ({ plan }) => JSON.stringify(encodePlan(plan)),
  'stressed-book': stressBook,
  'followed-path': ({ plan, path }) => followPath(plan, path, pricesOfPath(plan, path, plan.product.steps)),
  'account-figures': input => accountFigures(...input),
  'account-accuracy': input => accountAccuracy(...input),
  'account-tail': input => tailOfLosses(...input),
  'position-figures': input => positionFigures(...input),
  'position-accuracy': input => positionAccuracy(...input),
  waterfall: ({ losses, terms, quantiles }) => waterfall(losses, terms, quantiles),
  'window-variances': ({ contributions, overlap }) =>
    contributions.map(values => cosineVariance(values, overlap)),
};

export interface CalibrationTask<K extends CalibrationName = CalibrationName> {
  readonly name: K;
  readonly input: CalibrationInput<K>;
}

export type CalibrationAnswer =
  | { readonly result: CalibrationResult<CalibrationName> }
  | { readonly reason: FailureReason; readonly message: string; readonly faults: readonly Fault[] };

export default function work<K extends CalibrationName>({
  name,
  input,
}: CalibrationTask<K>): CalibrationAnswer {
  try {
    return { result: CALIBRATE[name](input) };
  } catch (error) {
    if (!(error instanceof RiskError)) throw error;
    return { reason: error.reason, message: error.message, faults: error.faults };
  }
}
