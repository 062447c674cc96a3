import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Box, minimiseInBox, type Objective } from '#src/model/box-minimiser.js';

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
