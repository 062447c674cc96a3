/** Neither threads nor the number of paths may change what is drawn or summed. */
import { afterAll, describe, expect, it } from 'vitest';
import type { SimulationPlan } from '#src/core/plan/simulation-plan.js';
import { openReferenceEngine } from '#src/engine/threads/reference-engine.js';
import {
  randomCappedPlan,
  randomLoanPlan,
  randomPerpetualPlan,
  randomUnderWayPlan,
} from '../support/random-plans.ts';

const engines = [1, 2, 5].map(threads => openReferenceEngine({ threads }));
afterAll(() => Promise.all(engines.map(engine => engine.close())));

const PLANS: readonly [string, SimulationPlan][] = [
  ['loan', randomLoanPlan(3, 'gbm', 8_000)],
  ['loan under GARCH', randomLoanPlan(4, 'garch', 8_000)],
  ['loan under way', randomUnderWayPlan(2, 'gbm', 8_000)],
  ['capped loan', randomCappedPlan(5, 'gbm', 8_000)],
  ['perpetual', randomPerpetualPlan(6, 'gbm', 8_000)],
];

describe('the CPU engine', () => {
  it.each(PLANS)('gives the same %s for any number of threads', async (_, plan) => {
    const [one, ...others] = await Promise.all(engines.map(engine => engine.run(plan)));
    for (const other of others) expect(other).toEqual(one);
  });

  it.each(PLANS)('only adds paths to a %s when there are more', async (_, plan) => {
    const few = await engines[1].trace({ ...plan, paths: 100 });
    const many = await engines[1].trace({ ...plan, paths: 5000 });
    for (const [field, column] of Object.entries(few)) {
      expect(many[field].slice(0, 100), field).toEqual(column);
    }
  });

  it('ends soon after it is told to, and serves on', async () => {
    const plan = randomLoanPlan(8, 'gbm', 5_000_000);
    const stop = new AbortController();
    const reason = new Error('the caller has gone');
    const running = engines[1].run(plan, { signal: stop.signal, onProgress: () => stop.abort(reason) });
    await expect(running).rejects.toBe(reason);
    const after = await engines[1].run({ ...plan, paths: 1000 });
    expect(after.paths).toBe(1000);
  });

  it('refuses a trace of more paths than it would keep', async () => {
    await expect(engines[0].trace(randomLoanPlan(1, 'gbm', 2 ** 20 + 1))).rejects.toThrow('at most 1048576');
  });
});
