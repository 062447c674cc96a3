/**
 * The loan of methodology part 4 and the capped sale of part 6, written down sentence by sentence in CCR and USD.
 */

import type { LoanTerms } from '#src/core/plan/loan-terms.js';

export interface PlainTerms {
  readonly N: number;
  readonly M: number;
  readonly L: number;
  readonly R: number;
  readonly topUpSteps: number;
}

/** The terms of a loan of a plan. */
export const plainTerms = (product: LoanTerms): PlainTerms => ({
  N: product.nominalRatio,
  M: product.marginCallRatio,
  L: product.liquidationRatio,
  R: product.recoveryRatio,
  topUpSteps: product.topUpSteps,
});

/** Steps at which something first happened; 0 where it did not. */
export interface PlainEvents {
  callStep: number;
  liquidationStep: number;
  closeoutStep: number;
}

export interface PlainLoan extends PlainEvents {
  marginCall: boolean;
  liquidation: boolean;
  closeout: boolean;
  underwater: boolean;
  endStep: number;
  worstCcr: number;
  loss: number;
}

/** Runs one loan on C_t and L_t, t = 0..T. */
export function plainLoan(terms: PlainTerms, collateral: number[], loan: number[]): PlainLoan {
  const steps = collateral.length - 1;
  const ccr = collateral.map((c, t) => terms.N * (c / loan[t]));
  const result: PlainLoan = {
    marginCall: false,
    liquidation: false,
    closeout: false,
    underwater: ccr.slice(1).some(x => x < 1),
    endStep: steps,
    worstCcr: Math.min(...ccr.slice(1)),
    loss: Math.max(0, 1 - ccr[steps]),
    callStep: 0,
    liquidationStep: 0,
    closeoutStep: 0,
  };
  let callOpen = false;
  let deadline = 0;
  for (let t = 1; t <= steps; t++) {
    if (ccr[t] < terms.L) {
      result.liquidation = true;
      result.marginCall = true;
      result.endStep = t;
      result.liquidationStep = t;
      if (result.callStep === 0) result.callStep = t;
      break;
    }
    if (callOpen && ccr[t] >= terms.R) callOpen = false;
    if (!callOpen && ccr[t] < terms.M) {
      result.marginCall = true;
      if (result.callStep === 0) result.callStep = t;
      callOpen = true;
      deadline = t + terms.topUpSteps;
    }
    if (callOpen && t >= deadline) {
      result.closeout = true;
      result.closeoutStep = t;
      result.endStep = t;
      break;
    }
  }
  return result;
}

export interface PlainCappedLoan extends PlainEvents {
  marginCall: boolean;
  liquidation: boolean;
  closeout: boolean;
  underwater: boolean;
  worstCcr: number;
  /** Amounts in units of the initial loan value. */
  callAmounts: number[];
  sold: number;
  /** Whether the sale repaid the debt. */
  repaid: boolean;
  /** Of the whole claim at t = 1..T, index t - 1; it stays as it is once the sale has ended. */
  coverage: number[];
}

/** Runs one loan with a sale of at most `capacity` per step, in units of the initial loan value. */
export function plainCappedLoan(
  terms: PlainTerms,
  capacity: number,
  collateral: number[],
  loan: number[],
): PlainCappedLoan {
  const result: PlainCappedLoan = {
    marginCall: false,
    liquidation: false,
    closeout: false,
    underwater: false,
    worstCcr: Number.POSITIVE_INFINITY,
    callAmounts: [],
    sold: 0,
    repaid: false,
    coverage: [],
    callStep: 0,
    liquidationStep: 0,
    closeoutStep: 0,
  };
  const liquidated = (t: number) => {
    if (!result.liquidation) result.liquidationStep = t;
    result.liquidation = true;
  };
  const called = (t: number) => {
    if (!result.marginCall) result.callStep = t;
    result.marginCall = true;
  };
  let collateralUnits = terms.N;
  let debtUnits = 1;
  let inSale = false;
  let callOpen = false;
  let deadline = 0;
  for (let t = 1; t < collateral.length; t++) {
    const collateralUsd = collateralUnits * collateral[t];
    const debtUsd = debtUnits * loan[t];
    const ccr = (collateralUnits / debtUnits) * (collateral[t] / loan[t]);
    if (ccr < 1) result.underwater = true;
    const wholeClaim = (collateralUsd + (1 - debtUnits) * loan[t]) / loan[t];
    result.worstCcr = Math.min(result.worstCcr, wholeClaim);
    result.coverage.push(wholeClaim);
    const call = () => result.callAmounts.push(Math.max(0, terms.R * debtUsd - collateralUsd));
    if (inSale) {
      if (ccr < terms.L) liquidated(t);
    } else if (ccr < terms.L) {
      if (!callOpen) call();
      called(t);
      liquidated(t);
      inSale = true;
    } else {
      const cured = callOpen && ccr >= terms.R;
      if (cured) callOpen = false;
      if (!callOpen && ccr < terms.M) {
        if (!cured) call();
        called(t);
        callOpen = true;
        deadline = t + terms.topUpSteps;
      }
      if (callOpen && t >= deadline) {
        result.closeout = true;
        result.closeoutStep = t;
        inSale = true;
      }
    }
    if (inSale) {
      const sale = Math.min(capacity, collateralUsd, debtUsd);
      result.sold += sale;
      collateralUnits -= sale / collateral[t];
      debtUnits -= sale / loan[t];
      if (sale === debtUsd) {
        result.repaid = true;
        break;
      }
      if (sale === collateralUsd) {
        result.underwater = true;
        break;
      }
    }
  }
  const last = result.coverage[result.coverage.length - 1];
  while (result.coverage.length < collateral.length - 1) result.coverage.push(last);
  return result;
}
