/** Loans, capped sales and positions with terms anywhere within the bounds of a request, on every engine, against the rules. */

import { describe, expect, it } from 'vitest';
import { FLAG_LIQUIDATION, FLAG_MARGIN_CALL, type PathRecords } from '#src/core/engine.js';
import type { PerpetualProduct, SimulationPlan } from '#src/core/plan/simulation-plan.js';
import { suitsSinglePrecision, tooRisklessToSell } from '#src/core/plan/single-precision.js';
import { cappedLoanOfPlan } from '#src/core/rules/capped-loan.js';
import { loanOfPlan } from '#src/core/rules/loan.js';
import { pricesOnPath } from '#src/core/rules/models.js';
import { positionOnPath } from '#src/core/rules/perpetual.js';
import { anyCappedPlan, anyLoanPlan, anyPositionPlan } from '../support/any-terms.ts';
import { ENGINES, engineForTests, inParts } from '../support/engines.ts';
import { flagsOf, sum } from '../support/flags.ts';
import { nearestMargin, nearestThreshold } from '../support/parity.ts';
import type { ModelKind } from '../support/random-plans.ts';

const PATHS = 24;
const MODELS: readonly ModelKind[] = ['gbm', 'garch', 'historical'];
const SEEDS = {
  reference: Array.from({ length: 40 }, (_, i) => i + 1),
  simd: Array.from({ length: 40 }, (_, i) => i + 1),
  // Pipelines are compiled per number of assets, on a slow software driver.
  gpu: [1, 2, 3, 4, 5, 6, 20, 32],
} as const;

/** What the rules has of a path, beside what an engine has. */
interface PlainPath {
  readonly flags: number;
  readonly figures: Readonly<Record<string, readonly [got: number, wanted: number]>>;
  /** Distance to the nearest threshold: within rounding of it both results are right. */
  readonly nearest: number;
}

function ofLoan(plan: ReturnType<typeof anyLoanPlan>, records: PathRecords, p: number): PlainPath {
  const plain = loanOfPlan(plan, p);
  const n = plan.product.nominalRatio;
  return {
    flags: flagsOf(plain),
    figures: {
      endStep: [records.endStep[p], plain.endStep],
      worstCcr: [n * records.minimumRatio[p], plain.worstCcr],
      loss: [Math.max(0, 1 - n * records.finalRatio[p]), plain.loss],
    },
    nearest: nearestThreshold(plan, p),
  };
}

function ofCapped(plan: ReturnType<typeof anyCappedPlan>, records: PathRecords, p: number): PlainPath {
  const plain = cappedLoanOfPlan(plan, p);
  return {
    flags: flagsOf(plain),
    figures: {
      worstCcr: [records.worstCcr[p], plain.worstCcr],
      sold: [records.soldAmount[p], plain.sold],
      called: [records.callAmount[p], sum(plain.callAmounts)],
    },
    nearest: nearestThreshold(plan, p),
  };
}

function ofPosition(plan: SimulationPlan<PerpetualProduct>, records: PathRecords, p: number): PlainPath {
  const { product } = plan;
  const prices = pricesOnPath(plan, p, product.steps).map(now => now[0]);
  const plain = positionOnPath(product, prices);
  const { contract, quantity, startPrice, initialMargin, unrealizedPnl } = product;
  const notional = Math.abs(contract === 'linear' ? quantity * startPrice : quantity / startPrice);
  const unit = Math.max(notional, initialMargin + unrealizedPnl);
  return {
    flags: (plain.marginCall ? FLAG_MARGIN_CALL : 0) | (plain.liquidation ? FLAG_LIQUIDATION : 0),
    figures: {
      finalEquity: [records.finalEquity[p] / unit, plain.finalEquity / unit],
      accumulatedFunding: [records.accumulatedFunding[p] / unit, plain.accumulatedFunding / unit],
      maxEquityDrawdown: [records.maxEquityDrawdown[p] / unit, plain.maxEquityDrawdown / unit],
      medianLeverage: [records.medianLeverage[p], plain.medianLeverage],
    },
    nearest: nearestMargin(product, plain),
  };
}

const CASES = [
  {
    product: 'loan',
    check: (seed: number, model: ModelKind) => {
      const plan = anyLoanPlan(seed, model, PATHS);
      return { plan, pathOf: (records: PathRecords, p: number) => ofLoan(plan, records, p) };
    },
  },
  {
    product: 'capped-loan',
    check: (seed: number, model: ModelKind) => {
      const plan = anyCappedPlan(seed, model, PATHS);
      return { plan, pathOf: (records: PathRecords, p: number) => ofCapped(plan, records, p) };
    },
  },
  {
    product: 'perpetual',
    check: (seed: number, model: ModelKind) => {
      const plan = anyPositionPlan(seed, model, PATHS);
      return { plan, pathOf: (records: PathRecords, p: number) => ofPosition(plan, records, p) };
    },
  },
] as const;

for (const testEngine of ENGINES) {
  const engine = engineForTests(testEngine);
  const isDouble = testEngine.name === 'reference';
  const [close, near] = isDouble ? [1e-9, 1e-11] : [3e-4, 2e-4];
  const suits = (plan: SimulationPlan) =>
    isDouble ||
    (engine.supports(plan) && suitsSinglePrecision(plan) && tooRisklessToSell(plan) === undefined);

  describe.each(CASES)(`a $product with any terms on ${testEngine.name}`, ({ product, check }) => {
    const models = MODELS.filter(model => testEngine.has(product, model));
    for (const { part, tags, some } of inParts(testEngine, SEEDS[testEngine.name], 11))
      it(`has the figures of the rules ${part}`, { tags }, async () => {
        let compared = 0;
        for (const seed of some)
          for (const model of models) {
            const { plan, pathOf } = check(seed, model);
            if (!suits(plan)) continue;
            const records = await engine.trace(plan);
            for (let p = 0; p < PATHS; p++) {
              const { flags, figures, nearest } = pathOf(records, p);
              if (nearest < near) continue;
              compared++;
              const inputs = `case ${seed}, ${model}, path ${p}, ${JSON.stringify(plan.product)}`;
              const isPosition = product === 'perpetual';
              const kept = isPosition ? FLAG_MARGIN_CALL | FLAG_LIQUIDATION : ~0;
              expect(records.flags[p] & kept, `flags; ${inputs}`).toBe(flags);
              for (const [name, [got, wanted]] of Object.entries(figures))
                expect(
                  Math.abs(got - wanted),
                  `${name} ${got}, not ${wanted}; ${inputs}`,
                ).toBeLessThanOrEqual(close * Math.max(1, Math.abs(wanted)));
            }
          }
        expect(compared).toBeGreaterThan((some.length * models.length * PATHS) / 3);
      });
  });
}
