/** Warnings about a request, its window and its scenarios. */
import type { ModelKind } from '../../core/plan/models.ts';
import { type Warning, warnIf } from '../../core/warnings.ts';
import type { FilledSeries } from '../../market/market-data.ts';
import { rescalingOf } from '../../market/price-jumps.ts';
import { hasWeekends } from '../../text/symbols.ts';
import type { Need } from './methodology.ts';

/** Largest share of a window that is carried forward without a warning. */
const MAX_CARRIED = 0.25;
/** The same of a currency with five closes a week: its weekends, and some days of holidays. */
const MAX_CARRIED_WITH_WEEKENDS = 1 / 3;

/** One warning for each series of which a quarter of the window or more was carried: a carried close is a return of 0. */
export const filledWarnings = (filled: readonly FilledSeries[]): readonly Warning[] =>
  filled.flatMap(({ symbol, count, unit, of }) =>
    warnIf(
      of !== undefined && count >= (hasWeekends(symbol) ? MAX_CARRIED_WITH_WEEKENDS : MAX_CARRIED) * of,
      'filled',
      `${count} of the ${of} ${unit === 'hour' ? 'hourly' : 'daily'} closes of ${symbol} were missing and carried forward. ` +
        `Do not rely on its correlations and GARCH parameters: the carried closes have returns of 0.`,
    ),
  );

/** One warning for each series whose window has a jump that no other asset has. */
export const jumpWarnings = (filled: readonly FilledSeries[]): readonly Warning[] => {
  // A window of days and one of hours have the same jump.
  const first = new Map(
    filled.toReversed().flatMap(each => (each.jump === undefined ? [] : [[each.symbol, each.jump]])),
  );
  return [...first].flatMap(([symbol, { at, firstDay, factor, scales, series }]) =>
    warnIf(
      true,
      'price-jump',
      `The price of ${symbol} changes by a factor of ${factor.toPrecision(3)} at the close of ${at}, ${Math.round(scales)} times the usual move of its window, and no other asset moves with it: ` +
        'the figures are wrong if the coin was redenominated or the data are of two units. ' +
        `Rescale the closes before it${series.map(id => `: market rescale ${id} --before ${firstDay} --by ${rescalingOf({ factor })}`).join('')}.`,
    ),
  );
};

/** Warnings of windows of history: a coarse grid, and few of them that do not overlap. */
export function historicalWarnings(windows: number, steps: number, gridHours: 1 | 24): readonly Warning[] {
  const independent = windows / steps;
  return [
    ...warnIf(
      gridHours === 24,
      'daily-grid',
      'The windows use daily closes, because not every asset has hourly prices over all of them: moves within a day are not observed.',
    ),
    ...warnIf(
      independent < MIN_WINDOWS,
      'few-windows',
      `The ${windows} windows overlap: their information is that of about ${independent.toFixed(1)} windows without overlap, and figures of fewer than ${MIN_WINDOWS} are not reliable.`,
    ),
  ];
}

/** Fewest windows without overlap, and fewest scenarios in a tail: with fewer a figure is an extreme of the sample. */
const MIN_WINDOWS = 10;
const MIN_TAIL = 10;

/** A warning where fewer than ten paths lie beyond the furthest quantile, on either side. @param levels each q, in (0, 1) */
export function tailWarnings(paths: number, levels: readonly number[]): readonly Warning[] {
  const shareBeyond = (q: number) => Math.min(q, 1 - q);
  const level = levels.reduce((far, q) => (shareBeyond(q) < shareBeyond(far) ? q : far));
  const beyond = paths * shareBeyond(level);
  return warnIf(
    // 100 (1 - 0.9) comes a rounding short of 10.
    beyond < MIN_TAIL - 1e-9,
    'few-tail-scenarios',
    `${beyond.toPrecision(2)} of ${paths} scenarios lie beyond the quantile ${level}: with fewer than ${MIN_TAIL} the figure is an extreme of the sample.`,
  );
}

/** Share beyond a quantile up to which normal returns understate risk (docs/backtests.md). */
const THIN_TAIL = 0.01;

/** A warning about extreme quantiles of normal returns. @param levels each q, in (0, 1) */
export function gbmTailWarnings(kind: ModelKind, levels: readonly number[]): readonly Warning[] {
  const far = levels.filter(q => Math.min(q, 1 - q) <= THIN_TAIL + 1e-12);
  return warnIf(
    (kind === 'gbm' || kind === 'gbm-sobol' || kind === 'gbm-shifted') && far.length > 0,
    'gbm-tail',
    `Returns are normal: at ${far.length === 1 ? 'the quantile' : 'the quantiles'} ${far.join(', ')} losses of a day exceeded the figure ` +
      'more often than forecast in back-tests, and by more. STUDENT_T and FHS were closer (docs/choosing.md).',
  );
}

/** A warning about rates of advance at high levels of confidence under normal returns. @param levels each in (0, 1) */
export function normalTailWarnings(kind: ModelKind, levels: readonly number[]): readonly Warning[] {
  const far = levels.filter(level => level > 1 - THIN_TAIL);
  return warnIf(
    kind === 'gbm' && far.length > 0,
    'normal-tail',
    `Returns are normal: at ${far.length === 1 ? 'the confidence' : 'the confidences'} ${far.join(', ')} the rate is that of falls without the tails of history. ` +
      'In March 2020 bitcoin fell in 48 hours as the normal law has it once in more than any history. Compare HISTORICAL and STUDENT_T.',
  );
}

/** Paths, days of a window and a shock without a warning. */
const MIN_PATHS = 100;
const MIN_LOOKBACK_DAYS = 10;
const MAX_SHOCK = 5;

/** Warnings about the terms of any question. */
export function needWarnings({ lookbackDays, volatilityShock, paths }: Need): readonly Warning[] {
  return [
    ...warnIf(
      paths !== undefined && paths < MIN_PATHS,
      'few-paths',
      `${paths === 1 ? '1 path was' : `${paths} paths were`} simulated: with fewer than ${MIN_PATHS} every figure has a large sampling error.`,
    ),
    ...warnIf(
      lookbackDays < MIN_LOOKBACK_DAYS,
      'short-lookback',
      `The window has ${lookbackDays} days: volatilities and correlations from fewer than ${MIN_LOOKBACK_DAYS} have large errors.`,
    ),
    ...warnIf(
      volatilityShock > MAX_SHOCK,
      'large-shock',
      `volatility_shock is ${volatilityShock}, a fraction: volatilities are ${volatilityShock + 1} times those of the window.`,
    ),
  ];
}

/** Longest time, in days, whose figures depend on single rows of the window. */
const MAX_DAYS_OF_ROWS = 5;
const MIN_ROWS = 30;

/**
 * A warning where fewer than 30 rows of the window determine a figure of a short horizon: more paths do not reduce its error.
 *
 * @param rows of the window from which days or hours are drawn
 * @param days longest horizon of the figures
 * @param shares of the scenarios below a quantile or with an event, by the name of the figure; a figure has those on either side
 */
export function fewRowsWarnings(
  rows: number | undefined,
  days: number,
  shares: Readonly<Record<string, number>>,
): readonly Warning[] {
  if (rows === undefined || days > MAX_DAYS_OF_ROWS) return [];
  const few = Object.entries(shares).filter(
    ([, share]) => rows * Math.min(share, 1 - share) < MIN_ROWS - 1e-9,
  );
  return warnIf(
    few.length > 0,
    'few-rows',
    `Scenarios are drawn from ${rows} rows of the window, of which fewer than ${MIN_ROWS} determine ` +
      `${few.map(([name]) => name).join(', ')}: more paths do not reduce this error, and the intervals of Accuracy do not include it. ` +
      'Use a longer lookback.',
  );
}

/** The shares of `fewRowsWarnings` of quantiles, each in (0, 1). */
export const sharesBelow = (quantiles: readonly number[]): Readonly<Record<string, number>> =>
  Object.fromEntries(quantiles.map(q => [`the quantile ${q}`, q]));

/**
 * A warning for loans without a call, as a chain has them, which judges every block.
 *
 * @param stepHours hours between two closes of a path
 */
export function hourlyLiquidationWarnings(
  marginCallRatios: ArrayLike<number>,
  liquidationRatios: ArrayLike<number>,
  stepHours: number,
): readonly Warning[] {
  let without = 0;
  for (let k = 0; k < marginCallRatios.length; k++)
    if (marginCallRatios[k] <= liquidationRatios[k]) without += 1;
  const which =
    marginCallRatios.length === 1
      ? 'The loan has'
      : `${without} of the ${marginCallRatios.length} loans have`;
  return warnIf(
    without > 0,
    'hourly-liquidation',
    `${which} no call: liquidations are judged at the close of every ${stepHours === 1 ? 'hour' : 'day'}. ` +
      'A chain judges every block, so liquidations there are more frequent, by a quarter within a day near the threshold: take the figure as a lower bound (docs/lending.md).',
  );
}

/** Loans that a warning names. */
const NAMED_LOANS = 5;

/** A warning where no call can end in a closeout: its deadline is after the term. @param ids in a request of several loans */
export function graceWarnings(
  terms: ArrayLike<number>,
  topUps: ArrayLike<number>,
  ids: readonly string[] = [],
): readonly Warning[] {
  let covered = 0;
  const named: string[] = [];
  for (let k = 0; k < terms.length; k++) {
    if (topUps[k] < terms[k]) continue;
    covered += 1;
    if (covered <= NAMED_LOANS && ids.length > 0) named.push(ids[k]);
  }
  const which =
    named.length === 0
      ? ''
      : ` of ${covered} of the ${terms.length} loans (${named.join(', ')}${covered > named.length ? ', ...' : ''})`;
  return warnIf(
    covered > 0,
    'grace-covers-term',
    `The grace period${which} is as long as the term: no call can end in a closeout, and PrCloseout is 0.`,
  );
}
