/**
 * Names of a request as the log shows them: those that the program declares. A name that a caller invents may be that of a person, so a
 * member that is not known is `<unknown>`, a key of a map `*`, and a path without a route `<unknown>`.
 */
import type { Fault } from '../../core/errors.ts';
import { TAPE_PARAMETERS } from '../../question/request/tape-query.ts';
import { TAPE_COLUMN_NAMES } from '../../tape/columns.ts';
import { writtenDescription } from '../openapi/written.ts';

export const UNKNOWN = '<unknown>';
const ANY_KEY = '*';

/** Names in the paths of faults beside members: of queries, headers, lines and what a question needs of the market. */
const OTHERS = [
  ...['body', 'query', 'header', 'line', 'params', 'market', 'type'],
  ...['include', 'confidence', 'sampling', 'scenario', 'symbols', 'date', 'limit', 'before', 'state'],
  ...['x-seed', 'x-compute', 'x-market-data', 'idempotency-key', 'volatility_index', 'funding', 'plan'],
];

let declared: ReadonlySet<string> | undefined;

/** Every name that the description of the interface has, read at the first call: it takes some milliseconds. */
export function declaredNames(): ReadonlySet<string> {
  if (declared !== undefined) return declared;
  const names = new Set<string>([...OTHERS, ...TAPE_PARAMETERS, ...TAPE_COLUMN_NAMES]);
  const collect = (schema: unknown): void => {
    if (typeof schema !== 'object' || schema === null) return;
    const { properties = {} } = schema as { properties?: object };
    for (const name of Object.keys(properties)) names.add(name);
    for (const inner of Object.values(schema)) collect(inner);
  };
  collect(writtenDescription());
  declared = names;
  return declared;
}

/** The path of a fault without invented names. */
export function loggedPath({ code, path }: Fault): string {
  const names = declaredNames();
  const parts = path.split('.').map(part => (/^\d{1,9}$/.test(part) || names.has(part) ? part : ANY_KEY));
  if (code === 'unknown_member') parts[parts.length - 1] = UNKNOWN;
  // A name may have dots of its own.
  return parts.filter((part, i) => part !== ANY_KEY || parts[i - 1] !== ANY_KEY).join('.');
}
