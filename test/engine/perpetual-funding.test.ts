/** Funding of perpetual positions: payer, times, and the effect of `debitflat`. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { settlementsPerStep } from '#src/core/plan/product/perpetual.js';
import type { PerpetualProduct, SimulationPlan } from '#src/core/plan/simulation-plan.js';
import { type PositionTerms, positionOnPrices } from '../support/position-on-prices.ts';
import { randomPerpetualPlan } from '../support/random-plans.ts';
import { sharedReference } from '../support/threads.ts';

const engine = sharedReference(1);

/** Hours at which an interval settles, each as often as it does: as a caller of the service would get them. */
function hoursOf(steps: number, intervalHours: number): number[] {
  return [...settlementsPerStep(steps, intervalHours)].flatMap((count, t) =>
    new Array<number>(count).fill(t + 1),
  );
}

describe('funding of one position on one path', () => {
  /** Rising by 10 an hour, from 1,000. */
  const prices = Float64Array.from({ length: 25 }, (_, t) => 1000 + 10 * t);
  const linear: PositionTerms = {
    contract: 'linear',
    quantity: 3,
    entryPrice: 1000,
    initialMargin: 5000,
    maintenanceMarginRate: 0.005,
    fundingRate: 0.0001,
  };
  const inverse: PositionTerms = {
    ...linear,
    contract: 'inverse',
    quantity: 6000,
    initialMargin: 10,
  };
  const flows = async (terms: PositionTerms, intervalHours: number) => {
    const fundingHours = hoursOf(prices.length - 1, intervalHours);
    const { accumulatedFunding } = await positionOnPrices(engine, { ...terms, fundingHours }, prices);
    return accumulatedFunding;
  };

  it.each([
    // Sums of the mark over the settlement hours, by hand; three a step count three times.
    ['8 h', 8, 1080 + 1160 + 1240],
    ['24 h', 24, 1240],
    ['7 h', 7, 1070 + 1140 + 1210],
    ['0.5 h', 0.5, 2 * (24 * 1000 + 10 * 300)],
    ['1/3 h', 1 / 3, 3 * (24 * 1000 + 10 * 300)],
  ])('settles at the marks of every %s', async (_, intervalHours, sumOfMarks) => {
    const paid = 3 * 0.0001 * sumOfMarks;
    expect(await flows(linear, intervalHours)).toBeCloseTo(-paid, 11);
  });

  it('settles an inverse position in coins, at the notional of the mark', async () => {
    const paid = 6000 * 0.0001 * (1 / 1080 + 1 / 1160 + 1 / 1240);
    expect(await flows(inverse, 8)).toBeCloseTo(-paid, 14);
  });

  it.each([
    ['a long pays a positive rate', 1, 0.0001, -1],
    ['a short receives a positive rate', -1, 0.0001, 1],
    ['a long receives a negative rate', 1, -0.0001, 1],
    ['a short pays a negative rate', -1, -0.0001, -1],
  ])('%s, and debitflat books payments only', async (_, side, fundingRate, sign) => {
    for (const position of [linear, inverse]) {
      const terms = { ...position, quantity: side * position.quantity, fundingRate };
      const flat = await flows(terms, 8);
      expect(Math.sign(flat)).toBe(sign);
      expect(await flows({ ...terms, debitsOnly: true }, 8)).toBe(sign < 0 ? flat : 0);
    }
  });
});

describe('funding on simulated paths', () => {
  const cases = fc.record({
    seed: fc.integer({ min: 0, max: 1e6 }),
    model: fc.constantFrom('gbm' as const, 'historical' as const),
    intervalHours: fc.oneof(
      fc.double({ min: 0.1, max: 40, noNaN: true }),
      fc.constantFrom(1 / 3, 0.5, 1, 7, 8, 24),
    ),
  });
  const planOf = ({
    seed,
    model,
    intervalHours,
  }: {
    seed: number;
    model: 'gbm' | 'historical';
    intervalHours: number;
  }) => {
    const plan = randomPerpetualPlan(seed, model, 60);
    const settlements = settlementsPerStep(plan.product.steps, intervalHours);
    return { ...plan, product: { ...plan.product, settlements } };
  };
  const traced = (plan: SimulationPlan<PerpetualProduct>, change: Partial<PerpetualProduct>) =>
    engine.trace({ ...plan, product: { ...plan.product, ...change } });

  it('is at most that of flat under debitflat, and never a credit, on any path', {
    tags: ['slow'],
  }, async () => {
    await fc.assert(
      fc.asyncProperty(cases, async input => {
        const plan = planOf(input);
        const [flat, debits] = await Promise.all([
          traced(plan, { debitsOnly: false }),
          traced(plan, { debitsOnly: true }),
        ]);
        flat.accumulatedFunding.forEach((booked, p) => {
          expect(debits.accumulatedFunding[p]).toBeLessThanOrEqual(Math.min(0, booked));
          // Less is booked, so the position cannot live longer or end with more.
          expect(debits.flags[p] & flat.flags[p]).toBe(flat.flags[p]);
        });
      }),
      { numRuns: 60 },
    );
  });

  it('is paid by a long and received by a short while neither is liquidated', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async input => {
        const plan = planOf(input);
        const { quantity } = plan.product;
        // A margin that no path can use up, in either direction.
        const common = { debitsOnly: false, initialMargin: 1e12 };
        const [long, short] = await Promise.all([
          traced(plan, { ...common, quantity: Math.abs(quantity) }),
          traced(plan, { ...common, quantity: -Math.abs(quantity) }),
        ]);
        expect(long.flags.some(Boolean) || short.flags.some(Boolean)).toBe(false);
        long.accumulatedFunding.forEach((paid, p) => {
          expect(short.accumulatedFunding[p]).toBe(paid === 0 ? 0 : -paid);
        });
      }),
      { numRuns: 40 },
    );
  });
});
