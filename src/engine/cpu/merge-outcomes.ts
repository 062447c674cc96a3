/**
 * How the outcomes of chunks add up, in path order, so that a sum of doubles is always the same sum.
 */
import type { CappedLoanOutcome, LoanOutcome, OriginationOutcome, PerpetualOutcome } from '../engine.ts';
import type { SummedOutcome } from './run-chunk.ts';

/** Adds up the outcomes of all chunks of one plan; at least one. */
export function mergeOutcomes(parts: readonly SummedOutcome[]): SummedOutcome {
  switch (parts[0].kind) {
    case 'loan':
      return mergeLoans(parts as readonly LoanOutcome[]);
    case 'origination':
      return mergeOriginations(parts as readonly OriginationOutcome[]);
    case 'capped-loan':
      return mergeCappedLoans(parts as readonly CappedLoanOutcome[]);
    case 'perpetual':
      return mergePerpetuals(parts as readonly PerpetualOutcome[]);
  }
}

function mergeLoans(parts: readonly LoanOutcome[]): LoanOutcome {
  return {
    kind: 'loan',
    paths: sum(parts, part => part.paths),
    marginCalls: sum(parts, part => part.marginCalls),
    liquidations: sum(parts, part => part.liquidations),
    closeouts: sum(parts, part => part.closeouts),
    underwater: sum(parts, part => part.underwater),
    openSteps: sum(parts, part => part.openSteps),
    loss: sum(parts, part => part.loss),
    worstCcr: lowest(parts, part => part.worstCcr),
  };
}

function mergeOriginations(parts: readonly OriginationOutcome[]): OriginationOutcome {
  const counts = new Float64Array(parts[0].counts.length);
  for (const part of parts) for (let k = 0; k < counts.length; k++) counts[k] += part.counts[k];
  return {
    kind: 'origination',
    paths: sum(parts, part => part.paths),
    counts,
    worstRatio: lowest(parts, part => part.worstRatio),
  };
}

function mergeCappedLoans(parts: readonly CappedLoanOutcome[]): CappedLoanOutcome {
  return {
    kind: 'capped-loan',
    paths: sum(parts, part => part.paths),
    marginCalls: sum(parts, part => part.marginCalls),
    liquidations: sum(parts, part => part.liquidations),
    closeouts: sum(parts, part => part.closeouts),
    underwater: sum(parts, part => part.underwater),
    calls: sum(parts, part => part.calls),
    callAmount: sum(parts, part => part.callAmount),
    sellers: sum(parts, part => part.sellers),
    soldAmount: sum(parts, part => part.soldAmount),
    worstCcr: lowest(parts, part => part.worstCcr),
  };
}

function mergePerpetuals(parts: readonly PerpetualOutcome[]): PerpetualOutcome {
  return {
    kind: 'perpetual',
    paths: sum(parts, part => part.paths),
    marginCalls: sum(parts, part => part.marginCalls),
    liquidations: sum(parts, part => part.liquidations),
    finalEquity: concatenate(parts.map(part => part.finalEquity)),
    accumulatedFunding: concatenate(parts.map(part => part.accumulatedFunding)),
    maxEquityDrawdown: concatenate(parts.map(part => part.maxEquityDrawdown)),
    medianLeverage: concatenate(parts.map(part => part.medianLeverage)),
  };
}

/** Columns of one kind, end to end. */
export function concatenate(columns: readonly Float64Array[]): Float64Array {
  const all = new Float64Array(sum(columns, column => column.length));
  let at = 0;
  for (const column of columns) {
    all.set(column, at);
    at += column.length;
  }
  return all;
}

function sum<T>(parts: readonly T[], pick: (part: T) => number): number {
  let total = 0;
  for (const part of parts) total += pick(part);
  return total;
}

function lowest<T>(parts: readonly T[], pick: (part: T) => number): number {
  let least = Number.POSITIVE_INFINITY;
  for (const part of parts) least = Math.min(least, pick(part));
  return least;
}
