/**
 * One loan against figures that a separate program made with 1,000,000 paths: plain, with interest, with answered calls.
 */
import { describe, expect, it } from 'vitest';
import type { LoanOutcome } from '#src/core/engine.js';
import type { FigureAccuracy } from '#src/core/figures/accuracy.js';
import { loanAccuracy, loanFigures } from '#src/core/figures/loan.js';
import type { LoanProduct, SimulationPlan } from '#src/core/plan/simulation-plan.js';
import { debtGrowth, nameKey } from '#src/question/loan/under-way.js';
import { ENGINES, engineForTests } from '../support/engines.ts';

/** Annual volatilities 0.9 and 1.2, correlation 0.75, weights 0.6 and 0.4 against dollars; 720 hours, 24 of grace. */
const PRODUCT: LoanProduct = {
  kind: 'loan',
  portfolio: { collateralWeights: Float64Array.of(0.6, 0.4, 0), loanWeights: Float64Array.of(0, 0, 1) },
  steps: 720,
  topUpSteps: 24,
  nominalRatio: 1.4,
  marginCallRatio: 1.3,
  liquidationRatio: 1.1,
  recoveryRatio: 1.35,
};
const PLAN: Omit<SimulationPlan<LoanProduct>, 'paths'> = {
  seed: 11,
  scenarios: {
    kind: 'gbm',
    assets: 3,
    annualVolatility: Float64Array.of(0.9, 1.2, 0),
    factor: Float64Array.of(0.9, 0, 0, 1.2 * 0.75, 1.2 * Math.sqrt(1 - 0.75 ** 2), 0, 0, 0, 0),
  },
  product: PRODUCT,
};

/** A figure and its standard error. */
type Known = readonly [number, number];
interface CheckCase {
  readonly name: string;
  readonly terms: Partial<LoanProduct>;
  readonly figures: Readonly<Record<string, Known>>;
}

const PLAIN = {
  PrMarginCall: [0.799995, 0.0004],
  PrLiquidation: [0.001133, 0.000034],
  PrCloseout: [0.736274, 0.000441],
  AvgSurvivalRate: [0.463568, 0.0004],
  AvgLossPct: [1.68373, 0.006],
  PrUnderwater: [0.247332, 0.000431],
} as const;

const CASES: readonly CheckCase[] = [
  { name: 'a plain loan', terms: {}, figures: PLAIN },
  {
    name: 'interest of 12 per cent',
    terms: { debtGrowth: debtGrowth(0.12, 30) },
    figures: {
      PrMarginCall: [0.807514, 0.000395],
      PrLiquidation: [0.001195, 0.000035],
      PrCloseout: [0.745225, 0.000436],
      AvgSurvivalRate: [0.456755, 0.0004],
      AvgLossPct: [1.82255, 0.006],
      PrUnderwater: [0.257876, 0.000437],
    },
  },
  {
    name: 'answers to three calls in five',
    terms: {
      answers: {
        share: 0.6,
        delaySteps: 12,
        startStep: 0,
        toRatio: 1.4,
        nameHigh: nameKey('')[0],
        nameLow: nameKey('')[1],
      },
    },
    figures: {
      ...PLAIN,
      PrLiquidation: [0.000674, 0.000026],
      PrCloseout: [0.461555, 0.000499],
      AvgSurvivalRate: [0.704392, 0.0004],
      PrTopUp: [0.492459, 0.0005],
      AvgTopUpPct: [10.2779, 0.01],
    },
  },
];

describe.each(ENGINES)('the check figures of a loan on $name', ({ name: backend, open, tags }) => {
  const engine = engineForTests({ open });
  // The paths of the reference are those of the others (engine/agreement-loan), and take many times as long.
  const paths = backend === 'reference' ? 5000 : 10_000;

  it.each(CASES)('are met: $name', { tags }, async ({ terms, figures }) => {
    const product = { ...PRODUCT, ...terms };
    const outcome: LoanOutcome = await engine.run({ ...PLAN, paths, product });
    const got: Record<string, number> = loanFigures(outcome, product);
    const accuracy: Record<string, FigureAccuracy> = loanAccuracy(outcome, product, 0.95);
    for (const [name, [known, error]] of Object.entries(figures)) {
      const own = accuracy[name].standard_error ?? Math.sqrt((known * (1 - known)) / paths);
      const z = (got[name] - known) / Math.hypot(own, error);
      // One failure in a hundred thousand of a correct engine, over all figures of a case.
      expect(Math.abs(z), `${name}: ${got[name]} against ${known}`).toBeLessThan(4.8);
    }
  });
});
