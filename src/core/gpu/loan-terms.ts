/**
 * The terms that every loan on the GPU begins with: its domain, its thresholds of C/L, and the time to meet a call.
 *
 * Takes: a loan and the layout of its shader's `Terms`. Gives: the struct with these members filled in.
 */
import { debtGrowthPerStep, type GrowingDebt, type LoanStart, type LoanTerms } from '../plan/loan-terms.ts';
import type { Portfolio } from '../plan/portfolio.ts';
import { assetPair, placeRatio, type RatioDomain, ratioThresholds, startRatio } from '../plan/ratio-path.ts';
import type { Product, SimulationPlan } from '../plan/simulation-plan.ts';
import { isNearlyRiskless } from '../plan/single-precision.ts';
import { named } from './kernels.ts';
import type { MarketView } from './model/market.ts';
import { type StructLayout, uniformWords } from './struct-layout.ts';

/** What `start_status` says of a loan; `none` where step 0 is not judged. */
const START = { none: 0, open: 1, called: 2, liquidated: 3 } as const satisfies Readonly<
  Record<LoanStart['status'] | 'none', number>
>;
/** The same by the names of the WGSL. */
export const START_CONSTANTS = named('START', START);

/** A layout that has these members. */
export interface StartLayout extends StructLayout {
  readonly fields: Readonly<Record<'start_status' | 'start_value' | 'start_deadline', number>>;
}

/** Fills in what a loan is at step 0. */
export function packStart(
  { fields }: StartLayout,
  packed: Float32Array<ArrayBuffer>,
  { start, portfolio }: LoanTerms & { readonly portfolio: Portfolio },
  domain: GpuDomain,
): void {
  const words = new Uint32Array(packed.buffer);
  words[fields.start_status / 4] = START[start?.status ?? 'none'];
  packed[fields.start_value / 4] = placeRatio(domain, startRatio(portfolio));
  words[fields.start_deadline / 4] = start?.deadlineStep ?? 0;
}

/** log2 of what a debt grows by in a step. */
export const log2Growth = (debt: GrowingDebt): number => debtGrowthPerStep(debt) * Math.LOG2E;

type Member = 'margin_call' | 'liquidation' | 'recovery' | 'underwater' | 'nominal_ratio' | 'top_up_steps';

/** A layout that has these members. */
export interface LoanTermsLayout extends StructLayout {
  readonly fields: Readonly<Record<Member, number>>;
}

/** A domain of the GPU: log2(C/L), C/L, or C/L - 1. */
export type GpuDomain = Exclude<RatioDomain, 'ln'>;

/** The domain in which the GPU follows the paths of a plan: differences from one where the ratio hardly moves. */
export function gpuDomain(plan: SimulationPlan<Extract<Product, { portfolio: Portfolio }>>): GpuDomain {
  if (assetPair(plan.product.portfolio) !== undefined) return 'log2';
  return isNearlyRiskless(plan) ? 'difference' : 'ratio';
}

const FROM_DOMAIN: Readonly<Record<GpuDomain, (value: number) => number>> = {
  ratio: value => value,
  log2: value => 2 ** value,
  difference: value => 1 + value,
};

/** A value of that domain as C/L. */
export function fromDomain(domain: GpuDomain, value: number): number {
  return FROM_DOMAIN[domain](value);
}

/** What a path of that domain is followed by. */
export const RATIO_VIEWS = {
  ratio: 'ratio',
  log2: 'log-ratio',
  difference: 'ratio-difference',
} as const satisfies Readonly<Record<GpuDomain, MarketView>>;

/** Likewise with C and L beside it. */
export const LOAN_VIEWS = {
  ratio: 'loan-basket',
  log2: 'loan-pair',
  difference: 'loan-difference',
} as const satisfies Readonly<Record<GpuDomain, MarketView>>;

export function packLoanTerms(
  layout: LoanTermsLayout,
  loan: LoanTerms,
  domain: GpuDomain,
): Float32Array<ArrayBuffer> {
  const { fields } = layout;
  const { liquidation, marginCall, recovery, underwater } = ratioThresholds(loan, domain);
  const packed = uniformWords(layout);
  packed[fields.margin_call / 4] = marginCall;
  packed[fields.liquidation / 4] = liquidation;
  packed[fields.recovery / 4] = recovery;
  packed[fields.underwater / 4] = underwater;
  packed[fields.nominal_ratio / 4] = loan.nominalRatio;
  new Uint32Array(packed.buffer)[fields.top_up_steps / 4] = loan.topUpSteps;
  return packed;
}
