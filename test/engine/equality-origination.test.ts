/**
 * Origination scans whose paths meet thresholds of candidates exactly, against one plain loan per candidate.
 *
 * The plain loan knows nothing of excursions, prefixes or bisections. All numbers are powers of two and sums of few.
 */

import { describe, expect, it } from 'vitest';
import type { OriginationProduct, OriginationScore, SimulationPlan } from '#src/core/plan/simulation-plan.js';
import { loanOnPath } from '#src/core/rules/loan.js';
import { engineForTests } from '../support/engines.ts';
import { EXACT_ENGINES, exactMarkets } from '../support/exact-engines.ts';
import {
  combinations,
  exactLoanMarket,
  exactLoanPath,
  type Shape,
  walkingHistory,
  windowPrices,
} from '../support/exact-paths.ts';
import { sharedReference } from '../support/threads.ts';

interface Scan {
  readonly score: OriginationScore;
  readonly topUpSteps: number;
  readonly liquidation: readonly number[];
  readonly marginCall: readonly number[];
}

const productOf = ({ score, topUpSteps, liquidation, marginCall }: Scan, steps: number) => ({
  kind: 'origination' as const,
  steps,
  topUpSteps,
  score,
  liquidationThreshold: Float64Array.from(liquidation),
  marginCallThreshold: Float64Array.from(score === 'path-minimum' ? [] : marginCall),
});

/** Counts per candidate and the lowest ratio, by plain loans with N = R = 1 and the candidate's thresholds for L and M. */
function plainScan(scan: Scan, paths: readonly { collateral: number[]; loan: number[] }[]) {
  const ends = scan.liquidation.map((L, k) =>
    paths.map(({ collateral, loan }) => {
      const { topUpSteps } = scan;
      return loanOnPath({ N: 1, M: scan.marginCall[k], L, R: 1, topUpSteps }, collateral, loan);
    }),
  );
  const reached = (k: number) =>
    ends[k].filter(({ liquidation, closeout, worstCcr }) => {
      if (scan.score === 'path-minimum') return worstCcr < scan.liquidation[k];
      return scan.score === 'liquidation' ? liquidation : closeout;
    }).length;
  return {
    kind: 'origination',
    paths: paths.length,
    counts: scan.liquidation.map((_, k) => reached(k)),
    worstRatio: Math.min(...ends[0].map(({ worstCcr }) => worstCcr)),
  };
}

const SCORES = ['path-minimum', 'liquidation', 'closeout'] as const;
/** Falling thresholds, L below M of each candidate, at powers of two and between them, and a margin call at the cure itself. */
const LISTS = [
  { liquidation: [0.75, 0.5, 0.375, 0.25, 0.125], marginCall: [1, 0.875, 0.75, 0.5, 0.25] },
  { liquidation: [0.5, 0.25, 0.125, 0.0625], marginCall: [0.75, 0.5, 0.25, 0.125] },
  { liquidation: [0.0625, 0.03125, 0.015625], marginCall: [1, 0.5, 0.25] },
  { liquidation: [0.25], marginCall: [0.5] },
];
const SCANS = combinations<{ score: OriginationScore; topUpSteps: number; list: (typeof LISTS)[number] }>({
  score: SCORES,
  topUpSteps: [0, 1, 2, 3, 4, 5],
  list: LISTS,
}).map(({ list, ...rest }): Scan => ({ ...rest, ...list }));

const plainOutcome = (outcome: { counts: Float64Array }) => ({ ...outcome, counts: [...outcome.counts] });

describe.each(EXACT_ENGINES)('candidates whose thresholds are met exactly, on $name', exact => {
  const STEPS = 7;
  const PATHS = 5;
  const engine = engineForTests(exact);

  for (const { shape, view, tags } of exactMarkets(exact, ['still', 'falling', 'recovering']))
    it(`are counted by their terms, ${shape} as a ${view}`, { tags }, async () => {
      const { scenarios, portfolio } = exactLoanMarket(shape, view);
      const paths = Array(PATHS).fill(exactLoanPath(shape as Shape, STEPS));
      const check = async (scan: Scan) => {
        const product: OriginationProduct = { ...productOf(scan, STEPS), portfolio };
        const plan: SimulationPlan<OriginationProduct> = { seed: 1, paths: PATHS, scenarios, product };
        const [outcome, records] = await Promise.all([engine.run(plan), engine.trace(plan)]);
        const plain = plainScan(scan, paths);
        const inputs = JSON.stringify({ shape, view, ...scan });
        expect(plainOutcome(outcome), inputs).toEqual(plain);
        expect([...records.minimumRatio], inputs).toEqual(Array(PATHS).fill(plain.worstRatio));
      };
      // Asked for together, runs on a GPU share submissions.
      await Promise.all(SCANS.map(check));
    });
});

describe('candidates on windows of history in powers of two, on the reference', () => {
  const STEPS = 9;
  const WINDOWS = 150;
  const engine = sharedReference(1);

  it.each([1, 2, 3])('are counted by their terms, on walk %i of history', async seed => {
    const scenarios = walkingHistory(seed, 2, STEPS, WINDOWS);
    const paths = Array.from({ length: WINDOWS }, (_, p) => ({
      collateral: windowPrices(scenarios, 0, p),
      loan: windowPrices(scenarios, 1, p),
    }));
    const portfolio = { collateralWeights: Float64Array.of(1, 0), loanWeights: Float64Array.of(0, 1) };
    for (const scan of SCANS) {
      const product: OriginationProduct = { ...productOf(scan, STEPS), portfolio };
      const outcome = await engine.run({ seed: 0, paths: WINDOWS, scenarios, product });
      expect(plainOutcome(outcome), JSON.stringify(scan)).toEqual(plainScan(scan, paths));
    }
  });
});
