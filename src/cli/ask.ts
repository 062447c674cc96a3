/**
 * One request from the command line: sent to a server, or to one that is started for it and ends with it.
 *
 * Takes: a file with the JSON body. Gives: the answer on standard output, or the problem document on standard error, and an
 * exit code. Must not know: what the operations compute.
 */
import { readFileSync } from 'node:fs';
import type { OperationPath } from '../question/paths.ts';
import type { Output } from './market-command.ts';
import { type Asked, placeAt, reach, toldFailures, wholeText, withService } from './own-service.ts';

export interface AskOptions {
  readonly url?: string;
  readonly operation?: string;
  readonly seed?: number;
  readonly compute?: string;
  readonly include?: string;
  readonly format: 'json' | 'csv';
}

/** The operation that a body is meant for, by a member that no other operation has. */
const TELLING_MEMBERS: readonly (readonly [member: string, path: OperationPath])[] = [
  ['opt_param', '/loan_origination'],
  ['var_duration', '/var'],
  ['markets', '/loan_risk_low_liquidity'],
  ['scenarios', '/stress'],
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
  return toldFailures(
    () => withService(options.url, environment, asked => send(asked, path, body, options, output)),
    output,
  );
}

/** The path of the operation that has the members of `body`. */
export function operationOf(body: unknown): OperationPath {
  const sent = (typeof body === 'object' ? body : null) as { model?: unknown; params?: unknown } | null;
  if (sent?.model !== undefined) return '/isolated_perp_risk';
  const params = (typeof sent?.params === 'object' ? sent.params : null) ?? {};
  return TELLING_MEMBERS.find(([member]) => member in params)?.[1] ?? '/loan_risk';
}

async function send(
  { url, key }: Asked,
  path: string,
  body: string,
  { seed, compute, include, format }: AskOptions,
  output: Output,
): Promise<number> {
  const target = placeAt(url, path);
  if (include !== undefined) target.searchParams.set('include', include);
  const response = await reach(target, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: format === 'csv' ? 'text/csv' : 'application/json',
      'x-api-key': key,
      ...(seed === undefined ? {} : { 'x-seed': String(seed) }),
      ...(compute === undefined ? {} : { 'x-compute': compute }),
    },
    body,
  });
  const text = await wholeText(response);
  const line = text.endsWith('\n') ? text : `${text}\n`;
  if (response.ok) output.out(line);
  else output.err(line);
  return response.ok ? 0 : 1;
}
