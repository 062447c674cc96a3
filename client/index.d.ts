import type { Client, ClientOptions } from 'openapi-fetch';
import type { components, paths } from './schema.d.ts';

export type { components, operations, paths } from './schema.d.ts';

/** A problem document: the body of every refusal. */
export type Problem = components['schemas']['Problem'];

export interface RiskClientOptions extends Omit<ClientOptions, 'baseUrl' | 'headers'> {
  /** Base address of the service, `http://127.0.0.1:8080`. */
  readonly url: string;
  /** Sent as `x-api-key`. */
  readonly key?: string;
  /** Further headers of every request. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Bodies are JSON; a refusal is a problem document. */
export type RiskClient = Client<paths, 'application/json' | 'application/problem+json'>;

/**
 * A client of the service at `url`.
 *
 * `client.POST('/loan_risk', { body })` returns `{ data, response }`, or `{ error, response }` with a `Problem`. It throws where the
 * answer is incomplete, and where a success is not JSON. A refusal that is not JSON, as a proxy may send, is a text in `error`.
 */
export function createClient(options: RiskClientOptions): RiskClient;
