/**
 * Accuracy of figures over windows of history. The windows overlap, and their outcomes depend on one another.
 *
 * Takes: the outcome of each window, in the order of their ends. Gives: figures with intervals. The sums take CPU time in proportion to
 * windows squared over their length and run in a calibration thread.
 */
import {
  type AccuracyFigures,
  type FigureAccuracy,
  figureOf,
  minimumFigure,
  quantileFigure,
  type WindowFigure,
  without,
} from '../../core/figures/accuracy.ts';
import type { FigureRange } from '../../core/figures/figure.ts';
import { intervalOfReach } from '../../core/stats/intervals.ts';
import {
  enoughEventfulWindows,
  enoughWindows,
  type Overlap,
  overlapOf,
  overlappingShareInterval,
  windowMean,
} from '../../core/stats/overlapping-windows.ts';
import { uncommonValues } from '../../core/stats/uncommon.ts';
import type { Asker } from '../../core/turns.ts';
import { calibrateInThread } from '../../models/calibration/calibration-pool.ts';

/** Figures of windows under the names of the result, nested as it is. */
interface WindowFigures {
  readonly [name: string]: WindowFigure | WindowFigures;
}

type AccuracyOf<F> = {
  [N in keyof F]: NonNullable<F[N]> extends WindowFigure ? FigureAccuracy : AccuracyOf<F[N]>;
};

const isFigure = (value: WindowFigure | WindowFigures): value is WindowFigure =>
  typeof value.kind === 'string';

const leavesOf = (figures: WindowFigures): readonly WindowFigure[] =>
  Object.values(figures).flatMap(value => (isFigure(value) ? [value] : leavesOf(value)));

/**
 * The accuracy of each figure, under the same names.
 *
 * @param steps steps of a window
 * @throws the signal's reason once aborted
 */
export async function accuracyOverWindows<F extends WindowFigures>(
  figures: F,
  windows: number,
  steps: number,
  level: number,
  asker: Asker,
): Promise<AccuracyOf<F>> {
  const leaves = leavesOf(figures);
  const found = await windowFigures(leaves, windows, steps, level, asker);
  const accuracyOf = new Map(leaves.map((figure, i) => [figure, found[i]]));
  const named = (tree: WindowFigures): AccuracyFigures =>
    Object.fromEntries(
      Object.entries(tree).map(([name, value]) => [
        name,
        isFigure(value) ? (accuracyOf.get(value) ?? without('too-few-windows')) : named(value),
      ]),
    );
  return named(figures) as AccuracyOf<F>;
}

async function windowFigures(
  figures: readonly WindowFigure[],
  windows: number,
  steps: number,
  level: number,
  asker: Asker,
): Promise<FigureAccuracy[]> {
  const overlap = overlapOf(windows, steps);
  if (!enoughWindows(overlap)) return figures.map(() => without('too-few-windows'));
  const contributions = figures.map(figure =>
    figure.kind === 'quantile' ? belowQuantile(figure) : figure.contributions,
  );
  const variances = await calibrateInThread('window-variances', { contributions, overlap }, asker);
  const sorted = new Map<Float64Array, Float64Array>();
  for (const figure of figures) {
    // Quantiles of one sample share its order.
    if (figure.kind === 'quantile' && !sorted.has(figure.values))
      sorted.set(figure.values, figure.values.toSorted());
  }
  const sample = {
    overlap,
    level,
    sortedOf: (values: Float64Array) => sorted.get(values) ?? values.toSorted(),
  };
  return figures.map((figure, i) => figureOfWindows(figure, contributions[i], variances[i], sample));
}

type Quantile = Extract<WindowFigure, { readonly kind: 'quantile' }>;

/** Whether each window lies at or below a quantile; of a quantile among the finite values, contributions to that share of them. */
function belowQuantile({ values, quantile, probability }: Quantile): Float64Array {
  const finite = finiteValues(values);
  const below = values.map(value => (value <= quantile ? 1 : 0));
  if (finite === values.length) return below;
  return values.map((value, p) =>
    Number.isFinite(value) ? probability + ((below[p] - probability) * values.length) / finite : probability,
  );
}

const finiteValues = (values: Float64Array): number =>
  values.reduce((count, value) => (Number.isFinite(value) ? count + 1 : count), 0);

interface Sample {
  readonly overlap: Overlap;
  readonly level: number;
  sortedOf(values: Float64Array): Float64Array;
}

function figureOfWindows(
  figure: WindowFigure,
  contributions: Float64Array,
  variance: number,
  { overlap, level, sortedOf }: Sample,
): FigureAccuracy {
  const mean = contributions.reduce((sum, value) => sum + value, 0) / contributions.length;
  const meanOf = (estimate: number, share: number, range: FigureRange, falls: boolean) => {
    const sure = windowMean(contributions, variance, overlap, level);
    if (sure === undefined || !enoughEventfulWindows(overlap, share)) return without('too-few-windows');
    const { below, above } = sure.reach;
    const reach = falls ? { below: above, above: below } : sure.reach;
    return figureOf(intervalOfReach(estimate, sure.standardError, reach, range), 'cosine-t');
  };
  switch (figure.kind) {
    case 'share':
      return figureOf(overlappingShareInterval(mean, variance, overlap, level), 'cosine-t');
    case 'mean':
      return meanOf(mean, shareOfUncommon(contributions), figure.range, false);
    case 'tail-mean': {
      // If the quantile is the commonest value, fewer windows than the share of the tail lie beyond it.
      const share = Math.min(figure.probability, shareOfUncommon(contributions));
      // The mean of a lower tail is the quantile less the mean of the contributions.
      return meanOf(figure.estimate, share, figure.range, figure.tail === 'lower');
    }
    case 'quantile': {
      const shares = overlappingShareInterval(figure.probability, variance, overlap, level);
      const sorted = sortedOf(figure.values).subarray(0, finiteValues(figure.values));
      // Ranks from 1, rounded outwards; a rank outside the sample has no value. Beyond a quantile lie windows that overlap with less than
      // one other: the extreme of the sample is no end of an interval.
      const beyond = (share: number) => enoughEventfulWindows(overlap, share);
      const low = beyond(figure.probability) ? Math.floor(shares.low * sorted.length) : 0;
      const isOutside = shares.high >= 1 || !beyond(1 - figure.probability);
      const high = isOutside ? sorted.length + 1 : Math.ceil(shares.high * sorted.length);
      return { ...quantileFigure(sorted[low - 1], sorted[high - 1], level), method: 'cosine-t' };
    }
  }
}

/** Share of the contributions that differ from the commonest of them. */
const shareOfUncommon = (contributions: Float64Array): number =>
  uncommonValues(contributions) / contributions.length;

/** The lowest value over overlapping windows, treated as an equivalent number of separate windows. */
export function minimumOfWindows(windows: number, steps: number, level: number): FigureAccuracy {
  return minimumFigure(overlapOf(windows, steps).independent, level);
}
