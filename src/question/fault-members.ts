/**
 * Faults of the market, of models and of plans as faults of members of the request.
 *
 * The folders below name a symbol, a market of the list or a field of the plan. The refusal of the caller names the member of the body
 * instead.
 */
import { RiskError } from '../core/errors.ts';
import { withMember } from '../core/plan/plan-fault.ts';
import { INDEX_PATH } from '../market/missing-data.ts';
import { cashIsDollar, type ResolveSymbol } from '../request/symbols.ts';
import type { RequestRow, SentNames } from './workload.ts';

/** The names of assets in the weight maps of a body. */
export function sentNames(body: unknown, resolve: ResolveSymbol = cashIsDollar): SentNames {
  return (map, asset) => {
    const weights = (body as { params?: Record<string, unknown> })?.params?.[map];
    const names = typeof weights === 'object' && weights !== null ? Object.keys(weights) : [];
    return names.find(name => resolve(name.toUpperCase()) === asset) ?? asset;
  };
}

/** The error itself; for a refusal, the same with paths of the request. */
export function atMembers<R extends object>(
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

/** The member of the request for a series of the market, or for a member of `params`. */
function memberOf<R extends object>(request: R, path: string, row: RequestRow<R>, sent: SentNames): string {
  // The methodology reads the index.
  if (path.startsWith(INDEX_PATH)) return 'type';
  const { params } = request as { readonly params?: object };
  const [first] = path.split('.');
  if (params !== undefined && Object.hasOwn(params, first)) return `params.${path}`;
  return row.seriesMember(request, path, sent) ?? path;
}
