/** Sums over the paths of a loan that have weights: their layout in the outcome. */

/** Quantities of a path, in the order of their sums. */
export const LOAN_QUANTITIES = [
  'paths',
  'marginCalls',
  'liquidations',
  'closeouts',
  'underwater',
  'closedSteps',
  'closedStepSquares',
  'loss',
  'lossSquares',
  'topUps',
  'topUpAmount',
  'topUpAmountSquares',
] as const;
export type LoanQuantity = (typeof LOAN_QUANTITIES)[number];
