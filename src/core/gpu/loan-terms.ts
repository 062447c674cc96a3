/** Common parts of loans on the GPU: the domain of their paths, and members of their `Terms`. */
import { debtGrowthPerStep, type GrowingDebt, type LoanStart, type LoanTerms } from '../plan/loan-terms.ts';
import type { Portfolio } from '../plan/portfolio.ts';
import {
  assetPair,
  type RatioDomain,
  ratioThresholds,
  startValue,
  sumOfWeights,
} from '../plan/ratio-path.ts';
import type { CappedLoanProduct, LoanProduct, Product, SimulationPlan } from '../plan/simulation-plan.ts';
import { isNearlyRiskless } from '../plan/single-precision.ts';
import { named } from './kernels.ts';
import { ASSET_VECTOR, type MarketView, quads } from './model/market.ts';
import { f32 } from './struct-layout.ts';

/** Values of `start_status`; `none` where step 0 is not judged. */
const START = { none: 0, open: 1, called: 2, liquidated: 3 } as const satisfies Readonly<
  Record<LoanStart['status'] | 'none', number>
>;
/** The same by the names of the WGSL. */
export const START_CONSTANTS = named('START', START);

/** The members of `Terms` for the state of a loan at step 0. A start below 1 / N is so in single precision, too: all paths have it. */
export function startTerms(product: LoanTerms & { readonly portfolio: Portfolio }, domain: GpuDomain) {
  const { start } = product;
  const value = startValue(product, domain);
  const { underwater } = ratioThresholds(product, domain);
  return {
    start_status: START[start?.status ?? 'none'],
    start_value: value < underwater ? Math.min(value, belowInSingle(underwater)) : value,
    start_deadline: start?.deadlineStep ?? 0,
  };
}

/** A number that single precision rounds to the neighbour below the rounded `value`; 0 for 0. */
function belowInSingle(value: number): number {
  const rounded = Math.fround(value);
  return rounded - Math.abs(rounded) * 2 ** -23;
}

/** log2 of the growth of a debt in a step. */
export const log2Growth = (debt: GrowingDebt): number => debtGrowthPerStep(debt) * Math.LOG2E;

/** A domain of the GPU: log2(C/L), C/L, or C/L - 1. */
export type GpuDomain = Exclude<RatioDomain, 'ln'>;

/** The domain of the paths of a plan on the GPU: differences from 1 where the ratio hardly moves, and with thresholds by asset. */
export function gpuDomain(plan: SimulationPlan<Extract<Product, { portfolio: Portfolio }>>): GpuDomain {
  if ('liquidationWeights' in plan.product && plan.product.liquidationWeights !== undefined)
    return 'difference';
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

/** The view of a path in each domain. */
export const RATIO_VIEWS = {
  ratio: 'ratio',
  log2: 'log-ratio',
  difference: 'ratio-difference',
} as const satisfies Readonly<Record<GpuDomain, MarketView>>;

/** The same view with C and L beside it. */
export const LOAN_VIEWS = {
  ratio: 'loan-basket',
  log2: 'loan-pair',
  difference: 'loan-difference',
} as const satisfies Readonly<Record<GpuDomain, MarketView>>;

/** The one view of a loan with thresholds by asset. */
export const SECURED_VIEWS = {
  ratio: 'loan-secured',
  log2: 'loan-secured',
  difference: 'loan-secured',
} as const satisfies Readonly<Record<GpuDomain, MarketView>>;

/** Files with the constant that tells the two kinds of thresholds apart. */
export const ONE_THRESHOLD = 'product/one_threshold.wgsl';
export const ASSET_THRESHOLDS = 'product/asset_thresholds.wgsl';

/** The files of a program for loans with thresholds by asset. @param files those of loans with one threshold */
export const withAssetThresholds = (files: readonly string[]): readonly string[] =>
  files.map(file => (file === ONE_THRESHOLD ? ASSET_THRESHOLDS : file));

/** Members of `Terms` for thresholds by asset; all 0 without them. */
export const SECURED = { secured_weight: ASSET_VECTOR, secured_sum: f32 };

/**
 * The weights of the collateral whose ratio to the debt is compared with L of the start, in place of thresholds by asset:
 * N sum w_i t_i S_i < debt is N sum w_i t_i L_0 S_i < L_0 debt. Their sum is that of the collateral weights.
 */
export function securedBasket(liquidationWeights: Float64Array, collateralWeights: Float64Array) {
  const ratio = sumOfWeights(collateralWeights) / sumOfWeights(liquidationWeights);
  return { ratio, weights: liquidationWeights.map(weight => weight * ratio) };
}

/** A loan with L of the start where its thresholds are those of its assets, and its members of `SECURED`. */
export function securedLoan<P extends LoanProduct | CappedLoanProduct>(loan: P) {
  const { liquidationWeights, portfolio } = loan;
  if (liquidationWeights === undefined) return { loan, terms: { secured_weight: [], secured_sum: 0 } };
  const { ratio, weights } = securedBasket(liquidationWeights, portfolio.collateralWeights);
  const excess = weights.map((weight, i) => weight - portfolio.loanWeights[i]);
  return {
    loan: { ...loan, liquidationRatio: ratio },
    terms: { secured_weight: quads(excess), secured_sum: sumOfWeights(excess) },
  };
}

/** The first members of `Terms` of every loan. */
export const THRESHOLDS = {
  margin_call: f32,
  liquidation: f32,
  recovery: f32,
  underwater: f32,
  nominal_ratio: f32,
};

/** Their values: thresholds of C/L in a domain. */
export function thresholdTerms(loan: LoanTerms, domain: GpuDomain) {
  const { liquidation, marginCall, recovery, underwater } = ratioThresholds(loan, domain);
  return {
    margin_call: marginCall,
    liquidation,
    recovery,
    underwater,
    nominal_ratio: loan.nominalRatio,
  };
}
