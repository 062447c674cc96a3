/**
 * A loan whose sale is capped per step, along one path (methodology part 6); twin of shaders/product/capped_loan.wgsl.
 *
 * Takes: C_t, L_t and their ratio at every step. Gives: flags, amounts and the worst coverage. Amounts are in units
 * of the loan's initial value. Until the sale begins the loan is `loan.ts` to the letter, on the same numbers.
 */

import {
  type CappedLoanOutcome,
  FLAG_CLOSEOUT,
  FLAG_LIQUIDATION,
  FLAG_MARGIN_CALL,
  FLAG_UNDERWATER,
} from '../engine.ts';
import { ratioThresholds } from '../plan/ratio-path.ts';
import type { PathRange, RecordSink } from '../plan/records.ts';
import type { CappedLoanProduct, SimulationPlan } from '../plan/simulation-plan.ts';
import { distributionOf, type EventSteps, type LoanCounts, loanCounts, logRatio } from './path-counts.ts';
import { linear, type PortfolioPaths, stepsOf } from './paths.ts';

/** What became of one loan. */
interface CappedLoanPath extends EventSteps {
  flags: number;
  calls: number;
  callAmount: number;
  soldAmount: number;
  worstCcr: number;
  /** Step from which `coverage` holds; beyond the term where nothing was sold. */
  saleStep: number;
}

/**
 * Runs the loans of a range of paths and sums what became of them.
 *
 * @param paths the plan's paths with their amounts
 * @param tally counts of other paths of the plan, to which those of this range are added; the outcome then has none
 */
export function runCappedLoans(
  plan: SimulationPlan<CappedLoanProduct>,
  range: PathRange,
  records: RecordSink | undefined,
  paths: PortfolioPaths,
  tally?: Uint32Array,
): CappedLoanOutcome {
  const { product } = plan;
  const loan: CappedLoanPath = {
    flags: 0,
    calls: 0,
    callAmount: 0,
    soldAmount: 0,
    worstCcr: 0,
    saleStep: 0,
    callStep: 0,
    liquidationStep: 0,
    closeoutStep: 0,
  };
  const counts = loanCounts(plan, tally);
  const coverage = counts && new Float64Array(product.steps);
  const follower = new CappedLoanFollower(product, paths, coverage);
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
    worstCcr: Number.POSITIVE_INFINITY,
  };
  for (let p = range.first; p < range.first + range.count; p++) {
    paths.simulate(p);
    follower.follow(loan);
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
    sums.worstCcr = Math.min(sums.worstCcr, loan.worstCcr);
    if (counts !== undefined && coverage !== undefined) countLoan(counts, product, paths, loan, coverage);
    records?.write(p, [loan.worstCcr, loan.soldAmount, loan.callAmount, loan.flags]);
  }
  return {
    kind: 'capped-loan',
    paths: range.count,
    ...sums,
    ...(counts && distributionOf(counts.counts, tally)),
  };
}

/** Counts one path: its coverage is that of the whole claim, and stays as it is once the sale has ended. */
function countLoan(
  counts: LoanCounts,
  { nominalRatio, steps }: CappedLoanProduct,
  paths: PortfolioPaths,
  loan: CappedLoanPath,
  coverage: Float64Array,
): void {
  const nominal = Math.log(nominalRatio);
  const made = paths.made ?? stepsOf(paths.ratio);
  const { saleStep } = loan;
  const isSold = saleStep <= steps;
  const final = isSold
    ? Math.log(coverage[steps - 1])
    : logRatio(paths, nominal, made.values[made.first + made.stride * steps]);
  counts.addEnds(Math.log(loan.worstCcr), final);
  counts.addPath(made, paths.domain === 'ln', nominal, 1, saleStep);
  if (isSold) counts.addPath(stepsOf(coverage), false, 0, saleStep);
  counts.addEvents(loan);
}

class CappedLoanFollower {
  private readonly product: CappedLoanProduct;
  private readonly paths: PortfolioPaths;
  private readonly thresholds: ReturnType<typeof ratioThresholds>;

  /** Receives the coverage of every step from the sale on, where it is given. */
  private readonly coverage: Float64Array | undefined;

  constructor(product: CappedLoanProduct, paths: PortfolioPaths, coverage: Float64Array | undefined) {
    this.product = product;
    this.paths = paths;
    this.coverage = coverage;
    this.thresholds = ratioThresholds(product, paths.domain);
  }

  /** Follows the loan of the simulated path to its end. */
  follow(loan: CappedLoanPath): void {
    const { product, paths, thresholds } = this;
    loan.flags = 0;
    loan.calls = 0;
    loan.callAmount = 0;
    loan.soldAmount = 0;
    loan.saleStep = product.steps + 1;
    loan.callStep = 0;
    loan.liquidationStep = 0;
    loan.closeoutStep = 0;
    if (paths.minimum >= thresholds.marginCall) {
      // Never below M, nor below L < M: no call and no sale.
      this.endUnsold(loan, paths.minimum);
      return;
    }
    const { ratio } = paths;
    let deadline = 0; // 0: no call is open
    let lowest = Number.POSITIVE_INFINITY;
    for (let t = 1; t <= ratio.length; t++) {
      const r = ratio[t - 1];
      if (r < lowest) lowest = r;
      let saleBegins = false;
      if (r < thresholds.liquidation) {
        if (deadline === 0) this.bookCall(loan, t);
        loan.flags |= FLAG_MARGIN_CALL;
        this.bookLiquidation(loan, t);
        saleBegins = true;
      } else {
        const cured = deadline > 0 && r >= thresholds.recovery;
        if (cured) deadline = 0;
        if (deadline === 0 && r < thresholds.marginCall) {
          // With R below M a call can be cured and opened again in one step: one call, not two.
          if (!cured) this.bookCall(loan, t);
          loan.flags |= FLAG_MARGIN_CALL;
          deadline = t + product.topUpSteps;
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

  /** @param lowest lowest ratio of the term, in the domain of the path */
  private endUnsold(loan: CappedLoanPath, lowest: number): void {
    if (lowest < this.thresholds.underwater) loan.flags |= FLAG_UNDERWATER;
    loan.worstCcr = this.product.nominalRatio * linear(this.paths, lowest);
  }

  private bookCall(loan: CappedLoanPath, t: number): void {
    const { product, paths } = this;
    if (loan.calls === 0) loan.callStep = t;
    loan.calls++;
    const missing =
      product.recoveryRatio * paths.loan[t - 1] - product.nominalRatio * paths.collateral[t - 1];
    loan.callAmount += Math.max(0, missing);
  }

  private bookLiquidation(loan: CappedLoanPath, t: number): void {
    if (!(loan.flags & FLAG_LIQUIDATION)) loan.liquidationStep = t;
    loan.flags |= FLAG_LIQUIDATION;
  }

  private keepCoverage(loan: CappedLoanPath, coverages: Float64Array, t: number, coverage: number): void {
    loan.saleStep = Math.min(loan.saleStep, t);
    coverages[t - 1] = coverage;
  }

  /** After the last step of a sale the coverage stays as it is. */
  private endSale(loan: CappedLoanPath, t: number, coverage: number): void {
    if (this.coverage === undefined) return;
    loan.saleStep = Math.min(loan.saleStep, t + 1);
    this.coverage.fill(coverage, t);
  }

  /**
   * The sale from step `begin` on. While nothing has been sold the comparisons are those of a loan without sale, so
   * that no capacity at all gives its figures exactly.
   *
   * @param lowest lowest ratio up to and including step `begin`, in the domain of the path
   */
  private sell(loan: CappedLoanPath, begin: number, lowest: number): void {
    const { product, paths, thresholds } = this;
    const { ratio, collateral, loan: loanPrice } = paths;
    const n = product.nominalRatio;
    let collateralLeft = 1;
    let debtLeft = 1;
    let lowestWhole = lowest;
    let lowestCoverage = Number.POSITIVE_INFINITY;
    for (let t = begin; t <= ratio.length; t++) {
      const whole = loan.soldAmount === 0;
      const collateralValue = n * collateralLeft * collateral[t - 1];
      const debtValue = debtLeft * loanPrice[t - 1];
      if (whole) {
        const r = ratio[t - 1];
        if (r < lowestWhole) lowestWhole = r;
        if (r < thresholds.liquidation) this.bookLiquidation(loan, t);
      } else {
        const coverage = collateralValue / loanPrice[t - 1] + (1 - debtLeft);
        if (coverage < lowestCoverage) lowestCoverage = coverage;
        if (this.coverage !== undefined) this.keepCoverage(loan, this.coverage, t, coverage);
        if (collateralValue < debtValue) loan.flags |= FLAG_UNDERWATER;
        if (collateralValue < product.liquidationRatio * debtValue) this.bookLiquidation(loan, t);
      }
      const sale = Math.min(product.capacityPerStep, collateralValue, debtValue);
      loan.soldAmount += sale;
      if (sale === debtValue || sale === collateralValue) {
        if (sale !== debtValue) loan.flags |= FLAG_UNDERWATER;
        this.endSale(loan, t, collateralValue / loanPrice[t - 1] + (1 - debtLeft));
        break;
      }
      collateralLeft -= sale / (n * collateral[t - 1]);
      debtLeft -= sale / loanPrice[t - 1];
    }
    if (lowestWhole < thresholds.underwater) loan.flags |= FLAG_UNDERWATER;
    loan.worstCcr = Math.min(n * linear(paths, lowestWhole), lowestCoverage);
  }
}
