/**
 * /loan_risk_low_liquidity: a loan whose collateral sells no faster than its market trades (methodology part 6).
 */
import type { z } from 'zod';
import { type AccuracyFigures, EXACT_OF_WINDOW, withExact } from '../../core/figures/accuracy.ts';
import { cappedLoanAccuracy, cappedLoanFigures } from '../../core/figures/capped-loan.ts';
import { loanDistribution } from '../../core/figures/distribution.ts';
import { VOLUME_FIGURES } from '../../core/figures/window.ts';
import { HOURS_PER_DAY } from '../../core/plan/grid.ts';
import type { CappedLoanProduct } from '../../core/plan/simulation-plan.ts';
import { mean } from '../../core/stats/moments.ts';
import { quantilesType7 } from '../../core/stats/quantile.ts';
import { type Warning, warnIf } from '../../core/warnings.ts';
import { lastCompleteDay } from '../../market/last-complete-day.ts';
import type { FilledSeries } from '../../market/market-data.ts';
import type { Day } from '../../text/calendar-date.ts';
import type { ResolveSymbol } from '../../text/symbols.ts';
import { accuracyOfWindow, answering, type QuestionRow, type Ran, runOnce } from '../answer.ts';
import { exactLoanFigures } from '../loan/exact.ts';
import { levelsOfLoan, loanProduct, loanWarnings } from '../loan/loan.ts';
import { loanNeed } from '../loan/need.ts';
import { loanMembers, ratioMembers, termsOfGivenLoan } from '../loan/request.ts';
import { loanReading } from '../loan/resolve.ts';
import { BODY_BYTES, FULL_QUERY, type Question } from '../question.ts';
import { amountMembers, amountPrices } from '../request/amounts.ts';
import { markets, participationRatio, volumeLookback } from '../request/fields.ts';
import { underWayMembers } from '../request/loan-fields.ts';
import { perDay } from '../request/parse.ts';
import { priceShock } from '../request/price-shock.ts';
import type { RequestOf } from '../resolved.ts';
import { type DrawnMembers, typedRequest } from '../typed-request.ts';
import { loanRequests } from '../workload.ts';

const cappedLoan = (today: Day, resolve: ResolveSymbol) => ({
  ...loanMembers(today, resolve),
  ...amountMembers(resolve),
  ...amountPrices(resolve),
  ...ratioMembers,
  volume_lookback: volumeLookback,
  markets: markets(resolve),
  participation_ratio: participationRatio,
  ...underWayMembers,
  price_shock: priceShock(resolve),
});

const CAPPED_LOAN_READING = loanReading({
  schema: perDay((today: Day, resolve) => typedRequest('capped-loan', { terms: cappedLoan(today, resolve) })),
  members: cappedLoan,
  sides: 'both',
  terms: termsOfGivenLoan<z.infer<z.ZodObject<ReturnType<typeof cappedLoan>>> & DrawnMembers>,
});

type LowLiquidityRequest = RequestOf<typeof CAPPED_LOAN_READING>;

const USD_PER_MILLION = 1e6;

interface Volume {
  /** Statistics in USD. */
  readonly summary: Readonly<Record<keyof typeof VOLUME_FIGURES, number>>;
  /** Most sales of a day, USD. */
  readonly dailyCapacityUsd: number;
  readonly filled: readonly FilledSeries[];
}

const CAPPED_LOAN: QuestionRow<LowLiquidityRequest, CappedLoanProduct, Volume> = {
  resultMember: 'Output',
  need: loanNeed,
  async readAlso({ terms }, { market, now }) {
    const { volumeUsd, filled } = await market.dailyVolumeUsd(
      terms.markets.map(([base, quote, exchange]) => ({ base, quote, exchange })),
      lastCompleteDay(terms.analysis_date, now),
      terms.volume_lookback,
    );
    const summary = volumeSummary(volumeUsd);
    return { summary, dailyCapacityUsd: summary.Median * terms.participation_ratio, filled };
  },
  product: ({ request, set, extra }) => ({
    ...loanProduct(request, request.terms, set),
    kind: 'capped-loan',
    capacityPerStep: extra.dailyCapacityUsd / HOURS_PER_DAY / request.terms.loan_value,
  }),
  run: runOnce,
  result: ({ request: { terms }, outcome, set, extra: { summary, dailyCapacityUsd } }) => ({
    ...cappedLoanFigures(outcome, terms.loan_value),
    ...set.volatilityFigures,
    'Volume Summary (per Million)': Object.fromEntries(
      Object.entries(summary).map(([name, usd]) => [name, usd / USD_PER_MILLION]),
    ),
    'Maximum Market Daily Liquidation': dailyCapacityUsd,
  }),
  accuracy,
  distribution: ({ plan: { distribution, paths, product }, outcome }) =>
    distribution &&
    outcome.distribution &&
    loanDistribution(outcome.distribution, paths, product.steps, distribution),
  model: levelsOfLoan,
  warnings: ran => [...loanWarnings(ran), ...volumeWarnings(ran.request.terms)],
};

/** A warning where a market trades an asset that is no collateral. */
function volumeWarnings({ markets, collateral_weights }: LowLiquidityRequest['terms']): readonly Warning[] {
  const other = markets.filter(([base]) => !Object.hasOwn(collateral_weights, base));
  return warnIf(
    other.length > 0,
    'other-volume',
    `The volume includes ${other.map(market => market.join('/')).join(', ')}, which ${other.length === 1 ? 'trades' : 'trade'} no asset of the collateral.`,
  );
}

async function accuracy({
  request,
  plan,
  outcome,
  set,
  context,
}: Ran<LowLiquidityRequest, CappedLoanProduct, Volume>): Promise<AccuracyFigures> {
  // Nothing is sold before the first call, whose law equals the uncapped loan's.
  const uncapped = { ...plan, product: { ...plan.product, kind: 'loan' as const } };
  const { PrMarginCall } = await exactLoanFigures(uncapped, context);
  const { loan_value } = request.terms;
  const figures = cappedLoanAccuracy(outcome, plan, loan_value, context.query.confidence);
  return {
    ...withExact(figures, PrMarginCall === undefined ? {} : { PrMarginCall }),
    ...accuracyOfWindow(set),
    'Maximum Market Daily Liquidation': EXACT_OF_WINDOW,
    'Volume Summary (per Million)': Object.fromEntries(
      Object.keys(VOLUME_FIGURES).map(name => [name, EXACT_OF_WINDOW]),
    ),
  };
}

/** Statistics of daily volumes in USD, quantiles of type 7. */
function volumeSummary(volumeUsd: Float64Array): Volume['summary'] {
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

export const CAPPED_LOAN_QUESTION: Question<LowLiquidityRequest> = {
  name: 'capped-loan',
  path: '/loan_risk_low_liquidity',
  ...CAPPED_LOAN_READING,
  query: FULL_QUERY,
  answer: answering(CAPPED_LOAN),
  bodyBytes: BODY_BYTES,
  ...loanRequests<LowLiquidityRequest>('capped-loan'),
};
