/** The figures of tranches and of what bears a book's losses, by their names in the interface (docs/tranches.md). */
import {
  afterSpread,
  coveredShares,
  lossBetween,
  netLosses,
  type PathLosses,
  type TrancheOutcome,
  type TrancheTerms,
  trancheLosses,
  uncoveredLoss,
  type WaterfallOutcome,
  type WaterfallTerms,
} from '../book/waterfall.ts';
import type { ColumnSummary } from '../plan/product/book.ts';
import { type AccuracyFigures, type FigureAccuracy, without } from './accuracy.ts';
import type { ColumnStatistic, OfStatistics } from './book.ts';
import {
  byQuantile,
  type DescribedFigure,
  type FigureRange,
  NOT_NEGATIVE,
  POSITIVE,
  SHARE,
} from './figure.ts';

/** Most of the loan value that a tranche may reach to: losses include interest. */
export const MOST_DETACH = 2;
const ATTACHES: FigureRange = [0, MOST_DETACH];
const PERCENT = 100;

/** Statistic of a tranche's loss: those of a column, its mean in per cent of the tranche, the share of paths on which it is lost. */
export type TrancheStatistic = ColumnStatistic | 'percent' | 'full';

interface TrancheFigure extends DescribedFigure {
  readonly is: TrancheStatistic;
}

/** Where a tranche lies. */
export const TRANCHE_PLACES = {
  Attach: {
    unit: 'fraction',
    range: ATTACHES,
    words:
      'Share of the loan value at which its losses begin, after the reserve; null where attach_for has no answer.',
    label: 'Losses begin at',
    note: 'of the loan value',
  },
  Detach: {
    unit: 'fraction',
    range: ATTACHES,
    words: 'Share of the loan value at which nothing of it is left.',
    label: 'Lost at',
    note: 'of the loan value',
  },
  Size: { unit: 'USD', range: POSITIVE, words: '(Detach - Attach) x LoanValue.', label: 'Size' },
} as const satisfies Readonly<Record<string, DescribedFigure>>;

/** The figures of a tranche, in the order of the answer; null where it has no attachment point. */
export const TRANCHE_FIGURES = {
  ExpectedLoss: {
    is: 'mean',
    unit: 'USD',
    range: NOT_NEGATIVE,
    words: 'Mean loss of the tranche.',
    label: 'Expected loss',
  },
  ExpectedLossPct: {
    is: 'percent',
    unit: 'percent of the tranche',
    range: [0, PERCENT],
    words: 'The same in per cent of Size.',
    label: 'Expected loss',
    note: 'of the tranche',
  },
  PrLoss: {
    is: 'share',
    unit: 'fraction',
    range: SHARE,
    words: 'Share of the scenarios in which it loses anything.',
    label: 'Chance of any loss',
  },
  PrFullLoss: {
    is: 'full',
    unit: 'fraction',
    range: SHARE,
    words: 'Share of the scenarios in which nothing of it is left.',
    label: 'Chance that it is lost',
  },
  LossVar: {
    is: 'quantile',
    unit: 'USD',
    range: NOT_NEGATIVE,
    words: 'Quantiles of its loss.',
    label: 'Loss at the level',
  },
  LossCVar: {
    is: 'tailMean',
    unit: 'USD',
    range: NOT_NEGATIVE,
    words: 'Its mean loss over its worst 1 - q of the scenarios.',
    label: 'Mean loss beyond the level',
  },
} as const satisfies Readonly<Record<string, TrancheFigure>>;

const layer = (words: string, label: string) => ({ unit: 'USD', range: NOT_NEGATIVE, words, label }) as const;

/** What bears the losses of the book on average, in its order. */
export const LAYER_FIGURES = {
  Spread: layer(
    'Mean loss that the spread of loans without a loss bears; 0 without excess_spread.',
    'Borne by the spread',
  ),
  Reserve: layer('Mean loss that the reserve bears.', 'Borne by the reserve'),
  Tranches: layer(
    'Sum of the mean losses of the tranches; what two of them both cover counts twice.',
    'Borne by tranches',
  ),
  Uncovered: layer('Mean loss that nothing of these bears.', 'Borne by none of these'),
} as const satisfies Readonly<Record<keyof WaterfallOutcome['layers'], DescribedFigure>>;

/** A value for each statistic of a tranche. */
type OfTranche<V> = Readonly<Record<TrancheStatistic, (i: number, q: number) => V>>;

const ROWS = Object.entries(TRANCHE_FIGURES) as readonly [string, TrancheFigure][];

const figuresOf = <V>(quantiles: Float64Array, of: OfTranche<V>): Record<string, V | Record<string, V>> =>
  Object.fromEntries(
    ROWS.map(([name, { is }]) => [
      name,
      is === 'quantile' || is === 'tailMean' ? byQuantile(quantiles, of[is]) : of[is](0, 0),
    ]),
  );

/** The figures of every tranche by its name, in the order of the request. */
export function trancheFigures(
  { tranches }: WaterfallTerms,
  found: readonly TrancheOutcome[],
  loanValue: number,
  quantiles: Float64Array,
) {
  const of = ({ detach: Detach }: TrancheTerms, { attach: Attach, summary, fullShare }: TrancheOutcome) => {
    const Size = Attach === null ? null : (Detach - Attach) * loanValue;
    const statistics: OfTranche<number | null> = {
      mean: () => summary?.mean ?? null,
      // The mean of losses that are all of the tranche may differ from it by rounding.
      percent: () =>
        summary === undefined || Size === null ? null : PERCENT * Math.min(1, summary.mean / Size),
      share: () => summary?.positiveShare ?? null,
      full: () => fullShare ?? null,
      quantile: i => summary?.quantiles[i] ?? null,
      tailMean: i => summary?.tailMeans[i] ?? null,
    };
    return { Attach, Detach, Size, ...figuresOf(quantiles, statistics) };
  };
  return Object.fromEntries(tranches.map((terms, i) => [terms.name, of(terms, found[i])]));
}

/** Numbers of the paths with the figures of their sample: the statistics whose accuracy is wanted. */
export type ColumnOf<F> = (
  values: Float64Array,
  summary: ColumnSummary,
  quantiles: Float64Array,
  range: FigureRange,
) => OfStatistics<F>;

/** Parts of the accuracy under the names of the answer. */
export interface WaterfallParts<F> {
  readonly Tranches: Readonly<Record<string, Readonly<Record<string, F | Record<string, F>>>>>;
  readonly Waterfall: Readonly<Record<keyof WaterfallOutcome['layers'], F>>;
}

const NO_SUMMARY: ColumnSummary = { mean: 0, positiveShare: 0, quantiles: [], tailMeans: [] };
const NO_LEVELS = new Float64Array(0);

/**
 * What the accuracy follows from: figures of independent or weighted paths, or contributions of windows of history. A tranche without
 * an attachment point has none. Figures are those of the tranche at the attachment point that was found.
 *
 * @param column of one kind of paths
 */
export function waterfallParts<F>(
  terms: WaterfallTerms,
  { tranches, layers }: WaterfallOutcome,
  losses: PathLosses,
  quantiles: Float64Array,
  column: ColumnOf<F>,
): WaterfallParts<F> {
  const net = netLosses(losses, terms.reserve);
  const places = terms.tranches.map(({ detach }, i) => ({ attach: tranches[i].attach, detach }));
  const bounds = coveredShares(places);
  const { loanValue } = losses;
  const borne: Record<keyof typeof layers, (p: number) => number> = {
    Spread: p => losses.loss[p] - afterSpread(losses, p),
    Reserve: p => Math.min(afterSpread(losses, p), terms.reserve * loanValue),
    Tranches: p =>
      places.reduce(
        (sum, { attach, detach }) => sum + (attach === null ? 0 : lossBetween(net[p], attach, detach)),
        0,
      ) * loanValue,
    Uncovered: p => loanValue * uncoveredLoss(net[p], bounds),
  };
  const meanOf = (values: Float64Array, mean: number, range: FigureRange = NOT_NEGATIVE) =>
    column(values, { ...NO_SUMMARY, mean }, NO_LEVELS, range);
  return {
    Tranches: Object.fromEntries(
      terms.tranches.map((tranche, i) => {
        const { attach, summary } = tranches[i];
        if (attach === null || summary === undefined) return [tranche.name, {}];
        const { attach_for: target, detach } = tranche;
        const size = (detach - attach) * loanValue;
        const part = (scale: number) => trancheLosses(net, attach, detach, scale);
        const statistics: OfTranche<F> = {
          ...column(part(loanValue), summary, quantiles, [0, size]),
          percent: meanOf(part(PERCENT / (detach - attach)), (PERCENT * summary.mean) / size, [0, PERCENT])
            .mean,
          full: meanOf(
            net.map(loss => Number(loss >= detach)),
            0,
            SHARE,
          ).share,
        };
        const figures = figuresOf(quantiles, statistics);
        if (target?.figure !== 'PrLoss') return [tranche.name, figures];
        const level = Float64Array.of(1 - target.value);
        const Attach = column(net, { ...NO_SUMMARY, quantiles: [attach] }, level, ATTACHES).quantile(
          0,
          level[0],
        );
        return [tranche.name, { Attach, ...figures }];
      }),
    ),
    Waterfall: Object.fromEntries(
      Object.entries(borne).map(([name, of]) => [
        name,
        meanOf(
          losses.loss.map((_, p) => of(p)),
          layers[name as keyof typeof layers],
        ).mean(0, 0),
      ]),
    ) as WaterfallParts<F>['Waterfall'],
  };
}

/** The accuracy of a waterfall, from that of its parts: an attachment point lies below where its tranche ends. */
export function waterfallAccuracy(
  terms: WaterfallTerms,
  { tranches }: WaterfallOutcome,
  parts: WaterfallParts<FigureAccuracy>,
): AccuracyFigures {
  const completed = terms.tranches.map(({ name, attach_for: target, detach }, i) => {
    const { attach, summary } = tranches[i];
    const own = parts.Tranches[name];
    if (target === undefined || attach === null || summary === undefined) return [name, own];
    const found =
      target.figure === 'PrLoss'
        ? (own.Attach as FigureAccuracy)
        : invertedAttach(
            attach,
            detach,
            summary.positiveShare,
            own.ExpectedLossPct as FigureAccuracy,
            target.value,
          );
    const within = (bound: number | null) => bound && Math.min(detach, Math.max(0, bound));
    return [name, { ...own, Attach: { ...found, low: within(found.low), high: within(found.high) } }];
  });
  return { Tranches: Object.fromEntries(completed), Waterfall: parts.Waterfall };
}

/**
 * The interval of an attachment point from that of the mean loss there: g(A) = 100 E[l] / (D - A) falls by
 * 100 (P(net > A) - E[l] / (D - A)) / (D - A).
 *
 * @param lossPct accuracy of g at `attach`, and @param target its wanted value
 */
function invertedAttach(
  attach: number,
  detach: number,
  positiveShare: number,
  lossPct: FigureAccuracy,
  target: number,
): FigureAccuracy {
  const { low, high, standard_error } = lossPct;
  const slope = (PERCENT * positiveShare - target) / (detach - attach);
  if (low === null || high === null || standard_error === null) return lossPct;
  if (!(slope > 0)) return without('too-few-events');
  return {
    ...lossPct,
    standard_error: standard_error / slope,
    low: attach - (target - low) / slope,
    high: attach + (high - target) / slope,
    method: 'inverted',
  };
}
