/** The work of a simulation, by hand. */
import { expect, it } from 'vitest';
import { MODELS } from '#src/core/plan/models.js';
import { PRODUCTS } from '#src/core/plan/products.js';
import { assetSteps, weighedWork, workOf } from '#src/core/plan/work.js';

const SIZE = { paths: 100, steps: 24, assets: 3 };

it('Work is that of the product in each step, and of the steps of the model to a horizon', () => {
  expect(workOf({ ...SIZE, product: 'loan', model: 'gbm' })).toBe(100 * 24 * 3);
  // A position has twice the work of a loan; distributions cost three asset-steps.
  expect(workOf({ ...SIZE, product: 'perpetual', model: 'gbm' })).toBe(2 * 100 * 24 * 3);
  const horizons = { ...SIZE, steps: 2, days: 30, product: 'value-at-risk' } as const;
  expect(workOf({ ...horizons, model: 'gbm' })).toBe(100 * 2 * (3 + 3));
  expect(workOf({ ...horizons, model: 'bootstrap' })).toBe(100 * (2 * (3 + 3) + 30 * 24 * 3));
});

it('The work of a plan is that of its terms', () => {
  const [loan] = PRODUCTS.loan.usual.terms(3);
  const answers = { share: 0.5, delaySteps: 1, startStep: 0, toRatio: 2, nameHigh: 0, nameLow: 0 };
  const plan = { seed: 1, paths: 100, scenarios: MODELS.gbm.usual(3), product: loan };
  expect([assetSteps(plan), weighedWork(plan)]).toEqual([7200, 7200]);
  expect(weighedWork({ ...plan, product: { ...loan, answers } })).toBe(3 * 7200);
});
