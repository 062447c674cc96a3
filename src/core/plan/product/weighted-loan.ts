/** Sums over the paths of a loan that have weights: their layout in the outcome. */

/** Quantities of a path, in the order in which their sums stand. */
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
type Quantity = (typeof LOAN_QUANTITIES)[number];

/** A sum under the weights, and under their squares. */
export interface WeightedSum {
  readonly once: number;
  readonly twice: number;
}

/** The sums of an outcome by name. @param sums under the weights, then those under their squares */
export function weightedSums(sums: Float64Array): Readonly<Record<Quantity, WeightedSum>> {
  const entries = LOAN_QUANTITIES.map(
    (name, i) => [name, { once: sums[i], twice: sums[LOAN_QUANTITIES.length + i] }] as const,
  );
  return Object.fromEntries(entries) as Record<Quantity, WeightedSum>;
}
