/**
 * Faults of the market and of models, brought to the members of the request that led to them.
 *
 * Takes: a request and what its operation threw. Gives: the same refusal with paths that a caller can find in the body
 * that was sent. The folders below name what they know: a symbol, a market of the list, the length of a window.
 */
import { type Fault, RiskError } from '../core/errors.ts';
import { FUNDING_PATH, INDEX_PATH } from '../market/missing-data.ts';
import type { BookColumns } from '../request/book-columns.ts';
import { dollarsAreUsdc, type ResolveSymbol } from '../request/symbols.ts';
import type { AnyRequest } from './predicted-work.ts';

/** The member under which a weight of an asset was sent, by map; an alias is told as it was written. */
export type SentNames = (map: string, asset: string) => string;

/** How the weight maps of a body name their assets. */
export function sentNames(body: unknown, resolve: ResolveSymbol = dollarsAreUsdc): SentNames {
  return (map, asset) => {
    const weights = (body as { params?: Record<string, unknown> })?.params?.[map];
    const names = typeof weights === 'object' && weights !== null ? Object.keys(weights) : [];
    return names.find(name => resolve(name.toUpperCase()) === asset) ?? asset;
  };
}

/** The error itself, or for a refusal of market or model one with paths of the request. */
export function atMembers(request: AnyRequest, error: unknown, sent: SentNames): unknown {
  if (!(error instanceof RiskError)) return error;
  const { reason, message, faults } = error;
  if (reason !== 'missing-market-data' && reason !== 'calibration-failed') return error;
  const moved = faults.map((fault): Fault => ({ ...fault, path: memberOf(request, fault.path, sent) }));
  return new RiskError(reason, message, { faults: moved, cause: error });
}

function memberOf(request: AnyRequest, path: string, sent: SentNames): string {
  if ('model' in request) {
    if (path.startsWith(FUNDING_PATH)) return 'funding_rate';
    return path === request.market ? 'market' : path;
  }
  const { params } = request;
  // The methodology asks for an index, no asset does.
  if (path.startsWith(INDEX_PATH)) return 'type';
  const [first] = path.split('.');
  if ('loans' in params)
    return Object.hasOwn(params, first) ? `params.${path}` : memberOfBook(params.loans, path);
  if (Object.hasOwn(params, first)) return `params.${path}`;
  if ('weights' in params)
    return Object.hasOwn(params.weights, path) ? `params.weights.${sent('weights', path)}` : path;
  for (const map of ['collateral_weights', 'loan_weights'] as const) {
    if (Object.hasOwn(params[map], path)) return `params.${map}.${sent(map, path)}`;
  }
  return path;
}

/** The first loan that holds the asset which a fault names. */
function memberOfBook(loans: BookColumns, path: string): string {
  const { symbols, collateralWeights, loanWeights, firstLoan } = loans;
  const asset = symbols.indexOf(path);
  if (asset < 0) return path;
  const holds = (weights: Float64Array) => (_: number, b: number) => weights[b * symbols.length + asset] > 0;
  for (const [map, weights] of [
    ['collateral_weights', collateralWeights],
    ['loan_weights', loanWeights],
  ] as const) {
    const loan = firstLoan.find(holds(weights));
    if (loan !== undefined) return `params.loans.${loan}.${map}.${path}`;
  }
  return path;
}
