/**
 * Ratios at which the collateral of an exposure is sold, along paths, and the rates of debt that follow from their order
 * (docs/advance-rate.md). Twin of shaders/product/advance_rate.wgsl.
 */
import {
  type AdvanceRateOutcome,
  type AdvanceRateProduct,
  exposureStarts,
  type RateOutcome,
} from '../plan/product/advance-rate.ts';
import { placeRatio } from '../plan/ratio-path.ts';
import type { PathRange, RecordSink } from '../plan/records.ts';
import type { SimulationPlan } from '../plan/simulation-plan.ts';
import { type QuantileRanks, quantileRanks } from '../stats/intervals.ts';
import { placeRanks } from '../stats/selection.ts';
import { linear, type PortfolioPaths, stepsOf } from './paths.ts';
import type { HorizonBatch } from './value-at-risk.ts';

/** The ratio of a path without an exposure: no rate loses on it. */
export const NO_EXPOSURE = Number.POSITIVE_INFINITY;

/** The paths of a plan. */
export type PathsOf = (plan: SimulationPlan<AdvanceRateProduct>) => PortfolioPaths;

/** Receives the ratio of an exposure and the step at which it begins, for the horizon of rank k on path p. */
type Visit = (k: number, p: number, ratio: number, start: number) => void;

/** Ranks first .. end - 1 of horizons. */
type Ranks = readonly [first: number, end: number];

/** Follows the exposures of paths at some of the horizons. */
export class Exposures {
  /** Windows of history end at the same grid points whatever their length, so that each horizon has paths of its own. */
  private readonly followed: readonly { readonly paths: PortfolioPaths; readonly ranks: Ranks }[];

  constructor(
    private readonly plan: SimulationPlan<AdvanceRateProduct>,
    pathsOf: PathsOf,
    [first, end]: Ranks,
  ) {
    const { product, scenarios } = plan;
    this.followed =
      scenarios.kind !== 'historical'
        ? [{ paths: pathsOf(plan), ranks: [first, end] }]
        : Array.from(product.horizonSteps.subarray(first, end), (horizon, i) => {
            const steps = exposureStarts(product) + horizon;
            const k = first + i;
            return { paths: pathsOf({ ...plan, product: { ...product, steps } }), ranks: [k, k + 1] };
          });
  }

  follow(range: PathRange, visit: Visit): void {
    for (const { paths, ranks } of this.followed) this.followOn(paths, ranks, range, visit);
  }

  private followOn(paths: PortfolioPaths, [first, end]: Ranks, range: PathRange, visit: Visit): void {
    const { horizonSteps, lowest: takesLowest, after } = this.plan.product;
    const level = after?.ratio ?? 1;
    const trigger = placeRatio(paths.domain, level);
    for (let p = range.first; p < range.first + range.count; p++) {
      paths.simulate(p);
      const { values, first: at, stride } = paths.made ?? stepsOf(paths.ratio);
      let start = 0;
      if (after !== undefined) {
        start = 1;
        while (start <= after.withinSteps && values[at + stride * start] > trigger) start++;
        if (start > after.withinSteps) {
          for (let k = first; k < end; k++) visit(k, p, NO_EXPOSURE, 0);
          continue;
        }
      }
      // The step of a trigger is a step of the exposure; step 0 is none.
      let lowest = after === undefined ? Number.POSITIVE_INFINITY : values[at + stride * start];
      let t = start + 1;
      for (let k = first; k < end; k++) {
        const last = start + horizonSteps[k];
        if (takesLowest) {
          for (; t <= last; t++) {
            const value = values[at + stride * t];
            if (value < lowest) lowest = value;
          }
        } else lowest = values[at + stride * last];
        visit(k, p, linear(paths, lowest) / level, start);
      }
    }
  }
}

/** Writes the ratios of a batch of horizons for a range of paths, and of windows of history where their exposures begin. */
export function exposureWriter(
  plan: SimulationPlan<AdvanceRateProduct>,
  pathsOf: PathsOf,
  batch: HorizonBatch,
) {
  const { paths: stride, scenarios } = plan;
  const { first, count, values } = batch;
  const exposures = new Exposures(plan, pathsOf, [first, first + count]);
  const hasStarts = scenarios.kind === 'historical';
  const columns = hasStarts ? 2 : 1;
  return (range: PathRange) =>
    exposures.follow(range, (k, p, ratio, start) => {
      const at = columns * (k - first) * stride + p;
      values[at] = ratio;
      if (hasStarts) values[at + stride] = p + start;
    });
}

/** Writes the records of a range of paths. */
export function recordExposures(
  plan: SimulationPlan<AdvanceRateProduct>,
  pathsOf: PathsOf,
  range: PathRange,
  records: RecordSink,
): void {
  const { horizonSteps, after } = plan.product;
  const width = after === undefined ? 1 : 2;
  const rows = Array.from({ length: range.count }, () => new Array<number>(width * horizonSteps.length));
  const exposures = new Exposures(plan, pathsOf, [0, horizonSteps.length]);
  exposures.follow(range, (k, p, ratio, start) => {
    const row = rows[p - range.first];
    row[width * k] = ratio;
    if (after !== undefined) row[width * k + 1] = start;
  });
  for (const [i, row] of rows.entries()) records.write(range.first + i, row);
}

/** The ratios of one horizon, in path order. */
export interface ExposureColumn {
  /** `NO_EXPOSURE` where a path has none. */
  readonly ratios: Float64Array;
  /** Grid points at which the exposures begin, where these are windows of history whose outcomes are counted by episodes. */
  readonly starts?: ArrayLike<number> | undefined;
  /** Steps of an exposure. */
  readonly steps: number;
}

export type RatesAtHorizon = AdvanceRateOutcome['horizons'][number];

type RateTerms = Pick<
  AdvanceRateProduct,
  'saleCost' | 'confidences' | 'expectedLosses' | 'rates' | 'intervalLevel'
>;

/** The rates of one horizon, and what they lose. */
export function ratesOf(column: ExposureColumn, terms: RateTerms): RatesAtHorizon {
  const { saleCost, confidences, expectedLosses, rates, intervalLevel } = terms;
  const kept = 1 - saleCost;
  const inOrder = new Float64Array(column.ratios.length);
  const all = new Float64Array(column.ratios.length);
  let exposures = 0;
  for (let p = 0; p < all.length; p++) {
    const value = kept * column.ratios[p];
    inOrder[p] = value;
    if (value < NO_EXPOSURE) all[exposures++] = value;
  }
  const proceeds = all.subarray(0, exposures);
  if (exposures === 0) return { exposures, confidences: [], expectedLosses: [], rates: [] };
  const highestLoss = Math.max(0, ...expectedLosses);
  const largest = highestLoss === 0 ? 0 : rateOfLoss(proceeds, highestLoss, Number.POSITIVE_INFINITY);
  const wanted = Array.from(confidences, q => ({
    rank: lossesAllowed(exposures, q),
    interval: intervalLevel === undefined ? undefined : quantileRanks(exposures, 1 - q, intervalLevel),
  }));
  const reach = Math.max(largest, ...rates);
  let below = 0;
  for (let i = 0; i < exposures; i++) if (proceeds[i] < reach) below += 1;
  const around = (share: number) =>
    intervalLevel === undefined || expectedLosses.length === 0 || !(share > 0 && share < 1)
      ? undefined
      : quantileRanks(exposures, share, intervalLevel);
  const ranks = [
    ...wanted.flatMap(({ rank, interval }) => [rank, interval?.low ?? 0, interval?.high ?? 0]),
    around(below / exposures)?.high ?? 0,
  ];
  const count = Math.min(exposures, Math.max(below, 1 + Math.max(-1, ...ranks)));
  if (count > 0 && count < exposures) placeRanks(proceeds, [count - 1]);
  const lowest = proceeds.subarray(0, count).sort();
  const bounded = (ranks: QuantileRanks | undefined) => ({
    ...(ranks?.low !== undefined && { low: lowest[ranks.low] }),
    ...(ranks?.high !== undefined && { high: lowest[ranks.high] }),
  });
  const outcomeAt = (
    rate: number,
    ranksOf: (losing: number) => QuantileRanks | undefined = () => undefined,
    losses = lossesAt(lowest, rate),
  ): RateOutcome => ({
    rate,
    ...losses,
    ...bounded(ranksOf(losses.losing)),
    ...(column.starts && { episodes: episodesOf(inOrder, column.starts, column.steps, rate) }),
  });
  // A rate of a smaller loss is smaller: each search begins at the rate before.
  const byLoss = new Map<number, number>();
  let from = Number.POSITIVE_INFINITY;
  for (const loss of expectedLosses.toReversed()) {
    from = byLoss.size === 0 ? largest : rateOfLoss(lowest, loss, from, exposures);
    byLoss.set(loss, from);
  }
  return {
    exposures,
    confidences: wanted.map(({ rank, interval }) => outcomeAt(lowest[rank], () => interval)),
    expectedLosses: Array.from(expectedLosses, loss =>
      outcomeAt(byLoss.get(loss) ?? Number.NaN, losing => around(losing / exposures)),
    ),
    rates: Array.from(rates, rate => outcomeAt(rate)),
  };
}

/** Exposures of n that may lose at a confidence of q: floor(n (1 - q)), a product within rounding of a whole number being that number. */
export const lossesAllowed = (exposures: number, confidence: number): number =>
  Math.min(exposures - 1, Math.floor(exposures * (1 - confidence) + 1e-9));

/**
 * The largest rate a whose mean loss, (1/n) sum of max(0, 1 - y/a), is at most `loss`. It is the root of sum of max(0, a - y) - n loss a, which
 * is convex and above 0 beyond it: Newton's steps from above fall to it and end there.
 *
 * @param proceeds the lowest of n values y above 0, all that are below `from` among them
 * @param from a rate whose mean loss is at least `loss`
 */
function rateOfLoss(proceeds: Float64Array, loss: number, from: number, exposures = proceeds.length): number {
  let rate = from;
  for (;;) {
    let count = 0;
    let sum = 0;
    for (let i = 0; i < proceeds.length; i++) {
      if (proceeds[i] >= rate) continue;
      count += 1;
      sum += proceeds[i];
    }
    const next = sum / (count - exposures * loss);
    if (!(next < rate)) return rate;
    rate = next;
  }
}

/** @param proceeds the lowest ones, rising, all that are below the rate among them */
function lossesAt(proceeds: Float64Array, rate: number) {
  let losing = 0;
  let loss = 0;
  let lossSquares = 0;
  let brought = 0;
  for (; losing < proceeds.length && proceeds[losing] < rate; losing++) {
    const part = 1 - proceeds[losing] / rate;
    loss += part;
    lossSquares += part * part;
    brought += proceeds[losing];
  }
  return { losing, loss, lossSquares, proceeds: brought };
}

/** Losing windows that begin more than an exposure after the losing window before. */
function episodesOf(proceeds: Float64Array, starts: ArrayLike<number>, steps: number, rate: number): number {
  const losing: number[] = [];
  for (let p = 0; p < proceeds.length; p++) if (proceeds[p] < rate) losing.push(starts[p]);
  // A trigger may come before that of an earlier window.
  losing.sort((a, b) => a - b);
  return losing.reduce(
    (count, start, i) => (i === 0 || start - losing[i - 1] > steps ? count + 1 : count),
    0,
  );
}
