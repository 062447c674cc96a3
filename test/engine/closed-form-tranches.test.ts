/**
 * Tranches of one loan that no rule ends, against the lognormal law of its price at the term, on every engine. The figures are those of
 * another program (docs/tranches.md).
 */
import { describe, expect, it } from 'vitest';
import { waterfall } from '#src/core/book/waterfall.js';
import type { BookProduct } from '#src/core/plan/product/book.js';
import type { SimulationPlan } from '#src/core/plan/simulation-plan.js';
import { ENGINES, engineForTests } from '../support/engines.ts';
import { gbmPair } from '../support/gbm.ts';

const PATHS = 40_000;
/** A day with the volatility of thirty: the law of the last price is that of the term of 30 days in the documents. */
const [HOURS, DAYS] = [24, 30];
/** Standard errors that an estimate may be off. */
const ERRORS = 4;

const one = (value: number) => Float64Array.of(value);
const PLAN: SimulationPlan<BookProduct> = {
  seed: 54,
  paths: PATHS,
  scenarios: gbmPair(0.9 * Math.sqrt(DAYS), 0, 0),
  product: {
    kind: 'book',
    steps: HOURS,
    saleDelaySteps: 0,
    saleCost: 0,
    daySteps: 24,
    quantiles: one(0.99),
    collateralWeights: Float64Array.of(1, 0),
    loanWeights: Float64Array.of(0, 1),
    basket: Uint32Array.of(0),
    termSteps: Uint32Array.of(HOURS),
    topUpSteps: Uint32Array.of(0),
    loanValue: one(1000),
    nominalRatio: one(1.2),
    marginCallRatio: one(0.1),
    liquidationRatio: one(0.05),
    recoveryRatio: one(0.2),
  },
};

/** Bounds, per cent lost on average, chance of a loss. */
const TRANCHES = [
  [0, 0.05, 24.982605, 0.281767],
  [0.05, 0.15, 16.345528, 0.218758],
  [0.15, 1, 1.283496, 0.113626],
] as const;
/** The attachment points with a chance of 1 % of a loss, and with a mean loss of 0.01 %. */
const [FOR_LOSS, FOR_MEAN] = [0.363146, 0.461569];

for (const engine of ENGINES) {
  describe(`tranches of one loan on ${engine.name}`, { tags: engine.tags }, () => {
    const tested = engineForTests(engine);

    it('have the mean and the chance of a loss of the law, and attach where they have a wanted one', async () => {
      const { columns } = await tested.run(PLAN);
      const terms = {
        reserve: 0,
        tranches: [
          ...TRANCHES.map(([attach, detach]) => ({ name: `${attach}`, attach, detach })),
          { name: 'rare', attach_for: { figure: 'PrLoss', value: 0.01 }, detach: 1 },
          { name: 'mean', attach_for: { figure: 'ExpectedLossPct', value: 0.01 }, detach: 1 },
        ] as const,
      };
      const losses = { loss: columns.loss, weights: undefined, loanValue: 1000 };
      const { tranches } = waterfall(losses, terms, PLAN.product.quantiles);
      const shares = Array.from(columns.loss, loss => loss / 1000);
      const near = (estimate: number | undefined, wanted: number, deviation: number) =>
        expect(Math.abs(Number(estimate) - wanted)).toBeLessThan((ERRORS * deviation) / Math.sqrt(PATHS));
      /** Mean and standard deviation of what [attach, detach] loses, as shares of it. */
      const spreadOf = (attach: number, detach: number) => {
        const lost = shares.map(
          loss => Math.min(Math.max(loss - attach, 0), detach - attach) / (detach - attach),
        );
        const mean = lost.reduce((a, b) => a + b, 0) / PATHS;
        return { mean, deviation: Math.sqrt(lost.reduce((sum, x) => sum + (x - mean) ** 2, 0) / PATHS) };
      };
      TRANCHES.forEach(([attach, detach, lossPct, prLoss], i) => {
        const { summary } = tranches[i];
        const { deviation } = spreadOf(attach, detach);
        near(Number(summary?.mean) / (1000 * (detach - attach)), lossPct / 100, deviation);
        near(summary?.positiveShare, prLoss, Math.sqrt(prLoss * (1 - prLoss)));
      });
      // At the points of the law the sample has the wanted figures; the points of the sample have them exactly.
      const above = shares.filter(loss => loss > FOR_LOSS).length / PATHS;
      near(above, 0.01, Math.sqrt(0.01 * 0.99));
      const { mean, deviation } = spreadOf(FOR_MEAN, 1);
      near(mean, 1e-4, deviation);
      expect(tranches[3].summary?.positiveShare).toBe(0.01);
      const { attach, summary } = tranches[4];
      expect((100 * Number(summary?.mean)) / (1000 * (1 - Number(attach)))).toBeCloseTo(0.01, 7);
    });

    it.each([
      [0.112732, 0.02],
      [0.329354, 0.1],
    ])('have the unsold loss of the law after a fall of %d', async (fall, wanted) => {
      const product = { ...PLAN.product, nominalRatio: one(1.5 * (1 - fall)) };
      const { columns } = await tested.run({ ...PLAN, product });
      const shares = Array.from(columns.unsold, loss => loss / 1000);
      const mean = shares.reduce((a, b) => a + b, 0) / PATHS;
      const variance = shares.reduce((sum, x) => sum + (x - mean) ** 2, 0) / PATHS;
      expect(Math.abs(mean - wanted)).toBeLessThan(ERRORS * Math.sqrt(variance / PATHS));
    });
  });
}
