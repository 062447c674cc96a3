/**
 * Commands that ask a service: the one at an address, or one that is started for them and ends with them.
 *
 * Takes: what to do with an address and a key. Gives: its exit code. Must not know: the request.
 */
import { type Config, ConfigError, loadConfig } from '../config.ts';
import { RiskError } from '../core/errors.ts';
import { type Ask, DeskRefusal } from '../desk/ask.ts';
import { createLogger } from '../log.ts';
import { MarketStoreError } from '../market/store/store-error.ts';
import { type Service, startService } from '../service.ts';
import type { Output } from './market-command.ts';

/** The server could not be reached, or did not answer as it should. */
export class NoAnswer extends Error {}

/** Where to ask. */
export interface Asked {
  readonly url: string;
  readonly key: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Starts a service on a free port of this machine, which ends with `use`. */
export async function withOwnService<T>(
  environment: Environment,
  use: (service: Service & Asked, config: Config) => Promise<T>,
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

/** `use` at the address `url` with the key in API_KEY, or at a service of its own. */
export function withService<T>(
  url: string | undefined,
  environment: Environment,
  use: (asked: Asked) => Promise<T>,
): Promise<T> {
  return url === undefined ? withOwnService(environment, use) : use({ url, key: environment.API_KEY ?? '' });
}

/** Prints a failure that the user can correct. @returns exit code 1 @throws every other error */
export async function toldFailures(work: () => Promise<number>, { err }: Output): Promise<number> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    const isKnown = [RiskError, MarketStoreError, NoAnswer, DeskRefusal].some(kind => error instanceof kind);
    if (!isKnown) throw error;
    err(`${(error as Error).message}\n`);
    return 1;
  }
}

/** What lies at `path` of the service at `url`, whose own path stays before it. */
export const placeAt = (url: string, path: string) => new URL(`${url.replace(/\/+$/, '')}${path}`);

/** `fetch`, with the cause of a failure in its message. @throws NoAnswer */
export async function reach(target: URL, init?: RequestInit): Promise<Response> {
  try {
    return await fetch(target, init);
  } catch (error) {
    throw noAnswer(target, error);
  }
}

/** Asks a service for the desk. @throws NoAnswer */
export const askOf =
  ({ url, key }: Asked): Ask =>
  async ({ path, include, seed, body }) => {
    const target = placeAt(url, path);
    if (include !== undefined) target.searchParams.set('include', include);
    const headers = {
      'x-api-key': key,
      ...(seed === undefined ? {} : { 'x-seed': String(seed) }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    };
    const response = await reach(target, {
      headers,
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    });
    return { ok: response.ok, text: await wholeText(response) };
  };

/** The whole body of an answer. @throws NoAnswer where the server goes away meanwhile */
export async function wholeText(response: Response): Promise<string> {
  try {
    return await response.text();
  } catch (error) {
    throw noAnswer(new URL(response.url), error);
  }
}

/** The body of an answer in pieces, as they come. @throws NoAnswer where the server goes away meanwhile */
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
