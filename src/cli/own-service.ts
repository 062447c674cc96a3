/** Requests of commands to a service: one at an address, or one that the command starts and stops. */

import { RiskError } from '../core/errors.ts';
import { type Ask, DeskRefusal, type Reply } from '../desk/ask.ts';
import { createLogger } from '../host/log.ts';
import { MarketStoreError } from '../market/store/store-error.ts';
import { type Config, ConfigError, loadConfig } from '../server/config.ts';
import { type Service, startService } from '../server/service.ts';
import { type Environment, EXIT, type Output } from './output.ts';

/** The server cannot be reached, or its answer is invalid. */
export class NoAnswer extends Error {}

export interface ServiceAccess {
  readonly url: string;
  readonly key: string;
}

/** Limits of a service for one caller with long requests. */
export const LONG_RUN: Environment = { JOB_TIMEOUT_SECONDS: '86400', REQUEST_TIMEOUT_SECONDS: '600' };

/** Starts a service on a free port of this machine, and stops it after `use`. */
export async function withOwnService<T>(
  environment: Environment,
  use: (service: Service & ServiceAccess, config: Config) => Promise<T>,
): Promise<T> {
  const key = 'of-this-process-only';
  const config = loadConfig({ ...environment, PORT: '0', HOST: '127.0.0.1', API_KEYS: key });
  const service = await startService(config, createLogger('silent'));
  try {
    return await use({ ...service, key }, config);
  } finally {
    await service.stop();
  }
}

/** Calls `use` with the server at `url` and the key in API_KEY, or with a service of its own. */
export function withService<T>(
  url: string | undefined,
  environment: Environment,
  use: (asked: ServiceAccess) => Promise<T>,
): Promise<T> {
  return url === undefined ? withOwnService(environment, use) : use({ url, key: environment.API_KEY ?? '' });
}

/** Prints a failure that the user can correct, and returns exit code 1. @throws every other error */
export async function printFailures(work: () => Promise<number>, { err }: Output): Promise<number> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    const isKnown = [RiskError, MarketStoreError, NoAnswer, DeskRefusal].some(kind => error instanceof kind);
    if (!isKnown) throw error;
    err(`${(error as Error).message}\n`);
    return EXIT.refused;
  }
}

export interface ServiceRequest {
  /** `/loan_risk`; relative to the path of the address. */
  readonly path: string;
  readonly include?: string | undefined;
  readonly seed?: number | undefined;
  readonly compute?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON of a POST; a GET where absent. */
  readonly body?: string | undefined;
}

/** Sends a request. @throws NoAnswer with the cause in its message */
export async function send(
  { url, key }: ServiceAccess,
  { path, include, seed, compute, headers, body }: ServiceRequest,
): Promise<Response> {
  const target = new URL(`${url.replace(/\/+$/, '')}${path}`);
  // The message of fetch would show them.
  if (target.username !== '' || target.password !== '')
    throw new NoAnswer(`${target.origin}: leave the user and the password out; a key is sent from API_KEY`);
  if (include !== undefined) target.searchParams.set('include', include);
  try {
    return await fetch(target, {
      headers: {
        'x-api-key': key,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(seed === undefined ? {} : { 'x-seed': String(seed) }),
        ...(compute === undefined ? {} : { 'x-compute': compute }),
        ...headers,
      },
      ...(body === undefined ? {} : { method: 'POST', body }),
    });
  } catch (error) {
    throw noAnswer(target, error);
  }
}

export async function replyTo(asked: ServiceAccess, request: ServiceRequest): Promise<Reply> {
  const response = await send(asked, request);
  return { ok: response.ok, text: await wholeText(response) };
}

/** Sends the requests of the desk to a service. @throws NoAnswer */
export const askOf =
  (asked: ServiceAccess): Ask =>
  ({ body, ...question }) =>
    replyTo(asked, { ...question, body: body && JSON.stringify(body) });

/** The whole body of an answer. @throws NoAnswer when the server ends before its end */
export async function wholeText(response: Response): Promise<string> {
  try {
    return await response.text();
  } catch (error) {
    throw noAnswer(new URL(response.url), error);
  }
}

/** The body of an answer in pieces as they arrive. @throws NoAnswer when the server ends before its end */
export async function* piecesOfText(response: Response): AsyncGenerator<string> {
  try {
    yield* response.body?.pipeThrough(new TextDecoderStream()) ?? [];
  } catch (error) {
    throw noAnswer(new URL(response.url), error);
  }
}

function noAnswer({ origin }: URL, error: unknown): NoAnswer {
  const { message, cause } = error as Error;
  return new NoAnswer(`${origin}: ${cause instanceof Error ? cause.message : message}`);
}
