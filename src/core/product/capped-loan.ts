/**
 * A loan whose sale is capped per step, along one path (methodology part 6); twin of shaders/product/capped_loan.wgsl.
 *
 * Amounts are in units of the loan's initial value. Until the sale begins, rules and numbers equal `loan.ts`.
 */

import {
  type CappedLoanOutcome,
  FLAG_CLOSEOUT,
  FLAG_LIQUIDATION,
  FLAG_MARGIN_CALL,
  FLAG_UNDERWATER,
} from '../engine.ts';
import { startSaleStep } from '../plan/product/capped-loan.ts';
import { ratioThresholds, startValue, sumOfWeights } from '../plan/ratio-path.ts';
import type { PathRange, RecordSink } from '../plan/records.ts';
import type { CappedLoanProduct, SimulationPlan } from '../plan/simulation-plan.ts';
import { AnswerDraws, raised, raiseTo, restoredValue, UNRAISED } from './loan-under-way.ts';
import { distributionOf, type EventSteps, type LoanCounts, loanCounts, logRatio } from './path-counts.ts';
import { collateralAt, linear, loanAt, type PortfolioPaths, type StepValues, stepsOf } from './paths.ts';

interface CappedLoanPath extends EventSteps {
  flags: number;
  calls: number;
  callAmount: number;
  soldAmount: number;
  /** Whether the sale repaid the debt. */
  repaid: boolean;
  /** Whether it runs from `startSaleStep` to the term without repaying the debt or selling all. */
  unfinished: boolean;
  worstCcr: number;
  /** Step from which `coverage` is valid; beyond the term without sales and top-ups. */
  coverageStep: number;
  /** Answered calls, and the amount of their top-ups. */
  topUps: number;
  topUpAmount: number;
}

/**
 * Runs the loans of a range of paths and sums their results.
 *
 * @param paths the plan's paths with their amounts
 * @param sharedCounts counts of the plan's other paths, which receive the counts of this range; the outcome then has
 *    none
 */
export function cappedLoanOutcome(
  plan: SimulationPlan<CappedLoanProduct>,
  range: PathRange,
  records: RecordSink | undefined,
  paths: PortfolioPaths,
  sharedCounts?: Uint32Array,
): CappedLoanOutcome {
  const { product } = plan;
  const loan: CappedLoanPath = {
    flags: 0,
    calls: 0,
    callAmount: 0,
    soldAmount: 0,
    repaid: false,
    unfinished: false,
    worstCcr: 0,
    coverageStep: 0,
    topUps: 0,
    topUpAmount: 0,
    callStep: 0,
    liquidationStep: 0,
    closeoutStep: 0,
  };
  const counts = loanCounts(plan, sharedCounts);
  const coverage = counts && new Float64Array(product.steps);
  const follower = new CappedLoanFollower(product, plan.seed, paths, coverage);
  const sums = {
    marginCalls: 0,
    liquidations: 0,
    closeouts: 0,
    underwater: 0,
    calls: 0,
    callAmount: 0,
    sellers: 0,
    soldAmount: 0,
    callSquares: 0,
    callAmountSquares: 0,
    callProducts: 0,
    soldAmountSquares: 0,
    repaid: 0,
    recalled: 0,
    unfinished: 0,
    worstCcr: Number.POSITIVE_INFINITY,
  };
  const answered = { topUps: 0, topUpAmount: 0, topUpAmountSquares: 0 };
  for (let p = range.first; p < range.first + range.count; p++) {
    paths.simulate(p);
    follower.follow(p, loan);
    if (loan.flags & FLAG_MARGIN_CALL) sums.marginCalls++;
    if (loan.flags & FLAG_LIQUIDATION) sums.liquidations++;
    if (loan.flags & FLAG_CLOSEOUT) sums.closeouts++;
    if (loan.flags & FLAG_UNDERWATER) sums.underwater++;
    sums.calls += loan.calls;
    sums.callAmount += loan.callAmount;
    if (loan.soldAmount > 0) sums.sellers++;
    sums.soldAmount += loan.soldAmount;
    sums.callSquares += loan.calls * loan.calls;
    sums.callAmountSquares += loan.callAmount * loan.callAmount;
    sums.callProducts += loan.calls * loan.callAmount;
    sums.soldAmountSquares += loan.soldAmount * loan.soldAmount;
    if (loan.repaid) sums.repaid++;
    if (loan.calls > 1) sums.recalled++;
    if (loan.unfinished) sums.unfinished++;
    sums.worstCcr = Math.min(sums.worstCcr, loan.worstCcr);
    if (loan.topUps > 0) answered.topUps++;
    answered.topUpAmount += loan.topUpAmount;
    answered.topUpAmountSquares += loan.topUpAmount * loan.topUpAmount;
    if (counts !== undefined && coverage !== undefined) countLoan(counts, product, paths, loan, coverage);
    if (records === undefined) continue;
    const record = [loan.worstCcr, loan.soldAmount, loan.callAmount, loan.flags];
    records.write(p, product.answers === undefined ? record : [...record, loan.topUpAmount]);
  }
  return {
    kind: 'capped-loan',
    paths: range.count,
    ...sums,
    ...(product.answers === undefined ? {} : answered),
    ...(counts && distributionOf(counts.counts, sharedCounts)),
  };
}

/** Counts one path: its coverage refers to the whole claim, and is constant after the end of the sale. */
function countLoan(
  counts: LoanCounts,
  { nominalRatio, steps }: CappedLoanProduct,
  paths: PortfolioPaths,
  loan: CappedLoanPath,
  coverage: Float64Array,
): void {
  const nominal = Math.log(nominalRatio);
  const made = paths.made ?? stepsOf(paths.ratio);
  const { coverageStep } = loan;
  const isCovered = coverageStep <= steps;
  const final = isCovered
    ? Math.log(coverage[steps - 1])
    : logRatio(paths, nominal, made.values[made.first + made.stride * steps]);
  counts.addEnds(Math.log(loan.worstCcr), final);
  counts.addPath(made, paths.domain === 'ln', nominal, 1, coverageStep);
  if (isCovered) counts.addPath(stepsOf(coverage), false, 0, coverageStep);
  counts.addEvents(loan);
}

class CappedLoanFollower {
  private readonly thresholds: ReturnType<typeof ratioThresholds>;
  /** C_0, L_0, and the value of their ratio. */
  private readonly start: Readonly<Record<'collateral' | 'loan' | 'secured' | 'value', number>>;
  private readonly draws: AnswerDraws | undefined;
  private readonly restored: number;
  private made: StepValues = stepsOf(new Float64Array());
  /** The raise of the path's collateral by top-ups. */
  private raise = 0;

  constructor(
    private readonly product: CappedLoanProduct,
    seed: number,
    private readonly paths: PortfolioPaths,
    /** Receives the coverage of every step from the first sale or answer on, if given. */
    private readonly coverage: Float64Array | undefined,
  ) {
    const { answers, portfolio } = product;
    this.thresholds = ratioThresholds(product, paths.domain);
    this.draws = answers && new AnswerDraws(answers, seed);
    this.restored = restoredValue(product, paths.domain);
    const collateral = sumOfWeights(portfolio.collateralWeights);
    const loan = sumOfWeights(portfolio.loanWeights);
    const secured = product.liquidationWeights && sumOfWeights(product.liquidationWeights);
    this.start = { collateral, loan, secured: secured ?? 0, value: startValue(product, paths.domain) };
  }

  /** Whether the loan is below L at step t. @param byOne the same by one threshold @param collateral part that is left, as `debt` */
  private isBelowLiquidation(t: number, byOne: boolean, collateral = 1, debt = 1): boolean {
    const { paths, product, raise } = this;
    if (paths.secured === undefined) return byOne;
    const pledged = t === 0 ? this.start.secured : paths.secured[t - 1];
    return product.nominalRatio * collateral * raise * pledged < debt * this.loanAt(t);
  }

  /** Follows the loan of the simulated path to its end. @param path its number */
  follow(path: number, loan: CappedLoanPath): void {
    const { product, paths, thresholds, draws } = this;
    const { start, answers } = product;
    this.begin(loan);
    this.made = paths.made ?? stepsOf(paths.ratio);
    // L is above M where the thresholds are those of assets, and a fall of the best of them can raise it that far.
    const watched = Math.max(thresholds.marginCall, thresholds.liquidation);
    let deadline = 0; // 0: no call is open
    let due = 0; // 0: no answer comes
    let number = 0;
    let lowest = start === undefined ? Number.POSITIVE_INFINITY : this.start.value;
    if (start !== undefined && start.status !== 'open') {
      this.bookCall(loan, 0);
      loan.flags |= FLAG_MARGIN_CALL;
      if (start.status === 'liquidated') {
        this.bookLiquidation(loan, 0);
        this.sell(loan, 0, lowest);
        return;
      }
      deadline = start.deadlineStep;
      if (answers !== undefined && draws?.isAnswered(path, number)) due = answers.startStep;
    } else if (paths.minimum >= watched) {
      // Never below M, nor below L: no call and no sale.
      this.endUnsold(loan, Math.min(lowest, paths.minimum));
      return;
    }
    const { domain } = paths;
    const { values, first, stride } = this.made;
    const { steps } = product;
    let t = 1;
    if (deadline === 0) {
      // No event precedes the first call.
      for (let at = first + stride; t <= steps; t++, at += stride) {
        const r = values[at];
        if (r < watched) break;
        if (r < lowest) lowest = r;
      }
    }
    for (; t <= steps; t++) {
      const r = raised(domain, values[first + stride * t], this.raise);
      if (r < lowest) lowest = r;
      this.storeRaised(loan, t, r);
      let saleBegins = false;
      if (this.isBelowLiquidation(t, r < thresholds.liquidation)) {
        if (deadline === 0) this.bookCall(loan, t);
        loan.flags |= FLAG_MARGIN_CALL;
        this.bookLiquidation(loan, t);
        saleBegins = true;
      } else {
        const cured = deadline > 0 && r >= thresholds.recovery;
        if (cured) {
          deadline = 0;
          due = 0;
        }
        if (deadline === 0 && r < thresholds.marginCall) {
          // With R below M a call can be cured and opened again in one step: one amount is called, not two.
          if (!cured) this.bookCall(loan, t);
          loan.flags |= FLAG_MARGIN_CALL;
          deadline = t + product.topUpSteps;
          number++;
          due = draws?.isAnswered(path, number) ? t + draws.delaySteps : 0;
        }
        if (due > 0 && t === due) {
          this.answer(loan, t, r);
          deadline = 0;
          due = 0;
        }
        if (deadline > 0 && t >= deadline) {
          loan.flags |= FLAG_CLOSEOUT;
          loan.closeoutStep = t;
          saleBegins = true;
        }
      }
      if (saleBegins) {
        this.sell(loan, t, lowest);
        return;
      }
    }
    this.endUnsold(loan, lowest);
  }

  private begin(loan: CappedLoanPath): void {
    loan.flags = 0;
    loan.calls = 0;
    loan.callAmount = 0;
    loan.soldAmount = 0;
    loan.repaid = false;
    loan.unfinished = false;
    loan.coverageStep = this.product.steps + 1;
    loan.callStep = 0;
    loan.liquidationStep = 0;
    loan.closeoutStep = 0;
    loan.topUps = 0;
    loan.topUpAmount = 0;
    this.raise = UNRAISED[this.paths.domain];
  }

  /** @param lowest lowest ratio of the term, in the domain of the path */
  private endUnsold(loan: CappedLoanPath, lowest: number): void {
    if (lowest < this.thresholds.underwater) loan.flags |= FLAG_UNDERWATER;
    loan.worstCcr = this.product.nominalRatio * linear(this.paths, lowest);
  }

  /** The ratio of step t, 1 or later, without top-ups, in the domain of the path. */
  private ratioAt(t: number): number {
    const { values, first, stride } = this.made;
    return values[first + stride * t];
  }

  /** C of a step with top-ups; step 0 is the start. */
  private collateralAt(t: number): number {
    const { paths, start, raise } = this;
    const price = t === 0 ? start.collateral : collateralAt(paths, t);
    return raise === UNRAISED[paths.domain] ? price : price * linear(paths, raise);
  }

  private loanAt(t: number): number {
    return t === 0 ? this.start.loan : loanAt(this.paths, t);
  }

  private bookCall(loan: CappedLoanPath, t: number): void {
    const { product } = this;
    // A call that is open at the start counts on the first day.
    if (loan.calls === 0) loan.callStep = Math.max(1, t);
    loan.calls++;
    const missing = product.recoveryRatio * this.loanAt(t) - product.nominalRatio * this.collateralAt(t);
    loan.callAmount += Math.max(0, missing);
  }

  /** Adds collateral up to the ratio of an answer. @param value of the step, with earlier top-ups */
  private answer(loan: CappedLoanPath, t: number, value: number): void {
    const { product, paths } = this;
    const ccr = product.nominalRatio * linear(paths, value);
    loan.topUps++;
    loan.topUpAmount += ((product.answers?.toRatio ?? ccr) - ccr) * this.loanAt(t);
    this.raise = raiseTo(paths.domain, this.ratioAt(t), this.restored);
  }

  private bookLiquidation(loan: CappedLoanPath, t: number): void {
    if (!(loan.flags & FLAG_LIQUIDATION)) loan.liquidationStep = Math.max(1, t);
    loan.flags |= FLAG_LIQUIDATION;
  }

  private storeCoverage(loan: CappedLoanPath, coverages: Float64Array, t: number, coverage: number): void {
    if (t === 0) return;
    loan.coverageStep = Math.min(loan.coverageStep, t);
    coverages[t - 1] = coverage;
  }

  /** Stores the coverage of a step without sales but with top-ups. @param value of the step, with top-ups */
  private storeRaised(loan: CappedLoanPath, t: number, value: number): void {
    const { coverage, product, paths } = this;
    if (coverage === undefined || loan.topUps === 0) return;
    this.storeCoverage(loan, coverage, t, product.nominalRatio * linear(paths, value));
  }

  /** Stores the coverage after the last step of a sale, which is constant. */
  private endSale(loan: CappedLoanPath, t: number, coverage: number): void {
    if (this.coverage === undefined) return;
    loan.coverageStep = Math.min(loan.coverageStep, t + 1);
    this.coverage.fill(coverage, t);
  }

  /**
   * Sells from step `begin` on. Before the first sold amount the comparisons equal a loan's without sale, so that
   * a capacity of 0 gives its figures exactly.
   *
   * @param begin 0 for a loan that is liquidated at the start
   * @param lowest lowest ratio up to and including step `begin`, in the domain of the path
   */
  private sell(loan: CappedLoanPath, begin: number, lowest: number): void {
    const { product, paths, thresholds, start } = this;
    const { domain } = paths;
    const { steps } = product;
    const n = product.nominalRatio;
    let collateralLeft = 1;
    let debtLeft = 1;
    let lowestWhole = lowest;
    let lowestCoverage = Number.POSITIVE_INFINITY;
    loan.unfinished = product.capacityPerStep > 0 && begin === startSaleStep(product);
    for (let t = begin; t <= steps; t++) {
      const whole = loan.soldAmount === 0;
      const price = this.collateralAt(t);
      const loanPrice = this.loanAt(t);
      const collateralValue = n * collateralLeft * price;
      const debtValue = debtLeft * loanPrice;
      if (whole) {
        const r = t === 0 ? start.value : raised(domain, this.ratioAt(t), this.raise);
        if (r < lowestWhole) lowestWhole = r;
        if (this.isBelowLiquidation(t, r < thresholds.liquidation)) this.bookLiquidation(loan, t);
        this.storeRaised(loan, t, r);
      } else {
        const coverage = collateralValue / loanPrice + (1 - debtLeft);
        if (coverage < lowestCoverage) lowestCoverage = coverage;
        if (this.coverage !== undefined) this.storeCoverage(loan, this.coverage, t, coverage);
        if (collateralValue < debtValue) loan.flags |= FLAG_UNDERWATER;
        const isBelow = collateralValue < product.liquidationRatio * debtValue;
        if (this.isBelowLiquidation(t, isBelow, collateralLeft, debtLeft)) this.bookLiquidation(loan, t);
      }
      const sale = Math.min(product.capacityPerStep, collateralValue, debtValue);
      loan.soldAmount += sale;
      if (sale === debtValue || sale === collateralValue) {
        loan.unfinished = false;
        if (sale === debtValue) loan.repaid = true;
        else loan.flags |= FLAG_UNDERWATER;
        this.endSale(loan, t, collateralValue / loanPrice + (1 - debtLeft));
        break;
      }
      collateralLeft -= sale / (n * price);
      debtLeft -= sale / loanPrice;
    }
    if (lowestWhole < thresholds.underwater) loan.flags |= FLAG_UNDERWATER;
    loan.worstCcr = Math.min(n * linear(paths, lowestWhole), lowestCoverage);
  }
}
