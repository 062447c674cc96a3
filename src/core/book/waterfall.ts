/**
 * Who bears the loss of a book: the spread that loans without a loss earn, a reserve, then tranches by their shares of the loan value (docs/tranches.md).
 *
 * Everything follows from the loss of every path, which all engines have. Pure arithmetic on lists with an entry per path.
 */
import type { ColumnSummary } from '../plan/product/book.ts';
import { weightedQuantile } from '../stats/weighted-quantile.ts';
import { summaryOf, summaryOfSorted } from './weighted-tails.ts';

/** Figures that an attachment point can be sought for: a share of the paths, and per cent of the tranche. */
export const ATTACH_TARGETS = ['PrLoss', 'ExpectedLossPct'] as const;
export interface AttachTarget {
  readonly figure: (typeof ATTACH_TARGETS)[number];
  readonly value: number;
}

/** A tranche bears the net loss between two shares of the loan value. */
export interface TrancheTerms {
  readonly name: string;
  /** Absent with a target. */
  readonly attach?: number | undefined;
  readonly attach_for?: AttachTarget | undefined;
  readonly detach: number;
}

export interface WaterfallTerms {
  readonly tranches: readonly TrancheTerms[];
  /** Share of the loan value that bears the first losses. */
  readonly reserve: number;
}

/** The losses of the paths and their scale. */
export interface PathLosses {
  /** USD. */
  readonly loss: Float64Array;
  /** Earned on each path, USD; undefined without any. */
  readonly spread?: Float64Array | undefined;
  /** Of the paths; undefined where they are equal. */
  readonly weights: Float64Array | undefined;
  /** Sum of the loan values, USD. */
  readonly loanValue: number;
}

/** A tranche with its attachment point, and its loss in USD. */
export interface TrancheOutcome {
  /** Null where no attachment point below `detach` reaches the target. */
  readonly attach: number | null;
  /** Absent where `attach` is null. */
  readonly summary?: ColumnSummary;
  /** Share of the paths on which nothing of it is left. */
  readonly fullShare?: number;
}

/** The mean loss that each layer bears, USD; what two tranches both bear counts twice in `Tranches`. */
export type LayerMeans = Readonly<Record<'Spread' | 'Reserve' | 'Tranches' | 'Uncovered', number>>;

export interface WaterfallOutcome {
  readonly tranches: readonly TrancheOutcome[];
  readonly layers: LayerMeans;
}

/** What the spread leaves of the loss of path p, USD. */
export const afterSpread = ({ loss, spread }: Pick<PathLosses, 'loss' | 'spread'>, p: number): number =>
  spread === undefined ? loss[p] : Math.max(0, loss[p] - spread[p]);

/** What spread and reserve leave of the loss, as a share of the loan value. */
export function netLosses(
  losses: Pick<PathLosses, 'loss' | 'spread' | 'loanValue'>,
  reserve: number,
): Float64Array {
  const { loss, loanValue } = losses;
  const net = new Float64Array(loss.length);
  for (let p = 0; p < net.length; p++) net[p] = Math.max(0, afterSpread(losses, p) / loanValue - reserve);
  return net;
}

/** The part of a net loss that lies between two shares. */
export const lossBetween = (net: number, attach: number, detach: number): number =>
  Math.min(Math.max(net - attach, 0), detach - attach);

/** The same of every path, times `scale`. */
export function trancheLosses(
  net: Float64Array,
  attach: number,
  detach: number,
  scale: number,
): Float64Array {
  const losses = new Float64Array(net.length);
  for (let p = 0; p < net.length; p++) losses[p] = scale * lossBetween(net[p], attach, detach);
  return losses;
}

/** The part of a net loss that no tranche bears. @param bounds pairs of attach and detach without overlaps, rising */
export function uncoveredLoss(net: number, bounds: readonly (readonly [number, number])[]): number {
  let left = net;
  for (const [attach, detach] of bounds) left -= lossBetween(net, attach, detach);
  return Math.max(0, left);
}

/** The shares that some tranche bears, as pairs without overlaps, rising. */
export function coveredShares(
  tranches: readonly { readonly attach: number | null; readonly detach: number }[],
): (readonly [number, number])[] {
  const covered: [number, number][] = [];
  const known = tranches.flatMap(({ attach, detach }) =>
    attach === null ? [] : [[attach, detach] as [number, number]],
  );
  for (const [attach, detach] of known.sort(([a], [b]) => a - b)) {
    const last = covered.at(-1);
    if (last === undefined || attach > last[1]) covered.push([attach, detach]);
    else last[1] = Math.max(last[1], detach);
  }
  return covered;
}

/** Error of an attachment point that is found by bisection. */
const ATTACH_ERROR = 1e-9;

/** The losses of every tranche, and what every layer bears on average. @param quantiles levels of the tail figures */
export function waterfall(
  losses: PathLosses,
  { tranches, reserve }: WaterfallTerms,
  quantiles: Float64Array,
): WaterfallOutcome {
  const { weights, loanValue } = losses;
  const net = netLosses(losses, reserve);
  // In rising order the losses of every tranche rise, too: one order serves all. Weights keep the order of the paths.
  if (weights === undefined) net.sort();
  const meanOf = (of: (net: number) => number) => weightedMeanOf(net, weights, of);
  const found = tranches.map(({ attach, attach_for, detach }): TrancheOutcome & { detach: number } => {
    const at = attach ?? (attach_for ? attachFor(net, weights, attach_for, detach) : 0);
    if (at === null) return { attach: at, detach };
    const values = trancheLosses(net, at, detach, loanValue);
    const summary =
      weights === undefined ? summaryOfSorted(values, quantiles) : summaryOf(values, quantiles, weights);
    return { attach: at, detach, summary, fullShare: meanOf(loss => Number(loss >= detach)) };
  });
  const bounds = coveredShares(found);
  const meanLayer = (of: (p: number) => number) =>
    weightedMeanOf(
      losses.loss.map((_, p) => of(p)),
      weights,
      loss => loss,
    );
  return {
    tranches: found.map(({ detach: _, ...outcome }) => outcome),
    layers: {
      Spread: meanLayer(p => losses.loss[p] - afterSpread(losses, p)),
      Reserve: meanLayer(p => Math.min(afterSpread(losses, p), reserve * loanValue)),
      Tranches: found.reduce((sum, { summary }) => sum + (summary?.mean ?? 0), 0),
      Uncovered: loanValue * meanOf(loss => uncoveredLoss(loss, bounds)),
    },
  };
}

/** The mean of a number of every path. */
function weightedMeanOf(
  values: Float64Array,
  weights: Float64Array | undefined,
  of: (value: number) => number,
): number {
  let [sum, total] = [0, 0];
  for (let p = 0; p < values.length; p++) {
    const weight = weights === undefined ? 1 : weights[p];
    sum += weight * of(values[p]);
    total += weight;
  }
  return sum / total;
}

/**
 * The smallest attachment point in [0, detach) at which the figure is at most its target.
 *
 * @param net rising where there are no weights
 */
function attachFor(
  net: Float64Array,
  weights: Float64Array | undefined,
  { figure, value }: AttachTarget,
  detach: number,
): number | null {
  if (figure === 'PrLoss') {
    const attach =
      weights === undefined ? atMostAbove(net, value) : weightedQuantile(net, weights, 1 - value);
    return attach < detach ? attach : null;
  }
  const lossPct = (attach: number) =>
    (100 * weightedMeanOf(net, weights, loss => lossBetween(loss, attach, detach))) / (detach - attach);
  if (lossPct(0) <= value) return 0;
  let [low, high] = [0, detach - ATTACH_ERROR];
  if (!(high > 0) || lossPct(high) > value) return null;
  while (high - low > ATTACH_ERROR) {
    const middle = (low + high) / 2;
    if (lossPct(middle) > value) low = middle;
    else high = middle;
  }
  return high;
}

/** The smallest loss, or 0, above which at most so large a share of the paths lies. @param net rising */
function atMostAbove(net: Float64Array, share: number): number {
  const most = Math.floor(net.length * share + 1e-9);
  return most >= net.length ? 0 : net[net.length - 1 - most];
}
