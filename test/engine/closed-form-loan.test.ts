/** The loan under GBM on every engine against first-passage probabilities and the exchange option, on random parameter sets. */
import { describe, expect, it } from 'vitest';
import { FLAG_MARGIN_CALL, FLAG_UNDERWATER } from '#src/core/engine.js';
import type { LoanProduct, SimulationPlan } from '#src/core/plan/simulation-plan.js';
import { expectedLoss } from '../support/closed-forms/expected-loss.ts';
import { firstPassageExact, firstPassageShifted } from '../support/closed-forms/first-passage.ts';
import { logRatio } from '../support/closed-forms/log-ratio.ts';
import { ENGINES, engineCases, engineForTests } from '../support/engines.ts';
import { gbmPair } from '../support/gbm.ts';
import { meanWithError } from '../support/mean-with-error.ts';
import { Dice } from '../support/random-plans.ts';
import { shareStandardError, ZScores } from '../support/standard-errors.ts';

/** The software driver of the GPU does a tenth of the steps of the other engines in a second: sets enough to judge z. */
const SETS = { reference: 60, simd: 60, gpu: 24 } as const;
const PATHS = 20_000;

/** One collateral asset against one loan asset; L far below, so that nothing ends the path early. */
function pairPlan(seed: number) {
  const dice = new Dice(seed);
  const sigmaC = dice.between(0.3, 1.5);
  const sigmaL = dice.between(0, 0.8);
  const rho = dice.between(-0.9, 0.9);
  const steps = dice.whole(24, 300);
  const spread = Math.hypot(sigmaC, sigmaL) * Math.sqrt(steps / 8760);
  const N = Math.exp(dice.between(0, 1.2) * spread);
  const plan: SimulationPlan<LoanProduct> = {
    seed,
    paths: PATHS,
    scenarios: gbmPair(sigmaC, sigmaL, rho),
    product: {
      kind: 'loan',
      portfolio: { collateralWeights: Float64Array.of(1, 0), loanWeights: Float64Array.of(0, 1) },
      steps,
      topUpSteps: dice.whole(0, 48),
      nominalRatio: N,
      marginCallRatio: N * Math.exp(-dice.between(0.05, 1.5) * spread),
      liquidationRatio: 0.01,
      recoveryRatio: N,
    },
  };
  return {
    plan,
    ratio: logRatio(sigmaC, sigmaL, rho),
    years: steps / 8760,
    inputs: { sigmaC, sigmaL, rho, steps, N },
  };
}

for (const { engine } of engineCases(ENGINES, 'loan', ['gbm'])) {
  describe(`a loan of one asset against one asset on ${engine.name}`, { tags: engine.tags }, () => {
    const tested = engineForTests(engine);

    it('has the margin calls, the underwater paths and the loss of the closed forms', {
      tags: ['slow'],
    }, async () => {
      const calls = new ZScores('PrMarginCall');
      const underwater = new ZScores('PrUnderwater');
      const loss = new ZScores('AvgLossPct');
      for (let seed = 1; seed <= SETS[engine.name]; seed++) {
        const { plan, ratio, years, inputs } = pairPlan(seed);
        const { steps, nominalRatio: N, marginCallRatio: M } = plan.product;
        const records = await tested.trace(plan);
        const share = (flag: number) => records.flags.filter(flags => flags & flag).length / PATHS;
        const told = JSON.stringify({ seed, ...inputs, M });
        const callProbability = firstPassageExact(ratio, Math.log(M / N), years, steps);
        calls.add(share(FLAG_MARGIN_CALL), callProbability, shareStandardError(callProbability, PATHS), told);
        const sinkProbability = firstPassageExact(ratio, Math.log(1 / N), years, steps);
        underwater.add(
          share(FLAG_UNDERWATER),
          sinkProbability,
          shareStandardError(sinkProbability, PATHS),
          told,
        );
        const { mean, standardError } = meanWithError(records.finalRatio.map(r => Math.max(0, 1 - N * r)));
        loss.add(mean, expectedLoss(ratio, N, years), standardError, told);
        // The published shift is an approximation: it must agree with the exact recursion to its own order.
        const shifted = firstPassageShifted(ratio, Math.log(M / N), years, steps);
        expect(Math.abs(shifted - callProbability), told).toBeLessThan(0.02);
      }
      calls.judge();
      underwater.judge();
      loss.judge();
    });

    it('agrees with the exact answers of a 30-day reference loan within its error', async () => {
      // Volatilities 0.8 and 0.1, correlation 0.3, 720 hourly steps, CCR from 1.5: exact by density recursion.
      const paths = engine.name === 'gpu' ? 20_000 : 60_000;
      const exact = { 1.3: 0.545359, 1.1: 0.184137, 1: 0.080363 };
      const { plan } = pairPlan(1);
      const rho = 0.3;
      const reference: SimulationPlan<LoanProduct> = {
        ...plan,
        seed: 2026,
        paths,
        scenarios: gbmPair(0.8, 0.1, rho),
        product: { ...plan.product, steps: 720, nominalRatio: 1.5, marginCallRatio: 1.3, recoveryRatio: 1.5 },
      };
      const records = await tested.trace(reference);
      for (const [level, probability] of Object.entries(exact)) {
        const share = records.minimumRatio.filter(r => 1.5 * r < Number(level)).length / reference.paths;
        const z = (share - probability) / shareStandardError(probability, reference.paths);
        expect(Math.abs(z), `CCR below ${level}: ${share} against ${probability}`).toBeLessThan(4.5);
      }
    });
  });
}
