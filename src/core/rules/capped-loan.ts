/**
 * The loan with capped sales: docs/methodology.md, part 7 (Low liquidity).
 *
 * Takes: terms, the capacity of a step, and the values of both baskets by step. Gives: what happens on that path.
 */
import type { CappedLoanProduct, SimulationPlan } from '../plan/simulation-plan.ts';
import {
  type DrawOfCall,
  debtByStep,
  drawsOf,
  firstStep,
  isBelowLiquidation,
  type LoanTerms,
  loanAtStart,
  loanTermsOf,
  ratioOf,
  rulesOfStep,
} from './loan.ts';
import { basketsOnPath } from './models.ts';

/** One path of a loan with capped sales. Amounts are in units of the loan at the start. */
export interface CappedLoanOnPath {
  readonly marginCall: boolean;
  readonly liquidation: boolean;
  readonly closeout: boolean;
  /** Steps of the first of each, 0 where there is none; an event of the start is one of step 1. */
  readonly callStep: number;
  readonly liquidationStep: number;
  readonly closeoutStep: number;
  /** CCR below 1 at some step while debt is left, or the collateral gone before the debt. */
  readonly underwater: boolean;
  /** Lowest coverage. */
  readonly worstCcr: number;
  /** Of the whole claim at t = 1..T, index t - 1; constant once the sale has ended. */
  readonly coverage: readonly number[];
  /** max(0, R x debt - collateral) of each call. */
  readonly callAmounts: readonly number[];
  readonly sold: number;
  /** Whether the sale repaid the debt. */
  readonly repaid: boolean;
  /** Whether a sale that begins at the start, or at the deadline of the call that is open there, does not end within the term. */
  readonly unfinished: boolean;
  /** Answered calls, and the sum of what they add, each at its value at the time. */
  readonly topUps: number;
  readonly added: number;
}

/**
 * One path of a loan with capped sales: docs/methodology.md, "Sale".
 *
 * @param capacity largest sale of a step
 * @param collateral C_t, t = 0..T
 * @param loan L_t
 * @param secured C_t with the liquidation LTV of each asset as a factor; absent where the loan has one threshold
 */
export function cappedLoanOnPath(
  terms: LoanTerms,
  capacity: number,
  collateral: readonly number[],
  loan: readonly number[],
  draw: DrawOfCall = () => 0,
  secured?: readonly number[],
): CappedLoanOnPath {
  const T = collateral.length - 1;
  const debt = debtByStep(terms, loan, T);
  const state = loanAtStart(terms);
  const coverage: number[] = [];
  const callAmounts: number[] = [];
  let [callStep, liquidationStep, closeoutStep] = [0, 0, 0];
  let underwater = false;
  let worstCcr = Number.POSITIVE_INFINITY;
  let sold = 0;
  let topUps = 0;
  let added = 0;
  let saleStep: number | undefined;
  let end: 'debt repaid' | 'collateral gone' | undefined;
  let whole = 0;
  for (let t = firstStep(terms); t <= T; t++) {
    if (end === undefined) {
      const { units } = state;
      const collateralUsd = units * collateral[t];
      const debtUsd = state.debt * debt[t];
      const ccr = ratioOf(state, collateral[t], debt[t]);
      const health = secured && ratioOf(state, secured[t], debt[t]);
      const step = Math.max(1, t);
      if (ccr < 1) underwater = true;
      whole = (collateralUsd + (1 - state.debt) * debt[t]) / debt[t];
      worstCcr = Math.min(worstCcr, whole);
      if (saleStep === undefined) {
        const { called, again, answered, liquidated, closedOut } = rulesOfStep(
          terms,
          state,
          t,
          ccr,
          draw,
          health,
        );
        if (called && callStep === 0) callStep = step;
        if (called && !again) callAmounts.push(Math.max(0, terms.R * debtUsd - collateralUsd));
        if (answered) {
          topUps += 1;
          added += (state.units - units) * collateral[t];
        }
        if (liquidated) liquidationStep = step;
        if (closedOut) closeoutStep = step;
        if (liquidated || closedOut) saleStep = t;
      } else if (isBelowLiquidation(terms, ccr, health) && liquidationStep === 0) {
        // A loan in sale after a Closeout that falls below L.
        liquidationStep = step;
      }
      if (saleStep !== undefined) {
        const sale = Math.min(capacity, collateralUsd, debtUsd);
        sold += sale;
        state.units -= sale / collateral[t];
        state.debt -= sale / debt[t];
        if (sale === debtUsd) end = 'debt repaid';
        else if (sale === collateralUsd) end = 'collateral gone';
      }
    }
    if (t > 0) coverage.push(whole);
  }
  const { status = 'open', deadline } = terms.start ?? {};
  const commonSaleStep = { open: undefined, called: deadline, liquidated: 0 }[status];
  return {
    marginCall: callStep > 0,
    liquidation: liquidationStep > 0,
    closeout: closeoutStep > 0,
    callStep,
    liquidationStep,
    closeoutStep,
    underwater: underwater || end === 'collateral gone',
    worstCcr,
    coverage,
    callAmounts,
    sold,
    repaid: end === 'debt repaid',
    unfinished: sold > 0 && end === undefined && saleStep === commonSaleStep,
    topUps,
    added,
  };
}

/** A capped loan of a plan on one of its paths. */
export function cappedLoanOfPlan(plan: SimulationPlan<CappedLoanProduct>, path: number): CappedLoanOnPath {
  const { product, seed } = plan;
  const { collateral, loan, secured } = basketsOnPath(plan, path, product.steps);
  const draw = drawsOf(product, seed, path);
  return cappedLoanOnPath(loanTermsOf(product), product.capacityPerStep, collateral, loan, draw, secured);
}
