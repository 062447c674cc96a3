/** A loan under unlimited liquidity along one path (methodology part 4); twin of shaders/product/loan.wgsl. */

import {
  FLAG_CLOSEOUT,
  FLAG_LIQUIDATION,
  FLAG_MARGIN_CALL,
  FLAG_UNDERWATER,
  type LoanOutcome,
} from '../engine.ts';
import { hasWeights } from '../plan/models.ts';
import { ratioThresholds, startValue } from '../plan/ratio-path.ts';
import type { PathRange, RecordSink } from '../plan/records.ts';
import type { LoanProduct, SimulationPlan } from '../plan/simulation-plan.ts';
import { type LoanOnPath, LoanUnderWay } from './loan-under-way.ts';
import { distributionOf, type LoanCounts, logRatio } from './path-counts.ts';
import { linear, type PortfolioPaths, stepsOf } from './paths.ts';
import { WeightedLoans } from './weighted-loans.ts';

/** Follows the loan of one path after another, on paths of any engine. */
export interface LoanFollower {
  /** Domain of `lowest`. */
  readonly domain: PortfolioPaths['domain'];
  /**
   * Follows the loan along a path, and counts its ratios if the plan requests a distribution.
   *
   * @param loan receives its result: flags without underwater, its first call if ratios are counted
   */
  follow(path: number, loan: LoanOnPath): void;
}

/**
 * Runs the loans of a range of paths and sums their results.
 *
 * @param counts the follower's counts, to which it adds the ratios of each path
 * @param sharedCounts counts of the plan's other paths, which receive the counts of this range; the outcome then has
 *    none
 */
export function loanOutcome(
  plan: SimulationPlan<LoanProduct>,
  range: PathRange,
  records: RecordSink | undefined,
  follower: LoanFollower,
  counts: LoanCounts | undefined,
  sharedCounts?: Uint32Array,
): LoanOutcome {
  const { steps, nominalRatio, answers, start } = plan.product;
  const startDeadline = start?.status === 'called' ? start.deadlineStep : undefined;
  const { underwater: underwaterBelow } = ratioThresholds(plan.product, follower.domain);
  const weighted = hasWeights(plan.scenarios.kind) ? new WeightedLoans() : undefined;
  const loan: LoanOnPath = {
    flags: 0,
    endStep: 0,
    callStep: 0,
    topUps: 0,
    topUpAmount: 0,
    lowest: 0,
    finalRatio: 0,
    weight: 1,
  };
  let marginCalls = 0;
  let liquidations = 0;
  let closeouts = 0;
  let underwater = 0;
  let openSteps = 0;
  let loss = 0;
  let closedStepSquares = 0;
  let earlyEnds = 0;
  let deadlineEnds = 0;
  let losses = 0;
  let lossSquares = 0;
  let topUps = 0;
  let topUpAmount = 0;
  let topUpAmountSquares = 0;
  let worst = Number.POSITIVE_INFINITY;
  for (let p = range.first; p < range.first + range.count; p++) {
    follower.follow(p, loan);
    const { endStep, lowest, finalRatio } = loan;
    if (lowest < underwaterBelow) loan.flags |= FLAG_UNDERWATER;
    const { flags } = loan;
    if (flags & FLAG_MARGIN_CALL) marginCalls++;
    if (flags & FLAG_LIQUIDATION) liquidations++;
    if (flags & FLAG_CLOSEOUT) closeouts++;
    if (flags & FLAG_UNDERWATER) underwater++;
    openSteps += endStep;
    closedStepSquares += (steps - endStep) * (steps - endStep);
    if (endStep < steps) earlyEnds++;
    if (endStep === startDeadline) deadlineEnds++;
    const pathLoss = Math.max(0, 1 - nominalRatio * finalRatio);
    loss += pathLoss;
    if (pathLoss > 0) losses++;
    lossSquares += pathLoss * pathLoss;
    if (loan.topUps > 0) topUps++;
    topUpAmount += loan.topUpAmount;
    topUpAmountSquares += loan.topUpAmount * loan.topUpAmount;
    worst = Math.min(worst, lowest);
    weighted?.add(p, loan, steps - endStep, pathLoss);
    counts?.addEvents({
      callStep: loan.callStep,
      // An event at the start counts on the first day.
      liquidationStep: flags & FLAG_LIQUIDATION ? Math.max(1, endStep) : 0,
      closeoutStep: flags & FLAG_CLOSEOUT ? endStep : 0,
    });
    if (records === undefined) continue;
    const record = [linear(follower, lowest), finalRatio, endStep, flags];
    records.write(p, answers === undefined ? record : [...record, loan.topUpAmount]);
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
    earlyEnds,
    deadlineEnds,
    losses,
    lossSquares,
    worstCcr: nominalRatio * linear(follower, worst),
    ...(answers === undefined ? {} : { topUps, topUpAmount, topUpAmountSquares }),
    ...(weighted && { weighted: weighted.sums }),
    ...(counts && distributionOf(counts.counts, sharedCounts)),
  };
}

export class LoansOnPaths implements LoanFollower {
  readonly domain: PortfolioPaths['domain'];
  private readonly product: LoanProduct;
  private readonly loan: LoanUnderWay;
  /** Ratio of step 0, which is a step of the term if the plan declares the state of the loan there. */
  private readonly startValue: number;

  /** @param counts receives the ratios of each path; @param constant L_t without interest, if it is constant */
  constructor(
    { product, seed }: SimulationPlan<LoanProduct>,
    private readonly paths: PortfolioPaths,
    private readonly counts: LoanCounts | undefined,
    constant: number | undefined,
  ) {
    this.domain = paths.domain;
    this.product = product;
    this.loan = new LoanUnderWay(product, seed, paths, constant);
    this.startValue =
      product.start === undefined ? Number.POSITIVE_INFINITY : startValue(product, paths.domain);
  }

  follow(path: number, loan: LoanOnPath): void {
    const { paths, counts, product } = this;
    paths.simulate(path);
    this.loan.follow(path, loan);
    loan.lowest = Math.min(paths.minimum, this.startValue);
    loan.finalRatio = linear(paths, finalValue(paths, product.steps));
    loan.weight = paths.weight ?? 1;
    if (counts !== undefined) countRatios(counts, paths, loan.lowest, product.nominalRatio);
  }
}

/** The value of step T, read where it was made: most paths need no copy then. */
function finalValue(paths: PortfolioPaths, steps: number): number {
  const { made } = paths;
  return made === undefined ? paths.ratio[steps - 1] : made.values[made.first + made.stride * steps];
}

/** Counts the ratios of one path of a loan without any sale. */
function countRatios(counts: LoanCounts, paths: PortfolioPaths, lowest: number, nominalRatio: number): void {
  const { ratio } = paths;
  const nominal = Math.log(nominalRatio);
  counts.addEnds(logRatio(paths, nominal, lowest), logRatio(paths, nominal, ratio[ratio.length - 1]));
  counts.addPath(stepsOf(ratio), paths.domain === 'ln', nominal);
}
