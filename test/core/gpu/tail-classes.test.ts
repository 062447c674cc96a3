import { describe, expect, it } from 'vitest';
import { tailWeight, upperTail } from '#src/core/book/tail-weights.js';
import { tailClasses } from '#src/core/gpu/book/tail-classes.js';
import { Dice } from '../../support/random-plans.ts';

describe('Classes of the paths of the tails', () => {
  it('have the weight of every loss in each tail', () => {
    const dice = new Dice(8);
    for (const values of [1, 3, 1000]) {
      const losses = Float64Array.from({ length: 200 }, () => dice.whole(0, values));
      const sorted = Float64Array.from(losses).sort();
      // The same level twice, and not in order.
      const tails = [0.99, 0.5, 0.9, 0.5, 0.05].map(q => upperTail(sorted, q));
      const classes = tailClasses(tails);
      for (const tail of tails) {
        const shares = classes.shares(tail);
        expect(shares).toHaveLength(classes.count);
        for (const loss of losses) {
          const own = classes.of(loss);
          const weight = own === 0 ? 0 : shares[own - 1] * tail.above;
          const told = JSON.stringify({ values, loss, own, tail });
          expect(Math.abs(weight - tailWeight(tail, loss)), told).toBeLessThan(1e-15);
        }
      }
    }
  });
});
