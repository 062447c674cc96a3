/**
 * Stationary bootstrap of joint log returns: rows, drift of each row, and the bridges within days. A pure function, up to a second for ten
 * years of hours: run it in a worker.
 * Source: D. N. Politis, J. P. Romano, "The stationary bootstrap", JASA 89 (1994), 1303-1313.
 */
import { DAYS_PER_YEAR, HOURS_PER_DAY, HOURS_PER_YEAR } from '../../core/plan/grid.ts';
import type { BootstrapScenarios } from '../../core/plan/model/bootstrap.ts';
import { threefry4x32 } from '../../core/random/threefry.ts';
import { correlationMatrix } from '../../core/stats/correlation.ts';
import { mean, sampleStandardDeviation } from '../../core/stats/moments.ts';
import { normalQuantile } from '../../core/stats/special-functions.ts';
import { annualCovariance } from './constant-volatility.ts';
import { correlationFactor } from './correlation-factor.ts';
import { logReturns } from './log-returns.ts';

/** Fewest days of a window. */
export const MIN_BOOTSTRAP_DAYS = 30;
/** Mean rows of a block: a day of hours, or five days. */
const BLOCK_ROWS = { 1: 24, 24: 5 } as const;
/** Mean blocks after which the drift of a row is constant. */
const DRIFT_BLOCKS = 20;
/** Key of the noise within days of assets that have daily prices only, beside the seed. */
const BRIDGE_KEY = 0x62726467;

/** Prices of a window: daily closes of all assets and, where rows are hours, hourly closes but of the assets that are bridged. */
export interface BootstrapWindow {
  readonly symbols: readonly string[];
  readonly days: readonly Float64Array[];
  readonly hours: readonly (Float64Array | undefined)[] | undefined;
  readonly volatilityShock: number;
  /** Of the noise of bridged hours. */
  readonly seed: number;
}

/** The scenarios of a window, and its annual covariance. */
export function calibrateBootstrap({ symbols, days, hours, volatilityShock, seed }: BootstrapWindow) {
  const daily = days.map(logReturns);
  const stepsPerRow = hours === undefined ? 24 : 1;
  const bridged = hours?.flatMap((closes, i) => (closes === undefined ? [i] : [])) ?? [];
  const returns =
    hours?.map((closes, i) =>
      closes === undefined ? bridgedHours(daily[i], symbols[i], seed) : logReturns(closes),
    ) ?? daily;
  return {
    scenarios: bootstrapScenarios(returns, stepsPerRow, volatilityShock),
    covariance: bootstrapAnnualCovariance(returns, stepsPerRow, volatilityShock, { daily, bridged }),
  };
}

/**
 * The scenarios of an engine.
 *
 * @param returns n series of log returns of one length
 * @param stepsPerRow hours of a return
 * @param volatilityShock fraction s above -1: rows are (1 + s) times the returns
 */
export function bootstrapScenarios(
  returns: readonly Float64Array[],
  stepsPerRow: 1 | 24,
  volatilityShock: number,
): BootstrapScenarios {
  const assets = returns.length;
  const scaled = returns.map(series => series.map(r => (1 + volatilityShock) * r));
  const blockRows = BLOCK_ROWS[stepsPerRow];
  return {
    kind: 'bootstrap',
    assets,
    stepsPerRow,
    blockRows,
    rows: rowMajor(scaled),
    drift: rowMajor(scaled.map(series => drifts(series, 1 / blockRows, DRIFT_BLOCKS * blockRows))),
    deviation: Float64Array.from(scaled, sampleStandardDeviation),
    factor: correlationFactor(correlationMatrix(scaled), assets),
  };
}

/** n series of length R as R x n numbers, in memory that threads share. */
export function rowMajor(series: readonly Float64Array[]): Float64Array {
  const assets = series.length;
  const length = series[0].length * assets;
  const rows = new Float64Array(new SharedArrayBuffer(length * Float64Array.BYTES_PER_ELEMENT));
  for (let k = 0; k < length; k++) rows[k] = series[k % assets][Math.floor(k / assets)];
  return rows;
}

/**
 * Drift of the rows t = 1..count of a path: -ln(m_t / m_{t-1}), m_t the mean of the price after t rows. With u_t(j) the mean
 * of the price on the paths whose row t is j: u_1(j) = exp(r_j) / n,
 * u_{t+1}(j) = exp(r_j) ((1 - p) u_t(j - 1) + p m_t / n), m_t = sum_j u_t(j), indices circular. An asset that does not move has none:
 * the sums would leave rounding errors, which add up along a path.
 */
function drifts(returns: Float64Array, newBlock: number, count: number): Float64Array {
  const n = returns.length;
  const result = new Float64Array(count);
  if (returns.every(r => r === 0)) return result;
  const growth = returns.map(Math.exp);
  let current = growth.map(g => g / n);
  let next = new Float64Array(n);
  // With their drift the prices have a mean of 1: no overflow.
  for (let t = 0; t < count; t++) {
    let total = 0;
    for (let j = 0; j < n; j++) total += current[j];
    result[t] = -Math.log(total);
    const stay = (1 - newBlock) / total;
    const jump = newBlock / n;
    for (let j = 0; j < n; j++) next[j] = growth[j] * (stay * current[j === 0 ? n - 1 : j - 1] + jump);
    [current, next] = [next, current];
  }
  return result;
}

/** Assets whose hours are bridged, by their place, and the daily returns of all assets. */
export interface BridgedAssets {
  readonly daily: readonly Float64Array[];
  readonly bridged: readonly number[];
}

/**
 * Annual covariance of the returns, shock included: n x n row-major, per year. Bridged hours have no covariance: a bridged asset has the
 * variance of its daily returns, and a pair with it their covariance, bounded by the product of both volatilities.
 */
export function bootstrapAnnualCovariance(
  returns: readonly Float64Array[],
  stepsPerRow: 1 | 24,
  volatilityShock: number,
  { daily, bridged }: BridgedAssets = { daily: [], bridged: [] },
): Float64Array {
  const n = returns.length;
  const ofRows = covarianceOf(returns, stepsPerRow, volatilityShock);
  if (bridged.length === 0) return ofRows;
  const ofDays = covarianceOf(daily, 24, volatilityShock);
  const isBridged = (i: number) => bridged.includes(i);
  const variance = (i: number) => (isBridged(i) ? ofDays : ofRows)[i * n + i];
  return ofRows.map((covariance, k) => {
    const [i, j] = [Math.floor(k / n), k % n];
    if (!(isBridged(i) || isBridged(j))) return covariance;
    if (i === j) return ofDays[k];
    const most = Math.sqrt(variance(i) * variance(j));
    return Math.min(Math.max(ofDays[k], -most), most);
  });
}

function covarianceOf(returns: readonly Float64Array[], stepsPerRow: 1 | 24, volatilityShock: number) {
  const perYear = stepsPerRow === 1 ? HOURS_PER_YEAR : DAYS_PER_YEAR;
  const scale = (1 + volatilityShock) * Math.sqrt(perYear);
  return annualCovariance({
    annualVolatility: Float64Array.from(returns, series => scale * sampleStandardDeviation(series)),
    correlation: correlationMatrix(returns),
  });
}

/**
 * Hourly log returns of an asset with daily prices only: each day's return by a Brownian bridge with the variance of the days. The noise
 * depends on the symbol and the seed, not on the other assets.
 *
 * @param daily log returns of consecutive days
 * @param symbol for the noise
 * @param seed 0..2^32-1
 */
export function bridgedHours(daily: Float64Array, symbol: string, seed: number): Float64Array {
  const asset = numberOf(symbol);
  const deviation = daily.length < 2 ? 0 : sampleStandardDeviation(daily) / Math.sqrt(HOURS_PER_DAY);
  const hours = new Float64Array(HOURS_PER_DAY * daily.length);
  const noise = new Float64Array(HOURS_PER_DAY);
  for (let day = 0; day < daily.length; day++) {
    for (let hour = 0; hour < HOURS_PER_DAY; hour += 4) {
      const words = threefry4x32([day, hour, asset, 0], [BRIDGE_KEY, seed, 0, 0]);
      words.forEach((word, k) => {
        noise[hour + k] = normalQuantile((word + 0.5) / 2 ** 32);
      });
    }
    // A walk less its mean is the bridge.
    const centre = mean(noise);
    for (let hour = 0; hour < HOURS_PER_DAY; hour++)
      hours[HOURS_PER_DAY * day + hour] = daily[day] / HOURS_PER_DAY + deviation * (noise[hour] - centre);
  }
  return hours;
}

/** A 32-bit number of a symbol: its characters as digits in base 31. */
function numberOf(symbol: string): number {
  let number = 0;
  for (let k = 0; k < symbol.length; k++) number = (Math.imul(31, number) + symbol.charCodeAt(k)) | 0;
  return number;
}
