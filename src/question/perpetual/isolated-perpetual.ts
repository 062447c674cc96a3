/**
 * /isolated_perp_risk: the possible outcomes of one isolated perpetual position (methodology part 7).
 */
import { RiskError } from '../../core/errors.ts';
import type { AccuracyFigures } from '../../core/figures/accuracy.ts';
import { positionDistribution } from '../../core/figures/distribution.ts';
import { positionWindowFigures, QUANTILES } from '../../core/figures/perpetual.ts';
import { HOURS_PER_DAY, HOURS_PER_YEAR } from '../../core/plan/grid.ts';
import { numberAssets } from '../../core/plan/portfolio.ts';
import { settlementsPerStep } from '../../core/plan/product/perpetual.ts';
import type { PerpetualProduct } from '../../core/plan/simulation-plan.ts';
import { type Warning, warnIf } from '../../core/warnings.ts';
import { lastCompleteDay } from '../../market/last-complete-day.ts';
import { FUNDING_PATH } from '../../market/missing-data.ts';
import { figuresInThread } from '../../models/calibration/calibration-pool.ts';
import { METHODOLOGIES } from '../../models/methodology/methodologies.ts';
import { fewRowsWarnings, sharesBelow, tailWarnings } from '../../models/methodology/warnings.ts';
import { accuracyOverWindows } from '../accuracy/windows.ts';
import { type Asked, answering, type QuestionRow, type Ran, runOnce } from '../answer.ts';
import { windowOf } from '../loan/need.ts';
import { BODY_BYTES, FULL_QUERY, type OperationContext, type Question } from '../question.ts';
import { shockFactor } from '../request/price-shock.ts';
import { reading } from '../resolved.ts';
import { pathsMember, pathsOf, workload } from '../workload.ts';
import { type Funding, fundingOf } from './funding.ts';
import {
  atMark,
  marginPrices,
  openPosition,
  type Position,
  refuseBeyondRange,
  shockedStart,
  startNotionalUsd,
} from './position.ts';
import { type MarkedTerms, type PerpetualRequest, type PerpetualTerms, perpetualRequest } from './request.ts';

/** A margin call warns at this multiple of the maintenance margin: a margin ratio of 80 %. */
const MARGIN_CALL_MULTIPLE = 1.25;

/** The position at its start, and its funding. */
interface Opened {
  readonly terms: MarkedTerms;
  readonly position: Position;
  readonly maintenanceMarginRate: number;
  readonly funding: Funding;
}
type RanPosition = Ran<PerpetualRequest, PerpetualProduct, Opened>;

const PERPETUAL: QuestionRow<PerpetualRequest, PerpetualProduct, Opened> = {
  resultMember: 'Results',
  need: ({ terms }) => ({
    ...windowOf(terms),
    portfolio: numberAssets({ [terms.market]: 1 }, {}),
    termSteps: () => terms.trade_duration_hours,
    horizons: [],
    ofMarks: true,
  }),
  async readAlso({ terms }, context) {
    const isUnmarked = terms.mark_price === undefined && terms.unrealized_pnl === undefined;
    const close = isUnmarked || terms.mark_price === 'close' ? await lastClose(terms, context) : undefined;
    const marked = atMark(terms, close);
    const maintenanceMarginRate =
      terms.maintenance_margin_rate ??
      context.maintenanceMargins.rateOf(terms.market, startNotionalUsd(marked));
    const position = openPosition(marked, maintenanceMarginRate);
    return {
      terms: marked,
      position,
      maintenanceMarginRate,
      funding: await fundingOf(terms, context),
      warnings: isUnmarked ? marketWarnings(position, close) : [],
    };
  },
  product,
  async run(plan, asked) {
    refuseBeyondRange(asked.request.terms, plan);
    return runOnce(plan, asked, { traced: true });
  },
  result: ({ outcome, plan: { paths, product }, context }) =>
    figuresInThread('position-figures', [outcome, product], paths, context),
  accuracy,
  distribution: ({ outcome, plan: { product, distribution } }) =>
    distribution && positionDistribution(outcome, product, distribution),
  model: ({ plan: { product }, set: { markVolatility, volatilityFigures } }) =>
    marginPrices(
      product,
      markVolatility ?? volatilityFigures['Collateral Volatility'],
      product.steps / HOURS_PER_YEAR,
    ),
  warnings: ({ set, request: { terms } }) => [
    ...tailWarnings(set.paths, Object.values(QUANTILES)),
    ...fewRowsWarnings(
      set.rows,
      terms.trade_duration_hours / HOURS_PER_DAY,
      sharesBelow(Object.values(QUANTILES)),
    ),
  ],
  addedArguments: ({ extra: { terms, position, funding } }) => ({
    funding_rate: funding.ratePerInterval,
    unrealized_pnl: terms.unrealized_pnl,
    ...(terms.mark_price !== undefined && { mark_price: position.startPrice }),
  }),
  basis: ({
    extra: {
      maintenanceMarginRate,
      funding: { source },
    },
  }) => ({
    maintenanceMarginRate,
    ...(source === undefined ? {} : { funding: source }),
  }),
};

/** The last close of the window, of its hours or its days; undefined where it is missing, which refuses the request by its window. */
async function lastClose(
  { market, analysis_date }: PerpetualTerms,
  context: OperationContext,
): Promise<number | undefined> {
  const day = lastCompleteDay(analysis_date, context.now);
  try {
    const hourly = await context.market.hourlyCloses(market, day, 1);
    const { prices } = 'missing' in hourly ? await context.market.dailyCloses([market], day, 1) : hourly;
    return prices[0][0];
  } catch (error) {
    if (error instanceof RiskError && error.reason === 'missing-market-data') return undefined;
    throw error;
  }
}

/** Largest distance of the last close from the entry price that is not told. */
const NEAR_MARKET = 0.001;

/** A warning where a position without a mark starts at its entry price, away from the last close. */
function marketWarnings({ entryPrice }: Position, close = entryPrice): readonly Warning[] {
  const apart = close / entryPrice - 1;
  return warnIf(
    Math.abs(apart) > NEAR_MARKET,
    'starts-at-entry',
    `Neither mark_price nor unrealized_pnl was sent, so the position starts at its entry price, ${entryPrice}. The last close, ${close}, ` +
      `is ${(100 * Math.abs(apart)).toPrecision(2)} % ${apart > 0 ? 'above' : 'below'} it: with mark_price "close" the position starts there.`,
  );
}

function product({ extra }: Asked<PerpetualRequest, Opened>): PerpetualProduct {
  const { terms } = extra;
  const steps = terms.trade_duration_hours;
  const factor = shockFactor(terms.price_shock, terms.market);
  return {
    kind: 'perpetual',
    ...extra.position,
    initialMargin: terms.initial_margin,
    unrealizedPnl: terms.unrealized_pnl,
    fundingRatePerInterval: extra.funding.ratePerInterval,
    settlements: settlementsPerStep(steps, terms.funding_interval_hour),
    debitsOnly: terms.funding_method === 'debitflat',
    marginCallMultiple: MARGIN_CALL_MULTIPLE,
    steps,
    ...(terms.liquidation_remainder === 'kept' && { keepsRemainder: true }),
    ...(factor === 1 ? {} : shockedStart(extra.position, terms, factor)),
  };
}

function accuracy({
  outcome,
  records,
  plan: { paths, product },
  context,
}: RanPosition): Promise<AccuracyFigures> | AccuracyFigures {
  const { confidence } = context.query;
  if (records === undefined)
    return figuresInThread('position-accuracy', [outcome, product, confidence], paths, context);
  const figures = positionWindowFigures(outcome, product, records);
  return accuracyOverWindows(figures, outcome.paths, product.steps, confidence, context);
}

export const PERPETUAL_QUESTION: Question<PerpetualRequest> = {
  name: 'perpetual',
  path: '/isolated_perp_risk',
  ...reading(perpetualRequest, terms => ({ methodology: terms.model, terms })),
  flat: true,
  query: FULL_QUERY,
  answer: answering(PERPETUAL),
  bodyBytes: BODY_BYTES,
  workload: ({ methodology, terms }) =>
    workload(
      {
        product: 'perpetual',
        model: METHODOLOGIES[methodology].kind,
        paths: pathsOf(terms),
        steps: terms.trade_duration_hours,
        assets: 1,
      },
      terms.model_lookback,
    ),
  planMember: ({ methodology }, field) =>
    field === 'steps' ? 'trade_duration_hours' : pathsMember(methodology),
  seriesMember({ terms: { market } }, series) {
    if (series.startsWith(FUNDING_PATH)) return 'funding_rate';
    return series === market ? 'market' : undefined;
  },
};
