/**
 * A client of the collateral-risk-engine: `fetch` with the types of its interface.
 */
import createFetchClient from 'openapi-fetch';

/** See index.d.ts. */
export function createClient({ url, key, ...options }) {
  return createFetchClient({
    ...options,
    baseUrl: url.replace(/\/+$/, ''),
    headers: { ...options.headers, ...(key === undefined ? {} : { 'x-api-key': key }) },
  });
}
