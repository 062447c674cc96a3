import { describe, expect, it } from 'vitest';
import { garchLogLikelihood, garchResiduals } from '#src/models/calibration/garch-likelihood.js';
import { simulateGarch } from '../../support/simulated-garch.ts';

const returns = simulateGarch({ mu: 0.1, omega: 0.1, alpha: 0.15, beta: 0.75 }, 300, 5);
const points = [
  [0.1, 0.1, 0.15, 0.75],
  [-0.2, 0.5, 0.0, 0.4],
  [0.3, 0.02, 0.9, 0.05],
  [0, 1e-4, 0.05, 0.949999],
  [0.05, 1, 0, 0],
];

/** The definition, written without any thought of speed. */
function plainLogLikelihood(r: Float64Array, [mu, omega, alpha, beta]: number[]): number {
  const e = [...r].map(x => x - mu);
  const start = e.reduce((sum, x) => sum + x * x, 0) / e.length;
  const h: number[] = [];
  const density = e.map((x, t) => {
    const previous = t === 0 ? { square: start, h: start } : { square: e[t - 1] ** 2, h: h[t - 1] };
    h.push(omega + alpha * previous.square + beta * previous.h);
    return Math.exp((-x * x) / (2 * h[t])) / Math.sqrt(2 * Math.PI * h[t]);
  });
  return density.reduce((sum, p) => sum + Math.log(p), 0);
}

describe('garchLogLikelihood', () => {
  it.each(points)('is the sum of log densities at mu %d, omega %d, alpha %d, beta %d', (...point) => {
    const value = garchLogLikelihood(returns, Float64Array.from(point), new Float64Array(4));
    expect(value).toBeCloseTo(plainLogLikelihood(returns, point), 8);
  });

  it.each(points)(
    'has the gradient of central differences at mu %d, omega %d, alpha %d, beta %d',
    (...point) => {
      const gradient = new Float64Array(4);
      garchLogLikelihood(returns, Float64Array.from(point), gradient);
      point.forEach((value, i) => {
        // The likelihood is defined a little beyond the bounds as well, as long as omega > 0.
        const step = 1e-4 * Math.max(1e-3, Math.abs(value)) * (i === 1 ? 0.1 : 1);
        const at = (x: number) => {
          const moved = Float64Array.from(point);
          moved[i] = x;
          return garchLogLikelihood(returns, moved, new Float64Array(4));
        };
        // Fourth-order differences: the error is the rounding of ln L, about 1e-12 over the step.
        const difference =
          (8 * (at(value + step) - at(value - step)) - (at(value + 2 * step) - at(value - 2 * step))) /
          (12 * step);
        const tolerance = 1e-11 / step + 1e-8 * Math.abs(difference);
        expect(
          Math.abs(gradient[i] - difference),
          `entry ${i}: ${gradient[i]} against ${difference}`,
        ).toBeLessThan(tolerance);
      });
    },
  );
});

describe('garchResiduals', () => {
  it('divides by the same variances and returns the next one', () => {
    const parameters = Float64Array.of(0.1, 0.1, 0.15, 0.75);
    const z = new Float64Array(returns.length);
    const forecast = garchResiduals(returns, parameters, z);
    const e = returns.map(r => r - 0.1);
    const h = e.map((x, t) => (x / z[t]) ** 2);
    // The first day has the mean square of all for the day before it.
    expect(h[0]).toBeCloseTo(0.1 + (0.9 * e.reduce((sum, x) => sum + x * x, 0)) / e.length, 12);
    expect(h[1]).toBeCloseTo(0.1 + 0.15 * e[0] ** 2 + 0.75 * h[0], 12);
    const last = returns.length - 1;
    expect(forecast).toBeCloseTo(0.1 + 0.15 * e[last] ** 2 + 0.75 * h[last], 12);
  });
});
