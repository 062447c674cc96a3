/** The length of the member `Plan`. */
import { expect, it } from 'vitest';
import { MODELS } from '#src/core/plan/models.js';
import { PRODUCTS } from '#src/core/plan/products.js';
import type { SimulationPlan } from '#src/core/plan/simulation-plan.js';
import { planText } from '#src/question/answer.js';

const asker = { caller: 'someone', signal: new AbortController().signal };

it('A plan is answered up to the limit of its text', async () => {
  const [product] = PRODUCTS.loan.usual.terms(2);
  const plan: SimulationPlan = { seed: 7, paths: 3, scenarios: MODELS.gbm.usual(2), product };
  const text = await planText(plan, asker);
  expect(JSON.parse(text)).toMatchObject({ seed: 7, paths: 3 });
  expect(await planText(plan, asker, text.length)).toBe(text);
  await expect(planText(plan, asker, text.length - 1)).rejects.toMatchObject({
    faults: [
      {
        code: 'out_of_range',
        path: 'query.include',
        message: `include may name plan for plans of up to ${text.length - 1} bytes; this one has ${text.length}`,
      },
    ],
  });
});

it('A plan whose text is longer than 64 MiB is refused with its length', async () => {
  // One text of that length, which takes a thousandth of the time of as many prices.
  const plan = {
    seed: 0,
    paths: 1,
    scenarios: { kind: 'historical', assets: 1, prices: 'x'.repeat(64 * 2 ** 20), lead: 1 },
    product: PRODUCTS['value-at-risk'].usual.terms(2)[0],
  } as unknown as SimulationPlan;
  await expect(planText(plan, asker)).rejects.toMatchObject({
    faults: [
      {
        code: 'out_of_range',
        path: 'query.include',
        message: expect.stringMatching(/plans of up to 67108864 bytes; this one has 67109\d{3}$/),
      },
    ],
  });
});
