/** The figures of advance rates, by their names in the interface (docs/advance-rate.md). */
import type { AdvanceRateOutcome, PathRecords } from '../engine.ts';
import type { AdvanceRateProduct, RateOutcome } from '../plan/product/advance-rate.ts';
import { meanError, ratioError } from '../stats/intervals.ts';
import {
  type FigureAccuracy,
  MIN_EVENTS,
  meanFigure,
  quantileFigure,
  shareFigure,
  type WindowFigure,
  without,
} from './accuracy.ts';
import { errorAtConfidence, errorAtExpectedLoss, slopeOf } from './advance-rate-errors.ts';
import { type DescribedFigure, type FigureRange, NOT_NEGATIVE, POSITIVE, SHARE } from './figure.ts';

/** Members of a horizon, each with a level for a key. */
export const RATE_LEVELS = {
  Confidence: {
    terms: 'confidences',
    words: 'By confidence: the largest rate at which at most a share 1 - confidence of the exposures lose.',
  },
  ExpectedLoss: {
    terms: 'expectedLosses',
    words: 'By expected loss, a share of the debt: the largest rate whose mean loss is at most that.',
  },
  AdvanceRate: { terms: 'rates', words: 'By advance rate as sent: what is lost at that rate.' },
} as const;
export type RateLevel = keyof typeof RATE_LEVELS;

/** Exposures that begin at a horizon, of so many paths. */
interface Exposures {
  readonly exposures: number;
  readonly paths: number;
}

interface RateFigure extends DescribedFigure {
  /** The members of a horizon that have it. */
  readonly of: readonly RateLevel[];
  /** Present where only windows of history have it, or only exposures after a fall. */
  readonly only?: 'windows' | 'after';
  value(at: RateOutcome, of: Exposures): number | null;
}

const ALL = Object.keys(RATE_LEVELS) as readonly RateLevel[];
const PERCENT = 100;
const PERCENTS: FigureRange = [0, PERCENT];

/** The figures of a level, in the order of the answer; null where fewer than 30 exposures begin. */
export const RATE_FIGURES = {
  AdvanceRate: {
    unit: 'debt / collateral value',
    range: POSITIVE,
    words: 'Largest debt over the value of the collateral when the exposure begins.',
    label: 'Advance rate',
    note: 'debt over collateral',
    of: ['Confidence', 'ExpectedLoss'],
    value: ({ rate }) => rate,
  },
  Haircut: {
    unit: 'fraction',
    range: [Number.NEGATIVE_INFINITY, 1],
    words: '1 - AdvanceRate.',
    label: 'Haircut',
    of: ['Confidence'],
    value: ({ rate }) => 1 - rate,
  },
  TriggerRatio: {
    unit: 'collateral value / loan value',
    range: POSITIVE,
    words: '1 / AdvanceRate: the coverage ratio at which the sale must begin.',
    label: 'The sale must begin at',
    ltvLabel: 'The sale must begin at LTV',
    of: ['Confidence'],
    value: ({ rate }) => 1 / rate,
  },
  PrLoss: {
    unit: 'fraction',
    range: SHARE,
    words: 'Share of the exposures whose sale brings less than the debt.',
    label: 'Chance of a loss',
    of: ['ExpectedLoss', 'AdvanceRate'],
    value: ({ losing }, { exposures }) => losing / exposures,
  },
  PrLossOfAll: {
    unit: 'fraction',
    range: SHARE,
    words: 'PrLoss x PrTrigger: share of all scenarios that fall and then lose; with after_fall only.',
    label: 'Chance of a fall and a loss',
    of: ['ExpectedLoss', 'AdvanceRate'],
    only: 'after',
    value: ({ losing }, { paths }) => losing / paths,
  },
  ExpectedLossPct: {
    unit: 'percent of the debt',
    range: PERCENTS,
    words: 'Mean loss.',
    label: 'Expected loss',
    of: ['Confidence', 'AdvanceRate'],
    value: ({ loss }, { exposures }) => (PERCENT * loss) / exposures,
  },
  LossGivenLossPct: {
    unit: 'percent of the debt',
    range: PERCENTS,
    words: 'Mean loss of the exposures that lose; null without one.',
    label: 'Loss where there is one',
    of: ['AdvanceRate'],
    value: ({ losing, loss }) => (losing === 0 ? null : (PERCENT * loss) / losing),
  },
  Episodes: {
    unit: 'episodes',
    range: NOT_NEGATIVE,
    words:
      'Losing windows of history that begin more than an exposure after the losing window before; HISTORICAL only.',
    label: 'Episodes that lose',
    of: ALL,
    only: 'windows',
    value: ({ episodes = 0 }) => episodes,
  },
} as const satisfies Readonly<Record<string, RateFigure>>;
export type RateFigureName = keyof typeof RATE_FIGURES;

/** The share of the paths on which an exposure begins. */
export const TRIGGER_FIGURE = {
  unit: 'fraction',
  range: SHARE,
  words: 'Share of the scenarios in which the fall is reached; with after_fall only.',
  label: 'Chance of the fall',
  optional: true,
} as const satisfies DescribedFigure;

/** Fewest exposures for figures of them. */
export const MIN_EXPOSURES = 30;

const ROWS = Object.entries(RATE_FIGURES) as readonly [RateFigureName, RateFigure][];

/** A horizon of the answer: figures by level, and PrTrigger where exposures begin after a fall. */
export type RatesOfHorizon<V> = { readonly PrTrigger?: V } & {
  readonly [L in RateLevel]?: Readonly<Record<string, Partial<Record<RateFigureName, V>>>>;
};

/** A level, and `number` as it was sent. */
interface Place {
  readonly level: RateLevel;
  readonly at: RateOutcome;
  readonly number: number;
}

/** The members of a horizon. @param of undefined for a figure without a value */
function rates<V>(
  product: AdvanceRateProduct,
  horizon: AdvanceRateOutcome['horizons'][number],
  of: (name: RateFigureName, row: RateFigure, place: Place | undefined) => V | undefined,
  isWindows: boolean,
) {
  const members: { [L in RateLevel]?: Record<string, Partial<Record<RateFigureName, V>>> } = {};
  for (const level of ALL) {
    const { terms } = RATE_LEVELS[level];
    if (product[terms].length === 0) continue;
    const rows = ROWS.filter(
      ([, row]) =>
        row.of.includes(level) &&
        (row.only !== 'windows' || isWindows) &&
        (row.only !== 'after' || product.after !== undefined),
    );
    members[level] = Object.fromEntries(
      Array.from(product[terms], (number, i) => {
        const at = horizon.exposures < MIN_EXPOSURES ? undefined : horizon[terms][i];
        const figures = rows.flatMap(([name, row]) => {
          const value = of(name, row, at && { level, at, number });
          return value === undefined ? [] : [[name, value]];
        });
        return [String(number), Object.fromEntries(figures)];
      }),
    );
  }
  return members;
}

/** The figures of every horizon, by its key. @param keys one per horizon, rising */
export function advanceRateFigures(
  { horizons, paths }: AdvanceRateOutcome,
  product: AdvanceRateProduct,
  keys: readonly string[],
): Readonly<Record<string, RatesOfHorizon<number | null>>> {
  return keyed(keys, k => {
    const horizon = horizons[k];
    const isWindows = horizonHasEpisodes(horizon);
    return {
      ...(product.after && { PrTrigger: horizon.exposures / paths }),
      ...rates<number | null>(
        product,
        horizon,
        (_, row, place) =>
          place === undefined ? null : row.value(place.at, { exposures: horizon.exposures, paths }),
        isWindows,
      ),
    };
  });
}

const horizonHasEpisodes = ({
  confidences,
  expectedLosses,
  rates: given,
}: AdvanceRateOutcome['horizons'][number]): boolean =>
  [...confidences, ...expectedLosses, ...given].some(({ episodes }) => episodes !== undefined);

const keyed = <V>(keys: readonly string[], of: (k: number) => V): Readonly<Record<string, V>> =>
  Object.fromEntries(keys.map((key, k) => [key, of(k)]));

/** Accuracy of the figures on independent paths. @param level of the intervals, in (0, 1) */
export function advanceRateAccuracy(
  { horizons, paths }: AdvanceRateOutcome,
  product: AdvanceRateProduct,
  keys: readonly string[],
  level: number,
): Readonly<Record<string, RatesOfHorizon<FigureAccuracy>>> {
  return keyed(keys, k => {
    const horizon = horizons[k];
    const of = { exposures: horizon.exposures, paths };
    return {
      ...(product.after && { PrTrigger: shareFigure(horizon.exposures, paths, level) }),
      ...rates<FigureAccuracy>(
        product,
        horizon,
        (name, _, place) =>
          place === undefined ? without('too-few-events') : accuracyOfRate(name, place, of, level),
        false,
      ),
    };
  });
}

function accuracyOfRate(
  name: RateFigureName,
  { level: of, at }: Place,
  { exposures, paths }: Exposures,
  level: number,
): FigureAccuracy {
  const { rate, losing, loss, lossSquares } = at;
  const row: RateFigure = RATE_FIGURES[name];
  const meanLoss = meanError({ paths: exposures, sum: loss, squares: lossSquares });
  switch (name) {
    case 'AdvanceRate':
    case 'Haircut':
    case 'TriggerRatio': {
      if (of === 'Confidence') return boundsAs(name, quantileFigure(at.low, at.high, level), level);
      const slope = slopeOf(at, exposures);
      const inverted = meanFigure(rate, meanLoss && meanLoss / slope, losing, level, row.range);
      return inverted.low === null ? inverted : { ...inverted, method: 'inverted' };
    }
    case 'PrLoss':
    case 'PrLossOfAll': {
      const all = name === 'PrLoss' ? exposures : paths;
      const error = of === 'ExpectedLoss' && meanLoss && errorAtExpectedLoss(at, exposures, meanLoss, level);
      if (!error || losing < MIN_EVENTS) return shareFigure(losing, all, level);
      // The share of the paths with an exposure varies independently of what these lose.
      const begin = exposures / all;
      const ofBegin = Math.sqrt((begin * (1 - begin)) / all);
      const ofAll = Math.hypot(begin * error, (losing / exposures) * ofBegin);
      return meanFigure(losing / all, ofAll, losing, level, row.range);
    }
    case 'ExpectedLossPct': {
      const error =
        of === 'Confidence' ? meanLoss && errorAtConfidence(at, exposures, meanLoss, level) : meanLoss;
      return meanFigure((PERCENT * loss) / exposures, error && PERCENT * error, losing, level, row.range);
    }
    case 'LossGivenLossPct': {
      const error = ratioError({
        paths: exposures,
        events: losing,
        eventSquares: losing,
        amount: loss,
        amountSquares: lossSquares,
        products: loss,
      });
      const given = row.value(at, { exposures, paths }) ?? 0;
      return meanFigure(given, error && PERCENT * error, losing, level, row.range);
    }
    case 'Episodes':
      return without('none');
  }
}

/** The interval of a rate as that of a figure which follows from it. */
function boundsAs(name: 'AdvanceRate' | 'Haircut' | 'TriggerRatio', rate: FigureAccuracy, level: number) {
  if (name === 'AdvanceRate') return rate;
  const of = (bound: number | null) =>
    bound === null ? undefined : RATE_FIGURES[name].value({ rate: bound } as RateOutcome);
  return { ...quantileFigure(of(rate.high), of(rate.low), level), method: rate.method };
}

/** Figures of windows of one horizon, under the names of the answer; Haircut and TriggerRatio follow from AdvanceRate. */
export function advanceRateWindowFigures(
  product: AdvanceRateProduct,
  { horizons, paths }: AdvanceRateOutcome,
  records: PathRecords,
  k: number,
) {
  const horizon = horizons[k];
  const { exposures } = horizon;
  const kept = 1 - product.saleCost;
  const proceeds = records[`ratio.${k}`].map(ratio => kept * ratio);
  const begins = proceeds.map(value => Number(value < Number.POSITIVE_INFINITY));
  const lossAt = (rate: number) => proceeds.map(value => Math.max(0, 1 - value / rate));
  const losesAt = (rate: number) => proceeds.map(value => Number(value < rate));
  /** Contributions to a ratio of two means, whose mean it is. */
  const ofRatio = (
    amounts: Float64Array,
    events: Float64Array,
    sum: number,
    range: FigureRange,
  ): WindowFigure => {
    const ratio = amounts.reduce((total, amount) => total + amount, 0) / sum;
    const contributions = amounts.map((amount, p) => ratio + ((amount - ratio * events[p]) * paths) / sum);
    return { kind: 'mean', contributions, range };
  };
  const figure = (name: RateFigureName, { level, at, number }: Place): WindowFigure | undefined => {
    const { rate } = at;
    switch (name) {
      case 'AdvanceRate': {
        if (level === 'Confidence')
          return { kind: 'quantile', values: proceeds, probability: 1 - number, quantile: rate };
        const perLoss = paths / (exposures * slopeOf(at, exposures));
        const contributions = lossAt(rate).map((loss, p) => rate - (loss - number * begins[p]) * perLoss);
        return { kind: 'mean', contributions, range: POSITIVE };
      }
      case 'PrLoss':
        return product.after === undefined
          ? { kind: 'share', contributions: losesAt(rate) }
          : ofRatio(losesAt(rate), begins, exposures, SHARE);
      case 'PrLossOfAll':
        return { kind: 'share', contributions: losesAt(rate) };
      case 'ExpectedLossPct':
        return ofRatio(
          lossAt(rate).map(loss => PERCENT * loss),
          begins,
          exposures,
          PERCENTS,
        );
      case 'LossGivenLossPct':
        if (at.losing === 0) return undefined;
        return ofRatio(
          lossAt(rate).map(loss => PERCENT * loss),
          losesAt(rate),
          at.losing,
          PERCENTS,
        );
      case 'Haircut':
      case 'TriggerRatio':
      case 'Episodes':
        return undefined;
    }
  };
  return {
    ...(product.after && { PrTrigger: { kind: 'share', contributions: begins } as WindowFigure }),
    ...rates<WindowFigure>(product, horizon, (name, _, place) => place && figure(name, place), true),
  };
}

/** The accuracy of all figures of a horizon, from that of its figures of windows. */
export function completedWindowAccuracy(
  product: AdvanceRateProduct,
  horizon: AdvanceRateOutcome['horizons'][number],
  found: RatesOfHorizon<FigureAccuracy>,
  level: number,
): RatesOfHorizon<FigureAccuracy> {
  return {
    ...found,
    ...rates<FigureAccuracy>(
      product,
      horizon,
      (name, _, place) => {
        if (place === undefined) return without('too-few-events');
        const own = found[place.level]?.[String(place.number)];
        if (name === 'Episodes') return without('none');
        if (name === 'Haircut' || name === 'TriggerRatio')
          return own?.AdvanceRate && boundsAs(name, own.AdvanceRate, level);
        return own?.[name] ?? without('too-few-events');
      },
      true,
    ),
  };
}
