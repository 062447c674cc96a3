/** Common sums and records of loan programs, in shader order. */
import { FLAGS } from '../../engine.ts';
import { named, type RecordKinds } from '../kernels.ts';
import type { SumKinds } from '../results.ts';

/** Paths with each event. */
export const EVENT_SUMS = {
  marginCalls: 'count',
  liquidations: 'count',
  closeouts: 'count',
  underwater: 'count',
} as const satisfies SumKinds;

/** Of a loan with unlimited sales. */
export const LOAN_SUMS = {
  ...EVENT_SUMS,
  openSteps: 'count',
  loss: 'fraction',
  closedStepSquares: 'count-square',
  losses: 'count',
  lossSquares: 'fraction-square',
  earlyEnds: 'count',
} as const satisfies SumKinds;

export const LOAN_RECORDS = {
  minimumRatio: 'real',
  finalRatio: 'real',
  endStep: 'count',
  flags: 'count',
} as const satisfies RecordKinds;

/** The bits of `flags` by the names of the WGSL. */
export const FLAG_CONSTANTS = named('FLAG', FLAGS);
