/**
 * Scores of many nominal ratios on one path (docs/decisions/origination.md): the number of paths
 * that reach the requested state, per candidate. Thresholds fall from candidate to candidate. Twin of
 * shaders/product/origination_minimum.wgsl and origination_scan.wgsl.
 */

import type { OriginationOutcome } from '../engine.ts';
import { placeRatio } from '../plan/ratio-path.ts';
import type { PathRange, RecordSink } from '../plan/records.ts';
import type { OriginationProduct, SimulationPlan } from '../plan/simulation-plan.ts';
import { linear, type PortfolioPaths, stepsOf } from './paths.ts';

export function originationOutcome(
  plan: SimulationPlan<OriginationProduct>,
  range: PathRange,
  records: RecordSink | undefined,
  paths: PortfolioPaths,
): OriginationOutcome {
  const { product } = plan;
  const place = (ratio: number) => placeRatio(paths.domain, ratio);
  const scan = new PrefixScan(
    product.liquidationThreshold.map(place),
    product.marginCallThreshold.map(place),
    place(1),
    product,
  );
  let worst = Number.POSITIVE_INFINITY;
  for (let p = range.first; p < range.first + range.count; p++) {
    paths.simulate(p);
    if (product.score === 'path-minimum') scan.bookMinimum(paths.minimum);
    else scan.follow(paths);
    worst = Math.min(worst, paths.minimum);
    records?.write(p, [linear(paths, paths.minimum)]);
  }
  return { kind: 'origination', paths: range.count, counts: scan.counts(), worstRatio: linear(paths, worst) };
}

/** Books the candidates that end on a path, always a prefix of the list, and their way to end. */
class PrefixScan {
  private readonly topUpSteps: number;
  private readonly countLiquidations: boolean;
  /** Differences of the counts: +1 at the begin of a booked range, -1 behind its end. */
  private readonly differences: Float64Array;
  /** Per step of an excursion below the cure, from the first relevant one on: its lowest ratio so far. */
  private readonly excursionMinimum: Float64Array;

  constructor(
    private readonly liquidation: Float64Array,
    private readonly marginCall: Float64Array,
    /** The ratio at which every call is cured: R / N = 1, in the domain of the path. */
    private readonly cure: number,
    product: OriginationProduct,
  ) {
    this.topUpSteps = product.topUpSteps;
    this.countLiquidations = product.score === 'liquidation';
    this.differences = new Float64Array(liquidation.length + 1);
    this.excursionMinimum = new Float64Array(product.steps);
  }

  /** Paths per candidate. */
  counts(): Float64Array {
    const counts = new Float64Array(this.liquidation.length);
    let sum = 0;
    for (let k = 0; k < counts.length; k++) {
      sum += this.differences[k];
      counts[k] = sum;
    }
    return counts;
  }

  /** Books the candidates whose threshold lies above the path's minimum. */
  bookMinimum(minimum: number): void {
    this.book(0, countAbove(this.liquidation, minimum, 0));
  }

  /** Follows one path for all candidates; `ended` is the number of those at an end, always the first ones. */
  follow(paths: PortfolioPaths): void {
    const { values, first, stride } = paths.made ?? stepsOf(paths.ratio);
    const { liquidation, marginCall, excursionMinimum, topUpSteps, cure } = this;
    const candidates = liquidation.length;
    const steps = excursionMinimum.length;
    let ended = 0;
    let minimum = Number.POSITIVE_INFINITY;
    let excursionStart = 0;
    // Index t is step t + 1.
    for (let t = 0, at = first + stride; t < steps && ended < candidates; t++, at += stride) {
      if (minimum === Number.POSITIVE_INFINITY) {
        // Only the part of an excursion below the thresholds of the next candidate can end one: it begins there.
        const low = Math.max(liquidation[ended], marginCall[ended]);
        while (t < steps && values[at] >= low) {
          t += 1;
          at += stride;
        }
        if (t === steps) return;
        excursionStart = t;
      }
      const r = values[at];
      if (r >= cure) {
        minimum = Number.POSITIVE_INFINITY;
        continue;
      }
      if (r < minimum) minimum = r;
      excursionMinimum[t] = minimum;
      const called = t - topUpSteps;
      const calledMinimum = called >= excursionStart ? excursionMinimum[called] : Number.POSITIVE_INFINITY;
      if (liquidation[ended] > minimum || marginCall[ended] > calledMinimum) {
        const liquidated = countAbove(liquidation, minimum, ended);
        const closedOut = countAbove(marginCall, calledMinimum, ended);
        // Liquidation is checked first: the newly ended candidates below L are liquidated.
        if (this.countLiquidations) this.book(ended, liquidated);
        else this.book(Math.max(ended, liquidated), closedOut);
        ended = Math.max(liquidated, closedOut);
      }
    }
  }

  /** Counts one path for candidates from..to-1; none for an empty range. */
  private book(from: number, to: number): void {
    if (to <= from) return;
    this.differences[from]++;
    this.differences[to]--;
  }
}

/** The number of leading entries of a falling list above `value`, at least `from`; fastest for a number near `from`. */
function countAbove(falling: Float64Array, value: number, from: number): number {
  let low = from;
  let high = falling.length;
  for (let step = 1; low + step <= high; step *= 2) {
    if (!(falling[low + step - 1] > value)) {
      high = low + step - 1;
      break;
    }
    low += step;
  }
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (falling[middle] > value) low = middle + 1;
    else high = middle;
  }
  return low;
}
