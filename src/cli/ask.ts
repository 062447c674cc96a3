/**
 * One request from the command line: sent to a server, or to one that is started for it and ends with it.
 *
 * Takes: a file with the JSON body. Gives: the answer on standard output, or the problem document on standard error, and an
 * exit code. Must not know: what the operations compute.
 */
import { readFileSync } from 'node:fs';
import { ConfigError, loadConfig } from '../config.ts';
import { RiskError } from '../core/errors.ts';
import { ROUTES } from '../http/routes.ts';
import { createLogger } from '../log.ts';
import { MarketStoreError } from '../market/store/store-error.ts';
import { startService } from '../service.ts';
import type { Output } from './market.ts';

export interface AskOptions {
  readonly url?: string;
  readonly operation?: string;
  readonly seed?: number;
  readonly compute?: string;
  readonly include?: string;
  readonly format: 'json' | 'csv';
}

/** Paths of the operations that a body can be sent to. */
export const OPERATION_PATHS: readonly string[] = ROUTES.map(({ path }) => path);

/** The server could not be reached. */
class NoAnswer extends Error {}

/** The operation that a body is meant for, by a member that no other operation has. */
const TELLING_MEMBERS: readonly (readonly [member: string, path: string])[] = [
  ['opt_param', '/loan_origination'],
  ['var_duration', '/var'],
  ['markets', '/loan_risk_low_liquidity'],
  ['loans', '/book_risk'],
  ['weights', '/backtest'],
];

/** Asks and prints. @returns 0 where it was answered, 1 where it was refused or failed, 2 where the file is not readable */
export async function ask(
  file: string,
  options: AskOptions,
  environment: Readonly<Record<string, string | undefined>>,
  output: Output,
): Promise<number> {
  let body: string;
  let path: string;
  try {
    body = readFileSync(file === '-' ? 0 : file, 'utf8');
    path = options.operation === undefined ? operationOf(JSON.parse(body)) : `/${options.operation}`;
  } catch (error) {
    output.err(`${file === '-' ? 'standard input' : file}: ${(error as Error).message}\n`);
    return 2;
  }
  try {
    if (options.url !== undefined)
      return await send(options.url, environment.API_KEY ?? '', path, body, options, output);
    const key = 'of-this-process-only';
    const config = loadConfig({ ...environment, PORT: '0', HOST: '127.0.0.1', API_KEYS: key });
    const service = await startService(config, createLogger('silent'));
    try {
      return await send(service.url, key, path, body, options, output);
    } finally {
      await service.stop();
    }
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    const isKnown =
      error instanceof RiskError || error instanceof MarketStoreError || error instanceof NoAnswer;
    if (!isKnown) throw error;
    output.err(`${error.message}\n`);
    return 1;
  }
}

/** The path of the operation that has the members of `body`. */
export function operationOf(body: unknown): string {
  const sent = (typeof body === 'object' ? body : null) as { model?: unknown; params?: unknown } | null;
  if (sent?.model !== undefined) return '/isolated_perp_risk';
  const params = (typeof sent?.params === 'object' ? sent.params : null) ?? {};
  return TELLING_MEMBERS.find(([member]) => member in params)?.[1] ?? '/loan_risk';
}

async function send(
  url: string,
  key: string,
  path: string,
  body: string,
  { seed, compute, include, format }: AskOptions,
  output: Output,
): Promise<number> {
  const target = new URL(path, url);
  if (include !== undefined) target.searchParams.set('include', include);
  const response = await fetch(target, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: format === 'csv' ? 'text/csv' : 'application/json',
      'x-api-key': key,
      ...(seed === undefined ? {} : { 'x-seed': String(seed) }),
      ...(compute === undefined ? {} : { 'x-compute': compute }),
    },
    body,
  }).catch((error: Error) => {
    // Why it failed is in the cause.
    const { cause } = error;
    throw new NoAnswer(`${target.origin}: ${cause instanceof Error ? cause.message : error.message}`);
  });
  const text = await response.text();
  const line = text.endsWith('\n') ? text : `${text}\n`;
  if (response.ok) output.out(line);
  else output.err(line);
  return response.ok ? 0 : 1;
}
