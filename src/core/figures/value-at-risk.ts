/** The figures of value at risk, by their names in the interface (methodology part 5). */
import type { PathRecords, Tail, ValueAtRiskOutcome } from '../engine.ts';
import { SCRAMBLES } from '../plan/model/gbm-sobol.ts';
import { modelOf } from '../plan/models.ts';
import { assetPair } from '../plan/ratio-path.ts';
import type { SimulationPlan, ValueAtRiskProduct } from '../plan/simulation-plan.ts';
import { intervalOfReach, type Reach, tailMeanError } from '../stats/intervals.ts';
import { lognormalLowerTail } from '../stats/lognormal.ts';
import { tailRank } from '../stats/quantile.ts';
import { skewedReach, skewnessOfMean } from '../stats/skewness.ts';
import { twoSidedNormal, twoSidedStudentT } from '../stats/special-functions.ts';
import {
  type ExactFigure,
  exactMembers,
  type FigureAccuracy,
  figureOf,
  MIN_IN_TAIL,
  meanFigure,
  quantileFigure,
  type WindowFigure,
  without,
} from './accuracy.ts';
import { ANY_NUMBER, byQuantile, type DescribedFigure } from './figure.ts';

/** A value at a horizon. */
export type TailValue = 'collateral' | 'loan' | 'netExposure';

/** A number of the lower tail of a value. */
interface TailFigure extends DescribedFigure {
  readonly value: TailValue;
  readonly is: 'quantile' | 'tailMean';
}

const tailFigure = (label: string, value: TailValue, is: TailFigure['is'], words: string): TailFigure => ({
  unit: 'USD',
  range: ANY_NUMBER,
  words,
  label,
  value,
  is,
});
const quantile = (label: string, value: TailValue, of: string) =>
  tailFigure(
    label,
    value,
    'quantile',
    `Quantile of the ${of}: it is lower in a share 1 - q of the scenarios.`,
  );
const tailMean = (label: string, value: TailValue, of: string) =>
  tailFigure(label, value, 'tailMean', `Mean of the ${of} over the lowest 1 - q of the scenarios.`);
const NET = 'net exposure (collateral less loan, negative is a loss)';

/** The figures of a horizon and quantile, in the order of the answer. */
export const TAIL_FIGURES = {
  CollateralVar: quantile('CollateralVar', 'collateral', 'value of the collateral'),
  CollateralCVar: tailMean('CollateralCVar', 'collateral', 'value of the collateral'),
  LoanVar: quantile('LoanVar', 'loan', 'value of the loan'),
  LoanCVar: tailMean('LoanCVar', 'loan', 'value of the loan'),
  NetExposureVar: quantile('NetExposureVar', 'netExposure', NET),
  NetExposureCVar: tailMean('NetExposureCVar', 'netExposure', NET),
} as const satisfies Readonly<Record<string, TailFigure>>;

export type TailFigureName = keyof typeof TAIL_FIGURES;

/** Figures by the keys of the answer: horizon, then quantile, each as JavaScript prints the number. */
type KeyedTails<V> = Record<string, Record<string, Record<TailFigureName, V>>>;

const ROWS = Object.entries(TAIL_FIGURES) as readonly [TailFigureName, TailFigure][];

const ofRows = <V>(of: (row: TailFigure, name: TailFigureName) => V) =>
  Object.fromEntries(ROWS.map(([name, row]) => [name, of(row, name)])) as Record<TailFigureName, V>;

/** The value of `of` for each horizon and quantile. @param horizonsDays rising */
function keyed<V>(
  horizonsDays: Float64Array,
  quantiles: Float64Array,
  of: (k: number, i: number) => Record<TailFigureName, V>,
): KeyedTails<V> {
  const perHorizon = Array.from(horizonsDays, (days, k) => [
    String(days),
    byQuantile(quantiles, i => of(k, i)),
  ]);
  return Object.fromEntries(perHorizon);
}

/** The figures of every horizon and quantile. @param horizonsDays rising */
export const keyedTails = (
  { horizons }: ValueAtRiskOutcome,
  horizonsDays: Float64Array,
  quantiles: Float64Array,
): KeyedTails<number> =>
  keyed(horizonsDays, quantiles, (k, i) => ofRows(({ value, is }) => horizons[k][value][i][is]));

/** Error of quantiles and tail means of a lognormal, relative to them. */
const LAW_ROUNDING = 1e-12;

/** The figures at horizon rank k and quantile rank i whose law is known (docs/methodology.md, "Accuracy"). */
export function exactTailFigures(
  { scenarios, product }: SimulationPlan<ValueAtRiskProduct>,
  k: number,
  i: number,
): Partial<Record<TailFigureName, ExactFigure>> {
  const pair = assetPair(product.portfolio);
  if ((scenarios.kind !== 'gbm' && scenarios.kind !== 'gbm-sobol') || pair === undefined) return {};
  const { collateralValue, loanValue, horizonYears, quantiles, portfolio } = product;
  const tail = (asset: number, weights: Float64Array, value: number) => {
    const deviation = scenarios.annualVolatility[asset] * Math.sqrt(horizonYears[k]);
    // The logarithm of a value and back would change its last digits.
    if (deviation === 0) return { quantile: value * weights[asset], tailMean: value * weights[asset] };
    const start = Math.log(value * weights[asset]);
    return lognormalLowerTail({ mean: start - (deviation * deviation) / 2, deviation }, 1 - quantiles[i]);
  };
  const collateral = tail(pair.collateral, portfolio.collateralWeights, collateralValue);
  const loan = tail(pair.loan, portfolio.loanWeights, loanValue);
  const known = (value: number, scale = value): ExactFigure => ({ value, error: LAW_ROUNDING * scale });
  const figures = {
    CollateralVar: known(collateral.quantile),
    CollateralCVar: known(collateral.tailMean),
    LoanVar: known(loan.quantile),
    LoanCVar: known(loan.tailMean),
  };
  if (scenarios.annualVolatility[pair.loan] !== 0) return figures;
  // The dollar does not move: net exposure is the collateral less a constant.
  const owed = loanValue * portfolio.loanWeights[pair.loan];
  return {
    ...figures,
    NetExposureVar: known(collateral.quantile - owed, collateral.quantile + owed),
    NetExposureCVar: known(collateral.tailMean - owed, collateral.tailMean + owed),
  };
}

/** Fewest points of a scramble in a tail for its figures to have an error. */
const MIN_IN_SCRAMBLE = 10;

/** Accuracy of the figures on drawn paths. @param level of the intervals, in (0, 1) */
export function tailAccuracy(
  plan: SimulationPlan<ValueAtRiskProduct>,
  { horizons, paths }: ValueAtRiskOutcome,
  horizonsDays: Float64Array,
  level: number,
): KeyedTails<FigureAccuracy> {
  const { quantiles } = plan.product;
  const accuracyOf =
    modelOf(plan.scenarios).replicates === undefined ? independentAccuracy : scrambledAccuracy;
  return keyed(horizonsDays, quantiles, (k, i) => {
    const exact = exactTailFigures(plan, k, i);
    return ofRows(({ value, is }, name) => ({
      ...accuracyOf(horizons[k][value][i], paths, quantiles[i], level)[is],
      ...(exact[name] && exactMembers(exact[name])),
    }));
  });
}

/** Accuracy of the two figures of a tail. */
type TailAccuracy = Readonly<Record<TailFigure['is'], FigureAccuracy>>;

function independentAccuracy(tail: Tail, paths: number, confidence: number, level: number): TailAccuracy {
  return {
    quantile: quantileFigure(tail.low, tail.high, level),
    tailMean: tailMeanAccuracy(tail, paths, confidence, level),
  };
}

/** Points within a scramble depend on each other; the scrambles do not. */
function scrambledAccuracy(tail: Tail, paths: number, confidence: number, level: number): TailAccuracy {
  const { low, high, scrambled } = tail;
  if (scrambled === undefined || ((1 - confidence) * paths) / SCRAMBLES < MIN_IN_SCRAMBLE)
    return { quantile: without('scrambles'), tailMean: without('scrambles') };
  const t = twoSidedStudentT(SCRAMBLES - 1, level);
  const standardError = low === undefined || high === undefined ? undefined : (high - low) / (2 * t);
  const { tailMeanError, skewness } = scrambled;
  const reach = reachOfLevelLess(skewedReach(skewness, t));
  return {
    quantile: figureOf({ standardError, low, high }, 'scrambles'),
    tailMean: figureOf(intervalOfReach(tail.tailMean, tailMeanError, reach), 'scrambles'),
  };
}

/** @param confidence the q of the quantile: the tail is the lowest 1 - q */
function tailMeanAccuracy(tail: Tail, paths: number, confidence: number, level: number): FigureAccuracy {
  const { level: start, tailMean, shortfallSquares, shortfallCubes: cubes } = tail;
  const shortfall = (start - tailMean) * paths * (1 - confidence);
  const error = tailMeanError({ paths, shortfall, shortfallSquares }, 1 - confidence);
  const sums = { paths, sum: shortfall, squares: shortfallSquares };
  return meanFigure(tailMean, error, paths - tailRank(paths, confidence), level, ANY_NUMBER, {
    leastEvents: MIN_IN_TAIL,
    ...(cubes === undefined
      ? {}
      : {
          reach: reachOfLevelLess(skewedReach(skewnessOfMean({ ...sums, cubes }), twoSidedNormal(level))),
        }),
  });
}

/** The tail mean is the level less the mean shortfall: the two reaches change places. */
const reachOfLevelLess = ({ below, above }: Reach): Reach => ({ below: above, above: below });

/**
 * Contributions of historical windows to the figures of the k-th horizon, by the keys of the answer.
 *
 * @param records one per window, in the order of their ends
 */
export function tailWindowFigures(
  { collateralValue, loanValue, quantiles }: ValueAtRiskProduct,
  { horizons }: ValueAtRiskOutcome,
  records: PathRecords,
  k: number,
): Record<string, Record<TailFigureName, WindowFigure>> {
  const collateral = records[`collateral.${k}`].map(value => collateralValue * value);
  const loan = records[`loan.${k}`].map(value => loanValue * value);
  const values = { collateral, loan, netExposure: collateral.map((value, p) => value - loan[p]) };
  const windowFigure = ({ value, is, range }: TailFigure, i: number): WindowFigure => {
    const [of, probability] = [values[value], 1 - quantiles[i]];
    const { quantile, tailMean, level } = horizons[k][value][i];
    if (is === 'quantile') return { kind: 'quantile', values: of, probability, quantile };
    const contributions = of.map(each => Math.max(0, level - each) / probability);
    return { kind: 'tail-mean', tail: 'lower', probability, estimate: tailMean, contributions, range };
  };
  return byQuantile(quantiles, i => ofRows(row => windowFigure(row, i)));
}
