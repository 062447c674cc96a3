/** The member `Model` of an answer: the window of a methodology and its fit, and warnings about them. */
import { type Warning, warnIf } from '../../core/warnings.ts';
import type { FilledSeries } from '../../market/market-data.ts';
import { type Day, formatIsoDate } from '../../text/calendar-date.ts';
import type { ConstantVolatilityModel } from '../calibration/constant-volatility.ts';
import type { DegreesOfFreedomFit } from '../calibration/degrees-of-freedom.ts';
import type { GarchModel } from '../calibration/garch.ts';
import type { GarchFit } from '../calibration/garch-fit.ts';
import type { ParetoTail, ParetoTails } from '../calibration/pareto-tails.ts';

/** A model as fitted. */
export interface FittedModel {
  /** Members of `Model`. */
  readonly members: Readonly<Record<string, unknown>>;
  /** Points of the window, the first close included. */
  readonly closes: number;
  /** Warnings about the fit. */
  readonly warnings?: readonly Warning[];
}

/** A square matrix, row-major, as a list of rows. */
function rowsOf(matrix: Float64Array): number[][] {
  const n = Math.round(Math.sqrt(matrix.length));
  return Array.from({ length: n }, (_, i) => Array.from(matrix.subarray(i * n, (i + 1) * n)));
}

const bySymbol = <T>(symbols: readonly string[], of: (i: number) => T): Record<string, T> =>
  Object.fromEntries(symbols.map((symbol, i) => [symbol, of(i)]));

/** Symbols, volatilities and correlations, in the order of the symbols. */
export function volatilityMembers({ symbols, annualVolatility, correlation }: ConstantVolatilityModel) {
  return {
    symbols,
    annual_volatilities: bySymbol(symbols, i => annualVolatility[i]),
    correlation: rowsOf(correlation),
  };
}

/** Symbols and their annual covariance as volatilities and correlations; 0 where an asset does not move. */
export function covarianceMembers(symbols: readonly string[], covariance: Float64Array) {
  const n = symbols.length;
  const annualVolatility = Float64Array.from(symbols, (_, i) => Math.sqrt(covariance[i * n + i]));
  const correlation = covariance.map((value, k) => {
    const [i, j] = [Math.floor(k / n), k % n];
    if (i === j) return 1;
    const scale = annualVolatility[i] * annualVolatility[j];
    return scale === 0 ? 0 : value / scale;
  });
  return volatilityMembers({ symbols, annualVolatility, correlation });
}

/** Parameters of a GARCH model with their standard errors. */
export const garchMembers = (model: GarchModel) => ({
  garch: bySymbol(model.symbols, i => fitMembers(model.fits[i])),
});

function fitMembers(fit: GarchFit) {
  const { mu, omega, alpha, beta, logLikelihood, firstVariance, onBound, constantVariance, standardErrors } =
    fit;
  return {
    mu,
    omega,
    alpha,
    beta,
    standard_errors: standardErrors ?? null,
    log_likelihood: logLikelihood ?? null,
    first_daily_variance: firstVariance,
    on_bound: onBound,
    constant_variance: constantVariance,
  };
}

/** One warning that names every asset whose parameters lie on a bound. */
export function garchWarnings({ fits }: GarchModel): readonly Warning[] {
  const bound = fits.filter(({ onBound }) => onBound.length > 0);
  const told = bound.map(({ symbol, onBound }) => `${symbol} (${onBound.join(', ')})`);
  return warnIf(
    bound.length > 0,
    'garch-bound',
    `The GARCH parameters of ${told.join(', ')} lie on a bound of their range: the window hardly determines them, ` +
      'and they have no standard errors. Use a longer lookback.',
  );
}

/** The Pareto tails of the residuals of each asset; null where a tail's residuals stay as they are. */
export const tailMembers = (symbols: readonly string[], tails: readonly ParetoTails[]) => ({
  pareto_tails: bySymbol(symbols, i => ({ lower: tailOf(tails[i].lower), upper: tailOf(tails[i].upper) })),
});

const tailOf = (tail: ParetoTail | undefined) =>
  tail === undefined
    ? null
    : {
        threshold: tail.threshold,
        shape: tail.shape,
        scale: tail.scale,
        rows: tail.count,
        on_bound: tail.onBound ?? null,
      };

/** Degrees of freedom of Student's t. */
export const degreesMembers = (fit: DegreesOfFreedomFit) => ({
  degrees_of_freedom: {
    value: fit.degreesOfFreedom,
    log_likelihood: fit.logLikelihood ?? null,
    on_bound: fit.onBound ?? null,
    symbols: fit.symbols,
  },
});

/** A warning where the degrees of freedom lie on a bound. Without assets that decide there is nothing to fit. */
export const degreesWarnings = ({ degreesOfFreedom, onBound }: DegreesOfFreedomFit): readonly Warning[] =>
  warnIf(
    onBound !== undefined,
    'nu-bound',
    onBound === 'lower'
      ? `The degrees of freedom lie on the lower bound of their range, ${degreesOfFreedom}: the tails of the window may be heavier than those simulated.`
      : `The degrees of freedom lie on the upper bound of their range, ${degreesOfFreedom}: the window shows no tails heavier than normal ones.`,
  );

/** A fit and its window. */
export interface FittedSet {
  readonly fitted: FittedModel;
  readonly gridHours: 1 | 24;
  readonly filled: readonly FilledSeries[];
}

/** The member `Model`. @param lastDay its close is the last of the window */
export function modelMember({ fitted, gridHours, filled }: FittedSet, lastDay: Day): Record<string, unknown> {
  const hours = (fitted.closes - 1) * gridHours;
  const begin = new Date((lastDay * 24 + 24 - hours) * 3_600_000);
  return {
    ...fitted.members,
    window: {
      // The close of a day is the price at its end: the first of a daily window closes the day before it.
      first_close: gridHours === 24 ? formatIsoDate(lastDay - hours / 24) : begin.toISOString(),
      last_close:
        gridHours === 24 ? formatIsoDate(lastDay) : new Date((lastDay * 24 + 24) * 3_600_000).toISOString(),
      closes: fitted.closes,
      grid_hours: gridHours,
      carried: filled.map(({ symbol, count, unit }) => ({ symbol, count, unit })),
    },
  };
}
