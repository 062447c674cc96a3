/** Drifts of the stationary bootstrap against full enumeration, and hours within days. */
import { describe, expect, it } from 'vitest';
import {
  bootstrapAnnualCovariance,
  bootstrapScenarios,
  bridgedHours,
  calibrateBootstrap,
  MIN_BOOTSTRAP_DAYS,
} from '#src/models/calibration/bootstrap.js';
import { logReturns } from '#src/models/calibration/log-returns.js';

const returns = Float64Array.of(0.03, -0.2, 0.11, 0.07, -0.01);

/** E prod exp(r) over all sequences of `steps` rows, each with its probability. */
function meanOfPrice(rows: Float64Array, newBlock: number, steps: number): number {
  const n = rows.length;
  const from = (row: number, left: number): number => {
    if (left === 0) return 1;
    let mean = 0;
    for (let next = 0; next < n; next++) {
      const follows = next === (row + 1) % n ? 1 - newBlock : 0;
      mean += (newBlock / n + follows) * Math.exp(rows[next]) * from(next, left - 1);
    }
    return mean;
  };
  let total = 0;
  for (let row = 0; row < n; row++) total += (Math.exp(rows[row]) / n) * from(row, steps - 1);
  return total;
}

describe('The stationary bootstrap', () => {
  it('has the drift for which the mean of every price is 1', () => {
    const { drift, blockRows } = bootstrapScenarios([returns], 24, 0);
    expect([drift.length, blockRows]).toEqual([100, 5]);
    let total = 0;
    for (let steps = 1; steps <= 6; steps++) {
      total += drift[steps - 1];
      expect(meanOfPrice(returns, 0.2, steps) * Math.exp(total), `${steps} rows`).toBeCloseTo(1, 13);
    }
  });

  it('has blocks of a day of hours, or of five days, on average, from windows of 30 days on', () => {
    expect(bootstrapScenarios([returns], 1, 0)).toMatchObject({ blockRows: 24, stepsPerRow: 1 });
    expect(bootstrapScenarios([returns], 24, 0)).toMatchObject({ blockRows: 5, stepsPerRow: 24 });
    expect(MIN_BOOTSTRAP_DAYS).toBe(30);
  });

  it('shocks rows, drift and deviations alike', () => {
    const plain = bootstrapScenarios([returns.map(r => 1.5 * r)], 24, 0);
    expect(bootstrapScenarios([returns], 24, 0.5)).toEqual(plain);
  });

  it('has the rows of all assets side by side', () => {
    const { rows, assets, factor } = bootstrapScenarios([returns, returns.map(r => -r)], 24, 0);
    expect([assets, ...rows.slice(0, 4)]).toEqual([2, 0.03, -0.03, -0.2, 0.2]);
    expect(factor[2]).toBeCloseTo(-1, 12);
  });

  it('has a constant price of an asset that does not move', () => {
    // The mean of 2,160 equal numbers has a rounding error that 720 hours add up to 1.6e-11.
    for (const hours of [40, 90 * 24]) {
      const { drift, deviation, rows } = bootstrapScenarios([new Float64Array(hours)], 1, 1);
      expect(
        [...drift, ...deviation, ...rows].every(value => value === 0),
        `${hours} hours`,
      ).toBe(true);
    }
  });

  it('reports the covariance of its rows by the year', () => {
    const [variance] = bootstrapAnnualCovariance([returns], 24, 0.1);
    const m = returns.reduce((a, b) => a + b, 0) / 5;
    const sample = returns.reduce((a, b) => a + (b - m) ** 2, 0) / 4;
    expect(variance).toBeCloseTo(sample * 365 * 1.21, 10);
    expect(bootstrapAnnualCovariance([returns], 1, 0)[0]).toBeCloseTo(sample * 8760, 8);
  });
});

it('Hours within days are those of their symbol and seed', () => {
  const hoursOf = (symbol: string, seed: number) =>
    bridgedHours(Float64Array.of(0.024, -0.048, 0), symbol, seed);
  // Written down from a run.
  const first = hoursOf('BTC', 7);
  for (const [hour, value] of [
    [0, 0.007701828572829384],
    [1, 0.00012355768897501793],
    [4, -0.007619125420817079],
    [24, -0.008952332583901344],
    [71, -0.015083711183435742],
  ])
    expect(first[hour], String(hour)).toBeCloseTo(value, 14);
  expect(hoursOf('ETH', 8)[25]).toBeCloseTo(0.0010118877634553909, 14);
});

describe('A window', () => {
  const days = [1, 2].map(f => Float64Array.from({ length: 31 }, (_, t) => 100 + Math.sin(f * t * t)));
  const hours = Float64Array.from({ length: 721 }, (_, t) => 100 + Math.cos(t * t));
  const window = { symbols: ['A', 'USDC'], days, volatilityShock: 0.5, seed: 7 };
  const daily = days.map(logReturns);

  it('of hours has the scenarios and the covariance of these, and of bridged hours', () => {
    const rows = [logReturns(hours), bridgedHours(daily[1], 'USDC', 7)];
    expect(calibrateBootstrap({ ...window, hours: [hours, undefined] })).toEqual({
      scenarios: bootstrapScenarios(rows, 1, 0.5),
      covariance: bootstrapAnnualCovariance(rows, 1, 0.5, { daily, bridged: [1] }),
    });
  });

  it('of days has those of days, with rows in memory that threads share', () => {
    const found = calibrateBootstrap({ ...window, hours: undefined });
    expect(found).toEqual({
      scenarios: bootstrapScenarios(daily, 24, 0.5),
      covariance: bootstrapAnnualCovariance(daily, 24, 0.5),
    });
    expect(found.scenarios.rows.buffer).toBeInstanceOf(SharedArrayBuffer);
  });
});

describe('The covariance of rows with bridged hours', () => {
  const mean = (v: Float64Array) => v.reduce((a, b) => a + b, 0) / v.length;
  const covarianceOf = (x: Float64Array, y: Float64Array) =>
    x.reduce((sum, v, k) => sum + (v - mean(x)) * (y[k] - mean(y)), 0) / (x.length - 1);
  const daily = [1, 2, 3].map(f =>
    Float64Array.from({ length: 40 }, (_, t) => 0.01 * Math.sin(f * t * t + 1)),
  );
  const hours = [2, 3, 4].map(f => Float64Array.from({ length: 960 }, (_, t) => 0.003 * Math.cos(f * t * t)));

  it('is that of the days x 365 for a bridged asset and its pairs, that of the hours x 8760 elsewhere', () => {
    const given = bootstrapAnnualCovariance(hours, 1, 0.5, { daily, bridged: [1] });
    for (let k = 0; k < 9; k++) {
      const [i, j] = [Math.floor(k / 3), k % 3];
      const isOfDays = i === 1 || j === 1;
      const of = isOfDays ? daily : hours;
      const expected = 2.25 * (isOfDays ? 365 : 8760) * covarianceOf(of[i], of[j]);
      expect(given[k], `assets ${i} and ${j}`).toBeCloseTo(expected, 10);
    }
  });

  it('is at most the product of the volatilities, where days move together more than hours allow', () => {
    const calm = [hours[0].map(r => r / 100), hours[1]];
    const [x, xy, , y] = bootstrapAnnualCovariance(calm, 1, 0, { daily: [daily[0], daily[0]], bridged: [1] });
    expect(xy).toBeCloseTo(Math.sqrt(x * y), 12);
  });
});

describe('Hours bridged within days', () => {
  it('add up to the days, with the variance of the days', () => {
    const days = Float64Array.from({ length: 500 }, (_, t) => 0.01 * Math.sin(7 * t * t));
    const hours = bridgedHours(days, 'USDC', 7);
    expect(hours).toHaveLength(12_000);
    for (let day = 0; day < 500; day += 99)
      expect(hours.slice(24 * day, 24 * day + 24).reduce((a, b) => a + b, 0)).toBeCloseTo(days[day], 14);
    const variance = days.reduce((a, b) => a + b * b, 0) / 500;
    const squares = hours.reduce((a, b) => a + b * b, 0) / 500;
    // 23/24 from the noise and a 24th from the day itself; 12,000 squares leave 1.3 % of a standard error.
    expect(squares / variance).toBeGreaterThan(0.94);
    expect(squares / variance).toBeLessThan(1.06);
    expect(bridgedHours(days, 'USDT', 7)).not.toEqual(hours);
    expect(bridgedHours(days, 'USDC', 8)).not.toEqual(hours);
    expect(bridgedHours(days, 'USDC', 7)).toEqual(hours);
  });

  it('of a single day have no deviation, and of two days that of both', () => {
    expect([...bridgedHours(Float64Array.of(0.24), 'USDC', 0)]).toEqual(new Array(24).fill(0.01));
    const hours = bridgedHours(Float64Array.of(0.24, -0.24), 'USDC', 0);
    const deviation = (0.24 * Math.sqrt(2)) / Math.sqrt(24);
    const noise = [...hours.subarray(0, 24)].map(r => r - 0.01);
    const square = noise.reduce((sum, r) => sum + r * r, 0) / 23;
    expect(Math.sqrt(square) / deviation).toBeGreaterThan(0.5);
    expect(Math.sqrt(square) / deviation).toBeLessThan(1.5);
  });

  it('are constant where the days are', () => {
    expect(bridgedHours(new Float64Array(3), 'USDC', 0).every(r => r === 0)).toBe(true);
  });
});
