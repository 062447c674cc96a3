/** /advance_rate: how much may be lent against collateral that takes hours to sell (docs/advance-rate.md). */
import type { AccuracyFigures } from '../../core/figures/accuracy.ts';
import {
  advanceRateAccuracy,
  advanceRateFigures,
  advanceRateWindowFigures,
  completedWindowAccuracy,
  MIN_EXPOSURES,
} from '../../core/figures/advance-rate.ts';
import { type GridHours, HOURS_PER_DAY, roundedSteps } from '../../core/plan/grid.ts';
import { exposureStarts, ordersPerStep } from '../../core/plan/product/advance-rate.ts';
import type { AdvanceRateProduct } from '../../core/plan/simulation-plan.ts';
import { type Warning, warnIf } from '../../core/warnings.ts';
import { METHODOLOGIES } from '../../models/methodology/methodologies.ts';
import type { Need } from '../../models/methodology/methodology.ts';
import { pairsOf } from '../../models/methodology/pegged-pairs.ts';
import {
  fewRowsWarnings,
  normalTailWarnings,
  sharesBelow,
  tailWarnings,
} from '../../models/methodology/warnings.ts';
import { accuracyOverWindows } from '../accuracy/windows.ts';
import {
  type Asked,
  accuracyOfWindow,
  answering,
  type QuestionRow,
  type Ran,
  runOnce,
  wantsAccuracy,
} from '../answer.ts';
import { windowOf } from '../loan/need.ts';
import { BODY_BYTES, type Question } from '../question.ts';
import { rising } from '../request/fields.ts';
import { rowsOfHorizons } from '../table.ts';
import { paramsMember, pathsOf, weightMember, workload } from '../workload.ts';
import { exactRates } from './exact.ts';
import { ADVANCE_RATE_READING, type AdvanceRateRequest } from './request.ts';

type RanRates = Ran<AdvanceRateRequest, AdvanceRateProduct>;
type Terms = AdvanceRateRequest['terms'];

const ADVANCE_RATE: QuestionRow<AdvanceRateRequest, AdvanceRateProduct> = {
  resultMember: 'Output',
  need: ({ terms, portfolio }): Need => ({
    ...windowOf(terms),
    portfolio,
    pairs: pairsOf(portfolio.symbols, portfolio.collateralWeights, portfolio.loanWeights),
    termSteps: gridHours => withinSteps(terms, gridHours) + Math.max(1, ...stepsOf(terms, gridHours)),
    horizons: terms.exposure_hours.map((hours, i) => ({
      path: `params.exposure_hours.${i}`,
      days: hours / HOURS_PER_DAY,
      hours,
    })),
  }),
  product: rateProduct,
  run: (plan, asked, options) => runOnce(plan, asked, { ...options, traced: true }),
  result: ({ outcome, plan: { product }, request: { terms }, set }) => ({
    ...advanceRateFigures(outcome, product, keysOf(terms)),
    ...set.volatilityFigures,
  }),
  accuracy,
  warnings: ran => {
    const { set, request } = ran;
    const { confidence = [], exposure_hours } = request.terms;
    return [
      ...(confidence.length === 0 ? [] : tailWarnings(set.paths, confidence)),
      ...normalTailWarnings(set.scenarios.kind, confidence),
      ...fewRowsWarnings(set.rows, Math.min(...exposure_hours) / HOURS_PER_DAY, sharesBelow(confidence)),
      ...sampleWarnings(ran),
    ];
  },
};

/** Hours of exposures in their order as keys of the answer. */
const keysOf = ({ exposure_hours }: Terms) => Array.from(rising(exposure_hours), String);

const stepsOf = ({ exposure_hours }: Terms, gridHours: GridHours) =>
  exposure_hours.map(hours => roundedSteps(hours / HOURS_PER_DAY, gridHours));

/** Steps that may begin an exposure, as deadlines are rounded: up. */
const withinSteps = ({ after_fall }: Terms, gridHours: GridHours): number =>
  after_fall === undefined ? 0 : Math.ceil(after_fall.within_hours / gridHours);

function rateProduct({
  request: { terms, start },
  set,
  context,
}: Asked<AdvanceRateRequest>): AdvanceRateProduct {
  const { measure, sale_cost, after_fall, confidence = [], expected_loss = [], advance_rate = [] } = terms;
  const horizonSteps = Uint32Array.from(rising(stepsOf(terms, set.stepHours)));
  const within = withinSteps(terms, set.stepHours);
  return {
    kind: 'advance-rate',
    portfolio: start.portfolio,
    steps: within + horizonSteps[horizonSteps.length - 1],
    horizonSteps,
    lowest: measure === 'lowest',
    saleCost: sale_cost,
    ...(after_fall && { after: { ratio: 1 - after_fall.fall, withinSteps: within } }),
    confidences: rising(confidence),
    expectedLosses: rising(expected_loss),
    rates: rising(advance_rate),
    ...(wantsAccuracy(context) ? { intervalLevel: context.query.confidence } : {}),
  };
}

async function accuracy(ran: RanRates): Promise<AccuracyFigures> {
  const { plan, outcome, records, set, context, request } = ran;
  const { confidence } = context.query;
  const { product, paths } = plan;
  const keys = keysOf(request.terms);
  if (records === undefined) {
    const found = advanceRateAccuracy(outcome, product, keys, confidence);
    return { ...(await exactRates(plan, keys, found, context)), ...accuracyOfWindow(set) };
  }
  const perHorizon: Record<string, AccuracyFigures> = {};
  for (const [k, key] of keys.entries()) {
    const steps = exposureStarts(product) + product.horizonSteps[k];
    const figures = advanceRateWindowFigures(product, outcome, records, k);
    const found = await accuracyOverWindows(figures, paths, steps, confidence, context);
    perHorizon[key] = completedWindowAccuracy(product, outcome.horizons[k], found, confidence);
  }
  return { ...perHorizon, ...accuracyOfWindow(set) };
}

/** Fewest episodes behind a figure without a warning. */
const MIN_EPISODES = 5;

/** Warnings of figures that few falls, or few episodes of history, decide. */
function sampleWarnings({ outcome, plan: { product }, request: { terms } }: RanRates): readonly Warning[] {
  const keys = keysOf(terms);
  const untriggered = keys.filter((_, k) => outcome.horizons[k].exposures < MIN_EXPOSURES);
  const named = (level: string, numbers: Float64Array, k: number, i: number) =>
    `${keys[k]} h, ${level} ${numbers[i]}`;
  const few = outcome.horizons.flatMap(({ confidences, expectedLosses, rates }, k) =>
    (
      [
        ['confidence', product.confidences, confidences],
        ['expected loss', product.expectedLosses, expectedLosses],
        ['rate', product.rates, rates],
      ] as const
    ).flatMap(([level, numbers, found]) =>
      found.flatMap(({ episodes = MIN_EPISODES }, i) =>
        episodes < MIN_EPISODES ? [`${named(level, numbers, k, i)} (${episodes})`] : [],
      ),
    ),
  );
  return [
    ...warnIf(
      product.after !== undefined && untriggered.length > 0,
      'few-triggers',
      `Fewer than ${MIN_EXPOSURES} scenarios reach the fall within within_hours (exposures of ${untriggered.join(', ')} h): their figures are null. Use a smaller fall or a longer within_hours.`,
    ),
    ...warnIf(
      few.length > 0,
      'few-episodes',
      `Fewer than ${MIN_EPISODES} episodes of the history lose at ${shortened(few)}: many windows that overlap are one event, and the next one decides.`,
    ),
  ];
}

const SHOWN = 6;
const shortened = (names: readonly string[]): string =>
  names.length > SHOWN
    ? `${names.slice(0, SHOWN).join('; ')} and ${names.length - SHOWN} more`
    : names.join('; ');

export const ADVANCE_RATE_QUESTION: Question<AdvanceRateRequest> = {
  name: 'advance-rate',
  path: '/advance_rate',
  table: rowsOfHorizons,
  ...ADVANCE_RATE_READING,
  query: { include: ['accuracy', 'model', 'plan', 'warnings'], sampling: [] },
  answer: answering(ADVANCE_RATE),
  bodyBytes: BODY_BYTES,
  workload({ methodology, terms, portfolio }) {
    const { kind } = METHODOLOGIES[methodology];
    const { exposure_hours, confidence = [], expected_loss = [], advance_rate = [] } = terms;
    const within = withinSteps(terms, 1);
    // Windows of history have paths of their own for each length.
    const lengths = kind === 'historical' ? exposure_hours : [Math.max(...exposure_hours)];
    const steps = lengths.reduce((sum, hours) => sum + within + hours, 0);
    return workload(
      {
        product: 'advance-rate',
        model: kind,
        paths: pathsOf(terms),
        steps,
        assets: portfolio.symbols.length,
        orders: ordersPerStep({
          steps,
          horizonSteps: exposure_hours,
          confidences: confidence,
          expectedLosses: expected_loss,
          rates: advance_rate,
        }),
      },
      terms.model_lookback,
    );
  },
  planMember: paramsMember('exposure_hours'),
  seriesMember: ({ terms }, asset, sent) => weightMember(terms, asset, sent),
};
