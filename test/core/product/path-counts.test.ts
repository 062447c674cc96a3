/** The counts of a requested distribution on the paths of the reference, against the plain programs path by path. */
import { expect, it } from 'vitest';
import { RATIO_BINS, slotAt } from '#src/core/distribution/bins.js';
import { countsLayout, RATIO_SLOTS } from '#src/core/plan/distribution.js';
import { LOAN_SECTIONS } from '#src/core/plan/product/loan.js';
import { runHere } from '../../support/in-process.ts';
import { plainCappedLoan, plainLoan, plainTerms } from '../../support/plain/loans.ts';
import { plainBaskets, plainPrices } from '../../support/plain/paths.ts';
import {
  type ModelKind,
  randomCappedPlan,
  randomLoanPlan,
  randomPerpetualPlan,
} from '../../support/random-plans.ts';

const PATHS = 6;
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
  const terms = plainTerms(plan.product);
  const wanted = plainCounts(steps, path => {
    const { collateral, loan } = plainBaskets(plan, path, steps);
    const events = plainLoan(terms, collateral, loan);
    return { events, lowest: events.worstCcr, ratioAt: t => terms.N * (collateral[t] / loan[t]) };
  });
  expect(nonzero(runHere(plan).distribution)).toEqual(nonzero(wanted));
});

it.each(CASES)(
  'A capped loan is counted by the coverage of its whole claim: $model, loan $seed',
  ({ model, seed }) => {
    const plan = { ...randomCappedPlan(seed, model, PATHS), distribution: DISTRIBUTION };
    const { steps, capacityPerStep } = plan.product;
    const terms = plainTerms(plan.product);
    const wanted = plainCounts(steps, path => {
      const { collateral, loan } = plainBaskets(plan, path, steps);
      const events = plainCappedLoan(terms, capacityPerStep, collateral, loan);
      return { events, lowest: events.worstCcr, ratioAt: t => events.coverage[t - 1] };
    });
    expect(nonzero(runHere(plan).distribution)).toEqual(nonzero(wanted));
  },
);

it.each([1, 2, 3, 4])('A position is counted by its price at the times of the fan: position %i', seed => {
  const plan = { ...randomPerpetualPlan(seed, 'gbm', PATHS), distribution: DISTRIBUTION };
  const { steps } = plan.product;
  const wanted = new Float64Array(fanOf(steps).length * RATIO_SLOTS);
  for (let path = 0; path < PATHS; path++) {
    const prices = plainPrices(plan, path, steps);
    fanOf(steps).forEach((t, k) => {
      wanted[k * RATIO_SLOTS + slotOf(prices[t][0])]++;
    });
  }
  expect(nonzero(runHere(plan).distribution)).toEqual(nonzero(wanted));
});
