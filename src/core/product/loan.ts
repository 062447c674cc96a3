/**
 * A loan under unlimited liquidity along one path (methodology part 4); twin of shaders/product/loan.wgsl.
 *
 * Takes: the ratio r_t = C_t / L_t of every step and the thresholds in its domain. Gives: what became of the loan.
 */

import {
  FLAG_CLOSEOUT,
  FLAG_LIQUIDATION,
  FLAG_MARGIN_CALL,
  FLAG_UNDERWATER,
  type LoanOutcome,
} from '../engine.ts';
import { isUnderWay } from '../plan/loan-terms.ts';
import { hasWeights } from '../plan/models.ts';
import { placeRatio, ratioThresholds, startRatio } from '../plan/ratio-path.ts';
import type { PathRange, RecordSink } from '../plan/records.ts';
import type { LoanProduct, SimulationPlan } from '../plan/simulation-plan.ts';
import { type LoanEnd, LoanUnderWay } from './loan-under-way.ts';
import { distributionOf, type LoanCounts, loanCounts, logRatio } from './path-counts.ts';
import { linear, type PortfolioPaths, stepsOf } from './paths.ts';
import { WeightedLoans } from './weighted-loans.ts';

/** The four thresholds of a loan and its grace period, in the domain of the path. */
interface LoanRules {
  readonly liquidation: number;
  readonly marginCall: number;
  readonly recovery: number;
  readonly topUpSteps: number;
}

/**
 * Runs the loans of a range of paths and sums what became of them.
 *
 * @param tally counts of other paths of the plan, to which those of this range are added; the outcome then has none
 */
export function runLoans(
  plan: SimulationPlan<LoanProduct>,
  range: PathRange,
  records: RecordSink | undefined,
  paths: PortfolioPaths,
  tally?: Uint32Array,
): LoanOutcome {
  const { product } = plan;
  const thresholds = ratioThresholds(product, paths.domain);
  const rules: LoanRules = { ...thresholds, topUpSteps: product.topUpSteps };
  const end: LoanEnd = { flags: 0, endStep: 0, callStep: 0, topUps: 0, topUpAmount: 0 };
  const underWay = isUnderWay(product) ? new LoanUnderWay(product, plan.seed, paths) : undefined;
  // Step 0 is a step of the term where the plan says what the loan is there.
  const startValue =
    product.start === undefined
      ? Number.POSITIVE_INFINITY
      : placeRatio(paths.domain, startRatio(product.portfolio));
  const counts = loanCounts(plan, tally);
  const weighted = hasWeights(plan.scenarios.kind) ? new WeightedLoans() : undefined;
  let marginCalls = 0;
  let liquidations = 0;
  let closeouts = 0;
  let underwater = 0;
  let openSteps = 0;
  let loss = 0;
  let closedStepSquares = 0;
  let losses = 0;
  let lossSquares = 0;
  let topUps = 0;
  let topUpAmount = 0;
  let topUpAmountSquares = 0;
  let worst = Number.POSITIVE_INFINITY;
  for (let p = range.first; p < range.first + range.count; p++) {
    paths.simulate(p);
    const lowest = Math.min(paths.minimum, startValue);
    if (underWay === undefined) followLoan(paths, rules, end);
    else underWay.follow(p, product.steps, end);
    if (lowest < thresholds.underwater) end.flags |= FLAG_UNDERWATER;
    if (end.flags & FLAG_MARGIN_CALL) marginCalls++;
    if (end.flags & FLAG_LIQUIDATION) liquidations++;
    if (end.flags & FLAG_CLOSEOUT) closeouts++;
    if (end.flags & FLAG_UNDERWATER) underwater++;
    openSteps += end.endStep;
    closedStepSquares += (product.steps - end.endStep) * (product.steps - end.endStep);
    const finalRatio = linear(paths, finalValue(paths, product.steps));
    const pathLoss = Math.max(0, 1 - product.nominalRatio * finalRatio);
    loss += pathLoss;
    if (pathLoss > 0) losses++;
    lossSquares += pathLoss * pathLoss;
    if (end.topUps > 0) topUps++;
    topUpAmount += end.topUpAmount;
    topUpAmountSquares += end.topUpAmount * end.topUpAmount;
    worst = Math.min(worst, lowest);
    weighted?.add(p, paths.weight ?? 1, { ...end, closedSteps: product.steps - end.endStep, loss: pathLoss });
    if (counts !== undefined) countLoan(counts, paths, lowest, product.nominalRatio, end);
    const record = [linear(paths, lowest), finalRatio, end.endStep, end.flags];
    records?.write(p, product.answers === undefined ? record : [...record, end.topUpAmount]);
  }
  return {
    kind: 'loan',
    paths: range.count,
    marginCalls,
    liquidations,
    closeouts,
    underwater,
    openSteps,
    loss,
    closedStepSquares,
    losses,
    lossSquares,
    worstCcr: product.nominalRatio * linear(paths, worst),
    ...(product.answers === undefined ? {} : { topUps, topUpAmount, topUpAmountSquares }),
    ...(weighted && { weighted: weighted.sums }),
    ...(counts && distributionOf(counts.counts, tally)),
  };
}

/** The value of step T, where it was made if that is elsewhere: most paths need no copy then. */
function finalValue(paths: PortfolioPaths, steps: number): number {
  const { made } = paths;
  return made === undefined ? paths.ratio[steps - 1] : made.values[made.first + made.stride * steps];
}

/** Counts one path, its ratios as of a loan of which nothing is ever sold. */
function countLoan(
  counts: LoanCounts,
  paths: PortfolioPaths,
  lowest: number,
  nominalRatio: number,
  end: LoanEnd,
): void {
  const { ratio } = paths;
  const nominal = Math.log(nominalRatio);
  counts.addEnds(logRatio(paths, nominal, lowest), logRatio(paths, nominal, ratio[ratio.length - 1]));
  counts.addPath(stepsOf(ratio), paths.domain === 'ln', nominal);
  counts.addEvents({
    callStep: end.callStep,
    // What happens at the start counts on the first day.
    liquidationStep: end.flags & FLAG_LIQUIDATION ? Math.max(1, end.endStep) : 0,
    closeoutStep: end.flags & FLAG_CLOSEOUT ? end.endStep : 0,
  });
}

/**
 * Follows the states of a loan over its full term, in the order of methodology part 4: liquidation, cure, call,
 * closeout.
 *
 * @param end receives the flags (without underwater) and the step of the end, 1..T
 */
function followLoan(paths: PortfolioPaths, rules: LoanRules, end: LoanEnd): void {
  const { ratio } = paths;
  const steps = ratio.length;
  end.flags = 0;
  end.endStep = steps;
  end.callStep = 0;
  // A path that never falls below M (nor below L < M) has no event.
  if (paths.minimum >= rules.marginCall) return;
  const { liquidation, marginCall, recovery, topUpSteps } = rules;
  let t = 1;
  for (;;) {
    // No call is open: only a fall below M > L matters.
    while (t <= steps && ratio[t - 1] >= marginCall) t++;
    if (t > steps) return;
    if (end.flags === 0) end.callStep = t;
    end.flags = FLAG_MARGIN_CALL;
    const deadline = t + topUpSteps;
    // A call is open until it is cured; a cure below M opens the next one in the same step.
    let r = ratio[t - 1];
    do {
      if (r < liquidation || t >= deadline) {
        end.flags |= r < liquidation ? FLAG_LIQUIDATION : FLAG_CLOSEOUT;
        end.endStep = t;
        return;
      }
      if (++t > steps) return;
      r = ratio[t - 1];
    } while (r < recovery);
  }
}
