/** A book under scenarios leaves the event loop between its steps, each of which takes milliseconds for 100,000 loans. */
import { createHook } from 'node:async_hooks';
import { expect, it } from 'vitest';
import { STRESS_QUESTION } from '#src/question/stress/question.js';
import { openOperations } from '../../support/operations.ts';

const LOAN = {
  ...{ id: 'a', collateral_weights: { BTC: 1 }, loan_weights: { USD: 1 }, loan_value: 1000 },
  ...{ loan_duration: 20, mc_top_up: 24, N: 1.6, M: 1.3, L: 1.1, R: 1.4 },
};

/** Turns of the event loop that an answer asks for. */
async function turnsOf(scenarios: number, compare: object = {}): Promise<number> {
  const { answer } = await openOperations('sample');
  const params = {
    ...{ analysis_date: '06-30-2024', model_lookback: 30, mc_iter: 0, quantile: [0.9], loans: [LOAN] },
    scenarios: Array.from({ length: scenarios }, (_, k) => ({ name: `${k}`, price_shock: { BTC: -0.1 } })),
    ...compare,
  };
  let turns = 0;
  const hook = createHook({
    init(_, type) {
      if (type === 'Immediate') turns += 1;
    },
  });
  hook.enable();
  try {
    await answer(STRESS_QUESTION, { type: 'GBM', params });
  } finally {
    hook.disable();
  }
  return turns;
}

it('A scenario is answered in turns: losses, figures of prices, figures of the book, of borrowers, rows, changes and members', async () => {
  await turnsOf(1);
  const [one, three] = [await turnsOf(1), await turnsOf(3)];
  expect((three - one) / 2).toBeGreaterThanOrEqual(9);
});

it('The loans are made a product in a turn, and shared in another, under either terms', async () => {
  const [own, both] = [await turnsOf(1), await turnsOf(1, { compare: { M: 1.2 } })];
  // Two scenarios under the other terms, and the differences of both.
  expect(both - own).toBeGreaterThanOrEqual(2 + 2 * 9);
});
