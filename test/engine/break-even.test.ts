/** From how much work on `auto` takes a GPU: by two invented engines. */
import { describe, expect, it } from 'vitest';
import type { Engine } from '#src/core/engine.js';
import type { SimulationPlan } from '#src/core/plan/simulation-plan.js';
import { assetSteps } from '#src/core/plan/work.js';
import { measureBreakEven } from '#src/engine/break-even.js';
import { ManualClock } from '../support/manual-clock.ts';

type Times = readonly [overhead: number, stepsPerMillisecond: number];

/** An engine that takes an overhead and a time for each asset-step, in milliseconds. */
const engineOf = (clock: ManualClock, [overhead, stepsPerMillisecond]: Times) => ({
  run: (async (plan: SimulationPlan) => {
    clock.advance(overhead + assetSteps(plan) / stepsPerMillisecond);
  }) as unknown as Engine['run'],
});

describe('The work from which on a GPU is used', () => {
  it.each([
    ['a large GPU beside two cores', [0.5, 1e9], [0.05, 2e6], 2 ** 21],
    ['a large GPU beside 64 cores', [0.5, 1e9], [0.1, 6e7], 2 ** 26],
    ['a GPU without overhead', [0, 1e9], [0.1, 2e6], 1],
  ] as const)('is where it is clearly faster: %s', async (_, gpu, processor, expected) => {
    const clock = new ManualClock();
    const measured = await measureBreakEven(engineOf(clock, gpu), engineOf(clock, processor), clock);
    expect(measured).toBe(expected);
    const time = ([overhead, rate]: Times, steps: number) => overhead + steps / rate;
    expect(1.25 * time(gpu, measured)).toBeLessThanOrEqual(time(processor, measured) * (1 + 1e-9));
  });

  it.each([
    ['a small GPU beside four fast cores', [0.5, 2e6], [0.05, 8e6]],
    ['a GPU that is no faster', [0.5, 8e6], [0.05, 8e6]],
  ] as const)('is never reached by %s', async (_, gpu, processor) => {
    const clock = new ManualClock();
    const measured = measureBreakEven(engineOf(clock, gpu), engineOf(clock, processor), clock);
    expect(await measured).toBe(Number.POSITIVE_INFINITY);
  });
});
