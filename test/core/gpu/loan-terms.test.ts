/** The start of a loan on the GPU, which compares it with 1 / N in single precision. */
import { expect, it } from 'vitest';
import { type GpuDomain, startTerms, thresholdTerms } from '#src/core/gpu/loan-terms.js';
import { Dice } from '../../support/random-plans.ts';

const DOMAINS: readonly GpuDomain[] = ['ratio', 'log2', 'difference'];

it('A loan begins under water in single precision exactly where it does in double precision', () => {
  const dice = new Dice(1);
  for (let i = 0; i < 300; i++) {
    const shocked = dice.pick([1, dice.between(0.3, 3)]);
    const portfolio = { collateralWeights: Float64Array.of(shocked, 0), loanWeights: Float64Array.of(0, 1) };
    for (const [ccr, isUnder] of [
      [1 - 1e-4, true],
      [1 - 1e-9, true],
      [1 - 1e-11, true],
      [1 - 1e-13, false],
      [1 + 1e-9, false],
    ] as const) {
      const loan = {
        portfolio,
        nominalRatio: ccr / shocked,
        marginCallRatio: 0.9,
        liquidationRatio: 0.8,
        recoveryRatio: 1,
        topUpSteps: 1,
      };
      for (const domain of DOMAINS) {
        const start = Math.fround(startTerms(loan, domain).start_value);
        const underwater = Math.fround(thresholdTerms(loan, domain).underwater);
        const told = JSON.stringify({ domain, ccr, shocked, start, underwater });
        expect(start < underwater, told).toBe(isUnder);
        expect(Math.abs(start - underwater), told).toBeLessThan(2e-4 * (1 + 1 / loan.nominalRatio));
      }
    }
  }
});
