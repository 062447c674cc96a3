/** The test of a local optimum against all small steps around it, and the searches that end there. */
import { describe, expect, it } from 'vitest';
import { fitGarch } from '#src/models/calibration/garch-fit.js';
import { garchLogLikelihood } from '#src/models/calibration/garch-likelihood.js';
import { betterNeighbour, LARGEST_PERSISTENCE, MIN_OMEGA } from '#src/models/calibration/garch-optimality.js';
import { searchOptimum } from '#src/models/calibration/garch-search.js';
import { normals, simulateGarch } from '../../support/simulated-garch.ts';

const RETURNS = simulateGarch({ mu: 0.05, omega: 0.2, alpha: 0.2, beta: 0.6 }, 300, 5);
const SCALE = Math.sqrt(RETURNS.reduce((sum, r) => sum + r * r, 0) / RETURNS.length);
const SCALED = RETURNS.map(r => r / SCALE);
const heightOf = (parameters: Float64Array) => garchLogLikelihood(SCALED, parameters, new Float64Array(4));

/** What each step changes, of mu, ln omega, alpha, beta; a third of a step of ln omega is one of the others. */
const TRADES = ['mu', 'omega', 'alpha', 'beta', 'alpha-beta', 'omega-beta', 'omega-alpha'];

/** Every feasible point one small step away. */
function neighbours([mu, omega, alpha, beta]: Float64Array): Float64Array[] {
  return TRADES.flatMap(trade =>
    [0.1, 0.01, 0.001, 0.0001].flatMap(size =>
      [size, -size].map(step => {
        const [up, down] = trade.split('-');
        const of = (name: string) => (up === name ? step : down === name ? -step : 0);
        const most = LARGEST_PERSISTENCE - 4 * Number.EPSILON;
        const newAlpha = Math.min(most, Math.max(0, alpha + of('alpha')));
        return Float64Array.of(
          mu + of('mu'),
          Math.max(MIN_OMEGA, omega * Math.exp(3 * of('omega'))),
          newAlpha,
          Math.min(Math.max(0, beta + of('beta')), most - newAlpha),
        );
      }),
    ),
  );
}

describe('A better neighbour', () => {
  it('is the best of all small feasible steps, where one gains', () => {
    const normal = normals(3);
    const points = [
      [0, MIN_OMEGA, 0, 0],
      [0, 0.1, 0, LARGEST_PERSISTENCE],
      [0, 0.1, LARGEST_PERSISTENCE, 0],
      [0.3, 2, 0.05, 0.05],
      ...Array.from({ length: 30 }, () => {
        const alpha = Math.min(0.5, Math.abs(normal()) / 4);
        return [normal() / 4, Math.exp(normal()), alpha, Math.min(0.49, Math.abs(normal()) / 3)];
      }),
    ].map(point => Float64Array.from(point));
    for (const point of points) {
      const best = neighbours(point).reduce((a, b) => (heightOf(b) > heightOf(a) ? b : a));
      const found = betterNeighbour(SCALED, point);
      if (heightOf(best) > heightOf(point) + 1e-6) {
        expect(found && heightOf(found), point.join()).toBeCloseTo(heightOf(best), 10);
        best.forEach((value, i) => {
          expect(found?.[i], `${point}: ${i}`).toBeCloseTo(value, 14);
        });
      } else expect(found, point.join()).toBeUndefined();
    }
  });

  it('is there for a gain above a millionth, and for none at an optimum', () => {
    const { parameters } = searchOptimum(SCALED, Float64Array.of(0, 0.1, 0.1, 0.8), 500);
    expect(betterNeighbour(SCALED, parameters)).toBeUndefined();
    expect(
      betterNeighbour(
        SCALED,
        parameters.map((value, i) => value + (i === 0 ? 0.01 : 0)),
      ),
    ).toBeDefined();
  });
});

describe('A search', () => {
  const START = Float64Array.of(0, 0.1, 0.1, 0.8);

  it('arrives where its steps suffice, and looks no further at a height that is known', () => {
    const found = searchOptimum(SCALED, START, 500);
    expect(found.arrived).toBe(true);
    expect(searchOptimum(SCALED, START, 500, found.logLikelihood)).toEqual(found);
    // One step for each descent ends elsewhere, eight times.
    const short = searchOptimum(SCALED, START, 1);
    expect([short.arrived, short.iterations]).toEqual([false, 8]);
    expect(searchOptimum(SCALED, START, 1, short.logLikelihood).arrived).toBe(true);
  });

  it('goes on from a better neighbour', () => {
    // Descents without a step stay where they begin.
    const { parameters, logLikelihood, arrived } = searchOptimum(SCALED, START, 0);
    let before: Float64Array = START;
    let neighbour: Float64Array = START;
    for (let round = 0; round < 8; round++) {
      before = neighbour;
      neighbour = betterNeighbour(SCALED, before) ?? before;
    }
    parameters.forEach((value, i) => {
      expect(value, `parameter ${i}`).toBeCloseTo(neighbour[i], 12);
    });
    expect(logLikelihood).toBeCloseTo(heightOf(before), 10);
    expect(arrived).toBe(false);
  });

  it('arrives from a start without memory', () => {
    const found = searchOptimum(SCALED, Float64Array.of(0, 1, 0, 0), 500);
    expect(found.arrived).toBe(true);
    expect(found.logLikelihood).toBeGreaterThan(heightOf(Float64Array.of(0, 1, 0, 0)));
  });

  it('takes about as many steps as when it was written', () => {
    const steps = [5, 6, 7].map(seed => {
      const returns = simulateGarch({ mu: 0.05, omega: 0.2, alpha: 0.2, beta: 0.6 }, 300, seed);
      return fitGarch(returns, 'BTC').iterations;
    });
    // 201, 220 and 200 then; rounding may change them a little.
    expect(Math.abs(steps.reduce((a, b) => a + b) / 621 - 1), steps.join()).toBeLessThan(0.03);
  });
});
