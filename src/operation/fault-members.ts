/**
 * Faults of the market and of models, brought to the members of the request that led to them.
 *
 * Takes: a request and what its operation threw. Gives: the same refusal with paths that a caller can find in the body
 * that was sent. The folders below name what they know: a symbol, a market of the list, the length of a window.
 */
import { type Fault, RiskError } from '../errors.ts';
import { INDEX_PATH } from '../market/missing-data.ts';
import type { AnyRequest } from './predicted-work.ts';

/** The error itself, or for a refusal of market or model one with paths of the request. */
export function atMembers(request: AnyRequest, error: unknown): unknown {
  if (!(error instanceof RiskError)) return error;
  const { reason, message, faults } = error;
  if (reason !== 'missing-market-data' && reason !== 'calibration-failed') return error;
  const moved = faults.map((fault): Fault => ({ ...fault, path: memberOf(request, fault.path) }));
  return new RiskError(reason, message, { faults: moved, cause: error });
}

function memberOf(request: AnyRequest, path: string): string {
  if ('model' in request) return path === request.market ? 'market' : path;
  const { params } = request;
  // The methodology asks for an index, no asset does.
  if (path.startsWith(INDEX_PATH)) return 'type';
  const [first] = path.split('.');
  if (Object.hasOwn(params, first)) return `params.${path}`;
  for (const map of ['collateral_weights', 'loan_weights'] as const) {
    if (Object.hasOwn(params[map], path)) return `params.${map}.${path}`;
  }
  return path;
}
