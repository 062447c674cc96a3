/**
 * /loan_risk_low_liquidity: a loan whose collateral sells no faster than its market trades (methodology part 6).
 */
import type { CappedLoanOutcome } from '../engine/engine.ts';
import { lastCompleteDay } from '../market/last-complete-day.ts';
import { graceSteps, stepsOfDays } from '../plan/grid.ts';
import { numberAssets } from '../plan/portfolio.ts';
import type { CappedLoanProduct, SimulationPlan } from '../plan/simulation-plan.ts';
import type { LowLiquidityRequest } from '../request/low-liquidity-request.ts';
import { mean } from '../stats/moments.ts';
import { quantilesType7 } from '../stats/quantile.ts';
import { garchScenarioSet } from './garch-scenarios.ts';
import type { Operation } from './operation.ts';
import { processedArguments } from './processed-arguments.ts';
import { readTogether } from './read-together.ts';
import { gbmScenarioSet, lookbackCloses, mergeFilled } from './scenarios.ts';

const HOURS_PER_DAY = 24;
const USD_PER_MILLION = 1e6;

/** Answers /loan_risk_low_liquidity. */
export const lowLiquidityLoanRisk: Operation<LowLiquidityRequest> = async (request, context) => {
  const { params } = request;
  const portfolio = numberAssets(params.collateral_weights, params.loan_weights);
  const steps = stepsOfDays(params.loan_duration, 1);
  const [volume, closes] = await readTogether([
    context.market.dailyVolumeUsd(
      params.markets.map(([base, quote, exchange]) => ({ base, quote, exchange })),
      lastCompleteDay(params.analysis_date, context.now),
      params.volume_lookback,
    ),
    lookbackCloses(portfolio, params, context),
  ]);
  const set =
    request.type === 'GBM'
      ? gbmScenarioSet(portfolio, closes, params.volatility_shock)
      : await garchScenarioSet(portfolio, closes, params.volatility_shock, steps, context);
  const summary = volumeSummary(volume.volumeUsd);
  const dailyCapacityUsd = summary.Median * params.participation_ratio;
  const plan: SimulationPlan<CappedLoanProduct> = {
    seed: context.seed,
    paths: params.mc_iter,
    scenarios: set.scenarios,
    product: {
      kind: 'capped-loan',
      portfolio,
      steps,
      topUpSteps: graceSteps(params.mc_top_up, 1),
      nominalRatio: params.N,
      marginCallRatio: params.M,
      liquidationRatio: params.L,
      recoveryRatio: params.R,
      capacityPerStep: dailyCapacityUsd / HOURS_PER_DAY / params.loan_value,
    },
  };
  const { value, engine } = await context.engines.use(
    plan,
    context.compute,
    engine => engine.run(plan, { signal: context.signal }),
    { log: context.log },
  );
  return {
    resultMember: 'Output',
    arguments: processedArguments(params),
    result: {
      ...cappedLoanFigures(value, params.loan_value),
      ...set.volatilityFigures,
      'Volume Summary (per Million)': Object.fromEntries(
        Object.entries(summary).map(([name, usd]) => [name, usd / USD_PER_MILLION]),
      ),
      'Maximum Market Daily Liquidation': dailyCapacityUsd,
    },
    engine,
    filled: mergeFilled(set.filled, volume.filled),
    basis: { gridHours: set.gridHours, scenarios: params.mc_iter },
  };
};

/** Statistics of daily volumes in USD, quantiles of type 7. */
function volumeSummary(volumeUsd: Float64Array) {
  const [minimum, lower, median, upper, maximum] = quantilesType7(volumeUsd.slice(), [0, 0.25, 0.5, 0.75, 1]);
  return {
    Mean: mean(volumeUsd),
    Minimum: minimum,
    '25% Quantile': lower,
    Median: median,
    '75% Quantile': upper,
    Maximum: maximum,
  };
}

/** Amounts in USD: the outcome has them in units of the initial loan value. */
function cappedLoanFigures(outcome: CappedLoanOutcome, loanValueUsd: number): Record<string, number> {
  const { paths } = outcome;
  const average = (total: number, count: number) => (count === 0 ? 0 : (loanValueUsd * total) / count);
  return {
    PrMarginCall: outcome.marginCalls / paths,
    PrLiquidation: outcome.liquidations / paths,
    PrUnderwater: outcome.underwater / paths,
    PrCloseout: outcome.closeouts / paths,
    AvgMarginCall: average(outcome.callAmount, outcome.calls),
    AvgLiquidation: average(outcome.soldAmount, outcome.sellers),
    WorstCaseCCR: outcome.worstCcr,
  };
}
