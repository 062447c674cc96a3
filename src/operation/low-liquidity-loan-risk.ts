/**
 * /loan_risk_low_liquidity: a loan whose collateral sells no faster than its market trades (methodology part 6).
 */
import type { CappedLoanOutcome } from '../core/engine.ts';
import { cappedLoanFigures } from '../core/figures/capped-loan.ts';
import { loanDistribution } from '../core/figures/distribution.ts';
import { graceSteps, stepsOfDays } from '../core/plan/grid.ts';
import { type NumberedPortfolio, numberAssets } from '../core/plan/portfolio.ts';
import type { CappedLoanProduct, Scenarios, SimulationPlan } from '../core/plan/simulation-plan.ts';
import { mean } from '../core/stats/moments.ts';
import { quantilesType7 } from '../core/stats/quantile.ts';
import { lastCompleteDay } from '../market/last-complete-day.ts';
import type { AlignedPrices } from '../market/market-data.ts';
import type { LowLiquidityRequest } from '../request/low-liquidity-request.ts';
import { cappedLoanAccuracy } from './accuracy/capped-loan.ts';
import { exactLoanFigures } from './accuracy/exact.ts';
import { accuracyMember, EXACT_OF_WINDOW } from './accuracy/figures.ts';
import { withExact } from './accuracy/loan.ts';
import { garchScenarioSet } from './garch-scenarios.ts';
import { heavyTailedScenarioSet } from './heavy-tailed-scenarios.ts';
import type { IncludedMembers, Operation, OperationContext } from './operation.ts';
import { processedArguments } from './processed-arguments.ts';
import { readTogether } from './read-together.ts';
import { distributionOf, modelMembers, runOutcome, wantsAccuracy } from './run-plan.ts';
import { gbmScenarioSet, lookbackCloses, mergeFilled, type ScenarioSet } from './scenarios.ts';

const HOURS_PER_DAY = 24;
const USD_PER_MILLION = 1e6;
const VOLUME_STATISTICS = ['Mean', 'Minimum', '25% Quantile', 'Median', '75% Quantile', 'Maximum'] as const;

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
  const set = await cappedScenarios(request, portfolio, closes, steps, context);
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
    ...distributionOf(set.scenarios, set.gridHours, context),
  };
  const { value, engine } = await runOutcome(plan, context);
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
    basis: { gridHours: set.gridHours, paths: params.mc_iter },
    plan,
    fitted: set.fitted,
    included: {
      ...(wantsAccuracy(context)
        ? await lowLiquidityAccuracy(
            plan,
            value,
            params.loan_value,
            Object.keys(set.volatilityFigures),
            context,
          )
        : {}),
      ...(plan.distribution && value.distribution
        ? { Distribution: loanDistribution(value.distribution, plan.paths, steps, plan.distribution) }
        : {}),
      ...modelMembers(set, params, context),
    },
  };
};

function cappedScenarios(
  { type, params }: LowLiquidityRequest,
  portfolio: NumberedPortfolio,
  closes: AlignedPrices,
  steps: number,
  context: OperationContext,
): Promise<ScenarioSet<Scenarios>> | ScenarioSet<Scenarios> {
  switch (type) {
    case 'GBM':
      return gbmScenarioSet(portfolio, closes, params.volatility_shock);
    case 'GARCH':
      return garchScenarioSet(portfolio, closes, params.volatility_shock, steps, context);
    case 'STUDENT_T':
    case 'FHS':
    case 'BOOTSTRAP':
      return heavyTailedScenarioSet(portfolio, { ...params, type }, closes, steps, context);
  }
}

async function lowLiquidityAccuracy(
  plan: SimulationPlan<CappedLoanProduct>,
  outcome: CappedLoanOutcome,
  loanValueUsd: number,
  ofWindow: readonly string[],
  { query: { confidence: level }, signal }: OperationContext,
): Promise<IncludedMembers> {
  // Nothing is sold before the first call: its law is that of the loan without a cap.
  const uncapped = { ...plan, product: { ...plan.product, kind: 'loan' as const } };
  const { PrMarginCall } = await exactLoanFigures(uncapped, signal);
  const figures = withExact(
    cappedLoanAccuracy(outcome, loanValueUsd, level),
    PrMarginCall === undefined ? {} : { PrMarginCall },
    [...ofWindow, 'Maximum Market Daily Liquidation'],
  );
  const volumes = Object.fromEntries(VOLUME_STATISTICS.map(name => [name, EXACT_OF_WINDOW]));
  return {
    Accuracy: accuracyMember(level, outcome.paths, {
      ...figures,
      'Volume Summary (per Million)': volumes,
    }),
  };
}

/** Statistics of daily volumes in USD, quantiles of type 7. */
function volumeSummary(volumeUsd: Float64Array): Record<(typeof VOLUME_STATISTICS)[number], number> {
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
