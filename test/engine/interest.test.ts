/** Interest alone on every engine: the same as a loan whose debt is C / L over the growth, in every product of a loan. */

import { describe, expect, it } from 'vitest';
import type { OriginationProduct, SimulationPlan } from '#src/core/plan/simulation-plan.js';
import { cappedLoanOnPath } from '#src/core/rules/capped-loan.js';
import { loanOnPath, loanTermsOf } from '#src/core/rules/loan.js';
import { basketsOnPath } from '#src/core/rules/models.js';
import { ENGINES, engineCases, engineForTests } from '../support/engines.ts';
import { randomCappedPlan, randomLoanPlan } from '../support/random-plans.ts';

const PATHS = 40;
const SEEDS = [101, 102, 103, 105];
const GROWTHS = [1.2, 0.9];

/** C_t and L_t g_t of a path. */
function grownBaskets(
  plan: Parameters<typeof basketsOnPath>[0],
  path: number,
  growth: number,
  steps: number,
) {
  const { collateral, loan } = basketsOnPath(plan, path, steps);
  return { collateral, loan: loan.map((price, t) => price * growth ** (t / steps)) };
}

for (const { engine, model } of engineCases(ENGINES, 'loan', ['gbm', 'garch'])) {
  describe(`interest under ${model} on ${engine.name}`, { tags: engine.tags }, () => {
    const running = engineForTests(engine);
    const tolerance = engine.name === 'reference' ? 1e-10 : 3e-5;

    for (const debtGrowth of GROWTHS) {
      // The short suite lets the debt grow under one model and shrink under the other.
      const isQuick = debtGrowth > 1 === (model === 'gbm');
      const tags = isQuick ? engine.tags : ['slow'];
      it(`changes a loan as a debt of ${debtGrowth} at the end does`, { tags }, async () => {
        for (const seed of SEEDS) {
          const plan = randomLoanPlan(seed, model, PATHS);
          const grown = { ...plan, product: { ...plan.product, debtGrowth } };
          const records = await running.trace(grown);
          let differing = 0;
          for (let p = 0; p < PATHS; p++) {
            const { collateral, loan } = grownBaskets(plan, p, debtGrowth, plan.product.steps);
            const plain = loanOnPath(loanTermsOf(plan.product), collateral, loan);
            expect(
              Math.abs(plan.product.nominalRatio * records.minimumRatio[p] - plain.worstCcr),
            ).toBeLessThan(tolerance * plain.worstCcr);
            const flags =
              Number(plain.marginCall) +
              2 * Number(plain.liquidation) +
              4 * Number(plain.closeout) +
              8 * Number(plain.underwater);
            differing += Number(records.flags[p] !== flags || records.endStep[p] !== plain.endStep);
          }
          expect(differing, `seed ${seed}`).toBeLessThanOrEqual(engine.name === 'reference' ? 0 : 1);
        }
      });

      it(`changes a capped sale as a debt of ${debtGrowth} at the end does`, { tags }, async () => {
        for (const seed of SEEDS) {
          const plan = randomCappedPlan(seed, model, PATHS);
          const grown = { ...plan, product: { ...plan.product, debtGrowth } };
          const records = await running.trace(grown);
          let differing = 0;
          for (let p = 0; p < PATHS; p++) {
            const { collateral, loan } = grownBaskets(plan, p, debtGrowth, plan.product.steps);
            const plain = cappedLoanOnPath(
              loanTermsOf(plan.product),
              plan.product.capacityPerStep,
              collateral,
              loan,
            );
            const flags =
              Number(plain.marginCall) +
              2 * Number(plain.liquidation) +
              4 * Number(plain.closeout) +
              8 * Number(plain.underwater);
            const isSame =
              records.flags[p] === flags &&
              Math.abs(records.soldAmount[p] - plain.sold) < 10 * tolerance &&
              Math.abs(records.worstCcr[p] - plain.worstCcr) < 10 * tolerance;
            differing += Number(!isSame);
          }
          expect(differing, `seed ${seed}`).toBeLessThanOrEqual(engine.name === 'reference' ? 0 : 1);
        }
      });

      it(`counts candidates of an origination with a debt of ${debtGrowth} at the end`, {
        tags,
      }, async () => {
        for (const [i, seed] of SEEDS.entries()) {
          const plan = randomLoanPlan(seed, model, PATHS);
          const { portfolio, steps, topUpSteps, liquidationRatio } = plan.product;
          const candidates = [1.15, 1.3, 1.6, 2].map(times => {
            const N = times * liquidationRatio;
            return { N, R: N, M: (N + liquidationRatio) / 2, L: liquidationRatio, topUpSteps };
          });
          const score = (['path-minimum', 'liquidation', 'closeout'] as const)[i % 3];
          const product: OriginationProduct = {
            kind: 'origination',
            portfolio,
            steps,
            topUpSteps,
            debtGrowth,
            score,
            liquidationThreshold: Float64Array.from(candidates, ({ N, L }) => L / N),
            marginCallThreshold: Float64Array.from(
              score === 'path-minimum' ? [] : candidates,
              ({ N, M }) => M / N,
            ),
          };
          const outcome = await running.run<OriginationProduct>({
            ...plan,
            product,
          } as SimulationPlan<OriginationProduct>);
          const baskets = Array.from({ length: PATHS }, (_, p) => grownBaskets(plan, p, debtGrowth, steps));
          const plain = candidates.map(terms => {
            const ends = baskets.map(({ collateral, loan }) => loanOnPath(terms, collateral, loan));
            if (score === 'path-minimum') return ends.filter(({ worstCcr }) => worstCcr < terms.L).length;
            return ends.filter(end => (score === 'liquidation' ? end.liquidation : end.closeout)).length;
          });
          for (const [k, count] of plain.entries())
            expect(Math.abs(outcome.counts[k] - count), `seed ${seed}, candidate ${k}`).toBeLessThanOrEqual(
              engine.name === 'reference' ? 0 : 1,
            );
        }
      });
    }
  });
}
