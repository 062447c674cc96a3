import { describe, expect, it } from 'vitest';
import { type Slice, type SliceLimits, SliceSchedule, STEP_UNIT } from '#src/core/gpu/slices.js';
import { StepRates } from '#src/core/gpu/step-rates.js';

function slicesOf(limits: SliceLimits, rates: StepRates): Slice[] {
  const schedule = new SliceSchedule(limits, rates);
  const slices: Slice[] = [];
  for (let slice = schedule.next(); slice !== undefined; slice = schedule.next()) slices.push(slice);
  return slices;
}

const limits: SliceLimits = {
  paths: 10_000,
  steps: 720,
  maxPaths: 1_000_000,
  parallelPaths: 256,
  targetNanoseconds: () => 25e6,
};

describe('SliceSchedule', () => {
  it('covers every path and step exactly once, in order', () => {
    for (const perPath of [1e-3, 1, 10, 1e3, 1e5]) {
      for (const steps of [1, 23, 24, 25, 49, 720, 8760]) {
        for (const paths of [1, 255, 256, 257, 10_000]) {
          const message = `${perPath} ns, ${steps} steps, ${paths} paths`;
          let path = 0;
          let step = 0;
          const misplaced: Slice[] = [];
          for (const slice of slicesOf({ ...limits, paths, steps }, new StepRates(perPath))) {
            const isNext = slice.firstPath === path && slice.firstStep === step && slice.pathCount > 0;
            if (!isNext || (slice.endStep !== steps && slice.endStep % STEP_UNIT !== 0))
              misplaced.push(slice);
            step = slice.endStep === steps ? 0 : slice.endStep;
            if (step === 0) path += slice.pathCount;
          }
          expect(misplaced, message).toEqual([]);
          expect([path, step], message).toEqual([paths, 0]);
        }
      }
    }
  });

  it('has one slice where the run is short', () => {
    expect(slicesOf(limits, new StepRates(1))).toEqual([
      { firstPath: 0, pathCount: 10_000, firstStep: 0, endStep: 720 },
    ]);
  });

  it('splits paths first, and steps only below the paths that occupy the device', () => {
    // 10 ns per path-step: 7.2 ms per 1,000 paths.
    const byPaths = slicesOf(limits, new StepRates(10));
    expect(byPaths.length).toBe(3);
    expect(byPaths.every(({ firstStep, endStep }) => firstStep === 0 && endStep === 720)).toBe(true);
    // 1,000 ns: 256 paths fit 97 steps, which are four whole days.
    const bySteps = slicesOf(limits, new StepRates(1000));
    expect(bySteps[0]).toEqual({ firstPath: 0, pathCount: 250, firstStep: 0, endStep: 96 });
  });

  it('has fewer paths than occupy the device where a day of these takes more than a tenth of a second', () => {
    // 10 us per path-step: 2.4 s for a day of all paths.
    const [first] = slicesOf({ ...limits, parallelPaths: 10_000 }, new StepRates(10_000));
    expect(first).toEqual({ firstPath: 0, pathCount: 400, firstStep: 0, endStep: 24 });
  });
});
