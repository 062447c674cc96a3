/**
 * What became of a loan: the rules of /loan_risk on the prices that followed a day.
 *
 * Takes: closes by the hour and terms. Gives: which states the loan reached. It is a window of history of its own, so that a
 * forecast and its outcome are run by the same code.
 */
import { graceSteps, stepsOfDays } from '#src/core/plan/grid.js';
import { numberAssets } from '#src/core/plan/portfolio.js';
import type { LoanProduct, SimulationPlan } from '#src/core/plan/simulation-plan.js';
import type { QuestionEngines } from '#src/engine/engine-set.js';
import type { MarketData } from '#src/market/market-data.js';
import { DOLLAR } from '#src/text/symbols.js';

/** Terms of a loan of dollars against one asset. */
export interface SingleLoan {
  readonly asset: string;
  readonly durationDays: number;
  readonly topUpHours: number;
  readonly N: number;
  readonly M: number;
  readonly L: number;
  readonly R: number;
}

export interface LoanOutcomeStates {
  readonly marginCall: boolean;
  readonly liquidation: boolean;
  readonly closeout: boolean;
  readonly underwater: boolean;
}

/**
 * The states that a loan of the day `day` reached by the end of its term.
 *
 * @param day its closing price is the price at the start
 * @returns undefined where the hours of its term are not held
 */
export async function loanOutcome(
  { asset, durationDays, topUpHours, N, M, L, R }: SingleLoan,
  day: number,
  market: MarketData,
  engines: QuestionEngines,
): Promise<LoanOutcomeStates | undefined> {
  const steps = stepsOfDays(durationDays, 1);
  const closes = await market.hourlyCloses(
    asset,
    day + Math.ceil(durationDays),
    24 * Math.ceil(durationDays) + 1,
  );
  if ('missing' in closes) return undefined;
  const portfolio = numberAssets({ [asset]: 1 }, { [DOLLAR]: 1 });
  const held = closes.prices[0].subarray(0, steps + 1);
  const plan: SimulationPlan<LoanProduct> = {
    seed: 0,
    paths: 1,
    scenarios: {
      kind: 'historical',
      assets: 2,
      prices: portfolio.symbols.map(symbol =>
        symbol === DOLLAR ? new Float64Array(steps + 1).fill(1) : held,
      ),
      lead: steps,
    },
    product: {
      kind: 'loan',
      portfolio,
      steps,
      topUpSteps: graceSteps(topUpHours, 1),
      nominalRatio: N,
      marginCallRatio: M,
      liquidationRatio: L,
      recoveryRatio: R,
    },
  };
  const { marginCalls, liquidations, closeouts, underwater } = await engines.reference.run(plan);
  return {
    marginCall: marginCalls > 0,
    liquidation: liquidations > 0,
    closeout: closeouts > 0,
    underwater: underwater > 0,
  };
}
