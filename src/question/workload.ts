/**
 * The work of a request, for admission, and the members of its body behind the faults of engines, models and markets: the folders below
 * name a symbol, a market of the list or a field of the plan, and the refusal of the caller names the member instead.
 *
 * Must not know: prices, engines.
 */
import { type Fault, RiskError } from '../core/errors.ts';
import { gpuProduct } from '../core/gpu/products.ts';
import { HOURS_PER_DAY } from '../core/plan/grid.ts';
import type { ModelKind } from '../core/plan/models.ts';
import { type PlanField, withMember } from '../core/plan/plan-fault.ts';
import type { ProductKind } from '../core/plan/product/kinds.ts';
import { type SimulationSize, workOf } from '../core/plan/work.ts';
import { hasSimdKernel } from '../core/simd/products.ts';
import { INDEX_PATH } from '../market/missing-data.ts';
import { METHODOLOGIES, type MethodologyName } from '../models/methodology/methodologies.ts';
import { cashIsDollar, type ResolveSymbol } from '../text/symbols.ts';
import type { ResolvedLoan } from './loan/resolve.ts';
import type { Sampling } from './request/query.ts';
import type { Resolved } from './resolved.ts';
import { kindOf } from './sampling.ts';

/** The fits of a model to its window before the simulation. */
export interface Calibration {
  readonly model: ModelKind;
  /** 1; in a back-test, one for each day. */
  readonly fits: number;
  readonly assets: number;
  readonly lookbackDays: number;
}

export interface Workload {
  readonly product: ProductKind;
  readonly assets: number;
  /** Asset-steps of all passes (core/plan/work.ts). */
  readonly work: number;
  readonly calibration: Calibration;
  /** Whether the GPU engine and the SIMD kernel run the product under the model. */
  readonly onGpu: boolean;
  readonly onSimd: boolean;
}

/** The name of an asset in a weight map of the body; an alias as it was sent. */
export type SentNames = (map: string, asset: string) => string;

export interface RequestRow<R> {
  /** HISTORICAL counts 24 windows for each day of its lookback, as on an hourly grid; a daily grid has fewer. */
  workload(request: R, sampling?: Sampling): Workload;
  /** The faults of a sampling; absent where the operation has one sampling only. */
  samplingFaults?(request: R, sampling: Sampling): readonly Fault[];
  /** Whether its members lie in the body itself, not in `params`. */
  readonly flat?: true;
  /** The member of the body behind a field of the plan. */
  planMember(request: R, field: PlanField): string;
  /** The member of the body behind a series of the market, usually of an asset; `undefined` where there is none. */
  seriesMember(request: R, series: string, sent: SentNames): string | undefined;
}

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
    /** The product that runs, where it is not the product of `size`. */
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

/** `planMember` of a body with `type` and `params`. @param term member of the term */
export function paramsMember(term: string): RequestRow<Resolved<unknown>>['planMember'] {
  return ({ methodology }, field) => `params.${field === 'steps' ? term : pathsMember(methodology)}`;
}

type WeightMaps = Readonly<Record<'collateral_weights' | 'loan_weights', Readonly<Record<string, number>>>>;

/** `seriesMember` of two weight maps. */
export function weightMember(terms: WeightMaps, asset: string, sent: SentNames): string | undefined {
  const map = (['collateral_weights', 'loan_weights'] as const).find(name =>
    Object.hasOwn(terms[name], asset),
  );
  if (map === undefined) return undefined;
  // Weights that follow from amounts were not sent.
  const member = map.replace('_weights', '');
  return Object.hasOwn(terms, member) ? `params.${member}.${asset}` : `params.${map}.${sent(map, asset)}`;
}

/** The declarations of questions on one loan. @param product weighs the work @param runs product of the plan */
export function loanRequests<R extends ResolvedLoan>(
  product: Exclude<ProductKind, 'origination'>,
  passesOf: (request: R) => number = () => 1,
  runs: ProductKind = product,
): RequestRow<R> {
  return {
    workload(request, sampling) {
      const { methodology, terms, portfolio, termSteps } = request;
      return workload(
        {
          product,
          model: kindOf(methodology, sampling),
          paths: pathsOf(terms),
          steps: termSteps(1),
          assets: portfolio.symbols.length,
          answered: terms.top_up !== undefined,
        },
        terms.model_lookback,
        { passes: passesOf(request), product: runs },
      );
    },
    planMember: paramsMember('loan_duration'),
    seriesMember: ({ terms }, asset, sent) => weightMember(terms, asset, sent),
  };
}

/** The names of assets in the weight maps of a body. */
export function sentNames(body: unknown, resolve: ResolveSymbol = cashIsDollar): SentNames {
  return (map, asset) => {
    const weights = (body as { params?: Record<string, unknown> })?.params?.[map];
    const names = typeof weights === 'object' && weights !== null ? Object.keys(weights) : [];
    return names.find(name => resolve(name.toUpperCase()) === asset) ?? asset;
  };
}

/** The error itself; for a refusal, the same with paths of the request. */
export function atMembers<R extends Resolved<object>>(
  request: R,
  error: unknown,
  row: RequestRow<R>,
  sent: SentNames,
): unknown {
  if (!(error instanceof RiskError) || error.faults.length === 0) return error;
  const { reason, message, faults } = error;
  const ofMarket = reason === 'missing-market-data' || reason === 'calibration-failed';
  const moved = faults.map(fault => {
    const ofRequest = withMember(fault, field => row.planMember(request, field));
    return ofMarket ? { ...ofRequest, path: memberOf(request, ofRequest.path, row, sent) } : ofRequest;
  });
  if (moved.every((fault, i) => fault === faults[i])) return error;
  return new RiskError(reason, message, { faults: moved, cause: error });
}

/** The member of the body for a series of the market, or for a member of the terms. */
function memberOf<R extends Resolved<object>>(
  request: R,
  path: string,
  row: RequestRow<R>,
  sent: SentNames,
): string {
  // The methodology reads the index.
  if (path.startsWith(INDEX_PATH)) return 'type';
  const [first] = path.split('.');
  if (Object.hasOwn(request.terms, first)) return row.flat ? path : `params.${path}`;
  return row.seriesMember(request, path, sent) ?? path;
}
