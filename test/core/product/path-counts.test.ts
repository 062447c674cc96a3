/** The counts of a requested distribution on the paths of the reference, against the rules path by path. */

import { expect, it } from 'vitest';
import { RATIO_BINS, slotAt } from '#src/core/distribution/bins.js';
import { countsLayout, RATIO_SLOTS } from '#src/core/plan/distribution.js';
import { LOAN_SECTIONS } from '#src/core/plan/product/loan.js';
import type { CappedLoanProduct, LoanProduct, SimulationPlan } from '#src/core/plan/simulation-plan.js';
import { LoanCounts, MarkCounts } from '#src/core/product/path-counts.js';
import { stepsOf } from '#src/core/product/paths.js';
import { cappedLoanOfPlan } from '#src/core/rules/capped-loan.js';
import { loanOfPlan } from '#src/core/rules/loan.js';
import { pricesOnPath } from '#src/core/rules/models.js';
import { runHere } from '../../support/in-process.ts';
import {
  type ModelKind,
  randomCappedPlan,
  randomLoanPlan,
  randomPerpetualPlan,
} from '../../support/random-plans.ts';

const PATHS = 2;
const MODELS: readonly ModelKind[] = ['gbm', 'garch', 'historical'];
const CASES = MODELS.flatMap(model => [1, 2].map(seed => ({ model, seed })));
const DISTRIBUTION = { daySteps: 24 } as const;

/** The steps of a fan of 64 times at most. */
const fanOf = (steps: number) => {
  const times = Math.min(64, steps);
  return Array.from({ length: times }, (_, i) => Math.floor((steps * (i + 1)) / times));
};
const slotOf = (ratio: number) => slotAt(RATIO_BINS, Math.log(ratio));
/** The places of counts above 0, and the counts. */
const nonzero = (counts: ArrayLike<number> | undefined) =>
  Object.fromEntries(Object.entries(Array.from(counts ?? [])).filter(([, count]) => count !== 0));

interface Counted {
  readonly lowest: number;
  readonly events: {
    readonly callStep: number;
    readonly liquidationStep: number;
    readonly closeoutStep: number;
  };
  ratioAt(step: number): number;
}

/** The counts of a loan from each path by itself. */
function plainCounts(steps: number, pathOf: (path: number) => Counted): Float64Array {
  const { places, length } = countsLayout(LOAN_SECTIONS, steps, DISTRIBUTION);
  const counts = new Float64Array(length);
  for (let path = 0; path < PATHS; path++) {
    const { lowest, events, ratioAt } = pathOf(path);
    counts[places.lowest.first + slotOf(lowest)]++;
    counts[places.final.first + slotOf(ratioAt(steps))]++;
    for (const [place, step] of [
      [places.marginCall, events.callStep],
      [places.liquidation, events.liquidationStep],
      [places.closeout, events.closeoutStep],
    ] as const)
      if (step > 0) counts[place.first + Math.ceil(step / 24) - 1]++;
    fanOf(steps).forEach((t, k) => {
      counts[places.fan.first + k * RATIO_SLOTS + slotOf(ratioAt(t))]++;
    });
  }
  return counts;
}

it.each(CASES)('A loan is counted by its ratios and its events: $model, loan $seed', ({ model, seed }) => {
  const plan = { ...randomLoanPlan(seed, model, PATHS), distribution: DISTRIBUTION };
  const { steps } = plan.product;
  const wanted = plainCounts(steps, path => {
    const events = loanOfPlan(plan, path);
    return { events, lowest: events.worstCcr, ratioAt: t => events.untouched[t] };
  });
  expect(nonzero(runHere(plan).distribution)).toEqual(nonzero(wanted));
});

it.each(CASES)(
  'A capped loan is counted by the coverage of its whole claim: $model, loan $seed',
  ({ model, seed }) => {
    const plan = { ...randomCappedPlan(seed, model, PATHS), distribution: DISTRIBUTION };
    const { steps } = plan.product;
    const wanted = plainCounts(steps, path => {
      const events = cappedLoanOfPlan(plan, path);
      return { events, lowest: events.worstCcr, ratioAt: t => events.coverage[t - 1] };
    });
    expect(nonzero(runHere(plan).distribution)).toEqual(nonzero(wanted));
  },
);

it.each([
  ['called', [PATHS, 0]],
  ['liquidated', [PATHS, PATHS]],
] as const)('A loan with or without a cap that begins %s is so on its first step', (status, wanted) => {
  const terms = { start: { status, deadlineStep: 1000 }, liquidationRatio: 1e-9 };
  const everyStep = { daySteps: 1 } as const;
  for (const made of [randomLoanPlan(1, 'gbm', PATHS), randomCappedPlan(1, 'gbm', PATHS)]) {
    const plan: SimulationPlan<LoanProduct | CappedLoanProduct> = { ...made, distribution: everyStep };
    const { distribution } = runHere({ ...plan, product: { ...plan.product, ...terms } });
    const { places } = countsLayout(LOAN_SECTIONS, plan.product.steps, everyStep);
    const firstSteps = [places.marginCall, places.liquidation].map(({ first }) => distribution?.[first]);
    expect(firstSteps, JSON.stringify(plan.product)).toEqual(wanted);
  }
});

it.each([1, 2])('A position is counted by its price at the times of the fan: position %i', seed => {
  const plan = { ...randomPerpetualPlan(seed, 'gbm', PATHS), distribution: DISTRIBUTION };
  const { steps } = plan.product;
  const wanted = new Float64Array(fanOf(steps).length * RATIO_SLOTS);
  for (let path = 0; path < PATHS; path++) {
    const prices = pricesOnPath(plan, path, steps);
    fanOf(steps).forEach((t, k) => {
      wanted[k * RATIO_SLOTS + slotOf(prices[t][0])]++;
    });
  }
  expect(nonzero(runHere(plan).distribution)).toEqual(nonzero(wanted));
});

it('Ratios of any size have their slot at each time of the fan, from one step to another', () => {
  // Below the bins, in the lowest and the highest of them, and above.
  const ratios = [1e-9, Math.exp(-4.995), 1, Math.exp(5.005), 1e9];
  const counts = new LoanCounts(5, DISTRIBUTION);
  const { first } = counts.places.fan;
  const slotsOfSteps = () =>
    [0, 1, 2, 3, 4].map(time =>
      Object.keys(
        nonzero(counts.counts.subarray(first + time * RATIO_SLOTS, first + (time + 1) * RATIO_SLOTS)),
      ),
    );
  const wanted = ratios.map(ratio => [String(slotOf(ratio))]);
  counts.addPath(stepsOf(Float64Array.from(ratios)), false, 0);
  expect(slotsOfSteps()).toEqual(wanted);
  expect(wanted.flat()).toEqual(['0', '1', '501', '1001', '1002']);
  // Logarithms over those of the start, of which two steps are counted.
  const logs = { values: Float64Array.from(ratios, Math.log).map(log => log - 0.5), first: -1, stride: 1 };
  const some = new LoanCounts(5, DISTRIBUTION);
  some.addPath(logs, true, 0.5, 2, 4);
  const at = (time: number) =>
    some.counts.subarray(
      some.places.fan.first + time * RATIO_SLOTS,
      some.places.fan.first + (time + 1) * RATIO_SLOTS,
    );
  expect([0, 1, 2, 3, 4].map(time => at(time).reduce((sum, count) => sum + count, 0))).toEqual([
    0, 1, 1, 0, 0,
  ]);
});

it('Prices of a position of any size have their slot', () => {
  const prices = Float64Array.of(
    1e-9,
    Math.exp(-4.995),
    Math.exp(-5.001),
    1,
    Math.exp(5.005),
    Math.exp(5.02),
    1e9,
    2 ** 8,
    2 ** -8,
  );
  const counts = new MarkCounts(prices.length, DISTRIBUTION);
  counts.add(prices);
  prices.forEach((price, time) => {
    const own = counts.counts.subarray(time * RATIO_SLOTS, (time + 1) * RATIO_SLOTS);
    expect(nonzero(own), `price ${price}`).toEqual({ [slotOf(price)]: 1 });
  });
  // Further paths are added to given counts.
  const both = new MarkCounts(prices.length, DISTRIBUTION, counts.counts);
  both.add(prices);
  expect(counts.counts.reduce((sum, count) => sum + count, 0)).toBe(2 * prices.length);
});
