/** Books that share the prices of their paths: equal to the byte, on every engine of the processor. */
import { expect, it } from 'vitest';
import { SharedDraws } from '#src/core/plan/shared-draws.js';
import { CPU_ENGINES } from '../support/engines.ts';
import { randomBook } from '../support/random-books.ts';
import { randomLendingBook } from '../support/random-lending.ts';

/** States of the parts of all paths, by value. */
function told(draws: SharedDraws, spied: Int32Array[]) {
  return new Proxy(draws, {
    get(target, name) {
      if (name !== 'memoryOf') return Reflect.get(target, name);
      return (...args: Parameters<SharedDraws['memoryOf']>) => {
        const memory = target.memoryOf(...args);
        if (memory !== undefined) spied.push(new Int32Array(memory.states));
        return memory;
      };
    },
  });
}

const PATHS = 203;

for (const { name, open } of CPU_ENGINES)
  it(`on ${name}, with other loans, terms and a small memory`, async () => {
    const engine = await open();
    const plan = randomBook(5, PATHS, { assets: 3, loans: 40, baskets: 40, term: 100 });
    const shared = randomBook(6, PATHS, { assets: 3, loans: 30, baskets: 4, term: 100 });
    const lending = randomLendingBook(7, PATHS, { assets: 3, loans: 20, baskets: 10, term: 100 });
    // The same paths: of one fit, one seed and one length.
    const plans = [plan, shared, lending, plan].map(({ product }) => ({
      ...plan,
      product: { ...product, steps: plan.product.steps, saleDelaySteps: plan.product.saleDelaySteps },
    }));
    const steps = Math.max(...[plan, shared, lending].map(({ product }) => product.steps));
    for (const [bytes, all] of [
      [2 ** 24, true],
      [2 ** 18, false],
    ] as const) {
      const states: Int32Array[] = [];
      const draws = told(new SharedDraws(bytes), states);
      for (const [i, each] of plans.entries()) {
        const one = { ...each, product: { ...each.product, steps } };
        const alone = await engine.run(one);
        expect(await engine.run(one, { draws }), `${name}, book ${i}, ${bytes} bytes`).toEqual(alone);
      }
      // One memory for all of them, and every part of it was left by one of them where there was room.
      expect(states.length).toBe(plans.length);
      const there = states[0].filter(state => state === 2).length;
      expect(there).toBeGreaterThan(10);
      const parts = name === 'reference' ? PATHS : states[0].findIndex((state, p) => p > 0 && state === 2);
      expect(parts).toBeGreaterThan(0);
      const wanted = name === 'reference' ? PATHS : Math.ceil(PATHS / parts);
      if (all) expect(there).toBe(wanted);
      else expect(there).toBeLessThan(wanted);
    }
  });
