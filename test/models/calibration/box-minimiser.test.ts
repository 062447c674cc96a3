import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Box, minimiseInBox, type Objective } from '#src/models/calibration/box-minimiser.js';

const box = (lower: number[], upper: number[], longestStep: number[]): Box => ({
  lower: Float64Array.from(lower),
  upper: Float64Array.from(upper),
  longestStep: Float64Array.from(longestStep),
});

/** Rosenbrock's valley: minimum 0 at (1, 1). */
const valley: Objective = ([x, y], gradient) => {
  gradient[0] = -400 * x * (y - x * x) - 2 * (1 - x);
  gradient[1] = 200 * (y - x * x);
  return 100 * (y - x * x) ** 2 + (1 - x) ** 2;
};

describe('minimiseInBox', () => {
  it('follows a curved valley to its end', () => {
    const { point, value } = minimiseInBox(
      valley,
      Float64Array.of(-1.2, 1),
      box([-5, -5], [5, 5], [1, 1]),
      500,
    );
    expect(point[0]).toBeCloseTo(1, 6);
    expect(point[1]).toBeCloseTo(1, 6);
    expect(value).toBeLessThan(1e-12);
  });

  it('ends exactly on the bound before the minimum', () => {
    const { point } = minimiseInBox(valley, Float64Array.of(-1.2, 1), box([-5, -5], [0.5, 5], [1, 1]), 500);
    expect(point[0]).toBe(0.5);
    expect(point[1]).toBeCloseTo(0.25, 9);
  });

  it('moves away from a bound at the start', () => {
    const { point } = minimiseInBox(valley, Float64Array.of(0, 0), box([0, 0], [5, 5], [1, 1]), 500);
    expect(point[0]).toBeCloseTo(1, 6);
  });

  it('looks for a step along its line up to the first bound, and moves along that bound then', () => {
    const seen: number[][] = [];
    const falling: Objective = ([x, y], gradient) => {
      gradient.fill(-1);
      seen.push([x, y]);
      return -x - y;
    };
    const { point } = minimiseInBox(falling, Float64Array.of(0, 0), box([0, 0], [0.5, 5], [10, 10]), 50);
    expect([...point]).toEqual([0.5, 5]);
    // The start, and a shift of each variable for its curvature, come first.
    expect(seen[3]).toEqual([0.5, 0.5]);
  });

  /** The places at which a function of one variable is looked at, from a start on. */
  function placesOf(
    value: (x: number) => number,
    slope: (x: number) => number,
    start: number,
    [lower, upper, longest]: readonly [number, number, number],
    iterations = 50,
  ): number[] {
    const places: number[] = [];
    const objective: Objective = ([x], gradient) => {
      places.push(x);
      gradient[0] = slope(x);
      return value(x);
    };
    minimiseInBox(objective, Float64Array.of(start), box([lower], [upper], [longest]), iterations);
    return places;
  }
  const expectPlaces = (places: readonly number[], wanted: readonly number[], digits = 9) => {
    expect(places.length).toBeGreaterThanOrEqual(wanted.length);
    wanted.forEach((x, k) => {
      expect(places[k], `place ${k} of ${places}`).toBeCloseTo(x, digits);
    });
  };

  it('takes Newton steps of its curvature, each no longer than the longest', () => {
    const square = [(x: number) => 1.5 * x * x, (x: number) => 3 * x] as const;
    // The start, and a shift of 1e-4 of the longest step for its curvature.
    expectPlaces(placesOf(...square, 3.5, [-5, 5, 1]), [3.5, 3.5001, 2.5, 1.5, 0.5, 0], 6);
    expectPlaces(placesOf(...square, 3.5, [-5, 5, 2]), [3.5, 3.5002, 1.5, 0], 6);
    expectPlaces(placesOf(...square, -3, [-5, 5, 10]), [-3, -2.999, 0], 6);
    // At the upper bound the shift is inwards, up to it not.
    expectPlaces(placesOf(...square, 5, [-5, 5, 2.5]), [5, 4.99975, 2.5, 0], 6);
    expectPlaces(placesOf(...square, 3, [-5, 3.25, 2500]), [3, 3.25, 0], 6);
    expectPlaces(placesOf(...square, 3, [-5, 3.2, 2500]), [3, 2.75, 0], 6);
    expect(placesOf(...square, 4, [-5, 5, 1], 2)).toHaveLength(4);
    // A bound ends the first step.
    expectPlaces(placesOf(...square, 3, [1, 5, 10]), [3, 3.001, 1], 6);
  });

  it('doubles a step up to the bound while the function falls as fast', () => {
    const falling = (slope: number) => [(x: number) => slope * x, () => slope] as const;
    expectPlaces(placesOf(...falling(-1), 0, [0, 100, 1]), [0, 1e-4, 1, 2, 4, 8, 16, 32, 64, 100]);
    expectPlaces(placesOf(...falling(1), 9, [-3, 9, 1]), [9, 9 - 1e-4, 8, 7, 5, 1, -3]);
    // A flat function has a curvature of 1, or one with which the step is the longest.
    expectPlaces(placesOf(...falling(-0.125), 0, [0, 1, 10]), [0, 1e-3, 0.125, 0.25, 0.5, 1]);
    expectPlaces(placesOf(...falling(-64), 0, [0, 100, 10]), [0, 1e-3, 10, 20, 40, 80, 100]);
  });

  it('halves a step that does not decrease the function, and then the interval', () => {
    const root = (x: number) => Math.sqrt(1 + x * x);
    // The Newton step from 2 is -10.
    const places = placesOf(root, x => x / root(x), 2, [-50, 50, 20]);
    expectPlaces(places, [2, 2.002, -8, -3, -0.5], 1);
    const wall = (x: number) => -x + 10 * Math.max(0, x - 3) ** 2;
    const slope = (x: number) => -1 + 20 * Math.max(0, x - 3);
    expectPlaces(placesOf(wall, slope, 0, [-1, 50, 1]), [0, 1e-4, 1, 2, 4, 3, 3.5]);
  });

  it('finds the minimum of a curved function from many starts, on its bounds or not', () => {
    // Beale's function: minimum 0 at (3, 0.5).
    const beale: Objective = ([x, y], gradient) => {
      const parts = [1.5, 2.25, 2.625].map((c, k) => c - x + x * y ** (k + 1));
      gradient[0] = parts.reduce((sum, part, k) => sum + 2 * part * (y ** (k + 1) - 1), 0);
      gradient[1] = parts.reduce((sum, part, k) => sum + 2 * part * x * (k + 1) * y ** k, 0);
      return parts.reduce((sum, part) => sum + part * part, 0);
    };
    for (const x of [0, 1, 2, 4])
      for (const y of [-1, 0, 0.9]) {
        const free = minimiseInBox(beale, Float64Array.of(x, y), box([-4.5, -4.5], [4.5, 4.5], [1, 1]), 200);
        expect(free.point[0], `${x}, ${y}`).toBeCloseTo(3, 4);
        expect(free.point[1]).toBeCloseTo(0.5, 4);
        expect(free.iterations).toBeLessThan(40);
        // With x up to 2 the best y is where its own slope is 0.
        const bound = minimiseInBox(
          beale,
          Float64Array.of(Math.min(x, 2), y),
          box([-4.5, -4.5], [2, 4.5], [1, 1]),
          200,
        );
        const gradient = new Float64Array(2);
        beale(bound.point, gradient);
        expect(bound.point[0]).toBe(2);
        expect(gradient[0]).toBeLessThan(0);
        expect(Math.abs(gradient[1])).toBeLessThan(1e-5);
      }
  });

  it('stops after the largest number of iterations', () => {
    const { iterations, value } = minimiseInBox(
      valley,
      Float64Array.of(-1.2, 1),
      box([-5, -5], [5, 5], [1, 1]),
      2,
    );
    expect(iterations).toBe(2);
    expect(value).toBeGreaterThan(1e-3);
  });

  it('finds the constrained minimum of any convex quadratic', () => {
    // f = |A (x - c)|^2 / 2 with A unit lower triangular: condition numbers up to some thousands.
    const entry = fc.double({ min: -2, max: 2, noNaN: true });
    fc.assert(
      fc.property(
        fc.array(entry, { minLength: 3, maxLength: 3 }),
        fc.array(entry, { minLength: 3, maxLength: 3 }),
        fc.array(entry, { minLength: 3, maxLength: 3 }),
        ([a, b, c], centre, start) => {
          const objective: Objective = (x, gradient) => {
            const u = x[0] - centre[0];
            const v = x[1] - centre[1];
            const w = x[2] - centre[2];
            const r2 = a * u + v;
            const r3 = b * u + c * v + w;
            gradient[0] = u + a * r2 + b * r3;
            gradient[1] = r2 + c * r3;
            gradient[2] = r3;
            return (u * u + r2 * r2 + r3 * r3) / 2;
          };
          const limits = box([-1, -1, -1], [1, 1, 1], [1, 1, 1]);
          const { point } = minimiseInBox(objective, Float64Array.from(start), limits, 500);
          const gradient = new Float64Array(3);
          objective(point, gradient);
          for (let i = 0; i < 3; i++) {
            // First-order conditions. The search ends when a Newton step promises less than 1e-13.
            if (point[i] > -1) expect(gradient[i], `entry ${i}, not on its lower bound`).toBeLessThan(1e-5);
            if (point[i] < 1)
              expect(gradient[i], `entry ${i}, not on its upper bound`).toBeGreaterThan(-1e-5);
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});
