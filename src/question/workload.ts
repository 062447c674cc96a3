/**
 * What each operation states about its requests before it answers them: their work, for admission, and the members of the
 * body from which the names of engines and markets come.
 *
 * Takes: processed requests. Gives: a row for each operation; routes are made of them. Must not know: prices, engines.
 */
import type { Fault } from '../core/errors.ts';
import { gpuProduct } from '../core/gpu/products.ts';
import { stepsOfDays } from '../core/plan/grid.ts';
import type { ModelKind } from '../core/plan/models.ts';
import type { PlanField } from '../core/plan/plan-fault.ts';
import { numberAssets } from '../core/plan/portfolio.ts';
import type { ProductKind } from '../core/plan/products.ts';
import { type SimulationSize, workOf } from '../core/plan/work.ts';
import { hasSimdKernel } from '../core/simd/products.ts';
import { METHODOLOGIES, type MethodologyName } from '../methodology/methodologies.ts';
import type { Sampling } from '../request/query.ts';
import type { LoanMembers } from './loan/request.ts';
import type { UnderWayMembers } from './loan/under-way.ts';
import { kindOf } from './sampling.ts';
import type { TypedRequest } from './typed-request.ts';

/** Windows that a model is fitted to before paths are made. */
export interface Calibration {
  readonly model: ModelKind;
  /** One but in a back-test, which fits every day. */
  readonly fits: number;
  readonly assets: number;
  readonly lookbackDays: number;
}

/** What a request will make the engines do. */
export interface Workload {
  readonly product: ProductKind;
  readonly assets: number;
  /** Work of all passes in asset-steps, as `core/plan/work.ts` counts them. */
  readonly work: number;
  /** The windows that the model is fitted to first. */
  readonly calibration: Calibration;
  /** Whether the GPU engine and the SIMD kernel have the product under the model. */
  readonly onGpu: boolean;
  readonly onSimd: boolean;
}

/** The member under which a weight of an asset was sent, by map; an alias is named as it was sent. */
export type SentNames = (map: string, asset: string) => string;

/** What an operation states about its requests. */
export interface RequestRow<R> {
  /**
   * HISTORICAL counts 24 windows for each day of its lookback, as on an hourly grid; on a daily one it will be less.
   */
  workload(request: R, sampling?: Sampling): Workload;
  /** Why the request cannot be sampled so; absent where its operation has one sampling only. */
  samplingFaults?(request: R, sampling: Sampling): readonly Fault[];
  /** The member that decides on a field of the plan, as in the body. */
  planMember(request: R, field: PlanField): string;
  /** The member that a series of the market, an asset's as a rule, was asked for by; `undefined` where none was. */
  seriesMember(request: R, series: string, sent: SentNames): string | undefined;
}

const HOURS_PER_DAY = 24;

/** Members from which the number of paths follows. */
interface PathMembers {
  readonly model_lookback: number;
  readonly mc_iter?: number;
}

/** Paths that are drawn, or the windows of an hourly grid. */
export const pathsOf = ({ model_lookback, mc_iter }: PathMembers): number =>
  mc_iter ?? HOURS_PER_DAY * model_lookback;

/** The member from which the number of paths follows. */
export const pathsMember = (methodology: MethodologyName): string =>
  METHODOLOGIES[methodology].draws ? 'mc_iter' : 'model_lookback';

/** The workload of so many passes over the paths. */
export function workload(
  size: SimulationSize,
  lookbackDays: number,
  {
    passes = 1,
    fits = 1,
    product = size.product,
  }: {
    readonly passes?: number;
    readonly fits?: number;
    /** Where it is not that by which the work is weighed. */
    readonly product?: ProductKind;
  } = {},
): Workload {
  return {
    product,
    calibration: { model: size.model, fits, assets: size.assets, lookbackDays },
    assets: size.assets,
    work: passes * workOf(size),
    onGpu: gpuProduct(product, size.model) !== undefined,
    onSimd: hasSimdKernel(product, size.model),
  };
}

/** The members of a body with `type` and `params`. */
export function paramsMember(term: string): RequestRow<{ readonly type: MethodologyName }>['planMember'] {
  return ({ type }, field) => `params.${field === 'steps' ? term : pathsMember(type)}`;
}

type WeightMaps = Readonly<Record<'collateral_weights' | 'loan_weights', Readonly<Record<string, number>>>>;

export function weightMember(params: WeightMaps, asset: string, sent: SentNames): string | undefined {
  const map = (['collateral_weights', 'loan_weights'] as const).find(name =>
    Object.hasOwn(params[name], asset),
  );
  if (map === undefined) return undefined;
  // Where weights follow from amounts, these were sent.
  const member = map.replace('_weights', '');
  return Object.hasOwn(params, member) ? `params.${member}.${asset}` : `params.${map}.${sent(map, asset)}`;
}

type AnyLoanRequest = TypedRequest<LoanMembers & UnderWayMembers>;

/** What the questions on one loan state about their requests. */
export function loanRequests<R extends AnyLoanRequest>(
  product: Exclude<ProductKind, 'origination'>,
  passesOf: (request: R) => number = () => 1,
  runs: ProductKind = product,
): RequestRow<R> {
  return {
    workload(request, sampling) {
      const { type, params } = request;
      return workload(
        {
          product,
          model: kindOf(type, sampling),
          paths: pathsOf(params),
          steps: stepsOfDays(params.loan_duration, 1),
          assets: numberAssets(params.collateral_weights, params.loan_weights).symbols.length,
          answered: params.top_up !== undefined,
        },
        params.model_lookback,
        { passes: passesOf(request), product: runs },
      );
    },
    planMember: paramsMember('loan_duration'),
    seriesMember: ({ params }, asset, sent) => weightMember(params, asset, sent),
  };
}
