/**
 * Faults of the market, of models and of plans, brought to the members of the request that led to them.
 *
 * Takes: a request, its row, and what its operation threw. Gives: the same refusal with paths that a caller can find in
 * the body that was sent. The folders below name what they have: a symbol, a market of the list, a field of the plan.
 */
import { RiskError } from '../core/errors.ts';
import { withMember } from '../core/plan/plan-fault.ts';
import { INDEX_PATH } from '../market/missing-data.ts';
import { cashIsDollar, type ResolveSymbol } from '../request/symbols.ts';
import type { RequestRow, SentNames } from './workload.ts';

/** How the weight maps of a body name their assets. */
export function sentNames(body: unknown, resolve: ResolveSymbol = cashIsDollar): SentNames {
  return (map, asset) => {
    const weights = (body as { params?: Record<string, unknown> })?.params?.[map];
    const names = typeof weights === 'object' && weights !== null ? Object.keys(weights) : [];
    return names.find(name => resolve(name.toUpperCase()) === asset) ?? asset;
  };
}

/** The error itself, or for a refusal one with paths of the request. */
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

/** The member that contains a series of the market, or a member inside `params`. */
function memberOf<R extends object>(request: R, path: string, row: RequestRow<R>, sent: SentNames): string {
  // The methodology asks for an index, no asset does.
  if (path.startsWith(INDEX_PATH)) return 'type';
  const { params } = request as { readonly params?: object };
  const [first] = path.split('.');
  if (params !== undefined && Object.hasOwn(params, first)) return `params.${path}`;
  return row.seriesMember(request, path, sent) ?? path;
}
