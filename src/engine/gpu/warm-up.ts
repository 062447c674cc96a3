/**
 * Compiles the kernels that most requests need before the first of them asks.
 *
 * Takes: an engine. Gives: nothing; each kernel has run once on one path. A driver takes a fraction of a second for
 * a kernel, and every number of assets is one of its own: the usual ones are made, the others wait for their request.
 */
import type {
  CappedLoanProduct,
  GarchScenarios,
  GbmScenarios,
  LoanProduct,
  OriginationProduct,
  OriginationScore,
  PerpetualProduct,
  Portfolio,
  Product,
  SimulationPlan,
  ValueAtRiskProduct,
} from '../../plan/simulation-plan.ts';
import type { Engine } from '../engine.ts';

const STEPS = 24;
/** A pair, and baskets of up to four assets against a stablecoin. */
const MOST_ASSETS = 5;
const SCORES: readonly OriginationScore[] = ['path-minimum', 'liquidation', 'closeout'];

/**
 * Runs every usual kernel once, the most usual first. One that fails is left to the request that will need it, which
 * tells its caller.
 */
export async function warmUp(engine: Pick<Engine, 'run'>): Promise<void> {
  for (const plan of usualPlans()) {
    try {
      await engine.run(plan);
    } catch {
      // Told when a request meets it: here nobody asks.
    }
  }
}

/** One plan for each kernel, on one path of one day. */
export function usualPlans(): SimulationPlan[] {
  const plans: SimulationPlan[] = [];
  for (let assets = 2; assets <= MOST_ASSETS; assets++) {
    const scenarios = gbm(assets);
    const portfolio = againstLast(assets);
    plans.push(
      planOf(scenarios, loan(portfolio)),
      planOf(scenarios, valueAtRisk(portfolio)),
      ...SCORES.map(score => planOf(scenarios, origination(portfolio, score))),
      planOf(scenarios, cappedLoan(portfolio)),
      planOf(garch(assets), cappedLoan(portfolio)),
    );
  }
  return [...plans, planOf(gbm(1), perpetual('linear')), planOf(gbm(1), perpetual('inverse'))];
}

function planOf<P extends Product>(scenarios: GbmScenarios | GarchScenarios, product: P): SimulationPlan<P> {
  return { seed: 0, paths: 1, scenarios, product };
}

/** A diagonal factor with `value` on it. */
function diagonal(assets: number, value: number): Float64Array {
  return Float64Array.from({ length: assets * assets }, (_, k) => (k % (assets + 1) === 0 ? value : 0));
}

function gbm(assets: number): GbmScenarios {
  const annualVolatility = new Float64Array(assets).fill(0.5);
  return { kind: 'gbm', assets, annualVolatility, factor: diagonal(assets, 0.5) };
}

function garch(assets: number): GarchScenarios {
  const all = (value: number) => new Float64Array(assets).fill(value);
  return {
    kind: 'garch',
    assets,
    omega: all(1e-4),
    alpha: all(0.1),
    beta: all(0.8),
    firstVariance: all(1e-3),
    factor: diagonal(assets, 1),
    volatilityScale: 1,
  };
}

/** All assets but the last in equal parts against the last. */
function againstLast(assets: number): Portfolio {
  const weights = (value: (i: number) => number) => Float64Array.from({ length: assets }, (_, i) => value(i));
  return {
    collateralWeights: weights(i => (i === assets - 1 ? 0 : 1 / (assets - 1))),
    loanWeights: weights(i => (i === assets - 1 ? 1 : 0)),
  };
}

const TERMS = {
  steps: STEPS,
  topUpSteps: 6,
  nominalRatio: 1.5,
  marginCallRatio: 1.3,
  liquidationRatio: 1.1,
  recoveryRatio: 1.5,
};

const loan = (portfolio: Portfolio): LoanProduct => ({ kind: 'loan', portfolio, ...TERMS });

const cappedLoan = (portfolio: Portfolio): CappedLoanProduct => ({
  kind: 'capped-loan',
  portfolio,
  capacityPerStep: 0.01,
  ...TERMS,
});

function origination(portfolio: Portfolio, score: OriginationScore): OriginationProduct {
  return {
    kind: 'origination',
    portfolio,
    steps: STEPS,
    topUpSteps: 6,
    score,
    liquidationThreshold: Float64Array.of(0.9, 0.8),
    marginCallThreshold: score === 'path-minimum' ? new Float64Array(0) : Float64Array.of(0.95, 0.9),
  };
}

function valueAtRisk(portfolio: Portfolio): ValueAtRiskProduct {
  return {
    kind: 'value-at-risk',
    portfolio,
    collateralValue: 1,
    loanValue: 1,
    horizonYears: Float64Array.of(1 / 365),
    horizonSteps: new Uint32Array(0),
    quantiles: Float64Array.of(0.95),
  };
}

function perpetual(contract: PerpetualProduct['contract']): PerpetualProduct {
  return {
    kind: 'perpetual',
    contract,
    quantity: contract === 'linear' ? 1 : 100,
    entryPrice: 100,
    startPrice: 100,
    initialMargin: contract === 'linear' ? 20 : 0.2,
    unrealizedPnl: 0,
    fundingRatePerInterval: 0.0001,
    settlements: Uint32Array.from({ length: STEPS }, (_, t) => (t % 8 === 7 ? 1 : 0)),
    debitsOnly: false,
    maintenanceMarginRate: 0.005,
    marginCallMultiple: 1.25,
    steps: STEPS,
  };
}
