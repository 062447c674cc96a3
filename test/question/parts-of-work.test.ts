/** Requests of several runs: the part of the whole work that each run is, from which a job has its progress. */
import { beforeAll, expect, it } from 'vitest';
import type { SimulationPlan } from '#src/core/plan/simulation-plan.js';
import type { EngineSet, UseOptions } from '#src/engine/engine-set.js';
import { BACKTEST_QUESTION } from '#src/question/backtest/back-test.js';
import { STRESS_QUESTION } from '#src/question/stress/stress.js';
import { booksOf, loanOf } from '../support/book-bodies.ts';
import { type Asked, type Operations, openOperations } from '../support/operations.ts';

let operations: Operations;
beforeAll(async () => {
  operations = await openOperations('sample');
});

/** An answer, and the options of its uses of engines by the part of the work. */
async function usesOf(question: Asked, body: unknown) {
  const uses: (UseOptions & { readonly plan: SimulationPlan })[] = [];
  const use: EngineSet['use'] = (plan, choice, run, options = {}) => {
    uses.push({ ...options, plan });
    return operations.engines.use(plan, choice, run, options);
  };
  const engines = Object.assign(Object.create(operations.engines), { use }) as EngineSet;
  const answer = await operations.answer(question, body, { engines });
  return { answer, uses: uses.sort((a, b) => Number(a.part?.from) - Number(b.part?.from)) };
}

/** A back-test from a day on. */
const DAYS = { weights: { BTC: 1 }, model_lookback: 60, horizon: 1, quantile: [0.9], from: '05-01-2024' };
const quarters = [0, 1, 2, 3].map(k => ({ from: k / 4, to: (k + 1) / 4 }));

it.each([
  ['GBM', '05-04-2024', 4],
  // Each day is forecast by GBM, too.
  ['STUDENT_T', '05-02-2024', 2],
])(
  'The runs of a back-test of %s are equal parts of its work, the last one the last day',
  async (type, to, days) => {
    const { answer, uses } = await usesOf(BACKTEST_QUESTION, {
      type,
      params: { ...DAYS, to, mc_iter: 100 },
    });
    expect(uses.map(({ part, runs }) => ({ part, runs }))).toEqual(quarters.map(part => ({ part, runs: 4 })));
    // Each day has a seed of its own.
    expect(answer.plan?.seed).toBe(days - 1);
  },
);

it('A back-test on windows of history is compared with 10,000 paths of GBM', async () => {
  const { uses } = await usesOf(BACKTEST_QUESTION, {
    type: 'HISTORICAL',
    params: { ...DAYS, to: '05-02-2024' },
  });
  const pathsOfGbm = uses.flatMap(({ plan }) => (plan.scenarios.kind === 'gbm' ? [plan.paths] : []));
  expect(pathsOfGbm).toEqual([10_000, 10_000]);
});

it('The runs of a stress under two sets of terms are equal parts of its work', async () => {
  const scenarios = [{ name: 'fall', price_shock: { ETH: -0.1 } }];
  const body = booksOf(100)([loanOf('a')], { scenarios, compare: { M: 1.25 } });
  const { uses } = await usesOf(STRESS_QUESTION, body);
  expect(uses.map(({ part, runs }) => ({ part, runs }))).toEqual(quarters.map(part => ({ part, runs: 4 })));
});
